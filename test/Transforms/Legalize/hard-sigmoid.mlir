// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize
// No engine of this target computes hard sigmoids.
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=%S/Inputs/dense.json})' %s | FileCheck %s --check-prefix=NONE
// NONE-COUNT-3: alpha = 2.500000e-01

// 6 * 0.25 and 6 * 0.75 - 3.
// CHECK-LABEL: func.func @into
// CHECK: value = dense<{{.*}}1.500000e+00, 3.000000e+00{{.*}}-1.500000e+00, 7.500000e-01{{.*}}3.750000e-01, 4.500000e+00
// CHECK: value = dense<[3.000000e+00, -1.500000e+00, 2.250000e+00]>
// CHECK: %[[CONV:.*]] = "tir.conv2d"
// CHECK: "tir.hard-sigmoid"(%[[CONV]]) : (tensor<1x2x2x3xf32>)
func.func @into(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x3xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0, 2.0]]], [[[-1.0, 0.5]]], [[[0.25, 3.0]]]]> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %b = "tir.const"() {value = dense<[1.0, -2.0, 0.5]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<3x1x1x2xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.hard-sigmoid"(%c) {alpha = 0.25 : f32, beta = 0.75 : f32} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// What is no convolution's result; what no engine takes; nearly 1/6.
// CHECK-LABEL: func.func @other
// CHECK: %[[LINE:.*]] = "tir.depthwise-conv2d"(%arg0
// CHECK: "tir.hard-sigmoid"(%[[LINE]]) :
// CHECK: "tir.hard-sigmoid"(%arg1) {alpha = 2.500000e-01 : f32}
// CHECK: "tir.hard-sigmoid"(%arg0) {alpha = 1.667000e-01 : f32}
func.func @other(%x: tensor<1x2x2x3xf32>, %z: tensor<4xf32>) -> (tensor<1x2x2x3xf32>, tensor<4xf32>, tensor<1x2x2x3xf32>) {
  %a = "tir.hard-sigmoid"(%x) {alpha = 0.25 : f32} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %b = "tir.hard-sigmoid"(%z) {alpha = 0.25 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "tir.hard-sigmoid"(%x) {alpha = 0.1667 : f32} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %a, %b, %c : tensor<1x2x2x3xf32>, tensor<4xf32>, tensor<1x2x2x3xf32>
}

// The operator before it has a list of operands, and only one in it.
// CHECK-LABEL: func.func @list
// CHECK: %[[CONCAT:.*]] = "tir.concat"
// CHECK: %[[LINE:.*]] = "tir.depthwise-conv2d"(%[[CONCAT]]
// CHECK: "tir.hard-sigmoid"(%[[LINE]]) :
func.func @list(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.concat"(%x) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %b = "tir.hard-sigmoid"(%a) {alpha = 0.25 : f32} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %b : tensor<1x2x2x3xf32>
}
