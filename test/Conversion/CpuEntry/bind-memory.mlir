// REQUIRES: mlir
// RUN: xc-opt %s --cpu-bind-memory | FileCheck %s

// A called function gets the end of the caller's arena; equal constants share
// their bytes, unused ones take none; freeing an arena's buffer means nothing.
// CHECK: module attributes {xc.params = dense<{{.*}}> : tensor<72xi8>}
// CHECK-LABEL: func.func private @xc.body.main(
// CHECK-SAME: %{{.*}}: memref<16xf32>, %[[ARENA:.*]]: memref<192xi8>, %[[PARAMS:.*]]: memref<72xi8>, %[[STATUS:.*]]: memref<i32>)
// CHECK-SAME: xc.arena_bytes = 192 : i64, xc.entry = "xc_main", xc.function = "main"
// CHECK-SAME: xc.input_bytes = array<i64: 64>
// CHECK: %[[BUFFER:.*]] = memref.view %[[ARENA]]{{.*}} memref<16xf32>
// CHECK: memref.view %[[PARAMS]]{{.*}} memref<2xf32>
// CHECK: memref.view %[[PARAMS]]{{.*}} memref<2xf32>
// CHECK: %[[REST:.*]] = memref.view %[[ARENA]][%c64{{.*}}][] : memref<192xi8> to memref<128xi8>
// CHECK: call @xc.body.part(%[[BUFFER]], %[[REST]], %[[PARAMS]], %[[STATUS]])
// CHECK-NOT: dealloc
// CHECK-LABEL: func.func private @xc.body.part(
// CHECK-SAME: %{{.*}}: memref<128xi8>
func.func @main(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %c = "memtx.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> memref<2xf32>
  %unused = "memtx.const"() {value = dense<[4.0, 5.0]> : tensor<2xf32>} : () -> memref<2xf32>
  %d = "memtx.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> memref<2xf32>
  %e = "memtx.const"() {value = dense<[1.0, 3.0]> : tensor<2xf32>} : () -> memref<2xf32>
  memref.copy %c, %d : memref<2xf32> to memref<2xf32>
  memref.copy %c, %e : memref<2xf32> to memref<2xf32>
  call @part(%a) : (memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  return
}
func.func private @part(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<17xf32>
  return
}

// A buffer without elements takes no bytes, whatever its strides are.
// CHECK-LABEL: func.func private @xc.body.empty(
// CHECK-SAME: xc.arena_bytes = 0 : i64
// CHECK-SAME: xc.input_bytes = array<i64: 0>
func.func @empty(%x: memref<1x4x4x0xf32>) {
  %a = memref.alloc() : memref<1x4x4x0xf32>
  return
}
