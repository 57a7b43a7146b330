// With kernels of 7 x 7, computing the columns of the halo twice costs more than the
// bytes that tiles would leave in the banks. The layers run on whole rows.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies | xc-translate --mtir-to-dpu-schedule | FileCheck %s

// CHECK: conv square,
// CHECK: output     56x56x64, DDR
// CHECK: conv expand,
// CHECK: output     56x56x256, DDR register 3 at 0, rolling buffer
// CHECK: conv reduce,
// CHECK: output     56x56x128, DDR
// CHECK: conv next,
// CHECK-NOT: conv square
func.func @block(%x: tensor<1x56x56x64xi8>, %r: tensor<1x56x56x256xi8>) -> (tensor<1x56x56x256xi8>, tensor<1x28x28x128xi8>) attributes {device = "DPU"} {
  %w1 = "tir.const"() {value = dense<2> : tensor<64x7x7x64xi8>} : () -> tensor<64x7x7x64xi8>
  %y1 = "tir.conv2d-fix"(%x, %w1) {op_name = "square", kernel = [7 : i32, 7 : i32], stride = [1 : i32, 1 : i32], pad = [3 : i32, 3 : i32, 3 : i32, 3 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x56x56x64xi8>, tensor<64x7x7x64xi8>) -> tensor<1x56x56x64xi8>
  %w2 = "tir.const"() {value = dense<2> : tensor<256x1x1x64xi8>} : () -> tensor<256x1x1x64xi8>
  %y2 = "tir.conv2d-fix"(%y1, %w2) {op_name = "expand", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x56x56x64xi8>, tensor<256x1x1x64xi8>) -> tensor<1x56x56x256xi8>
  %y3 = "tir.eltwise-fix"(%y2, %r) {type = "ADD", nonlinear = "RELU", input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x56x56x256xi8>, tensor<1x56x56x256xi8>) -> tensor<1x56x56x256xi8>
  %w4 = "tir.const"() {value = dense<2> : tensor<128x1x1x256xi8>} : () -> tensor<128x1x1x256xi8>
  %y4 = "tir.conv2d-fix"(%y3, %w4) {op_name = "reduce", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x56x56x256xi8>, tensor<128x1x1x256xi8>) -> tensor<1x56x56x128xi8>
  %w5 = "tir.const"() {value = dense<2> : tensor<128x7x7x128xi8>} : () -> tensor<128x7x7x128xi8>
  %y5 = "tir.conv2d-fix"(%y4, %w5) {op_name = "next", kernel = [7 : i32, 7 : i32], stride = [2 : i32, 2 : i32], pad = [3 : i32, 3 : i32, 3 : i32, 3 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x56x56x128xi8>, tensor<128x7x7x128xi8>) -> tensor<1x28x28x128xi8>
  return %y3, %y5 : tensor<1x56x56x256xi8>, tensor<1x28x28x128xi8>
}
