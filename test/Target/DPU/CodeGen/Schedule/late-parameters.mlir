// The first unit of a cascade begins when its own parameters are there: those of the
// next one are loaded after the rows that it waits for.
// REQUIRES: mlir
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule-json %t.mlir | FileCheck %s --check-prefix=JSON
// RUN: xc-translate --mtir-to-dpu-asm %t.mlir | FileCheck %s --check-prefix=ASM
// RUN: %python %S/../Inputs/compare.py %t %s B4096 B1152

// CHECK: cascade of units 0 to 1, prefetch distance 0 blocks, late parameters
// JSON: "late_parameters": true

// ASM: # layer first
// ASM-NEXT: LOAD
// ASM-NOT: length 9
// ASM: # first: tile 0, rows 0 to 7
// ASM: {{^CONV }}
// ASM: # layer second
// ASM-NEXT: LOAD {{.*}} length 9
// ASM: # second: tile 0, rows 0 to 7
func.func @net(%x: tensor<1x160x160x16xi8>) -> tensor<1x160x160x16xi8> attributes {device = "DPU"} {
  %w1 = "tir.const"() {value = dense<2> : tensor<64x1x1x16xi8>} : () -> tensor<64x1x1x16xi8>
  %y1 = "tir.conv2d-fix"(%x, %w1) {op_name = "first", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x160x160x16xi8>, tensor<64x1x1x16xi8>) -> tensor<1x160x160x64xi8>
  %w2 = "tir.const"() {value = dense<2> : tensor<16x3x3x64xi8>} : () -> tensor<16x3x3x64xi8>
  %y2 = "tir.conv2d-fix"(%y1, %w2) {op_name = "second", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x160x160x64xi8>, tensor<16x3x3x64xi8>) -> tensor<1x160x160x16xi8>
  return %y2 : tensor<1x160x160x16xi8>
}
