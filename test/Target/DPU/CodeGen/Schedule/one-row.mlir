// REQUIRES: mlir
// A buffer that a pool of stride 2 reads lies in the banks in pairs of rows. A sum
// would compute one row at a time from it, and loads it instead: the buffer is held
// no longer than to the pool.

// RUN: split-file %s %t.dir
// RUN: xc-opt %t.dir/net.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/net.mlir B512 B4096

// CHECK: conv wide
// CHECK: output {{ *}}40x40x64, DDR register 1 {{.*}}, held in banks
// CHECK: max-pool pool
// CHECK: input {{ *}}40x40x64, held in banks
// CHECK: add sum
// CHECK: input {{ *}}40x40x64, DDR
// CHECK: MISC 3320,

//--- net.mlir
func.func @net(%x: tensor<1x40x40x32xi8>) -> tensor<1x40x40x64xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<64x1x1x32xi8>} : () -> tensor<64x1x1x32xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "wide", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x40x40x32xi8>, tensor<64x1x1x32xi8>) -> tensor<1x40x40x64xi8>
  %1 = "tir.pool-fix"(%0) {op_name = "pool", type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x40x40x64xi8>) -> tensor<1x20x20x64xi8>
  %v = "tir.const"() {value = dense<-1> : tensor<64x3x3x64xi8>} : () -> tensor<64x3x3x64xi8>
  %2 = "tir.conv2d-fix"(%1, %v) {op_name = "low", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 0 : i32} : (tensor<1x20x20x64xi8>, tensor<64x3x3x64xi8>) -> tensor<1x20x20x64xi8>
  %3 = "tir.upsample-fix"(%2) {op_name = "up", scale = [2 : i32, 2 : i32], mode = "NEAREST", input_fix_point = 0 : i32, output_fix_point = 0 : i32} : (tensor<1x20x20x64xi8>) -> tensor<1x40x40x64xi8>
  %4 = "tir.eltwise-fix"(%0, %3) {op_name = "sum", type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [3 : i32, 0 : i32], output_fix_point = 0 : i32} : (tensor<1x40x40x64xi8>, tensor<1x40x40x64xi8>) -> tensor<1x40x40x64xi8>
  return %4 : tensor<1x40x40x64xi8>
}
