// A concatenation of a convolution and a depthwise layer that reads its result, which
// is read with a stride of two: its rows lie in the banks as that stride needs them. The
// convolution is computed twice, the second time for the depthwise layer, so that all
// of it stays in the banks.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B4096 %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096 B1024

// CHECK-LABEL: schedule for
// CHECK: cascade of
// CHECK: conv primary,
// CHECK: output 112x112x32, rolling buffer {{.*}} of 896 words
// CHECK: conv primary,
// CHECK: output 112x112x32, rolling buffer {{.*}} of 224 words
// CHECK: cheap,
// CHECK: input 112x{{.*}}x32, rolling buffer {{.*}} of 224 words
// CHECK: output 112x{{.*}}x32, rolling buffer {{.*}} of 896 words
// CHECK: down,
// CHECK: input 112x112x{{.*}}, rolling buffer {{.*}} of 896 words
func.func @twice(%x: tensor<1x112x112x16xi8>) -> tensor<1x56x56x16xi8> attributes {device = "DPU"} {
  %w1 = "tir.const"() {value = dense<2> : tensor<32x1x1x16xi8>} : () -> tensor<32x1x1x16xi8>
  %b1 = "tir.const"() {value = dense<3> : tensor<32xi8>} : () -> tensor<32xi8>
  %y1 = "tir.conv2d-fix"(%x, %w1, %b1) {op_name = "primary", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x16xi8>, tensor<32x1x1x16xi8>, tensor<32xi8>) -> tensor<1x112x112x32xi8>
  %w2 = "tir.const"() {value = dense<2> : tensor<1x3x3x32xi8>} : () -> tensor<1x3x3x32xi8>
  %b2 = "tir.const"() {value = dense<3> : tensor<32xi8>} : () -> tensor<32xi8>
  %y2 = "tir.depthwise-conv2d-fix"(%y1, %w2, %b2) {op_name = "cheap", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x32xi8>, tensor<1x3x3x32xi8>, tensor<32xi8>) -> tensor<1x112x112x32xi8>
  %y3 = "tir.concat-fix"(%y1, %y2) {axis = 3 : i32, input_fix_point = [5 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x112x112x32xi8>, tensor<1x112x112x32xi8>) -> tensor<1x112x112x64xi8>
  %w4 = "tir.const"() {value = dense<2> : tensor<1x3x3x64xi8>} : () -> tensor<1x3x3x64xi8>
  %b4 = "tir.const"() {value = dense<3> : tensor<64xi8>} : () -> tensor<64xi8>
  %y4 = "tir.depthwise-conv2d-fix"(%y3, %w4, %b4) {op_name = "down", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x64xi8>, tensor<1x3x3x64xi8>, tensor<64xi8>) -> tensor<1x56x56x64xi8>
  %w5 = "tir.const"() {value = dense<2> : tensor<16x1x1x64xi8>} : () -> tensor<16x1x1x64xi8>
  %b5 = "tir.const"() {value = dense<3> : tensor<16xi8>} : () -> tensor<16xi8>
  %y5 = "tir.conv2d-fix"(%y4, %w5, %b5) {op_name = "project", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x56x56x64xi8>, tensor<16x1x1x64xi8>, tensor<16xi8>) -> tensor<1x56x56x16xi8>
  return %y5 : tensor<1x56x56x16xi8>
}

// -----

// This one takes longer than its result takes to be saved.
// CHECK-LABEL: schedule for
// CHECK: conv expensive,
// CHECK-NOT: conv expensive,
func.func @once(%x: tensor<1x112x112x16xi8>) -> tensor<1x56x56x16xi8> attributes {device = "DPU"} {
  %w1 = "tir.const"() {value = dense<2> : tensor<32x3x3x16xi8>} : () -> tensor<32x3x3x16xi8>
  %b1 = "tir.const"() {value = dense<3> : tensor<32xi8>} : () -> tensor<32xi8>
  %y1 = "tir.conv2d-fix"(%x, %w1, %b1) {op_name = "expensive", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x16xi8>, tensor<32x3x3x16xi8>, tensor<32xi8>) -> tensor<1x112x112x32xi8>
  %w2 = "tir.const"() {value = dense<2> : tensor<1x3x3x32xi8>} : () -> tensor<1x3x3x32xi8>
  %b2 = "tir.const"() {value = dense<3> : tensor<32xi8>} : () -> tensor<32xi8>
  %y2 = "tir.depthwise-conv2d-fix"(%y1, %w2, %b2) {op_name = "cheap", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x32xi8>, tensor<1x3x3x32xi8>, tensor<32xi8>) -> tensor<1x112x112x32xi8>
  %y3 = "tir.concat-fix"(%y1, %y2) {axis = 3 : i32, input_fix_point = [5 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x112x112x32xi8>, tensor<1x112x112x32xi8>) -> tensor<1x112x112x64xi8>
  %w4 = "tir.const"() {value = dense<2> : tensor<1x3x3x64xi8>} : () -> tensor<1x3x3x64xi8>
  %b4 = "tir.const"() {value = dense<3> : tensor<64xi8>} : () -> tensor<64xi8>
  %y4 = "tir.depthwise-conv2d-fix"(%y3, %w4, %b4) {op_name = "down", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x64xi8>, tensor<1x3x3x64xi8>, tensor<64xi8>) -> tensor<1x56x56x64xi8>
  %w5 = "tir.const"() {value = dense<2> : tensor<16x1x1x64xi8>} : () -> tensor<16x1x1x64xi8>
  %b5 = "tir.const"() {value = dense<3> : tensor<16xi8>} : () -> tensor<16xi8>
  %y5 = "tir.conv2d-fix"(%y4, %w5, %b5) {op_name = "project", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x56x56x64xi8>, tensor<16x1x1x64xi8>, tensor<16xi8>) -> tensor<1x56x56x16xi8>
  return %y5 : tensor<1x56x56x16xi8>
}
