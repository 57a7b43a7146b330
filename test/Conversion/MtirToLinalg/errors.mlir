// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --verify-diagnostics=only-expected --convert-mtir-to-linalg

func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'mtir.custom' op 'mine' is known to the host only and cannot be compiled for the CPU}}
  "mtir.custom"(%x, %y) {op_type = "mine", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

func.func @main(%x: memref<4xi8>, %y: memref<4xi8>) {
  // expected-error@+1 {{'mtir.hard-sigmoid-fix' op attribute 'output_fix_point' is 3, expected 7 to 18}}
  "mtir.hard-sigmoid-fix"(%x, %y) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @main(%x: memref<1x0x2x3xf32>, %y: memref<1x4x4x3xf32>) {
  // expected-error@+1 {{'mtir.resize' op resizes an empty image}}
  "mtir.resize"(%x, %y) {size = [4 : i32, 4 : i32], mode = "NEAREST"} : (memref<1x0x2x3xf32>, memref<1x4x4x3xf32>) -> ()
  return
}

// -----

func.func @a_b(%x: memref<4xf32>) {
  return
}
// expected-error@+1 {{'func.func' op would be called 'a_b' in C, as another function is}}
func.func @"a-b"(%x: memref<4xf32>) {
  return
}

// -----

func.func @net(%x: memref<4xf32>) {
  return
}
// expected-error@+1 {{'func.func' op would be called 'net_params' in C, as the parameters are}}
func.func @net_params(%x: memref<4xf32>) {
  return
}

// -----

// expected-error@+1 {{'func.func' op would be called 'exp' in C, as a function that compiled code calls}}
func.func @exp(%x: memref<4xf32>) {
  return
}

// -----

// expected-error@+1 {{'func.func' op would be called 'tanhf' in C, as a function that compiled code calls}}
func.func private @tanhf(%x: memref<4xf32>) {
  return
}

// -----

// expected-error@+1 {{'func.func' op would be called 'memcpy' in C, as a function that compiled code calls}}
func.func @memcpy(%x: memref<4xf32>) {
  return
}

// -----

// expected-error@+1 {{'func.func' op would be called '__kmpc_fork_call' in C, as a function that compiled code calls}}
func.func @__kmpc_fork_call(%x: memref<4xf32>) {
  return
}

// -----

// expected-error@+1 {{'func.func' op would be called 'int' in C, which is a word of C or C++}}
func.func @int(%x: memref<4xf32>) {
  return
}

// -----

// Nobody else sees these: "xc_main", "xc_2", a private word of C.
func.func @main(%x: memref<4xf32>) {
  return
}
func.func @"2"(%x: memref<4xf32>) {
  return
}
func.func private @int(%x: memref<4xf32>) {
  return
}

// -----

func.func private @main(%x: memref<2x4xf32, strided<[8, 1]>>, %w: memref<3x4xf32>, %y: memref<2x3xf32>) {
  // expected-error@+1 {{'mtir.inner-product' op has a buffer whose elements have gaps}}
  "mtir.inner-product"(%x, %w, %y) : (memref<2x4xf32, strided<[8, 1]>>, memref<3x4xf32>, memref<2x3xf32>) -> ()
  return
}

// -----

func.func private @main(%x: memref<2x2xf32>, %f: memref<2xf32, strided<[2]>>, %y: memref<2x2xf32>) {
  // expected-error@+1 {{'mtir.scale' op has a buffer whose elements have gaps}}
  "mtir.scale"(%x, %f, %y) {axis = 0 : i32} : (memref<2x2xf32>, memref<2xf32, strided<[2]>>, memref<2x2xf32>) -> ()
  return
}
