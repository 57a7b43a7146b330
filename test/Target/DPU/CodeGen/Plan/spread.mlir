// A small input comes to one bank by one LOAD, and the engine for sums copies its
// rows to theirs while the weights are loaded: two rows at a time, as the stride is 2.
// Of a large one, every row has its LOAD.
//
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule-json %t.mlir | FileCheck %s --check-prefix=JSON
// RUN: xc-translate --mtir-to-dpu-asm %t.mlir | FileCheck %s --check-prefix=ASM
// RUN: xc-translate --mtir-to-xmodel %t.mlir -o %t.xmodel
// RUN: seq 1 999 | head -c 192 > %t.in
// RUN: xc-run --backend=reference %s --function=small --input=%t.in --output=%t.expected
// RUN: xc-run --strict %t.xmodel --subgraph=small --input=%t.in --output=%t.out
// RUN: cmp %t.out %t.expected

// CHECK: unit 0: conv first
// CHECK-NEXT: rows copied from 192 words of a bank
// CHECK-NEXT: input 8x24x1, DDR register 2 at {{[0-9]+}}, through banks 0 to 7 words 204 to
// CHECK: unit 1: conv second
// CHECK-NOT: rows copied

// JSON: "source_words": 192
// JSON: "source_words": 0

// ASM: LOAD {{.*}} channel 1 length 192 {{.*}} reg_id 2
// ASM-NOT: reg_id 2
// ASM: ELEW {{.*}} length 24
// ASM: ELEW {{.*}} length 48
// ASM-NOT: reg_id 2
// ASM: CONV

func.func @small(%x: tensor<1x8x24x1xi8>) -> tensor<1x4x12x20xi8> attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<[[[[3], [-5], [7]], [[2], [11], [-4]], [[-9], [6], [1]]]]> : tensor<1x3x3x1xi8>} : () -> tensor<1x3x3x1xi8>
  %w1 = "tir.const"() {value = dense<9> : tensor<20x1x1x1xi8>} : () -> tensor<20x1x1x1xi8>
  %0 = "tir.conv2d-fix"(%x, %w0) {op_name = "first", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 0 : i32, 1 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 6 : i32} : (tensor<1x8x24x1xi8>, tensor<1x3x3x1xi8>) -> tensor<1x4x12x1xi8>
  %1 = "tir.conv2d-fix"(%0, %w1) {op_name = "second", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "NONE", input_fix_point = 6 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x4x12x1xi8>, tensor<20x1x1x1xi8>) -> tensor<1x4x12x20xi8>
  return %1 : tensor<1x4x12x20xi8>
}

func.func @large(%x: tensor<1x64x64x16xi8>) -> tensor<1x64x64x16xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "wide", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x64x64x16xi8>, tensor<16x3x3x16xi8>) -> tensor<1x64x64x16xi8>
  return %0 : tensor<1x64x64x16xi8>
}
