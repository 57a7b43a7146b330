// REQUIRES: mlir
// The shares of a few schedules that are alike for all layers are not the best ones.
// The border between the engines is moved by words of channels: 128 channels for each
// engine take 12004 cycles.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s --check-prefix=NONE
// RUN: xc-opt %s -o %t.tir.mlir
// RUN: %python %S/../Inputs/compare.py %t %t.tir.mlir B4096 B512

// CHECK: 11452 cycles
// CHECK: unit 1: depthwise dw
// CHECK-NEXT: 1 of 144 channels
// CHECK: unit 2: diagonal dw
// CHECK-NEXT: 1 of 112 channels
// NONE: unit 1: depthwise dw
// NONE-NEXT: 1 of 256 channels
func.func @net(%x: tensor<1x20x20x32xi8>) -> tensor<1x20x20x64xi8> attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<1> : tensor<256x1x1x32xi8>} : () -> tensor<256x1x1x32xi8>
  %0 = "tir.conv2d-fix"(%x, %w0) {op_name = "expand", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x20x20x32xi8>, tensor<256x1x1x32xi8>) -> tensor<1x20x20x256xi8>
  %w1 = "tir.const"() {value = dense<1> : tensor<1x3x3x256xi8>} : () -> tensor<1x3x3x256xi8>
  %1 = "tir.depthwise-conv2d-fix"(%0, %w1) {op_name = "dw", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x20x20x256xi8>, tensor<1x3x3x256xi8>) -> tensor<1x20x20x256xi8>
  %w2 = "tir.const"() {value = dense<1> : tensor<64x1x1x256xi8>} : () -> tensor<64x1x1x256xi8>
  %2 = "tir.conv2d-fix"(%1, %w2) {op_name = "project", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "NONE", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x20x20x256xi8>, tensor<64x1x1x256xi8>) -> tensor<1x20x20x64xi8>
  return %2 : tensor<1x20x20x64xi8>
}
