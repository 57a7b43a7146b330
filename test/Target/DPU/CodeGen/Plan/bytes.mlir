// REQUIRES: mlir
// Among plans that take the same time, the one that moves the fewest bytes.

// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %s | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-asm %s | FileCheck %s --check-prefix=ASM

// A kernel of one element reads a quarter of the pixels at stride 2, and LOADs
// bring no others: 14 * 14 * 512 of them and 1024 * 512 weights.
// CHECK: layer 0: sparse
// CHECK-NEXT: {{.*}} 625664 bytes loaded
// CHECK: conv sparse, kernel 1x1, stride 2x2
// CHECK: input {{ *}}28x28x512
// As many weights as half of the banks hold come before the first rows, which may
// have to wait for another layer.
// ASM: # layer sparse
// ASM-COUNT-16: LOAD {{.*}} bank_id {{1[6-9]|2[0-9]|3[01]}} {{.*}} channel 512 length 32
// ASM-NEXT: sparse: tile 0, rows 0 to 7
// ASM: LOAD {{.*}} jump_read 1024 {{.*}} length 14
// ASM: CONVINIT {{.*}} jump_read 32 {{.*}} stride_h 1 {{.*}} stride_w 1
func.func @sparse(%x: memref<1x28x28x512xi8>, %y: memref<1x14x14x1024xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<1024x1x1x512xi8>} : () -> memref<1024x1x1x512xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], op_name = "sparse"} : (memref<1x28x28x512xi8>, memref<1024x1x1x512xi8>, memref<1x14x14x1024xi8>) -> ()
  return
}

// The weights do not fit the banks, but the image does: every chunk of
// weights goes over all of it, and is loaded once. Two chunks fit the banks at a
// time, so that one is loaded while the other is used.
// CHECK: layer 0: large
// CHECK-NEXT: {{.*}} 2490880 bytes loaded
// CHECK: tiles {{ *}}1 of 16 columns, 2 of 8 rows, 11 of 48 channels; loops: chunks, tiles, blocks
func.func @large(%x: memref<1x16x16x512xi8>, %y: memref<1x16x16x512xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<512x3x3x512xi8>} : () -> memref<512x3x3x512xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], op_name = "large"} : (memref<1x16x16x512xi8>, memref<512x3x3x512xi8>, memref<1x16x16x512xi8>) -> ()
  return
}

// The last chunk of the last block is added when the convolution engine has
// nothing left to do: the smaller, the better.
// CHECK: conv conv, kernel 1x1
// CHECK-NEXT: tiles {{ *}}1 of 16 columns, 2 of 8 rows, 4 of 128 channels; loops: tiles, blocks, chunks
func.func @sum(%x: memref<1x16x16x256xi8>, %z: memref<1x16x16x512xi8>, %y: memref<1x16x16x512xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<512x1x1x256xi8>} : () -> memref<512x1x1x256xi8>
  %0 = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 0>} : () -> memref<1x16x16x512xi8>
  "mtir.conv2d-fix"(%x, %w, %0) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "conv"} : (memref<1x16x16x256xi8>, memref<512x1x1x256xi8>, memref<1x16x16x512xi8>) -> ()
  "mtir.eltwise-fix"(%0, %z, %y) {type = "ADD", op_name = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x16x16x512xi8>, memref<1x16x16x512xi8>, memref<1x16x16x512xi8>) -> ()
  return
}
