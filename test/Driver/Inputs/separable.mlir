// Depthwise convolutions and pointwise ones in turn.
func.func @main(%x: tensor<1x40x40x32xi8>) -> tensor<1x10x10x128xi8> {
  %w0 = "tir.const"() {value = dense<1> : tensor<1x3x3x32xi8>} : () -> tensor<1x3x3x32xi8>
  %d0 = "tir.depthwise-conv2d-fix"(%x, %w0) {op_name = "d0", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x40x40x32xi8>, tensor<1x3x3x32xi8>) -> tensor<1x40x40x32xi8>
  %w1 = "tir.const"() {value = dense<1> : tensor<64x1x1x32xi8>} : () -> tensor<64x1x1x32xi8>
  %p0 = "tir.conv2d-fix"(%d0, %w1) {op_name = "p0", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x40x40x32xi8>, tensor<64x1x1x32xi8>) -> tensor<1x40x40x64xi8>
  %w2 = "tir.const"() {value = dense<1> : tensor<1x3x3x64xi8>} : () -> tensor<1x3x3x64xi8>
  %d1 = "tir.depthwise-conv2d-fix"(%p0, %w2) {op_name = "d1", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 0 : i32, 1 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x40x40x64xi8>, tensor<1x3x3x64xi8>) -> tensor<1x20x20x64xi8>
  %w3 = "tir.const"() {value = dense<1> : tensor<128x1x1x64xi8>} : () -> tensor<128x1x1x64xi8>
  %p1 = "tir.conv2d-fix"(%d1, %w3) {op_name = "p1", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x20x20x64xi8>, tensor<128x1x1x64xi8>) -> tensor<1x20x20x128xi8>
  %w4 = "tir.const"() {value = dense<1> : tensor<1x3x3x128xi8>} : () -> tensor<1x3x3x128xi8>
  %d2 = "tir.depthwise-conv2d-fix"(%p1, %w4) {op_name = "d2", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x20x20x128xi8>, tensor<1x3x3x128xi8>) -> tensor<1x20x20x128xi8>
  %w5 = "tir.const"() {value = dense<1> : tensor<128x1x1x128xi8>} : () -> tensor<128x1x1x128xi8>
  %p2 = "tir.conv2d-fix"(%d2, %w5) {op_name = "p2", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x20x20x128xi8>, tensor<128x1x1x128xi8>) -> tensor<1x20x20x128xi8>
  %w6 = "tir.const"() {value = dense<1> : tensor<1x3x3x128xi8>} : () -> tensor<1x3x3x128xi8>
  %d3 = "tir.depthwise-conv2d-fix"(%p2, %w6) {op_name = "d3", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 0 : i32, 1 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x20x20x128xi8>, tensor<1x3x3x128xi8>) -> tensor<1x10x10x128xi8>
  %w7 = "tir.const"() {value = dense<1> : tensor<128x1x1x128xi8>} : () -> tensor<128x1x1x128xi8>
  %p3 = "tir.conv2d-fix"(%d3, %w7) {op_name = "p3", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x10x10x128xi8>, tensor<128x1x1x128xi8>) -> tensor<1x10x10x128xi8>
  return %p3 : tensor<1x10x10x128xi8>
}
