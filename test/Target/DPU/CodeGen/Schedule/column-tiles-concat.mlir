// Concatenations of a convolution and a depthwise layer that reads its result. In
// tiles of columns, the depthwise layers are on both engines, each of which has some
// of the columns: together they compute all of them, whatever else of the same buffer
// one of the engines reads.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B1024 %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B1024 B512

// CHECK: depthwise cheap,
// CHECK: output     112x[[#OTHERS:]]x24, DDR register 1 at 24,
// CHECK: diagonal cheap,
// CHECK: output     112x[[#]]x24, DDR register 1 at [[#add(mul(OTHERS,48),24)]],
// CHECK: depthwise cheap,
// CHECK: output     112x[[#AGAIN:]]x24, DDR register 1 at [[#SECOND:]],
// CHECK: diagonal cheap,
// CHECK: output     112x[[#]]x24, DDR register 1 at [[#add(mul(AGAIN,48),SECOND)]],
func.func @ghost(%x: tensor<1x112x112x3xi8>) -> tensor<1x56x56x24xi8> attributes {device = "DPU"} {
  %w1 = "tir.const"() {value = dense<2> : tensor<8x1x1x3xi8>} : () -> tensor<8x1x1x3xi8>
  %b1 = "tir.const"() {value = dense<3> : tensor<8xi8>} : () -> tensor<8xi8>
  %y1 = "tir.conv2d-fix"(%x, %w1, %b1) {op_name = "narrow", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x3xi8>, tensor<8x1x1x3xi8>, tensor<8xi8>) -> tensor<1x112x112x8xi8>
  %w2 = "tir.const"() {value = dense<2> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %b2 = "tir.const"() {value = dense<3> : tensor<8xi8>} : () -> tensor<8xi8>
  %y2 = "tir.depthwise-conv2d-fix"(%y1, %w2, %b2) {op_name = "narrow_depthwise", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi8>) -> tensor<1x112x112x8xi8>
  %y3 = "tir.concat-fix"(%y1, %y2) {axis = 3 : i32, input_fix_point = [5 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x112x112x8xi8>, tensor<1x112x112x8xi8>) -> tensor<1x112x112x16xi8>
  %w4 = "tir.const"() {value = dense<2> : tensor<24x1x1x16xi8>} : () -> tensor<24x1x1x16xi8>
  %b4 = "tir.const"() {value = dense<3> : tensor<24xi8>} : () -> tensor<24xi8>
  %y4 = "tir.conv2d-fix"(%y3, %w4, %b4) {op_name = "primary", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x16xi8>, tensor<24x1x1x16xi8>, tensor<24xi8>) -> tensor<1x112x112x24xi8>
  %w5 = "tir.const"() {value = dense<2> : tensor<1x3x3x24xi8>} : () -> tensor<1x3x3x24xi8>
  %b5 = "tir.const"() {value = dense<3> : tensor<24xi8>} : () -> tensor<24xi8>
  %y5 = "tir.depthwise-conv2d-fix"(%y4, %w5, %b5) {op_name = "cheap", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x24xi8>, tensor<1x3x3x24xi8>, tensor<24xi8>) -> tensor<1x112x112x24xi8>
  %y6 = "tir.concat-fix"(%y4, %y5) {axis = 3 : i32, input_fix_point = [5 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x112x112x24xi8>, tensor<1x112x112x24xi8>) -> tensor<1x112x112x48xi8>
  %w7 = "tir.const"() {value = dense<2> : tensor<1x3x3x48xi8>} : () -> tensor<1x3x3x48xi8>
  %b7 = "tir.const"() {value = dense<3> : tensor<48xi8>} : () -> tensor<48xi8>
  %y7 = "tir.depthwise-conv2d-fix"(%y6, %w7, %b7) {op_name = "down", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x112x112x48xi8>, tensor<1x3x3x48xi8>, tensor<48xi8>) -> tensor<1x56x56x48xi8>
  %w8 = "tir.const"() {value = dense<2> : tensor<24x1x1x48xi8>} : () -> tensor<24x1x1x48xi8>
  %b8 = "tir.const"() {value = dense<3> : tensor<24xi8>} : () -> tensor<24xi8>
  %y8 = "tir.conv2d-fix"(%y7, %w8, %b8) {op_name = "project", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x56x56x48xi8>, tensor<24x1x1x48xi8>, tensor<24xi8>) -> tensor<1x56x56x24xi8>
  return %y8 : tensor<1x56x56x24xi8>
}
