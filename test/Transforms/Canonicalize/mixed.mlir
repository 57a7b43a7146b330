// Operators of other dialects, and buffers, are left alone.
// RUN: xc-opt --allow-unregistered-dialect --tir-canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @bufferized
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: memtx.const
// CHECK-NEXT: mtir.add
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: mtir.add
// CHECK-NEXT: tir.upload"(%arg0)
// CHECK-NEXT: tir.relu"
// CHECK-NEXT: tir.download
// CHECK-NEXT: tir.upload"(%arg0)
// CHECK-NEXT: foreign.user
// CHECK-NEXT: return
func.func @bufferized(%m: memref<4xf32>) {
  %buffer = memref.alloc() : memref<4xf32>
  %zero = "memtx.const"() {value = dense<0.0> : tensor<4xf32>} : () -> memref<4xf32>
  "mtir.add"(%m, %zero, %buffer) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  %other = memref.alloc() : memref<4xf32>
  "mtir.add"(%m, %zero, %other) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  %x = "tir.upload"(%m) : (memref<4xf32>) -> tensor<4xf32>
  %dead = "tir.upload"(%m) : (memref<4xf32>) -> tensor<4xf32>
  %c = "tir.const"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "tir.add"(%x, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = "tir.relu"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  "tir.download"(%r, %m) : (tensor<4xf32>, memref<4xf32>) -> ()
  %again = "tir.upload"(%m) : (memref<4xf32>) -> tensor<4xf32>
  "foreign.user"(%again) : (tensor<4xf32>) -> ()
  return
}

// A kernel of the host's may read what changes: not merged, but erased.
// CHECK-LABEL: func.func @custom
// CHECK-COUNT-2: tir.custom
// CHECK-NOT: tir.custom
// CHECK: return
func.func @custom(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "tir.custom"(%x) {op_type = "now", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "tir.custom"(%x) {op_type = "now", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %dead = "tir.custom"(%x) {op_type = "now", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "tir.sub"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// Equal operators of two blocks are not merged.
// CHECK-LABEL: func.func @blocks
// CHECK: tir.exp
// CHECK: tir.exp
func.func @blocks(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %p = "tir.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %p : tensor<4xf32>
^b:
  %q = "tir.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %q : tensor<4xf32>
}

// Nested regions belong to the walk.
// CHECK-LABEL: func.func @nested
// CHECK: foreign.region
// CHECK-NEXT: foreign.use"(%arg0)
func.func @nested(%x: tensor<4xf32>) {
  "foreign.region"() ({
    %c = "tir.const"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
    %y = "tir.add"(%x, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "foreign.use"(%y) : (tensor<4xf32>) -> ()
  }) : () -> ()
  return
}
