// REQUIRES: mlir
// No sample goes further than 1 after a tanh, and nothing becomes of what does
// before it: both keep the fix points that they have without the spread of
// the samples (headroom.mlir).

// RUN: %python %S/Inputs/headroom.py %t.d
// RUN: xc-opt %s --tir-quantize='calibration=%t.d/spread equalize=false float-statistics=false report=-' -o %t.mlir 2>&1 | FileCheck %s
// CHECK: conv2d-fix 7 {{.*}} copy
// CHECK: float2fix 7 {{.*}} bent
func.func @main(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x32xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %f = "tir.const"() {value = dense<3.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "copy"} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %1 = "tir.mul"(%0, %f) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %2 = "tir.tanh"(%1) {op_name = "bent"} : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %v = "tir.const"() {value = dense<1.0> : tensor<32x1x1x1xf32>} : () -> tensor<32x1x1x1xf32>
  %u = "tir.const"() {value = dense<1.0> : tensor<32x1x1x32xf32>} : () -> tensor<32x1x1x32xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x1xf32>, tensor<32x1x1x1xf32>) -> tensor<1x1x1x32xf32>
  %4 = "tir.conv2d"(%3, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  return %4 : tensor<1x1x1x32xf32>
}
