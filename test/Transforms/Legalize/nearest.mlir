// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact

// Every second pixel, from the first on, or with the centres of pixels from the
// second on.
// CHECK-LABEL: func.func @shrink
// CHECK-NOT: tir.resize
// CHECK: return
func.func @shrink(%x: tensor<1x4x6x2xf32>) -> (tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) {
  %0 = "tir.resize"(%x) {size = [3 : i32, 2 : i32], mode = "NEAREST"} : (tensor<1x4x6x2xf32>) -> tensor<1x2x3x2xf32>
  %1 = "tir.resize"(%x) {size = [3 : i32, 2 : i32], mode = "NEAREST", half_pixel_centers = true, nearest_mode = "ROUND_PREFER_CEIL"} : (tensor<1x4x6x2xf32>) -> tensor<1x2x3x2xf32>
  return %0, %1 : tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>
}

// Odd sizes of feature pyramids: twice the size, but for the last row and column.
// CHECK-LABEL: func.func @odd
// CHECK: "tir.resize"(%arg0) {mode = "NEAREST", size = [6 : i32, 10 : i32]}
// CHECK: "tir.strided_slice"{{.*}}end = [1 : i32, 9 : i32, 5 : i32, 2 : i32]
// CHECK-NEXT: return
func.func @odd(%x: tensor<1x5x3x2xf32>) -> tensor<1x9x5x2xf32> {
  %0 = "tir.resize"(%x) {size = [5 : i32, 9 : i32], mode = "NEAREST"} : (tensor<1x5x3x2xf32>) -> tensor<1x9x5x2xf32>
  return %0 : tensor<1x9x5x2xf32>
}

// One axis grows, the other shrinks.
// CHECK-LABEL: func.func @both
// CHECK: "tir.resize"(%arg0) {mode = "NEAREST", size = [8 : i32, 4 : i32]}
// CHECK: "tir.strided_slice"{{.*}}end = [1 : i32, 3 : i32, 7 : i32, 2 : i32]
// CHECK-NEXT: "tir.maxpool2d"{{.*}}stride = [1 : i32, 2 : i32]
// CHECK-NEXT: return
func.func @both(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x7x2xf32> {
  %0 = "tir.resize"(%x) {size = [7 : i32, 2 : i32], mode = "NEAREST"} : (tensor<1x4x4x2xf32>) -> tensor<1x2x7x2xf32>
  return %0 : tensor<1x2x7x2xf32>
}

// Pixels that are repeated unequally stay, as does what lies outside of a crop.
// CHECK-LABEL: func.func @uneven
// CHECK-COUNT-2: tir.resize
func.func @uneven(%x: tensor<1x4x4x2xf32>) -> (tensor<1x6x6x2xf32>, tensor<1x2x2x2xf32>) {
  %0 = "tir.resize"(%x) {size = [6 : i32, 6 : i32], mode = "NEAREST"} : (tensor<1x4x4x2xf32>) -> tensor<1x6x6x2xf32>
  %1 = "tir.resize"(%x) {size = [2 : i32, 2 : i32], mode = "NEAREST", coordinate_mode = "TF_CROP_AND_RESIZE", roi = [-1.0 : f32, 0.0 : f32, 2.0 : f32, 1.0 : f32], extrapolation_value = 7.0 : f32} : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  return %0, %1 : tensor<1x6x6x2xf32>, tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func.func @bytes
// CHECK: tir.upsample-fix
// CHECK: tir.strided_slice-fix
func.func @bytes(%x: tensor<1x3x3x2xi8>) -> tensor<1x5x5x2xi8> {
  %0 = "tir.resize"(%x) {size = [5 : i32, 5 : i32]} : (tensor<1x3x3x2xi8>) -> tensor<1x5x5x2xi8>
  return %0 : tensor<1x5x5x2xi8>
}

// What expands a pooled vector, or a row of pixels, repeats pixels.
// CHECK-LABEL: func.func @expand
// CHECK: "tir.resize"(%arg0) {mode = "NEAREST", size = [5 : i32, 4 : i32]}
// CHECK: "tir.resize"(%arg1) {mode = "NEAREST", size = [5 : i32, 4 : i32]}
// CHECK: tir.expand
func.func @expand(%x: tensor<1x1x1x3xf32>, %y: tensor<1x1x5x3xf32>, %z: tensor<1x4x5x1xf32>) -> (tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>) {
  %0 = "tir.expand"(%x) {shape = [1 : i32, 4 : i32, 5 : i32, 3 : i32]} : (tensor<1x1x1x3xf32>) -> tensor<1x4x5x3xf32>
  %1 = "tir.expand"(%y) {shape = [1 : i32, 4 : i32, 5 : i32, 3 : i32]} : (tensor<1x1x5x3xf32>) -> tensor<1x4x5x3xf32>
  %2 = "tir.expand"(%z) {shape = [1 : i32, 4 : i32, 5 : i32, 3 : i32]} : (tensor<1x4x5x1xf32>) -> tensor<1x4x5x3xf32>
  return %0, %1, %2 : tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>
}

// Masks and indices are no images.
// CHECK-LABEL: func.func @expand_mask
// CHECK-COUNT-2: tir.expand
func.func @expand_mask(%x: tensor<1x1x3x3xi1>, %y: tensor<1x1x3x3xi64>) -> (tensor<1x2x3x3xi1>, tensor<1x2x3x3xi64>) {
  %0 = "tir.expand"(%x) {shape = [1 : i32, 2 : i32, 3 : i32, 3 : i32]} : (tensor<1x1x3x3xi1>) -> tensor<1x2x3x3xi1>
  %1 = "tir.expand"(%y) {shape = [1 : i32, 2 : i32, 3 : i32, 3 : i32]} : (tensor<1x1x3x3xi64>) -> tensor<1x2x3x3xi64>
  return %0, %1 : tensor<1x2x3x3xi1>, tensor<1x2x3x3xi64>
}
