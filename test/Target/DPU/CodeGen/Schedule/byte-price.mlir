// Layers of a bottleneck that keep the engine busy by themselves gain little by being a
// cascade, which moves half of the bytes. A price of bytes takes it.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B512 %t.mlir | FileCheck %s --check-prefix=TIME
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B512 --byte-price=0.0156 %t.mlir | FileCheck %s --check-prefix=BYTES
// RUN: not xc-translate --mtir-to-dpu-schedule --byte-price=-1 %t.mlir 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not xc-translate --mtir-to-dpu-schedule --byte-price=inf %t.mlir 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// TIME: 335686 cycles, 872704 bytes loaded, 614400 saved
// TIME-NOT: cascade
// BYTES: 337110 cycles, 565504 bytes loaded, 307200 saved
// BYTES: layer 1: b0 + c0
// BYTES: cascade of units 1 to 2

// NEGATIVE: xc-translate: for the --byte-price option: expected a number such as 0.01

func.func @net(%x: tensor<1x40x40x128xi8>) -> tensor<1x40x40x128xi8> attributes {device = "DPU"} {
  %w1 = "tir.const"() {value = dense<2> : tensor<64x1x1x128xi8>} : () -> tensor<64x1x1x128xi8>
  %a0 = "tir.conv2d-fix"(%x, %w1) {op_name = "a0", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 9 : i32, output_fix_point = 5 : i32} : (tensor<1x40x40x128xi8>, tensor<64x1x1x128xi8>) -> tensor<1x40x40x64xi8>
  %w2 = "tir.const"() {value = dense<3> : tensor<64x3x3x64xi8>} : () -> tensor<64x3x3x64xi8>
  %b0 = "tir.conv2d-fix"(%a0, %w2) {op_name = "b0", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 9 : i32, output_fix_point = 5 : i32} : (tensor<1x40x40x64xi8>, tensor<64x3x3x64xi8>) -> tensor<1x40x40x64xi8>
  %w3 = "tir.const"() {value = dense<1> : tensor<128x1x1x64xi8>} : () -> tensor<128x1x1x64xi8>
  %c0 = "tir.conv2d-fix"(%b0, %w3) {op_name = "c0", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 9 : i32, output_fix_point = 5 : i32} : (tensor<1x40x40x64xi8>, tensor<128x1x1x64xi8>) -> tensor<1x40x40x128xi8>
  %s0 = "tir.eltwise-fix"(%x, %c0) {op_name = "s0", type = "ADD", nonlinear = "RELU", input_fix_point = [5 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x40x40x128xi8>, tensor<1x40x40x128xi8>) -> tensor<1x40x40x128xi8>
  return %s0 : tensor<1x40x40x128xi8>
}
