// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=2' | FileCheck %s

// The expected value of a distribution, in units of the stride, is a few
// floating-point operations for each number; as convolutions on the DPU they
// would cost 8-bit rounding and a subgraph.
// CHECK-LABEL: @distribution
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "logits"
// CHECK: "tir.softmax"
// CHECK-NOT: "tir.float2fix"
// CHECK: "tir.conv2d"{{.*}}op_name = "expected"{{.*}}xc.kept_float = "float-expected"
// CHECK: "tir.mul"{{.*}}op_name = "scaled"
func.func @distribution(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x1xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<16x1x1x4xf32>} : () -> tensor<16x1x1x4xf32>
  %bins = "tir.const"() {value = dense<[[[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]]]]> : tensor<1x1x1x16xf32>} : () -> tensor<1x1x1x16xf32>
  %stride = "tir.const"() {value = dense<8.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "logits"} : (tensor<1x4x4x4xf32>, tensor<16x1x1x4xf32>) -> tensor<1x4x4x16xf32>
  %1 = "tir.softmax"(%0) {axis = 3 : i32, op_name = "bins"} : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %2 = "tir.conv2d"(%1, %bins) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "expected"} : (tensor<1x4x4x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x4x4x1xf32>
  %3 = "tir.mul"(%2, %stride) {op_name = "scaled"} : (tensor<1x4x4x1xf32>, tensor<1xf32>) -> tensor<1x4x4x1xf32>
  return %3 : tensor<1x4x4x1xf32>
}

// -----

// A layer of 18 multiply-accumulates for each number is work for the DPU.
// CHECK-LABEL: @layer
// CHECK: "tir.sigmoid"
// CHECK: "tir.float2fix"
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "layer"
func.func @layer(%x: tensor<1x8x8x4xf32>) -> tensor<1x6x6x4xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %v = "tir.const"() {value = dense<0.1> : tensor<4x3x3x4xf32>} : () -> tensor<4x3x3x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "first"} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.conv2d"(%1, %v) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], op_name = "layer"} : (tensor<1x8x8x4xf32>, tensor<4x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return %2 : tensor<1x6x6x4xf32>
}

// -----

// What a layer goes on with is no postprocessing, even where it is a result.
// CHECK-LABEL: @goes_on
// CHECK: "tir.sigmoid"
// CHECK: "tir.float2fix"
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "mixed"
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "layer"
func.func @goes_on(%x: tensor<1x8x8x4xf32>) -> (tensor<1x8x8x4xf32>, tensor<1x6x6x4xf32>) {
  %w = "tir.const"() {value = dense<1.0> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %v = "tir.const"() {value = dense<0.1> : tensor<4x3x3x4xf32>} : () -> tensor<4x3x3x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "first"} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.conv2d"(%1, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "mixed"} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], op_name = "layer"} : (tensor<1x8x8x4xf32>, tensor<4x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return %2, %3 : tensor<1x8x8x4xf32>, tensor<1x6x6x4xf32>
}

// -----

// Nor is a product with something else: scores times a tensor of the DPU.
// CHECK-LABEL: @gate
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "gate"
// CHECK: "tir.sigmoid"
// CHECK: "tir.float2fix"
// CHECK: "tir.{{.*}}-fix"{{.*}}op_name = "gated"
func.func @gate(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "first"} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "gate"} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.sigmoid"(%1) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.mul"(%0, %2) {op_name = "gated"} : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %3 : tensor<1x8x8x4xf32>
}

// -----

// The CPU casts the pixels, and normalises them before they are rounded.
// CHECK-LABEL: @pixels
// CHECK: %[[P:.*]] = "tir.cast"
// CHECK: %[[N:.*]] = "tir.mul"(%[[P]], {{.*}}op_name = "normalised"{{.*}}xc.kept_float = "float-bytes"
// CHECK: %[[Q:.*]] = "tir.float2fix"(%[[N]])
// CHECK: "tir.conv2d-fix"(%[[Q]]
func.func @pixels(%x: tensor<1x4x8x8xui8>) -> tensor<1x8x8x4xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %f = "tir.const"() {value = dense<[0.1, 0.2, 0.3, 0.4]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "tir.transpose"(%x) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x4x8x8xui8>) -> tensor<1x8x8x4xui8>
  %1 = "tir.cast"(%0) : (tensor<1x8x8x4xui8>) -> tensor<1x8x8x4xf32>
  %2 = "tir.mul"(%1, %f) {op_name = "normalised"} : (tensor<1x8x8x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  return %3 : tensor<1x8x8x4xf32>
}

// -----

// Floats that come as such may be scaled by the DPU.
// CHECK-LABEL: @floats
// CHECK: "tir.float2fix"(%arg0)
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}op_name = "normalised"
func.func @floats(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %f = "tir.const"() {value = dense<[[[[0.1, 0.2, 0.3, 0.4]]]]> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %2 = "tir.depthwise-conv2d"(%x, %f) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "normalised"} : (tensor<1x8x8x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  return %3 : tensor<1x8x8x4xf32>
}

// -----

// Boxes from priors: the first constant with a number for each position begins
// it, and takes the product of constants in front of it along.
// CHECK-LABEL: @priors
// CHECK: "tir.conv2d-fix"
// CHECK: "tir.fix2float"
// CHECK: "tir.mul"{{.*}}op_name = "variance"{{.*}}xc.kept_float = "float-decoding"
// CHECK: "tir.mul"{{.*}}op_name = "size"{{.*}}xc.kept_float = "float-decoding"
// CHECK: "tir.add"{{.*}}op_name = "centre"{{.*}}xc.kept_float = "float-decoding"
// CHECK: "tir.concat"
// CHECK-NOT: "tir.float2fix"
func.func @priors(%x: tensor<1x2x2x4xf32>) -> tensor<1x4x4xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %v = "tir.const"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %p = "tir.const"() {value = dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]]> : tensor<1x4x2xf32>} : () -> tensor<1x4x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x2x2x4xf32>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 4 : i32, 4 : i32]} : (tensor<1x2x2x4xf32>) -> tensor<1x4x4xf32>
  %2 = "tir.strided_slice"(%1) {begin = [0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4xf32>) -> tensor<1x4x2xf32>
  %3 = "tir.strided_slice"(%1) {begin = [0 : i32, 0 : i32, 2 : i32], end = [1 : i32, 4 : i32, 4 : i32], strides = [1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4xf32>) -> tensor<1x4x2xf32>
  %4 = "tir.mul"(%2, %v) {op_name = "variance"} : (tensor<1x4x2xf32>, tensor<f32>) -> tensor<1x4x2xf32>
  %5 = "tir.mul"(%4, %p) {op_name = "size"} : (tensor<1x4x2xf32>, tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  %6 = "tir.add"(%5, %p) {op_name = "centre"} : (tensor<1x4x2xf32>, tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  %7 = "tir.concat"(%6, %3) {axis = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x2xf32>, tensor<1x4x2xf32>) -> tensor<1x4x4xf32>
  return %7 : tensor<1x4x4xf32>
}

// -----

// A number for each channel begins nothing.
// CHECK-LABEL: @channels
// CHECK: "tir.pool-fix"
// CHECK: "tir.eltwise-fix"
func.func @channels(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x2x4xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %b = "tir.const"() {value = dense<[0.1, 0.2, 0.3, 0.4]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x4x4x4xf32>
  %1 = "tir.maxpool2d"(%0) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x2x2x4xf32>
  %2 = "tir.mul"(%1, %b) : (tensor<1x2x2x4xf32>, tensor<4xf32>) -> tensor<1x2x2x4xf32>
  return %2 : tensor<1x2x2x4xf32>
}
