// REQUIRES: mlir
// Signals are images of one row, which leaves all lanes but one of the engine
// idle. Layers that take pixels one by one have other rows; what is added has room
// beside the convolution in these only. Layers with a kernel have strips of
// columns in tiles, so that the engine computes depthwise ones as well, faster
// than the misc engine would a single row.

// RUN: split-file %s %t.dir
// RUN: xc-opt %t.dir/net.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/net.mlir B512 B4096
// RUN: xc-opt %t.dir/blocks.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.blocks.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.blocks.mlir | FileCheck %s --check-prefix=BLOCKS
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/blocks.mlir B512 B4096

// CHECK: conv first, kernel 1x1
// CHECK: output {{ *}}8x100x64
// CHECK: conv wide, kernel 1x3
// CHECK-NEXT: tiles {{ *}}{{[2-9]|[1-9][0-9]}} of
// CHECK-NEXT: strips {{ *}}the last 1 rows
// CHECK: conv sum, kernel 1x1
// CHECK: operand {{ *}}8x100x64
// CHECK: diagonal each, kernel 1x11
// CHECK-NEXT: tiles {{ *}}{{[2-9]|[1-9][0-9]}} of
// CHECK-NEXT: strips {{ *}}the last 1 rows

// So do layers whose windows do not overlap; what is left of the row is not read.
// BLOCKS: max-pool pairs, kernel 1x2
// BLOCKS: output {{ *}}{{[2-9]|[1-9][0-9]}}x
// BLOCKS: conv fours, kernel 1x4
// BLOCKS: output {{ *}}{{[2-9]|[1-9][0-9]}}x
// BLOCKS: max-pool overlapping, kernel 1x3
// BLOCKS: output {{ *}}1x100x64

//--- net.mlir
func.func @net(%x: tensor<1x1x800x32xi8>) -> tensor<1x1x800x64xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<64x1x1x32xi8>} : () -> tensor<64x1x1x32xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "first", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x1x800x32xi8>, tensor<64x1x1x32xi8>) -> tensor<1x1x800x64xi8>
  %v = "tir.const"() {value = dense<-1> : tensor<64x1x3x64xi8>} : () -> tensor<64x1x3x64xi8>
  %1 = "tir.conv2d-fix"(%0, %v) {op_name = "wide", kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 1 : i32} : (tensor<1x1x800x64xi8>, tensor<64x1x3x64xi8>) -> tensor<1x1x800x64xi8>
  %u = "tir.const"() {value = dense<1> : tensor<64x1x1x64xi8>} : () -> tensor<64x1x1x64xi8>
  %2 = "tir.conv2d-fix"(%1, %u) {op_name = "sum", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 1 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x1x800x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x1x800x64xi8>
  %3 = "tir.eltwise-fix"(%0, %2) {op_name = "add", type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 2 : i32} : (tensor<1x1x800x64xi8>, tensor<1x1x800x64xi8>) -> tensor<1x1x800x64xi8>
  %t = "tir.const"() {value = dense<3> : tensor<1x1x11x64xi8>} : () -> tensor<1x1x11x64xi8>
  %4 = "tir.depthwise-conv2d-fix"(%3, %t) {op_name = "each", kernel = [11 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [5 : i32, 5 : i32, 0 : i32, 0 : i32], input_fix_point = 2 : i32, weight_fix_point = 6 : i32, output_fix_point = 1 : i32} : (tensor<1x1x800x64xi8>, tensor<1x1x11x64xi8>) -> tensor<1x1x800x64xi8>
  return %4 : tensor<1x1x800x64xi8>
}

//--- blocks.mlir
func.func @blocks(%x: tensor<1x1x1601x64xi8>) -> (tensor<1x1x200x64xi8>, tensor<1x1x100x64xi8>) attributes {device = "DPU"} {
  %0 = "tir.pool-fix"(%x) {op_name = "pairs", type = "MAX", kernel = [2 : i32, 1 : i32], stride = [2 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x1x1601x64xi8>) -> tensor<1x1x800x64xi8>
  %v = "tir.const"() {value = dense<-1> : tensor<64x1x4x64xi8>} : () -> tensor<64x1x4x64xi8>
  %1 = "tir.conv2d-fix"(%0, %v) {op_name = "fours", kernel = [4 : i32, 1 : i32], stride = [4 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 1 : i32} : (tensor<1x1x800x64xi8>, tensor<64x1x4x64xi8>) -> tensor<1x1x200x64xi8>
  %2 = "tir.pool-fix"(%1) {op_name = "overlapping", type = "MAX", kernel = [3 : i32, 1 : i32], stride = [2 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 1 : i32, output_fix_point = 1 : i32} : (tensor<1x1x200x64xi8>) -> tensor<1x1x100x64xi8>
  return %1, %2 : tensor<1x1x200x64xi8>, tensor<1x1x100x64xi8>
}
