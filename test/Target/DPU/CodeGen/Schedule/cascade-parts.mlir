// The pool reads half of the channels at a time. What "wide" gives passes
// through the banks to "few" all the same, and is saved for the pool.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096
// CHECK: 4 layers, 6 units
// CHECK: cascade of units 0 to 1
// CHECK-NEXT: unit 0: conv wide
// CHECK: output 64x64x128, DDR {{.*}}, rolling buffer
// CHECK: unit 1: conv few
// CHECK: unit 2: max-pool pool
// CHECK: unit 3: max-pool pool
func.func @net(%x: tensor<1x64x64x64xi8>) -> (tensor<1x8x8x64xi8>, tensor<1x64x64x16xi8>) attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<2> : tensor<128x1x1x64xi8>} : () -> tensor<128x1x1x64xi8>
  %v = "tir.const"() {value = dense<1> : tensor<256x8x8x128xi8>} : () -> tensor<256x8x8x128xi8>
  %u = "tir.const"() {value = dense<1> : tensor<64x3x3x256xi8>} : () -> tensor<64x3x3x256xi8>
  %t = "tir.const"() {value = dense<1> : tensor<16x3x3x32xi8>} : () -> tensor<16x3x3x32xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "wide", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x64xi8>, tensor<128x1x1x64xi8>) -> tensor<1x64x64x128xi8>
  %m = "tir.pool-fix"(%0) {op_name = "pool", type = "MAX", kernel = [8 : i32, 8 : i32], stride = [8 : i32, 8 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x128xi8>) -> tensor<1x8x8x128xi8>
  %s = "tir.const"() {value = dense<1> : tensor<512x3x3x128xi8>} : () -> tensor<512x3x3x128xi8>
  %r = "tir.const"() {value = dense<1> : tensor<64x3x3x512xi8>} : () -> tensor<64x3x3x512xi8>
  %1 = "tir.conv2d-fix"(%m, %s) {op_name = "deep", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x128xi8>, tensor<512x3x3x128xi8>) -> tensor<1x8x8x512xi8>
  %2 = "tir.conv2d-fix"(%1, %r) {op_name = "deeper", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x512xi8>, tensor<64x3x3x512xi8>) -> tensor<1x8x8x64xi8>
  %3 = "tir.strided_slice-fix"(%0) {op_name = "part", begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 64 : i32, 64 : i32, 32 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x128xi8>) -> tensor<1x64x64x32xi8>
  %4 = "tir.conv2d-fix"(%3, %t) {op_name = "few", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x32xi8>, tensor<16x3x3x32xi8>) -> tensor<1x64x64x16xi8>
  return %2, %4 : tensor<1x8x8x64xi8>, tensor<1x64x64x16xi8>
}
