// REQUIRES: mlir
// RUN: xc-opt --split-input-file --pass-pipeline='builtin.module(global-bufferize,convert-tir-to-mtir,convert-mtir-to-linalg)' %s | FileCheck %s
// RUN: xc-test-cpu %s | FileCheck %s --check-prefix=NUMBERS

// Vectors of channels go through all taps of a window in registers.
// CHECK-LABEL: func.func private @xc.maxpool2d.0(
// CHECK-NOT: memref.alloca
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK: vector.load {{.*}} vector<16xf32>
// CHECK: vector.store
// NUMBERS-NOT: differs
// NUMBERS: few: x86-64: same
// NUMBERS: few: native: same
// NUMBERS-NOT: differs
func.func @largest(%x: tensor<2x9x8x32xf32>) -> tensor<2x5x4x32xf32> {
  %0 = "tir.maxpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<2x9x8x32xf32>) -> tensor<2x5x4x32xf32>
  return %0 : tensor<2x5x4x32xf32>
}

// The last block of channels overlaps; sums are doubles, as the reference's.
// CHECK-LABEL: func.func private @xc.avgpool2d.0(
// CHECK: vector<16xf64>
func.func @mean(%x: tensor<1x7x7x83xf32>) -> tensor<1x7x7x83xf32> {
  %0 = "tir.avgpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], count_include_pad = false} : (tensor<1x7x7x83xf32>) -> tensor<1x7x7x83xf32>
  return %0 : tensor<1x7x7x83xf32>
}

func.func @few(%x: tensor<1x7x7x5xf32>) -> (tensor<1x3x3x5xf32>, tensor<1x3x3x5xf32>) {
  %0 = "tir.maxpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x7x7x5xf32>) -> tensor<1x3x3x5xf32>
  %1 = "tir.avgpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x7x7x5xf32>) -> tensor<1x3x3x5xf32>
  return %0, %1 : tensor<1x3x3x5xf32>, tensor<1x3x3x5xf32>
}
