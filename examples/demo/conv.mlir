func.func @demo(%image: tensor<1x8x8x16xf32>) -> tensor<1x16xf32> attributes {input_names = ["image"], input_num = 1 : i64, output_names = ["scores"]} {
  %w = "tir.const"() {path = "weights.bin"} : () -> tensor<16x3x3x16xi8>
  %b = "tir.const"() {path = "bias.bin"} : () -> tensor<16xi8>
  %0 = "tir.float2fix"(%image) {fix_point = 5 : i32, op_name = "image_fix"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %1 = "tir.conv2d-fix"(%0, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 0 : i32, 1 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 6 : i32, output_fix_point = 4 : i32, op_name = "conv"} : (tensor<1x8x8x16xi8>, tensor<16x3x3x16xi8>, tensor<16xi8>) -> tensor<1x4x4x16xi8>
  %2 = "tir.pool-fix"(%1) {type = "AVG", global = true, input_fix_point = 4 : i32, output_fix_point = 4 : i32, op_name = "pool"} : (tensor<1x4x4x16xi8>) -> tensor<1x1x1x16xi8>
  %3 = "tir.reshape-fix"(%2) {shape = [1 : i32, 16 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32, op_name = "flat"} : (tensor<1x1x1x16xi8>) -> tensor<1x16xi8>
  %4 = "tir.fix2float"(%3) {fix_point = 4 : i32, op_name = "flat_float"} : (tensor<1x16xi8>) -> tensor<1x16xf32>
  %5 = "tir.softmax"(%4) {axis = 1 : i32, op_name = "scores"} : (tensor<1x16xf32>) -> tensor<1x16xf32>
  return %5 : tensor<1x16xf32>
}
