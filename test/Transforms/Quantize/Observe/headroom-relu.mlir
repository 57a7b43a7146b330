// REQUIRES: mlir
// A ReLU has cut off one channel in nearly all samples. What it reads
// says how far the channel goes in others: its factor leaves that room.

// RUN: %python %S/../Inputs/headroom.py %t.d
// RUN: xc-opt %s --tir-quantize='calibration=%t.d/cut validation=%t.d/beyond fit=false report=-' -o %t.mlir 2>&1 | FileCheck %s
// CHECK: end to end {{ *}}4{{[0-9]\.}}
func.func @main(%x: tensor<1x1x1x2xf32>) -> tensor<1x1x1x4xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0, 0.0]]], [[[0.0, 1.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %v = "tir.const"() {value = dense<[[[[0.9, 0.0]]], [[[0.5, 0.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %u = "tir.const"() {value = dense<[[[[1.0, 0.0, 0.0, 0.0]]], [[[0.0, 1.0, 0.0, 0.0]]], [[[0.0, 0.0, 1.0, 0.0]]], [[[0.0, 0.0, 0.0, 1.0]]]]> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %1 = "tir.relu"(%0) {op_name = "cut"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %2 = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %3 = "tir.relu"(%2) {op_name = "open"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %4 = "tir.concat"(%1, %3) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x4xf32>
  %5 = "tir.conv2d"(%4, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x1x1x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  return %5 : tensor<1x1x1x4xf32>
}
