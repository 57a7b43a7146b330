// REQUIRES: mlir
// RUN: xc-test-pairs %s | FileCheck %s
// RUN: xc-test-pairs --cpu %s | FileCheck %s
// CHECK: functions are right

// 0.5 * 0.25 / 1.0 = 1/8: (2 * 3 + 1 * -4 + 30) / 8 = 4 at zero point -10.
func.func @conv() -> (tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>) {
  %x = "tir.const"() {value = dense<[[[[3, 2]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %w = "tir.const"() {value = dense<[[[[3, -4]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %b = "tir.const"() {value = dense<30> : tensor<1xi32>} : () -> tensor<1xi32>
  %y = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = 1 : i32, weight_scale = [0.25 : f32], output_scale = 1.0 : f32, output_zero_point = -10 : i32} : (tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi8>
  %z = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = 1 : i32, weight_scale = [0.25 : f32], output_scale = 1.0 : f32, output_zero_point = -10 : i32, flavor = "ONNX", nonlinear = "RELU6"} : (tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi8>
  %e = "tir.const"() {value = dense<-6> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  return %y, %e, %z, %e : tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>
}

// 12 / 8 = 1.5 and 4 / 8 = 0.5: TFLite away from zero, ONNX to even.
func.func @ties() -> (tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>) {
  %x = "tir.const"() {value = dense<[[[[1, 1]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %w = "tir.const"() {value = dense<[[[[12, 4]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %y = "tir.qlinear-depthwise-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = 0 : i32, weight_scale = [0.25 : f32], output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>) -> tensor<1x1x1x2xi8>
  %z = "tir.qlinear-depthwise-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.5 : f32, input_zero_point = 0 : i32, weight_scale = [0.25 : f32], output_scale = 1.0 : f32, output_zero_point = 0 : i32, flavor = "ONNX"} : (tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>) -> tensor<1x1x1x2xi8>
  %e = "tir.const"() {value = dense<[[[[2, 1]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %f = "tir.const"() {value = dense<[[[[2, 0]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  return %y, %e, %z, %f : tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8>
}

// 0.5 * 6 + 0.25 * 4 = 4 and 0.5 * 6 - 0.25 * 4 = 2 and 0.5 * 6 * 0.25 * 4 = 3.
func.func @eltwise() -> (tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) {
  %a = "tir.const"() {value = dense<6> : tensor<1xi8>} : () -> tensor<1xi8>
  %b = "tir.const"() {value = dense<4> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = "tir.qlinear-eltwise"(%a, %b) {type = "ADD", a_scale = 0.5 : f32, a_zero_point = 0 : i32, b_scale = 0.25 : f32, b_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 1 : i32} : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
  %1 = "tir.qlinear-eltwise"(%a, %b) {type = "SUB", a_scale = 0.5 : f32, a_zero_point = 0 : i32, b_scale = 0.25 : f32, b_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 1 : i32} : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
  %2 = "tir.qlinear-eltwise"(%a, %b) {type = "MUL", a_scale = 0.5 : f32, a_zero_point = 0 : i32, b_scale = 0.25 : f32, b_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 1 : i32} : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
  %3 = "tir.qlinear-eltwise"(%a, %b) {type = "DIV", a_scale = 0.5 : f32, a_zero_point = 0 : i32, b_scale = 0.25 : f32, b_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 1 : i32} : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
  %e = "tir.const"() {value = dense<5> : tensor<1xi8>} : () -> tensor<1xi8>
  %f = "tir.const"() {value = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %g = "tir.const"() {value = dense<4> : tensor<1xi8>} : () -> tensor<1xi8>
  return %0, %e, %1, %f, %2, %g, %3, %g : tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>
}

// Equal inputs: a half each; the largest wins with all of 255/256.
func.func @softmax() -> (tensor<2x2xi8>, tensor<2x2xi8>) {
  %x = "tir.const"() {value = dense<[[5, 5], [127, -128]]> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %y = "tir.qlinear-softmax"(%x) {input_scale = 0.125 : f32, input_zero_point = 0 : i32, output_scale = 0.00390625 : f32, output_zero_point = -128 : i32} : (tensor<2x2xi8>) -> tensor<2x2xi8>
  %e = "tir.const"() {value = dense<[[0, 0], [127, -128]]> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  return %y, %e : tensor<2x2xi8>, tensor<2x2xi8>
}

// sigmoid(0) = 1/2, sigmoid(2) = 0.8808, tanh(-1) = -0.7616, in steps of 1/256
// and 1/128.
func.func @sigmoid() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %x = "tir.const"() {value = dense<[0, 32, -16]> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "tir.qlinear-activation"(%x) {type = "SIGMOID", input_scale = 0.0625 : f32, input_zero_point = 0 : i32, output_scale = 0.00390625 : f32, output_zero_point = -128 : i32} : (tensor<3xi8>) -> tensor<3xi8>
  %e = "tir.const"() {value = dense<[0, 97, -59]> : tensor<3xi8>} : () -> tensor<3xi8>
  %z = "tir.qlinear-activation"(%x) {type = "TANH", input_scale = 0.0625 : f32, input_zero_point = 0 : i32, output_scale = 0.0078125 : f32, output_zero_point = 0 : i32} : (tensor<3xi8>) -> tensor<3xi8>
  %f = "tir.const"() {value = dense<[0, 123, -97]> : tensor<3xi8>} : () -> tensor<3xi8>
  return %y, %e, %z, %f : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// The same in 16 bits: x / 4096 in, y * 32768 out. sigmoid(1) = 0.731059,
// tanh(1) = 0.761594; the table's steps add half a unit.
func.func @sigmoid_16() -> (tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>) {
  %x = "tir.const"() {value = dense<[0, 4096]> : tensor<2xi16>} : () -> tensor<2xi16>
  %y = "tir.qlinear-activation"(%x) {type = "SIGMOID", input_scale = 0.000244140625 : f32, input_zero_point = 0 : i32, output_scale = 0.000030517578125 : f32, output_zero_point = 0 : i32} : (tensor<2xi16>) -> tensor<2xi16>
  %e = "tir.const"() {value = dense<[16384, 23956]> : tensor<2xi16>} : () -> tensor<2xi16>
  %z = "tir.qlinear-activation"(%x) {type = "TANH", input_scale = 0.000244140625 : f32, input_zero_point = 0 : i32, output_scale = 0.000030517578125 : f32, output_zero_point = 0 : i32} : (tensor<2xi16>) -> tensor<2xi16>
  %f = "tir.const"() {value = dense<[0, 24956]> : tensor<2xi16>} : () -> tensor<2xi16>
  return %y, %e, %z, %f : tensor<2xi16>, tensor<2xi16>, tensor<2xi16>, tensor<2xi16>
}

// Hard swish of 1: 1 * 4 / 6 = 0.667; of -4: 0; of
// 3: 3; leaky: -2 * 0.25 = -0.5.
func.func @activations() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %x = "tir.const"() {value = dense<[16, -64, 48]> : tensor<3xi8>} : () -> tensor<3xi8>
  %0 = "tir.qlinear-activation"(%x) {type = "HARDSWISH", input_scale = 0.0625 : f32, input_zero_point = 0 : i32, output_scale = 0.0625 : f32, output_zero_point = 0 : i32} : (tensor<3xi8>) -> tensor<3xi8>
  %e = "tir.const"() {value = dense<[11, 0, 48]> : tensor<3xi8>} : () -> tensor<3xi8>
  %1 = "tir.qlinear-activation"(%x) {type = "LEAKYRELU", alpha = 0.25 : f32, input_scale = 0.0625 : f32, input_zero_point = 0 : i32, output_scale = 0.125 : f32, output_zero_point = 3 : i32} : (tensor<3xi8>) -> tensor<3xi8>
  %f = "tir.const"() {value = dense<[11, -5, 27]> : tensor<3xi8>} : () -> tensor<3xi8>
  %2 = "tir.qlinear-activation"(%x) {type = "RELU6", input_scale = 0.0625 : f32, input_zero_point = 0 : i32, output_scale = 0.0625 : f32, output_zero_point = 0 : i32} : (tensor<3xi8>) -> tensor<3xi8>
  %g = "tir.const"() {value = dense<[16, 0, 48]> : tensor<3xi8>} : () -> tensor<3xi8>
  return %0, %e, %1, %f, %2, %g : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// rsqrt(4) = 0.5; exp(1) = 2.718; elu(-1) = -0.632.
func.func @functions() -> (tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) {
  %a = "tir.const"() {value = dense<64> : tensor<1xi8>} : () -> tensor<1xi8>
  %b = "tir.const"() {value = dense<16> : tensor<1xi8>} : () -> tensor<1xi8>
  %c = "tir.const"() {value = dense<-16> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = "tir.qlinear-activation"(%a) {type = "RSQRT", input_scale = 0.0625 : f32, input_zero_point = 0 : i32, output_scale = 0.0078125 : f32, output_zero_point = 0 : i32} : (tensor<1xi8>) -> tensor<1xi8>
  %1 = "tir.qlinear-activation"(%b) {type = "EXP", input_scale = 0.0625 : f32, input_zero_point = 0 : i32, output_scale = 0.03125 : f32, output_zero_point = 0 : i32} : (tensor<1xi8>) -> tensor<1xi8>
  %2 = "tir.qlinear-activation"(%c) {type = "ELU", input_scale = 0.0625 : f32, input_zero_point = 0 : i32, output_scale = 0.0078125 : f32, output_zero_point = 0 : i32} : (tensor<1xi8>) -> tensor<1xi8>
  %e = "tir.const"() {value = dense<64> : tensor<1xi8>} : () -> tensor<1xi8>
  %f = "tir.const"() {value = dense<87> : tensor<1xi8>} : () -> tensor<1xi8>
  %g = "tir.const"() {value = dense<-81> : tensor<1xi8>} : () -> tensor<1xi8>
  return %0, %e, %1, %f, %2, %g : tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>
}

// (1 + 2 + 4) / 3 = 2.33; the mean's scale halves; -7 / 2 rounds away.
func.func @means() -> (tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>) {
  %x = "tir.const"() {value = dense<[[[[1], [2], [4]]]]> : tensor<1x1x3x1xi8>} : () -> tensor<1x1x3x1xi8>
  %0 = "tir.qlinear-pool"(%x) {type = "AVG", global = true, input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (tensor<1x1x3x1xi8>) -> tensor<1x1x1x1xi8>
  %e = "tir.const"() {value = dense<2> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %1 = "tir.qlinear-reduction"(%x) {type = "MEAN", axis = [0 : i32, 1 : i32, 2 : i32], input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 0.5 : f32, output_zero_point = 0 : i32} : (tensor<1x1x3x1xi8>) -> tensor<1xi8>
  %f = "tir.const"() {value = dense<5> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = "tir.const"() {value = dense<[[[[-3], [-4]]]]> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1xi8>
  %2 = "tir.qlinear-pool"(%y) {type = "AVG", global = true, input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (tensor<1x1x2x1xi8>) -> tensor<1x1x1x1xi8>
  %g = "tir.const"() {value = dense<-4> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  return %0, %e, %1, %f, %2, %g : tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>
}

// The doubling multiplication takes -2.5 to -2, upwards.
func.func @moves() -> (tensor<4xi8>, tensor<4xi8>, tensor<2xi8>, tensor<2xi8>, tensor<1x1x3x1xi8>, tensor<1x1x3x1xi8>, tensor<2xi8>, tensor<2xi8>) {
  %x = "tir.const"() {value = dense<[3, -5]> : tensor<2xi8>} : () -> tensor<2xi8>
  %0 = "tir.qlinear-concat"(%x, %x) {axis = 0 : i32, input_scale = [1.0 : f32, 0.5 : f32], input_zero_point = [0 : i32, 1 : i32], output_scale = 1.0 : f32, output_zero_point = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2xi8>, tensor<2xi8>) -> tensor<4xi8>
  %e = "tir.const"() {value = dense<[3, -5, 1, -3]> : tensor<4xi8>} : () -> tensor<4xi8>
  %1 = "tir.qlinear-requantize"(%x) {input_scale = 0.5 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 10 : i32} : (tensor<2xi8>) -> tensor<2xi8>
  %f = "tir.const"() {value = dense<[12, 8]> : tensor<2xi8>} : () -> tensor<2xi8>
  %i = "tir.const"() {value = dense<[[[[0], [10]]]]> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1xi8>
  %2 = "tir.qlinear-resize"(%i) {size = [3 : i32, 1 : i32], mode = "BILINEAR", align_corners = true, input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (tensor<1x1x2x1xi8>) -> tensor<1x1x3x1xi8>
  %g = "tir.const"() {value = dense<[[[[0], [5], [10]]]]> : tensor<1x1x3x1xi8>} : () -> tensor<1x1x3x1xi8>
  %s = "tir.const"() {value = dense<2> : tensor<1xi8>} : () -> tensor<1xi8>
  %3 = "tir.qlinear-prelu"(%x, %s) {input_scale = 1.0 : f32, input_zero_point = 0 : i32, slope_scale = 0.125 : f32, slope_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (tensor<2xi8>, tensor<1xi8>) -> tensor<2xi8>
  %h = "tir.const"() {value = dense<[3, -1]> : tensor<2xi8>} : () -> tensor<2xi8>
  return %0, %e, %1, %f, %2, %g, %3, %h : tensor<4xi8>, tensor<4xi8>, tensor<2xi8>, tensor<2xi8>, tensor<1x1x3x1xi8>, tensor<1x1x3x1xi8>, tensor<2xi8>, tensor<2xi8>
}

// Bytes without a sign are interpolated in floats, 250 * 2 / 6 = 83.3; positions
// with ten fraction bits make 83.5 of it. What they become does not matter.
func.func @resized_bytes() -> (tensor<1x1x7x1xui8>, tensor<1x1x7x1xui8>, tensor<1x1x7x1xi8>, tensor<1x1x7x1xi8>, tensor<1x1x7x1xi8>, tensor<1x1x7x1xi8>) {
  %x = "tir.const"() {value = dense<[[[[0], [250]]]]> : tensor<1x1x2x1xui8>} : () -> tensor<1x1x2x1xui8>
  %0 = "tir.qlinear-resize"(%x) {size = [7 : i32, 1 : i32], mode = "BILINEAR", align_corners = true, input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (tensor<1x1x2x1xui8>) -> tensor<1x1x7x1xui8>
  %e = "tir.const"() {value = dense<[[[[0], [42], [83], [125], [167], [208], [250]]]]> : tensor<1x1x7x1xui8>} : () -> tensor<1x1x7x1xui8>
  %y = "tir.const"() {value = dense<[[[[-125], [125]]]]> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1xi8>
  %1 = "tir.qlinear-resize"(%y) {size = [7 : i32, 1 : i32], mode = "BILINEAR", align_corners = true, input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (tensor<1x1x2x1xi8>) -> tensor<1x1x7x1xi8>
  %f = "tir.const"() {value = dense<[[[[-125], [-83], [-42], [0], [42], [84], [125]]]]> : tensor<1x1x7x1xi8>} : () -> tensor<1x1x7x1xi8>
  %2 = "tir.qlinear-resize"(%x) {size = [7 : i32, 1 : i32], mode = "BILINEAR", align_corners = true, input_scale = 1.0 : f32, input_zero_point = 125 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (tensor<1x1x2x1xui8>) -> tensor<1x1x7x1xi8>
  %g = "tir.const"() {value = dense<[[[[-125], [-83], [-42], [0], [42], [83], [125]]]]> : tensor<1x1x7x1xi8>} : () -> tensor<1x1x7x1xi8>
  return %0, %e, %1, %f, %2, %g : tensor<1x1x7x1xui8>, tensor<1x1x7x1xui8>, tensor<1x1x7x1xi8>, tensor<1x1x7x1xi8>, tensor<1x1x7x1xi8>, tensor<1x1x7x1xi8>
}

// 2.5 / 1: away from zero is 3, to even is 2.
func.func @boundary() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xf32>, tensor<2xf32>) {
  %x = "tir.const"() {value = dense<[2.5, -300.]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.quantize-linear"(%x) {scale = [1.0 : f32], zero_point = [0 : i32], flavor = "TFLITE"} : (tensor<2xf32>) -> tensor<2xi8>
  %1 = "tir.quantize-linear"(%x) {scale = [1.0 : f32], zero_point = [0 : i32]} : (tensor<2xf32>) -> tensor<2xi8>
  %2 = "tir.dequantize-linear"(%0) {scale = [0.5 : f32, 2.0 : f32], zero_point = [1 : i32, 0 : i32]} : (tensor<2xi8>) -> tensor<2xf32>
  %e = "tir.const"() {value = dense<[3, -128]> : tensor<2xi8>} : () -> tensor<2xi8>
  %f = "tir.const"() {value = dense<[2, -128]> : tensor<2xi8>} : () -> tensor<2xi8>
  %g = "tir.const"() {value = dense<[1., -256.]> : tensor<2xf32>} : () -> tensor<2xf32>
  return %0, %e, %1, %f, %2, %g : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xf32>, tensor<2xf32>
}

func.func @matmul_and_transposed() -> (tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x1x4x1xi8>, tensor<1x1x4x1xi8>) {
  %a = "tir.const"() {value = dense<[[3, 5]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %b = "tir.const"() {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %0 = "tir.qlinear-matmul"(%a, %b) {transpose_b = true, input_scale = 0.5 : f32, input_zero_point = 1 : i32, weight_scale = [1.0 : f32, 0.5 : f32], weight_zero_point = [0 : i32, 1 : i32], output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (tensor<1x2xi8>, tensor<2x2xi8>) -> tensor<1x2xi8>
  %e = "tir.const"() {value = dense<[[5, 4]]> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %x = "tir.const"() {value = dense<[[[[1], [2]]]]> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1xi8>
  %w = "tir.const"() {value = dense<[[[[3], [5]]]]> : tensor<1x1x2x1xi8>} : () -> tensor<1x1x2x1xi8>
  %1 = "tir.qlinear-transposed-conv2d"(%x, %w) {kernel = [2 : i32, 1 : i32], stride = [2 : i32, 1 : i32], input_scale = 1.0 : f32, input_zero_point = 0 : i32, weight_scale = [1.0 : f32], output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (tensor<1x1x2x1xi8>, tensor<1x1x2x1xi8>) -> tensor<1x1x4x1xi8>
  %f = "tir.const"() {value = dense<[[[[5], [3], [10], [6]]]]> : tensor<1x1x4x1xi8>} : () -> tensor<1x1x4x1xi8>
  return %0, %e, %1, %f : tensor<1x2xi8>, tensor<1x2xi8>, tensor<1x1x4x1xi8>, tensor<1x1x4x1xi8>
}
