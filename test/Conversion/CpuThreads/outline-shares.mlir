// REQUIRES: mlir
// RUN: xc-opt %s --pass-pipeline="builtin.module(cpu-outline-shares{threads=2})" | FileCheck %s
// RUN: not xc-opt %s --pass-pipeline="builtin.module(cpu-outline-shares{threads=1025})" 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: option 'threads' needs an integer from 1 to 1024

// The function takes what the body uses, and knows what has no alias; constants
// and views are made again.
// CHECK-LABEL: func.func private @xc.tiles.share.0(
// CHECK-SAME: %[[IN:.*]]: memref<36xf32>, %[[BASE:.*]]: index, %[[OUT:.*]]: memref<9x4xf32> {llvm.noalias}, %[[LOW:.*]]: index, %[[HIGH:.*]]: index)
// CHECK-SAME: xc.kernel
// CHECK-DAG: %[[FLAT:.*]] = memref.collapse_shape %[[OUT]]
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: scf.for %[[I:.*]] = %[[LOW]] to %[[HIGH]]
// CHECK: arith.muli %[[I]], %[[FOUR]]
// CHECK: memref.load %[[IN]][%[[BASE]]]
// CHECK: memref.store %{{.*}}, %[[FLAT]]

// CHECK-LABEL: func.func private @xc.tiles(
// CHECK: scf.for %[[BASE:.*]] = %c0
// CHECK: scf.parallel (%[[SHARE:.*]]) = (%{{.*}}) to (%[[SHARES:.*]]) step
// CHECK: %[[A:.*]] = arith.muli %[[SHARE]]
// CHECK: %[[LOW:.*]] = arith.divui %[[A]]
// CHECK: %[[B:.*]] = arith.muli
// CHECK: %[[HIGH:.*]] = arith.divui %[[B]]
// CHECK: func.call @xc.tiles.share.0(%{{.*}}, %[[BASE]], %{{.*}}, %[[LOW]], %[[HIGH]])
// CHECK: scf.reduce
func.func private @xc.tiles(%in: memref<36xf32>, %out: memref<9x4xf32> {llvm.noalias}) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %flat = memref.collapse_shape %out [[0, 1]] : memref<9x4xf32> into memref<36xf32>
  scf.for %base = %c0 to %c4 step %c1 {
    scf.parallel (%i) = (%c0) to (%c9) step (%c1) {
      %at = arith.muli %i, %c4 : index
      %x = memref.load %in[%base] : memref<36xf32>
      memref.store %x, %flat[%at] : memref<36xf32>
      scf.reduce
    }
  }
  return
}

// Other bounds stay as they are.
// CHECK-LABEL: func.func private @from_one(
// CHECK: scf.parallel
// CHECK-NOT: call
// CHECK: return
func.func private @from_one(%out: memref<36xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.parallel (%i) = (%c1) to (%c9) step (%c1) {
    memref.store %x, %out[%i] : memref<36xf32>
    scf.reduce
  }
  return
}
