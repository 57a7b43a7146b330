// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=8 equalize=false report=-' -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=FIXED --input-file=%t.mlir

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

// -----

// A clamp on the CPU that ends far beyond the samples sets no fix point.
// FIXED-LABEL: @far_clamp
// FIXED: "tir.float2fix"{{.*}}fix_point = 5 : i32
func.func @far_clamp(%x: tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
  %w = "tir.const"() {value = dense<0.0625> : tensor<16x3x3x16xf32>} : () -> tensor<16x3x3x16xf32>
  %0 = "tir.exp"(%x) : (tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %1 = "tir.clip"(%0) {min = -128.0 : f32, max = 127.0 : f32} : (tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %2 = "tir.conv2d"(%1, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x16x16x16xf32>, tensor<16x3x3x16xf32>) -> tensor<1x16x16x16xf32>
  return %2 : tensor<1x16x16x16xf32>
}
