module {
  func.func @main(%arg0: tensor<1x1x1x2xi8>) -> tensor<1x1x1x2xi8> {
    %0 = "tir.eltwise-fix"(%arg0, %arg0) {input_fix_point = [14 : i32, 35 : i32], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, output_fix_point = 64 : i32, type = "MUL"} : (tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>) -> tensor<1x1x1x2xi8>
    return %0 : tensor<1x1x1x2xi8>
  }
}
