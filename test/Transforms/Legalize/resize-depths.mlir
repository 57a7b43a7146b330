// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize
// RUN: RewriteEqualTest %s tir-legalize target=DPUCAHX8H_ISA2

// Depths of one channel are one word: a convolution of all of them.
// CHECK-LABEL: func.func @disparities
// CHECK: %[[P:.*]] = "tir.reshape"(%arg0) {{.*}} -> tensor<1x6x8x4xf32>
// CHECK-NEXT: %[[W:.*]] = "tir.const"() {value = dense<{{.*}}> : tensor<8x1x1x4xf32>}
// CHECK-NEXT: %[[C:.*]] = "tir.conv2d"(%[[P]], %[[W]]) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]}
// CHECK-NEXT: %[[R:.*]] = "tir.reshape"(%[[C]]) {{.*}} -> tensor<1x48x8x1xf32>
// CHECK-NEXT: return %[[R]]
func.func @disparities(%x: tensor<1x6x8x4x1xf32>) -> tensor<1x48x8x1xf32> {
  %c = "tir.reshape"(%x) {shape = [1 : i32, 48 : i32, 4 : i32, 1 : i32]} : (tensor<1x6x8x4x1xf32>) -> tensor<1x48x4x1xf32>
  %y = "tir.resize"(%c) {size = [8 : i32, 48 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x48x4x1xf32>) -> tensor<1x48x8x1xf32>
  return %y : tensor<1x48x8x1xf32>
}

// Channels of whole words: two convolutions of four depths, each of which reads
// the three between which its results lie.
// CHECK-LABEL: func.func @features
// CHECK: %[[F:.*]] = "tir.strided_slice"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 16 : i32, 16 : i32, 48 : i32]
// CHECK: %[[A:.*]] = "tir.conv2d"(%[[F]], {{.*}} -> tensor<1x16x16x64xf32>
// CHECK: %[[L:.*]] = "tir.strided_slice"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 16 : i32], end = [1 : i32, 16 : i32, 16 : i32, 64 : i32]
// CHECK: %[[B:.*]] = "tir.conv2d"(%[[L]], {{.*}} -> tensor<1x16x16x64xf32>
// CHECK: "tir.concat"(%[[A]], %[[B]]) {axis = 3 : i32
func.func @features(%x: tensor<1x16x16x64xf32>) -> tensor<1x256x8x16xf32> {
  %c = "tir.reshape"(%x) {shape = [1 : i32, 256 : i32, 4 : i32, 16 : i32]} : (tensor<1x16x16x64xf32>) -> tensor<1x256x4x16xf32>
  %y = "tir.resize"(%c) {size = [8 : i32, 256 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x256x4x16xf32>) -> tensor<1x256x8x16xf32>
  return %y : tensor<1x256x8x16xf32>
}

// Any positions and weights: cubic, with aligned corners, not by a whole number.
// CHECK-LABEL: func.func @cubic
// CHECK: tensor<21x1x1x12xf32>
// CHECK-NEXT: tir.conv2d
func.func @cubic(%x: tensor<2x6x8x12xf32>) -> tensor<2x48x7x3xf32> {
  %c = "tir.reshape"(%x) {shape = [2 : i32, 48 : i32, 4 : i32, 3 : i32]} : (tensor<2x6x8x12xf32>) -> tensor<2x48x4x3xf32>
  %y = "tir.resize"(%c) {size = [7 : i32, 48 : i32], mode = "BICUBIC", align_corners = true} : (tensor<2x48x4x3xf32>) -> tensor<2x48x7x3xf32>
  return %y : tensor<2x48x7x3xf32>
}

// Many channels of many depths take longer than rows of columns.
// CHECK-LABEL: func.func @wide
// CHECK-NOT: tir.conv2d"
// CHECK: tir.transposed-depthwise-conv2d
func.func @wide(%x: tensor<1x4x4x32x64xf32>) -> tensor<1x16x64x64xf32> {
  %c = "tir.reshape"(%x) {shape = [1 : i32, 16 : i32, 32 : i32, 64 : i32]} : (tensor<1x4x4x32x64xf32>) -> tensor<1x16x32x64xf32>
  %y = "tir.resize"(%c) {size = [64 : i32, 16 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x16x32x64xf32>) -> tensor<1x16x64x64xf32>
  return %y : tensor<1x16x64x64xf32>
}

// Rows are resized as well, and those of an image are no depths.
// CHECK-LABEL: func.func @rows_too
// CHECK-NOT: tir.conv2d"
// CHECK: return
func.func @rows_too(%x: tensor<1x6x8x4xf32>, %image: tensor<1x48x4x1xf32>) -> (tensor<1x96x8x1xf32>, tensor<1x48x8x1xf32>) {
  %c = "tir.reshape"(%x) {shape = [1 : i32, 48 : i32, 4 : i32, 1 : i32]} : (tensor<1x6x8x4xf32>) -> tensor<1x48x4x1xf32>
  %y = "tir.resize"(%c) {size = [8 : i32, 96 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x48x4x1xf32>) -> tensor<1x96x8x1xf32>
  %z = "tir.resize"(%image) {size = [8 : i32, 48 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x48x4x1xf32>) -> tensor<1x48x8x1xf32>
  return %y, %z : tensor<1x96x8x1xf32>, tensor<1x48x8x1xf32>
}
