// REQUIRES: mlir
// RUN: xc-opt --split-input-file --convert-mtir-to-vector=mcpu=icelake-server %s | FileCheck %s --check-prefixes=CHECK,VNNI
// RUN: xc-opt --split-input-file --convert-mtir-to-vector=mcpu=x86-64-v3 %s | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: xc-opt --split-input-file --convert-mtir-to-vector=mcpu=some-other %s | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: xc-opt --split-input-file --convert-mtir-to-vector="mcpu=icelake-server threads=2" %s | FileCheck %s --check-prefix=THREADS

// A float convolution with what follows it: the image is copied into a border
// of zeros, sums stay in registers.
// CHECK-LABEL: func.func private @xc.vector.conv2d.0(
// CHECK-SAME: %[[IN:.*]]: memref<1x14x14x64xf32>, %{{.*}}: memref<36864xf32>, %{{.*}}: memref<64xf32>, %{{.*}}: memref<1x14x14x64xf32>,
// CHECK-SAME: memref<{{1[0-9]*}}xf32> {llvm.noalias}, %{{.*}}: memref<1x14x14x64xf32> {llvm.noalias})
// VNNI: vector.load {{.*}} vector<16xf32>
// VNNI: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>
// VNNI: vector.fma {{.*}} : vector<16xf32>
// AVX2: vector.fma {{.*}} : vector<8xf32>
// PLAIN: vector.fma {{.*}} : vector<4xf32>
// CHECK: arith.select
// CHECK: vector.store
// CHECK-LABEL: func.func @fused(
// CHECK-NOT: mtir.
// CHECK: call @xc.vector.conv2d.0(
// CHECK-NOT: mtir.
// CHECK: return
// THREADS: scf.parallel
func.func @fused(%x: memref<1x14x14x64xf32>, %y: memref<1x14x14x64xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<64x3x3x64xf32>} : () -> memref<64x3x3x64xf32>
  %b = "memtx.const"() {value = dense<1.0> : tensor<64xf32>} : () -> memref<64xf32>
  %0 = memref.alloc() : memref<1x14x14x64xf32>
  "mtir.conv2d"(%x, %w, %b, %0) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32]} : (memref<1x14x14x64xf32>, memref<64x3x3x64xf32>, memref<64xf32>, memref<1x14x14x64xf32>) -> ()
  %1 = memref.alloc() : memref<1x14x14x64xf32>
  "mtir.add"(%0, %x, %1) : (memref<1x14x14x64xf32>, memref<1x14x14x64xf32>, memref<1x14x14x64xf32>) -> ()
  "mtir.relu"(%1, %y) : (memref<1x14x14x64xf32>, memref<1x14x14x64xf32>) -> ()
  return
}

// -----

// A sum that somebody else reads too is not skipped.
// CHECK-LABEL: func.func @read_twice(
// CHECK: call @xc.vector.conv2d.0(
// CHECK: mtir.relu
// CHECK: mtir.neg
func.func @read_twice(%x: memref<1x4x4x8xf32>, %y: memref<1x4x4x8xf32>, %z: memref<1x4x4x8xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<8x1x1x8xf32>} : () -> memref<8x1x1x8xf32>
  %0 = memref.alloc() : memref<1x4x4x8xf32>
  "mtir.conv2d"(%x, %w, %0) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xf32>, memref<8x1x1x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.relu"(%0, %y) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.neg"(%0, %z) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  return
}

// -----

// Layers of one shape share a function; an input that is overwritten in between
// keeps the activation where it is.
// CHECK-LABEL: func.func @shared(
// CHECK: call @xc.vector.conv2d.0(
// CHECK: call @xc.vector.conv2d.0(
// CHECK: mtir.neg
// CHECK: mtir.relu
func.func @shared(%x: memref<1x4x4x8xf32>, %y: memref<1x4x4x8xf32>) {
  %w = "memtx.const"() {value = dense<0.5> : tensor<8x1x1x8xf32>} : () -> memref<8x1x1x8xf32>
  %v = "memtx.const"() {value = dense<2.5> : tensor<8x1x1x8xf32>} : () -> memref<8x1x1x8xf32>
  %0 = memref.alloc() : memref<1x4x4x8xf32>
  %1 = memref.alloc() : memref<1x4x4x8xf32>
  "mtir.conv2d"(%x, %w, %0) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xf32>, memref<8x1x1x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.conv2d"(%0, %v, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xf32>, memref<8x1x1x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.neg"(%x, %0) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  "mtir.relu"(%1, %y) : (memref<1x4x4x8xf32>, memref<1x4x4x8xf32>) -> ()
  return
}

// -----

// Signed bytes are shifted for the machine that takes unsigned ones; the others
// get centred 16-bit numbers.
// CHECK-LABEL: func.func private @"xc.vector.qlinear-conv2d.0"(
// VNNI: arith.xori {{.*}} : vector<64xi8>
// VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// AVX2: arith.extsi {{.*}} to vector<16xi16>
// AVX2: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// PLAIN-NOT: call_intrinsic
// PLAIN: arith.muli {{.*}} : vector<4xi32>
// CHECK-LABEL: func.func @quantised(
// CHECK: call @"xc.vector.qlinear-conv2d.0"(
func.func @quantised(%x: memref<1x8x8x16xi8>, %y: memref<1x8x8x32xi8>) {
  %w = "memtx.const"() {value = dense<3> : tensor<32x3x3x16xi8>} : () -> memref<32x3x3x16xi8>
  %b = "memtx.const"() {value = dense<100> : tensor<32xi32>} : () -> memref<32xi32>
  "mtir.qlinear-conv2d"(%x, %w, %b, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", input_scale = 0.5 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.5 : f32, output_zero_point = -4 : i32} : (memref<1x8x8x16xi8>, memref<32x3x3x16xi8>, memref<32xi32>, memref<1x8x8x32xi8>) -> ()
  return
}

// -----

// What there is no vector code for stays: weights that are no constant.
// CHECK-LABEL: func.func @left(
// CHECK: mtir.matmul
func.func @left(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %y: memref<4x8xf32>) {
  "mtir.matmul"(%x, %w, %y) : (memref<4x8xf32>, memref<8x8xf32>, memref<4x8xf32>) -> ()
  return
}

// -----

// Columns are interleaved for the dot product of a depthwise convolution.
// CHECK-LABEL: func.func private @"xc.vector.qlinear-depthwise-conv2d.0"(
// VNNI: vector.shuffle {{.*}} : vector<32xi8>, vector<32xi8>
// VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// AVX2: vector.shuffle {{.*}} : vector<8xi16>, vector<8xi16>
// AVX2: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// CHECK-LABEL: func.func @depthwise(
func.func @depthwise(%x: memref<1x8x8x16xi8>, %y: memref<1x8x8x16xi8>) {
  %w = "memtx.const"() {value = dense<3> : tensor<1x3x3x16xi8>} : () -> memref<1x3x3x16xi8>
  %b = "memtx.const"() {value = dense<100> : tensor<16xi32>} : () -> memref<16xi32>
  "mtir.qlinear-depthwise-conv2d"(%x, %w, %b, %y) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", input_scale = 0.5 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.5 : f32, output_zero_point = -4 : i32} : (memref<1x8x8x16xi8>, memref<1x3x3x16xi8>, memref<16xi32>, memref<1x8x8x16xi8>) -> ()
  return
}
