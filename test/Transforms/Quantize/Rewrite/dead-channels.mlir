// REQUIRES: mlir
// A channel that is below zero in all samples has the largest bias, and after the
// ReLU a normalisation with a factor of 300: both come down to those of the other
// channel, whose numbers keep their bits. The samples do not tell the difference.

// RUN: %python %S/../Inputs/headroom.py %t.d
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t.d/spread equalize=false fit=false' | FileCheck %s
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t.d/spread' | FileCheck %s --check-prefix=EQUAL

// CHECK-LABEL: @dead
// CHECK: dense<[-102, 102]> : tensor<2xi8>
// CHECK: "tir.conv2d-fix"{{.*}}bias_fix_point = 10
// CHECK: dense<96> : tensor<1x1x1x2xi8>
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}weight_fix_point = 6
// EQUAL-LABEL: @dead
// EQUAL: dense<{{.*}}, {{\[\[\[}}{{[1-9][0-9]+}}]]]]> : tensor<2x1x1x1xi8>
func.func @dead(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.5]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[-60.0, 0.1]> : tensor<2xf32>} : () -> tensor<2xf32>
  %g = "tir.const"() {value = dense<[[[[300.0, 1.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %h = "tir.const"() {value = dense<[0.5, 0.1]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
  %1 = "tir.relu"(%0) {op_name = "relu"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %2 = "tir.depthwise-conv2d"(%1, %g, %h) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
  return %2 : tensor<1x1x1x2xf32>
}

// -----

// One that a few samples light is not dead, and one whose numbers are hardly larger
// than those of the others does no harm.
// CHECK-LABEL: @alive
// CHECK: dense<[-102, 26]> : tensor<2xi8>
// CHECK: "tir.conv2d-fix"{{.*}}bias_fix_point = 8
// CHECK: dense<{{\[\[\[\[}}75, 0]]]]> : tensor<1x1x1x2xi8>
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}weight_fix_point = -2
func.func @alive(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.5]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[-0.4, 0.1]> : tensor<2xf32>} : () -> tensor<2xf32>
  %g = "tir.const"() {value = dense<[[[[300.0, 1.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
  %1 = "tir.relu"(%0) {op_name = "relu"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %2 = "tir.depthwise-conv2d"(%1, %g) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %2 : tensor<1x1x1x2xf32>
}

// -----

// CHECK-LABEL: @near
// CHECK: dense<[{{-(9[0-9]|1[0-2][0-9])}}, {{[2-4][0-9]}}]> : tensor<2xi8>
func.func @near(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.1]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[-0.9, 0.3]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
  %1 = "tir.relu"(%0) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %1 : tensor<1x1x1x2xf32>
}
