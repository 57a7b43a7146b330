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

// -----

// Slices say what belongs together, and read the layers. One that the CPU reads
// over a reshape wants its own fix point within two bits.
// CHECK-LABEL: @slices
// CHECK: %[[L:.*]] = "tir.conv2d-fix"{{.*}} -> tensor<1x4x4x3xi8>
// CHECK: %[[S:.*]] = "tir.conv2d-fix"{{.*}} -> tensor<1x4x4x1xi8>
// CHECK-DAG: "tir.strided_slice-fix"(%[[L]]) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 1 : i32]
// CHECK-DAG: "tir.strided_slice-fix"(%[[L]]) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 4 : i32, 4 : i32, 3 : i32]
// CHECK-DAG: "tir.strided_slice-fix"(%[[S]]) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 1 : i32]
// CHECK-NOT: tir.concat
// CHECK: return
func.func @slices(%x: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x1xf32>, tensor<1x16x1xf32>, tensor<1x4x4x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0, -0.5]]], [[[0.1, 0.05]]], [[[0.9, 0.3]]], [[[-0.8, 0.2]]]]> : tensor<4x1x1x2xf32>} : () -> tensor<4x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x2xf32>, tensor<4x1x1x2xf32>) -> tensor<1x4x4x4xf32>
  %a = "tir.strided_slice"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 1 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x1xf32>
  %b = "tir.strided_slice"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 4 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x1xf32>
  %c = "tir.strided_slice"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, -2 : i32], end = [1 : i32, 4 : i32, 4 : i32, 4 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.reshape"(%b) {shape = [1 : i32, 16 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x16x1xf32>
  %2 = "tir.exp"(%1) : (tensor<1x16x1xf32>) -> tensor<1x16x1xf32>
  %3 = "tir.relu"(%c) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %a, %2, %3 : tensor<1x4x4x1xf32>, tensor<1x16x1xf32>, tensor<1x4x4x2xf32>
}

// -----

// Layers on the DPU that read a small slice have factors for it; what overlaps
// another slice cannot be taken away.
// CHECK-LABEL: @slices_not
// CHECK: "tir.conv2d-fix"{{.*}} -> tensor<1x4x4x2xi8>
// CHECK: "tir.conv2d-fix"{{.*}} -> tensor<1x4x4x3xi8>
func.func @slices_not(%x: tensor<1x4x4x1xf32>) -> (tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.1]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0]]], [[[0.1]]], [[[0.1]]]]> : tensor<3x1x1x1xf32>} : () -> tensor<3x1x1x1xf32>
  %u = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x4x4x2xf32>
  %a = "tir.strided_slice"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 1 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x1xf32>
  %b = "tir.strided_slice"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 4 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x1xf32>
  %1 = "tir.conv2d"(%b, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  %2 = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>, tensor<3x1x1x1xf32>) -> tensor<1x4x4x3xf32>
  %c = "tir.strided_slice"(%2) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x2xf32>
  %d = "tir.strided_slice"(%2) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 4 : i32, 4 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.exp"(%c) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = "tir.exp"(%d) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %a, %1, %3, %4 : tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}
