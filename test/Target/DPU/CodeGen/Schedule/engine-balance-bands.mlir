// The rolling buffers of a cascade hold the bands that the layers of its best
// schedule need. A depthwise layer that is divided otherwise afterwards may be
// computed some blocks later, when a concatenation of what it reads and writes
// has lost its first bands.
// RUN: %python %S/../Inputs/compare.py %t %s B4096 B2304
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// CHECK: cascade of units
func.func @ghost(%arg0: tensor<1x160x160x3xi8>) -> tensor<1x40x40x24xi8> attributes {device = "DPU"} {
  %0 = "tir.const"() {value = dense<1> : tensor<16x3x3x3xi8>} : () -> tensor<16x3x3x3xi8>
  %1 = "tir.const"() {value = dense<1> : tensor<16xi8>} : () -> tensor<16xi8>
  %2 = "tir.conv2d-fix"(%arg0, %0, %1) {bias_fix_point = 19 : i32, input_fix_point = 7 : i32, kernel = [3 : i32, 3 : i32], nonlinear = "RELU", op_name = "n0", output_fix_point = 8 : i32, pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], pad_mode = "FLOOR", stride = [2 : i32, 2 : i32], weight_fix_point = 11 : i32} : (tensor<1x160x160x3xi8>, tensor<16x3x3x3xi8>, tensor<16xi8>) -> tensor<1x80x80x16xi8>
  %3 = "tir.const"() {value = dense<1> : tensor<8x1x1x16xi8>} : () -> tensor<8x1x1x16xi8>
  %4 = "tir.const"() {value = dense<1> : tensor<8xi8>} : () -> tensor<8xi8>
  %5 = "tir.conv2d-fix"(%2, %3, %4) {bias_fix_point = 15 : i32, input_fix_point = 8 : i32, kernel = [1 : i32, 1 : i32], nonlinear = "RELU", op_name = "n1", output_fix_point = 8 : i32, pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR", stride = [1 : i32, 1 : i32], weight_fix_point = 6 : i32} : (tensor<1x80x80x16xi8>, tensor<8x1x1x16xi8>, tensor<8xi8>) -> tensor<1x80x80x8xi8>
  %6 = "tir.const"() {value = dense<1> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %7 = "tir.const"() {value = dense<1> : tensor<8xi8>} : () -> tensor<8xi8>
  %8 = "tir.depthwise-conv2d-fix"(%5, %6, %7) {bias_fix_point = 17 : i32, input_fix_point = 8 : i32, kernel = [3 : i32, 3 : i32], nonlinear = "RELU", op_name = "n2", output_fix_point = 8 : i32, pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], pad_mode = "FLOOR", stride = [1 : i32, 1 : i32], weight_fix_point = 8 : i32} : (tensor<1x80x80x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi8>) -> tensor<1x80x80x8xi8>
  %9 = "tir.concat-fix"(%5, %8) {axis = 3 : i32, input_fix_point = [8 : i32, 8 : i32], op_name = "n3", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, output_fix_point = 8 : i32} : (tensor<1x80x80x8xi8>, tensor<1x80x80x8xi8>) -> tensor<1x80x80x16xi8>
  %10 = "tir.const"() {value = dense<1> : tensor<8x1x1x16xi8>} : () -> tensor<8x1x1x16xi8>
  %11 = "tir.const"() {value = dense<1> : tensor<8xi8>} : () -> tensor<8xi8>
  %12 = "tir.conv2d-fix"(%9, %10, %11) {bias_fix_point = 19 : i32, input_fix_point = 8 : i32, kernel = [1 : i32, 1 : i32], nonlinear = "NONE", op_name = "n4", output_fix_point = 11 : i32, pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR", stride = [1 : i32, 1 : i32], weight_fix_point = 10 : i32} : (tensor<1x80x80x16xi8>, tensor<8x1x1x16xi8>, tensor<8xi8>) -> tensor<1x80x80x8xi8>
  %13 = "tir.const"() {value = dense<1> : tensor<1x3x3x8xi8>} : () -> tensor<1x3x3x8xi8>
  %14 = "tir.const"() {value = dense<1> : tensor<8xi8>} : () -> tensor<8xi8>
  %15 = "tir.depthwise-conv2d-fix"(%12, %13, %14) {bias_fix_point = 20 : i32, input_fix_point = 11 : i32, kernel = [3 : i32, 3 : i32], nonlinear = "NONE", op_name = "n5", output_fix_point = 11 : i32, pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], pad_mode = "FLOOR", stride = [1 : i32, 1 : i32], weight_fix_point = 8 : i32} : (tensor<1x80x80x8xi8>, tensor<1x3x3x8xi8>, tensor<8xi8>) -> tensor<1x80x80x8xi8>
  %16 = "tir.concat-fix"(%12, %15) {axis = 3 : i32, input_fix_point = [11 : i32, 11 : i32], op_name = "n6", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, output_fix_point = 11 : i32} : (tensor<1x80x80x8xi8>, tensor<1x80x80x8xi8>) -> tensor<1x80x80x16xi8>
  %17 = "tir.eltwise-fix"(%2, %16) {input_fix_point = [8 : i32, 11 : i32], nonlinear = "NONE", op_name = "n7", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, output_fix_point = 8 : i32, type = "ADD"} : (tensor<1x80x80x16xi8>, tensor<1x80x80x16xi8>) -> tensor<1x80x80x16xi8>
  %18 = "tir.const"() {value = dense<1> : tensor<24x1x1x16xi8>} : () -> tensor<24x1x1x16xi8>
  %19 = "tir.const"() {value = dense<1> : tensor<24xi8>} : () -> tensor<24xi8>
  %20 = "tir.conv2d-fix"(%17, %18, %19) {bias_fix_point = 14 : i32, input_fix_point = 8 : i32, kernel = [1 : i32, 1 : i32], nonlinear = "RELU", op_name = "n8", output_fix_point = 8 : i32, pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR", stride = [1 : i32, 1 : i32], weight_fix_point = 5 : i32} : (tensor<1x80x80x16xi8>, tensor<24x1x1x16xi8>, tensor<24xi8>) -> tensor<1x80x80x24xi8>
  %21 = "tir.const"() {value = dense<1> : tensor<1x3x3x24xi8>} : () -> tensor<1x3x3x24xi8>
  %22 = "tir.const"() {value = dense<1> : tensor<24xi8>} : () -> tensor<24xi8>
  %23 = "tir.depthwise-conv2d-fix"(%20, %21, %22) {bias_fix_point = 15 : i32, input_fix_point = 8 : i32, kernel = [3 : i32, 3 : i32], nonlinear = "RELU", op_name = "n9", output_fix_point = 8 : i32, pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], pad_mode = "FLOOR", stride = [1 : i32, 1 : i32], weight_fix_point = 6 : i32} : (tensor<1x80x80x24xi8>, tensor<1x3x3x24xi8>, tensor<24xi8>) -> tensor<1x80x80x24xi8>
  %24 = "tir.concat-fix"(%20, %23) {axis = 3 : i32, input_fix_point = [8 : i32, 8 : i32], op_name = "n10", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, output_fix_point = 8 : i32} : (tensor<1x80x80x24xi8>, tensor<1x80x80x24xi8>) -> tensor<1x80x80x48xi8>
  %25 = "tir.const"() {value = dense<1> : tensor<1x3x3x48xi8>} : () -> tensor<1x3x3x48xi8>
  %26 = "tir.const"() {value = dense<1> : tensor<48xi8>} : () -> tensor<48xi8>
  %27 = "tir.depthwise-conv2d-fix"(%24, %25, %26) {bias_fix_point = 17 : i32, input_fix_point = 8 : i32, kernel = [3 : i32, 3 : i32], nonlinear = "NONE", op_name = "n11", output_fix_point = 9 : i32, pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], pad_mode = "FLOOR", stride = [2 : i32, 2 : i32], weight_fix_point = 8 : i32} : (tensor<1x80x80x48xi8>, tensor<1x3x3x48xi8>, tensor<48xi8>) -> tensor<1x40x40x48xi8>
  %28 = "tir.const"() {value = dense<1> : tensor<12x1x1x48xi8>} : () -> tensor<12x1x1x48xi8>
  %29 = "tir.const"() {value = dense<1> : tensor<12xi8>} : () -> tensor<12xi8>
  %30 = "tir.conv2d-fix"(%27, %28, %29) {bias_fix_point = 19 : i32, input_fix_point = 9 : i32, kernel = [1 : i32, 1 : i32], nonlinear = "NONE", op_name = "n12", output_fix_point = 10 : i32, pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR", stride = [1 : i32, 1 : i32], weight_fix_point = 9 : i32} : (tensor<1x40x40x48xi8>, tensor<12x1x1x48xi8>, tensor<12xi8>) -> tensor<1x40x40x12xi8>
  %31 = "tir.const"() {value = dense<1> : tensor<1x3x3x12xi8>} : () -> tensor<1x3x3x12xi8>
  %32 = "tir.const"() {value = dense<1> : tensor<12xi8>} : () -> tensor<12xi8>
  %33 = "tir.depthwise-conv2d-fix"(%30, %31, %32) {bias_fix_point = 19 : i32, input_fix_point = 10 : i32, kernel = [3 : i32, 3 : i32], nonlinear = "NONE", op_name = "n13", output_fix_point = 10 : i32, pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], pad_mode = "FLOOR", stride = [1 : i32, 1 : i32], weight_fix_point = 8 : i32} : (tensor<1x40x40x12xi8>, tensor<1x3x3x12xi8>, tensor<12xi8>) -> tensor<1x40x40x12xi8>
  %34 = "tir.concat-fix"(%30, %33) {axis = 3 : i32, input_fix_point = [10 : i32, 10 : i32], op_name = "n14", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, output_fix_point = 10 : i32} : (tensor<1x40x40x12xi8>, tensor<1x40x40x12xi8>) -> tensor<1x40x40x24xi8>
  %35 = "tir.const"() {value = dense<1> : tensor<1x3x3x16xi8>} : () -> tensor<1x3x3x16xi8>
  %36 = "tir.const"() {value = dense<1> : tensor<16xi8>} : () -> tensor<16xi8>
  %37 = "tir.depthwise-conv2d-fix"(%17, %35, %36) {bias_fix_point = 15 : i32, input_fix_point = 8 : i32, kernel = [3 : i32, 3 : i32], nonlinear = "NONE", op_name = "n15", output_fix_point = 7 : i32, pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], pad_mode = "FLOOR", stride = [2 : i32, 2 : i32], weight_fix_point = 6 : i32} : (tensor<1x80x80x16xi8>, tensor<1x3x3x16xi8>, tensor<16xi8>) -> tensor<1x40x40x16xi8>
  %38 = "tir.const"() {value = dense<1> : tensor<24x1x1x16xi8>} : () -> tensor<24x1x1x16xi8>
  %39 = "tir.const"() {value = dense<1> : tensor<24xi8>} : () -> tensor<24xi8>
  %40 = "tir.conv2d-fix"(%37, %38, %39) {bias_fix_point = 17 : i32, input_fix_point = 7 : i32, kernel = [1 : i32, 1 : i32], nonlinear = "NONE", op_name = "n16", output_fix_point = 8 : i32, pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR", stride = [1 : i32, 1 : i32], weight_fix_point = 9 : i32} : (tensor<1x40x40x16xi8>, tensor<24x1x1x16xi8>, tensor<24xi8>) -> tensor<1x40x40x24xi8>
  %41 = "tir.eltwise-fix"(%34, %40) {input_fix_point = [10 : i32, 8 : i32], nonlinear = "NONE", op_name = "n17", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, output_fix_point = 8 : i32, type = "ADD"} : (tensor<1x40x40x24xi8>, tensor<1x40x40x24xi8>) -> tensor<1x40x40x24xi8>
  return %41 : tensor<1x40x40x24xi8>
}
