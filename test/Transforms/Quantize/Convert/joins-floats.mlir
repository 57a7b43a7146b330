// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=2' | FileCheck %s

// Scores behind a sigmoid that are put beside coordinates for the caller stay
// what they are: at the fix point of the coordinates nothing would be left of
// them. Where a convolution goes on with them they are rounded.
// CHECK: [[BOXES:%.*]] = "tir.fix2float"
// CHECK: [[SCORES:%.*]] = "tir.sigmoid"([[BOXES]])
// CHECK: "tir.concat-fix"{{.*}}op_name = "inside"
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "behind"
// CHECK: "tir.concat"([[BOXES]], [[SCORES]]){{.*}}op_name = "results"
// CHECK-NOT: -fix"
func.func @main(%x: tensor<1x4x4x1xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x1xf32>) {
  %w = "tir.const"() {value = dense<100.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %v = "tir.const"() {value = dense<1.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "boxes"} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "scores"} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %2 = "tir.concat"(%0, %1) {axis = 3 : i32, op_name = "inside", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "behind"} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x1xf32>
  %4 = "tir.concat"(%0, %1) {axis = 3 : i32, op_name = "results", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32>
  return %4, %3 : tensor<1x4x4x2xf32>, tensor<1x4x4x1xf32>
}

// -----

// As these range as far as the scores, it is for the scores alone.
// CHECK-LABEL: @same_range
// CHECK: "tir.concat"({{.*}}op_name = "results"{{.*}}xc.kept_float = "float-scores"
func.func @same_range(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "boxes"} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  %1 = "tir.sigmoid"(%0) {op_name = "scores"} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %2 = "tir.concat"(%0, %1) {axis = 3 : i32, op_name = "results", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32>
  return %2 : tensor<1x4x4x2xf32>
}
