// REQUIRES: mlir
// Elementwise layers of lists, of which pixels of a few channels leave most of a word
// idle and a single row the lanes of three others: the same elements are taken as
// fuller pixels in more rows. What has gaps between pixels only gets more rows, and
// a pixel that stands for all stays one.

// RUN: split-file %s %t.dir
// RUN: cat %t.dir/sum.mlir %t.dir/gaps.mlir %t.dir/one.mlir %t.dir/full.mlir > %t.dir/net.mlir
// RUN: xc-opt %t.dir/net.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s --check-prefix=NONE
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/sum.mlir B512 B1152 B4096
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/gaps.mlir B512 B4096
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/one.mlir B512 B4096

// 8840 elements: five pixels of 111 words, of which half a word is idle.
// CHECK: add sum
// CHECK: output {{ *}}5x1x1768
// NONE: add sum
// NONE: output {{ *}}1x4420x2
// CHECK: mul gaps
// CHECK: input {{ *}}10x442x2
// CHECK: output {{ *}}10x442x2
// CHECK: mul one
// CHECK: input {{ *}}10x442x2
// CHECK: operand {{ *}}1x1x2

// What has the channels of words keeps its pixels.
// CHECK: add full
// CHECK: output {{ *}}16x20x32

//--- sum.mlir
func.func @sum(%x: tensor<1x4420x2xi8>, %y: tensor<1x4420x2xi8>) -> tensor<1x4420x2xi8> attributes {device = "DPU"} {
  %0 = "tir.eltwise-fix"(%x, %y) {op_name = "sum", type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [6 : i32, 5 : i32], output_fix_point = 4 : i32} : (tensor<1x4420x2xi8>, tensor<1x4420x2xi8>) -> tensor<1x4420x2xi8>
  return %0 : tensor<1x4420x2xi8>
}
//--- gaps.mlir
func.func @gaps(%x: tensor<1x4420x4xi8>, %y: tensor<1x4420x2xi8>) -> tensor<1x4420x2xi8> attributes {device = "DPU"} {
  %0 = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 2 : i32], end = [1 : i32, 4420 : i32, 4 : i32], strides = [1 : i32, 1 : i32, 1 : i32], input_fix_point = 6 : i32, output_fix_point = 6 : i32} : (tensor<1x4420x4xi8>) -> tensor<1x4420x2xi8>
  %1 = "tir.eltwise-fix"(%0, %y) {op_name = "gaps", type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [6 : i32, 5 : i32], output_fix_point = 4 : i32} : (tensor<1x4420x2xi8>, tensor<1x4420x2xi8>) -> tensor<1x4420x2xi8>
  return %1 : tensor<1x4420x2xi8>
}
//--- one.mlir
func.func @one(%x: tensor<1x4420x2xi8>, %y: tensor<1x1x2xi8>) -> tensor<1x4420x2xi8> attributes {device = "DPU"} {
  %0 = "tir.eltwise-fix"(%x, %y) {op_name = "one", type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [6 : i32, 5 : i32], output_fix_point = 4 : i32} : (tensor<1x4420x2xi8>, tensor<1x1x2xi8>) -> tensor<1x4420x2xi8>
  return %0 : tensor<1x4420x2xi8>
}
//--- full.mlir
func.func @full(%x: tensor<1x16x20x32xi8>, %y: tensor<1x16x20x32xi8>) -> tensor<1x16x20x32xi8> attributes {device = "DPU"} {
  %0 = "tir.eltwise-fix"(%x, %y) {op_name = "full", type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [6 : i32, 5 : i32], output_fix_point = 4 : i32} : (tensor<1x16x20x32xi8>, tensor<1x16x20x32xi8>) -> tensor<1x16x20x32xi8>
  return %0 : tensor<1x16x20x32xi8>
}
