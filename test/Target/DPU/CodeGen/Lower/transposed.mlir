// REQUIRES: mlir
// A transposed convolution is a layer for each phase, or one for each row of
// phases, whose pixels are the columns of all of them: where few channels leave
// most of a word idle, or the input is loaded once for each layer.

// RUN: split-file %s %t.dir
// RUN: cat %t.dir/resize.mlir %t.dir/pixels.mlir %t.dir/deep.mlir %t.dir/odd.mlir %t.dir/lists.mlir %t.dir/words.mlir > %t.dir/net.mlir
// RUN: xc-opt %t.dir/net.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/resize.mlir B512 B1152 B4096
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/pixels.mlir B512 B4096
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/odd.mlir B4096
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/words.mlir B512 B4096

// Bilinear interpolation: two columns of the kernel for each phase, three for both.
// What repeats the edge at the sides is pixels below each other, loaded as a row.
// CHECK: 7 layers, 7 units
// CHECK: layer 1: edge
// CHECK: output {{ *}}1x64x8
// CHECK: conv enlarge, kernel 2x3, stride 1x1
// CHECK: output {{ *}}64x64x16
// CHECK: conv enlarge, kernel 2x3, stride 1x1
// Without overlap, no element of the kernel is wasted.
// CHECK: 1 layers, 2 units
// CHECK: conv expand, kernel 1x1, stride 1x1
// CHECK: output {{ *}}24x24x40
// CHECK: conv expand, kernel 1x1, stride 1x1
// A depthwise convolution of many channels has fewer products than one of all.
// CHECK: 4 layers, 4 units
// CHECK: depthwise deep, kernel 2x2
// Not all phases of a row have as many columns.
// CHECK: 1 layers, 4 units
// CHECK: conv odd, kernel 1x1
// A word of both phases would have two fix points.
// CHECK: 2 layers, 4 units
// CHECK: conv lists, kernel 1x1
// Words of one phase each have their own.
// CHECK: 2 layers, 2 units
// CHECK: conv words, kernel 1x1
// CHECK: output {{ *}}24x24x64

//--- resize.mlir
func.func @resize(%x: tensor<1x64x64x8xi8>) -> tensor<1x128x128x8xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<[[[[1, 1, 1, 1, 1, 1, 1, 1], [3, 3, 3, 3, 3, 3, 3, 3], [3, 3, 3, 3, 3, 3, 3, 3], [1, 1, 1, 1, 1, 1, 1, 1]], [[3, 3, 3, 3, 3, 3, 3, 3], [9, 9, 9, 9, 9, 9, 9, 9], [9, 9, 9, 9, 9, 9, 9, 9], [3, 3, 3, 3, 3, 3, 3, 3]], [[3, 3, 3, 3, 3, 3, 3, 3], [9, 9, 9, 9, 9, 9, 9, 9], [9, 9, 9, 9, 9, 9, 9, 9], [3, 3, 3, 3, 3, 3, 3, 3]], [[1, 1, 1, 1, 1, 1, 1, 1], [3, 3, 3, 3, 3, 3, 3, 3], [3, 3, 3, 3, 3, 3, 3, 3], [1, 1, 1, 1, 1, 1, 1, 1]]]]> : tensor<1x4x4x8xi8>} : () -> tensor<1x4x4x8xi8>
  %0 = "tir.pad-fix"(%x) {op_name = "edge", mode = "SYMMETRIC", paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x64x64x8xi8>) -> tensor<1x66x66x8xi8>
  %1 = "tir.transposed-depthwise-conv2d-fix"(%0, %w) {op_name = "enlarge", kernel = [4 : i32, 4 : i32], stride = [2 : i32, 2 : i32], pad = [3 : i32, 3 : i32, 3 : i32, 3 : i32], input_fix_point = 5 : i32, weight_fix_point = 4 : i32, output_fix_point = 5 : i32} : (tensor<1x66x66x8xi8>, tensor<1x4x4x8xi8>) -> tensor<1x128x128x8xi8>
  return %1 : tensor<1x128x128x8xi8>
}
//--- pixels.mlir
func.func @pixels(%x: tensor<1x24x24x32xi8>) -> tensor<1x48x48x20xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<3> : tensor<20x2x2x32xi8>} : () -> tensor<20x2x2x32xi8>
  %b = "tir.const"() {value = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]> : tensor<20xi8>} : () -> tensor<20xi8>
  %0 = "tir.transposed-conv2d-fix"(%x, %w, %b) {op_name = "expand", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x24x24x32xi8>, tensor<20x2x2x32xi8>, tensor<20xi8>) -> tensor<1x48x48x20xi8>
  return %0 : tensor<1x48x48x20xi8>
}
//--- deep.mlir
func.func @deep(%x: tensor<1x18x18x128xi8>) -> tensor<1x32x32x128xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<3> : tensor<1x4x4x128xi8>} : () -> tensor<1x4x4x128xi8>
  %0 = "tir.transposed-depthwise-conv2d-fix"(%x, %w) {op_name = "deep", kernel = [4 : i32, 4 : i32], stride = [2 : i32, 2 : i32], pad = [3 : i32, 3 : i32, 3 : i32, 3 : i32], input_fix_point = 5 : i32, weight_fix_point = 4 : i32, output_fix_point = 5 : i32} : (tensor<1x18x18x128xi8>, tensor<1x4x4x128xi8>) -> tensor<1x32x32x128xi8>
  return %0 : tensor<1x32x32x128xi8>
}
//--- odd.mlir
func.func @odd(%x: tensor<1x24x24x8xi8>) -> tensor<1x48x47x8xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<3> : tensor<8x2x2x8xi8>} : () -> tensor<8x2x2x8xi8>
  %0 = "tir.transposed-conv2d-fix"(%x, %w) {op_name = "odd", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x24x24x8xi8>, tensor<8x2x2x8xi8>) -> tensor<1x48x47x8xi8>
  return %0 : tensor<1x48x47x8xi8>
}
//--- lists.mlir
func.func @lists(%x: tensor<1x24x24x8xi8>) -> tensor<1x48x48x24xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<3> : tensor<24x2x2x8xi8>} : () -> tensor<24x2x2x8xi8>
  %0 = "tir.transposed-conv2d-fix"(%x, %w) {op_name = "lists", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, fix_point_channels = 16 : i32, weight_fix_points = [6 : i32, 5 : i32], output_fix_point = 3 : i32} : (tensor<1x24x24x8xi8>, tensor<24x2x2x8xi8>) -> tensor<1x48x48x24xi8>
  return %0 : tensor<1x48x48x24xi8>
}
//--- words.mlir
func.func @words(%x: tensor<1x24x24x8xi8>) -> tensor<1x48x48x32xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<3> : tensor<32x2x2x8xi8>} : () -> tensor<32x2x2x8xi8>
  %0 = "tir.transposed-conv2d-fix"(%x, %w) {op_name = "words", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, fix_point_channels = 16 : i32, weight_fix_points = [6 : i32, 5 : i32], output_fix_point = 3 : i32} : (tensor<1x24x24x8xi8>, tensor<32x2x2x8xi8>) -> tensor<1x48x48x32xi8>
  return %0 : tensor<1x48x48x32xi8>
}
