// REQUIRES: mlir
// RUN: xc-opt %s --pass-pipeline="builtin.module(cpu-share-loops{threads=2})" | FileCheck %s
// RUN: xc-opt %s --pass-pipeline="builtin.module(cpu-share-loops{threads=1})" | FileCheck %s --check-prefix=ONE
// RUN: not xc-opt %s --pass-pipeline="builtin.module(cpu-share-loops{threads=0})" 2>&1 | FileCheck %s --check-prefix=ZERO
// ONE-NOT: scf.parallel
// ZERO: option 'threads' needs an integer from 1 to 1024

// Rows are dealt out; loops over the same rows go together, although one reads
// what the other wrote.
// CHECK-LABEL: func.func private @rows(
// CHECK: %[[SHARES:.*]] = arith.constant 2 : index
// CHECK: scf.parallel (%[[SHARE:.*]]) = (%{{.*}}) to (%[[SHARES]])
// CHECK: %[[FIRST:.*]] = arith.muli %[[SHARE]], %{{.*}}
// CHECK: %[[LOW:.*]] = arith.divui %[[FIRST]]
// CHECK: %[[HIGH:.*]] = arith.divui
// CHECK: scf.for %{{.*}} = %[[LOW]] to %[[HIGH]]
// CHECK: scf.for %{{.*}} = %c0
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.reduce
// CHECK-NOT: scf.parallel
func.func private @rows(%a: memref<301x1024xf32>, %out: memref<301x1024xf32> {llvm.noalias}) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 301 : index
  %columns = arith.constant 1024 : index
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %k = %c0 to %columns step %c1 {
      %x = memref.load %a[%i, %k] : memref<301x1024xf32>
      memref.store %x, %out[%i, %k] : memref<301x1024xf32>
    }
  }
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %k = %c0 to %columns step %c1 {
      %x = memref.load %out[%i, %k] : memref<301x1024xf32>
      %y = arith.maximumf %x, %zero : f32
      memref.store %y, %out[%i, %k] : memref<301x1024xf32>
    }
  }
  return
}

// A loop over other rows than the one before it waits for that.
// CHECK-LABEL: func.func private @transposed(
// CHECK: scf.parallel
// CHECK: scf.parallel
func.func private @transposed(%a: memref<512x512xf32>, %out: memref<512x512xf32> {llvm.noalias}) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 512 : index
  scf.for %i = %c0 to %size step %c1 {
    scf.for %k = %c0 to %size step %c1 {
      %x = memref.load %a[%i, %k] : memref<512x512xf32>
      memref.store %x, %out[%i, %k] : memref<512x512xf32>
    }
  }
  scf.for %i = %c0 to %size step %c1 {
    scf.for %k = %c0 to %size step %c1 {
      %x = memref.load %out[%k, %i] : memref<512x512xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %out[%k, %i] : memref<512x512xf32>
    }
  }
  return
}

// Sums over rows, rows that read others, vectors along the rows' axis, memory
// that all iterations use, operators in place of another layout and little work
// stay as they are.
// CHECK-LABEL: func.func private @sum(
// CHECK-NOT: scf.parallel
func.func private @sum(%a: memref<512x512xf32>, %out: memref<512xf32> {llvm.noalias}) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 512 : index
  scf.for %i = %c0 to %size step %c1 {
    scf.for %k = %c0 to %size step %c1 {
      %x = memref.load %a[%i, %k] : memref<512x512xf32>
      %y = memref.load %out[%k] : memref<512xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %out[%k] : memref<512xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func private @chain(
func.func private @chain(%out: memref<513x512xf32> {llvm.noalias}) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 512 : index
  scf.for %i = %c0 to %size step %c1 {
    %j = arith.addi %i, %c1 : index
    scf.for %k = %c0 to %size step %c1 {
      %x = memref.load %out[%j, %k] : memref<513x512xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %out[%i, %k] : memref<513x512xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func private @vectors(
func.func private @vectors(%a: memref<500000xf32>, %out: memref<500000xf32> {llvm.noalias}) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 499990 : index
  scf.for %i = %c0 to %size step %c1 {
    %x = vector.load %a[%i] : memref<500000xf32>, vector<8xf32>
    vector.store %x, %out[%i] : memref<500000xf32>, vector<8xf32>
  }
  return
}

// CHECK-LABEL: func.func private @scratch(
func.func private @scratch(%a: memref<512x512xf32>, %out: memref<512x512xf32> {llvm.noalias}) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 512 : index
  %row = memref.alloca() : memref<512xf32>
  scf.for %i = %c0 to %size step %c1 {
    scf.for %k = %c0 to %size step %c1 {
      %x = memref.load %a[%i, %k] : memref<512x512xf32>
      memref.store %x, %row[%k] : memref<512xf32>
    }
    scf.for %k = %c0 to %size step %c1 {
      %x = memref.load %row[%k] : memref<512xf32>
      memref.store %x, %out[%i, %k] : memref<512x512xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func private @in_place_of_another(
func.func private @in_place_of_another(%a: memref<512x2x256xf32>, %out: memref<512x512xf32>) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 512 : index
  scf.for %i = %c0 to %size step %c1 {
    scf.for %k = %c0 to %size step %c1 {
      %x = memref.load %a[%i, %c0, %c1] : memref<512x2x256xf32>
      memref.store %x, %out[%i, %k] : memref<512x512xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func private @little(
func.func private @little(%a: memref<16x16xf32>, %out: memref<16x16xf32> {llvm.noalias}) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 16 : index
  scf.for %i = %c0 to %size step %c1 {
    scf.for %k = %c0 to %size step %c1 {
      %x = memref.load %a[%i, %k] : memref<16x16xf32>
      memref.store %x, %out[%i, %k] : memref<16x16xf32>
    }
  }
  return
}

// Only kernels are looked at.
// CHECK-LABEL: func.func @not_a_kernel(
func.func @not_a_kernel(%a: memref<512x512xf32>, %out: memref<512x512xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 512 : index
  scf.for %i = %c0 to %size step %c1 {
    scf.for %k = %c0 to %size step %c1 {
      %x = memref.load %a[%i, %k] : memref<512x512xf32>
      memref.store %x, %out[%i, %k] : memref<512x512xf32>
    }
  }
  return
}

// In place, element by element.
// CHECK-LABEL: func.func private @in_place(
// CHECK: scf.parallel
func.func private @in_place(%a: memref<512x512xf32>, %out: memref<512x512xf32>) attributes {xc.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.constant 512 : index
  scf.for %i = %c0 to %size step %c1 {
    scf.for %k = %c0 to %size step %c1 {
      %x = memref.load %a[%i, %k] : memref<512x512xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %out[%i, %k] : memref<512x512xf32>
    }
  }
  return
}
