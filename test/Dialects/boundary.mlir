// The operators between tensors and buffers, constants, and their messages.
// RUN: xc-opt --split-input-file --verify-diagnostics --mlir-disable-diagnostic-notes %s
// RUN: xc-opt %S/Inputs/path.mlir | FileCheck %s
// RUN: cd / && xc-opt %S/Inputs/path.mlir | FileCheck %s
// CHECK: "tir.const"() {path = "weights.bin"}

func.func @valid(%m: memref<4xf32>, %o: memref<4xf32>) {
  %0 = "tir.upload"(%m) : (memref<4xf32>) -> tensor<4xf32>
  "tir.download"(%0, %o) : (tensor<4xf32>, memref<4xf32>) -> ()
  %1 = "memtx.const"() {value = dense<1.0> : tensor<4xf32>} : () -> memref<4xf32>
  "memtx.copy"(%1, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  %2 = "tir.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  "mtir.add"(%m, %2, %o) : (memref<4xf32>, tensor<f32>, memref<4xf32>) -> ()
  return
}

// -----

func.func @upload(%m: memref<4xf32>) {
  // expected-error@+1 {{'tir.upload' op result 'output' is 5xf32, expected 4xf32}}
  %0 = "tir.upload"(%m) : (memref<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @download(%t: tensor<4xf32>, %o: memref<4xi32>) {
  // expected-error@+1 {{'tir.download' op operand 'mem' is 4xi32, expected 4xf32 as operand 'tensor'}}
  "tir.download"(%t, %o) : (tensor<4xf32>, memref<4xi32>) -> ()
  return
}

// -----

func.func @copy(%m: memref<4xf32>, %o: memref<3xf32>) {
  // expected-error@+1 {{'memtx.copy' op operand 'target' is 3xf32, expected 4xf32 as operand 'source'}}
  "memtx.copy"(%m, %o) : (memref<4xf32>, memref<3xf32>) -> ()
  return
}

// -----

func.func @tensor(%m: memref<4xf32>, %t: tensor<4xf32>, %o: memref<4xf32>) {
  // expected-error@+1 {{'mtir.add' op operand 'b' is tensor<4xf32>, expected memref of f16}}
  "mtir.add"(%m, %t, %o) : (memref<4xf32>, tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

func.func @scalar(%m: memref<4xf32>, %t: tensor<f32>, %o: memref<4xf32>) {
  // expected-error@+1 {{'mtir.add' op operand 'b' is tensor<f32>, expected memref of f16}}
  "mtir.add"(%m, %t, %o) : (memref<4xf32>, tensor<f32>, memref<4xf32>) -> ()
  return
}

// -----

func.func @output(%m: memref<4xf32>) {
  %0 = "tir.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  // expected-error@+1 {{expected base type 'builtin.memref' but got 'builtin.tensor'}}
  "mtir.relu"(%m, %0) : (memref<4xf32>, tensor<f32>) -> ()
  return
}

// -----

func.func @neither() {
  // expected-error@+1 {{'tir.const' op requires one of the attributes 'value' and 'path'}}
  %0 = "tir.const"() : () -> tensor<4xi8>
  return
}

// -----

func.func @both() {
  // expected-error@+1 {{'memtx.const' op requires one of the attributes 'value' and 'path'}}
  %0 = "memtx.const"() {value = dense<1> : tensor<4xi8>, path = "x"} : () -> memref<4xi8>
  return
}

// -----

func.func @element() {
  // expected-error@+1 {{'memtx.const' op attribute 'value' is 4xi8, expected 4xi16 as the result}}
  %0 = "memtx.const"() {value = dense<1> : tensor<4xi8>} : () -> memref<4xi16>
  return
}

// -----

func.func @missing() {
  // expected-error@+1 {{none.bin' of attribute 'path': No such file or directory}}
  %0 = "tir.const"() {path = "Inputs/none.bin"} : () -> tensor<4xi8>
  return
}

// -----

func.func @size() {
  // expected-error@+1 {{Inputs/weights.bin' of attribute 'path' has 16 bytes, expected 32}}
  %0 = "tir.const"() {path = "Inputs/weights.bin"} : () -> tensor<8xf32>
  return
}
