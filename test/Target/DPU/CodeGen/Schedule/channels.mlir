// REQUIRES: mlir
// The banks do not hold the rows of a window of 192 channels: instead of in tiles
// of columns, the pool runs some channels at a time. Rows are then loaded two at a
// time, and its result stays in the banks for both convolutions.

// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s --check-prefix=NONE
// RUN: %python %S/../Inputs/compare.py %t.out %s B4096 B512

//      CHECK: unit 0: max-pool pool
// CHECK-NEXT: tiles {{ *}}1 of 27 columns
// CHECK-NEXT: input {{ *}}55x55x96, DDR register 2 at 0
// CHECK-NEXT: output {{ *}}27x27x96, held
//      CHECK: unit 1: max-pool pool
// CHECK-NEXT: tiles {{ *}}1 of 27 columns
// CHECK-NEXT: input {{ *}}55x55x96, DDR register 2 at 96
// CHECK-NEXT: output {{ *}}27x27x96, held
//      CHECK: conv one
//      CHECK: input {{ *}}27x27x192, held
//      CHECK: conv two
//      CHECK: input {{ *}}27x27x192, held

//      NONE: unit 0: max-pool pool
// NONE-NEXT: tiles {{ *}}3 of 9 columns
//  NONE-NOT: max-pool
func.func @net(%x: tensor<1x55x55x192xi8>) -> (tensor<1x27x27x64xi8>, tensor<1x27x27x96xi8>) attributes {device = "DPU"} {
  %pool = "tir.pool-fix"(%x) {op_name = "pool", type = "MAX", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x55x55x192xi8>) -> tensor<1x27x27x192xi8>
  %w1 = "tir.const"() {value = dense<2> : tensor<64x1x1x192xi8>} : () -> tensor<64x1x1x192xi8>
  %one = "tir.conv2d-fix"(%pool, %w1) {op_name = "one", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 2 : i32} : (tensor<1x27x27x192xi8>, tensor<64x1x1x192xi8>) -> tensor<1x27x27x64xi8>
  %w2 = "tir.const"() {value = dense<-3> : tensor<96x1x1x192xi8>} : () -> tensor<96x1x1x192xi8>
  %two = "tir.conv2d-fix"(%pool, %w2) {op_name = "two", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "NONE", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 2 : i32} : (tensor<1x27x27x192xi8>, tensor<96x1x1x192xi8>) -> tensor<1x27x27x96xi8>
  return %one, %two : tensor<1x27x27x64xi8>, tensor<1x27x27x96xi8>
}
