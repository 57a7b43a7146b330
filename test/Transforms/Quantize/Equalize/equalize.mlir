// REQUIRES: mlir
// RUN: rm -rf %t && mkdir %t
// RUN: split-file %s %t && %python -c "import struct; open('%t/x.bin', 'wb').write(struct.pack('<4f', 1, -1, .5, .25)); open('%t/half.bin', 'wb').write(struct.pack('<4f', .3, .3, .3, .3))"
// RUN: xc-opt %t/pair.mlir --tir-quantize='calibration=%t/x.bin fit=false' | FileCheck %s --check-prefix=PAIR
// RUN: xc-opt %t/pair.mlir --tir-quantize='calibration=%t/x.bin equalize=false fit=false' | FileCheck %s --check-prefix=APART
// RUN: xc-opt %t/tied.mlir --tir-quantize='calibration=%t/x.bin fit=false' | FileCheck %s --check-prefix=TIED
// RUN: xc-opt %t/bound.mlir --tir-quantize='calibration=%t/x.bin fit=false' -o %t/1.mlir
// RUN: xc-opt %t/bound.mlir --tir-quantize='calibration=%t/x.bin equalize=false fit=false' -o %t/2.mlir
// RUN: diff %t/1.mlir %t/2.mlir
// RUN: xc-opt %t/joined.mlir --tir-quantize='calibration=%t/x.bin fit=false' | FileCheck %s --check-prefix=JOINED
// RUN: xc-opt %t/prelu.mlir --tir-quantize='calibration=%t/x.bin fit=false' | FileCheck %s --check-prefix=PAIR
// RUN: xc-opt %t/constant.mlir --tir-quantize='calibration=%t/x.bin fit=false' | FileCheck %s --check-prefix=LEVEL
// RUN: xc-opt %t/reshaped.mlir --tir-quantize='calibration=%t/x.bin fit=false' | FileCheck %s --check-prefix=PAIR
// RUN: xc-opt %t/torn.mlir --tir-quantize='calibration=%t/x.bin fit=false' | FileCheck %s --check-prefix=APART
// RUN: xc-opt %t/off.mlir --tir-quantize='calibration=%t/x.bin fit=false' | FileCheck %s --check-prefix=OFF
// RUN: xc-opt %t/bias.mlir --tir-quantize='calibration=%t/half.bin fit=false' | FileCheck %s --check-prefix=BIAS

// Filters of 1 and 1/64 share a fix point, and so do the weights 1/64 and 1
// that read their results. Each half is made eight times as large.
// PAIR: value = dense<64> : tensor<2x1x1x1xi8>
// PAIR: value = dense<64> : tensor<1x1x1x2xi8>
// LEVEL: value = dense<{{[0-9]+}}> : tensor<2x1x1x1xi8>
// LEVEL: value = dense<{{[0-9]+}}> : tensor<1x1x1x2xi8>
// APART: value = dense<{{\[\[\[\[}}64]]], {{\[\[\[}}1]]]]> : tensor<2x1x1x1xi8>
// APART: value = dense<{{\[\[\[\[}}1, 64]]]]> : tensor<1x1x1x2xi8>

// Tensors that meet in an addition have one factor; the depthwise weights on
// the way stay what they are.
// TIED: value = dense<64> : tensor<2x1x1x1xi8>
// TIED: value = dense<64> : tensor<1x1x1x2xi8>
// TIED: value = dense<64> : tensor<1x1x1x2xi8>

// A concatenation hands factors on, and so do padding, resampling and slices:
// both pairs of channels are levelled, each against its part of the weights that
// read all four. The last two, which nothing makes or reads, stay.
// JOINED-DAG: value = dense<64> : tensor<2x1x1x1xi8>
// JOINED-DAG: value = dense<64> : tensor<2x1x1x1xi8>
// JOINED-DAG: value = dense<{{\[\[\[\[}}64, 64, 64, 64, 0, 0]]]]> : tensor<1x1x1x6xi8>

// The input 0.3 becomes 77 / 256, and a weight of 0.3 as well. The bias takes
// back the 4 * ((77 / 256)^2 - 0.09) by which the sum of four taps is too large.
// BIAS: dense<-123> : tensor<1xi8>
// BIAS: bias_fix_point = 16

// A channel of a concatenation that its bias keeps off gets no factor: its weights
// and bias would be the largest of the convolution.
// OFF: value = dense<64> : tensor<2x1x1x1xi8>
// OFF: bias_fix_point = 6
// OFF: value = dense<64> : tensor<1x1x1x4xi8>

//--- pair.mlir
func.func @pair(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.relu"(%0) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %2 : tensor<1x2x2x1xf32>
}
//--- tied.mlir
func.func @tied(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %d = "tir.const"() {value = dense<1.0> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.depthwise-conv2d"(%0, %d) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.add"(%0, %1) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %3 : tensor<1x2x2x1xf32>
}
//--- bound.mlir
// Who else takes the tensor needs its numbers: a result, an addition with a
// constant, ReLU6.
func.func @bound(%x: tensor<1x2x2x1xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x1xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %one = "tir.const"() {value = dense<1.0> : tensor<1x2x2x2xf32>} : () -> tensor<1x2x2x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.conv2d"(%0, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  %2 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.add"(%2, %one) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %4 = "tir.relu6"(%3) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %5 = "tir.conv2d"(%3, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %1, %0, %4, %5 : tensor<1x2x2x1xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x1xf32>
}
//--- off.mlir
func.func @off(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[0.0, -2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<1.0> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.relu"(%0) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.maxpool2d"(%1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "tir.concat"(%1, %2) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x4xf32>
  %4 = "tir.conv2d"(%3, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x2x1xf32>
  return %4 : tensor<1x2x2x1xf32>
}
//--- bias.mlir
func.func @bias(%x: tensor<1x2x2x1xf32>) -> tensor<1x1x1x1xf32> {
  %w = "tir.const"() {value = dense<0.3> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %b = "tir.const"() {value = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}
//--- joined.mlir
func.func @joined(%x: tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %u = "tir.const"() {value = dense<[[[[0.015625]]], [[[1.0]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0, 1.0, 0.015625, 0.0, 0.0]]]]> : tensor<1x1x1x6xf32>} : () -> tensor<1x1x1x6xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.conv2d"(%x, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.resize"(%0) {size = [4 : i32, 4 : i32]} : (tensor<1x2x2x2xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.strided_slice"(%2) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 3 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x3x3x2xf32>
  %4 = "tir.pad"(%1) {paddings = [0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 1 : i32, 0 : i32, 2 : i32]} : (tensor<1x2x2x2xf32>) -> tensor<1x3x3x4xf32>
  %5 = "tir.concat"(%3, %4) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x3x2xf32>, tensor<1x3x3x4xf32>) -> tensor<1x3x3x6xf32>
  %6 = "tir.conv2d"(%5, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x6xf32>, tensor<1x1x1x6xf32>) -> tensor<1x3x3x1xf32>
  return %6 : tensor<1x3x3x1xf32>
}
//--- constant.mlir
// A constant hands them on, whichever rows it is for.
func.func @constant(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %c = "tir.const"() {value = dense<[[[[0.5, 0.5]], [[1.0, 1.0]]]]> : tensor<1x2x1x2xf32>} : () -> tensor<1x2x1x2xf32>
  %m = "tir.mul"(%0, %c) : (tensor<1x2x2x2xf32>, tensor<1x2x1x2xf32>) -> tensor<1x2x2x2xf32>
  %y = "tir.conv2d"(%m, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %y : tensor<1x2x2x1xf32>
}
//--- reshaped.mlir
// So do two pixels as one of more channels, and these as pixels again.
func.func @reshaped(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 2 : i32, 1 : i32, 4 : i32]} : (tensor<1x2x2x2xf32>) -> tensor<1x2x1x4xf32>
  %2 = "tir.maxpool2d"(%1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>
  %m = "tir.reshape"(%2) {shape = [1 : i32, 2 : i32, 2 : i32, 2 : i32]} : (tensor<1x2x1x4xf32>) -> tensor<1x2x2x2xf32>
  %y = "tir.conv2d"(%m, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %y : tensor<1x2x2x1xf32>
}
//--- torn.mlir
// Where a reshape mixes them there are none.
func.func @torn(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 2 : i32, 4 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>) -> tensor<1x2x4x1xf32>
  %2 = "tir.maxpool2d"(%1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
  %m = "tir.reshape"(%2) {shape = [1 : i32, 2 : i32, 2 : i32, 2 : i32]} : (tensor<1x2x4x1xf32>) -> tensor<1x2x2x2xf32>
  %y = "tir.conv2d"(%m, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %y : tensor<1x2x2x1xf32>
}
//--- prelu.mlir
// A slope for each channel hands factors on, too.
func.func @prelu(%x: tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.015625, 1.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %s = "tir.const"() {value = dense<[0.25, 0.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = "tir.prelu"(%0, %s) : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  return %2 : tensor<1x2x2x1xf32>
}
