module {
  func.func @main(%arg0: tensor<1x1x25x5xi8>) -> (tensor<1x1x24x2xi8>, tensor<1x1x25x10xi8>) {
    %0 = "tir.concat-fix"(%arg0, %arg0) {axis = -1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x1x25x5xi8>, tensor<1x1x25x5xi8>) -> tensor<1x1x25x10xi8>
    %1 = "tir.eltwise-fix"(%0, %0, %0, %0, %0) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, round_mode = "PY3_ROUND", type = "ADD"} : (tensor<1x1x25x10xi8>, tensor<1x1x25x10xi8>, tensor<1x1x25x10xi8>, tensor<1x1x25x10xi8>, tensor<1x1x25x10xi8>) -> tensor<1x1x25x10xi8>
    %2 = "tir.const"() {value = dense<81> : tensor<2x1x2x10xi8>} : () -> tensor<2x1x2x10xi8>
    %3 = "tir.conv2d-fix"(%0, %2) {hsigmoid_in = 0 : i32, kernel = [2 : i32, 1 : i32], nonlinear = "HSIGMOID", output_fix_point = 7 : i32, stride = [1 : i32, 1 : i32]} : (tensor<1x1x25x10xi8>, tensor<2x1x2x10xi8>) -> tensor<1x1x24x2xi8>
    return %3, %1 : tensor<1x1x24x2xi8>, tensor<1x1x25x10xi8>
  }
}
