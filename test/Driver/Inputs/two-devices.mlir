// A part for the DPU and one for the CPU, and one with an operator of the host.
func.func @net(%image: tensor<1x8x32x8xi8>, %x: tensor<1x64xf32>) -> (tensor<1x4x16x16xi8>, tensor<1x64xf32>)
    attributes {input_names = ["image", "x"], output_names = ["map", "y"]} {
  %w = "tir.const"() {value = dense<3> : tensor<16x3x3x8xi8>} : () -> tensor<16x3x3x8xi8>
  %0 = "tir.conv2d-fix"(%image, %w) {op_name = "conv", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x8x32x8xi8>, tensor<16x3x3x8xi8>) -> tensor<1x4x16x16xi8>
  %1 = "tir.neg"(%x) {op_name = "neg"} : (tensor<1x64xf32>) -> tensor<1x64xf32>
  %2 = "tir.relu"(%1) {op_name = "relu"} : (tensor<1x64xf32>) -> tensor<1x64xf32>
  return %0, %2 : tensor<1x4x16x16xi8>, tensor<1x64xf32>
}
