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

// The convolution before takes turns with it where 112x112x96 at once would go
// through DDR; in tiles of columns there is room for it, and both are divided.
// TILES: conv expand
// TILES: output {{ *}}112x56x96, rolling buffer
// TILES: depthwise thin
// TILES: output {{ *}}56x28x48,
// TILES: diagonal thin
// TILES: output {{ *}}56x28x48,
// TILES: conv expand
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B4096 %s | FileCheck %s --check-prefix=TILES

func.func @turns(%x: memref<1x112x112x16xi8>, %y: memref<1x56x56x96xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<96x1x1x16xi8>} : () -> memref<96x1x1x16xi8>
  %k = "memtx.const"() {value = dense<1> : tensor<1x3x3x96xi8>} : () -> memref<1x3x3x96xi8>
  %between = memref.alloc() : memref<1x112x112x96xi8>
  "mtir.conv2d-fix"(%x, %w, %between) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "expand"} : (memref<1x112x112x16xi8>, memref<96x1x1x16xi8>, memref<1x112x112x96xi8>) -> ()
  "mtir.depthwise-conv2d-fix"(%between, %k, %y) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 0 : i32, 1 : i32, 0 : i32], op_name = "thin"} : (memref<1x112x112x96xi8>, memref<1x3x3x96xi8>, memref<1x56x56x96xi8>) -> ()
  return
}

// The convolution takes nearly all of the time, and goes on beside the other engine,
// which has the layer but for some channels of the last turn.
// TURNS: conv separable
// TURNS: output {{ *}}32x32x128, held
// TURNS: depthwise deep
// TURNS: output {{ *}}32x32x128, DDR
// TURNS: conv separable
// TURNS: output {{ *}}32x32x128, held
// TURNS: depthwise deep
// TURNS: output {{ *}}32x32x128, DDR
// TURNS: conv separable
// TURNS: output {{ *}}32x32x128, held
// TURNS: depthwise deep
// TURNS: output {{ *}}32x32x128, DDR
// TURNS: conv separable
// TURNS: output {{ *}}32x32x128, held
// TURNS: depthwise deep
// TURNS: output {{ *}}32x32x64,
// TURNS: diagonal deep
// TURNS: output {{ *}}32x32x64,
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B4096 %s | FileCheck %s --check-prefix=TURNS

func.func @overlapping(%x: memref<1x32x32x512xi8>, %y: memref<1x32x32x512xi8>) attributes {device = "DPU"} {
  %w = "memtx.const"() {value = dense<1> : tensor<512x1x1x512xi8>} : () -> memref<512x1x1x512xi8>
  %k = "memtx.const"() {value = dense<1> : tensor<1x3x3x512xi8>} : () -> memref<1x3x3x512xi8>
  %between = memref.alloc() : memref<1x32x32x512xi8>
  "mtir.conv2d-fix"(%x, %w, %between) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "separable"} : (memref<1x32x32x512xi8>, memref<512x1x1x512xi8>, memref<1x32x32x512xi8>) -> ()
  "mtir.depthwise-conv2d-fix"(%between, %k, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], op_name = "deep"} : (memref<1x32x32x512xi8>, memref<1x3x3x512xi8>, memref<1x32x32x512xi8>) -> ()
  return
}
