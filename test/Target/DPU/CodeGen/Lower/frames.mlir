// REQUIRES: mlir
// A frame of a batch goes through the layers before the next one does, so that
// what is between them stays in the banks and needs no memory. Frames of a fully
// connected layer are rows of one image: its weights are loaded once.
//
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096 B512

// CHECK: : 5 layers, 5 units
// CHECK: layer 0: first
// CHECK: output     8x8x16, held in banks
// CHECK: layer 1: second
// CHECK: input      8x8x16, held in banks
// CHECK: output     8x8x16, DDR register 1 at 0,
// CHECK: layer 2: first
// CHECK-NEXT: 1024 bytes loaded
// CHECK: output     8x8x16, held in banks
// CHECK: layer 3: second
// CHECK-NEXT: until {{[0-9]+}}, 0 bytes loaded
// CHECK: output     8x8x16, DDR register 1 at 1024,
// CHECK: layer 4: dense
// CHECK-NEXT: 264192 bytes loaded
// CHECK: conv dense, kernel 8x8, stride 8x1
// CHECK: input      16x8x16, DDR register 1 at 0,
// CHECK: output     2x1x256, DDR register 3 at 0,

func.func @net(%x: tensor<2x8x8x16xi8>) -> tensor<2x1x1x256xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<2> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16xi8>
  %d = "tir.const"() {value = dense<3> : tensor<256x8x8x16xi8>} : () -> tensor<256x8x8x16xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "first", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<2x8x8x16xi8>, tensor<16x3x3x16xi8>) -> tensor<2x8x8x16xi8>
  %1 = "tir.conv2d-fix"(%0, %w) {op_name = "second", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 1 : i32} : (tensor<2x8x8x16xi8>, tensor<16x3x3x16xi8>) -> tensor<2x8x8x16xi8>
  %2 = "tir.conv2d-fix"(%1, %d) {op_name = "dense", kernel = [8 : i32, 8 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 1 : i32, weight_fix_point = 6 : i32, output_fix_point = -3 : i32} : (tensor<2x8x8x16xi8>, tensor<256x8x8x16xi8>) -> tensor<2x1x1x256xi8>
  return %2 : tensor<2x1x1x256xi8>
}
