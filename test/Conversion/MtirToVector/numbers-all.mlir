// REQUIRES: mlir, check-all
// RUN: xc-test-cpu --random-constants %s | FileCheck %s

// Strides, borders, dilations, groups, batches, tails of channels, in every
// arithmetic, rounding and activation; on every level that this machine has.
// CHECK-NOT: differs
// CHECK: tfl_ui8_dw: x86-64: same
// CHECK: tfl_ui8_dw: native: same
// CHECK-NOT: differs

func.func @f32_p1x1(%x: tensor<1x7x7x32xf32>) -> tensor<1x7x7x64xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<64x1x1x32xf32>} : () -> tensor<64x1x1x32xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<64xf32>} : () -> tensor<64xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x7x7x32xf32>, tensor<64x1x1x32xf32>, tensor<64xf32>) -> tensor<1x7x7x64xf32>
  return %0 : tensor<1x7x7x64xf32>
}

func.func @f32_batch(%x: tensor<3x5x6x8xf32>) -> tensor<3x5x6x24xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<24x3x3x8xf32>} : () -> tensor<24x3x3x8xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<24xf32>} : () -> tensor<24xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<3x5x6x8xf32>, tensor<24x3x3x8xf32>, tensor<24xf32>) -> tensor<3x5x6x24xf32>
  return %0 : tensor<3x5x6x24xf32>
}

func.func @f32_stride(%x: tensor<1x9x11x16xf32>) -> tensor<1x5x6x48xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<48x3x3x16xf32>} : () -> tensor<48x3x3x16xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<48xf32>} : () -> tensor<48xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x9x11x16xf32>, tensor<48x3x3x16xf32>, tensor<48xf32>) -> tensor<1x5x6x48xf32>
  return %0 : tensor<1x5x6x48xf32>
}

func.func @f32_first(%x: tensor<1x12x13x3xf32>) -> tensor<1x12x13x16xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<16x3x3x3xf32>} : () -> tensor<16x3x3x3xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<16xf32>} : () -> tensor<16xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x12x13x3xf32>, tensor<16x3x3x3xf32>, tensor<16xf32>) -> tensor<1x12x13x16xf32>
  return %0 : tensor<1x12x13x16xf32>
}

func.func @f32_tall(%x: tensor<1x21x7x1xf32>) -> tensor<1x11x4x20xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<20x10x4x1xf32>} : () -> tensor<20x10x4x1xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<20xf32>} : () -> tensor<20xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [4 : i32, 10 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x21x7x1xf32>, tensor<20x10x4x1xf32>, tensor<20xf32>) -> tensor<1x11x4x20xf32>
  return %0 : tensor<1x11x4x20xf32>
}

func.func @f32_dilated(%x: tensor<1x11x12x12xf32>) -> tensor<1x11x12x17xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<17x3x3x12xf32>} : () -> tensor<17x3x3x12xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<17xf32>} : () -> tensor<17xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 2 : i32], pad_mode = "FLOOR", pad = [3 : i32, 3 : i32, 2 : i32, 2 : i32], group = 1 : i32} : (tensor<1x11x12x12xf32>, tensor<17x3x3x12xf32>, tensor<17xf32>) -> tensor<1x11x12x17xf32>
  return %0 : tensor<1x11x12x17xf32>
}

func.func @f32_groups(%x: tensor<1x6x5x24xf32>) -> tensor<1x6x5x30xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<30x3x3x8xf32>} : () -> tensor<30x3x3x8xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<30xf32>} : () -> tensor<30xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 3 : i32} : (tensor<1x6x5x24xf32>, tensor<30x3x3x8xf32>, tensor<30xf32>) -> tensor<1x6x5x30xf32>
  return %0 : tensor<1x6x5x30xf32>
}

func.func @f32_skip(%x: tensor<1x8x8x20xf32>) -> tensor<1x4x4x9xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<9x1x1x20xf32>} : () -> tensor<9x1x1x20xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<9xf32>} : () -> tensor<9xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x8x8x20xf32>, tensor<9x1x1x20xf32>, tensor<9xf32>) -> tensor<1x4x4x9xf32>
  return %0 : tensor<1x4x4x9xf32>
}

func.func @f32_tail(%x: tensor<1x4x9x7xf32>) -> tensor<1x3x7x70xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<70x2x3x7xf32>} : () -> tensor<70x2x3x7xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<70xf32>} : () -> tensor<70xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x4x9x7xf32>, tensor<70x2x3x7xf32>, tensor<70xf32>) -> tensor<1x3x7x70xf32>
  return %0 : tensor<1x3x7x70xf32>
}

func.func @f32_one(%x: tensor<1x5x5x5xf32>) -> tensor<1x1x1x1xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x5x5x5xf32>} : () -> tensor<1x5x5x5xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x5x5x5xf32>, tensor<1x5x5x5xf32>, tensor<1xf32>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}

func.func @f32_three(%x: tensor<2x3x19x4xf32>) -> tensor<2x3x19x3xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<3x1x5x4xf32>} : () -> tensor<3x1x5x4xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (tensor<2x3x19x4xf32>, tensor<3x1x5x4xf32>, tensor<3xf32>) -> tensor<2x3x19x3xf32>
  return %0 : tensor<2x3x19x3xf32>
}

func.func @tfl_p1x1(%x: tensor<1x7x7x32xi8>) -> tensor<1x7x7x64xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<64x1x1x32xi8>} : () -> tensor<64x1x1x32xi8>
  %b = "tir.const"() {value = dense<1> : tensor<64xi32>} : () -> tensor<64xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x7x7x32xi8>, tensor<64x1x1x32xi8>, tensor<64xi32>) -> tensor<1x7x7x64xi8>
  return %0 : tensor<1x7x7x64xi8>
}

func.func @tfl_batch(%x: tensor<3x5x6x8xi8>) -> tensor<3x5x6x24xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<24x3x3x8xi8>} : () -> tensor<24x3x3x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<24xi32>} : () -> tensor<24xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<3x5x6x8xi8>, tensor<24x3x3x8xi8>, tensor<24xi32>) -> tensor<3x5x6x24xi8>
  return %0 : tensor<3x5x6x24xi8>
}

func.func @tfl_stride(%x: tensor<1x9x11x16xi8>) -> tensor<1x5x6x48xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<48x3x3x16xi8>} : () -> tensor<48x3x3x16xi8>
  %b = "tir.const"() {value = dense<1> : tensor<48xi32>} : () -> tensor<48xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x9x11x16xi8>, tensor<48x3x3x16xi8>, tensor<48xi32>) -> tensor<1x5x6x48xi8>
  return %0 : tensor<1x5x6x48xi8>
}

func.func @tfl_first(%x: tensor<1x12x13x3xi8>) -> tensor<1x12x13x16xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<16x3x3x3xi8>} : () -> tensor<16x3x3x3xi8>
  %b = "tir.const"() {value = dense<1> : tensor<16xi32>} : () -> tensor<16xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [8.247861e-04 : f32, 1.129957e-03 : f32, 1.435128e-03 : f32, 1.740299e-03 : f32, 2.045470e-03 : f32, 2.350640e-03 : f32, 2.655811e-03 : f32, 8.247861e-04 : f32, 1.129957e-03 : f32, 1.435128e-03 : f32, 1.740299e-03 : f32, 2.045470e-03 : f32, 2.350640e-03 : f32, 2.655811e-03 : f32, 8.247861e-04 : f32, 1.129957e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x12x13x3xi8>, tensor<16x3x3x3xi8>, tensor<16xi32>) -> tensor<1x12x13x16xi8>
  return %0 : tensor<1x12x13x16xi8>
}

func.func @tfl_tall(%x: tensor<1x21x7x1xi8>) -> tensor<1x11x4x20xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<20x10x4x1xi8>} : () -> tensor<20x10x4x1xi8>
  %b = "tir.const"() {value = dense<1> : tensor<20xi32>} : () -> tensor<20xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [4 : i32, 10 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [6.776309e-04 : f32, 9.283544e-04 : f32, 1.179078e-03 : f32, 1.429801e-03 : f32, 1.680525e-03 : f32, 1.931248e-03 : f32, 2.181972e-03 : f32, 6.776309e-04 : f32, 9.283544e-04 : f32, 1.179078e-03 : f32, 1.429801e-03 : f32, 1.680525e-03 : f32, 1.931248e-03 : f32, 2.181972e-03 : f32, 6.776309e-04 : f32, 9.283544e-04 : f32, 1.179078e-03 : f32, 1.429801e-03 : f32, 1.680525e-03 : f32, 1.931248e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x21x7x1xi8>, tensor<20x10x4x1xi8>, tensor<20xi32>) -> tensor<1x11x4x20xi8>
  return %0 : tensor<1x11x4x20xi8>
}

func.func @tfl_dilated(%x: tensor<1x11x12x12xi8>) -> tensor<1x11x12x17xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<17x3x3x12xi8>} : () -> tensor<17x3x3x12xi8>
  %b = "tir.const"() {value = dense<1> : tensor<17xi32>} : () -> tensor<17xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 2 : i32], pad_mode = "FLOOR", pad = [3 : i32, 3 : i32, 2 : i32, 2 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [4.123930e-04 : f32, 5.649785e-04 : f32, 7.175639e-04 : f32, 8.701493e-04 : f32, 1.022735e-03 : f32, 1.175320e-03 : f32, 1.327906e-03 : f32, 4.123930e-04 : f32, 5.649785e-04 : f32, 7.175639e-04 : f32, 8.701493e-04 : f32, 1.022735e-03 : f32, 1.175320e-03 : f32, 1.327906e-03 : f32, 4.123930e-04 : f32, 5.649785e-04 : f32, 7.175639e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x11x12x12xi8>, tensor<17x3x3x12xi8>, tensor<17xi32>) -> tensor<1x11x12x17xi8>
  return %0 : tensor<1x11x12x17xi8>
}

func.func @tfl_groups(%x: tensor<1x6x5x24xi8>) -> tensor<1x6x5x30xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<30x3x3x8xi8>} : () -> tensor<30x3x3x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<30xi32>} : () -> tensor<30xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 3 : i32, flavor = "TFLITE", weight_scale = [5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x6x5x24xi8>, tensor<30x3x3x8xi8>, tensor<30xi32>) -> tensor<1x6x5x30xi8>
  return %0 : tensor<1x6x5x30xi8>
}

func.func @tfl_skip(%x: tensor<1x8x8x20xi8>) -> tensor<1x4x4x9xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<9x1x1x20xi8>} : () -> tensor<9x1x1x20xi8>
  %b = "tir.const"() {value = dense<1> : tensor<9xi32>} : () -> tensor<9xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [9.583148e-04 : f32, 1.312891e-03 : f32, 1.667468e-03 : f32, 2.022044e-03 : f32, 2.376621e-03 : f32, 2.731197e-03 : f32, 3.085774e-03 : f32, 9.583148e-04 : f32, 1.312891e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x8x8x20xi8>, tensor<9x1x1x20xi8>, tensor<9xi32>) -> tensor<1x4x4x9xi8>
  return %0 : tensor<1x4x4x9xi8>
}

func.func @tfl_tail(%x: tensor<1x4x9x7xi8>) -> tensor<1x3x7x70xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<70x2x3x7xi8>} : () -> tensor<70x2x3x7xi8>
  %b = "tir.const"() {value = dense<1> : tensor<70xi32>} : () -> tensor<70xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x4x9x7xi8>, tensor<70x2x3x7xi8>, tensor<70xi32>) -> tensor<1x3x7x70xi8>
  return %0 : tensor<1x3x7x70xi8>
}

func.func @tfl_one(%x: tensor<1x5x5x5xi8>) -> tensor<1x1x1x1xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x5x5x5xi8>} : () -> tensor<1x5x5x5xi8>
  %b = "tir.const"() {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [3.833259e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x5x5x5xi8>, tensor<1x5x5x5xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi8>
  return %0 : tensor<1x1x1x1xi8>
}

func.func @tfl_three(%x: tensor<2x3x19x4xi8>) -> tensor<2x3x19x3xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<3x1x5x4xi8>} : () -> tensor<3x1x5x4xi8>
  %b = "tir.const"() {value = dense<1> : tensor<3xi32>} : () -> tensor<3xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [9.583148e-04 : f32, 1.312891e-03 : f32, 1.667468e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<2x3x19x4xi8>, tensor<3x1x5x4xi8>, tensor<3xi32>) -> tensor<2x3x19x3xi8>
  return %0 : tensor<2x3x19x3xi8>
}

func.func @fix_p1x1(%x: tensor<1x7x7x32xi8>) -> tensor<1x7x7x64xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<64x1x1x32xi8>} : () -> tensor<64x1x1x32xi8>
  %b = "tir.const"() {value = dense<1> : tensor<64xi8>} : () -> tensor<64xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<1x7x7x32xi8>, tensor<64x1x1x32xi8>, tensor<64xi8>) -> tensor<1x7x7x64xi8>
  return %0 : tensor<1x7x7x64xi8>
}

func.func @fix_batch(%x: tensor<3x5x6x8xi8>) -> tensor<3x5x6x24xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<24x3x3x8xi8>} : () -> tensor<24x3x3x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<24xi8>} : () -> tensor<24xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<3x5x6x8xi8>, tensor<24x3x3x8xi8>, tensor<24xi8>) -> tensor<3x5x6x24xi8>
  return %0 : tensor<3x5x6x24xi8>
}

func.func @fix_stride(%x: tensor<1x9x11x16xi8>) -> tensor<1x5x6x48xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<48x3x3x16xi8>} : () -> tensor<48x3x3x16xi8>
  %b = "tir.const"() {value = dense<1> : tensor<48xi8>} : () -> tensor<48xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<1x9x11x16xi8>, tensor<48x3x3x16xi8>, tensor<48xi8>) -> tensor<1x5x6x48xi8>
  return %0 : tensor<1x5x6x48xi8>
}

func.func @fix_first(%x: tensor<1x12x13x3xi8>) -> tensor<1x12x13x16xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<16x3x3x3xi8>} : () -> tensor<16x3x3x3xi8>
  %b = "tir.const"() {value = dense<1> : tensor<16xi8>} : () -> tensor<16xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<1x12x13x3xi8>, tensor<16x3x3x3xi8>, tensor<16xi8>) -> tensor<1x12x13x16xi8>
  return %0 : tensor<1x12x13x16xi8>
}

func.func @fix_tall(%x: tensor<1x21x7x1xi8>) -> tensor<1x11x4x20xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<20x10x4x1xi8>} : () -> tensor<20x10x4x1xi8>
  %b = "tir.const"() {value = dense<1> : tensor<20xi8>} : () -> tensor<20xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [4 : i32, 10 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<1x21x7x1xi8>, tensor<20x10x4x1xi8>, tensor<20xi8>) -> tensor<1x11x4x20xi8>
  return %0 : tensor<1x11x4x20xi8>
}

func.func @fix_dilated(%x: tensor<1x11x12x12xi8>) -> tensor<1x11x12x17xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<17x3x3x12xi8>} : () -> tensor<17x3x3x12xi8>
  %b = "tir.const"() {value = dense<1> : tensor<17xi8>} : () -> tensor<17xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 2 : i32], pad_mode = "FLOOR", pad = [3 : i32, 3 : i32, 2 : i32, 2 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<1x11x12x12xi8>, tensor<17x3x3x12xi8>, tensor<17xi8>) -> tensor<1x11x12x17xi8>
  return %0 : tensor<1x11x12x17xi8>
}

func.func @fix_groups(%x: tensor<1x6x5x24xi8>) -> tensor<1x6x5x30xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<30x3x3x8xi8>} : () -> tensor<30x3x3x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<30xi8>} : () -> tensor<30xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 3 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<1x6x5x24xi8>, tensor<30x3x3x8xi8>, tensor<30xi8>) -> tensor<1x6x5x30xi8>
  return %0 : tensor<1x6x5x30xi8>
}

func.func @fix_skip(%x: tensor<1x8x8x20xi8>) -> tensor<1x4x4x9xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<9x1x1x20xi8>} : () -> tensor<9x1x1x20xi8>
  %b = "tir.const"() {value = dense<1> : tensor<9xi8>} : () -> tensor<9xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<1x8x8x20xi8>, tensor<9x1x1x20xi8>, tensor<9xi8>) -> tensor<1x4x4x9xi8>
  return %0 : tensor<1x4x4x9xi8>
}

func.func @fix_tail(%x: tensor<1x4x9x7xi8>) -> tensor<1x3x7x70xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<70x2x3x7xi8>} : () -> tensor<70x2x3x7xi8>
  %b = "tir.const"() {value = dense<1> : tensor<70xi8>} : () -> tensor<70xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<1x4x9x7xi8>, tensor<70x2x3x7xi8>, tensor<70xi8>) -> tensor<1x3x7x70xi8>
  return %0 : tensor<1x3x7x70xi8>
}

func.func @fix_one(%x: tensor<1x5x5x5xi8>) -> tensor<1x1x1x1xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x5x5x5xi8>} : () -> tensor<1x5x5x5xi8>
  %b = "tir.const"() {value = dense<1> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<1x5x5x5xi8>, tensor<1x5x5x5xi8>, tensor<1xi8>) -> tensor<1x1x1x1xi8>
  return %0 : tensor<1x1x1x1xi8>
}

func.func @fix_three(%x: tensor<2x3x19x4xi8>) -> tensor<2x3x19x3xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<3x1x5x4xi8>} : () -> tensor<3x1x5x4xi8>
  %b = "tir.const"() {value = dense<1> : tensor<3xi8>} : () -> tensor<3xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32, bias_fix_point = 4 : i32} : (tensor<2x3x19x4xi8>, tensor<3x1x5x4xi8>, tensor<3xi8>) -> tensor<2x3x19x3xi8>
  return %0 : tensor<2x3x19x3xi8>
}

func.func @onnx_p1x1(%x: tensor<1x7x7x32xi8>) -> tensor<1x7x7x64xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<64x1x1x32xi8>} : () -> tensor<64x1x1x32xi8>
  %b = "tir.const"() {value = dense<1> : tensor<64xi32>} : () -> tensor<64xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32, 1.037932e-03 : f32, 1.318249e-03 : f32, 1.598566e-03 : f32, 1.878884e-03 : f32, 2.159201e-03 : f32, 2.439518e-03 : f32, 7.576144e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x7x7x32xi8>, tensor<64x1x1x32xi8>, tensor<64xi32>) -> tensor<1x7x7x64xi8>
  return %0 : tensor<1x7x7x64xi8>
}

func.func @onnx_batch(%x: tensor<3x5x6x8xi8>) -> tensor<3x5x6x24xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<24x3x3x8xi8>} : () -> tensor<24x3x3x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<24xi32>} : () -> tensor<24xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<3x5x6x8xi8>, tensor<24x3x3x8xi8>, tensor<24xi32>) -> tensor<3x5x6x24xi8>
  return %0 : tensor<3x5x6x24xi8>
}

func.func @onnx_stride(%x: tensor<1x9x11x16xi8>) -> tensor<1x5x6x48xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<48x3x3x16xi8>} : () -> tensor<48x3x3x16xi8>
  %b = "tir.const"() {value = dense<1> : tensor<48xi32>} : () -> tensor<48xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32, 1.150000e-03 : f32, 3.571429e-04 : f32, 4.892857e-04 : f32, 6.214286e-04 : f32, 7.535714e-04 : f32, 8.857143e-04 : f32, 1.017857e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x9x11x16xi8>, tensor<48x3x3x16xi8>, tensor<48xi32>) -> tensor<1x5x6x48xi8>
  return %0 : tensor<1x5x6x48xi8>
}

func.func @onnx_first(%x: tensor<1x12x13x3xi8>) -> tensor<1x12x13x16xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<16x3x3x3xi8>} : () -> tensor<16x3x3x3xi8>
  %b = "tir.const"() {value = dense<1> : tensor<16xi32>} : () -> tensor<16xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [8.247861e-04 : f32, 1.129957e-03 : f32, 1.435128e-03 : f32, 1.740299e-03 : f32, 2.045470e-03 : f32, 2.350640e-03 : f32, 2.655811e-03 : f32, 8.247861e-04 : f32, 1.129957e-03 : f32, 1.435128e-03 : f32, 1.740299e-03 : f32, 2.045470e-03 : f32, 2.350640e-03 : f32, 2.655811e-03 : f32, 8.247861e-04 : f32, 1.129957e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x12x13x3xi8>, tensor<16x3x3x3xi8>, tensor<16xi32>) -> tensor<1x12x13x16xi8>
  return %0 : tensor<1x12x13x16xi8>
}

func.func @onnx_tall(%x: tensor<1x21x7x1xi8>) -> tensor<1x11x4x20xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<20x10x4x1xi8>} : () -> tensor<20x10x4x1xi8>
  %b = "tir.const"() {value = dense<1> : tensor<20xi32>} : () -> tensor<20xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [4 : i32, 10 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [6.776309e-04 : f32, 9.283544e-04 : f32, 1.179078e-03 : f32, 1.429801e-03 : f32, 1.680525e-03 : f32, 1.931248e-03 : f32, 2.181972e-03 : f32, 6.776309e-04 : f32, 9.283544e-04 : f32, 1.179078e-03 : f32, 1.429801e-03 : f32, 1.680525e-03 : f32, 1.931248e-03 : f32, 2.181972e-03 : f32, 6.776309e-04 : f32, 9.283544e-04 : f32, 1.179078e-03 : f32, 1.429801e-03 : f32, 1.680525e-03 : f32, 1.931248e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x21x7x1xi8>, tensor<20x10x4x1xi8>, tensor<20xi32>) -> tensor<1x11x4x20xi8>
  return %0 : tensor<1x11x4x20xi8>
}

func.func @onnx_dilated(%x: tensor<1x11x12x12xi8>) -> tensor<1x11x12x17xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<17x3x3x12xi8>} : () -> tensor<17x3x3x12xi8>
  %b = "tir.const"() {value = dense<1> : tensor<17xi32>} : () -> tensor<17xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 2 : i32], pad_mode = "FLOOR", pad = [3 : i32, 3 : i32, 2 : i32, 2 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [4.123930e-04 : f32, 5.649785e-04 : f32, 7.175639e-04 : f32, 8.701493e-04 : f32, 1.022735e-03 : f32, 1.175320e-03 : f32, 1.327906e-03 : f32, 4.123930e-04 : f32, 5.649785e-04 : f32, 7.175639e-04 : f32, 8.701493e-04 : f32, 1.022735e-03 : f32, 1.175320e-03 : f32, 1.327906e-03 : f32, 4.123930e-04 : f32, 5.649785e-04 : f32, 7.175639e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x11x12x12xi8>, tensor<17x3x3x12xi8>, tensor<17xi32>) -> tensor<1x11x12x17xi8>
  return %0 : tensor<1x11x12x17xi8>
}

func.func @onnx_groups(%x: tensor<1x6x5x24xi8>) -> tensor<1x6x5x30xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<30x3x3x8xi8>} : () -> tensor<30x3x3x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<30xi32>} : () -> tensor<30xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 3 : i32, flavor = "ONNX", weight_scale = [5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32, 8.788327e-04 : f32, 1.065711e-03 : f32, 1.252589e-03 : f32, 1.439467e-03 : f32, 1.626346e-03 : f32, 5.050763e-04 : f32, 6.919545e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x6x5x24xi8>, tensor<30x3x3x8xi8>, tensor<30xi32>) -> tensor<1x6x5x30xi8>
  return %0 : tensor<1x6x5x30xi8>
}

func.func @onnx_skip(%x: tensor<1x8x8x20xi8>) -> tensor<1x4x4x9xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<9x1x1x20xi8>} : () -> tensor<9x1x1x20xi8>
  %b = "tir.const"() {value = dense<1> : tensor<9xi32>} : () -> tensor<9xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [9.583148e-04 : f32, 1.312891e-03 : f32, 1.667468e-03 : f32, 2.022044e-03 : f32, 2.376621e-03 : f32, 2.731197e-03 : f32, 3.085774e-03 : f32, 9.583148e-04 : f32, 1.312891e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x8x8x20xi8>, tensor<9x1x1x20xi8>, tensor<9xi32>) -> tensor<1x4x4x9xi8>
  return %0 : tensor<1x4x4x9xi8>
}

func.func @onnx_tail(%x: tensor<1x4x9x7xi8>) -> tensor<1x3x7x70xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<70x2x3x7xi8>} : () -> tensor<70x2x3x7xi8>
  %b = "tir.const"() {value = dense<1> : tensor<70xi32>} : () -> tensor<70xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32, 6.613001e-04 : f32, 9.059811e-04 : f32, 1.150662e-03 : f32, 1.395343e-03 : f32, 1.640024e-03 : f32, 1.884705e-03 : f32, 2.129386e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x4x9x7xi8>, tensor<70x2x3x7xi8>, tensor<70xi32>) -> tensor<1x3x7x70xi8>
  return %0 : tensor<1x3x7x70xi8>
}

func.func @onnx_one(%x: tensor<1x5x5x5xi8>) -> tensor<1x1x1x1xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x5x5x5xi8>} : () -> tensor<1x5x5x5xi8>
  %b = "tir.const"() {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [3.833259e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x5x5x5xi8>, tensor<1x5x5x5xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi8>
  return %0 : tensor<1x1x1x1xi8>
}

func.func @onnx_three(%x: tensor<2x3x19x4xi8>) -> tensor<2x3x19x3xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<3x1x5x4xi8>} : () -> tensor<3x1x5x4xi8>
  %b = "tir.const"() {value = dense<1> : tensor<3xi32>} : () -> tensor<3xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [9.583148e-04 : f32, 1.312891e-03 : f32, 1.667468e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<2x3x19x4xi8>, tensor<3x1x5x4xi8>, tensor<3xi32>) -> tensor<2x3x19x3xi8>
  return %0 : tensor<2x3x19x3xi8>
}

func.func @fix_DPU_ROUND_NONE(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "DPU_ROUND", nonlinear = "NONE"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_DPU_ROUND_RELU(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "DPU_ROUND", nonlinear = "RELU"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_DPU_ROUND_RELU6(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "DPU_ROUND", nonlinear = "RELU6"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_DPU_ROUND_LEAKYRELU(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "DPU_ROUND", nonlinear = "LEAKYRELU"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_STD_ROUND_NONE(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "STD_ROUND", nonlinear = "NONE"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_STD_ROUND_RELU(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "STD_ROUND", nonlinear = "RELU"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_STD_ROUND_RELU6(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "STD_ROUND", nonlinear = "RELU6"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_STD_ROUND_LEAKYRELU(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "STD_ROUND", nonlinear = "LEAKYRELU"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_PY3_ROUND_NONE(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "PY3_ROUND", nonlinear = "NONE"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_PY3_ROUND_RELU(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "PY3_ROUND", nonlinear = "RELU"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_PY3_ROUND_RELU6(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "PY3_ROUND", nonlinear = "RELU6"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_PY3_ROUND_LEAKYRELU(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32, round_mode = "PY3_ROUND", nonlinear = "LEAKYRELU"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_left(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 1 : i32, weight_fix_point = 1 : i32, bias_fix_point = 1 : i32, output_fix_point = 5 : i32, nonlinear = "LEAKYRELU"} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @fix_ui8(%x: tensor<1x6x7x10xui8>) -> tensor<1x6x7x18xui8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi8>} : () -> tensor<18xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, input_fix_point = 5 : i32, weight_fix_point = 7 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x6x7x10xui8>, tensor<18x3x3x10xi8>, tensor<18xi8>) -> tensor<1x6x7x18xui8>
  return %0 : tensor<1x6x7x18xui8>
}

func.func @tfl_RELU(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi32>} : () -> tensor<18xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_zero_point = 3 : i32, nonlinear = "RELU", output_scale = 3.200000e-02 : f32} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi32>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @tfl_RELU6(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi32>} : () -> tensor<18xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_zero_point = 3 : i32, nonlinear = "RELU6", output_scale = 3.200000e-02 : f32} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi32>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @tfl_RELU_N1_TO_1(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi32>} : () -> tensor<18xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_zero_point = 3 : i32, nonlinear = "RELU_N1_TO_1", output_scale = 3.200000e-02 : f32} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi32>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @tfl_left(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi32>} : () -> tensor<18xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_zero_point = 3 : i32, output_scale = 2.000000e-03 : f32} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi32>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @tfl_ui8(%x: tensor<1x6x7x10xui8>) -> tensor<1x6x7x18xui8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xui8>} : () -> tensor<18x3x3x10xui8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi32>} : () -> tensor<18xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [4.517540e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = 131 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 120 : i32, weight_zero_point = [121 : i32]} : (tensor<1x6x7x10xui8>, tensor<18x3x3x10xui8>, tensor<18xi32>) -> tensor<1x6x7x18xui8>
  return %0 : tensor<1x6x7x18xui8>
}

func.func @onnx_ui8_i8(%x: tensor<1x6x7x10xui8>) -> tensor<1x6x7x18xui8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi32>} : () -> tensor<18xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32, 1.120350e-03 : f32, 1.287499e-03 : f32, 1.454648e-03 : f32, 4.517540e-04 : f32, 6.189029e-04 : f32, 7.860519e-04 : f32, 9.532008e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = 131 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 120 : i32} : (tensor<1x6x7x10xui8>, tensor<18x3x3x10xi8>, tensor<18xi32>) -> tensor<1x6x7x18xui8>
  return %0 : tensor<1x6x7x18xui8>
}

func.func @onnx_ui8_1x1(%x: tensor<1x6x6x16xui8>) -> tensor<1x6x6x32xui8> {
  %w = "tir.const"() {value = dense<1> : tensor<32x1x1x16xi8>} : () -> tensor<32x1x1x16xi8>
  %b = "tir.const"() {value = dense<1> : tensor<32xi32>} : () -> tensor<32xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32, flavor = "ONNX", weight_scale = [1.071429e-03 : f32, 1.467857e-03 : f32, 1.864286e-03 : f32, 2.260714e-03 : f32, 2.657143e-03 : f32, 3.053571e-03 : f32, 3.450000e-03 : f32, 1.071429e-03 : f32, 1.467857e-03 : f32, 1.864286e-03 : f32, 2.260714e-03 : f32, 2.657143e-03 : f32, 3.053571e-03 : f32, 3.450000e-03 : f32, 1.071429e-03 : f32, 1.467857e-03 : f32, 1.864286e-03 : f32, 2.260714e-03 : f32, 2.657143e-03 : f32, 3.053571e-03 : f32, 3.450000e-03 : f32, 1.071429e-03 : f32, 1.467857e-03 : f32, 1.864286e-03 : f32, 2.260714e-03 : f32, 2.657143e-03 : f32, 3.053571e-03 : f32, 3.450000e-03 : f32, 1.071429e-03 : f32, 1.467857e-03 : f32, 1.864286e-03 : f32, 2.260714e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = 131 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 120 : i32} : (tensor<1x6x6x16xui8>, tensor<32x1x1x16xi8>, tensor<32xi32>) -> tensor<1x6x6x32xui8>
  return %0 : tensor<1x6x6x32xui8>
}

func.func @tfl_one_scale(%x: tensor<1x6x7x10xi8>) -> tensor<1x6x7x18xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<18x3x3x10xi8>} : () -> tensor<18x3x3x10xi8>
  %b = "tir.const"() {value = dense<1> : tensor<18xi32>} : () -> tensor<18xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32, flavor = "TFLITE", weight_scale = [4.517540e-04 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x6x7x10xi8>, tensor<18x3x3x10xi8>, tensor<18xi32>) -> tensor<1x6x7x18xi8>
  return %0 : tensor<1x6x7x18xi8>
}

func.func @f32_dw3(%x: tensor<1x9x10x16xf32>) -> tensor<1x9x10x16xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x3x3x16xf32>} : () -> tensor<1x3x3x16xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<16xf32>} : () -> tensor<16xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x9x10x16xf32>, tensor<1x3x3x16xf32>, tensor<16xf32>) -> tensor<1x9x10x16xf32>
  return %0 : tensor<1x9x10x16xf32>
}

func.func @f32_dw3s2(%x: tensor<2x9x11x24xf32>) -> tensor<2x5x6x24xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x3x3x24xf32>} : () -> tensor<1x3x3x24xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<24xf32>} : () -> tensor<24xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<2x9x11x24xf32>, tensor<1x3x3x24xf32>, tensor<24xf32>) -> tensor<2x5x6x24xf32>
  return %0 : tensor<2x5x6x24xf32>
}

func.func @f32_dw8(%x: tensor<1x6x5x8xf32>) -> tensor<1x6x5x8xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x3x3x8xf32>} : () -> tensor<1x3x3x8xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<8xf32>} : () -> tensor<8xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x6x5x8xf32>, tensor<1x3x3x8xf32>, tensor<8xf32>) -> tensor<1x6x5x8xf32>
  return %0 : tensor<1x6x5x8xf32>
}

func.func @f32_dw5(%x: tensor<1x9x9x19xf32>) -> tensor<1x9x9x19xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x5x5x19xf32>} : () -> tensor<1x5x5x19xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<19xf32>} : () -> tensor<19xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w, %b) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32]} : (tensor<1x9x9x19xf32>, tensor<1x5x5x19xf32>, tensor<19xf32>) -> tensor<1x9x9x19xf32>
  return %0 : tensor<1x9x9x19xf32>
}

func.func @f32_dwd(%x: tensor<1x11x12x6xf32>) -> tensor<1x7x9x6xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x3x2x6xf32>} : () -> tensor<1x3x2x6xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<6xf32>} : () -> tensor<6xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w, %b) {kernel = [2 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 2 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x11x12x6xf32>, tensor<1x3x2x6xf32>, tensor<6xf32>) -> tensor<1x7x9x6xf32>
  return %0 : tensor<1x7x9x6xf32>
}

func.func @f32_dwv(%x: tensor<1x6x8x32xf32>) -> tensor<1x5x6x32xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x2x3x32xf32>} : () -> tensor<1x2x3x32xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<32xf32>} : () -> tensor<32xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x6x8x32xf32>, tensor<1x2x3x32xf32>, tensor<32xf32>) -> tensor<1x5x6x32xf32>
  return %0 : tensor<1x5x6x32xf32>
}

func.func @f32_dwg(%x: tensor<1x5x3x65xf32>) -> tensor<1x1x1x65xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x5x3x65xf32>} : () -> tensor<1x5x3x65xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<65xf32>} : () -> tensor<65xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x3x65xf32>, tensor<1x5x3x65xf32>, tensor<65xf32>) -> tensor<1x1x1x65xf32>
  return %0 : tensor<1x1x1x65xf32>
}

func.func @tfl_dw3(%x: tensor<1x9x10x16xi8>) -> tensor<1x9x10x16xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x16xi8>} : () -> tensor<1x3x3x16xi8>
  %b = "tir.const"() {value = dense<1> : tensor<16xi32>} : () -> tensor<16xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "TFLITE", weight_scale = [1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32, 1.957143e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x9x10x16xi8>, tensor<1x3x3x16xi8>, tensor<16xi32>) -> tensor<1x9x10x16xi8>
  return %0 : tensor<1x9x10x16xi8>
}

func.func @tfl_dw3s2(%x: tensor<2x9x11x24xi8>) -> tensor<2x5x6x24xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x24xi8>} : () -> tensor<1x3x3x24xi8>
  %b = "tir.const"() {value = dense<1> : tensor<24xi32>} : () -> tensor<24xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "TFLITE", weight_scale = [1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<2x9x11x24xi8>, tensor<1x3x3x24xi8>, tensor<24xi32>) -> tensor<2x5x6x24xi8>
  return %0 : tensor<2x5x6x24xi8>
}

func.func @tfl_dw8(%x: tensor<1x6x5x8xi8>) -> tensor<1x6x5x8xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<8xi32>} : () -> tensor<8xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], flavor = "TFLITE", weight_scale = [1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x6x5x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi32>) -> tensor<1x6x5x8xi8>
  return %0 : tensor<1x6x5x8xi8>
}

func.func @tfl_dw5(%x: tensor<1x9x9x19xi8>) -> tensor<1x9x9x19xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x5x5x19xi8>} : () -> tensor<1x5x5x19xi8>
  %b = "tir.const"() {value = dense<1> : tensor<19xi32>} : () -> tensor<19xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], flavor = "TFLITE", weight_scale = [8.571429e-04 : f32, 1.174286e-03 : f32, 1.491429e-03 : f32, 1.808571e-03 : f32, 2.125714e-03 : f32, 2.442857e-03 : f32, 2.760000e-03 : f32, 8.571429e-04 : f32, 1.174286e-03 : f32, 1.491429e-03 : f32, 1.808571e-03 : f32, 2.125714e-03 : f32, 2.442857e-03 : f32, 2.760000e-03 : f32, 8.571429e-04 : f32, 1.174286e-03 : f32, 1.491429e-03 : f32, 1.808571e-03 : f32, 2.125714e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x9x9x19xi8>, tensor<1x5x5x19xi8>, tensor<19xi32>) -> tensor<1x9x9x19xi8>
  return %0 : tensor<1x9x9x19xi8>
}

func.func @tfl_dwd(%x: tensor<1x11x12x6xi8>) -> tensor<1x7x9x6xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x2x6xi8>} : () -> tensor<1x3x2x6xi8>
  %b = "tir.const"() {value = dense<1> : tensor<6xi32>} : () -> tensor<6xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [2 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 2 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "TFLITE", weight_scale = [1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32, 4.339096e-03 : f32, 4.986461e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x11x12x6xi8>, tensor<1x3x2x6xi8>, tensor<6xi32>) -> tensor<1x7x9x6xi8>
  return %0 : tensor<1x7x9x6xi8>
}

func.func @tfl_dwv(%x: tensor<1x6x8x32xi8>) -> tensor<1x5x6x32xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x2x3x32xi8>} : () -> tensor<1x2x3x32xi8>
  %b = "tir.const"() {value = dense<1> : tensor<32xi32>} : () -> tensor<32xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "TFLITE", weight_scale = [1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32, 4.339096e-03 : f32, 4.986461e-03 : f32, 5.633826e-03 : f32, 1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32, 4.339096e-03 : f32, 4.986461e-03 : f32, 5.633826e-03 : f32, 1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32, 4.339096e-03 : f32, 4.986461e-03 : f32, 5.633826e-03 : f32, 1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32, 4.339096e-03 : f32, 4.986461e-03 : f32, 5.633826e-03 : f32, 1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x6x8x32xi8>, tensor<1x2x3x32xi8>, tensor<32xi32>) -> tensor<1x5x6x32xi8>
  return %0 : tensor<1x5x6x32xi8>
}

func.func @tfl_dwg(%x: tensor<1x5x3x65xi8>) -> tensor<1x1x1x65xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x5x3x65xi8>} : () -> tensor<1x5x3x65xi8>
  %b = "tir.const"() {value = dense<1> : tensor<65xi32>} : () -> tensor<65xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "TFLITE", weight_scale = [1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x5x3x65xi8>, tensor<1x5x3x65xi8>, tensor<65xi32>) -> tensor<1x1x1x65xi8>
  return %0 : tensor<1x1x1x65xi8>
}

func.func @fix_dw3(%x: tensor<1x9x10x16xi8>) -> tensor<1x9x10x16xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x16xi8>} : () -> tensor<1x3x3x16xi8>
  %b = "tir.const"() {value = dense<1> : tensor<16xi8>} : () -> tensor<16xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 5 : i32, bias_fix_point = 4 : i32} : (tensor<1x9x10x16xi8>, tensor<1x3x3x16xi8>, tensor<16xi8>) -> tensor<1x9x10x16xi8>
  return %0 : tensor<1x9x10x16xi8>
}

func.func @fix_dw3s2(%x: tensor<2x9x11x24xi8>) -> tensor<2x5x6x24xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x24xi8>} : () -> tensor<1x3x3x24xi8>
  %b = "tir.const"() {value = dense<1> : tensor<24xi8>} : () -> tensor<24xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 5 : i32, bias_fix_point = 4 : i32} : (tensor<2x9x11x24xi8>, tensor<1x3x3x24xi8>, tensor<24xi8>) -> tensor<2x5x6x24xi8>
  return %0 : tensor<2x5x6x24xi8>
}

func.func @fix_dw8(%x: tensor<1x6x5x8xi8>) -> tensor<1x6x5x8xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<8xi8>} : () -> tensor<8xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 5 : i32, bias_fix_point = 4 : i32} : (tensor<1x6x5x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi8>) -> tensor<1x6x5x8xi8>
  return %0 : tensor<1x6x5x8xi8>
}

func.func @fix_dw5(%x: tensor<1x9x9x19xi8>) -> tensor<1x9x9x19xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x5x5x19xi8>} : () -> tensor<1x5x5x19xi8>
  %b = "tir.const"() {value = dense<1> : tensor<19xi8>} : () -> tensor<19xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w, %b) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 5 : i32, bias_fix_point = 4 : i32} : (tensor<1x9x9x19xi8>, tensor<1x5x5x19xi8>, tensor<19xi8>) -> tensor<1x9x9x19xi8>
  return %0 : tensor<1x9x9x19xi8>
}

func.func @fix_dwd(%x: tensor<1x11x12x6xi8>) -> tensor<1x7x9x6xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x2x6xi8>} : () -> tensor<1x3x2x6xi8>
  %b = "tir.const"() {value = dense<1> : tensor<6xi8>} : () -> tensor<6xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w, %b) {kernel = [2 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 2 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 5 : i32, bias_fix_point = 4 : i32} : (tensor<1x11x12x6xi8>, tensor<1x3x2x6xi8>, tensor<6xi8>) -> tensor<1x7x9x6xi8>
  return %0 : tensor<1x7x9x6xi8>
}

func.func @fix_dwv(%x: tensor<1x6x8x32xi8>) -> tensor<1x5x6x32xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x2x3x32xi8>} : () -> tensor<1x2x3x32xi8>
  %b = "tir.const"() {value = dense<1> : tensor<32xi8>} : () -> tensor<32xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 5 : i32, bias_fix_point = 4 : i32} : (tensor<1x6x8x32xi8>, tensor<1x2x3x32xi8>, tensor<32xi8>) -> tensor<1x5x6x32xi8>
  return %0 : tensor<1x5x6x32xi8>
}

func.func @fix_dwg(%x: tensor<1x5x3x65xi8>) -> tensor<1x1x1x65xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x5x3x65xi8>} : () -> tensor<1x5x3x65xi8>
  %b = "tir.const"() {value = dense<1> : tensor<65xi8>} : () -> tensor<65xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 5 : i32, bias_fix_point = 4 : i32} : (tensor<1x5x3x65xi8>, tensor<1x5x3x65xi8>, tensor<65xi8>) -> tensor<1x1x1x65xi8>
  return %0 : tensor<1x1x1x65xi8>
}

func.func @onnx_dw3(%x: tensor<1x9x10x16xi8>) -> tensor<1x9x10x16xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x16xi8>} : () -> tensor<1x3x3x16xi8>
  %b = "tir.const"() {value = dense<1> : tensor<16xi32>} : () -> tensor<16xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "ONNX", weight_scale = [1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32, 1.957143e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x9x10x16xi8>, tensor<1x3x3x16xi8>, tensor<16xi32>) -> tensor<1x9x10x16xi8>
  return %0 : tensor<1x9x10x16xi8>
}

func.func @onnx_dw3s2(%x: tensor<2x9x11x24xi8>) -> tensor<2x5x6x24xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x24xi8>} : () -> tensor<1x3x3x24xi8>
  %b = "tir.const"() {value = dense<1> : tensor<24xi32>} : () -> tensor<24xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "ONNX", weight_scale = [1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<2x9x11x24xi8>, tensor<1x3x3x24xi8>, tensor<24xi32>) -> tensor<2x5x6x24xi8>
  return %0 : tensor<2x5x6x24xi8>
}

func.func @onnx_dw8(%x: tensor<1x6x5x8xi8>) -> tensor<1x6x5x8xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %b = "tir.const"() {value = dense<1> : tensor<8xi32>} : () -> tensor<8xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], flavor = "ONNX", weight_scale = [1.428571e-03 : f32, 1.957143e-03 : f32, 2.485714e-03 : f32, 3.014286e-03 : f32, 3.542857e-03 : f32, 4.071429e-03 : f32, 4.600000e-03 : f32, 1.428571e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x6x5x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi32>) -> tensor<1x6x5x8xi8>
  return %0 : tensor<1x6x5x8xi8>
}

func.func @onnx_dw5(%x: tensor<1x9x9x19xi8>) -> tensor<1x9x9x19xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x5x5x19xi8>} : () -> tensor<1x5x5x19xi8>
  %b = "tir.const"() {value = dense<1> : tensor<19xi32>} : () -> tensor<19xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], flavor = "ONNX", weight_scale = [8.571429e-04 : f32, 1.174286e-03 : f32, 1.491429e-03 : f32, 1.808571e-03 : f32, 2.125714e-03 : f32, 2.442857e-03 : f32, 2.760000e-03 : f32, 8.571429e-04 : f32, 1.174286e-03 : f32, 1.491429e-03 : f32, 1.808571e-03 : f32, 2.125714e-03 : f32, 2.442857e-03 : f32, 2.760000e-03 : f32, 8.571429e-04 : f32, 1.174286e-03 : f32, 1.491429e-03 : f32, 1.808571e-03 : f32, 2.125714e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x9x9x19xi8>, tensor<1x5x5x19xi8>, tensor<19xi32>) -> tensor<1x9x9x19xi8>
  return %0 : tensor<1x9x9x19xi8>
}

func.func @onnx_dwd(%x: tensor<1x11x12x6xi8>) -> tensor<1x7x9x6xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x2x6xi8>} : () -> tensor<1x3x2x6xi8>
  %b = "tir.const"() {value = dense<1> : tensor<6xi32>} : () -> tensor<6xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [2 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 2 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "ONNX", weight_scale = [1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32, 4.339096e-03 : f32, 4.986461e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x11x12x6xi8>, tensor<1x3x2x6xi8>, tensor<6xi32>) -> tensor<1x7x9x6xi8>
  return %0 : tensor<1x7x9x6xi8>
}

func.func @onnx_dwv(%x: tensor<1x6x8x32xi8>) -> tensor<1x5x6x32xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x2x3x32xi8>} : () -> tensor<1x2x3x32xi8>
  %b = "tir.const"() {value = dense<1> : tensor<32xi32>} : () -> tensor<32xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "ONNX", weight_scale = [1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32, 4.339096e-03 : f32, 4.986461e-03 : f32, 5.633826e-03 : f32, 1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32, 4.339096e-03 : f32, 4.986461e-03 : f32, 5.633826e-03 : f32, 1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32, 4.339096e-03 : f32, 4.986461e-03 : f32, 5.633826e-03 : f32, 1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32, 4.339096e-03 : f32, 4.986461e-03 : f32, 5.633826e-03 : f32, 1.749636e-03 : f32, 2.397001e-03 : f32, 3.044366e-03 : f32, 3.691731e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x6x8x32xi8>, tensor<1x2x3x32xi8>, tensor<32xi32>) -> tensor<1x5x6x32xi8>
  return %0 : tensor<1x5x6x32xi8>
}

func.func @onnx_dwg(%x: tensor<1x5x3x65xi8>) -> tensor<1x1x1x65xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x5x3x65xi8>} : () -> tensor<1x5x3x65xi8>
  %b = "tir.const"() {value = dense<1> : tensor<65xi32>} : () -> tensor<65xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 5 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "ONNX", weight_scale = [1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32, 1.925426e-03 : f32, 2.334856e-03 : f32, 2.744285e-03 : f32, 3.153715e-03 : f32, 3.563145e-03 : f32, 1.106567e-03 : f32, 1.515996e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = -7 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 3 : i32} : (tensor<1x5x3x65xi8>, tensor<1x5x3x65xi8>, tensor<65xi32>) -> tensor<1x1x1x65xi8>
  return %0 : tensor<1x1x1x65xi8>
}

func.func @tfl_ui8_dw(%x: tensor<1x9x10x16xui8>) -> tensor<1x9x10x16xui8> {
  %w = "tir.const"() {value = dense<1> : tensor<1x3x3x16xui8>} : () -> tensor<1x3x3x16xui8>
  %b = "tir.const"() {value = dense<1> : tensor<16xi32>} : () -> tensor<16xi32>
  %0 = "tir.qlinear-depthwise-conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], flavor = "TFLITE", weight_scale = [1.428571e-03 : f32], input_scale = 5.000000e-01 : f32, input_zero_point = 131 : i32, output_scale = 5.000000e-01 : f32, output_zero_point = 120 : i32, weight_zero_point = [121 : i32]} : (tensor<1x9x10x16xui8>, tensor<1x3x3x16xui8>, tensor<16xi32>) -> tensor<1x9x10x16xui8>
  return %0 : tensor<1x9x10x16xui8>
}

