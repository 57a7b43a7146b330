// REQUIRES: mlir
// RUN: rm -rf %t && mkdir %t
// RUN: split-file %s %t && %python -c "import struct; open('%t/x.bin', 'wb').write(struct.pack('<4f', 1, -1, .5, .25))"
// RUN: xc-opt %t/inner.mlir --tir-quantize='calibration=%t/x.bin fit=false' | FileCheck %s --check-prefix=INNER
// RUN: xc-opt %t/cut.mlir --tir-quantize='calibration=%t/x.bin fit=false' | FileCheck %s --check-prefix=CUT

// The second channel is a 64th of the first one all the way, but for the readers.
// Between two ReLUs writers and readers meet in the middle, four times each; what
// lies inside a separable convolution with one activation comes close to using
// the whole tensor.
// INNER: value = dense<{{\[\[\[\[}}64]]], {{\[\[\[}}49]]]]> : tensor<2x1x1x1xi8>
// INNER: value = dense<{{\[\[\[\[}}64, 28]]]]> : tensor<1x1x1x2xi8>
// INNER: value = dense<{{\[\[\[\[}}64, 3]]]]> : tensor<1x1x1x2xi8>
// CUT: value = dense<{{\[\[\[\[}}64]]], {{\[\[\[}}16]]]]> : tensor<2x1x1x1xi8>
// CUT: value = dense<{{\[\[\[\[}}64, 16]]]]> : tensor<1x1x1x2xi8>

//--- inner.mlir
func.func @inner(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %d = "tir.const"() {value = dense<1.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %v = "tir.const"() {value = dense<1.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.depthwise-conv2d"(%0, %d) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.relu"(%1) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}
//--- cut.mlir
func.func @cut(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %d = "tir.const"() {value = dense<1.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %v = "tir.const"() {value = dense<1.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %r = "tir.relu"(%0) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.depthwise-conv2d"(%r, %d) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.relu"(%1) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}
