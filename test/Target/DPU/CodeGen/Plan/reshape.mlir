// A convolution of one element sees pixels: where rows are longer than the banks
// are deep, it takes the same pixels as shorter rows. Several that read one image
// then run block by block and load it once, and no lanes are idle.
// RUN: xc-translate --mtir-to-dpu-schedule %s | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %s | FileCheck %s --check-prefix=NONE

// CHECK: 1 layers, 2 units
// CHECK: cascade of units 0 to 1
// CHECK: conv one, kernel 1x1
// CHECK-NEXT: tiles {{ *}}1 of 75 columns, 4 of 8 rows
// CHECK-NEXT: input {{ *}}32x75x192, DDR
// CHECK-NEXT: output {{ *}}32x75x16, DDR
// CHECK: conv two, kernel 1x1
// CHECK-NEXT: tiles {{ *}}1 of 75 columns, 4 of 8 rows
// NONE: conv one,
// NONE-NEXT: tiles {{ *}}{{[2-9]}} of
func.func @heads(%x: memref<1x12x200x192xi8>, %y: memref<1x12x200x16xi8>, %z: memref<1x12x200x24xi8>) attributes {device = "DPU"} {
  %a = "memtx.const"() {value = dense<1> : tensor<16x1x1x192xi8>} : () -> memref<16x1x1x192xi8>
  %b = "memtx.const"() {value = dense<2> : tensor<24x1x1x192xi8>} : () -> memref<24x1x1x192xi8>
  "mtir.conv2d-fix"(%x, %a, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "one"} : (memref<1x12x200x192xi8>, memref<16x1x1x192xi8>, memref<1x12x200x16xi8>) -> ()
  "mtir.conv2d-fix"(%x, %b, %z) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "two"} : (memref<1x12x200x192xi8>, memref<24x1x1x192xi8>, memref<1x12x200x24xi8>) -> ()
  return
}

// Rows that the banks hold, and windows of several elements, stay as they are.
// CHECK: conv short,
// CHECK-NEXT: tiles
// CHECK-NEXT: input {{ *}}12x100x192
// CHECK: conv window,
// CHECK-NEXT: tiles
// CHECK-NEXT: input {{ *}}12x200x192
func.func @short(%x: memref<1x12x100x192xi8>, %y: memref<1x12x100x16xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<16x1x1x192xi8>} : () -> memref<16x1x1x192xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "short"} : (memref<1x12x100x192xi8>, memref<16x1x1x192xi8>, memref<1x12x100x16xi8>) -> ()
  return
}
func.func @window(%x: memref<1x12x200x192xi8>, %y: memref<1x12x200x16xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<16x1x3x192xi8>} : () -> memref<16x1x3x192xi8>
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], op_name = "window"} : (memref<1x12x200x192xi8>, memref<16x1x3x192xi8>, memref<1x12x200x16xi8>) -> ()
  return
}
