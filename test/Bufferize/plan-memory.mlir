// Offsets by liveness, the printed sizes, what is left alone.
// RUN: xc-opt --mtir-plan-memory %s 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SIZES < %t.err
// RUN: xc-opt --mtir-plan-memory=print=false %s 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: xc-opt -p 'builtin.module(func.func(mtir-plan-memory{print=false}))' %s | FileCheck %s
// QUIET-NOT: : arena

// A chain needs two buffers at a time: the third takes the place of the first.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: xc.arena_bytes = 128 : i64, xc.arena_lower_bound = 128 : i64
// CHECK: %[[ARENA:.+]] = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK: %[[A:.+]] = arith.constant 0 : index
// CHECK: %[[VA:.+]] = memref.view %[[ARENA]][%[[A]]][] : memref<128xi8> to memref<4xf32>
// CHECK: "mtir.relu"(%arg0, %[[VA]])
// CHECK: %[[B:.+]] = arith.constant 64 : index
// CHECK: %[[VB:.+]] = memref.view %[[ARENA]][%[[B]]][] {name = "exp.1.out"} : memref<128xi8> to memref<4xf32>
// CHECK: "mtir.exp"(%[[VA]], %[[VB]])
// CHECK: %[[C:.+]] = arith.constant 0 : index
// CHECK: %[[VC:.+]] = memref.view %[[ARENA]][%[[C]]][]
// CHECK: "mtir.neg"(%[[VB]], %[[VC]])
// SIZES: @chain: arena 128 bytes, lower bound 128 bytes, 3 buffers of 192 bytes
func.func @chain(%x: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "mtir.relu"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %b = memref.alloc() {name = "exp.1.out"} : memref<4xf32>
  "mtir.exp"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  %c = memref.alloc() : memref<4xf32>
  "mtir.neg"(%b, %c) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%c, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// A view keeps its buffer alive; a returned buffer lives for ever; a freed one
// is left alone; two blocks may loop, so nothing is shared.
// CHECK-LABEL: func.func @views
// CHECK-SAME: xc.arena_bytes = 192
// SIZES: @views: arena 192 bytes
func.func @views(%x: memref<4xf32>, %o: memref<2x2xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "mtir.relu"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %v = memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  %b = memref.alloc() : memref<2x2xf32>
  "mtir.exp"(%v, %b) : (memref<2x2xf32>, memref<2x2xf32>) -> ()
  %c = memref.alloc() : memref<2x2xf32>
  "mtir.add"(%v, %b, %c) : (memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) -> ()
  "memtx.copy"(%c, %o) : (memref<2x2xf32>, memref<2x2xf32>) -> ()
  return
}
// CHECK-LABEL: func.func @freed
// CHECK: memref.alloc() : memref<4xf32>
// CHECK: memref.dealloc
func.func @freed(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "mtir.relu"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
// CHECK-LABEL: func.func @loop
// CHECK-SAME: xc.arena_bytes = 128 : i64, xc.arena_lower_bound = 128
func.func @loop(%c: i1, %x: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  cf.br ^head
^head:
  "mtir.relu"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%a, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.exp"(%x, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%b, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.cond_br %c, ^head, ^end
^end:
  return
}
// A cast of the elements is the same buffer: the third allocation takes the
// place of the first.
// CHECK-LABEL: func.func @elements
// CHECK-SAME: xc.arena_bytes = 128 : i64, xc.arena_lower_bound = 128
func.func private @step(memref<4xi8>, memref<4xi8>)
func.func @elements(%x: memref<4xi8>, %o: memref<4xi8>) {
  %a = memref.alloc() : memref<4xui8>
  %0 = builtin.unrealized_conversion_cast %a : memref<4xui8> to memref<4xi8>
  call @step(%x, %0) : (memref<4xi8>, memref<4xi8>) -> ()
  %b = memref.alloc() : memref<4xui8>
  %1 = builtin.unrealized_conversion_cast %b : memref<4xui8> to memref<4xi8>
  call @step(%0, %1) : (memref<4xi8>, memref<4xi8>) -> ()
  %c = memref.alloc() : memref<4xui8>
  %2 = builtin.unrealized_conversion_cast %c : memref<4xui8> to memref<4xi8>
  call @step(%1, %2) : (memref<4xi8>, memref<4xi8>) -> ()
  call @step(%2, %o) : (memref<4xi8>, memref<4xi8>) -> ()
  return
}
