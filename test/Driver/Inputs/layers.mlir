// Convolutions with equal registers one after the other, a depthwise one, rows that
// stay in the banks, a sum and a pool.
func.func @net(%image: tensor<1x96x160x16xf32>) -> tensor<1x48x80x32xf32> {
  %0 = "tir.float2fix"(%image) {op_name = "fix", fix_point = 4 : i32} : (tensor<1x96x160x16xf32>) -> tensor<1x96x160x16xi8>
  %w1 = "tir.const"() {value = dense<2> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  %1 = "tir.conv2d-fix"(%0, %w1) {op_name = "first", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x96x160x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x96x160x16xi8>
  %w2 = "tir.const"() {value = dense<0> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  %2 = "tir.conv2d-fix"(%1, %w2) {op_name = "second", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x96x160x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x96x160x16xi8>
  %w3 = "tir.const"() {value = dense<-2> : tensor<32x3x3x16xi8>} : () -> tensor<32x3x3x16xi8>
  %3 = "tir.conv2d-fix"(%2, %w3) {op_name = "third", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x96x160x16xi8>, tensor<32x3x3x16xi8>) -> tensor<1x96x160x32xi8>
  %w4 = "tir.const"() {value = dense<2> : tensor<1x3x3x32xi8>} : () -> tensor<1x3x3x32xi8>
  %4 = "tir.depthwise-conv2d-fix"(%3, %w4) {op_name = "depthwise", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x96x160x32xi8>, tensor<1x3x3x32xi8>) -> tensor<1x96x160x32xi8>
  %w5 = "tir.const"() {value = dense<1> : tensor<32x1x1x32xi8>} : () -> tensor<32x1x1x32xi8>
  %5 = "tir.conv2d-fix"(%4, %w5) {op_name = "fourth", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x96x160x32xi8>, tensor<32x1x1x32xi8>) -> tensor<1x96x160x32xi8>
  %6 = "tir.eltwise-fix"(%5, %3) {op_name = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, type = "ADD", nonlinear = "RELU", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x96x160x32xi8>, tensor<1x96x160x32xi8>) -> tensor<1x96x160x32xi8>
  %7 = "tir.pool-fix"(%6) {op_name = "pool", type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x96x160x32xi8>) -> tensor<1x48x80x32xi8>
  %w8 = "tir.const"() {value = dense<2> : tensor<32x1x1x32xi8>} : () -> tensor<32x1x1x32xi8>
  %8 = "tir.conv2d-fix"(%7, %w8) {op_name = "fifth", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x48x80x32xi8>, tensor<32x1x1x32xi8>) -> tensor<1x48x80x32xi8>
  %w9 = "tir.const"() {value = dense<0> : tensor<32x1x1x32xi8>} : () -> tensor<32x1x1x32xi8>
  %9 = "tir.conv2d-fix"(%8, %w9) {op_name = "sixth", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x48x80x32xi8>, tensor<32x1x1x32xi8>) -> tensor<1x48x80x32xi8>
  %out = "tir.fix2float"(%9) {op_name = "float", fix_point = 4 : i32} : (tensor<1x48x80x32xi8>) -> tensor<1x48x80x32xf32>
  return %out : tensor<1x48x80x32xf32>
}
