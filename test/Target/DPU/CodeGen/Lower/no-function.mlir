// REQUIRES: mlir
// With several functions one must be for the DPU.
// RUN: not xc-translate --mtir-to-dpu-asm %s 2>&1 | FileCheck %s
// CHECK: no-function.mlir: error: no function has 'device' DPU
func.func @a(%x: memref<4xi8>, %y: memref<4xi8>) {
  return
}
func.func @b(%x: memref<4xi8>, %y: memref<4xi8>) {
  return
}
