// Engines of depthwise layers: both work on one at the same time, each on some of
// its channels, or on some of its columns where channels are few.
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B4096 %s | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B512 %s | FileCheck %s

// CHECK: cascade of units 0 to 1
// CHECK: unit 0: depthwise wide
// CHECK: output {{ *}}56x56x32, DDR register 3 at 0,
// CHECK: unit 1: diagonal wide
// CHECK: output {{ *}}56x56x64, DDR register 3 at 32,
// CHECK: cascade of units 0 to 1
// CHECK: unit 0: depthwise narrow
// CHECK: output {{ *}}56x18x12, DDR register 3 at 0,
// CHECK: unit 1: diagonal narrow
// CHECK: output {{ *}}56x38x12, DDR register 3 at 216,

func.func @divided(%x: memref<1x56x56x96xi8>, %y: memref<1x56x56x96xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<1x3x3x96xi8>} : () -> memref<1x3x3x96xi8>
  "mtir.depthwise-conv2d-fix"(%x, %w, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], op_name = "wide"} : (memref<1x56x56x96xi8>, memref<1x3x3x96xi8>, memref<1x56x56x96xi8>) -> ()
  return
}

func.func @whole(%x: memref<1x56x56x12xi8>, %y: memref<1x56x56x12xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<1x5x5x12xi8>} : () -> memref<1x5x5x12xi8>
  "mtir.depthwise-conv2d-fix"(%x, %w, %y) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], op_name = "narrow"} : (memref<1x56x56x12xi8>, memref<1x5x5x12xi8>, memref<1x56x56x12xi8>) -> ()
  return
}

// The convolution before takes turns with it: 112x112x96 at once would go through
// DDR.
// TURNS: conv expand
// TURNS: output {{ *}}112x112x32, rolling buffer
// TURNS: depthwise thin
// TURNS: output {{ *}}56x56x16,
// TURNS: diagonal thin
// TURNS: output {{ *}}56x56x16,
// TURNS: conv expand
// TURNS: depthwise thin
// TURNS: diagonal thin
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B4096 %s | FileCheck %s --check-prefix=TURNS

func.func @turns(%x: memref<1x112x112x16xi8>, %y: memref<1x56x56x96xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<96x1x1x16xi8>} : () -> memref<96x1x1x16xi8>
  %k = "memtx.const"() {value = dense<1> : tensor<1x3x3x96xi8>} : () -> memref<1x3x3x96xi8>
  %between = memref.alloc() : memref<1x112x112x96xi8>
  "mtir.conv2d-fix"(%x, %w, %between) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "expand"} : (memref<1x112x112x16xi8>, memref<96x1x1x16xi8>, memref<1x112x112x96xi8>) -> ()
  "mtir.depthwise-conv2d-fix"(%between, %k, %y) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 0 : i32, 1 : i32, 0 : i32], op_name = "thin"} : (memref<1x112x112x96xi8>, memref<1x3x3x96xi8>, memref<1x56x56x96xi8>) -> ()
  return
}
