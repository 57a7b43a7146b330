// REQUIRES: mlir
// RUN: xc-opt %s --pass-pipeline="builtin.module(convert-scf-to-openmp{num-threads=2},canonicalize,cpu-join-regions,cpu-join-calls)" | FileCheck %s

// Threads find their iterations by their numbers where there is at most one for
// each of them.
// CHECK: func.func private @__kmpc_bound_num_threads(!llvm.ptr) -> i32
// CHECK: func.func private @__kmpc_bound_thread_num(!llvm.ptr) -> i32

// CHECK-LABEL: func.func private @two(
// CHECK-NOT: omp.
// CHECK: %[[NUMBER:.*]] = call @__kmpc_bound_thread_num(
// CHECK: %[[FIRST:.*]] = arith.index_cast %[[NUMBER]]
// CHECK: %[[COUNT:.*]] = call @__kmpc_bound_num_threads(
// CHECK: %[[STEP:.*]] = arith.index_cast %[[COUNT]]
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %c2 step %[[STEP]]
// CHECK: memref.store %[[I]], %{{.*}}[%[[I]]]
// CHECK-NOT: omp.
// CHECK: return
func.func private @two(%a: memref<8xindex>) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %i, %a[%i] : memref<8xindex>
    scf.reduce
  }
  return
}

// Others are dealt out by OpenMP. What one thread does, with all that comes of
// it, is done by the first; loops wait at the end of each iteration.
// CHECK-LABEL: func.func private @eight(
// CHECK-NOT: omp.parallel
// CHECK: omp.masked {
// CHECK: %[[X:.*]] = memref.load
// CHECK: %[[Y:.*]] = arith.addi %[[X]]
// CHECK: memref.store %[[Y]]
// CHECK: omp.terminator
// CHECK: }
// CHECK: omp.barrier
// CHECK: scf.for
// CHECK: omp.wsloop nowait {
// CHECK: omp.barrier
// CHECK: }
// CHECK-NOT: omp.
// CHECK: return
func.func private @eight(%a: memref<8xindex>, %b: memref<8xindex>) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %x = memref.load %a[%c1] : memref<8xindex>
  %y = arith.addi %x, %c1 : index
  memref.store %y, %a[%c2] : memref<8xindex>
  scf.for %k = %c0 to %c2 step %c1 {
    scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
      memref.store %k, %b[%i] : memref<8xindex>
      scf.reduce
    }
  }
  return
}

// Two loops in one function: threads wait between them.
// CHECK-LABEL: func.func private @twice(
// CHECK-NOT: omp.
// CHECK: scf.for
// CHECK: omp.barrier
// CHECK: scf.for
// CHECK-NOT: omp.
// CHECK: return
func.func private @twice(%a: memref<8xindex>, %b: memref<8xindex>) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %i, %a[%i] : memref<8xindex>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %k = arith.subi %c1, %i : index
    %x = memref.load %a[%k] : memref<8xindex>
    memref.store %x, %b[%i] : memref<8xindex>
    scf.reduce
  }
  return
}

// All threads would need a value that only one has: the region stays.
// CHECK-LABEL: func.func private @value(
// CHECK: memref.load
// CHECK: omp.parallel
func.func private @value(%a: memref<8xindex>) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = memref.load %a[%c1] : memref<8xindex>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %x, %a[%i] : memref<8xindex>
    scf.reduce
  }
  return
}

// Memory that threads share must not be each thread's own.
// CHECK-LABEL: func.func private @scratch(
// CHECK: memref.alloca
// CHECK: omp.parallel
func.func private @scratch(%b: memref<8xindex>) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloca() : memref<8xindex>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %i, %a[%i] : memref<8xindex>
    %x = memref.load %a[%i] : memref<8xindex>
    memref.store %x, %b[%i] : memref<8xindex>
    scf.reduce
  }
  return
}

func.func private @alone(%a: memref<8xindex>) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  memref.store %c0, %a[%c0] : memref<8xindex>
  return
}

func.func private @of_the_user(memref<8xindex>)

// CHECK-LABEL: func.func private @calls_the_user(
func.func private @calls_the_user(%a: memref<8xindex>) attributes {xc.kernel} {
  call @of_the_user(%a) : (memref<8xindex>) -> ()
  return
}

// One region from the first call that is shared to the last one, with views of
// its own. Threads wait between calls, and the first one alone calls what is
// not shared.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[BYTES:.*]]: memref<128xi8>, %[[B:.*]]: memref<8xindex>)
// CHECK-NOT: omp.
// CHECK: call @alone(
// CHECK: omp.parallel num_threads(%{{.*}} : i32) {
// CHECK-NEXT: %[[A:.*]] = memref.view %[[BYTES]]
// CHECK-NEXT: func.call @two(%[[A]])
// CHECK-NEXT: omp.barrier
// CHECK-NEXT: omp.masked {
// CHECK-NEXT: func.call @alone(%[[B]])
// CHECK-NEXT: func.call @alone(%[[A]])
// CHECK-NEXT: omp.terminator
// CHECK-NEXT: }
// CHECK-NEXT: omp.barrier
// CHECK-NEXT: func.call @eight(%[[A]], %[[B]])
// CHECK-NEXT: omp.barrier
// CHECK-NEXT: func.call @two(%[[B]])
// CHECK-NEXT: omp.terminator
// CHECK-NEXT: }
// CHECK: call @alone(
// CHECK-NOT: omp.
// CHECK: return
func.func @chain(%bytes: memref<128xi8>, %b: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %a = memref.view %bytes[%c0][] : memref<128xi8> to memref<8xindex>
  call @alone(%a) : (memref<8xindex>) -> ()
  call @two(%a) : (memref<8xindex>) -> ()
  call @alone(%b) : (memref<8xindex>) -> ()
  %again = memref.view %bytes[%c0][] : memref<128xi8> to memref<8xindex>
  call @alone(%a) : (memref<8xindex>) -> ()
  call @eight(%a, %b) : (memref<8xindex>, memref<8xindex>) -> ()
  call @two(%b) : (memref<8xindex>) -> ()
  call @alone(%again) : (memref<8xindex>) -> ()
  return
}

// Functions of the user may start threads of their own, and so do those that
// kept their regions.
// CHECK-LABEL: func.func @chains(
// CHECK: omp.parallel
// CHECK-NEXT: func.call @two(
// CHECK-NEXT: omp.terminator
// CHECK-NEXT: }
// CHECK-NEXT: call @calls_the_user(
// CHECK: omp.parallel
// CHECK-NEXT: func.call @two(
// CHECK-NEXT: omp.terminator
// CHECK-NEXT: }
// CHECK-NEXT: call @value(
// CHECK: omp.parallel
// CHECK-NEXT: func.call @two(
// CHECK-NEXT: omp.terminator
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @chains(%a: memref<8xindex>) {
  call @two(%a) : (memref<8xindex>) -> ()
  call @calls_the_user(%a) : (memref<8xindex>) -> ()
  call @two(%a) : (memref<8xindex>) -> ()
  call @value(%a) : (memref<8xindex>) -> ()
  call @two(%a) : (memref<8xindex>) -> ()
  return
}
