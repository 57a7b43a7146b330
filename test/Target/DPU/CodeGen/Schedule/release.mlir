// The longest cascade does not have the words for "next", which is held for
// the layer after it, where "both" is held as a whole: that one passes through.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096
// CHECK: cascade of units 0 to 5
func.func @fire(%x: tensor<1x224x224x3xi8>) -> tensor<1x55x55x32xi8> attributes {device = "DPU"} {
  %wstem = "tir.const"() {value = dense<2> : tensor<64x3x3x3xi8>} : () -> tensor<64x3x3x3xi8>
  %stem = "tir.conv2d-fix"(%x, %wstem) {op_name = "stem", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x224x224x3xi8>, tensor<64x3x3x3xi8>) -> tensor<1x111x111x64xi8>
  %pool = "tir.pool-fix"(%stem) {op_name = "pool", type = "MAX", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x111x111x64xi8>) -> tensor<1x55x55x64xi8>
  %wsqueeze = "tir.const"() {value = dense<3> : tensor<16x1x1x64xi8>} : () -> tensor<16x1x1x64xi8>
  %squeeze = "tir.conv2d-fix"(%pool, %wsqueeze) {op_name = "squeeze", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x55x55x64xi8>, tensor<16x1x1x64xi8>) -> tensor<1x55x55x16xi8>
  %wone = "tir.const"() {value = dense<4> : tensor<64x1x1x16xi8>} : () -> tensor<64x1x1x16xi8>
  %one = "tir.conv2d-fix"(%squeeze, %wone) {op_name = "one", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x55x55x16xi8>, tensor<64x1x1x16xi8>) -> tensor<1x55x55x64xi8>
  %wthree = "tir.const"() {value = dense<5> : tensor<64x3x3x16xi8>} : () -> tensor<64x3x3x16xi8>
  %three = "tir.conv2d-fix"(%squeeze, %wthree) {op_name = "three", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x55x55x16xi8>, tensor<64x3x3x16xi8>) -> tensor<1x55x55x64xi8>
  %both = "tir.concat-fix"(%one, %three) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, op_name = "both", axis = 3 : i32, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x55x55x64xi8>, tensor<1x55x55x64xi8>) -> tensor<1x55x55x128xi8>
  %wnext = "tir.const"() {value = dense<1> : tensor<16x1x1x128xi8>} : () -> tensor<16x1x1x128xi8>
  %next = "tir.conv2d-fix"(%both, %wnext) {op_name = "next", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x55x55x128xi8>, tensor<16x1x1x128xi8>) -> tensor<1x55x55x16xi8>
  %wlast = "tir.const"() {value = dense<2> : tensor<32x3x3x16xi8>} : () -> tensor<32x3x3x16xi8>
  %last = "tir.conv2d-fix"(%next, %wlast) {op_name = "last", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x55x55x16xi8>, tensor<32x3x3x16xi8>) -> tensor<1x55x55x32xi8>
  return %last : tensor<1x55x55x32xi8>
}
