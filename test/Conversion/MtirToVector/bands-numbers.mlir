// REQUIRES: mlir
// RUN: xc-test-cpu --random-constants %s | FileCheck %s
// RUN: %if openmp %{ xc-test-cpu --random-constants --threads=3 %s | FileCheck %s %}

// Convolutions whose padded copy is made in bands, with strides, dilation and
// heights that bands do not divide; all outputs of one channel.
// CHECK-NOT: differs
// CHECK: one_channel: x86-64: same
// CHECK: one_channel: native: same
// CHECK-NOT: differs

func.func @depthwise(%x: tensor<1x71x120x20xf32>) -> tensor<1x71x120x20xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x5x5x20xf32>} : () -> tensor<1x5x5x20xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32]} : (tensor<1x71x120x20xf32>, tensor<1x5x5x20xf32>) -> tensor<1x71x120x20xf32>
  return %0 : tensor<1x71x120x20xf32>
}

func.func @strided(%x: tensor<2x143x121x8xf32>) -> tensor<2x72x61x12xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<12x3x3x8xf32>} : () -> tensor<12x3x3x8xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<12xf32>} : () -> tensor<12xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<2x143x121x8xf32>, tensor<12x3x3x8xf32>, tensor<12xf32>) -> tensor<2x72x61x12xf32>
  return %0 : tensor<2x72x61x12xf32>
}

func.func @dilated(%x: tensor<1x97x90x16xi8>) -> tensor<1x97x90x16xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16xi8>
  %b = "tir.const"() {value = dense<1> : tensor<16xi8>} : () -> tensor<16xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 3 : i32], pad_mode = "FLOOR", pad = [3 : i32, 3 : i32, 3 : i32, 3 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x97x90x16xi8>, tensor<16x3x3x16xi8>, tensor<16xi8>) -> tensor<1x97x90x16xi8>
  return %0 : tensor<1x97x90x16xi8>
}

func.func @one_channel(%x: tensor<1x49x40x1xi8>) -> tensor<1x25x20x8xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<8x10x8x1xi8>} : () -> tensor<8x10x8x1xi8>
  %b = "tir.const"() {value = dense<1> : tensor<8xi32>} : () -> tensor<8xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [8 : i32, 10 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "TFLITE", weight_scale = [1.0e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x49x40x1xi8>, tensor<8x10x8x1xi8>, tensor<8xi32>) -> tensor<1x25x20x8xi8>
  return %0 : tensor<1x25x20x8xi8>
}
