// REQUIRES: mlir
// RUN: xc-opt --split-input-file --convert-mtir-to-vector=mcpu=x86-64-v3 %s | FileCheck %s

// A convolution computes what follows it on its sums. SiLU reads the sum twice;
// then a residual is added.
// CHECK-LABEL: func.func private @xc.vector.conv2d.0(
// CHECK: scf.for
// CHECK: vector.fma
// CHECK: llvm.intr.fmuladd{{.*}}vector<8xf32>
// CHECK: arith.divf {{.*}} : vector<8xf32>
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: vector.store
// CHECK-LABEL: func.func @silu(
// CHECK-NOT: mtir.
// CHECK: call @xc.vector.conv2d.0(
// CHECK-NOT: mtir.
// CHECK: return
func.func @silu(%x: memref<1x4x4x8xf32>, %y: memref<1x4x4x8xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<8x1x1x8xf32>} : () -> memref<8x1x1x8xf32>
  %0 = memref.alloc() : memref<1x4x4x8xf32>
  %1 = memref.alloc() : memref<1x4x4x8xf32>
  %2 = memref.alloc() : memref<1x4x4x8xf32>
  "mtir.conv2d"(%x, %w, %0) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xf32>, memref<8x1x1x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.sigmoid"(%0, %1) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.mul"(%0, %1, %2) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.add"(%2, %x, %y) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  return
}

// -----

// What somebody else reads ends the epilogue: the sigmoid alone would leave
// the sum without a writer.
// CHECK-LABEL: func.func @read_twice(
// CHECK: call @xc.vector.conv2d.0(
// CHECK: mtir.sigmoid
// CHECK: mtir.mul
// CHECK: mtir.maxpool2d
func.func @read_twice(%x: memref<1x4x4x8xf32>, %y: memref<1x4x4x8xf32>, %z: memref<1x4x4x8xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<8x1x1x8xf32>} : () -> memref<8x1x1x8xf32>
  %0 = memref.alloc() : memref<1x4x4x8xf32>
  %1 = memref.alloc() : memref<1x4x4x8xf32>
  "mtir.conv2d"(%x, %w, %0) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xf32>, memref<8x1x1x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.sigmoid"(%0, %1) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.mul"(%0, %1, %y) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.maxpool2d"(%0, %z) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  return
}

// -----

// The first activation is taken even where the next operator does not fit; a
// second residual does not.
// CHECK-LABEL: func.func @two_residuals(
// CHECK: call @xc.vector.conv2d.0(
// CHECK-NOT: mtir.relu
// CHECK: mtir.add
// CHECK-NOT: mtir.
// CHECK: return
func.func @two_residuals(%x: memref<1x4x4x8xf32>, %v: memref<1x4x4x8xf32>, %y: memref<1x4x4x8xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<8x1x1x8xf32>} : () -> memref<8x1x1x8xf32>
  %0 = memref.alloc() : memref<1x4x4x8xf32>
  %1 = memref.alloc() : memref<1x4x4x8xf32>
  %2 = memref.alloc() : memref<1x4x4x8xf32>
  "mtir.conv2d"(%x, %w, %0) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xf32>, memref<8x1x1x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.relu"(%0, %1) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.add"(%1, %x, %2) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.add"(%2, %v, %y) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  return
}

// -----

// The residual is overwritten before the last step: only what comes before is
// taken.
// CHECK-LABEL: func.func @residual_changes(
// CHECK: call @xc.vector.conv2d.0(
// CHECK: mtir.neg
// CHECK: mtir.relu
func.func @residual_changes(%x: memref<1x4x4x8xf32>, %y: memref<1x4x4x8xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<8x1x1x8xf32>} : () -> memref<8x1x1x8xf32>
  %0 = memref.alloc() : memref<1x4x4x8xf32>
  %1 = memref.alloc() : memref<1x4x4x8xf32>
  %2 = memref.alloc() : memref<1x4x4x8xf32>
  "mtir.neg"(%x, %1) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.conv2d"(%x, %w, %0) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xf32>, memref<8x1x1x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.add"(%0, %1, %2) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.neg"(%x, %1) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.relu"(%2, %y) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  return
}

// -----

// One number that is a constant is part of the code: the hard swish that some
// frameworks write down in four operators.
// CHECK-LABEL: func.func @hard_swish(
// CHECK-NOT: mtir.
// CHECK: return
func.func @hard_swish(%x: memref<1x4x4x8xf32>, %y: memref<1x4x4x8xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<8x1x1x8xf32>} : () -> memref<8x1x1x8xf32>
  %three = "memtx.const"() {value = dense<3.0> : tensor<f32>} : () -> memref<f32>
  %six = "memtx.const"() {value = dense<6.0> : tensor<1xf32>} : () -> memref<1xf32>
  %0 = memref.alloc() : memref<1x4x4x8xf32>
  %1 = memref.alloc() : memref<1x4x4x8xf32>
  %2 = memref.alloc() : memref<1x4x4x8xf32>
  %3 = memref.alloc() : memref<1x4x4x8xf32>
  "mtir.conv2d"(%x, %w, %0) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xf32>, memref<8x1x1x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.add"(%0, %three, %1) : (memref<1x4x4x8xf32>, memref<f32>, memref<1x4x4x8xf32>) -> ()
  "mtir.clip"(%1, %2) {min = 0.0 : f32, max = 6.0 : f32} : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.mul"(%0, %2, %3) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.div"(%3, %six, %y) : (memref<1x4x4x8xf32>, memref<1xf32>, memref<1x4x4x8xf32>) -> ()
  return
}
