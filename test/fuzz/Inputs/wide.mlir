module {
  func.func @main(%arg0: tensor<1x5x14x22xi8>) -> tensor<1x12320xi8> {
    %0 = "tir.upsample-fix"(%arg0) {scale = [4 : i32, 2 : i32]} : (tensor<1x5x14x22xi8>) -> tensor<1x10x56x22xi8>
    %1 = "tir.reshape-fix"(%0) {input_fix_point = 1 : i32, shape = [-1 : i32, 12320 : i32]} : (tensor<1x10x56x22xi8>) -> tensor<1x12320xi8>
    %2 = "tir.relu6-fix"(%1) {output_fix_point = 4 : i32} : (tensor<1x12320xi8>) -> tensor<1x12320xi8>
    return %2 : tensor<1x12320xi8>
  }
}
