// Which copies go and, below, which must stay.
// RUN: xc-opt --mtir-eliminate-copies %s | FileCheck %s

// The article's: constants and arguments that are only read, the final copy.
// CHECK-LABEL: func.func @article
// CHECK-NEXT: %[[C:[a-z0-9_]+]] = "memtx.const"
// CHECK-NEXT: "mtir.add"(%arg0, %[[C]], %arg1)
// CHECK-NEXT: return
func.func @article(%x: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %c = "memtx.const"() {value = dense<1.0> : tensor<4xf32>} : () -> memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  "memtx.copy"(%c, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  %r = memref.alloc() : memref<4xf32>
  "mtir.add"(%a, %b, %r) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%r, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// An argument that is returned twice needs one copy each.
// CHECK-LABEL: func.func @identity
// CHECK-NEXT: "memtx.copy"(%arg0, %arg1)
// CHECK-NEXT: "memtx.copy"(%arg0, %arg2)
// CHECK-NEXT: return
func.func @identity(%x: memref<4xf32>, %o: memref<4xf32>, %p: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%a, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%a, %p) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// A result that is copied out twice: one copy stays.
// CHECK-LABEL: func.func @twice
// CHECK-NEXT: "mtir.relu"(%arg0, %arg2)
// CHECK-NEXT: "memtx.copy"(%arg2, %arg1)
// CHECK-NEXT: return
func.func @twice(%x: memref<4xf32>, %o: memref<4xf32>, %p: memref<4xf32>) {
  %r = memref.alloc() : memref<4xf32>
  "mtir.relu"(%x, %r) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%r, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%r, %p) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// A copy that nothing reads goes with its buffer.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// The source is written before the last reader of the copy.
// CHECK-LABEL: func.func @written_source
// CHECK: "memtx.copy"(%arg0, %[[A:[a-z0-9_]+]])
// CHECK-NEXT: "mtir.relu"(%arg1, %arg0)
// CHECK-NEXT: "mtir.exp"(%[[A]], %arg2)
func.func @written_source(%x: memref<4xf32>, %y: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.relu"(%y, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.exp"(%a, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// Written only after the last reader: the copy goes.
// CHECK-LABEL: func.func @written_later
// CHECK-NEXT: "mtir.exp"(%arg0, %arg2)
// CHECK-NEXT: "mtir.relu"(%arg1, %arg0)
func.func @written_later(%x: memref<4xf32>, %y: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.exp"(%a, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.relu"(%y, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// The last reader and the writer are one operation: its output must not be its
// input.
// CHECK-LABEL: func.func @in_place
// CHECK: "memtx.copy"(%arg0, %[[A:[a-z0-9_]+]])
// CHECK-NEXT: "mtir.relu"(%[[A]], %arg0)
func.func @in_place(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.relu"(%a, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// The source is written through a view.
// CHECK-LABEL: func.func @view_of_source
// CHECK: "memtx.copy"(%arg0, %[[A:[a-z0-9_]+]])
// CHECK: "mtir.relu"(%arg1, %
// CHECK: "mtir.exp"(%[[A]], %arg2)
func.func @view_of_source(%x: memref<4xf32>, %y: memref<2x2xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %v = memref.expand_shape %x [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  "mtir.relu"(%y, %v) : (memref<2x2xf32>, memref<2x2xf32>) -> ()
  "mtir.exp"(%a, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// The copy is written itself.
// CHECK-LABEL: func.func @written_copy
// CHECK: "memtx.copy"(%arg0, %[[A:[a-z0-9_]+]])
// CHECK-NEXT: "mtir.relu"(%arg1, %[[A]])
func.func @written_copy(%x: memref<4xf32>, %y: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.relu"(%y, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.exp"(%a, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// The destination is read before the copy reaches it.
// CHECK-LABEL: func.func @destination_read
// CHECK: "mtir.relu"(%arg0, %[[R:[a-z0-9_]+]])
// CHECK: "mtir.exp"(%arg1, %{{.+}})
// CHECK: "memtx.copy"(%[[R]], %arg1)
func.func @destination_read(%x: memref<4xf32>, %o: memref<4xf32>, %p: memref<4xf32>) {
  %r = memref.alloc() : memref<4xf32>
  "mtir.relu"(%x, %r) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.exp"(%o, %p) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%r, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// The buffer is written again after it was copied out.
// CHECK-LABEL: func.func @written_again
// CHECK: "memtx.copy"(%{{.+}}, %arg1)
func.func @written_again(%x: memref<4xf32>, %o: memref<4xf32>, %p: memref<4xf32>) {
  %r = memref.alloc() : memref<4xf32>
  "mtir.relu"(%x, %r) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%r, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.exp"(%x, %r) : (memref<4xf32>, memref<4xf32>) -> ()
  "mtir.neg"(%r, %p) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// A buffer that escapes keeps its copies.
// CHECK-LABEL: func.func @escapes
// CHECK: "memtx.copy"
// CHECK: return
func.func @escapes(%x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  return %a : memref<4xf32>
}

// Another layout is another type.
// CHECK-LABEL: func.func @layout
// CHECK: "memtx.copy"
func.func @layout(%x: memref<4xf32, strided<[2]>>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32, strided<[2]>>, memref<4xf32>) -> ()
  "mtir.relu"(%a, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// A callee may write what it is given.
// CHECK-LABEL: func.func @call
// CHECK: "memtx.copy"(%arg0, %[[A:[a-z0-9_]+]])
// CHECK-NEXT: call @extern(%[[A]], %arg1)
func.func private @extern(memref<4xf32>, memref<4xf32>)
func.func @call(%x: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %r = memref.alloc() : memref<4xf32>
  func.call @extern(%a, %r) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%r, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// Called with one buffer for both arguments: they overlap.
// CHECK-LABEL: func.func @overlapping
// CHECK: "memtx.copy"(%arg0, %[[A:[a-z0-9_]+]])
// CHECK: "mtir.relu"(%[[A]], %[[R:[a-z0-9_]+]])
// CHECK: "memtx.copy"(%[[R]], %arg1)
func.func @overlapping(%x: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %r = memref.alloc() : memref<4xf32>
  "mtir.relu"(%a, %r) : (memref<4xf32>, memref<4xf32>) -> ()
  "memtx.copy"(%r, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @overlaps(%x: memref<4xf32>) {
  call @overlapping(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// In a loop of blocks a constant may be read in place, an argument that
// somebody writes may not.
// CHECK-LABEL: func.func @loop
// CHECK-NOT: "memtx.copy"(%{{[0-9]+}}
// CHECK: "memtx.copy"(%arg1,
func.func @loop(%c: i1, %x: memref<4xf32>, %o: memref<4xf32>) {
  %w = "memtx.const"() {value = dense<1.0> : tensor<4xf32>} : () -> memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  "memtx.copy"(%w, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  "memtx.copy"(%x, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.br ^head
^head:
  "mtir.add"(%a, %b, %o) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  "mtir.neg"(%o, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.cond_br %c, ^head, ^end
^end:
  return
}
