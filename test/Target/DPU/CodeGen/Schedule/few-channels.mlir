// REQUIRES: mlir
// Kernel columns as channels of a pixel fill the words of an image of few channels,
// but its bytes are loaded once for each of them: where LOADs take longer than the
// engine, the image is loaded as it is.
// RUN: xc-opt %s --split-input-file --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --split-input-file --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --split-input-file --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s --check-prefix=NONE
// RUN: %python %S/../Inputs/compare.py %t.out %s B512 B4096

// CHECK: conv loads, kernel 2x3
// CHECK-NEXT: tiles 1 of 126 columns
// CHECK-NOT: augmented
// CHECK: input {{ *}}128x128x8
// NONE: conv loads, kernel 2x3
// NONE-NEXT: tiles {{.*}}; augmented
func.func @loads(%x: tensor<1x128x128x8xi8>) -> tensor<1x127x126x16xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<16x2x3x8xi8>} : () -> tensor<16x2x3x8xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "loads", kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x128x128x8xi8>, tensor<16x2x3x8xi8>) -> tensor<1x127x126x16xi8>
  return %0 : tensor<1x127x126x16xi8>
}

// -----
// More output channels need more of the engine.
// CHECK: conv computes, kernel 2x3
// CHECK-NEXT: tiles {{.*}}; augmented
func.func @computes(%x: tensor<1x128x128x8xi8>) -> tensor<1x127x126x64xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<64x2x3x8xi8>} : () -> tensor<64x2x3x8xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "computes", kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x128x128x8xi8>, tensor<64x2x3x8xi8>) -> tensor<1x127x126x64xi8>
  return %0 : tensor<1x127x126x64xi8>
}
