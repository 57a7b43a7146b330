// A convolution is lowered directly before the depthwise one that alone reads it,
// so that both can be interleaved and nothing between them goes through DDR; not
// before an operator that another one reads as well.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies --mlir-print-debuginfo -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %t.mlir | grep -o 'unit [0-9]*: [a-z-]* [a-z]*' | FileCheck %s
// CHECK: max-pool pool
// CHECK-NEXT: conv expand
// CHECK: depthwise
// CHECK: conv shared
// CHECK-NEXT: max-pool other
// CHECK: after
func.func @main(%x: tensor<1x112x112x16xi8>) -> (tensor<1x56x56x16xi8>, tensor<1x56x56x64xi8>, tensor<1x28x28x16xi8>, tensor<1x56x56x16xi8>, tensor<1x56x56x16xi8>) attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<64x1x1x16xi8>} : () -> tensor<64x1x1x16xi8>
  %d = "tir.const"() {value = dense<1> : tensor<1x3x3x64xi8>} : () -> tensor<1x3x3x64xi8>
  %v = "tir.const"() {value = dense<1> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  %e = "tir.const"() {value = dense<1> : tensor<1x3x3x16xi8>} : () -> tensor<1x3x3x16xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x112x112x16xi8>, tensor<64x1x1x16xi8>) -> tensor<1x112x112x64xi8> loc("expand")
  %1 = "tir.pool-fix"(%x) {type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x16xi8>) -> tensor<1x56x56x16xi8> loc("pool")
  %2 = "tir.depthwise-conv2d-fix"(%0, %d) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 1 : i32, 0 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x112x112x64xi8>, tensor<1x3x3x64xi8>) -> tensor<1x56x56x64xi8> loc("depthwise")
  %3 = "tir.conv2d-fix"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x56x56x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x56x56x16xi8> loc("shared")
  %4 = "tir.pool-fix"(%3) {type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x56x56x16xi8>) -> tensor<1x28x28x16xi8> loc("other")
  %5 = "tir.depthwise-conv2d-fix"(%3, %e) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x56x56x16xi8>, tensor<1x3x3x16xi8>) -> tensor<1x56x56x16xi8> loc("after")
  return %1, %2, %4, %5, %3 : tensor<1x56x56x16xi8>, tensor<1x56x56x64xi8>, tensor<1x28x28x16xi8>, tensor<1x56x56x16xi8>, tensor<1x56x56x16xi8>
}
