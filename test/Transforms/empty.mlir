// Tensors without elements, and ranks at both ends, pass through both passes.
// RUN: xc-opt --tir-canonicalize --tir-legalize --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize
// RUN: RewriteEqualTest %s tir-legalize

// CHECK-LABEL: func.func @no_outputs
func.func @no_outputs(%x: tensor<1x3x3x2xf32>) -> (tensor<1x6x6x0xf32>, tensor<1x3x3x0xf32>) {
  %w = "tir.const"() {value = dense<> : tensor<0x1x1x2xf32>} : () -> tensor<0x1x1x2xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<0x1x1x2xf32>) -> tensor<1x3x3x0xf32>
  %y = "tir.pixel-shuffle"(%c) {scale = 2 : i32} : (tensor<1x3x3x0xf32>) -> tensor<1x6x6x0xf32>
  %g = "tir.const"() {value = dense<> : tensor<0x1x1x1xf32>} : () -> tensor<0x1x1x1xf32>
  %d = "tir.conv2d"(%x, %g) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], group = 2 : i32} : (tensor<1x3x3x2xf32>, tensor<0x1x1x1xf32>) -> tensor<1x3x3x0xf32>
  return %y, %d : tensor<1x6x6x0xf32>, tensor<1x3x3x0xf32>
}

// CHECK-LABEL: func.func @no_inputs
func.func @no_inputs(%x: tensor<1x3x3x0xf32>, %z: tensor<2x0xf32>) -> (tensor<1x3x3x2xf32>, tensor<2x3xf32>, tensor<1x3x3x0xf32>) {
  %w = "tir.const"() {value = dense<> : tensor<2x1x1x0xf32>} : () -> tensor<2x1x1x0xf32>
  %v = "tir.const"() {value = dense<> : tensor<0x3xf32>} : () -> tensor<0x3xf32>
  %m = "tir.const"() {value = dense<2.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %n = "tir.const"() {value = dense<> : tensor<0xf32>} : () -> tensor<0xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x0xf32>, tensor<2x1x1x0xf32>) -> tensor<1x3x3x2xf32>
  %d = "tir.mul"(%c, %m) : (tensor<1x3x3x2xf32>, tensor<2xf32>) -> tensor<1x3x3x2xf32>
  %e = "tir.matmul"(%z, %v) : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  %f = "tir.mul"(%x, %n) : (tensor<1x3x3x0xf32>, tensor<0xf32>) -> tensor<1x3x3x0xf32>
  return %d, %e, %f : tensor<1x3x3x2xf32>, tensor<2x3xf32>, tensor<1x3x3x0xf32>
}

// CHECK-LABEL: func.func @ranks
func.func @ranks(%x: tensor<f32>, %y: tensor<1x1x1x2x1x3x1x2xf32>) -> (tensor<f32>, tensor<1x1x1x3x1x2x1x2xf32>, tensor<0x4xf32>) {
  %one = "tir.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %two = "tir.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.mul"(%x, %one) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %b = "tir.mul"(%a, %two) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c = "tir.add"(%b, %two) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %d = "tir.reshape"(%c) {shape = []} : (tensor<f32>) -> tensor<f32>
  %e = "tir.transpose"(%y) {order = [1 : i32, 0 : i32, 2 : i32, 5 : i32, 4 : i32, 3 : i32, 6 : i32, 7 : i32]} : (tensor<1x1x1x2x1x3x1x2xf32>) -> tensor<1x1x1x3x1x2x1x2xf32>
  %k = "tir.const"() {value = dense<2.0> : tensor<4x4xf32>} : () -> tensor<4x4xf32>
  %s = "tir.strided_slice"(%k) {begin = [2 : i32, 0 : i32], end = [1 : i32, 4 : i32], strides = [1 : i32, 1 : i32]} : (tensor<4x4xf32>) -> tensor<0x4xf32>
  %t = "tir.strided_slice"(%s) {begin = [0 : i32, 0 : i32], end = [0 : i32, 4 : i32], strides = [1 : i32, 1 : i32]} : (tensor<0x4xf32>) -> tensor<0x4xf32>
  return %d, %e, %t : tensor<f32>, tensor<1x1x1x3x1x2x1x2xf32>, tensor<0x4xf32>
}
