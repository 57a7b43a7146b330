// REQUIRES: mlir
// RUN: rm -rf %t && mkdir %t && split-file %s %t
// RUN: xc-opt %t/moved.mlir --tir-quantize='calibration=random samples=4 equalize=false report=%t/report.txt' | FileCheck %s --check-prefix=MOVED
// RUN: FileCheck %s --check-prefix=REPORT --input-file %t/report.txt
// RUN: xc-opt %t/moved.mlir --tir-quantize='calibration=random samples=4 equalize=false zero-points=false' | FileCheck %s --check-prefix=KEPT
// RUN: xc-opt %t/limit.mlir --tir-quantize='calibration=random samples=4 report=-' 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: xc-opt %t/padded.mlir --tir-quantize='calibration=random samples=4 equalize=false' | FileCheck %s --check-prefix=KEPT
// RUN: xc-opt %t/shared.mlir --tir-quantize='calibration=random samples=4 equalize=false' | FileCheck %s --check-prefix=KEPT
// RUN: xc-opt %t/coarse.mlir --tir-quantize='calibration=random samples=4 equalize=false' | FileCheck %s --check-prefix=KEPT

// Numbers up to 1 have the fix point 8, and 0 is -128: 0.5 is subtracted from the
// bias, 0.1 to 0.2, and the reader adds it again, through the largest of windows as
// well. The report compares with the function as it was.
// MOVED: value = dense<[-102, -90, -77]> : tensor<3xi8>
// MOVED: "tir.conv2d-fix"{{.*}}bias_fix_point = 8 : i32, input_fix_point = 7 {{.*}}nonlinear = "NONE", op_name = "relu", output_fix_point = 8
// MOVED: "tir.pool-fix"{{.*}}input_fix_point = 8
// MOVED: "tir.conv2d-fix"{{.*}}input_fix_point = 8

// REPORT: end to end 4{{[5-9]}}.

// 6 is the largest integer of the fix point 6.
// LIMIT: conv2d-fix 6 4{{[0-9]}}.{{.*}} relu6
// LIMIT: end to end 4{{[0-9]}}.

// Not where a reader pads, which it would do with another number; where something
// else reads it; nor where the bias would not have the digits.
// KEPT: "tir.conv2d-fix"{{.*}} nonlinear = "RELU"{{.*}} output_fix_point = 7

//--- moved.mlir
func.func @main(%x: tensor<1x16x16x1xf32>) -> tensor<1x8x8x1xf32> {
  %w = "tir.const"() {value = dense<[[[[0.9]]], [[[-0.8]]], [[[0.7]]]]> : tensor<3x1x1x1xf32>} : () -> tensor<3x1x1x1xf32>
  %b = "tir.const"() {value = dense<[0.1, 0.15, 0.2]> : tensor<3xf32>} : () -> tensor<3xf32>
  %v = "tir.const"() {value = dense<[[[[0.5, 0.7, -0.3]]]]> : tensor<1x1x1x3xf32>} : () -> tensor<1x1x1x3xf32>
  %c = "tir.const"() {value = dense<0.05> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "first"} : (tensor<1x16x16x1xf32>, tensor<3x1x1x1xf32>, tensor<3xf32>) -> tensor<1x16x16x3xf32>
  %1 = "tir.relu"(%0) {op_name = "relu"} : (tensor<1x16x16x3xf32>) -> tensor<1x16x16x3xf32>
  %2 = "tir.maxpool2d"(%1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], op_name = "pool"} : (tensor<1x16x16x3xf32>) -> tensor<1x8x8x3xf32>
  %3 = "tir.conv2d"(%2, %v, %c) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x8x8x3xf32>, tensor<1x1x1x3xf32>, tensor<1xf32>) -> tensor<1x8x8x1xf32>
  return %3 : tensor<1x8x8x1xf32>
}
//--- padded.mlir
func.func @main(%x: tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32> {
  %w = "tir.const"() {value = dense<0.9> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %b = "tir.const"() {value = dense<0.1> : tensor<1xf32>} : () -> tensor<1xf32>
  %v = "tir.const"() {value = dense<0.1> : tensor<1x3x3x1xf32>} : () -> tensor<1x3x3x1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x8x8x1xf32>
  %1 = "tir.relu"(%0) : (tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32>
  %2 = "tir.conv2d"(%1, %v, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x1xf32>, tensor<1x3x3x1xf32>, tensor<1xf32>) -> tensor<1x8x8x1xf32>
  return %2 : tensor<1x8x8x1xf32>
}
//--- shared.mlir
func.func @main(%x: tensor<1x8x8x1xf32>) -> (tensor<1x8x8x1xf32>, tensor<1x8x8x1xf32>) {
  %w = "tir.const"() {value = dense<0.9> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %b = "tir.const"() {value = dense<0.1> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x8x8x1xf32>
  %1 = "tir.relu"(%0) : (tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32>
  %2 = "tir.conv2d"(%1, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x8x8x1xf32>
  return %1, %2 : tensor<1x8x8x1xf32>, tensor<1x8x8x1xf32>
}
//--- coarse.mlir
func.func @main(%x: tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32> {
  %w = "tir.const"() {value = dense<[[[[0.9]]], [[[9.05]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[0.1, -9.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<0.5> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %c = "tir.const"() {value = dense<0.1> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x8x8x2xf32>
  %1 = "tir.relu"(%0) : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  %2 = "tir.conv2d"(%1, %v, %c) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x2xf32>, tensor<1x1x1x2xf32>, tensor<1xf32>) -> tensor<1x8x8x1xf32>
  return %2 : tensor<1x8x8x1xf32>
}
//--- limit.mlir
func.func @main(%x: tensor<1x16x16x1xf32>) -> tensor<1x16x16x1xf32> {
  %w = "tir.const"() {value = dense<[[[[9.0]]], [[[-8.0]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[0.75, 0.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<[[[[0.5, 0.25]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %c = "tir.const"() {value = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x16x16x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x16x16x2xf32>
  %1 = "tir.relu6"(%0) {op_name = "relu6"} : (tensor<1x16x16x2xf32>) -> tensor<1x16x16x2xf32>
  %2 = "tir.conv2d"(%1, %v, %c) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x16x16x2xf32>, tensor<1x1x1x2xf32>, tensor<1xf32>) -> tensor<1x16x16x1xf32>
  return %2 : tensor<1x16x16x1xf32>
}
