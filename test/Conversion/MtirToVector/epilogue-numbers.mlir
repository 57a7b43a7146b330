// REQUIRES: mlir
// RUN: xc-test-cpu --random-constants %s | FileCheck %s

// Every step that a convolution can do itself gives the reference's numbers on
// every level that this machine has.
// CHECK-NOT: differs
// CHECK: conv_silu_add: x86-64: same
// CHECK: conv_silu_add: native: same
// CHECK-NOT: differs

func.func @conv_relu(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.relu"(%0) : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_relu6(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.relu6"(%0) : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_clip(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.clip"(%0) {min = -0.25 : f32, max = 0.5 : f32} : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_leaky_relu(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.leaky-relu"(%0) {alpha = 0.1 : f32} : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_elu(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.elu"(%0) {alpha = 0.7 : f32} : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_hard_sigmoid(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.hard-sigmoid"(%0) {alpha = 0.2 : f32, beta = 0.5 : f32} : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_hard_swish(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.hard-swish"(%0) : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_sigmoid(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_tanh(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.tanh"(%0) : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_softplus(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.softplus"(%0) : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_exp(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.exp"(%0) : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_neg(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.neg"(%0) : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_abs(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.abs"(%0) : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_add(%x: tensor<1x5x6x5xf32>, %r: tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.add"(%0, %r) : (tensor<1x5x6x19xf32>, tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_sub(%x: tensor<1x5x6x5xf32>, %r: tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.sub"(%0, %r) : (tensor<1x5x6x19xf32>, tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_mul(%x: tensor<1x5x6x5xf32>, %r: tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.mul"(%0, %r) : (tensor<1x5x6x19xf32>, tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_div(%x: tensor<1x5x6x5xf32>, %r: tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.div"(%0, %r) : (tensor<1x5x6x19xf32>, tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_prelu(%x: tensor<1x5x6x5xf32>, %r: tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.prelu"(%0, %r) : (tensor<1x5x6x19xf32>, tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_prelu_channels(%x: tensor<1x5x6x5xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %s = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %1 = "tir.prelu"(%0, %s) : (tensor<1x5x6x19xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  return %1 : tensor<1x5x6x19xf32>
}

func.func @conv_silu_add(%x: tensor<1x5x6x5xf32>, %r: tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<1x5x6x19xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  %2 = "tir.mul"(%0, %1) : (tensor<1x5x6x19xf32>, tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  %3 = "tir.add"(%r, %2) : (tensor<1x5x6x19xf32>, tensor<1x5x6x19xf32>) -> tensor<1x5x6x19xf32>
  return %3 : tensor<1x5x6x19xf32>
}
