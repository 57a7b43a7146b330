// REQUIRES: mlir
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import struct; open('%t/x.bin', 'wb').write(struct.pack('<8f', 1, 7, 0.5, -1, 0.25, 6.5, 3, 2))"
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t/x.bin report=-' -o %t/fixed.mlir 2>&1 | FileCheck %s --check-prefix=LOSS
// RUN: FileCheck %s --input-file=%t/fixed.mlir
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t/x.bin equalize=false' | FileCheck %s --check-prefix=APART

// A clamp that ends at 2.5 is scaled to where fix point 5 saturates.
// CHECK-LABEL: @at_any_number
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "clamp"{{.*}}output_fix_point = 5 : i32
// CHECK-NOT: clip
// LOSS: end to end {{[3-9][0-9]\.[0-9]+}}
// APART-LABEL: @at_any_number
// APART: "tir.clip"
func.func @at_any_number(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.clip"(%0) {min = 0.0 : f32, max = 2.5 : f32, op_name = "clamp"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %2 : tensor<1x2x4x1xf32>
}

// -----

// So is one that begins as far below zero as it ends above.
// CHECK-LABEL: @both_sides
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "NONE"{{.*}}op_name = "clamp"{{.*}}output_fix_point = 5 : i32
// CHECK-NOT: clip
// LOSS: end to end {{[3-9][0-9]\.[0-9]+}}
// APART-LABEL: @both_sides
// APART: "tir.clip"
func.func @both_sides(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<-1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x4x1xf32>
  %1 = "tir.clip"(%0) {min = -5.0 : f32, max = 5.0 : f32, op_name = "clamp"} : (tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
  %2 = "tir.conv2d"(%1, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x4x1xf32>
  return %2 : tensor<1x2x4x1xf32>
}

// -----

// The clamps of a convolution and of the sum that it is part of end at 3: one
// factor for all channels lets both saturate there.
// CHECK-LABEL: @of_a_sum
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "first"{{.*}}output_fix_point = [[POINT:[0-9]+]] : i32
// CHECK: "tir.eltwise-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "sum"{{.*}}output_fix_point = [[POINT]] : i32
// CHECK-NOT: clip
// LOSS: end to end {{[3-9][0-9]\.[0-9]+}}
// APART-LABEL: @of_a_sum
func.func @of_a_sum(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %u = "tir.const"() {value = dense<[[[[0.5, 1.0]]], [[[1.0, 0.5]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.clip"(%0) {min = 0.0 : f32, max = 3.0 : f32, op_name = "first", xc.implied = false} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.conv2d"(%1, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x4x2xf32>
  %3 = "tir.add"(%1, %2) : (tensor<1x2x4x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %4 = "tir.clip"(%3) {min = 0.0 : f32, max = 3.0 : f32, op_name = "sum", xc.implied = false} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %5 : tensor<1x2x4x1xf32>
}

// -----

// The same where rounding alone would prefer another factor: ReLU6 of sums either
// ends where fix points saturate, or remains what it is.
// CHECK-LABEL: @of_a_low_sum
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "low"
// CHECK-NOT: clip
// CHECK: return
// LOSS: end to end {{[3-9][0-9]\.[0-9]+}}
// APART-LABEL: @of_a_low_sum
func.func @of_a_low_sum(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[0.3125]]], [[[0.5625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %u = "tir.const"() {value = dense<[[[[-0.9375, -0.5625]]], [[[-0.125, 0.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.relu6"(%0) {op_name = "low"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.conv2d"(%1, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x4x2xf32>
  %3 = "tir.add"(%1, %2) : (tensor<1x2x4x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %4 = "tir.relu6"(%3) {op_name = "sum"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %5 : tensor<1x2x4x1xf32>
}

// -----

// Clamps that end at different numbers leave ReLU6 what it is.
// CHECK-LABEL: @of_two_ends
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU6"{{.*}}op_name = "low"
// CHECK: return
// LOSS: end to end {{[3-9][0-9]\.[0-9]+}}
// APART-LABEL: @of_two_ends
func.func @of_two_ends(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[0.9375]]], [[[0.8125]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %u = "tir.const"() {value = dense<[[[[-0.25, 0.1875]]], [[[0.25, -0.875]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.relu6"(%0) {op_name = "low"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.conv2d"(%1, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x4x2xf32>
  %3 = "tir.add"(%1, %2) : (tensor<1x2x4x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %4 = "tir.clip"(%3) {min = 0.0 : f32, max = 4.5 : f32, op_name = "sum"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %5 : tensor<1x2x4x1xf32>
}

// -----

// Clamps far beyond the samples, as exporters write them for none, set no fix
// point: 8 bits saturate before them.
// CHECK-LABEL: @far_beyond
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "half"
// CHECK: "tir.eltwise-fix"{{.*}}nonlinear = "NONE"
// CHECK-NOT: clip
// LOSS: end to end {{[3-9][0-9]\.[0-9]+}}
// APART-LABEL: @far_beyond
// APART: "tir.conv2d-fix"{{.*}}op_name = "half", output_fix_point = 8 : i32
func.func @far_beyond(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[0.0625]]], [[[0.03125]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %u = "tir.const"() {value = dense<[[[[0.5, -1.0]]], [[[1.0, 0.5]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.clip"(%0) {min = 0.0 : f32, max = 127.0 : f32, op_name = "half"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.conv2d"(%1, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x4x2xf32>
  %3 = "tir.add"(%1, %2) : (tensor<1x2x4x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %4 = "tir.clip"(%3) {min = -128.0 : f32, max = 127.0 : f32, op_name = "sum"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %5 : tensor<1x2x4x1xf32>
}
