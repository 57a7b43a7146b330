// REQUIRES: mlir
// RUN: xc-test-pairs %s | FileCheck %s
// RUN: xc-test-pairs --cpu %s | FileCheck %s
// CHECK: functions are right

func.func @boundary() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xui8>, tensor<4xui8>) {
  %x = "tir.const"() {value = dense<[1.25, -1.25, 0.75, 100.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "tir.float2fix"(%x) {fix_point = 1 : i32} : (tensor<4xf32>) -> tensor<4xi8>
  %a = "tir.const"() {value = dense<[3, -2, 2, 127]> : tensor<4xi8>} : () -> tensor<4xi8>
  %1 = "tir.float2fix"(%x) {fix_point = 1 : i32, round_mode = "STD_ROUND"} : (tensor<4xf32>) -> tensor<4xi8>
  %b = "tir.const"() {value = dense<[3, -3, 2, 127]> : tensor<4xi8>} : () -> tensor<4xi8>
  %2 = "tir.float2fix"(%x) {fix_point = 1 : i32, round_mode = "PY3_ROUND", bit_width = 4 : i32} : (tensor<4xf32>) -> tensor<4xi8>
  %c = "tir.const"() {value = dense<[2, -2, 2, 7]> : tensor<4xi8>} : () -> tensor<4xi8>
  %3 = "tir.fix2float"(%0) {fix_point = 1 : i32} : (tensor<4xi8>) -> tensor<4xf32>
  %d = "tir.const"() {value = dense<[1.5, -1.0, 1.0, 63.5]> : tensor<4xf32>} : () -> tensor<4xf32>
  %4 = "tir.fix"(%x) {fix_point = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = "tir.float2fix"(%x) {fix_point = 1 : i32, if_signed = false} : (tensor<4xf32>) -> tensor<4xui8>
  %e = "tir.const"() {value = dense<[3, 0, 2, 200]> : tensor<4xui8>} : () -> tensor<4xui8>
  return %0, %a, %1, %b, %2, %c, %3, %d, %4, %d, %5, %e : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xui8>, tensor<4xui8>
}

// -100 * 26 / 256 = -10.16; 6 at fix point 3 is 48; the slope 3 / 8.
func.func @activations() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %x = "tir.const"() {value = dense<[-100, 20, 100]> : tensor<3xi8>} : () -> tensor<3xi8>
  %s = "tir.const"() {value = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = "tir.relu-fix"(%x) {input_fix_point = 3 : i32, output_fix_point = 2 : i32} : (tensor<3xi8>) -> tensor<3xi8>
  %a = "tir.const"() {value = dense<[0, 10, 50]> : tensor<3xi8>} : () -> tensor<3xi8>
  %1 = "tir.relu6-fix"(%x) {input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<3xi8>) -> tensor<3xi8>
  %b = "tir.const"() {value = dense<[0, 20, 48]> : tensor<3xi8>} : () -> tensor<3xi8>
  %2 = "tir.leaky-relu-fix"(%x) : (tensor<3xi8>) -> tensor<3xi8>
  %c = "tir.const"() {value = dense<[-10, 20, 100]> : tensor<3xi8>} : () -> tensor<3xi8>
  %3 = "tir.prelu-fix"(%x, %s) {slope_fix_point = 3 : i32} : (tensor<3xi8>, tensor<1xi8>) -> tensor<3xi8>
  %d = "tir.const"() {value = dense<[-37, 20, 100]> : tensor<3xi8>} : () -> tensor<3xi8>
  return %0, %a, %1, %b, %2, %c, %3, %d : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// x = -4, 0, 1, 4 at fix point 4: hard sigmoid 0, 1/2, 2/3, 1 of 128, hard
// swish 0, 0, 2/3, 4 of 16.
func.func @hard() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  %x = "tir.const"() {value = dense<[-64, 0, 16, 64]> : tensor<4xi8>} : () -> tensor<4xi8>
  %0 = "tir.hard-sigmoid-fix"(%x) {input_fix_point = 4 : i32, output_fix_point = 7 : i32} : (tensor<4xi8>) -> tensor<4xi8>
  %a = "tir.const"() {value = dense<[0, 64, 85, 127]> : tensor<4xi8>} : () -> tensor<4xi8>
  %1 = "tir.hard-swish-fix"(%x) {input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<4xi8>) -> tensor<4xi8>
  %b = "tir.const"() {value = dense<[0, 0, 11, 64]> : tensor<4xi8>} : () -> tensor<4xi8>
  return %0, %a, %1, %b : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}
func.func @fails_hard_range() -> tensor<1xi8> {
  %x = "tir.const"() {value = dense<1> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = "tir.hard-sigmoid-fix"(%x) {input_fix_point = -3 : i32, output_fix_point = 7 : i32} : (tensor<1xi8>) -> tensor<1xi8>
  return %0 : tensor<1xi8>
}
func.func @fails_matmul_prelu() -> tensor<1x1xi8> {
  %x = "tir.const"() {value = dense<1> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %0 = "tir.matmul-fix"(%x, %x) {nonlinear = "PRELU"} : (tensor<1x1xi8>, tensor<1x1xi8>) -> tensor<1x1xi8>
  return %0 : tensor<1x1xi8>
}

// 5 / 2^4 loses its lowest bits below two guard bits: floor(5 * 4 / 16) = 1, so
// the sum is 4 * 4 + 1 quarters: 4.25, rounded at fix point 0 to 4. Broadcast.
func.func @eltwise() -> (tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>) {
  %x = "tir.const"() {value = dense<[[5, -100]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %y = "tir.const"() {value = dense<4> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %w = "tir.const"() {value = dense<[3, -1]> : tensor<2xi8>} : () -> tensor<2xi8>
  %0 = "tir.eltwise-fix"(%x, %y) {type = "ADD", input_fix_point = [4 : i32, 0 : i32], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2xi8>, tensor<1x1xi8>) -> tensor<1x2xi8>
  %a = "tir.const"() {value = dense<[[4, -2]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %1 = "tir.eltwise-fix"(%x, %y) {type = "MUL", input_fix_point = [1 : i32, 1 : i32], nonlinear = "LEAKYRELU", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2xi8>, tensor<1x1xi8>) -> tensor<1x2xi8>
  %b = "tir.const"() {value = dense<[[5, -10]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %2 = "tir.depthwise-fix"(%x, %w) {type = "MUL", weight_fix_point = 1 : i32} : (tensor<1x2xi8>, tensor<2xi8>) -> tensor<1x2xi8>
  %c = "tir.const"() {value = dense<[[8, 50]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %3 = "tir.depthwise-fix"(%x, %w) {type = "ADD", nonlinear = "RELU"} : (tensor<1x2xi8>, tensor<2xi8>) -> tensor<1x2xi8>
  %d = "tir.const"() {value = dense<[[8, 0]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  return %0, %a, %1, %b, %2, %c, %3, %d : tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>
}

// Each input is rounded by itself: 3 / 2 = 1.5 up to 2, -3 / 2 = -1.5 up to -1.
func.func @moves() -> (tensor<4xi8>, tensor<4xi8>, tensor<2x1xi8>, tensor<2x1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<4xi8>, tensor<4xi8>, tensor<1x2xi8>, tensor<1x2xi8>) {
  %x = "tir.const"() {value = dense<[3, -3]> : tensor<2xi8>} : () -> tensor<2xi8>
  %t = "tir.const"() {value = dense<[[3, -3]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %0 = "tir.concat-fix"(%x, %x) {axis = 0 : i32, input_fix_point = [1 : i32, 0 : i32], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2xi8>, tensor<2xi8>) -> tensor<4xi8>
  %a = "tir.const"() {value = dense<[2, -1, 3, -3]> : tensor<4xi8>} : () -> tensor<4xi8>
  %1 = "tir.transpose-fix"(%t) {order = [1 : i32, 0 : i32], output_fix_point = 5 : i32} : (tensor<1x2xi8>) -> tensor<2x1xi8>
  %b = "tir.const"() {value = dense<[[96], [-96]]> : tensor<2x1xi8>} : () -> tensor<2x1xi8>
  %2 = "tir.strided_slice-fix"(%x) {begin = [-1 : i32], end = [-3 : i32], strides = [-2 : i32]} : (tensor<2xi8>) -> tensor<1xi8>
  %c = "tir.const"() {value = dense<-3> : tensor<1xi8>} : () -> tensor<1xi8>
  %3 = "tir.pad-fix"(%x) {paddings = [1 : i32, 1 : i32], constant_value = 9 : i32, input_fix_point = 1 : i32} : (tensor<2xi8>) -> tensor<4xi8>
  %d = "tir.const"() {value = dense<[9, 2, -1, 9]> : tensor<4xi8>} : () -> tensor<4xi8>
  %4 = "tir.reshape-fix"(%x) {shape = [1 : i32, -1 : i32], output_fix_point = 6 : i32} : (tensor<2xi8>) -> tensor<1x2xi8>
  %e = "tir.const"() {value = dense<[[127, -128]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  return %0, %a, %1, %b, %2, %c, %3, %d, %4, %e : tensor<4xi8>, tensor<4xi8>, tensor<2x1xi8>, tensor<2x1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<4xi8>, tensor<4xi8>, tensor<1x2xi8>, tensor<1x2xi8>
}

func.func @images() -> (tensor<1x2x4x1xi8>, tensor<1x2x4x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x4xi8>, tensor<1x1x1x4xi8>, tensor<1x1x1x4xi8>, tensor<1x1x1x4xi8>, tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>) {
  %x = "tir.const"() {value = dense<[[[[1], [2]]]]> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1xi8>
  %q = "tir.const"() {value = dense<[[[[1], [2]], [[3], [4]]]]> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
  %0 = "tir.upsample-fix"(%x) {scale = [2 : i32, 2 : i32]} : (tensor<1x1x2x1xi8>) -> tensor<1x2x4x1xi8>
  %a = "tir.const"() {value = dense<[[[[1], [1], [2], [2]], [[1], [1], [2], [2]]]]> : tensor<1x2x4x1xi8>} : () -> tensor<1x2x4x1xi8>
  %1 = "tir.downsample-fix"(%q) {scale = [2 : i32, 2 : i32]} : (tensor<1x2x2x1xi8>) -> tensor<1x1x1x1xi8>
  %b = "tir.const"() {value = dense<1> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %2 = "tir.reorg-fix"(%q) {scale = 2 : i32} : (tensor<1x2x2x1xi8>) -> tensor<1x1x1x4xi8>
  %c = "tir.const"() {value = dense<[[[[1, 2, 3, 4]]]]> : tensor<1x1x1x4xi8>} : () -> tensor<1x1x1x4xi8>
  %3 = "tir.tile-fix"(%q) {stride = 2 : i32} : (tensor<1x2x2x1xi8>) -> tensor<1x1x1x4xi8>
  %4 = "tir.pixel-shuffle-fix"(%c) {scale = 2 : i32} : (tensor<1x1x1x4xi8>) -> tensor<1x2x2x1xi8>
  return %0, %a, %1, %b, %2, %c, %3, %c, %4, %q : tensor<1x2x4x1xi8>, tensor<1x2x4x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x4xi8>, tensor<1x1x1x4xi8>, tensor<1x1x1x4xi8>, tensor<1x1x1x4xi8>, tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>
}

// The mean of 1, 2, 4 is 2.33; in steps of 1/4 it is 9.33.
func.func @reductions() -> (tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1x1xi8>, tensor<1x1xi8>, tensor<1xi32>, tensor<1xi32>) {
  %x = "tir.const"() {value = dense<[[1, 4, 2]]> : tensor<1x3xi8>} : () -> tensor<1x3xi8>
  %0 = "tir.reduction_mean-fix"(%x) {axis = [1 : i32], output_fix_point = 2 : i32} : (tensor<1x3xi8>) -> tensor<1xi8>
  %a = "tir.const"() {value = dense<9> : tensor<1xi8>} : () -> tensor<1xi8>
  %1 = "tir.reduction_sum-fix"(%x) {axis = [1 : i32], input_fix_point = 1 : i32} : (tensor<1x3xi8>) -> tensor<1xi8>
  %b = "tir.const"() {value = dense<4> : tensor<1xi8>} : () -> tensor<1xi8>
  %2 = "tir.reduction_max-fix"(%x) {axis = [-1 : i32], keep_dims = true, output_fix_point = 1 : i32} : (tensor<1x3xi8>) -> tensor<1x1xi8>
  %c = "tir.const"() {value = dense<8> : tensor<1x1xi8>} : () -> tensor<1x1xi8>
  %3 = "tir.argmax-fix"(%x) {axis = 1 : i32} : (tensor<1x3xi8>) -> tensor<1xi32>
  %d = "tir.const"() {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  return %0, %a, %1, %b, %2, %c, %3, %d : tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1x1xi8>, tensor<1x1xi8>, tensor<1xi32>, tensor<1xi32>
}

// Buffers: the mtir twins share the kernels; a call goes into another function.
func.func private @twice(%x: tensor<2xi8>) -> tensor<2xi8> {
  %0 = "tir.eltwise-fix"(%x, %x) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}
func.func @buffers() -> (tensor<2xi8>, tensor<2xi8>) {
  %c = "memtx.const"() {value = dense<[-3, 5]> : tensor<2xi8>} : () -> memref<2xi8>
  %m = memref.alloc() : memref<2xi8>
  "mtir.relu-fix"(%c, %m) : (memref<2xi8>, memref<2xi8>) -> ()
  %n = memref.alloc() : memref<2xi8>
  "memtx.copy"(%m, %n) : (memref<2xi8>, memref<2xi8>) -> ()
  %0 = "tir.upload"(%n) : (memref<2xi8>) -> tensor<2xi8>
  %1 = func.call @twice(%0) : (tensor<2xi8>) -> tensor<2xi8>
  memref.dealloc %m : memref<2xi8>
  %e = "tir.const"() {value = dense<[0, 10]> : tensor<2xi8>} : () -> tensor<2xi8>
  return %1, %e : tensor<2xi8>, tensor<2xi8>
}
