// REQUIRES: mlir
// The rows that blocks of eight leave are cut into strips of columns, one for each
// lane of the convolution engine, where that is faster than a block with idle lanes.

// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCAHX8H_ISA2 %s | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-asm --target=DPUCAHX8H_ISA2 %s | FileCheck %s --check-prefix=ASM

// Twelve rows: a block, and 4 rows in 8 strips of 5 columns. Of the last row the
// kernel has two rows; what lies beside the image is masked by the LOAD.
// CHECK: conv tall, kernel 3x3
// CHECK-NEXT: tiles {{ *}}1 of 40 columns, 2 of 8 rows
// CHECK-NEXT: strips {{ *}}the last 4 rows, 8 of 5 columns
// ASM: tall: tile 0, rows 8 to 11
// ASM-COUNT-4: LOAD {{.*}} bank_id 0 {{.*}} pad_start 15 pad_end 1 pad_idx 4 jump_read 1 {{.*}} length 4
// ASM: CONVINIT {{.*}} stride_h 3 kernel_h 3 valid_pixel_parallel 8
// ASM: CONV {{.*}} length 5
// ASM: CONVINIT {{.*}} stride_h 3 kernel_h 2 valid_pixel_parallel 8
func.func @tall(%x: memref<1x12x40x64xi8>, %y: memref<1x12x40x256xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<256x3x3x64xi8>} : () -> memref<256x3x3x64xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], op_name = "tall"} : (memref<1x12x40x64xi8>, memref<256x3x3x64xi8>, memref<1x12x40x256xi8>) -> ()
  return
}

// One row only, of a signal: no lane is idle.
// CHECK: conv flat, kernel 1x5
// CHECK: strips {{ *}}the last 1 rows, 8 of 25 columns
func.func @flat(%x: memref<1x1x200x64xi8>, %y: memref<1x1x200x256xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<256x1x5x64xi8>} : () -> memref<256x1x5x64xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32], op_name = "flat"} : (memref<1x1x200x64xi8>, memref<256x1x5x64xi8>, memref<1x1x200x256xi8>) -> ()
  return
}

// Nothing to gain: as many columns as lanes; whole blocks; transfers take longer
// than the engine; a kernel that is higher than any stride.
// CHECK: conv square,
// CHECK-NOT: strips
// CHECK: conv whole,
// CHECK-NOT: strips
// CHECK: conv thin,
// CHECK-NOT: strips
// CHECK: conv high,
// CHECK-NOT: strips
func.func @square(%x: memref<1x7x7x512xi8>, %y: memref<1x7x7x512xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<512x3x3x512xi8>} : () -> memref<512x3x3x512xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], op_name = "square"} : (memref<1x7x7x512xi8>, memref<512x3x3x512xi8>, memref<1x7x7x512xi8>) -> ()
  return
}
func.func @whole(%x: memref<1x16x40x64xi8>, %y: memref<1x16x40x256xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<256x3x3x64xi8>} : () -> memref<256x3x3x64xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], op_name = "whole"} : (memref<1x16x40x64xi8>, memref<256x3x3x64xi8>, memref<1x16x40x256xi8>) -> ()
  return
}
func.func @thin(%x: memref<1x12x40x64xi8>, %y: memref<1x12x40x16xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<16x1x1x64xi8>} : () -> memref<16x1x1x64xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "thin"} : (memref<1x12x40x64xi8>, memref<16x1x1x64xi8>, memref<1x12x40x16xi8>) -> ()
  return
}
func.func @high(%x: memref<1x12x40x64xi8>, %y: memref<1x12x40x256xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<256x5x1x64xi8>} : () -> memref<256x5x1x64xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [1 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 2 : i32, 2 : i32], op_name = "high"} : (memref<1x12x40x64xi8>, memref<256x5x1x64xi8>, memref<1x12x40x256xi8>) -> ()
  return
}

// Rows longer than a bank: each tile has strips of its own, and loads those of
// the next one while the engine computes. Nothing else is in the banks, so that
// two tiles have room.
// CHECK: conv long,
// CHECK-NEXT: tiles {{ *}}{{[2-9]|[1-9][0-9]}} of {{[0-9]+}} columns, 1 of 8 rows
// CHECK-NEXT: strips {{ *}}the last 1 rows, 8 of
// ASM: long: tile 1, rows 0 to 0
// ASM: LOAD {{.*}} bank_id 0
// ASM: CONV
// ASM: SAVE
func.func @long(%x: memref<1x1x20000x64xi8>, %y: memref<1x1x20000x64xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<64x1x3x64xi8>} : () -> memref<64x1x3x64xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], op_name = "long"} : (memref<1x1x20000x64xi8>, memref<64x1x3x64xi8>, memref<1x1x20000x64xi8>) -> ()
  return
}

// What is added is in strips as well.
// CHECK: conv sum, kernel 1x3
// CHECK-NEXT: tiles {{ *}}{{[2-9]|[1-9][0-9]}} of
// CHECK-NEXT: strips {{ *}}the last 1 rows, 8 of
// CHECK: operand {{ *}}1x20000x64
// ASM: sum: tile 1, rows 0 to 0
// ASM: ELEW
func.func @sum(%x: memref<1x1x20000x64xi8>, %z: memref<1x1x20000x64xi8>, %y: memref<1x1x20000x64xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<64x1x3x64xi8>} : () -> memref<64x1x3x64xi8>
  %t = memref.alloc() : memref<1x1x20000x64xi8>
  "mtir.conv2d-fix"(%x, %w, %t) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], op_name = "sum"} : (memref<1x1x20000x64xi8>, memref<64x1x3x64xi8>, memref<1x1x20000x64xi8>) -> ()
  "mtir.eltwise-fix"(%z, %t, %y) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>, op_name = "add"} : (memref<1x1x20000x64xi8>, memref<1x1x20000x64xi8>, memref<1x1x20000x64xi8>) -> ()
  return
}
