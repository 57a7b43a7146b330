// REQUIRES: mlir
// RUN: xc-opt %s --tir-quantize='calibration=random samples=8 equalize=false report=-' -o %t.mlir 2>&1 | FileCheck %s

// Numbers of up to 1.025: at the fix point 7 the largest are clipped, which
// loses less than rounding at 6 does, but not half of it.
// CHECK: conv2d-fix 6 {{.*}} clipped
// Of up to 1.01 hardly any are.
// CHECK: conv2d-fix 7 {{.*}} held
func.func @main(%x: tensor<1x16x16x1xf32>) -> (tensor<1x16x16x1xf32>, tensor<1x16x16x1xf32>) {
  %w = "tir.const"() {value = dense<1.025> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %v = "tir.const"() {value = dense<1.01> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "clipped"} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  %1 = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "held"} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  return %0, %1 : tensor<1x16x16x1xf32>, tensor<1x16x16x1xf32>
}
