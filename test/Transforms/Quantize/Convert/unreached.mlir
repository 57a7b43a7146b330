// REQUIRES: mlir
// A channel that the samples do not reach may have weights so large that one step
// of it would be the whole range of the result. Where the result saturates in the
// place of a clamp its fix point stays, and such weights saturate as well.

// RUN: xc-opt %s --tir-quantize='calibration=random equalize=false fit=false' | FileCheck %s
// RUN: xc-opt %s --tir-quantize='calibration=random equalize=false' | FileCheck %s

// CHECK: "tir.conv2d-fix"{{.*}}input_fix_point = 7 : i32{{.*}}op_name = "reads", output_fix_point = 7 : i32{{.*}}weight_fix_point = 0 : i32
func.func @main(%x: tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[0.0, -2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 300.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x8x8x2xf32>
  %1 = "tir.clip"(%0) {min = 0.0 : f32, max = 1.5 : f32} : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  %2 = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "sum"} : (tensor<1x8x8x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x8x8x1xf32>
  %3 = "tir.clip"(%2) {min = 0.0 : f32, max = 0.9921875 : f32, op_name = "reads"} : (tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32>
  return %3 : tensor<1x8x8x1xf32>
}
