// Two convolutions in a row as one.
// RUN: xc-opt %s --pass-pipeline='builtin.module(tir-canonicalize{only=conv-of-conv})' | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// A 1x1 after a 3x3, which keeps its window. The bias goes through the 1x1.
// CHECK-LABEL: func.func @pixel_after
// CHECK-DAG:   %[[W:.*]] = "tir.const"() {value = dense<{{\[\[\[\[}}2.000000e+00, 4.000000e+00]]], {{\[\[\[}}-1.000000e+00, -2.000000e+00]]]]> : tensor<2x1x1x2xf32>}
// CHECK-DAG:   %[[B:.*]] = "tir.const"() {value = dense<[1.600000e+01, -7.000000e+00]> : tensor<2xf32>}
// CHECK:       %[[C:.*]] = "tir.conv2d"(%arg0, %[[W]], %[[B]]) {kernel = [1 : i32, 1 : i32], pad = [1 : i32, 0 : i32, 0 : i32, 1 : i32], stride = [2 : i32, 1 : i32]}
// CHECK-NEXT:  return %[[C]]
func.func @pixel_after(%x: tensor<1x5x6x2xf32>) -> tensor<1x6x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0, 2.0]]], [[[0.0, 0.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %b = "tir.const"() {value = dense<[7.0, 1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<[[[[2.0, 1.0]]], [[[-1.0, 0.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %c = "tir.const"() {value = dense<[1.0, 0.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], pad = [1 : i32, 0 : i32, 0 : i32, 1 : i32], stride = [2 : i32, 1 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<1x6x4x2xf32>
  %1 = "tir.conv2d"(%0, %v, %c) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x6x4x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<1x6x4x2xf32>
  return %1 : tensor<1x6x4x2xf32>
}

// CHECK-LABEL: func.func @kernel_before
// CHECK:       tir.conv2d{{.*}} {dilation = [1 : i32, 2 : i32], kernel = [3 : i32, 2 : i32], op_name = "pixel", pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x5x6x3xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x6x3xf32>
// CHECK-NEXT:  return
func.func @kernel_before(%x: tensor<1x5x6x3xf32>) -> tensor<1x3x6x3xf32> {
  %w = "tir.const"() {value = dense<0.25> : tensor<4x2x3x3xf32>} : () -> tensor<4x2x3x3xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5, -1.0, 0.0]]], [[[2.0, 0.0, 1.0, -0.5]]], [[[0.25, 1.0, 0.0, 1.0]]]]> : tensor<3x1x1x4xf32>} : () -> tensor<3x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], op_name = "kernel"} : (tensor<1x5x6x3xf32>, tensor<4x2x3x3xf32>) -> tensor<1x3x6x4xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "pixel"} : (tensor<1x3x6x4xf32>, tensor<3x1x1x4xf32>) -> tensor<1x3x6x3xf32>
  return %1 : tensor<1x3x6x3xf32>
}

// A 1x1 in front: all taps have its bias, where there is no padding.
// CHECK-LABEL: func.func @pixel_before
// CHECK-DAG:   dense<{{\[\[\[\[}}1.000000e+00, -1.000000e+00], [2.000000e+00, -2.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-DAG:   dense<1.250000e+01> : tensor<1xf32>
// CHECK:       tir.conv2d{{.*}} {kernel = [2 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<1x1x2x2xf32>, tensor<1xf32>)
// CHECK-NEXT:  return
func.func @pixel_before(%x: tensor<1x2x3x2xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0, 0.0]]], [[[0.0, 1.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %b = "tir.const"() {value = dense<[5.0, 1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, -1.0], [2.0, -2.0]]]]> : tensor<1x1x2x2xf32>} : () -> tensor<1x1x2x2xf32>
  %c = "tir.const"() {value = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<1x2x3x2xf32>
  %1 = "tir.conv2d"(%0, %v, %c) {kernel = [2 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<1x1x2x2xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>
  return %1 : tensor<1x2x2x1xf32>
}

// Padding has no bias: one is in the way, zeros are not.
// CHECK-LABEL:   func.func @padded
// CHECK-COUNT-2: tir.conv2d
// CHECK-LABEL:   func.func @padded_without_bias
// CHECK-COUNT-1: tir.conv2d
// CHECK-NEXT:    return
func.func @padded(%x: tensor<1x2x3x2xf32>) -> tensor<1x2x3x1xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %b = "tir.const"() {value = dense<[5.0, 1.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<0.25> : tensor<1x1x2x2xf32>} : () -> tensor<1x1x2x2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<1x2x3x2xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [2 : i32, 1 : i32], pad = [1 : i32, 0 : i32, 0 : i32, 0 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x2x3x1xf32>
  return %1 : tensor<1x2x3x1xf32>
}

func.func @padded_without_bias(%x: tensor<1x2x3x2xf32>) -> tensor<1x2x3x1xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %b = "tir.const"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<0.25> : tensor<1x1x2x2xf32>} : () -> tensor<1x1x2x2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<1x2x3x2xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [2 : i32, 1 : i32], pad = [1 : i32, 0 : i32, 0 : i32, 0 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x2x3x1xf32>
  return %1 : tensor<1x2x3x1xf32>
}

// A matrix of low rank is two; so are two kernels, two readers, and groups.
// CHECK-LABEL:   func.func @low_rank
// CHECK-COUNT-2: tir.conv2d
// CHECK-LABEL:   func.func @two_kernels
// CHECK-COUNT-2: tir.conv2d
// CHECK-LABEL:   func.func @two_readers
// CHECK-COUNT-2: tir.conv2d
// CHECK-LABEL:   func.func @groups
// CHECK-COUNT-2: tir.conv2d
func.func @low_rank(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %v = "tir.const"() {value = dense<0.25> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x3x1xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x3x4xf32>
  return %1 : tensor<1x2x3x4xf32>
}

func.func @two_kernels(%x: tensor<1x2x4x2xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<2x1x2x2xf32>} : () -> tensor<2x1x2x2xf32>
  %v = "tir.const"() {value = dense<0.25> : tensor<1x1x2x2xf32>} : () -> tensor<1x1x2x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [2 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<2x1x2x2xf32>) -> tensor<1x2x3x2xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [2 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x2x2x1xf32>
  return %1 : tensor<1x2x2x1xf32>
}

func.func @two_readers(%x: tensor<1x2x3x2xf32>) -> (tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) {
  %w = "tir.const"() {value = dense<0.5> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x3x2xf32>
  %1 = "tir.conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x3x2xf32>
  return %0, %1 : tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>
}

func.func @groups(%x: tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<0.25> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {group = 2 : i32, kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x3x2xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x3x2xf32>
  return %1 : tensor<1x2x3x2xf32>
}
