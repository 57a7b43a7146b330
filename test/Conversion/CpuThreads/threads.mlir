// REQUIRES: mlir, openmp
// RUN: xc-test-cpu --random-constants --threads=2 --mcpu=native %s | FileCheck %s
// RUN: xc-test-cpu --random-constants --threads=3 --mcpu=native %s | FileCheck %s
// RUN: xc-opt %s --pass-pipeline="builtin.module(global-bufferize,convert-tir-to-mtir,mtir-eliminate-copies,xc-cpu-pipeline{threads=2})" | FileCheck %s --check-prefix=LLVM

// Operators without vector code of their own, shared by rows, give the same
// bits as the reference interpreter.
// CHECK: pool: native: same
// CHECK: joined: native: same
// CHECK: moved: native: same
// LLVM-COUNT-4: llvm.call @__kmpc_bound_thread_num(

func.func @pool(%x: tensor<1x55x55x64xf32>) -> tensor<1x27x27x64xf32> {
  %0 = "tir.maxpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x55x55x64xf32>) -> tensor<1x27x27x64xf32>
  return %0 : tensor<1x27x27x64xf32>
}

func.func @joined(%x: tensor<1x55x55x64xf32>, %y: tensor<1x55x55x16xf32>) -> tensor<1x55x55x80xf32> {
  %0 = "tir.concat"(%x, %y) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x55x55x64xf32>, tensor<1x55x55x16xf32>) -> tensor<1x55x55x80xf32>
  %1 = "tir.add"(%0, %0) : (tensor<1x55x55x80xf32>, tensor<1x55x55x80xf32>) -> tensor<1x55x55x80xf32>
  return %1 : tensor<1x55x55x80xf32>
}

func.func @moved(%x: tensor<1x40x57x57xf32>) -> tensor<1x57x57x40xf32> {
  %0 = "tir.transpose"(%x) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x40x57x57xf32>) -> tensor<1x57x57x40xf32>
  return %0 : tensor<1x57x57x40xf32>
}
