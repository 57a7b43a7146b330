// REQUIRES: mlir
// RUN: xc-test-cpu --random-constants %s | FileCheck %s
// RUN: xc-opt %s --pass-pipeline="builtin.module(global-bufferize,convert-tir-to-mtir,mtir-eliminate-copies,convert-mtir-to-vector)" | FileCheck %s --check-prefix=VECTOR

// Matrix products, and what a float convolution does after its sums, with
// numbers on every level that this machine has.
// CHECK-NOT: differs
// CHECK: concat: native: same
// CHECK: nothing: native: same
// CHECK: sum_of_rows: native: same
// CHECK: sum_of_batches: native: same
// CHECK-NOT: differs
// VECTOR-NOT: mtir.
// VECTOR: func.func @columns(
// VECTOR-NOT: mtir.
// VECTOR: mtir.concat

func.func @columns(%x: tensor<2x3x10xf32>) -> tensor<2x3x21xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<10x21xf32>} : () -> tensor<10x21xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<21xf32>} : () -> tensor<21xf32>
  %0 = "tir.matmul"(%x, %w, %b) : (tensor<2x3x10xf32>, tensor<10x21xf32>, tensor<21xf32>) -> tensor<2x3x21xf32>
  return %0 : tensor<2x3x21xf32>
}
func.func @fully_connected(%x: tensor<2x3x4x2xf32>) -> tensor<2x5xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<5x24xf32>} : () -> tensor<5x24xf32>
  %0 = "tir.inner-product"(%x, %w) : (tensor<2x3x4x2xf32>, tensor<5x24xf32>) -> tensor<2x5xf32>
  %1 = "tir.relu"(%0) : (tensor<2x5xf32>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}
func.func @tflite(%x: tensor<3x37xi8>) -> tensor<3x11xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<11x37xi8>} : () -> tensor<11x37xi8>
  %b = "tir.const"() {value = dense<1> : tensor<11xi32>} : () -> tensor<11xi32>
  %0 = "tir.qlinear-matmul"(%x, %w, %b) {transpose_b = true, input_scale = 0.5 : f32, input_zero_point = -7 : i32, weight_scale = [0.0007 : f32], output_scale = 0.5 : f32, output_zero_point = 3 : i32} : (tensor<3x37xi8>, tensor<11x37xi8>, tensor<11xi32>) -> tensor<3x11xi8>
  return %0 : tensor<3x11xi8>
}
func.func @onnx(%x: tensor<4x12xui8>) -> tensor<4x9xui8> {
  %w = "tir.const"() {value = dense<1> : tensor<12x9xi8>} : () -> tensor<12x9xi8>
  %0 = "tir.qlinear-matmul"(%x, %w) {flavor = "ONNX", input_scale = 0.5 : f32, input_zero_point = 131 : i32, weight_scale = [0.0007 : f32], weight_zero_point = [2 : i32], output_scale = 0.5 : f32, output_zero_point = 120 : i32} : (tensor<4x12xui8>, tensor<12x9xi8>) -> tensor<4x9xui8>
  return %0 : tensor<4x9xui8>
}
func.func @fix(%x: tensor<2x16xi8>) -> tensor<2x6xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<6x16xi8>} : () -> tensor<6x16xi8>
  %b = "tir.const"() {value = dense<1> : tensor<6xi8>} : () -> tensor<6xi8>
  %0 = "tir.matmul-fix"(%x, %w, %b) {transpose_b = true, input_fix_point = [4 : i32, 7 : i32], bias_fix_point = 6 : i32, output_fix_point = 2 : i32, round_mode = "STD_ROUND", nonlinear = "RELU"} : (tensor<2x16xi8>, tensor<6x16xi8>, tensor<6xi8>) -> tensor<2x6xi8>
  return %0 : tensor<2x6xi8>
}
func.func @leaky_sum(%x: tensor<1x5x6x9xf32>) -> tensor<1x5x6x9xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<9x3x3x9xf32>} : () -> tensor<9x3x3x9xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x5x6x9xf32>, tensor<9x3x3x9xf32>) -> tensor<1x5x6x9xf32>
  %1 = "tir.add"(%x, %0) : (tensor<1x5x6x9xf32>, tensor<1x5x6x9xf32>) -> tensor<1x5x6x9xf32>
  %2 = "tir.leaky-relu"(%1) {alpha = 0.25 : f32} : (tensor<1x5x6x9xf32>) -> tensor<1x5x6x9xf32>
  return %2 : tensor<1x5x6x9xf32>
}
func.func @depthwise_relu6(%x: tensor<1x5x6x12xf32>) -> tensor<1x5x6x12xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x3x3x12xf32>} : () -> tensor<1x3x3x12xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x5x6x12xf32>, tensor<1x3x3x12xf32>) -> tensor<1x5x6x12xf32>
  %1 = "tir.relu6"(%0) : (tensor<1x5x6x12xf32>) -> tensor<1x5x6x12xf32>
  return %1 : tensor<1x5x6x12xf32>
}
func.func @concat(%x: tensor<2x4x4x6xf32>) -> tensor<2x4x4x15xf32> {
  %v = "tir.const"() {value = dense<0.5> : tensor<5x1x1x6xf32>} : () -> tensor<5x1x1x6xf32>
  %w = "tir.const"() {value = dense<0.5> : tensor<10x3x3x6xf32>} : () -> tensor<10x3x3x6xf32>
  %0 = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<2x4x4x6xf32>, tensor<5x1x1x6xf32>) -> tensor<2x4x4x5xf32>
  %1 = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<2x4x4x6xf32>, tensor<10x3x3x6xf32>) -> tensor<2x4x4x10xf32>
  %2 = "tir.relu"(%0) : (tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  %3 = "tir.concat"(%2, %1) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x4x4x5xf32>, tensor<2x4x4x10xf32>) -> tensor<2x4x4x15xf32>
  return %3 : tensor<2x4x4x15xf32>
}
func.func @nothing(%x: tensor<3x0xf32>) -> tensor<3x5xf32> {
  %w = "tir.const"() {value = dense<> : tensor<0x5xf32>} : () -> tensor<0x5xf32>
  %0 = "tir.matmul"(%x, %w) : (tensor<3x0xf32>, tensor<0x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
func.func @sum_of_rows(%x: tensor<3x24xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<5x24xf32>} : () -> tensor<5x24xf32>
  %0 = "tir.inner-product"(%x, %w) : (tensor<3x24xf32>, tensor<5x24xf32>) -> tensor<3x5xf32>
  %1 = "tir.add"(%0, %y) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}
func.func @sum_of_batches(%x: tensor<2x3x40xf32>, %y: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<40x4xf32>} : () -> tensor<40x4xf32>
  %0 = "tir.matmul"(%x, %w) : (tensor<2x3x40xf32>, tensor<40x4xf32>) -> tensor<2x3x4xf32>
  %1 = "tir.add"(%y, %0) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}
