// REQUIRES: mlir
// RUN: xc-opt --split-input-file --convert-mtir-to-vector=mcpu=icelake-server %s | FileCheck %s

// One call for each phase of the strides: those of even rows have one tap in H,
// those of odd rows two, and the same in W. What follows is done by each.
// CHECK-LABEL: func.func private @"xc.vector.transposed-conv2d.0"(
// CHECK-SAME: memref<1x3x4x32xf32>, %{{.*}}: memref<512xf32>,
// CHECK: vector.fma
// CHECK: arith.select
// CHECK-LABEL: func.func private @"xc.vector.transposed-conv2d.1"(
// CHECK-SAME: memref<1x3x4x32xf32>, %{{.*}}: memref<1024xf32>,
// CHECK-LABEL: func.func private @"xc.vector.transposed-conv2d.2"(
// CHECK-SAME: memref<1x3x4x32xf32>, %{{.*}}: memref<1024xf32>,
// CHECK-LABEL: func.func private @"xc.vector.transposed-conv2d.3"(
// CHECK-SAME: memref<1x3x4x32xf32>, %{{.*}}: memref<2048xf32>,
// CHECK-LABEL: func.func @phases(
// CHECK-NOT: mtir.
// CHECK: call @"xc.vector.transposed-conv2d.0"({{.*}}, %arg1, {{.*}}%arg2)
// CHECK: call @"xc.vector.transposed-conv2d.1"({{.*}}, %arg1, {{.*}}%arg2)
// CHECK: call @"xc.vector.transposed-conv2d.2"({{.*}}, %arg1, {{.*}}%arg2)
// CHECK: call @"xc.vector.transposed-conv2d.3"({{.*}}, %arg1, {{.*}}%arg2)
// CHECK-NOT: mtir.
// CHECK: return
func.func @phases(%x: memref<1x3x4x32xf32>, %z: memref<1x6x8x16xf32>, %y: memref<1x6x8x16xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<16x3x3x32xf32>} : () -> memref<16x3x3x32xf32>
  %0 = memref.alloc() : memref<1x6x8x16xf32>
  "mtir.transposed-conv2d"(%x, %w, %0) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], output_padding = [1 : i32, 1 : i32]} : (memref<1x3x4x32xf32>, memref<16x3x3x32xf32>, memref<1x6x8x16xf32>) -> ()
  %1 = memref.alloc() : memref<1x6x8x16xf32>
  "mtir.add"(%0, %z, %1) : (memref<1x6x8x16xf32>, memref<1x6x8x16xf32>, memref<1x6x8x16xf32>) -> ()
  "mtir.relu"(%1, %y) : (memref<1x6x8x16xf32>, memref<1x6x8x16xf32>) -> ()
  return
}

// -----

// Phases without outputs have no call. A stride beyond the kernel leaves phases
// without a tap: they are filled with the bias.
// CHECK-LABEL: func.func @few(
// CHECK-COUNT-2: call @"xc.vector.transposed-conv2d-fix.
// CHECK-NOT: call
// CHECK: return
func.func @few(%x: memref<1x1x1x8xi8>, %y: memref<1x2x1x8xi8>) {
  %w = "memtx.const"() {value = dense<1> : tensor<8x1x1x8xi8>} : () -> memref<8x1x1x8xi8>
  "mtir.transposed-conv2d-fix"(%x, %w, %y) {kernel = [1 : i32, 1 : i32], stride = [4 : i32, 4 : i32], output_padding = [0 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (memref<1x1x1x8xi8>, memref<8x1x1x8xi8>, memref<1x2x1x8xi8>) -> ()
  return
}

// -----

// Integers and channels by themselves.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: call @"xc.vector.qlinear-transposed-conv2d.
// CHECK-COUNT-2: call @"xc.vector.transposed-depthwise-conv2d-fix.
// CHECK-COUNT-2: call @"xc.vector.transposed-depthwise-conv2d.
// CHECK-NOT: mtir.
// CHECK: return
func.func @others(%x: memref<1x4x4x16xi8>, %y: memref<1x8x4x16xi8>, %z: memref<1x8x4x16xi8>, %f: memref<1x4x4x16xf32>, %g: memref<1x8x4x16xf32>) {
  %w = "memtx.const"() {value = dense<1> : tensor<16x2x1x16xi8>} : () -> memref<16x2x1x16xi8>
  %v = "memtx.const"() {value = dense<1> : tensor<1x2x1x16xi8>} : () -> memref<1x2x1x16xi8>
  %u = "memtx.const"() {value = dense<1.0> : tensor<1x2x1x16xf32>} : () -> memref<1x2x1x16xf32>
  "mtir.qlinear-transposed-conv2d"(%x, %w, %y) {kernel = [1 : i32, 2 : i32], stride = [1 : i32, 2 : i32], input_scale = 0.5 : f32, input_zero_point = 0 : i32, weight_scale = [0.1 : f32], output_scale = 1.0 : f32, output_zero_point = 0 : i32} : (memref<1x4x4x16xi8>, memref<16x2x1x16xi8>, memref<1x8x4x16xi8>) -> ()
  "mtir.transposed-depthwise-conv2d-fix"(%x, %v, %z) {kernel = [1 : i32, 2 : i32], stride = [1 : i32, 2 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (memref<1x4x4x16xi8>, memref<1x2x1x16xi8>, memref<1x8x4x16xi8>) -> ()
  "mtir.transposed-depthwise-conv2d"(%f, %u, %g) {kernel = [1 : i32, 2 : i32], stride = [1 : i32, 2 : i32]} : (memref<1x4x4x16xf32>, memref<1x2x1x16xf32>, memref<1x8x4x16xf32>) -> ()
  return
}

// -----

// Too many phases, and a border that the kernel does not reach into.
// CHECK-LABEL: func.func @stay(
// CHECK: mtir.transposed-conv2d
// CHECK: mtir.transposed-conv2d
// CHECK: return
func.func @stay(%x: memref<1x4x4x8xf32>, %y: memref<1x16x20x8xf32>, %z: memref<1x1x1x8xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<8x4x5x8xf32>} : () -> memref<8x4x5x8xf32>
  %v = "memtx.const"() {value = dense<0.5> : tensor<8x1x1x8xf32>} : () -> memref<8x1x1x8xf32>
  "mtir.transposed-conv2d"(%x, %w, %y) {kernel = [5 : i32, 4 : i32], stride = [5 : i32, 4 : i32]} : (memref<1x4x4x8xf32>, memref<8x4x5x8xf32>, memref<1x16x20x8xf32>) -> ()
  "mtir.transposed-conv2d"(%x, %v, %z) {kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], pad = [3 : i32, 3 : i32, 3 : i32, 3 : i32]} : (memref<1x4x4x8xf32>, memref<8x1x1x8xf32>, memref<1x1x1x8xf32>) -> ()
  return
}
