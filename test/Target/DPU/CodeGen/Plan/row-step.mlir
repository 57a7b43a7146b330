// REQUIRES: mlir
// A target file may have banks that hold more than the fields of an instruction
// step over: the partition and the code generator draw the same line.

// RUN: split-file %s %t
// RUN: xc-translate --mtir-to-dpu-asm --target=%t/deep.json %t/limit.mlir -o /dev/null
// RUN: xc-translate --mtir-to-dpu-asm --target=%t/deep.json --verify-diagnostics %t/beyond.mlir
// RUN: xc-opt --tir-partition='target=%t/deep.json outline=false' %t/both.mlir | FileCheck %s

// CHECK: device = "DPU"{{.*}}op_name = "limit"
// CHECK: device = "CPU"{{.*}}op_name = "beyond"
// CHECK-SAME: window-row-step: words from row to row of a window in a bank is 1040, expected 1 to 1024; fits with input channels 1040 -> 1024

//--- deep.json
{"extends": "DPUCZDX8G_ISA1_B4096", "name": "DEEP", "banks": {
  "image": {"first": 0, "groups": 2, "count": 8, "width": 16, "depth": 4096}}}
//--- limit.mlir
func.func @limit(%x: memref<1x9x16x1024xi8>, %y: memref<1x5x1x8xi8>) {
  %w = "memtx.const"() {value = dense<1> : tensor<8x1x16x1024xi8>} : () -> memref<8x1x16x1024xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [16 : i32, 1 : i32], stride = [1 : i32, 2 : i32]} : (memref<1x9x16x1024xi8>, memref<8x1x16x1024xi8>, memref<1x5x1x8xi8>) -> ()
  return
}
//--- beyond.mlir
func.func @beyond(%x: memref<1x9x16x1040xi8>, %y: memref<1x5x1x8xi8>) {
  %w = "memtx.const"() {value = dense<1> : tensor<8x1x16x1040xi8>} : () -> memref<8x1x16x1040xi8>
  // expected-error@+1 {{cannot run on the DPU: the rows of a window are 1040 words apart, expected 1 to 1024}}
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [16 : i32, 1 : i32], stride = [1 : i32, 2 : i32]} : (memref<1x9x16x1040xi8>, memref<8x1x16x1040xi8>, memref<1x5x1x8xi8>) -> ()
  return
}
//--- both.mlir
func.func @main(%x: tensor<1x9x16x1024xi8>, %z: tensor<1x9x16x1040xi8>) -> (tensor<1x5x1x8xi8>, tensor<1x5x1x8xi8>) {
  %w = "tir.const"() {value = dense<1> : tensor<8x1x16x1024xi8>} : () -> tensor<8x1x16x1024xi8>
  %v = "tir.const"() {value = dense<1> : tensor<8x1x16x1040xi8>} : () -> tensor<8x1x16x1040xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "limit", kernel = [16 : i32, 1 : i32], stride = [1 : i32, 2 : i32]} : (tensor<1x9x16x1024xi8>, tensor<8x1x16x1024xi8>) -> tensor<1x5x1x8xi8>
  %1 = "tir.conv2d-fix"(%z, %v) {op_name = "beyond", kernel = [16 : i32, 1 : i32], stride = [1 : i32, 2 : i32]} : (tensor<1x9x16x1040xi8>, tensor<8x1x16x1040xi8>) -> tensor<1x5x1x8xi8>
  return %0, %1 : tensor<1x5x1x8xi8>, tensor<1x5x1x8xi8>
}
