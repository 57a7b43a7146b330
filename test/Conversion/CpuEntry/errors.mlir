// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --verify-diagnostics=only-expected --cpu-bind-memory

// expected-error@+1 {{'func.func' op returns values: run global-bufferize first}}
func.func @main(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}

// -----

func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'mtir.relu' op has not been lowered: run convert-mtir-to-linalg first}}
  "mtir.relu"(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

func.func private @main(%n: index) {
  // expected-error@+1 {{'memref.alloc' op allocates no static, contiguous buffer of known elements}}
  %a = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

// expected-error@+1 {{'func.func' op calls itself}}
func.func @main(%x: memref<4xf32>) {
  call @main(%x) : (memref<4xf32>) -> ()
  return
}

// -----

// expected-error@+1 {{'func.func' op has an argument (1) that is not a static, contiguous buffer of known elements}}
func.func @main(%x: memref<4xf32>, %n: index) {
  return
}

// -----

// expected-error@+1 {{'func.func' op has an argument (0) that is not a static, contiguous buffer of known elements}}
func.func @main(%x: memref<?xf32>) {
  return
}

// -----

// expected-error@+1 {{'func.func' op has an argument (0) that is not a static, contiguous buffer of known elements}}
func.func @main(%x: memref<2x4xf32, strided<[8, 1]>>) {
  return
}
