// REQUIRES: mlir
// RUN: xc-opt --split-input-file --convert-mtir-to-vector=mcpu=x86-64-v3 %s | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: xc-opt --split-input-file --convert-mtir-to-vector="mcpu=x86-64-v3 threads=2" %s | FileCheck %s --check-prefixes=CHECK,TWO

// Tiles are transformed before the products and after them: the padded copy,
// 16 times the inputs of a band, and 16 times its outputs lie in buffers of the
// call. Threads have bands of their own.
// CHECK-LABEL: func.func private @xc.vector.conv2d.0(
// ONE-NOT: scf.parallel
// TWO: scf.parallel
// TWO-NOT: scf.parallel
// CHECK-COUNT-16: vector.load
// CHECK: arith.subf {{.*}} : vector<8xf32>
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: vector.fma
// CHECK: arith.subf {{.*}} : vector<8xf32>
// CHECK-LABEL: func.func @tiles(
// CHECK: tensor<16384xf32>
func.func @tiles(%x: memref<1x56x56x32xf32>, %y: memref<1x56x56x32xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<32x3x3x32xf32>} : () -> memref<32x3x3x32xf32>
  %b = "memtx.const"() {value = dense<0.5> : tensor<32xf32>} : () -> memref<32xf32>
  "mtir.conv2d"(%x, %w, %b, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (memref<1x56x56x32xf32>, memref<32x3x3x32xf32>, memref<32xf32>, memref<1x56x56x32xf32>) -> ()
  return
}

// -----

// Few tiles: the weights, which grow by 16 to 9, take longer than the products.
// CHECK-LABEL: func.func private @xc.vector.conv2d.0(
// CHECK-NOT: arith.subf
// CHECK-LABEL: func.func @small(
func.func @small(%x: memref<1x3x3x64xf32>, %y: memref<1x3x3x64xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<64x3x3x64xf32>} : () -> memref<64x3x3x64xf32>
  %b = "memtx.const"() {value = dense<0.5> : tensor<64xf32>} : () -> memref<64xf32>
  "mtir.conv2d"(%x, %w, %b, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (memref<1x3x3x64xf32>, memref<64x3x3x64xf32>, memref<64xf32>, memref<1x3x3x64xf32>) -> ()
  return
}

// -----

// Strides leave nothing to share between tiles.
// CHECK-LABEL: func.func private @xc.vector.conv2d.0(
// CHECK-NOT: arith.subf
// CHECK-LABEL: func.func @strided(
func.func @strided(%x: memref<1x56x56x32xf32>, %y: memref<1x28x28x32xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<32x3x3x32xf32>} : () -> memref<32x3x3x32xf32>
  %b = "memtx.const"() {value = dense<0.5> : tensor<32xf32>} : () -> memref<32xf32>
  "mtir.conv2d"(%x, %w, %b, %y) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "SAME", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (memref<1x56x56x32xf32>, memref<32x3x3x32xf32>, memref<32xf32>, memref<1x28x28x32xf32>) -> ()
  return
}
