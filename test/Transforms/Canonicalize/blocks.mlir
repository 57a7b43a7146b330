// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// As PyTorch exports PixelUnshuffle, with the channels last.
// CHECK-LABEL: func.func @unshuffle
// CHECK-NEXT: "tir.pixel-shuffle"(%arg0) {mode = "CRD", scale = 2 : i32, upscale = false}
// CHECK-NEXT: return
func.func @unshuffle(%x: tensor<1x4x6x3xf32>) -> tensor<1x2x3x12xf32> {
  %0 = "tir.reshape"(%x) {shape = [1 : i32, 2 : i32, 2 : i32, 3 : i32, 2 : i32, 3 : i32]} : (tensor<1x4x6x3xf32>) -> tensor<1x2x2x3x2x3xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 1 : i32, 3 : i32, 5 : i32, 2 : i32, 4 : i32]} : (tensor<1x2x2x3x2x3xf32>) -> tensor<1x2x3x3x2x2xf32>
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 2 : i32, 3 : i32, 12 : i32]} : (tensor<1x2x3x3x2x2xf32>) -> tensor<1x2x3x12xf32>
  return %2 : tensor<1x2x3x12xf32>
}

// The pixels of a block are together: space-to-depth.
// CHECK-LABEL: func.func @unshuffle_blocks
// CHECK-NEXT: "tir.pixel-shuffle"(%arg0) {mode = "DCR", scale = 3 : i32, upscale = false}
// CHECK-NEXT: return
func.func @unshuffle_blocks(%x: tensor<2x6x9x2xf32>) -> tensor<2x2x3x18xf32> {
  %0 = "tir.reshape"(%x) {shape = [2 : i32, 2 : i32, 3 : i32, 3 : i32, 3 : i32, 2 : i32]} : (tensor<2x6x9x2xf32>) -> tensor<2x2x3x3x3x2xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 1 : i32, 3 : i32, 2 : i32, 4 : i32, 5 : i32]} : (tensor<2x2x3x3x3x2xf32>) -> tensor<2x2x3x3x3x2xf32>
  %2 = "tir.reshape"(%1) {shape = [2 : i32, 2 : i32, 3 : i32, 18 : i32]} : (tensor<2x2x3x3x3x2xf32>) -> tensor<2x2x3x18xf32>
  return %2 : tensor<2x2x3x18xf32>
}

// An image in planes has transposes around it.
// CHECK-LABEL: func.func @unshuffle_planes
// CHECK: %[[X:.*]] = "tir.transpose"(%arg0) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]}
// CHECK: %[[Y:.*]] = "tir.pixel-shuffle"(%[[X]]) {mode = "CRD", scale = 2 : i32, upscale = false}
// CHECK: "tir.transpose"(%[[Y]]) {{.*}}order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]
func.func @unshuffle_planes(%x: tensor<2x3x4x6xf32>) -> tensor<2x12x2x3xf32> {
  %0 = "tir.reshape"(%x) {shape = [2 : i32, 3 : i32, 2 : i32, 2 : i32, 3 : i32, 2 : i32]} : (tensor<2x3x4x6xf32>) -> tensor<2x3x2x2x3x2xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 1 : i32, 3 : i32, 5 : i32, 2 : i32, 4 : i32]} : (tensor<2x3x2x2x3x2xf32>) -> tensor<2x3x2x2x2x3xf32>
  %2 = "tir.reshape"(%1) {shape = [2 : i32, 12 : i32, 2 : i32, 3 : i32]} : (tensor<2x3x2x2x2x3xf32>) -> tensor<2x12x2x3xf32>
  return %2 : tensor<2x12x2x3xf32>
}

// The transpose of the convolution after it is part of the view.
// CHECK-LABEL: func.func @unshuffle_to_rows
// CHECK: %[[X:.*]] = "tir.transpose"(%arg0) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]}
// CHECK: %[[Y:.*]] = "tir.pixel-shuffle"(%[[X]]) {mode = "CRD", scale = 2 : i32, upscale = false}
// CHECK: return %[[Y]]
func.func @unshuffle_to_rows(%x: tensor<2x3x4x6xf32>) -> tensor<2x2x3x12xf32> {
  %0 = "tir.reshape"(%x) {shape = [2 : i32, 3 : i32, 2 : i32, 2 : i32, 3 : i32, 2 : i32]} : (tensor<2x3x4x6xf32>) -> tensor<2x3x2x2x3x2xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 1 : i32, 3 : i32, 5 : i32, 2 : i32, 4 : i32]} : (tensor<2x3x2x2x3x2xf32>) -> tensor<2x3x2x2x2x3xf32>
  %2 = "tir.reshape"(%1) {shape = [2 : i32, 12 : i32, 2 : i32, 3 : i32]} : (tensor<2x3x2x2x2x3xf32>) -> tensor<2x12x2x3xf32>
  %3 = "tir.transpose"(%2) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<2x12x2x3xf32>) -> tensor<2x2x3x12xf32>
  return %3 : tensor<2x2x3x12xf32>
}

// PixelShuffle in the same words.
// CHECK-LABEL: func.func @shuffle
// CHECK-NEXT: "tir.pixel-shuffle"(%arg0) {mode = "CRD", scale = 2 : i32, upscale = true}
// CHECK-NEXT: return
func.func @shuffle(%x: tensor<1x2x3x12xf32>) -> tensor<1x4x6x3xf32> {
  %0 = "tir.reshape"(%x) {shape = [1 : i32, 2 : i32, 3 : i32, 3 : i32, 2 : i32, 2 : i32]} : (tensor<1x2x3x12xf32>) -> tensor<1x2x3x3x2x2xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 1 : i32, 4 : i32, 2 : i32, 5 : i32, 3 : i32]} : (tensor<1x2x3x3x2x2xf32>) -> tensor<1x2x2x3x2x3xf32>
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 4 : i32, 6 : i32, 3 : i32]} : (tensor<1x2x2x3x2x3xf32>) -> tensor<1x4x6x3xf32>
  return %2 : tensor<1x4x6x3xf32>
}

// Depth-to-space.
// CHECK-LABEL: func.func @shuffle_blocks
// CHECK-NEXT: "tir.pixel-shuffle-fix"(%arg0) {mode = "DCR", scale = 2 : i32, upscale = true}
// CHECK-NEXT: return
func.func @shuffle_blocks(%x: tensor<1x2x3x12xi8>) -> tensor<1x4x6x3xi8> {
  %0 = "tir.reshape-fix"(%x) {shape = [1 : i32, 2 : i32, 3 : i32, 2 : i32, 2 : i32, 3 : i32]} : (tensor<1x2x3x12xi8>) -> tensor<1x2x3x2x2x3xi8>
  %1 = "tir.transpose-fix"(%0) {order = [0 : i32, 1 : i32, 3 : i32, 2 : i32, 4 : i32, 5 : i32]} : (tensor<1x2x3x2x2x3xi8>) -> tensor<1x2x2x3x2x3xi8>
  %2 = "tir.reshape-fix"(%1) {shape = [1 : i32, 4 : i32, 6 : i32, 3 : i32]} : (tensor<1x2x2x3x2x3xi8>) -> tensor<1x4x6x3xi8>
  return %2 : tensor<1x4x6x3xi8>
}

// Columns before rows, and blocks that are no squares, are no shuffle.
// CHECK-LABEL: func.func @other_order
// CHECK-NOT: pixel-shuffle
// CHECK: return
func.func @other_order(%x: tensor<1x4x6x3xf32>) -> tensor<1x2x3x12xf32> {
  %0 = "tir.reshape"(%x) {shape = [1 : i32, 2 : i32, 2 : i32, 3 : i32, 2 : i32, 3 : i32]} : (tensor<1x4x6x3xf32>) -> tensor<1x2x2x3x2x3xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 1 : i32, 3 : i32, 5 : i32, 4 : i32, 2 : i32]} : (tensor<1x2x2x3x2x3xf32>) -> tensor<1x2x3x3x2x2xf32>
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 2 : i32, 3 : i32, 12 : i32]} : (tensor<1x2x3x3x2x2xf32>) -> tensor<1x2x3x12xf32>
  return %2 : tensor<1x2x3x12xf32>
}

// CHECK-LABEL: func.func @oblong
// CHECK-NOT: pixel-shuffle
// CHECK: return
func.func @oblong(%x: tensor<1x4x6x3xf32>) -> tensor<1x2x2x18xf32> {
  %0 = "tir.reshape"(%x) {shape = [1 : i32, 2 : i32, 2 : i32, 2 : i32, 3 : i32, 3 : i32]} : (tensor<1x4x6x3xf32>) -> tensor<1x2x2x2x3x3xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 1 : i32, 3 : i32, 5 : i32, 2 : i32, 4 : i32]} : (tensor<1x2x2x2x3x3xf32>) -> tensor<1x2x2x3x2x3xf32>
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 2 : i32, 2 : i32, 18 : i32]} : (tensor<1x2x2x3x2x3xf32>) -> tensor<1x2x2x18xf32>
  return %2 : tensor<1x2x2x18xf32>
}

// A single block is flattened in the order of planes.
// CHECK-LABEL: func.func @flattened
// CHECK-NOT: pixel-shuffle
// CHECK: return
func.func @flattened(%x: tensor<1x2x2x3xf32>) -> tensor<1x1x1x12xf32> {
  %0 = "tir.reshape"(%x) {shape = [1 : i32, 1 : i32, 2 : i32, 1 : i32, 2 : i32, 3 : i32]} : (tensor<1x2x2x3xf32>) -> tensor<1x1x2x1x2x3xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 1 : i32, 3 : i32, 5 : i32, 2 : i32, 4 : i32]} : (tensor<1x1x2x1x2x3xf32>) -> tensor<1x1x1x3x2x2xf32>
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 1 : i32, 1 : i32, 12 : i32]} : (tensor<1x1x1x3x2x2xf32>) -> tensor<1x1x1x12xf32>
  return %2 : tensor<1x1x1x12xf32>
}
