// The rolling buffers of an inverted bottleneck leave no room for a row more, so that
// in a cascade of whole rows the engines wait for each other. In tiles of columns they
// do not, and the columns that two tiles need of the first layer are computed twice.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096 B1152

// CHECK: 71181 cycles
// CHECK: conv expand,
// CHECK: output     80x41x144, rolling buffer
// CHECK: conv project,
// CHECK: output     80x40x24, DDR register 3 at 0,
// CHECK: conv expand,
// CHECK: output     80x41x144, rolling buffer
// CHECK: conv project,
// CHECK: output     80x40x24, DDR register 3 at 960,
func.func @inverted(%x: tensor<1x80x80x24xi8>) -> tensor<1x80x80x24xi8> attributes {device = "DPU"} {
  %w1 = "tir.const"() {value = dense<2> : tensor<144x1x1x24xi8>} : () -> tensor<144x1x1x24xi8>
  %b1 = "tir.const"() {value = dense<3> : tensor<144xi8>} : () -> tensor<144xi8>
  %y1 = "tir.conv2d-fix"(%x, %w1, %b1) {op_name = "expand", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x80x80x24xi8>, tensor<144x1x1x24xi8>, tensor<144xi8>) -> tensor<1x80x80x144xi8>
  %w2 = "tir.const"() {value = dense<2> : tensor<1x3x3x144xi8>} : () -> tensor<1x3x3x144xi8>
  %b2 = "tir.const"() {value = dense<3> : tensor<144xi8>} : () -> tensor<144xi8>
  %y2 = "tir.depthwise-conv2d-fix"(%y1, %w2, %b2) {op_name = "depth", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x80x80x144xi8>, tensor<1x3x3x144xi8>, tensor<144xi8>) -> tensor<1x80x80x144xi8>
  %w3 = "tir.const"() {value = dense<2> : tensor<24x1x1x144xi8>} : () -> tensor<24x1x1x144xi8>
  %b3 = "tir.const"() {value = dense<3> : tensor<24xi8>} : () -> tensor<24xi8>
  %y3 = "tir.conv2d-fix"(%y2, %w3, %b3) {op_name = "project", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, bias_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x80x80x144xi8>, tensor<24x1x1x144xi8>, tensor<24xi8>) -> tensor<1x80x80x24xi8>
  %y4 = "tir.eltwise-fix"(%x, %y3) {type = "ADD", nonlinear = "RELU", input_fix_point = [5 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x80x80x24xi8>, tensor<1x80x80x24xi8>) -> tensor<1x80x80x24xi8>
  return %y4 : tensor<1x80x80x24xi8>
}
