// REQUIRES: mlir
// Weights of folded buffers come with those of other layers: one LOAD for each bank
// brings the weights of all layers here, and one their biases. Biases of two columns
// are read back as those of the operator.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-opt %s -o %t.tir.mlir
// RUN: %python %S/../Inputs/compare.py %t %t.tir.mlir B4096

// CHECK: unit 0: conv first
// CHECK: transfer {{.*}} of biases for 1 banks, of units 0, 1, 2
// CHECK: transfer {{.*}} of weights for 16 banks, of units 0, 1, 2
// CHECK: unit 2: conv last
// CHECK-NEXT: 2 columns a pixel
func.func @net(%x: tensor<1x64x64x8xi8>) -> tensor<1x64x64x16xi8> attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<1> : tensor<8x3x3x8xi8>} : () -> tensor<8x3x3x8xi8>
  %b0 = "tir.const"() {value = dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi8>} : () -> tensor<8xi8>
  %0 = "tir.conv2d-fix"(%x, %w0, %b0) {op_name = "first", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x8xi8>, tensor<8x3x3x8xi8>, tensor<8xi8>) -> tensor<1x64x64x8xi8>
  %w1 = "tir.const"() {value = dense<1> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %b1 = "tir.const"() {value = dense<[8, 7, 6, 5, 4, 3, 2, 1]> : tensor<8xi8>} : () -> tensor<8xi8>
  %1 = "tir.depthwise-conv2d-fix"(%0, %w1, %b1) {op_name = "depthwise", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi8>) -> tensor<1x64x64x8xi8>
  %w2 = "tir.const"() {value = dense<1> : tensor<16x1x1x8xi8>} : () -> tensor<16x1x1x8xi8>
  %b2 = "tir.const"() {value = dense<5> : tensor<16xi8>} : () -> tensor<16xi8>
  %2 = "tir.conv2d-fix"(%1, %w2, %b2) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "NONE", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x8xi8>, tensor<16x1x1x8xi8>, tensor<16xi8>) -> tensor<1x64x64x16xi8>
  return %2 : tensor<1x64x64x16xi8>
}
