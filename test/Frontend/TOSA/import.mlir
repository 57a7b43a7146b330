// A module of TOSA, as text and as bytecode, with an open batch; what it cannot
// be converted to is an error at its place.
// RUN: xc-translate --import-tosa %s | FileCheck %s
// RUN: xc-opt --emit-bytecode %s -o %t.mlirbc
// RUN: xc-translate --import-tosa %t.mlirbc | FileCheck %s
// RUN: xc-translate --import-tosa --input-shape=0=3x4 %s | FileCheck %s --check-prefix=THREE
// CHECK: func.func @main(%arg0: tensor<1x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: "tir.abs"(%arg0) : (tensor<1x4xf32>) -> tensor<1x4xf32>
// THREE: "tir.abs"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
// RUN: sed 's/f32/i32/g; s/tosa.abs %x : (\(.*\)) ->/tosa.bitwise_or %x, %x : (\1, \1) ->/' %s > %t.mlir
// RUN: not xc-translate --import-tosa %t.mlir 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: .mlir:[[#@LINE+2]]:8: error: 'tosa.bitwise_or' op cannot be converted: tir has no operators on bits
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = tosa.abs %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
