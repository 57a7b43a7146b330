// REQUIRES: mlir
// RUN: xc-test-cpu --random-constants %s | FileCheck %s
// RUN: %if openmp %{ xc-test-cpu --random-constants --threads=3 %s | FileCheck %s %}

// 3 x 3 convolutions by transformed tiles: sizes that tiles and bands do not
// divide, images without a border, a batch, what is added afterwards, weights
// that do not stay in the cache.
// CHECK-NOT: differs
// CHECK: large: x86-64: same
// CHECK: large: native: same
// CHECK-NOT: differs

func.func @odd(%x: tensor<2x33x37x32xf32>) -> tensor<2x33x37x64xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<64x3x3x32xf32>} : () -> tensor<64x3x3x32xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<64xf32>} : () -> tensor<64xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<2x33x37x32xf32>, tensor<64x3x3x32xf32>, tensor<64xf32>) -> tensor<2x33x37x64xf32>
  return %0 : tensor<2x33x37x64xf32>
}

func.func @valid(%x: tensor<1x40x41x48xf32>, %r: tensor<1x38x39x80xf32>) -> tensor<1x38x39x80xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<80x3x3x48xf32>} : () -> tensor<80x3x3x48xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<80xf32>} : () -> tensor<80xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x40x41x48xf32>, tensor<80x3x3x48xf32>, tensor<80xf32>) -> tensor<1x38x39x80xf32>
  %1 = "tir.add"(%0, %r) : (tensor<1x38x39x80xf32>, tensor<1x38x39x80xf32>) -> tensor<1x38x39x80xf32>
  %2 = "tir.relu"(%1) : (tensor<1x38x39x80xf32>) -> tensor<1x38x39x80xf32>
  return %2 : tensor<1x38x39x80xf32>
}

func.func @large(%x: tensor<1x29x30x160xf32>) -> tensor<1x30x31x192xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<192x3x3x160xf32>} : () -> tensor<192x3x3x160xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<192xf32>} : () -> tensor<192xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 1 : i32, 1 : i32, 2 : i32], group = 1 : i32} : (tensor<1x29x30x160xf32>, tensor<192x3x3x160xf32>, tensor<192xf32>) -> tensor<1x30x31x192xf32>
  return %0 : tensor<1x30x31x192xf32>
}
