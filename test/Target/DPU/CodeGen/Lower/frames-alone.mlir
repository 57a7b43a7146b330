// REQUIRES: mlir
// Weights that take longer to load than to use are loaded once for four frames:
// the operator is a run by itself. What comes after it goes frame by frame, also
// an upsample.
//
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096 B512

// CHECK: layer 0: before + before + before + before
// CHECK: layer 1: deep
// CHECK-NEXT: until {{[0-9]+}}, 296960 bytes loaded
// CHECK: layer 2: deep
// CHECK-NEXT: until {{[0-9]+}}, 2048 bytes loaded
// CHECK: layer 4: deep
// CHECK-NEXT: until {{[0-9]+}}, 2048 bytes loaded
// CHECK: layer 5: larger
// CHECK: layer 6: last
// CHECK: layer 7: larger
// CHECK: layer 8: last

func.func @net(%x: tensor<4x4x4x16xi8>) -> tensor<4x8x8x16xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<2> : tensor<128x3x3x16xi8>} : () -> tensor<128x3x3x16xi8>
  %d = "tir.const"() {value = dense<3> : tensor<256x3x3x128xi8>} : () -> tensor<256x3x3x128xi8>
  %l = "tir.const"() {value = dense<-1> : tensor<16x1x1x256xi8>} : () -> tensor<16x1x1x256xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "before", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 2 : i32} : (tensor<4x4x4x16xi8>, tensor<128x3x3x16xi8>) -> tensor<4x4x4x128xi8>
  %1 = "tir.conv2d-fix"(%0, %d) {op_name = "deep", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 2 : i32, weight_fix_point = 6 : i32, output_fix_point = -2 : i32} : (tensor<4x4x4x128xi8>, tensor<256x3x3x128xi8>) -> tensor<4x4x4x256xi8>
  %2 = "tir.upsample-fix"(%1) {op_name = "larger", scale = [2 : i32, 2 : i32], input_fix_point = -2 : i32, output_fix_point = -2 : i32} : (tensor<4x4x4x256xi8>) -> tensor<4x8x8x256xi8>
  %3 = "tir.conv2d-fix"(%2, %l) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "NONE", input_fix_point = -2 : i32, weight_fix_point = 6 : i32, output_fix_point = -5 : i32} : (tensor<4x8x8x256xi8>, tensor<16x1x1x256xi8>) -> tensor<4x8x8x16xi8>
  return %3 : tensor<4x8x8x16xi8>
}
