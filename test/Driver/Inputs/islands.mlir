// Two DPU parts with a convolution between them that rounds as no DPU does; an
// output from the middle, an input that is given out, and a constant.
func.func @net(%image: tensor<1x8x32x8xf32>, %same: tensor<2xf32>) -> (tensor<1x4x16x16xf32>, tensor<2xf32>, tensor<3xi32>, tensor<1x4x16x16xf32>)
    attributes {input_names = ["image", "same"], output_names = ["result", "same_again", "numbers", "middle"]} {
  %w0 = "tir.const"() {value = dense<3> : tensor<16x3x3x8xi8>} : () -> tensor<16x3x3x8xi8>
  %w1 = "tir.const"() {value = dense<1> : tensor<16x3x17x16xi8>} : () -> tensor<16x3x17x16xi8>
  %n = "tir.const"() {value = dense<[1, -2, 3]> : tensor<3xi32>, op_name = "three"} : () -> tensor<3xi32>
  %0 = "tir.float2fix"(%image) {op_name = "fix", fix_point = 4 : i32} : (tensor<1x8x32x8xf32>) -> tensor<1x8x32x8xi8>
  %1 = "tir.conv2d-fix"(%0, %w0) {op_name = "conv", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x8x32x8xi8>, tensor<16x3x3x8xi8>) -> tensor<1x4x16x16xi8>
  %2 = "tir.conv2d-fix"(%1, %w1) {op_name = "conv", kernel = [17 : i32, 3 : i32], round_mode = "STD_ROUND", stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x4x16x16xi8>, tensor<16x3x17x16xi8>) -> tensor<1x4x16x16xi8>
  %w2 = "tir.const"() {value = dense<-5> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  %3 = "tir.conv2d-fix"(%2, %w2) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x4x16x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x4x16x16xi8>
  %4 = "tir.fix2float"(%3) {op_name = "float", fix_point = 3 : i32} : (tensor<1x4x16x16xi8>) -> tensor<1x4x16x16xf32>
  %5 = "tir.fix2float"(%2) {op_name = "middle", fix_point = 3 : i32} : (tensor<1x4x16x16xi8>) -> tensor<1x4x16x16xf32>
  return %4, %same, %n, %5 : tensor<1x4x16x16xf32>, tensor<2xf32>, tensor<3xi32>, tensor<1x4x16x16xf32>
}
