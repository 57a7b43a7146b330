// REQUIRES: mlir
// RUN: xc-opt --split-input-file --convert-mtir-to-vector=mcpu=x86-64-v3 %s | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: xc-opt --split-input-file --convert-mtir-to-vector="mcpu=x86-64-v3 threads=2" %s | FileCheck %s --check-prefixes=CHECK,TWO

// The padded copy of the image would take 1.7 MB. It is made for a band of rows
// at a time; two threads have one each, and one parallel loop does all.
// CHECK-LABEL: func.func private @"xc.vector.depthwise-conv2d.0"(
// ONE-SAME: memref<{{[0-9][0-9][0-9][0-9][0-9]}}xf32> {llvm.noalias}
// ONE-NOT: scf.parallel
// TWO: scf.parallel
// TWO-NOT: scf.parallel
// CHECK: scf.for
// CHECK: vector.store
// CHECK: vector.fma
// CHECK-LABEL: func.func @padded(
func.func @padded(%x: memref<1x160x160x16xf32>, %y: memref<1x160x160x16xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<1x3x3x16xf32>} : () -> memref<1x3x3x16xf32>
  "mtir.depthwise-conv2d"(%x, %w, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (memref<1x160x160x16xf32>, memref<1x3x3x16xf32>, memref<1x160x160x16xf32>) -> ()
  return
}

// -----

// Weights that do not stay in the cache are asked for before they are needed.
// CHECK-LABEL: func.func private @xc.vector.conv2d.0(
// CHECK: memref.prefetch {{.*}} memref<262144xf32>
// CHECK-LABEL: func.func @streamed(
func.func @streamed(%x: memref<1x7x7x512xf32>, %y: memref<1x7x7x512xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<512x1x1x512xf32>} : () -> memref<512x1x1x512xf32>
  "mtir.conv2d"(%x, %w, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x7x7x512xf32>, memref<512x1x1x512xf32>, memref<1x7x7x512xf32>) -> ()
  return
}
