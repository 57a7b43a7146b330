// REQUIRES: mlir
// Feature maps that stay in the banks: as a whole, with all parts of a concat
// and a sum; and strip by strip, where a convolution is 20 times as large as
// the banks. The bits are those of the reference interpreter.
// RUN: %python %S/../Inputs/compare.py %t %s B4096 B512
// RUN: rm -rf %t.dir && mkdir %t.dir && split-file %s %t.dir
// RUN: xc-opt %t.dir/whole.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-times %t.mlir | FileCheck %s --check-prefix=WHOLE
// RUN: xc-opt %t.dir/strips.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-times %t.mlir | FileCheck %s --check-prefix=STRIPS

// Only the input, 5 kB of parameters and the result move.
// WHOLE: DDR {{ *}}0.01 MB loaded, 0.01 MB saved

// The 5.1 MB between the two stay; they are one row.
// STRIPS: DDR {{ *}}0.32 MB loaded, 0.05 MB saved
// STRIPS: conv + pool

//--- whole.mlir
func.func @whole(%x: tensor<1x14x14x16xi8>) -> tensor<1x14x14x48xi8> {
  %w = "tir.const"() {value = dense<3> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16xi8>
  %v = "tir.const"() {value = dense<-2> : tensor<32x1x1x16xi8>} : () -> tensor<32x1x1x16xi8>
  %u = "tir.const"() {value = dense<1> : tensor<48x1x1x48xi8>} : () -> tensor<48x1x1x48xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "trunk", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x14x14x16xi8>, tensor<16x3x3x16xi8>) -> tensor<1x14x14x16xi8>
  %1 = "tir.pool-fix"(%0) {op_name = "pool", type = "MAX", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x14x14x16xi8>) -> tensor<1x14x14x16xi8>
  %2 = "tir.conv2d-fix"(%0, %v) {op_name = "branch", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x14x14x16xi8>, tensor<32x1x1x16xi8>) -> tensor<1x14x14x32xi8>
  %3 = "tir.concat-fix"(%1, %2) {op_name = "join", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32} : (tensor<1x14x14x16xi8>, tensor<1x14x14x32xi8>) -> tensor<1x14x14x48xi8>
  %4 = "tir.conv2d-fix"(%3, %u) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 2 : i32} : (tensor<1x14x14x48xi8>, tensor<48x1x1x48xi8>) -> tensor<1x14x14x48xi8>
  %5 = "tir.eltwise-fix"(%4, %3) {op_name = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, type = "ADD", nonlinear = "RELU", input_fix_point = [2 : i32, 3 : i32], output_fix_point = 2 : i32} : (tensor<1x14x14x48xi8>, tensor<1x14x14x48xi8>) -> tensor<1x14x14x48xi8>
  return %5 : tensor<1x14x14x48xi8>
}

// -----
//--- strips.mlir
func.func @strips(%x: tensor<1x800x100x4xi8>) -> tensor<1x800x1x64xi8> {
  %w = "tir.const"() {value = dense<5> : tensor<64x1x1x4xi8>} : () -> tensor<64x1x1x4xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "conv", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x800x100x4xi8>, tensor<64x1x1x4xi8>) -> tensor<1x800x100x64xi8>
  %1 = "tir.pool-fix"(%0) {op_name = "pool", type = "MAX", kernel = [100 : i32, 1 : i32], stride = [100 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x800x100x64xi8>) -> tensor<1x800x1x64xi8>
  return %1 : tensor<1x800x1x64xi8>
}
