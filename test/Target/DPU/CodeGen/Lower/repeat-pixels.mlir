// A transposed convolution that repeats pixels is one, or a move if that is faster: a
// chain that keeps the engine busy hides SAVEs of single pixels.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B4096 %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096 B512

// CHECK-LABEL: schedule for
// CHECK: conv repeat,
// CHECK: output 56x56x2,
func.func @light(%x: tensor<1x56x56x16xi8>) -> tensor<1x112x112x1xi8> attributes {device = "DPU"} {
  %w1 = "tir.const"() {value = dense<2> : tensor<1x1x1x16xi8>} : () -> tensor<1x1x1x16xi8>
  %y1 = "tir.conv2d-fix"(%x, %w1) {op_name = "mask", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x56x56x16xi8>, tensor<1x1x1x16xi8>) -> tensor<1x56x56x1xi8>
  %w2 = "tir.const"() {value = dense<1> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
  %y2 = "tir.transposed-depthwise-conv2d-fix"(%y1, %w2) {op_name = "repeat", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 0 : i32, output_fix_point = 5 : i32} : (tensor<1x56x56x1xi8>, tensor<1x2x2x1xi8>) -> tensor<1x112x112x1xi8>
  return %y2 : tensor<1x112x112x1xi8>
}

// -----

// CHECK-LABEL: schedule for
// CHECK: copy repeat
func.func @busy(%x: tensor<1x112x112x16xi8>) -> tensor<1x224x224x8xi8> attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<2> : tensor<16x5x5x16xi8>} : () -> tensor<16x5x5x16xi8>
  %y0 = "tir.conv2d-fix"(%x, %w0) {op_name = "large", kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 2 : i32} : (tensor<1x112x112x16xi8>, tensor<16x5x5x16xi8>) -> tensor<1x112x112x16xi8>
  %w1 = "tir.const"() {value = dense<2> : tensor<8x1x1x16xi8>} : () -> tensor<8x1x1x16xi8>
  %y1 = "tir.conv2d-fix"(%y0, %w1) {op_name = "mask", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x16xi8>, tensor<8x1x1x16xi8>) -> tensor<1x112x112x8xi8>
  %w2 = "tir.const"() {value = dense<1> : tensor<1x2x2x8xi8>} : () -> tensor<1x2x2x8xi8>
  %y2 = "tir.transposed-depthwise-conv2d-fix"(%y1, %w2) {op_name = "repeat", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 0 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x8xi8>, tensor<1x2x2x8xi8>) -> tensor<1x224x224x8xi8>
  return %y2 : tensor<1x224x224x8xi8>
}
