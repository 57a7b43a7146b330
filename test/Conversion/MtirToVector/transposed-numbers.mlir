// REQUIRES: mlir
// RUN: xc-test-cpu --random-constants %s | FileCheck %s

// The numbers of transposed convolutions, on every level that this machine has.
// More shapes are in transposed-numbers-all.mlir.
// CHECK-NOT: differs
// CHECK: f32: x86-64: same
// CHECK: fix_dw: x86-64: same
// CHECK-NOT: differs

func.func @f32(%x: tensor<1x3x4x8xf32>) -> tensor<1x6x4x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x2x8xf32>} : () -> tensor<19x3x2x8xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [2 : i32, 3 : i32], stride = [1 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 1 : i32, 1 : i32, 1 : i32], output_padding = [0 : i32, 1 : i32], group = 1 : i32} : (tensor<1x3x4x8xf32>, tensor<19x3x2x8xf32>, tensor<19xf32>) -> tensor<1x6x4x19xf32>
  return %0 : tensor<1x6x4x19xf32>
}

func.func @tflite(%x: tensor<2x3x4x10xi8>) -> tensor<2x3x8x9xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<9x2x3x10xi8>} : () -> tensor<9x2x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<9xi32>} : () -> tensor<9xi32>
  %0 = "tir.qlinear-transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 2 : i32], stride = [2 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", input_scale = 0.05 : f32, input_zero_point = -3 : i32, output_scale = 0.2 : f32, output_zero_point = -3 : i32, weight_scale = [0.01 : f32, 0.013 : f32, 0.016 : f32, 0.019 : f32, 0.022 : f32, 0.025 : f32, 0.028 : f32, 0.031 : f32, 0.034 : f32], nonlinear = "NONE"} : (tensor<2x3x4x10xi8>, tensor<9x2x3x10xi8>, tensor<9xi32>) -> tensor<2x3x8x9xi8>
  return %0 : tensor<2x3x8x9xi8>
}

func.func @fix_dw(%x: tensor<1x4x5x12xi8>) -> tensor<1x7x7x12xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x4x12xi8>} : () -> tensor<1x3x4x12xi8>
  %b = "tir.const"() {value = dense<1> : tensor<12xi8>} : () -> tensor<12xi8>
  %0 = "tir.transposed-depthwise-conv2d-fix"(%x, %w, %b) {kernel = [4 : i32, 3 : i32], stride = [1 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 0 : i32, 1 : i32, 1 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32, nonlinear = "NONE"} : (tensor<1x4x5x12xi8>, tensor<1x3x4x12xi8>, tensor<12xi8>) -> tensor<1x7x7x12xi8>
  return %0 : tensor<1x7x7x12xi8>
}

// What no tap reads may be infinite or no number.
// CHECK: unordered: native: same
func.func @unordered(%x: tensor<1x4x6x1xf32>) -> tensor<1x7x9x8xi1> {
  %w = "tir.const"() {value = dense<0.5> : tensor<8x1x3x1xf32>} : () -> tensor<8x1x3x1xf32>
  %n = "tir.sqrt"(%x) : (tensor<1x4x6x1xf32>) -> tensor<1x4x6x1xf32>
  %0 = "tir.transposed-conv2d"(%n, %w) {kernel = [3 : i32, 1 : i32], stride = [2 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32]} : (tensor<1x4x6x1xf32>, tensor<8x1x3x1xf32>) -> tensor<1x7x9x8xf32>
  %1 = "tir.compare"(%0, %0) {predicate = "NE"} : (tensor<1x7x9x8xf32>, tensor<1x7x9x8xf32>) -> tensor<1x7x9x8xi1>
  return %1 : tensor<1x7x9x8xi1>
}
