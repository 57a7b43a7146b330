// REQUIRES: mlir
// RUN: xc-opt %s --convert-mtir-to-linalg | FileCheck %s
// RUN: xc-opt %s --xc-cpu-pipeline | FileCheck %s --check-prefix=LLVM

// Operators that differ in their buffers only share a function; the type of
// the elements is part of what they do.

// CHECK-LABEL: func.func private @xc.relu.0
// CHECK-SAME:    memref<2x4xf32>, %{{.*}}: memref<2x4xf32> {llvm.noalias}
// CHECK:         linalg.generic
// CHECK-LABEL: func.func private @xc.relu.1
// CHECK-SAME:    memref<2x4xi8>, %{{.*}}: memref<2x4xi8> {llvm.noalias}
// CHECK-LABEL: func.func @main
// CHECK-SAME:    xc.num_inputs = 2
// CHECK:         call @xc.relu.0
// CHECK:         call @xc.relu.0
// CHECK:         unrealized_conversion_cast {{.*}} memref<2x4xui8> to memref<2x4xi8>
// CHECK:         call @xc.relu.1
// CHECK:         call @xc.copy.0

// LLVM: llvm.func @xc_main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// LLVM-SAME: xc.arena_bytes = 64 : i64, xc.function = "main"
// LLVM-SAME: xc.input_bytes = array<i64: 32, 8>, {{.*}}xc.output_bytes = array<i64: 32, 8, 8>
func.func @main(%x: memref<2x4xf32>, %y: memref<2x4xui8>, %p: memref<2x4xf32>, %q: memref<2x4xui8>, %r: memref<2x4xui8>) {
  %b = memref.alloc() : memref<2x4xf32>
  "mtir.relu"(%x, %b) {op_name = "one"} : (memref<2x4xf32>, memref<2x4xf32>) -> ()
  "mtir.relu"(%b, %p) {op_name = "two"} : (memref<2x4xf32>, memref<2x4xf32>) -> ()
  "mtir.relu"(%y, %q) : (memref<2x4xui8>, memref<2x4xui8>) -> ()
  "memtx.copy"(%y, %r) : (memref<2x4xui8>, memref<2x4xui8>) -> ()
  return
}
