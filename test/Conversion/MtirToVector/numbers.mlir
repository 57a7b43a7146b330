// REQUIRES: mlir
// RUN: xc-test-cpu --random-constants %s | FileCheck %s

// The numbers of vector code, on every level that this machine has. More shapes
// are in numbers-all.mlir.
// CHECK-NOT: differs
// CHECK: f32_batch: x86-64: same
// CHECK: tfl_depthwise: native: same
// CHECK: fix_groups: native: same
// CHECK: fix_groups_left: native: same
// CHECK: fix_groups_loops: native: same
// CHECK-NOT: differs

func.func @f32_batch(%x: tensor<2x5x6x5xf32>) -> tensor<2x5x6x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<19x3x3x5xf32>} : () -> tensor<19x3x3x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<2x5x6x5xf32>, tensor<19x3x3x5xf32>, tensor<19xf32>) -> tensor<2x5x6x19xf32>
  return %0 : tensor<2x5x6x19xf32>
}

func.func @tflite(%x: tensor<1x9x7x10xi8>) -> tensor<1x5x4x9xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<9x3x3x10xi8>} : () -> tensor<9x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<9xi32>} : () -> tensor<9xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x9x7x10xi8>, tensor<9x3x3x10xi8>, tensor<9xi32>) -> tensor<1x5x4x9xi8>
  return %0 : tensor<1x5x4x9xi8>
}

func.func @onnx(%x: tensor<1x6x5x8xui8>) -> tensor<1x6x5x6xui8> {
  %w = "tir.const"() {value = dense<1> : tensor<6x1x1x8xi8>} : () -> tensor<6x1x1x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<6xi32>} : () -> tensor<6xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [1.515229e-03 : f32, 2.075863e-03 : f32, 2.636498e-03 : f32, 3.197133e-03 : f32, 3.757767e-03 : f32, 4.318402e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = 131 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 120 : i32} : (tensor<1x6x5x8xui8>, tensor<6x1x1x8xi8>, tensor<6xi32>) -> tensor<1x6x5x6xui8>
  return %0 : tensor<1x6x5x6xui8>
}

func.func @fix(%x: tensor<1x7x5x6xi8>) -> tensor<1x6x6x10xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<10x3x2x3xi8>} : () -> tensor<10x3x2x3xi8>
  %b = "tir.const"() {value = dense<1> : tensor<10xi8>} : () -> tensor<10xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [2 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 0 : i32, 1 : i32], group = 2 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 4 : i32, round_mode = "PY3_ROUND", nonlinear = "LEAKYRELU"} : (tensor<1x7x5x6xi8>, tensor<10x3x2x3xi8>, tensor<10xi8>) -> tensor<1x6x6x10xi8>
  return %0 : tensor<1x6x6x10xi8>
}


func.func @tfl_depthwise(%x: tensor<1x7x6x8xi8>) -> tensor<1x4x3x8xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<8xi32>} : () -> tensor<8xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "TFLITE", weight_scale = [1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x7x6x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi32>) -> tensor<1x4x3x8xi8>
  return %0 : tensor<1x4x3x8xi8>
}

func.func @fix_groups(%x: tensor<1x7x5x6xi8>) -> tensor<1x7x5x37xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<37x3x3x6xi8>} : () -> tensor<37x3x3x6xi8>
  %b = "tir.const"() {value = dense<1> : tensor<37xi8>} : () -> tensor<37xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_points = [7 : i32, 9 : i32, 5 : i32], bias_fix_points = [4 : i32, 6 : i32, 2 : i32], fix_point_channels = 16 : i32, output_fix_point = 3 : i32, round_mode = "PY3_ROUND", nonlinear = "LEAKYRELU"} : (tensor<1x7x5x6xi8>, tensor<37x3x3x6xi8>, tensor<37xi8>) -> tensor<1x7x5x37xi8>
  return %0 : tensor<1x7x5x37xi8>
}

func.func @fix_groups_left(%x: tensor<1x7x5x6xi8>) -> tensor<1x7x5x37xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<37x3x3x6xi8>} : () -> tensor<37x3x3x6xi8>
  %b = "tir.const"() {value = dense<1> : tensor<37xi8>} : () -> tensor<37xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_points = [2 : i32, 1 : i32, 5 : i32], bias_fix_points = [4 : i32, 6 : i32, 2 : i32], fix_point_channels = 16 : i32, output_fix_point = 6 : i32, round_mode = "STD_ROUND", nonlinear = "RELU"} : (tensor<1x7x5x6xi8>, tensor<37x3x3x6xi8>, tensor<37xi8>) -> tensor<1x7x5x37xi8>
  return %0 : tensor<1x7x5x37xi8>
}

// By plain loops.
func.func @fix_groups_loops(%x: tensor<1x7x5x6xi8>) -> tensor<1x7x5x37xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<37x3x3x6xi8>} : () -> tensor<37x3x3x6xi8>
  %b = "tir.const"() {value = dense<1> : tensor<37xi8>} : () -> tensor<37xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_points = [2 : i32, 1 : i32, 5 : i32], bias_fix_points = [4 : i32, 6 : i32, 2 : i32], fix_point_channels = 16 : i32, output_fix_point = 6 : i32, round_mode = "DPU_ROUND", nonlinear = "HSWISH", hsigmoid_in = 3 : i32} : (tensor<1x7x5x6xi8>, tensor<37x3x3x6xi8>, tensor<37xi8>) -> tensor<1x7x5x37xi8>
  return %0 : tensor<1x7x5x37xi8>
}
