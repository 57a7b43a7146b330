// Each chunk of channels takes ELEW instructions of its own to be added, and
// each of these some cycles: chunks of 16 channels would cost more than they
// overlap.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 --target=DPUCAHX8H_ISA2 %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096
// CHECK: conv expand
// CHECK-NEXT: 16 of 64 channels
// CHECK: operand {{.*}} held
// CHECK: cost {{.*}} MISC 27776,
func.func @residual(%x: tensor<1x14x14x256xi8>) -> tensor<1x14x14x1024xi8> attributes {device = "DPU"} {
  %wa = "tir.const"() {value = dense<1> : tensor<1024x1x1x256xi8>} : () -> tensor<1024x1x1x256xi8>
  %wb = "tir.const"() {value = dense<2> : tensor<256x1x1x1024xi8>} : () -> tensor<256x1x1x1024xi8>
  %wc = "tir.const"() {value = dense<3> : tensor<1024x1x1x256xi8>} : () -> tensor<1024x1x1x256xi8>
  %a = "tir.conv2d-fix"(%x, %wa) {op_name = "wide", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x256xi8>, tensor<1024x1x1x256xi8>) -> tensor<1x14x14x1024xi8>
  %b = "tir.conv2d-fix"(%a, %wb) {op_name = "reduce", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x1024xi8>, tensor<256x1x1x1024xi8>) -> tensor<1x14x14x256xi8>
  %c = "tir.conv2d-fix"(%b, %wc) {op_name = "expand", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x256xi8>, tensor<1024x1x1x256xi8>) -> tensor<1x14x14x1024xi8>
  %sum = "tir.eltwise-fix"(%c, %a) {op_name = "sum", type = "ADD", nonlinear = "RELU", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x14x14x1024xi8>, tensor<1x14x14x1024xi8>) -> tensor<1x14x14x1024xi8>
  return %sum : tensor<1x14x14x1024xi8>
}
