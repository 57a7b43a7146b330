// REQUIRES: mlir
// RUN: xc-opt %s --pass-pipeline="builtin.module(convert-scf-to-openmp{num-threads=2},canonicalize,cpu-join-regions)" | FileCheck %s

// One region; threads wait between its loops, and at its end once.
// CHECK-LABEL: func.func @next(
// CHECK: omp.parallel
// CHECK: omp.wsloop {
// CHECK: omp.wsloop nowait {
// CHECK-NOT: omp.parallel
// CHECK: return
func.func @next(%a: memref<8xindex>, %b: memref<8xindex>, %x: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %i, %a[%i] : memref<8xindex>
    scf.reduce
  }
  %y = arith.addi %x, %x : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %k = arith.subi %y, %i : index
    %v = memref.load %a[%k] : memref<8xindex>
    memref.store %v, %b[%i] : memref<8xindex>
    scf.reduce
  }
  return
}

// Memory that is used in between keeps them apart.
// CHECK-LABEL: func.func @apart(
// CHECK: omp.parallel
// CHECK: omp.wsloop nowait {
// CHECK: memref.store
// CHECK: memref.load
// CHECK: omp.parallel
// CHECK: omp.wsloop nowait {
func.func @apart(%a: memref<8xindex>, %b: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %i, %a[%i] : memref<8xindex>
    scf.reduce
  }
  %y = memref.load %a[%c1] : memref<8xindex>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %y, %b[%i] : memref<8xindex>
    scf.reduce
  }
  return
}
