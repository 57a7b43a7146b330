// REQUIRES: mlir
// RUN: %python %S/../Inputs/arguments.py %t.d
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t.d/sensors' | FileCheck %s --check-prefixes=SENSORS,BOTH
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t.d/planes' | FileCheck %s --check-prefix=PLANES
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t.d/offset' | FileCheck %s --check-prefix=OFFSET
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t.d/alike' | FileCheck %s --check-prefixes=ALIKE,BOTH
// RUN: sed '/^.. -----/,$d' %s | xc-opt --tir-quantize='calibration=%t.d/sensors keep-float=first' | FileCheck %s --check-prefix=KEPT
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t.d/sensors equalize=false' | FileCheck %s --check-prefix=OFF

// Channels of 2 and of 100 are multiplied by powers of two, so that they fill
// the same integers; the layer takes that back. One of 1000 to 1064 is moved to
// zero, too, which the bias takes back. Within three bits nothing happens.
// SENSORS-LABEL: @first
// SENSORS: %[[F:.*]] = "tir.const"() {value = dense<{{\[\[\[\[}}8.000000e+00, 2.500000e-01]]]]>
// SENSORS: %[[M:.*]] = "tir.mul"(%arg0, %[[F]])
// SENSORS: %[[Q:.*]] = "tir.float2fix"(%[[M]]){{.*}} fix_point = 2 : i32
// SENSORS: dense<{{\[\[\[\[}}127, 82]]], {{\[\[\[}}-64, 41]]]]> : tensor<2x1x1x2xi8>
// SENSORS: "tir.conv2d-fix"(%[[Q]]{{.*}}op_name = "first"
// OFFSET-LABEL: @first
// OFFSET: dense<[{{.*}}, -{{.*}}]> : tensor<2xf32>
// OFFSET: %[[M:.*]] = "tir.scale"(%arg0
// OFFSET: %[[Q:.*]] = "tir.float2fix"(%[[M]])
// OFFSET: "tir.conv2d-fix"(%[[Q]]{{.*}}op_name = "first"
// ALIKE-LABEL: @first
// ALIKE-NOT: tir.mul
// ALIKE: "tir.float2fix"(%arg0)
// OFF-LABEL: @first
// OFF-NOT: tir.mul
// OFF: "tir.float2fix"(%arg0)
// KEPT: "tir.conv2d"(%arg0
func.func @first(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0, 0.02]]], [[[-0.5, 0.01]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %b = "tir.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "first"} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

// -----

// Where the channels are in another place it is behind the transpose. Padding,
// which stays zero, leaves channels where they are.
// PLANES-LABEL: @planes
// PLANES: %[[T:.*]] = "tir.transpose"(%arg0)
// PLANES: %[[M:.*]] = "tir.mul"(%[[T]]
// PLANES: %[[Q:.*]] = "tir.float2fix"(%[[M]])
// PLANES: "tir.conv2d-fix"(%[[Q]]
func.func @planes(%x: tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<2x3x3x2xf32>} : () -> tensor<2x3x3x2xf32>
  %0 = "tir.transpose"(%x) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.conv2d"(%0, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>) -> tensor<1x4x4x2xf32>
  return %1 : tensor<1x4x4x2xf32>
}

// -----

// Small features beside pixels: all are as large then.
// BOTH-LABEL: @joined
// BOTH: %[[M:.*]] = "tir.mul"(%arg0
// BOTH: %[[Q:.*]] = "tir.float2fix"(%[[M]]){{.*}} fix_point = [[P:[0-9]+]] : i32
// BOTH: %[[F:.*]] = "tir.conv2d-fix"(%[[Q]]{{.*}}op_name = "features", output_fix_point = [[P]] : i32
// BOTH: "tir.concat-fix"(%[[Q]], %[[F]])
func.func @joined(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.01, 0.0]]], [[[0.01, -0.02]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %v = "tir.const"() {value = dense<[[[[0.01, 0.02, 0.5, 1.0]]], [[[0.01, -0.01, 0.5, 0.3]]]]> : tensor<2x1x1x4xf32>} : () -> tensor<2x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "features"} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.concat"(%x, %0) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x4xf32>
  %2 = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>, tensor<2x1x1x4xf32>) -> tensor<1x4x4x2xf32>
  return %2 : tensor<1x4x4x2xf32>
}

// -----

// A reader that cannot take factors back.
// SENSORS-LABEL: @bound
// SENSORS-NOT: tir.mul
// SENSORS: return
func.func @bound(%x: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0, 0.02]]], [[[-0.5, 0.01]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.sigmoid"(%x) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %0, %1 : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// -----

// Nor can one behind a concatenation: the multiplication goes away again.
// SENSORS-LABEL: @bound_later
// SENSORS-NOT: tir.mul
// SENSORS: return
func.func @bound_later(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.01, 0.0, 0.01, 0.0]]], [[[0.01, -0.02, 0.01, 0.01]]]]> : tensor<2x1x1x4xf32>} : () -> tensor<2x1x1x4xf32>
  %u = "tir.const"() {value = dense<[[[[0.01, 0.0]]], [[[0.01, -0.02]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.concat"(%x, %0) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x4xf32>
  %2 = "tir.hard-swish"(%1) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %3 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>, tensor<2x1x1x4xf32>) -> tensor<1x4x4x2xf32>
  return %3 : tensor<1x4x4x2xf32>
}

// -----

// Coordinates beside pixels.
// ALIKE-LABEL: @coordinates
// ALIKE: %[[C:.*]] = "tir.concat"(%arg0
// ALIKE: %[[M:.*]] = "tir.mul"(%[[C]]
// ALIKE: %[[Q:.*]] = "tir.float2fix"(%[[M]])
// ALIKE: "tir.conv2d-fix"(%[[Q]]
func.func @coordinates(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %c = "tir.const"() {value = dense<100.0> : tensor<1x4x4x1xf32>} : () -> tensor<1x4x4x1xf32>
  %w = "tir.const"() {value = dense<[[[[1.0, 0.2, 0.01]]], [[[-0.5, 0.1, 0.02]]]]> : tensor<2x1x1x3xf32>} : () -> tensor<2x1x1x3xf32>
  %0 = "tir.concat"(%x, %c) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x2xf32>, tensor<1x4x4x1xf32>) -> tensor<1x4x4x3xf32>
  %1 = "tir.conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x3xf32>, tensor<2x1x1x3xf32>) -> tensor<1x4x4x2xf32>
  return %1 : tensor<1x4x4x2xf32>
}
