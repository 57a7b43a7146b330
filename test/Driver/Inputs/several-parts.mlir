// Three parts for the CPU between those for the DPU, one with an operator of the
// host, which has no code.
func.func @net(%x: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %w = "tir.const"() {value = dense<3> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "conv1", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "NONE", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  %1 = "tir.fix2float"(%0) {op_name = "real1", bit_width = 8 : i32, if_signed = true, fix_point = 5 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %2 = "tir.exp"(%1) {op_name = "exp"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %3 = "tir.float2fix"(%2) {op_name = "fix1", bit_width = 8 : i32, if_signed = true, fix_point = 5 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %4 = "tir.conv2d-fix"(%3, %w) {op_name = "conv2", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "NONE", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  %5 = "tir.fix2float"(%4) {op_name = "real2", bit_width = 8 : i32, if_signed = true, fix_point = 5 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %6 = "tir.custom"(%5) {op_name = "twice", op_type = "Twice", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %7 = "tir.float2fix"(%6) {op_name = "fix2", bit_width = 8 : i32, if_signed = true, fix_point = 5 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %8 = "tir.conv2d-fix"(%7, %w) {op_name = "conv3", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "NONE", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  %9 = "tir.fix2float"(%8) {op_name = "real3", bit_width = 8 : i32, if_signed = true, fix_point = 5 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %10 = "tir.tanh"(%9) {op_name = "tanh"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %11 = "tir.float2fix"(%10) {op_name = "fix3", bit_width = 8 : i32, if_signed = true, fix_point = 5 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  return %11 : tensor<1x8x8x16xi8>
}
