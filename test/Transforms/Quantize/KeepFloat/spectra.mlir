// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=2' | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=2 float-statistics=false' | FileCheck %s --check-prefixes=OFF,ALL

// The filters under squares and a logarithm stay in floating point with what
// only they read, and so do those that sum power over bands; what comes after
// the logarithm does not.
// CHECK-LABEL: @spectrum
// CHECK-SAME: xc.spectra = "2 filters under squares and a logarithm, as 'parts', in floating point, on the CPU: 8 bits lose most of a spectrum in decibel"
// CHECK-NOT: -fix"
// CHECK: "tir.mul"{{.*}}op_name = "window"
// CHECK: "tir.conv2d"{{.*}}op_name = "parts"{{.*}}xc.kept_float = "float-spectrum"
// CHECK-NOT: -fix"
// CHECK: "tir.conv2d"{{.*}}op_name = "bands"{{.*}}xc.kept_float = "float-spectrum"
// CHECK-NOT: -fix"
// CHECK: "tir.log"
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "layer"
// OFF-LABEL: @spectrum
// OFF-NOT: xc.spectra
// OFF: "tir.conv2d-fix"{{.*}}op_name = "parts"
// OFF: "tir.conv2d-fix"{{.*}}op_name = "bands"
func.func @spectrum(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %h = "tir.const"() {value = dense<[[[[0.5, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %w = "tir.const"() {value = dense<[[[[0.5, -0.5]]], [[[0.3, 0.2]]], [[[0.3, -0.3]]], [[[0.6, 0.4]]]]> : tensor<4x1x1x2xf32>} : () -> tensor<4x1x1x2xf32>
  %m = "tir.const"() {value = dense<[[[[0.5, 0.0]]], [[[0.0, 0.6]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %e = "tir.const"() {value = dense<1.0e-8> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %a = "tir.mul"(%x, %h) {op_name = "window"} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %0 = "tir.conv2d"(%a, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "parts"} : (tensor<1x4x4x2xf32>, tensor<4x1x1x2xf32>) -> tensor<1x4x4x4xf32>
  %1 = "tir.strided_slice"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x2xf32>
  %2 = "tir.strided_slice"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 2 : i32], end = [1 : i32, 4 : i32, 4 : i32, 4 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.mul"(%1, %1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = "tir.mul"(%2, %2) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %5 = "tir.add"(%3, %4) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %6 = "tir.conv2d"(%5, %m) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "bands"} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %7 = "tir.add"(%6, %e) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
  %8 = "tir.log"(%7) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %9 = "tir.conv2d"(%8, %m) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "layer"} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  return %9 : tensor<1x4x4x2xf32>
}

// -----

// A logarithm of numbers that lie within a few factors of two does not ask for
// that, nor do squares without one.
// ALL-LABEL: @narrow
// ALL-NOT: xc.spectra
// ALL-DAG: "tir.conv2d-fix"{{.*}}op_name = "near"
// ALL-DAG: "tir.conv2d-fix"{{.*}}op_name = "energy"
func.func @narrow(%x: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[0.5, -0.5]]], [[[0.3, 0.2]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %e = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "near"} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.mul"(%0, %0) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = "tir.add"(%1, %e) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.log"(%2) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %4 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "energy"} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %5 = "tir.mul"(%4, %4) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %6 = "tir.sqrt"(%5) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %3, %6 : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// -----

// More than a CPU computes in some milliseconds is left to the DPU.
// ALL-LABEL: @large
// ALL-NOT: xc.spectra
// ALL: "tir.conv2d-fix"
func.func @large(%x: tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32> {
  %w = "tir.const"() {value = dense<0.01> : tensor<64x3x3x64xf32>} : () -> tensor<64x3x3x64xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x32x32x64xf32>, tensor<64x3x3x64xf32>) -> tensor<1x32x32x64xf32>
  %1 = "tir.mul"(%0, %0) : (tensor<1x32x32x64xf32>, tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  %2 = "tir.log"(%1) : (tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  return %2 : tensor<1x32x32x64xf32>
}
