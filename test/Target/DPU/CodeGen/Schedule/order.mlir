// Layer by layer, the two branches would send what is between their layers
// through DDR; branch by branch, each is a cascade.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s --check-prefix=GIVEN
// RUN: %python %S/../Inputs/compare.py %t %s B4096
// CHECK: layer 0: left1 + left2
// CHECK: cascade of units 0 to 1
// CHECK: layer 1: right1 + right2
// CHECK: cascade of units 2 to 3
// GIVEN: layer 0: left1
// GIVEN: layer 1: right1
// GIVEN: layer 2: left2
func.func @branches(%x: tensor<1x112x112x16xi8>) -> tensor<1x112x112x32xi8> attributes {device = "DPU"} {
  %wleft1 = "tir.const"() {value = dense<1> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  %left1 = "tir.conv2d-fix"(%x, %wleft1) {op_name = "left1", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x112x112x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x112x112x16xi8>
  %wright1 = "tir.const"() {value = dense<2> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  %right1 = "tir.conv2d-fix"(%x, %wright1) {op_name = "right1", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x112x112x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x112x112x16xi8>
  %wleft2 = "tir.const"() {value = dense<1> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16xi8>
  %left2 = "tir.conv2d-fix"(%left1, %wleft2) {op_name = "left2", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x112x112x16xi8>, tensor<16x3x3x16xi8>) -> tensor<1x112x112x16xi8>
  %wright2 = "tir.const"() {value = dense<2> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16xi8>
  %right2 = "tir.conv2d-fix"(%right1, %wright2) {op_name = "right2", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x112x112x16xi8>, tensor<16x3x3x16xi8>) -> tensor<1x112x112x16xi8>
  %both = "tir.concat-fix"(%left2, %right2) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, op_name = "both", axis = 3 : i32, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x112x112x16xi8>, tensor<1x112x112x16xi8>) -> tensor<1x112x112x32xi8>
  return %both : tensor<1x112x112x32xi8>
}
