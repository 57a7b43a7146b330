// CPU parts: one of two inputs and three results, and one with functions of the
// C library, behind a convolution.
func.func @net(%image: tensor<1x8x32x8xi8>, %x: tensor<1x64xf32>, %y: tensor<1x64xi32>) -> (tensor<1x4x16x16xf32>, tensor<1x64xf32>, tensor<64x1xf32>, tensor<1x64xi32>)
    attributes {input_names = ["image", "x", "n"], output_names = ["map", "sum", "turned", "n2"]} {
  %w = "tir.const"() {value = dense<3> : tensor<16x3x3x8xi8>} : () -> tensor<16x3x3x8xi8>
  %0 = "tir.conv2d-fix"(%image, %w) {op_name = "conv", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x8x32x8xi8>, tensor<16x3x3x8xi8>) -> tensor<1x4x16x16xi8>
  %1 = "tir.fix2float"(%0) {op_name = "float", fix_point = 4 : i32} : (tensor<1x4x16x16xi8>) -> tensor<1x4x16x16xf32>
  %2 = "tir.softmax"(%1) {op_name = "softmax", axis = 3 : i32} : (tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %3 = "tir.sigmoid"(%x) {op_name = "sigmoid"} : (tensor<1x64xf32>) -> tensor<1x64xf32>
  %4 = "tir.add"(%3, %x) {op_name = "add"} : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<1x64xf32>
  %5 = "tir.transpose"(%4) {op_name = "transpose", order = [1 : i32, 0 : i32]} : (tensor<1x64xf32>) -> tensor<64x1xf32>
  %6 = "tir.neg"(%y) {op_name = "neg"} : (tensor<1x64xi32>) -> tensor<1x64xi32>
  return %2, %4, %5, %6 : tensor<1x4x16x16xf32>, tensor<1x64xf32>, tensor<64x1xf32>, tensor<1x64xi32>
}
