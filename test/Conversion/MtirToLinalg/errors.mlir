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
