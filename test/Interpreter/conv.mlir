// REQUIRES: mlir
// RUN: xc-test-pairs %s | FileCheck %s
// RUN: xc-test-pairs --cpu %s | FileCheck %s
// CHECK: functions are right

// Window 2x2 over 3x3 at stride 1, bias 1.
func.func @conv2d() -> (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) {
  %x = "tir.const"() {value = dense<[[[[1.], [2.], [3.]], [[4.], [5.], [6.]], [[7.], [8.], [9.]]]]> : tensor<1x3x3x1xf32>} : () -> tensor<1x3x3x1xf32>
  %w = "tir.const"() {value = dense<[[[[1.], [0.]], [[0.], [-1.]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %b = "tir.const"() {value = dense<1.> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = "tir.conv2d"(%x, %w, %b) {kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>
  %e = "tir.const"() {value = dense<-3.> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  return %y, %e : tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>
}

// SAME pads one row below and one column at the right: an odd pad goes after.
func.func @conv2d_same() -> (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) {
  %x = "tir.const"() {value = dense<[[[[1.], [2.], [3.]]]]> : tensor<1x1x3x1xf32>} : () -> tensor<1x1x3x1xf32>
  %w = "tir.const"() {value = dense<[[[[1.], [10.]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %y = "tir.conv2d"(%x, %w) {kernel = [2 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x3x1xf32>
  %e = "tir.const"() {value = dense<[[[[21.], [32.], [3.]]]]> : tensor<1x1x3x1xf32>} : () -> tensor<1x1x3x1xf32>
  return %y, %e : tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>
}

// Two groups: each output channel sees its half of the input channels.
func.func @conv2d_group() -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) {
  %x = "tir.const"() {value = dense<[[[[1., 2., 3., 4.]]]]> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %w = "tir.const"() {value = dense<[[[[1., 1.]]], [[[10., 100.]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %y = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], group = 2 : i32} : (tensor<1x1x1x4xf32>, tensor<2x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %e = "tir.const"() {value = dense<[[[[3., 430.]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  return %y, %e : tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>
}

// Output channel c * M + m.
func.func @depthwise() -> (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) {
  %x = "tir.const"() {value = dense<[[[[2., 3.]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %w = "tir.const"() {value = dense<[[[[1., 10.]]], [[[100., 1000.]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %y = "tir.depthwise-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x1x1x4xf32>
  %e = "tir.const"() {value = dense<[[[[2., 200., 30., 3000.]]]]> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  return %y, %e : tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>
}

// The input 1 0 2 with a border of two, correlated with 1 10 100.
func.func @transposed() -> (tensor<1x1x5x1xf32>, tensor<1x1x5x1xf32>) {
  %x = "tir.const"() {value = dense<[[[[1.], [2.]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %w = "tir.const"() {value = dense<[[[[1.], [10.], [100.]]]]> : tensor<1x1x3x1xf32>} : () -> tensor<1x1x3x1xf32>
  %y = "tir.transposed-conv2d"(%x, %w) {kernel = [3 : i32, 1 : i32], stride = [2 : i32, 1 : i32]} : (tensor<1x1x2x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x5x1xf32>
  %e = "tir.const"() {value = dense<[[[[100.], [10.], [201.], [20.], [2.]]]]> : tensor<1x1x5x1xf32>} : () -> tensor<1x1x5x1xf32>
  return %y, %e : tensor<1x1x5x1xf32>, tensor<1x1x5x1xf32>
}

// A pad cuts the ends off again; output_padding adds at the right.
func.func @transposed_depthwise() -> (tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>) {
  %x = "tir.const"() {value = dense<[[[[1.], [2.]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %w = "tir.const"() {value = dense<[[[[1.], [10.], [100.]]]]> : tensor<1x1x3x1xf32>} : () -> tensor<1x1x3x1xf32>
  %y = "tir.transposed-depthwise-conv2d"(%x, %w) {kernel = [3 : i32, 1 : i32], stride = [2 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], output_padding = [1 : i32, 0 : i32]} : (tensor<1x1x2x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x4x1xf32>
  %e = "tir.const"() {value = dense<[[[[10.], [201.], [20.], [2.]]]]> : tensor<1x1x4x1xf32>} : () -> tensor<1x1x4x1xf32>
  return %y, %e : tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>
}

// (3 * 5 - 2 * 3 + 1 * 2^3) / 2^1 = 8.5: half towards +infinity, to even.
func.func @conv2d_fix() -> (tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>) {
  %x = "tir.const"() {value = dense<[[[[3, -2]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %w = "tir.const"() {value = dense<[[[[5, 3]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %b = "tir.const"() {value = dense<1> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 2 : i32, weight_fix_point = 2 : i32, bias_fix_point = 1 : i32, output_fix_point = 3 : i32} : (tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>, tensor<1xi8>) -> tensor<1x1x1x1xi8>
  %z = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 2 : i32, weight_fix_point = 2 : i32, bias_fix_point = 1 : i32, output_fix_point = 3 : i32, round_mode = "PY3_ROUND"} : (tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>, tensor<1xi8>) -> tensor<1x1x1x1xi8>
  %e = "tir.const"() {value = dense<9> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %f = "tir.const"() {value = dense<8> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  return %y, %e, %z, %f : tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>
}

// -100 * 26 / 256 = -10.16.
func.func @depthwise_conv2d_fix_leaky() -> (tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>) {
  %x = "tir.const"() {value = dense<[[[[100, -100]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %w = "tir.const"() {value = dense<1> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %y = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "LEAKYRELU"} : (tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>) -> tensor<1x1x1x2xi8>
  %e = "tir.const"() {value = dense<[[[[100, -10]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  return %y, %e : tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>
}

// 4 * (3 * 2731 + 3 * 2731 * 8)... in steps: t = 8 (1.0 at fix point 3),
// h = round(2731 * (8 + 24) / 2^10) = 85, y = round(8 * 85 / 2^4) = 43 (0.67).
func.func @conv2d_fix_hswish() -> (tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>) {
  %x = "tir.const"() {value = dense<4> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %w = "tir.const"() {value = dense<2> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %y = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 6 : i32, nonlinear = "HSWISH", hsigmoid_in = 3 : i32} : (tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x1x1x1xi8>
  %e = "tir.const"() {value = dense<43> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  return %y, %e : tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>
}

func.func @transposed_fix() -> (tensor<1x1x4x1xi8>, tensor<1x1x4x1xi8>, tensor<1x1x4x1xi8>, tensor<1x1x4x1xi8>) {
  %x = "tir.const"() {value = dense<[[[[1], [2]]]]> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1xi8>
  %w = "tir.const"() {value = dense<[[[[3], [5]]]]> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1xi8>
  %y = "tir.transposed-conv2d-fix"(%x, %w) {kernel = [2 : i32, 1 : i32], stride = [2 : i32, 1 : i32]} : (tensor<1x1x2x1xi8>, tensor<1x1x2x1xi8>) -> tensor<1x1x4x1xi8>
  %z = "tir.transposed-depthwise-conv2d-fix"(%x, %w) {kernel = [2 : i32, 1 : i32], stride = [2 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x1x2x1xi8>, tensor<1x1x2x1xi8>) -> tensor<1x1x4x1xi8>
  %e = "tir.const"() {value = dense<[[[[5], [3], [10], [6]]]]> : tensor<1x1x4x1xi8>} : () -> tensor<1x1x4x1xi8>
  return %y, %e, %z, %e : tensor<1x1x4x1xi8>, tensor<1x1x4x1xi8>, tensor<1x1x4x1xi8>, tensor<1x1x4x1xi8>
}

// The slope of PRELU must leave 64 bits room.
func.func @fails_prelu_in() -> tensor<1x1x1x1xi8> {
  %x = "tir.const"() {value = dense<4> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %y = "tir.conv2d-fix"(%x, %x) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "PRELU", prelu_in = 40000 : i32} : (tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x1x1x1xi8>
  return %y : tensor<1x1x1x1xi8>
}

func.func @matmul() -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<1x2xi8>, tensor<1x2xi8>) {
  %a = "tir.const"() {value = dense<[[1., 2.], [3., 4.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %b = "tir.const"() {value = dense<[[1., 10.], [100., 1000.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %y = "tir.matmul"(%a, %b) {transpose_a = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %e = "tir.const"() {value = dense<[[301., 3010.], [402., 4020.]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %i = "tir.const"() {value = dense<[[1, 2], [3, 2147483647]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %z = "tir.matmul"(%i, %i) {transpose_b = true} : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %f = "tir.const"() {value = dense<[[5, 1], [1, 10]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %p = "tir.const"() {value = dense<[[2, 3]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %q = "tir.const"() {value = dense<[[1, -7], [1, 1]]> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %m = "tir.matmul-fix"(%p, %q) {input_fix_point = [1 : i32, 0 : i32], nonlinear = "RELU"} : (tensor<1x2xi8>, tensor<2x2xi8>) -> tensor<1x2xi8>
  %g = "tir.const"() {value = dense<[[3, 0]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  return %y, %e, %z, %f, %m, %g : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<1x2xi8>, tensor<1x2xi8>
}

func.func @inner_product() -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  %x = "tir.const"() {value = dense<[[[1., 2.], [3., 4.]]]> : tensor<1x2x2xf32>} : () -> tensor<1x2x2xf32>
  %w = "tir.const"() {value = dense<[[1., 10., 100., 1000.]]> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = "tir.inner-product"(%x, %w, %b) : (tensor<1x2x2xf32>, tensor<1x4xf32>, tensor<1xf32>) -> tensor<1x1xf32>
  %e = "tir.const"() {value = dense<4321.5> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  return %y, %e : tensor<1x1xf32>, tensor<1x1xf32>
}

// Padding never wins; a window at the edge averages what it covers.
func.func @pool() -> (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) {
  %x = "tir.const"() {value = dense<[[[[-4.], [-2.], [-8.]]]]> : tensor<1x1x3x1xf32>} : () -> tensor<1x1x3x1xf32>
  %m = "tir.maxpool2d"(%x) {kernel = [2 : i32, 1 : i32], stride = [2 : i32, 1 : i32], pad_mode = "CEIL"} : (tensor<1x1x3x1xf32>) -> tensor<1x1x2x1xf32>
  %e = "tir.const"() {value = dense<[[[[-2.], [-8.]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %a = "tir.avgpool2d"(%x) {kernel = [2 : i32, 1 : i32], stride = [2 : i32, 1 : i32], pad_mode = "CEIL"} : (tensor<1x1x3x1xf32>) -> tensor<1x1x2x1xf32>
  %f = "tir.const"() {value = dense<[[[[-3.], [-8.]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %i = "tir.avgpool2d"(%x) {kernel = [2 : i32, 1 : i32], stride = [2 : i32, 1 : i32], pad_mode = "CEIL", count_include_invalid = true} : (tensor<1x1x3x1xf32>) -> tensor<1x1x2x1xf32>
  %g = "tir.const"() {value = dense<[[[[-3.], [-4.]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  return %m, %e, %a, %f, %i, %g : tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>
}

// 3x3: 7 / 2^6 and not 1/9: 9 * 100 * 7 / 64 = 98.4; exact: 100. Global takes
// the whole input.
func.func @pool_fix() -> (tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>) {
  %x = "tir.const"() {value = dense<100> : tensor<1x3x3x1xi8>} : () -> tensor<1x3x3x1xi8>
  %a = "tir.pool-fix"(%x) {type = "AVG", global = true} : (tensor<1x3x3x1xi8>) -> tensor<1x1x1x1xi8>
  %e = "tir.const"() {value = dense<98> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %b = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], exact = true} : (tensor<1x3x3x1xi8>) -> tensor<1x1x1x1xi8>
  %f = "tir.const"() {value = dense<100> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %m = "tir.pool-fix"(%x) {type = "MAX", global = true, input_fix_point = 3 : i32} : (tensor<1x3x3x1xi8>) -> tensor<1x1x1x1xi8>
  %g = "tir.const"() {value = dense<13> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  return %a, %e, %b, %f, %m, %g : tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>
}

// A pool of nothing: zero is the sum, the least integer the largest.
func.func @empty_pool() -> (tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>) {
  %x = "tir.data"() : () -> tensor<1x0x0x1xi8>
  %0 = "tir.pool-fix"(%x) {type = "AVG", global = true} : (tensor<1x0x0x1xi8>) -> tensor<1x1x1x1xi8>
  %e = "tir.const"() {value = dense<0> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %1 = "tir.pool-fix"(%x) {type = "MAX", global = true} : (tensor<1x0x0x1xi8>) -> tensor<1x1x1x1xi8>
  %f = "tir.const"() {value = dense<-128> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  return %0, %e, %1, %f : tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>
}

// Two channels with their own fix points, then one: (15 + 2 * 1) / 2 = 8.5,
// (15 + 2 * 2) / 2 = 9.5, (15 + 4) / 8 = 2.4; rounded.
func.func @fix_points_of_groups() -> (tensor<1x1x1x3xi8>, tensor<1x1x1x3xi8>) {
  %x = "tir.const"() {value = dense<3> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %w = "tir.const"() {value = dense<5> : tensor<3x1x1x1xi8>} : () -> tensor<3x1x1x1xi8>
  %b = "tir.const"() {value = dense<[1, 2, 4]> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_points = [1 : i32, 3 : i32], bias_fix_points = [0 : i32, 3 : i32], fix_point_channels = 2 : i32} : (tensor<1x1x1x1xi8>, tensor<3x1x1x1xi8>, tensor<3xi8>) -> tensor<1x1x1x3xi8>
  %e = "tir.const"() {value = dense<[[[[9, 10, 2]]]]> : tensor<1x1x1x3xi8>} : () -> tensor<1x1x1x3xi8>
  return %y, %e : tensor<1x1x1x3xi8>, tensor<1x1x1x3xi8>
}
