// RUN: split-file %s %t
// RUN: not xc-opt %t/net.mlir --tir-partition=require-offload=60% 2>&1 | FileCheck %s --check-prefix=OFFLOAD
// RUN: xc-opt %t/net.mlir --tir-partition=require-offload=50% -o /dev/null
// RUN: not xc-opt %t/net.mlir --tir-partition=target=B4097 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not xc-opt %t/net.mlir --tir-partition=require-offload=101 2>&1 | FileCheck %s --check-prefix=PERCENT
// RUN: not xc-opt %t/net.mlir --tir-partition=show=all 2>&1 | FileCheck %s --check-prefix=SHOW
// RUN: not xc-opt %t/net.mlir --tir-partition=launch-us=0 2>&1 | FileCheck %s --check-prefix=POSITIVE
// RUN: not xc-opt %t/net.mlir --tir-partition=report=%t/no/such/file 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not xc-opt %t/region.mlir --tir-partition 2>&1 | FileCheck %s --check-prefix=REGION
// RUN: not xc-opt %t/blocks.mlir --tir-partition 2>&1 | FileCheck %s --check-prefix=BLOCKS

// OFFLOAD: net.mlir:3:8: error: 50.00% of the model's multiply-accumulates run on the DPU, required are 60%; most of the others are on the CPU for 'slow' (conv2d-fix, 50.00%) by round-mode: rounding is STD_ROUND, expected DPU_ROUND, fits with rounding STD_ROUND -> DPU_ROUND
// TARGET: unknown target 'B4097'
// PERCENT: option 'require-offload' of tir-partition is '101', expected 0 to 100
// SHOW: option 'show' of tir-partition is 'all', expected one of 'none', 'kinds', 'operators'
// POSITIVE: 'tir-partition': option 'launch-us' needs an integer from 1 to 2147483647
// FILE: cannot open output file '{{.*}}/no/such/file'
// REGION: error: 'scf.if' op has a region; a function to partition holds operators without regions
// BLOCKS: error: 'func.func' op has several blocks, expected one

//--- net.mlir
func.func @net(%a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  %0 = "tir.conv2d-fix"(%a, %w) {op_name = "slow", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], round_mode = "STD_ROUND"} : (tensor<1x4x4x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x4x4x16xi8>
  %1 = "tir.conv2d-fix"(%0, %w) {op_name = "fast", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x4x4x16xi8>
  return %1 : tensor<1x4x4x16xi8>
}
//--- region.mlir
func.func @net(%c: i1, %a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %0 = scf.if %c -> tensor<1x4x4x16xi8> {
    %1 = "tir.relu-fix"(%a) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
    scf.yield %1 : tensor<1x4x4x16xi8>
  } else {
    scf.yield %a : tensor<1x4x4x16xi8>
  }
  return %0 : tensor<1x4x4x16xi8>
}
//--- blocks.mlir
func.func @net(%a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  cf.br ^next
^next:
  %0 = "tir.relu-fix"(%a) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  return %0 : tensor<1x4x4x16xi8>
}
