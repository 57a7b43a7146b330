// REQUIRES: mlir
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import struct; open('%t/x.bin', 'wb').write(struct.pack('<8f', 1, 7, 0.5, -1, 0.25, 6.5, -3, 2))"
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t/x.bin report=-' -o %t/fixed.mlir 2>&1 | FileCheck %s --check-prefix=LOSS
// RUN: FileCheck %s --input-file=%t/fixed.mlir
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t/x.bin equalize=false' | FileCheck %s --check-prefix=APART

// The numbers that are added are in the biases of both convolutions.
// CHECK-LABEL: @lower
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "clamp"
// CHECK: "tir.conv2d-fix"
// CHECK-NOT: tir.clip
// CHECK-NOT: depthwise
// LOSS: end to end {{exact|[0-9]*[3-9][0-9][.]}}
func.func @lower(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.clip"(%0) {min = -1.5 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %y = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %y : tensor<1x2x4x1xf32>
}

// -----

// Zeros that a reader pads with are no part of the sum.
// CHECK-LABEL: @padded
// CHECK: "tir.conv2d-fix"
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}nonlinear = "NONE", op_name = "clamp"
// CHECK: "tir.conv2d-fix"
// LOSS: end to end {{exact|[0-9]*[3-9][0-9][.]}}
func.func @padded(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<0.25> : tensor<1x3x3x2xf32>} : () -> tensor<1x3x3x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.clip"(%0) {min = 0.5 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %y = "tir.conv2d"(%1, %v) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x2x4x1xf32>
  return %y : tensor<1x2x4x1xf32>
}

// -----

// CHECK-LABEL: @upper
// CHECK-DAG: dense<{{.*}}-{{.*}}-{{.*}}> : tensor<2x1x1x1xi8>
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "clamp"
// CHECK-NOT: depthwise
// LOSS: end to end {{exact|[0-9]*[3-9][0-9][.]}}
func.func @upper(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.clip"(%0) {max = 1.5 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %y = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %y : tensor<1x2x4x1xf32>
}

// -----

// Saturation ends it above, here with a zero point below, or a second ReLU.
// CHECK-LABEL: @both
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "NONE"{{.*}}output_fix_point = 6 : i32
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}nonlinear = "NONE", op_name = "clamp"
// CHECK-NOT: depthwise
// LOSS: end to end {{exact|[0-9]*[3-9][0-9][.]}}
// APART-LABEL: @both
// APART: "tir.conv2d-fix"
// APART: "tir.depthwise-conv2d-fix"
// APART: "tir.depthwise-conv2d-fix"
// APART: "tir.conv2d-fix"
// APART-NOT: tir.clip
// APART: return
func.func @both(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<0.25> : tensor<1x3x3x2xf32>} : () -> tensor<1x3x3x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.clip"(%0) {min = -0.5 : f32, max = 2.5 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %y = "tir.conv2d"(%1, %v) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x2x4x1xf32>
  return %y : tensor<1x2x4x1xf32>
}

// -----

// In front of a leaky ReLU the clamp is at -2.
// CHECK-LABEL: @leaky
// CHECK: "tir.conv2d-fix"
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}op_name = "clamp"
// CHECK: "tir.prelu-fix"{{.*}}op_name = "leaky"
// CHECK: "tir.conv2d-fix"
// LOSS: end to end {{exact|[0-9]*[3-9][0-9][.]}}
func.func @leaky(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.leaky-relu"(%0) {alpha = 0.25 : f32, op_name = "leaky"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.clip"(%1) {min = -0.5 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %y = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %y : tensor<1x2x4x1xf32>
}

// -----

// Nothing is left of it behind a clamp that begins above zero.
// CHECK-LABEL: @positive
// CHECK-NOT: prelu
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "clamp"
// CHECK-NOT: prelu
// LOSS: end to end {{exact|[0-9]*[3-9][0-9][.]}}
func.func @positive(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.leaky-relu"(%0) {alpha = 0.25 : f32, op_name = "leaky"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.clip"(%1) {min = 0.5 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %y = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %y : tensor<1x2x4x1xf32>
}

// -----

// The one that a convolution computes stays there.
// CHECK-LABEL: @fused
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "LEAKYRELU"
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}op_name = "clamp"
// CHECK: "tir.conv2d-fix"
// LOSS: end to end {{exact|[0-9]*[3-9][0-9][.]}}
func.func @fused(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.leaky-relu"(%0) {alpha = 0.1 : f32, op_name = "leaky"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.clip"(%1) {min = -0.2 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %y = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %y : tensor<1x2x4x1xf32>
}

// -----

// A maximum comes before all that is added and multiplied.
// CHECK-LABEL: @pooled
// CHECK: "tir.conv2d-fix"
// CHECK: "tir.pool-fix"
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}op_name = "clamp"
// CHECK: "tir.prelu-fix"
// CHECK: "tir.conv2d-fix"
// LOSS: end to end {{exact|[0-9]*[3-9][0-9][.]}}
func.func @pooled(%x: tensor<1x2x4x1xf32>) -> tensor<1x1x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.leaky-relu"(%0) {alpha = 0.25 : f32, op_name = "leaky"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.clip"(%1) {min = -0.5 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %3 = "tir.maxpool2d"(%2) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x2x4x2xf32>) -> tensor<1x1x2x2xf32>
  %y = "tir.conv2d"(%3, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x2x1xf32>
  return %y : tensor<1x1x2x1xf32>
}

// -----

// A convolution shifts the sum that it is part of.
// CHECK-LABEL: @sum
// CHECK: "tir.eltwise-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "clamp"
// CHECK-NOT: depthwise
// LOSS: end to end {{exact|[0-9]*[3-9][0-9][.]}}
func.func @sum(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %r = "tir.relu"(%0) : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %u = "tir.const"() {value = dense<[[[[0.5, -1.0]]], [[[1.0, 0.5]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %1 = "tir.conv2d"(%r, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.add"(%r, %1) : (tensor<1x2x4x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %3 = "tir.clip"(%2) {min = 1.0 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %y = "tir.conv2d"(%3, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %y : tensor<1x2x4x1xf32>
}

// -----

// Ends far beyond the samples are none: 8 bits end before them. Without the clamp
// both convolutions are one.
// CHECK-LABEL: @far
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "NONE"
// CHECK-NOT: {{clip|depthwise|RELU|conv2d}}
// CHECK: return
// LOSS: end to end {{exact|[0-9]*[3-9][0-9][.]}}
func.func @far(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.clip"(%0) {min = -20.0 : f32, max = 100.0 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %y = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %y : tensor<1x2x4x1xf32>
}

// -----

// Results of the function, and what the CPU computes, are clamped by the CPU.
// CHECK-LABEL: @results
// CHECK: "tir.fix2float"
// CHECK-NEXT: "tir.clip"
// LOSS: end to end exact
func.func @results(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.clip"(%0) {min = -1.5 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  return %1 : tensor<1x2x4x2xf32>
}

// -----

// CHECK-LABEL: @others
// CHECK: "tir.exp"
// CHECK-NEXT: "tir.clip"
// LOSS: end to end exact
func.func @others(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.exp"(%0) : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.clip"(%1) {min = 1.5 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %y = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %y : tensor<1x2x4x1xf32>
}
