// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=4 fit=false' | FileCheck %s
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=4 keep-float=last' | FileCheck %s --check-prefix=KEPT

// Channels of small numbers have a layer of their own, with fix points of its
// own, and stand where they stood for the caller.
// CHECK-LABEL: @sizes
// CHECK: dense<{{\[\[\[\[}}64, -32]]], {{\[\[\[}}48, 0]]]]> : tensor<2x1x1x2xi8>
// CHECK: %[[L:.*]] = "tir.conv2d-fix"{{.*}}op_name = "last"{{.*}}tensor<1x4x4x2xi8>
// CHECK: dense<{{\[\[\[\[}}64, -32]]]]> : tensor<1x1x1x2xi8>
// CHECK: %[[S:.*]] = "tir.conv2d-fix"{{.*}}op_name = "last"{{.*}}tensor<1x4x4x1xi8>
// CHECK: %[[LF:.*]] = "tir.fix2float"(%[[L]])
// CHECK: %[[SF:.*]] = "tir.fix2float"(%[[S]])
// CHECK: %[[J:.*]] = "tir.concat"(%[[LF]], %[[SF]])
// CHECK: %[[P:.*]] = "tir.const"() {value = dense<[0, 2, 1]> : tensor<3xi32>}
// CHECK: %[[G:.*]] = "tir.gather"(%[[J]], %[[P]])
// CHECK: "tir.transpose"(%[[G]])
// KEPT-LABEL: @sizes
// KEPT: "tir.conv2d"({{.*}} -> tensor<1x4x4x3xf32>
func.func @sizes(%x: tensor<1x4x4x2xf32>) -> tensor<1x3x4x4xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0, -0.5]]], [[[0.0078125, -0.00390625]]], [[[0.75, 0.0]]]]> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %b = "tir.const"() {value = dense<[0.5, 0.00390625, 0.25]> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x2xf32>, tensor<3x1x1x2xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  return %1 : tensor<1x3x4x4xf32>
}

// -----

// What is in order is only joined.
// CHECK-LABEL: @in_order
// CHECK: "tir.conv2d-fix"
// CHECK: "tir.conv2d-fix"
// CHECK: %[[J:.*]] = "tir.concat"(
// CHECK-NEXT: return %[[J]]
func.func @in_order(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.03]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

// -----

// Sizes without a gap: one layer.
// CHECK-LABEL: @no_gap
// CHECK-NOT: tir.concat
// CHECK: return
func.func @no_gap(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x4xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.2]]], [[[0.04]]], [[[0.008]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// A layer goes on with it.
// CHECK-LABEL: @goes_on
// CHECK-NOT: tir.concat
// CHECK: return
func.func @goes_on(%x: tensor<1x4x4x1xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x1xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.01]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<1.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x1xf32>
  return %0, %1 : tensor<1x4x4x2xf32>, tensor<1x4x4x1xf32>
}

// -----

// So few numbers may be small by chance.
// CHECK-LABEL: @few
// CHECK-NOT: tir.concat
// CHECK: return
func.func @few(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.01]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}

// -----

// More parts than four are not made: the last ones are one.
// CHECK-LABEL: @many
// CHECK-COUNT-4: "tir.conv2d-fix"
// CHECK-NOT: "tir.conv2d-fix"
// CHECK: return
func.func @many(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x5xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.1]]], [[[0.01]]], [[[0.001]]], [[[0.0001]]]]> : tensor<5x1x1x1xf32>} : () -> tensor<5x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x1xf32>, tensor<5x1x1x1xf32>) -> tensor<1x4x4x5xf32>
  return %0 : tensor<1x4x4x5xf32>
}

// -----

// What the CPU computes of it is no result.
// CHECK-LABEL: @computed
// CHECK-NOT: tir.concat
// CHECK: return
func.func @computed(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.01]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.softmax"(%0) {axis = 3 : i32} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %1 : tensor<1x4x4x2xf32>
}
