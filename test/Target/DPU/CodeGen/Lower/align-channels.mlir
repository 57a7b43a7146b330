// REQUIRES: mlir
// Inputs of a concatenation whose channels do not fill their words get padding, so
// that they can stay in the banks, where that is faster. operators.table has what is
// computed.
// RUN: xc-opt %s --split-input-file --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --split-input-file --mtir-to-dpu-schedule %t.mlir 2>&1 | FileCheck %s --implicit-check-not=error:
// The search is what tries it.
// RUN: xc-translate --split-input-file --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s --check-prefix=GREEDY

// Operators that compute channel by channel keep the padding. What is counted are the
// multiply-accumulates of the model.
// CHECK: 25088 saved, 2145024 MACs
// CHECK: conv left, kernel 1x1
// CHECK: output     28x28x32, held in banks
// CHECK: conv right, kernel 1x1
// CHECK: output     28x28x32, held in banks
// CHECK: wide, kernel 3x3
// CHECK: conv last, kernel 1x1
// CHECK-NEXT: tiles
// CHECK-NEXT: input      28x28x64, held in banks
// GREEDY: conv left, kernel 1x1
// GREEDY: output     28x28x24, DDR
func.func @unit(%x: tensor<1x28x28x16xi8>) -> tensor<1x28x28x32xi8> attributes {device = "DPU"} {
  %w24_1_1_16 = "tir.const"() {value = dense<1> : tensor<24x1x1x16xi8>} : () -> tensor<24x1x1x16xi8>
  %left = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "left", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %right = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "right", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %both = "tir.concat-fix"(%left, %right) {op_name = "both", axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x24xi8>, tensor<1x28x28x24xi8>) -> tensor<1x28x28x48xi8>
  %w1_3_3_48 = "tir.const"() {value = dense<1> : tensor<1x3x3x48xi8>} : () -> tensor<1x3x3x48xi8>
  %wide = "tir.depthwise-conv2d-fix"(%both, %w1_3_3_48) {op_name = "wide", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x48xi8>, tensor<1x3x3x48xi8>) -> tensor<1x28x28x48xi8>
  %w32_1_1_48 = "tir.const"() {value = dense<1> : tensor<32x1x1x48xi8>} : () -> tensor<32x1x1x48xi8>
  %last = "tir.conv2d-fix"(%wide, %w32_1_1_48) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x48xi8>, tensor<32x1x1x48xi8>) -> tensor<1x28x28x32xi8>
  return %last : tensor<1x28x28x32xi8>
}

// -----
// A result of the function has no padding.
// CHECK: conv left, kernel 1x1
// CHECK: output     28x28x24, DDR
// CHECK: conv right, kernel 1x1
// CHECK: output     28x28x24, DDR
func.func @result(%x: tensor<1x28x28x16xi8>) -> (tensor<1x28x28x32xi8>, tensor<1x28x28x48xi8>) attributes {device = "DPU"} {
  %w24_1_1_16 = "tir.const"() {value = dense<1> : tensor<24x1x1x16xi8>} : () -> tensor<24x1x1x16xi8>
  %left = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "left", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %right = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "right", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %both = "tir.concat-fix"(%left, %right) {op_name = "both", axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x24xi8>, tensor<1x28x28x24xi8>) -> tensor<1x28x28x48xi8>
  %w32_1_1_48 = "tir.const"() {value = dense<1> : tensor<32x1x1x48xi8>} : () -> tensor<32x1x1x48xi8>
  %last = "tir.conv2d-fix"(%both, %w32_1_1_48) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x48xi8>, tensor<32x1x1x48xi8>) -> tensor<1x28x28x32xi8>
  return %last, %both : tensor<1x28x28x32xi8>, tensor<1x28x28x48xi8>
}

// -----
// The second input begins in the middle of a group of channels, for whose two words the
// depthwise convolution would need two fix points at a time.
// CHECK: conv left, kernel 1x1
// CHECK: output     28x28x24, DDR
func.func @points(%x: tensor<1x28x28x16xi8>) -> tensor<1x28x28x32xi8> attributes {device = "DPU"} {
  %w24_1_1_16 = "tir.const"() {value = dense<1> : tensor<24x1x1x16xi8>} : () -> tensor<24x1x1x16xi8>
  %left = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "left", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %right = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "right", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %both = "tir.concat-fix"(%left, %right) {op_name = "both", axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x24xi8>, tensor<1x28x28x24xi8>) -> tensor<1x28x28x48xi8>
  %w1_3_3_48 = "tir.const"() {value = dense<1> : tensor<1x3x3x48xi8>} : () -> tensor<1x3x3x48xi8>
  %wide = "tir.depthwise-conv2d-fix"(%both, %w1_3_3_48) {op_name = "wide", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_points = [6 : i32, 5 : i32, 6 : i32], fix_point_channels = 16 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x48xi8>, tensor<1x3x3x48xi8>) -> tensor<1x28x28x48xi8>
  %w32_1_1_48 = "tir.const"() {value = dense<1> : tensor<32x1x1x48xi8>} : () -> tensor<32x1x1x48xi8>
  %last = "tir.conv2d-fix"(%wide, %w32_1_1_48) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x48xi8>, tensor<32x1x1x48xi8>) -> tensor<1x28x28x32xi8>
  return %last : tensor<1x28x28x32xi8>
}

// -----
// What is added has the same padding.
// CHECK: conv same, kernel 1x1
// CHECK: output     28x28x64, held in banks
// CHECK: conv last, kernel 1x1
// CHECK-NEXT: tiles
// CHECK-NEXT: input      28x28x64, held in banks
func.func @sum(%x: tensor<1x28x28x16xi8>) -> tensor<1x28x28x32xi8> attributes {device = "DPU"} {
  %w24_1_1_16 = "tir.const"() {value = dense<1> : tensor<24x1x1x16xi8>} : () -> tensor<24x1x1x16xi8>
  %left = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "left", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %right = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "right", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %both = "tir.concat-fix"(%left, %right) {op_name = "both", axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x24xi8>, tensor<1x28x28x24xi8>) -> tensor<1x28x28x48xi8>
  %w48_1_1_16 = "tir.const"() {value = dense<1> : tensor<48x1x1x16xi8>} : () -> tensor<48x1x1x16xi8>
  %same = "tir.conv2d-fix"(%x, %w48_1_1_16) {op_name = "same", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<48x1x1x16xi8>) -> tensor<1x28x28x48xi8>
  %plus = "tir.eltwise-fix"(%both, %same) {op_name = "plus", type = "ADD", input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x48xi8>, tensor<1x28x28x48xi8>) -> tensor<1x28x28x48xi8>
  %w32_1_1_48 = "tir.const"() {value = dense<1> : tensor<32x1x1x48xi8>} : () -> tensor<32x1x1x48xi8>
  %last = "tir.conv2d-fix"(%plus, %w32_1_1_48) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x48xi8>, tensor<32x1x1x48xi8>) -> tensor<1x28x28x32xi8>
  return %last : tensor<1x28x28x32xi8>
}

// -----
// There is one padding for all that is added.
// CHECK: conv left, kernel 1x1
// CHECK: output     28x28x24, DDR
// CHECK: conv l2, kernel 1x1
// CHECK: output     28x28x20, DDR
func.func @sums(%x: tensor<1x28x28x16xi8>) -> tensor<1x28x28x32xi8> attributes {device = "DPU"} {
  %w24_1_1_16 = "tir.const"() {value = dense<1> : tensor<24x1x1x16xi8>} : () -> tensor<24x1x1x16xi8>
  %left = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "left", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %right = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "right", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %both = "tir.concat-fix"(%left, %right) {op_name = "both", axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x24xi8>, tensor<1x28x28x24xi8>) -> tensor<1x28x28x48xi8>
  %w20_1_1_16 = "tir.const"() {value = dense<1> : tensor<20x1x1x16xi8>} : () -> tensor<20x1x1x16xi8>
  %l2 = "tir.conv2d-fix"(%x, %w20_1_1_16) {op_name = "l2", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<20x1x1x16xi8>) -> tensor<1x28x28x20xi8>
  %w28_1_1_16 = "tir.const"() {value = dense<1> : tensor<28x1x1x16xi8>} : () -> tensor<28x1x1x16xi8>
  %r2 = "tir.conv2d-fix"(%x, %w28_1_1_16) {op_name = "r2", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<28x1x1x16xi8>) -> tensor<1x28x28x28xi8>
  %b2 = "tir.concat-fix"(%l2, %r2) {op_name = "b2", axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x20xi8>, tensor<1x28x28x28xi8>) -> tensor<1x28x28x48xi8>
  %plus = "tir.eltwise-fix"(%both, %b2) {op_name = "plus", type = "ADD", input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x48xi8>, tensor<1x28x28x48xi8>) -> tensor<1x28x28x48xi8>
  %w32_1_1_48 = "tir.const"() {value = dense<1> : tensor<32x1x1x48xi8>} : () -> tensor<32x1x1x48xi8>
  %last = "tir.conv2d-fix"(%plus, %w32_1_1_48) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x48xi8>, tensor<32x1x1x48xi8>) -> tensor<1x28x28x32xi8>
  return %last : tensor<1x28x28x32xi8>
}

// -----
// That of an input with padding in it, and of one whose channels are fewer than a word.
// CHECK: conv more, kernel 1x1
// CHECK: output     28x28x16, held in banks
// CHECK: conv last, kernel 1x1
// CHECK-NEXT: tiles
// CHECK-NEXT: input      28x28x80, held in banks
func.func @nested(%x: tensor<1x28x28x16xi8>) -> tensor<1x28x28x32xi8> attributes {device = "DPU"} {
  %w24_1_1_16 = "tir.const"() {value = dense<1> : tensor<24x1x1x16xi8>} : () -> tensor<24x1x1x16xi8>
  %left = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "left", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %right = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "right", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x28x28x24xi8>
  %both = "tir.concat-fix"(%left, %right) {op_name = "both", axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x24xi8>, tensor<1x28x28x24xi8>) -> tensor<1x28x28x48xi8>
  %w8_1_1_48 = "tir.const"() {value = dense<1> : tensor<8x1x1x48xi8>} : () -> tensor<8x1x1x48xi8>
  %more = "tir.conv2d-fix"(%both, %w8_1_1_48) {op_name = "more", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x48xi8>, tensor<8x1x1x48xi8>) -> tensor<1x28x28x8xi8>
  %all = "tir.concat-fix"(%more, %both) {op_name = "all", axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x8xi8>, tensor<1x28x28x48xi8>) -> tensor<1x28x28x56xi8>
  %w32_1_1_56 = "tir.const"() {value = dense<1> : tensor<32x1x1x56xi8>} : () -> tensor<32x1x1x56xi8>
  %last = "tir.conv2d-fix"(%all, %w32_1_1_56) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x28x28x56xi8>, tensor<32x1x1x56xi8>) -> tensor<1x28x28x32xi8>
  return %last : tensor<1x28x28x32xi8>
}

// -----
// With padding the kernel would have nine words for each of its 256 elements, more
// than the banks hold: what the DPU cannot run is no error, but left out.
// CHECK: conv right, kernel 1x1
// CHECK: output     16x16x104, DDR
// CHECK: conv last, kernel 16x16
// CHECK-NEXT: tiles
// CHECK-NEXT: input      16x16x128, DDR
func.func @refused(%x: tensor<1x16x16x16xi8>) -> tensor<1x1x1x8xi8> attributes {device = "DPU"} {
  %w24_1_1_16 = "tir.const"() {value = dense<1> : tensor<24x1x1x16xi8>} : () -> tensor<24x1x1x16xi8>
  %left = "tir.conv2d-fix"(%x, %w24_1_1_16) {op_name = "left", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x16x16x16xi8>, tensor<24x1x1x16xi8>) -> tensor<1x16x16x24xi8>
  %w104_1_1_16 = "tir.const"() {value = dense<1> : tensor<104x1x1x16xi8>} : () -> tensor<104x1x1x16xi8>
  %right = "tir.conv2d-fix"(%x, %w104_1_1_16) {op_name = "right", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x16x16x16xi8>, tensor<104x1x1x16xi8>) -> tensor<1x16x16x104xi8>
  %both = "tir.concat-fix"(%left, %right) {op_name = "both", axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x16x16x24xi8>, tensor<1x16x16x104xi8>) -> tensor<1x16x16x128xi8>
  %w8_16_16_128 = "tir.const"() {value = dense<1> : tensor<8x16x16x128xi8>} : () -> tensor<8x16x16x128xi8>
  %last = "tir.conv2d-fix"(%both, %w8_16_16_128) {op_name = "last", kernel = [16 : i32, 16 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x16x16x128xi8>, tensor<8x16x16x128xi8>) -> tensor<1x1x1x8xi8>
  return %last : tensor<1x1x1x8xi8>
}
