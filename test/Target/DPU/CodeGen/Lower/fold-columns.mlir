// REQUIRES: mlir
// A buffer of few channels is taken as one of fewer columns, whose pixels have
// the channels of several, where convolutions alone read and write it and save
// more cycles than more weights cost. Words of 12 channels have no room for two
// columns of 8. operators.table has what is computed.
// RUN: xc-opt %s --split-input-file --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --split-input-file --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --split-input-file --mtir-to-dpu-asm %t.mlir | FileCheck %s --check-prefix=ROWS
// RUN: xc-translate --split-input-file --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B1152 %t.mlir | FileCheck %s --check-prefix=NARROW

// So is the input, as its LOADs would take longer than all else: one of them
// brings both rows of a bank.
// ROWS: LOAD {{.*}} channel 12 length 64
// CHECK: conv first, kernel 3x2, stride 2x1
// CHECK: input      128x32x12
// The last layer reads pixels of two columns, and writes columns apart.
// CHECK: output     64x32x16
// CHECK: conv middle, kernel 3x3, stride 1x1
// CHECK: output     64x32x16
// CHECK: conv last, kernel 1x1, stride 1x1
// CHECK-NEXT: tiles 1 of 64 columns
// CHECK: input      64x32x16
// CHECK: output     64x64x20
// CHECK: parameters 4 words of weights
// NARROW: conv first, kernel 3x3, stride 2x2
// NARROW: output     64x64x8
func.func @wide(%x: tensor<1x128x128x3xi8>) -> tensor<1x64x64x20xi8> attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<1> : tensor<8x3x3x3xi8>} : () -> tensor<8x3x3x3xi8>
  %w1 = "tir.const"() {value = dense<1> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %w2 = "tir.const"() {value = dense<1> : tensor<20x1x1x8xi8>} : () -> tensor<20x1x1x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<8xi8>} : () -> tensor<8xi8>
  %b2 = "tir.const"() {value = dense<1> : tensor<20xi8>} : () -> tensor<20xi8>
  %0 = "tir.conv2d-fix"(%x, %w0, %b) {op_name = "first", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x128x128x3xi8>, tensor<8x3x3x3xi8>, tensor<8xi8>) -> tensor<1x64x64x8xi8>
  %1 = "tir.depthwise-conv2d-fix"(%0, %w1, %b) {op_name = "middle", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi8>) -> tensor<1x64x64x8xi8>
  %2 = "tir.conv2d-fix"(%1, %w2, %b2) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x8xi8>, tensor<20x1x1x8xi8>, tensor<20xi8>) -> tensor<1x64x64x20xi8>
  return %2 : tensor<1x64x64x20xi8>
}

// -----
// Too small.
// CHECK: conv first, kernel 3x3, stride 2x2
// CHECK: output     16x16x8
func.func @small(%x: tensor<1x32x32x3xi8>) -> tensor<1x16x16x20xi8> attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<1> : tensor<8x3x3x3xi8>} : () -> tensor<8x3x3x3xi8>
  %w1 = "tir.const"() {value = dense<1> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %w2 = "tir.const"() {value = dense<1> : tensor<20x1x1x8xi8>} : () -> tensor<20x1x1x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<8xi8>} : () -> tensor<8xi8>
  %b2 = "tir.const"() {value = dense<1> : tensor<20xi8>} : () -> tensor<20xi8>
  %0 = "tir.conv2d-fix"(%x, %w0, %b) {op_name = "first", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x32x32x3xi8>, tensor<8x3x3x3xi8>, tensor<8xi8>) -> tensor<1x16x16x8xi8>
  %1 = "tir.depthwise-conv2d-fix"(%0, %w1, %b) {op_name = "middle", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x16x16x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi8>) -> tensor<1x16x16x8xi8>
  %2 = "tir.conv2d-fix"(%1, %w2, %b2) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x16x16x8xi8>, tensor<20x1x1x8xi8>, tensor<20xi8>) -> tensor<1x16x16x20xi8>
  return %2 : tensor<1x16x16x20xi8>
}

// -----
// Something else reads the buffer in between.
// CHECK: conv first, kernel 3x3, stride 2x2
// CHECK: output     64x64x8
func.func @pooled(%x: tensor<1x128x128x3xi8>) -> (tensor<1x64x64x20xi8>, tensor<1x32x32x8xi8>) attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<1> : tensor<8x3x3x3xi8>} : () -> tensor<8x3x3x3xi8>
  %w1 = "tir.const"() {value = dense<1> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %w2 = "tir.const"() {value = dense<1> : tensor<20x1x1x8xi8>} : () -> tensor<20x1x1x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<8xi8>} : () -> tensor<8xi8>
  %b2 = "tir.const"() {value = dense<1> : tensor<20xi8>} : () -> tensor<20xi8>
  %0 = "tir.conv2d-fix"(%x, %w0, %b) {op_name = "first", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x128x128x3xi8>, tensor<8x3x3x3xi8>, tensor<8xi8>) -> tensor<1x64x64x8xi8>
  %1 = "tir.depthwise-conv2d-fix"(%0, %w1, %b) {op_name = "middle", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi8>) -> tensor<1x64x64x8xi8>
  %2 = "tir.conv2d-fix"(%1, %w2, %b2) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x8xi8>, tensor<20x1x1x8xi8>, tensor<20xi8>) -> tensor<1x64x64x20xi8>
  %3 = "tir.pool-fix"(%0) {type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x8xi8>) -> tensor<1x32x32x8xi8>
  return %2, %3 : tensor<1x64x64x20xi8>, tensor<1x32x32x8xi8>
}

// -----
// A mask that no operator reads is a result of an eighth of the columns, or, where
// the kernel of eight would step too far, of a fourth; if their number divides.
// CHECK: conv mask, kernel 3x10, stride 1x8
// CHECK: output     64x8x8
// CHECK: conv wider, kernel 9x16, stride 1x8
// CHECK: output     64x8x8
// CHECK: conv half, kernel 3x9, stride 2x8
// CHECK: output     32x8x4
// CHECK: conv odd, kernel 3x3, stride 1x1
// CHECK: output     64x61x1
func.func @mask(%x: tensor<1x64x64x16xi8>) -> tensor<1x64x64x1xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x16xi8>} : () -> tensor<1x3x3x16xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "mask", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x16xi8>, tensor<1x3x3x16xi8>) -> tensor<1x64x64x1xi8>
  return %0 : tensor<1x64x64x1xi8>
}
func.func @wider(%x: tensor<1x64x64x16xi8>) -> tensor<1x64x64x1xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<1x9x9x16xi8>} : () -> tensor<1x9x9x16xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "wider", kernel = [9 : i32, 9 : i32], stride = [1 : i32, 1 : i32], pad = [4 : i32, 4 : i32, 4 : i32, 4 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x16xi8>, tensor<1x9x9x16xi8>) -> tensor<1x64x64x1xi8>
  return %0 : tensor<1x64x64x1xi8>
}
func.func @half(%x: tensor<1x64x64x16xi8>) -> tensor<1x32x32x1xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x16xi8>} : () -> tensor<1x3x3x16xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "half", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x16xi8>, tensor<1x3x3x16xi8>) -> tensor<1x32x32x1xi8>
  return %0 : tensor<1x32x32x1xi8>
}
func.func @odd(%x: tensor<1x64x61x16xi8>) -> tensor<1x64x61x1xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x16xi8>} : () -> tensor<1x3x3x16xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "odd", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x61x16xi8>, tensor<1x3x3x16xi8>) -> tensor<1x64x61x1xi8>
  return %0 : tensor<1x64x61x1xi8>
}
