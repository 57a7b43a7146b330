// REQUIRES: mlir, check-all
// RUN: xc-test-cpu --random-constants %s | FileCheck %s

// Strides larger and smaller than the kernel, borders that cut taps off or
// outputs away, dilations that share a divisor with the stride or do not,
// groups, batches; what follows is added and activated in between.
// CHECK-NOT: differs
// CHECK: f32_fused: x86-64: same
// CHECK: fix_wide: native: same
// CHECK-NOT: differs

func.func @f32_fused(%x: tensor<1x3x4x8xf32>, %y: tensor<1x6x8x12xf32>) -> tensor<1x6x8x12xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<12x3x3x8xf32>} : () -> tensor<12x3x3x8xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<12xf32>} : () -> tensor<12xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "SAME"} : (tensor<1x3x4x8xf32>, tensor<12x3x3x8xf32>, tensor<12xf32>) -> tensor<1x6x8x12xf32>
  %1 = "tir.add"(%0, %y) : (tensor<1x6x8x12xf32>, tensor<1x6x8x12xf32>) -> tensor<1x6x8x12xf32>
  %2 = "tir.relu"(%1) : (tensor<1x6x8x12xf32>) -> tensor<1x6x8x12xf32>
  return %2 : tensor<1x6x8x12xf32>
}

func.func @f32_even(%x: tensor<2x3x5x5xf32>) -> tensor<2x6x10x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x4x4x5xf32>} : () -> tensor<19x4x4x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [4 : i32, 4 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32} : (tensor<2x3x5x5xf32>, tensor<19x4x4x5xf32>, tensor<19xf32>) -> tensor<2x6x10x19xf32>
  return %0 : tensor<2x6x10x19xf32>
}

func.func @f32_odd(%x: tensor<1x3x4x8xf32>) -> tensor<1x6x8x8xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<8x3x3x8xf32>} : () -> tensor<8x3x3x8xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<8xf32>} : () -> tensor<8xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], output_padding = [1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x3x4x8xf32>, tensor<8x3x3x8xf32>, tensor<8xf32>) -> tensor<1x6x8x8xf32>
  return %0 : tensor<1x6x8x8xf32>
}

func.func @fix_group(%x: tensor<1x4x3x6xi8>) -> tensor<1x8x7x10xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<10x3x2x3xi8>} : () -> tensor<10x3x2x3xi8>
  %b = "tir.const"() {value = dense<1> : tensor<10xi8>} : () -> tensor<10xi8>
  %0 = "tir.transposed-conv2d-fix"(%x, %w, %b) {kernel = [2 : i32, 3 : i32], stride = [3 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 1 : i32, 1 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 2 : i32, input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32, nonlinear = "RELU"} : (tensor<1x4x3x6xi8>, tensor<10x3x2x3xi8>, tensor<10xi8>) -> tensor<1x8x7x10xi8>
  return %0 : tensor<1x8x7x10xi8>
}

func.func @tflite(%x: tensor<1x3x4x10xi8>) -> tensor<1x6x8x9xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<9x3x3x10xi8>} : () -> tensor<9x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<9xi32>} : () -> tensor<9xi32>
  %0 = "tir.qlinear-transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", input_scale = 0.05 : f32, input_zero_point = -3 : i32, output_scale = 0.2 : f32, output_zero_point = -3 : i32, weight_scale = [0.01 : f32, 0.013 : f32, 0.016 : f32, 0.019 : f32, 0.022 : f32, 0.025 : f32, 0.028 : f32, 0.031 : f32, 0.034 : f32], nonlinear = "NONE"} : (tensor<1x3x4x10xi8>, tensor<9x3x3x10xi8>, tensor<9xi32>) -> tensor<1x6x8x9xi8>
  return %0 : tensor<1x6x8x9xi8>
}

func.func @onnx(%x: tensor<2x3x2x8xui8>) -> tensor<2x6x4x6xui8> {
  %w = "tir.const"() {value = dense<1> : tensor<6x2x2x8xi8>} : () -> tensor<6x2x2x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<6xi32>} : () -> tensor<6xi32>
  %0 = "tir.qlinear-transposed-conv2d"(%x, %w, %b) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", input_scale = 0.05 : f32, input_zero_point = 120 : i32, output_scale = 0.2 : f32, output_zero_point = 120 : i32, weight_scale = [0.01 : f32, 0.013 : f32, 0.016 : f32, 0.019 : f32, 0.022 : f32, 0.025 : f32], nonlinear = "NONE"} : (tensor<2x3x2x8xui8>, tensor<6x2x2x8xi8>, tensor<6xi32>) -> tensor<2x6x4x6xui8>
  return %0 : tensor<2x6x4x6xui8>
}

func.func @dw(%x: tensor<1x4x5x12xi8>) -> tensor<1x7x11x12xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x4x12xi8>} : () -> tensor<1x3x4x12xi8>
  %b = "tir.const"() {value = dense<1> : tensor<12xi8>} : () -> tensor<12xi8>
  %0 = "tir.transposed-depthwise-conv2d-fix"(%x, %w, %b) {kernel = [4 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 0 : i32, 1 : i32, 1 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32, nonlinear = "NONE"} : (tensor<1x4x5x12xi8>, tensor<1x3x4x12xi8>, tensor<12xi8>) -> tensor<1x7x11x12xi8>
  return %0 : tensor<1x7x11x12xi8>
}

func.func @f32_gaps(%x: tensor<1x3x2x6xf32>) -> tensor<1x6x6x7xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<7x1x2x6xf32>} : () -> tensor<7x1x2x6xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<7xf32>} : () -> tensor<7xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [2 : i32, 1 : i32], stride = [3 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x3x2x6xf32>, tensor<7x1x2x6xf32>, tensor<7xf32>) -> tensor<1x6x6x7xf32>
  return %0 : tensor<1x6x6x7xf32>
}

func.func @f32_dilated(%x: tensor<1x5x4x6xf32>) -> tensor<1x13x14x17xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<17x3x3x6xf32>} : () -> tensor<17x3x3x6xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<17xf32>} : () -> tensor<17xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [3 : i32, 2 : i32], dilation = [2 : i32, 2 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x5x4x6xf32>, tensor<17x3x3x6xf32>, tensor<17xf32>) -> tensor<1x13x14x17xf32>
  return %0 : tensor<1x13x14x17xf32>
}

func.func @f32_dilated4(%x: tensor<1x4x4x4xf32>) -> tensor<1x10x12x8xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<8x3x2x4xf32>} : () -> tensor<8x3x2x4xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<8xf32>} : () -> tensor<8xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [2 : i32, 3 : i32], stride = [4 : i32, 2 : i32], dilation = [2 : i32, 4 : i32], pad_mode = "FLOOR", pad = [2 : i32, 1 : i32, 3 : i32, 2 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x4x4x4xf32>, tensor<8x3x2x4xf32>, tensor<8xf32>) -> tensor<1x10x12x8xf32>
  return %0 : tensor<1x10x12x8xf32>
}

func.func @f32_cut(%x: tensor<1x4x4x4xf32>) -> tensor<1x5x5x8xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<8x3x3x4xf32>} : () -> tensor<8x3x3x4xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<8xf32>} : () -> tensor<8xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x4x4x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>) -> tensor<1x5x5x8xf32>
  return %0 : tensor<1x5x5x8xf32>
}

func.func @f32_cut3(%x: tensor<1x5x5x4xf32>) -> tensor<1x12x11x8xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<8x2x3x4xf32>} : () -> tensor<8x2x3x4xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<8xf32>} : () -> tensor<8xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 2 : i32], stride = [3 : i32, 3 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 1 : i32, 1 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x5x5x4xf32>, tensor<8x2x3x4xf32>, tensor<8xf32>) -> tensor<1x12x11x8xf32>
  return %0 : tensor<1x12x11x8xf32>
}

func.func @f32_one(%x: tensor<1x5x5x4xf32>) -> tensor<1x5x5x24xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<24x3x3x4xf32>} : () -> tensor<24x3x3x4xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<24xf32>} : () -> tensor<24xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x5x5x4xf32>, tensor<24x3x3x4xf32>, tensor<24xf32>) -> tensor<1x5x5x24xf32>
  return %0 : tensor<1x5x5x24xf32>
}

func.func @f32_row(%x: tensor<1x1x1x64xf32>) -> tensor<1x4x4x32xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<32x4x4x64xf32>} : () -> tensor<32x4x4x64xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<32xf32>} : () -> tensor<32xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [4 : i32, 4 : i32], stride = [4 : i32, 4 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x1x1x64xf32>, tensor<32x4x4x64xf32>, tensor<32xf32>) -> tensor<1x4x4x32xf32>
  return %0 : tensor<1x4x4x32xf32>
}

func.func @f32_dw(%x: tensor<2x3x3x20xf32>) -> tensor<2x6x6x20xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x3x3x20xf32>} : () -> tensor<1x3x3x20xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<20xf32>} : () -> tensor<20xf32>
  %0 = "tir.transposed-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32} : (tensor<2x3x3x20xf32>, tensor<1x3x3x20xf32>, tensor<20xf32>) -> tensor<2x6x6x20xf32>
  return %0 : tensor<2x6x6x20xf32>
}

func.func @f32_dw_wide(%x: tensor<1x3x3x32xf32>) -> tensor<1x6x6x32xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x2x2x32xf32>} : () -> tensor<1x2x2x32xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<32xf32>} : () -> tensor<32xf32>
  %0 = "tir.transposed-depthwise-conv2d"(%x, %w, %b) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x3x3x32xf32>, tensor<1x2x2x32xf32>, tensor<32xf32>) -> tensor<1x6x6x32xf32>
  return %0 : tensor<1x6x6x32xf32>
}

func.func @f32_wide(%x: tensor<1x4x1x4xf32>) -> tensor<1x4x5x16xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<16x1x5x4xf32>} : () -> tensor<16x1x5x4xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<16xf32>} : () -> tensor<16xf32>
  %0 = "tir.transposed-conv2d"(%x, %w, %b) {kernel = [5 : i32, 1 : i32], stride = [4 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x4x1x4xf32>, tensor<16x1x5x4xf32>, tensor<16xf32>) -> tensor<1x4x5x16xf32>
  return %0 : tensor<1x4x5x16xf32>
}

func.func @q_gap(%x: tensor<1x3x2x6xi8>) -> tensor<1x6x6x7xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<7x1x2x6xi8>} : () -> tensor<7x1x2x6xi8>
  %b = "tir.const"() {value = dense<1> : tensor<7xi32>} : () -> tensor<7xi32>
  %0 = "tir.qlinear-transposed-conv2d"(%x, %w, %b) {kernel = [2 : i32, 1 : i32], stride = [3 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [1 : i32, 1 : i32], group = 1 : i32, flavor = "TFLITE", input_scale = 0.05 : f32, input_zero_point = -3 : i32, output_scale = 0.2 : f32, output_zero_point = -3 : i32, weight_scale = [0.01 : f32, 0.013 : f32, 0.016 : f32, 0.019 : f32, 0.022 : f32, 0.025 : f32, 0.028 : f32], nonlinear = "RELU6"} : (tensor<1x3x2x6xi8>, tensor<7x1x2x6xi8>, tensor<7xi32>) -> tensor<1x6x6x7xi8>
  return %0 : tensor<1x6x6x7xi8>
}

func.func @q_cut(%x: tensor<1x4x4x6xi8>) -> tensor<1x5x5x8xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<8x3x3x6xi8>} : () -> tensor<8x3x3x6xi8>
  %b = "tir.const"() {value = dense<1> : tensor<8xi32>} : () -> tensor<8xi32>
  %0 = "tir.qlinear-transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", input_scale = 0.05 : f32, input_zero_point = -3 : i32, output_scale = 0.2 : f32, output_zero_point = -3 : i32, weight_scale = [0.01 : f32, 0.013 : f32, 0.016 : f32, 0.019 : f32, 0.022 : f32, 0.025 : f32, 0.028 : f32, 0.031 : f32], nonlinear = "RELU"} : (tensor<1x4x4x6xi8>, tensor<8x3x3x6xi8>, tensor<8xi32>) -> tensor<1x5x5x8xi8>
  return %0 : tensor<1x5x5x8xi8>
}

func.func @q_dilated(%x: tensor<1x5x4x6xi8>) -> tensor<1x13x14x17xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<17x3x3x6xi8>} : () -> tensor<17x3x3x6xi8>
  %b = "tir.const"() {value = dense<1> : tensor<17xi32>} : () -> tensor<17xi32>
  %0 = "tir.qlinear-transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [3 : i32, 2 : i32], dilation = [2 : i32, 2 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", input_scale = 0.05 : f32, input_zero_point = -3 : i32, output_scale = 0.2 : f32, output_zero_point = -3 : i32, weight_scale = [0.01 : f32, 0.013 : f32, 0.016 : f32, 0.019 : f32, 0.022 : f32, 0.025 : f32, 0.028 : f32, 0.031 : f32, 0.034 : f32, 0.037 : f32, 0.04 : f32, 0.043 : f32, 0.046 : f32, 0.049 : f32, 0.052 : f32, 0.055 : f32, 0.058 : f32], nonlinear = "NONE"} : (tensor<1x5x4x6xi8>, tensor<17x3x3x6xi8>, tensor<17xi32>) -> tensor<1x13x14x17xi8>
  return %0 : tensor<1x13x14x17xi8>
}

func.func @qu_tfl(%x: tensor<1x4x5x16xui8>) -> tensor<1x8x10x16xui8> {
  %w = "tir.const"() {value = dense<1> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16xi8>
  %b = "tir.const"() {value = dense<1> : tensor<16xi32>} : () -> tensor<16xi32>
  %0 = "tir.qlinear-transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", input_scale = 0.05 : f32, input_zero_point = 120 : i32, output_scale = 0.2 : f32, output_zero_point = 120 : i32, weight_scale = [0.01 : f32, 0.013 : f32, 0.016 : f32, 0.019 : f32, 0.022 : f32, 0.025 : f32, 0.028 : f32, 0.031 : f32, 0.034 : f32, 0.037 : f32, 0.04 : f32, 0.043 : f32, 0.046 : f32, 0.049 : f32, 0.052 : f32, 0.055 : f32], nonlinear = "NONE"} : (tensor<1x4x5x16xui8>, tensor<16x3x3x16xi8>, tensor<16xi32>) -> tensor<1x8x10x16xui8>
  return %0 : tensor<1x8x10x16xui8>
}

func.func @onnx_i8(%x: tensor<1x4x5x7xi8>) -> tensor<1x12x11x33xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<33x3x3x7xi8>} : () -> tensor<33x3x3x7xi8>
  %b = "tir.const"() {value = dense<1> : tensor<33xi32>} : () -> tensor<33xi32>
  %0 = "tir.qlinear-transposed-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 3 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "VALID", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", input_scale = 0.05 : f32, input_zero_point = -3 : i32, output_scale = 0.2 : f32, output_zero_point = -3 : i32, weight_scale = [0.01 : f32, 0.013 : f32, 0.016 : f32, 0.019 : f32, 0.022 : f32, 0.025 : f32, 0.028 : f32, 0.031 : f32, 0.034 : f32, 0.037 : f32, 0.04 : f32, 0.043 : f32, 0.046 : f32, 0.049 : f32, 0.052 : f32, 0.055 : f32, 0.058 : f32, 0.061 : f32, 0.064 : f32, 0.067 : f32, 0.07 : f32, 0.073 : f32, 0.076 : f32, 0.079 : f32, 0.082 : f32, 0.085 : f32, 0.088 : f32, 0.091 : f32, 0.094 : f32, 0.097 : f32, 0.1 : f32, 0.103 : f32, 0.106 : f32], nonlinear = "NONE"} : (tensor<1x4x5x7xi8>, tensor<33x3x3x7xi8>, tensor<33xi32>) -> tensor<1x12x11x33xi8>
  return %0 : tensor<1x12x11x33xi8>
}

func.func @fix_dw_5(%x: tensor<1x3x4x7xi8>) -> tensor<1x6x12x7xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x5x5x7xi8>} : () -> tensor<1x5x5x7xi8>
  %b = "tir.const"() {value = dense<1> : tensor<7xi8>} : () -> tensor<7xi8>
  %0 = "tir.transposed-depthwise-conv2d-fix"(%x, %w, %b) {kernel = [5 : i32, 5 : i32], stride = [3 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32, nonlinear = "LEAKYRELU"} : (tensor<1x3x4x7xi8>, tensor<1x5x5x7xi8>, tensor<7xi8>) -> tensor<1x6x12x7xi8>
  return %0 : tensor<1x6x12x7xi8>
}

func.func @fix_wide(%x: tensor<1x6x6x32xi8>) -> tensor<1x12x12x48xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<48x4x4x32xi8>} : () -> tensor<48x4x4x32xi8>
  %b = "tir.const"() {value = dense<1> : tensor<48xi8>} : () -> tensor<48xi8>
  %0 = "tir.transposed-conv2d-fix"(%x, %w, %b) {kernel = [4 : i32, 4 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], output_padding = [0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32, nonlinear = "RELU6"} : (tensor<1x6x6x32xi8>, tensor<48x4x4x32xi8>, tensor<48xi8>) -> tensor<1x12x12x48xi8>
  return %0 : tensor<1x12x12x48xi8>
}
