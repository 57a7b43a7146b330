// REQUIRES: mlir
// Of small layers the LOADs of weights take longer than the engines, one by one. The
// division of depthwise layers is chosen as if parameters came together, as they do
// in the end: here the convolution engine computes half of them.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-opt %s -o %t.tir.mlir
// RUN: %python %S/../Inputs/compare.py %t %t.tir.mlir B4096

// CHECK: unit {{[0-9]+}}: diagonal depthwise2
// CHECK: transfer {{.*}} words of weights for 16 banks, of units {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}
func.func @net(%x: tensor<1x12x12x64xi8>) -> tensor<1x12x12x64xi8> attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<1> : tensor<1x3x3x64xi8>} : () -> tensor<1x3x3x64xi8>
  %b0 = "tir.const"() {value = dense<-2> : tensor<64xi8>} : () -> tensor<64xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w0, %b0) {op_name = "depthwise0", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 5 : i32} : (tensor<1x12x12x64xi8>, tensor<1x3x3x64xi8>, tensor<64xi8>) -> tensor<1x12x12x64xi8>
  %w1 = "tir.const"() {value = dense<1> : tensor<64x1x1x64xi8>} : () -> tensor<64x1x1x64xi8>
  %1 = "tir.conv2d-fix"(%0, %w1) {op_name = "pointwise0", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 6 : i32} : (tensor<1x12x12x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x12x12x64xi8>
  %w2 = "tir.const"() {value = dense<2> : tensor<1x3x3x64xi8>} : () -> tensor<1x3x3x64xi8>
  %b2 = "tir.const"() {value = dense<-1> : tensor<64xi8>} : () -> tensor<64xi8>
  %2 = "tir.depthwise-conv2d-fix"(%1, %w2, %b2) {op_name = "depthwise1", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 5 : i32} : (tensor<1x12x12x64xi8>, tensor<1x3x3x64xi8>, tensor<64xi8>) -> tensor<1x12x12x64xi8>
  %w3 = "tir.const"() {value = dense<-1> : tensor<64x1x1x64xi8>} : () -> tensor<64x1x1x64xi8>
  %3 = "tir.conv2d-fix"(%2, %w3) {op_name = "pointwise1", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 6 : i32} : (tensor<1x12x12x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x12x12x64xi8>
  %w4 = "tir.const"() {value = dense<3> : tensor<1x3x3x64xi8>} : () -> tensor<1x3x3x64xi8>
  %b4 = "tir.const"() {value = dense<0> : tensor<64xi8>} : () -> tensor<64xi8>
  %4 = "tir.depthwise-conv2d-fix"(%3, %w4, %b4) {op_name = "depthwise2", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 5 : i32} : (tensor<1x12x12x64xi8>, tensor<1x3x3x64xi8>, tensor<64xi8>) -> tensor<1x12x12x64xi8>
  %w5 = "tir.const"() {value = dense<1> : tensor<64x1x1x64xi8>} : () -> tensor<64x1x1x64xi8>
  %5 = "tir.conv2d-fix"(%4, %w5) {op_name = "pointwise2", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 6 : i32} : (tensor<1x12x12x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x12x12x64xi8>
  %w6 = "tir.const"() {value = dense<4> : tensor<1x3x3x64xi8>} : () -> tensor<1x3x3x64xi8>
  %b6 = "tir.const"() {value = dense<1> : tensor<64xi8>} : () -> tensor<64xi8>
  %6 = "tir.depthwise-conv2d-fix"(%5, %w6, %b6) {op_name = "depthwise3", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 5 : i32} : (tensor<1x12x12x64xi8>, tensor<1x3x3x64xi8>, tensor<64xi8>) -> tensor<1x12x12x64xi8>
  %w7 = "tir.const"() {value = dense<-1> : tensor<64x1x1x64xi8>} : () -> tensor<64x1x1x64xi8>
  %7 = "tir.conv2d-fix"(%6, %w7) {op_name = "pointwise3", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 6 : i32} : (tensor<1x12x12x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x12x12x64xi8>
  return %7 : tensor<1x12x12x64xi8>
}
