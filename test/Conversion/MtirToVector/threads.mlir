// REQUIRES: mlir, openmp
// RUN: xc-test-cpu --random-constants --threads=2 --mcpu=native %s | FileCheck %s
// RUN: xc-opt %s --pass-pipeline="builtin.module(global-bufferize,convert-tir-to-mtir,mtir-eliminate-copies,xc-cpu-pipeline{threads=2})" | FileCheck %s --check-prefix=LLVM
// RUN: xc-opt %s --pass-pipeline="builtin.module(global-bufferize,convert-tir-to-mtir,mtir-eliminate-copies,xc-cpu-pipeline)" | FileCheck %s --check-prefix=ONE

// RUN: %if !sanitizer %{ xc-translate --mtir-to-shared-library --threads=2 %s -o %t.so %}
// RUN: %if !sanitizer %{ llvm-readelf -d %t.so | FileCheck %s --check-prefix=SO %}
// SO: NEEDED{{.*}}libomp.so.5

// Two threads share the tiles of a convolution; one thread needs no OpenMP.
// CHECK: big: native: same
// CHECK: small: native: same
// LLVM-LABEL: llvm.func internal @xc.vector.conv2d.0(
// LLVM: llvm.call @__kmpc_bound_thread_num(
// ONE-NOT: omp.
// ONE-NOT: __kmpc_

func.func @big(%x: tensor<1x14x14x32xf32>) -> tensor<1x14x14x40xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<40x3x3x32xf32>} : () -> tensor<40x3x3x32xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<40xf32>} : () -> tensor<40xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x14x14x32xf32>, tensor<40x3x3x32xf32>, tensor<40xf32>) -> tensor<1x14x14x40xf32>
  return %0 : tensor<1x14x14x40xf32>
}

// What would not pay for waking a thread stays on one.
// LLVM-LABEL: llvm.func internal @xc.vector.conv2d.1(
// LLVM-NOT: __kmpc_
// LLVM: llvm.return
// LLVM: omp.parallel num_threads
// LLVM: llvm.call @xc.vector.conv2d.0(
func.func @small(%x: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<8x1x1x8xf32>} : () -> tensor<8x1x1x8xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<8xf32>} : () -> tensor<8xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x8xf32>, tensor<8x1x1x8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}
