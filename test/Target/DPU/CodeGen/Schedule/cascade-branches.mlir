// The second branch reads nothing of the first one, so the two cannot be a
// cascade. With the layer that joins them, they can.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096
// CHECK: cascade of units 0 to 2
func.func @net(%x: tensor<1x64x64x64xi8>, %y: tensor<1x64x64x64xi8>) -> tensor<1x64x64x16xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<2> : tensor<128x1x1x64xi8>} : () -> tensor<128x1x1x64xi8>
  %v = "tir.const"() {value = dense<1> : tensor<16x1x1x256xi8>} : () -> tensor<16x1x1x256xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "left", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x64xi8>, tensor<128x1x1x64xi8>) -> tensor<1x64x64x128xi8>
  %1 = "tir.conv2d-fix"(%y, %w) {op_name = "right", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x64xi8>, tensor<128x1x1x64xi8>) -> tensor<1x64x64x128xi8>
  %2 = "tir.concat-fix"(%0, %1) {op_name = "both", axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32} : (tensor<1x64x64x128xi8>, tensor<1x64x64x128xi8>) -> tensor<1x64x64x256xi8>
  %3 = "tir.conv2d-fix"(%2, %v) {op_name = "join", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 3 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x256xi8>, tensor<16x1x1x256xi8>) -> tensor<1x64x64x16xi8>
  return %3 : tensor<1x64x64x16xi8>
}
