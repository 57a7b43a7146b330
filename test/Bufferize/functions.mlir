// Beyond the article: several functions, calls, declarations, odd results.
// RUN: xc-opt --global-bufferize %s | FileCheck %s
// RUN: xc-opt --global-bufferize --global-bufferize %s | FileCheck %s
// RUN: xc-opt --global-bufferize --convert-tir-to-mtir %s | FileCheck %s --check-prefix=MTIR

// CHECK-LABEL: func.func private @declared(memref<4xf32> {my.a = 1 : i32}, index, memref<2xf32> {my.r = 2 : i32}) -> (index {my.s = 3 : i32})
func.func private @declared(tensor<4xf32> {my.a = 1 : i32}, index) -> (tensor<2xf32> {my.r = 2 : i32}, index {my.s = 3 : i32})

// An argument as result, twice.
// CHECK-LABEL: func.func @identity(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: memref<4xf32>)
// CHECK-NEXT: %[[T:.+]] = "tir.upload"(%arg0)
// CHECK-NEXT: "tir.download"(%[[T]], %arg1)
// CHECK-NEXT: "tir.download"(%[[T]], %arg2)
// CHECK-NEXT: return
// MTIR-LABEL: func.func @identity
// MTIR-NEXT: %[[A:.+]] = memref.alloc()
// MTIR-NEXT: "memtx.copy"(%arg0, %[[A]])
// MTIR-NEXT: "memtx.copy"(%[[A]], %arg1)
// MTIR-NEXT: "memtx.copy"(%[[A]], %arg2)
func.func @identity(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// Other arguments and results pass through.
// CHECK-LABEL: func.func @mixed(%arg0: index, %arg1: memref<4xf32>, %arg2: memref<4xf32>) -> (index, i1)
// CHECK: "tir.download"(%{{.+}}, %arg2)
// CHECK: return %arg0, %true : index, i1
func.func @mixed(%i: index, %x: tensor<4xf32>) -> (index, tensor<4xf32>, i1) {
  %0 = "tir.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %true = arith.constant true
  return %i, %0, %true : index, tensor<4xf32>, i1
}

// Callers allocate what their callee fills.
// CHECK-LABEL: func.func @caller
// CHECK: %[[X:.+]] = "tir.upload"(%arg0)
// CHECK: %[[IN:.+]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: "tir.download"(%[[X]], %[[IN]])
// CHECK-NEXT: %[[OUT:.+]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT: %[[N:.+]] = call @declared(%[[IN]], %arg1, %[[OUT]]) {my.note = "x"} : (memref<4xf32>, index, memref<2xf32>) -> index
// CHECK-NEXT: %[[R:.+]] = "tir.upload"(%[[OUT]])
// CHECK-NEXT: "tir.download"(%[[R]], %arg2)
// CHECK-NEXT: return %[[N]] : index
// MTIR-LABEL: func.func @caller
// MTIR: call @declared(%{{.+}}, %arg1, %{{.+}}) {my.note = "x"}
func.func @caller(%x: tensor<4xf32>, %i: index) -> (tensor<2xf32>, index) {
  %0:2 = call @declared(%x, %i) {my.note = "x"} : (tensor<4xf32>, index) -> (tensor<2xf32>, index)
  return %0#0, %0#1 : tensor<2xf32>, index
}

// Rank-0 constants stay and are read in place; other constants, dead or not,
// keep their attributes.
// CHECK-LABEL: func.func @constants
// CHECK: %[[S:.+]] = "tir.const"() {value = dense<2.000000e+00> : tensor<f32>} : () -> tensor<f32>
// CHECK: "memtx.const"() {op_name = "w", value = dense<1.000000e+00> : tensor<4xf32>} : () -> memref<4xf32>
// MTIR-LABEL: func.func @constants
// MTIR: %[[S:.+]] = "tir.const"() {value = dense<2.000000e+00> : tensor<f32>} : () -> tensor<f32>
// MTIR: "mtir.add"(%{{.+}}, %[[S]], %{{.+}}) : (memref<4xf32>, tensor<f32>, memref<4xf32>) -> ()
// MTIR: %[[C:.+]] = "memtx.const"() {value = dense<2.000000e+00> : tensor<f32>} : () -> memref<f32>
// MTIR: "memtx.copy"(%[[C]], %arg2)
func.func @constants(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %0 = "tir.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %1 = "tir.const"() {op_name = "w", value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %2 = "tir.add"(%x, %0) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %2, %0 : tensor<4xf32>, tensor<f32>
}

// Branches that carry no tensors are fine; blocks come in any order.
// CHECK-LABEL: func.func @blocks
// MTIR-LABEL: func.func @blocks
// MTIR: "mtir.exp"(%[[R:.+]], %
// MTIR: "mtir.relu"(%{{.+}}, %[[R]])
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^second
^first:
  %1 = "tir.exp"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
^second:
  %0 = "tir.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^first
}

// An `id` names the buffer of an operator.
// MTIR-LABEL: func.func @named
// MTIR: memref.alloc() {name = "relu.7.out"} : memref<4xf32>
// MTIR: "mtir.concat"({{.*}}operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>
func.func @named(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = "tir.relu"(%x) {id = 7 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "tir.concat"(%0, %x) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A function that has buffers already stays as it is.
// CHECK-LABEL: func.func @done(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
// CHECK-NEXT: "mtir.relu"(%arg0, %arg1)
func.func @done(%x: memref<4xf32>, %y: memref<4xf32>) {
  "mtir.relu"(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
