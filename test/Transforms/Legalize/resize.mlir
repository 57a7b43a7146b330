// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize

// The border is that of the interpolation: the last row repeats.
// CHECK-LABEL: func.func @bilinear
// CHECK-NEXT: tir.pad"(%arg0) {mode = "SYMMETRIC", paddings = [0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32]}
// CHECK-NEXT: tir.const
// CHECK-NEXT: tir.transposed-depthwise-conv2d"({{.*}}kernel = [3 : i32, 3 : i32], pad = [1 : i32, 2 : i32, 1 : i32, 2 : i32], stride = [2 : i32, 2 : i32]
// CHECK-NEXT: return
func.func @bilinear(%x: tensor<2x3x4x2xf32>) -> tensor<2x6x8x2xf32> {
  %y = "tir.resize"(%x) {size = [8 : i32, 6 : i32], mode = "BILINEAR"} : (tensor<2x3x4x2xf32>) -> tensor<2x6x8x2xf32>
  return %y : tensor<2x6x8x2xf32>
}

// CHECK-LABEL: func.func @bilinear_4_8
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [15 : i32, 7 : i32],{{.*}} stride = [8 : i32, 4 : i32]
func.func @bilinear_4_8(%x: tensor<1x3x2x2xf32>) -> tensor<1x12x16x2xf32> {
  %y = "tir.resize"(%x) {size = [16 : i32, 12 : i32], mode = "BILINEAR"} : (tensor<1x3x2x2xf32>) -> tensor<1x12x16x2xf32>
  return %y : tensor<1x12x16x2xf32>
}

// A single row and column.
// CHECK-LABEL: func.func @bilinear_of_one
// CHECK-NEXT: tir.resize"(%arg0) {mode = "NEAREST", size = [4 : i32, 2 : i32]}
// CHECK-NEXT: return
func.func @bilinear_of_one(%x: tensor<1x1x1x3xf32>) -> tensor<1x2x4x3xf32> {
  %y = "tir.resize"(%x) {size = [4 : i32, 2 : i32], mode = "BILINEAR"} : (tensor<1x1x1x3xf32>) -> tensor<1x2x4x3xf32>
  return %y : tensor<1x2x4x3xf32>
}

// CHECK-LABEL: func.func @half_pixel
// CHECK-NEXT: tir.pad"(%arg0) {mode = "SYMMETRIC", paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]}
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [8 : i32, 4 : i32], pad = [6 : i32, 6 : i32, 3 : i32, 3 : i32], stride = [4 : i32, 2 : i32]
func.func @half_pixel(%x: tensor<1x3x2x2xf32>) -> tensor<1x6x8x2xf32> {
  %y = "tir.resize"(%x) {size = [8 : i32, 6 : i32], mode = "BILINEAR", half_pixel_centers = true, scale = [4.0 : f32, 2.0 : f32]} : (tensor<1x3x2x2xf32>) -> tensor<1x6x8x2xf32>
  return %y : tensor<1x6x8x2xf32>
}

// CHECK-LABEL: func.func @pytorch
// CHECK: tir.transposed-depthwise-conv2d
func.func @pytorch(%x: tensor<1x3x2x2xf32>) -> tensor<1x6x4x2xf32> {
  %y = "tir.resize"(%x) {size = [4 : i32, 6 : i32], mode = "BILINEAR", coordinate_mode = "PYTORCH_HALF_PIXEL"} : (tensor<1x3x2x2xf32>) -> tensor<1x6x4x2xf32>
  return %y : tensor<1x6x4x2xf32>
}

// Pixels of the image are two apart, and four; the border is exact by itself.
// CHECK-LABEL: func.func @corners
// CHECK-NEXT: tir.const
// CHECK-NEXT: tir.transposed-depthwise-conv2d"(%arg0, {{.*}}kernel = [3 : i32, 7 : i32], pad = [1 : i32, 1 : i32, 3 : i32, 3 : i32], stride = [2 : i32, 4 : i32]
// CHECK-NEXT: return
func.func @corners(%x: tensor<1x3x4x2xf32>) -> tensor<1x9x7x2xf32> {
  %y = "tir.resize"(%x) {size = [7 : i32, 9 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x3x4x2xf32>) -> tensor<1x9x7x2xf32>
  return %y : tensor<1x9x7x2xf32>
}

// A scale of 1.8 speaks of 5.4 rows.
// CHECK-LABEL: func.func @rounded_corners
// CHECK: tir.resize
func.func @rounded_corners(%x: tensor<1x3x3x2xf32>) -> tensor<1x5x5x2xf32> {
  %y = "tir.resize"(%x) {size = [5 : i32, 5 : i32], mode = "BILINEAR", align_corners = true, scale = [1.8 : f32, 1.8 : f32]} : (tensor<1x3x3x2xf32>) -> tensor<1x5x5x2xf32>
  return %y : tensor<1x5x5x2xf32>
}

// Bytes do not hold the products of both axes: rows first, then columns.
// CHECK-LABEL: func.func @half_pixel_8
// CHECK-NEXT: tir.pad"(%arg0) {mode = "SYMMETRIC", paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]}
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [1 : i32, 16 : i32], pad = [0 : i32, 0 : i32, 12 : i32, 12 : i32], stride = [1 : i32, 8 : i32]
// CHECK-NEXT: tir.pad"({{.*}}paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]}
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [16 : i32, 1 : i32], pad = [12 : i32, 12 : i32, 0 : i32, 0 : i32], stride = [8 : i32, 1 : i32]
func.func @half_pixel_8(%x: tensor<1x2x3x2xf32>) -> tensor<1x16x24x2xf32> {
  %y = "tir.resize"(%x) {size = [24 : i32, 16 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x2x3x2xf32>) -> tensor<1x16x24x2xf32>
  return %y : tensor<1x16x24x2xf32>
}

// Where the model rounds once, each pixel stands twice in a row.
// CHECK-LABEL: func.func @half_pixel_8_once
// CHECK-NEXT: %[[X:.*]] = "tir.fix2float"
// CHECK-NEXT: %[[R:.*]] = "tir.resize"(%[[X]]) {mode = "NEAREST", size = [6 : i32, 2 : i32]}
// CHECK-NEXT: tir.pad"(%[[R]]){{.*}}paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]}
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [12 : i32, 16 : i32], pad = [8 : i32, 8 : i32, 12 : i32, 12 : i32], stride = [4 : i32, 8 : i32]
// CHECK-NEXT: tir.float2fix
func.func @half_pixel_8_once(%x: tensor<1x2x3x2xi8>) -> tensor<1x16x24x2xi8> {
  %f = "tir.fix2float"(%x) {bit_width = 8 : i32, fix_point = 5 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x3x2xi8>) -> tensor<1x2x3x2xf32>
  %y = "tir.resize"(%f) {size = [24 : i32, 16 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x2x3x2xf32>) -> tensor<1x16x24x2xf32>
  %q = "tir.float2fix"(%y) {bit_width = 8 : i32, fix_point = 5 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x16x24x2xf32>) -> tensor<1x16x24x2xi8>
  return %q : tensor<1x16x24x2xi8>
}

// A result that is read twice is not rounded there.
// CHECK-LABEL: func.func @half_pixel_8_twice
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [1 : i32, 16 : i32]
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [16 : i32, 1 : i32]
func.func @half_pixel_8_twice(%x: tensor<1x2x3x2xi8>) -> (tensor<1x16x24x2xi8>, tensor<1x16x24x2xf32>) {
  %f = "tir.fix2float"(%x) {bit_width = 8 : i32, fix_point = 5 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x3x2xi8>) -> tensor<1x2x3x2xf32>
  %y = "tir.resize"(%f) {size = [24 : i32, 16 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x2x3x2xf32>) -> tensor<1x16x24x2xf32>
  %q = "tir.float2fix"(%y) {bit_width = 8 : i32, fix_point = 5 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x16x24x2xf32>) -> tensor<1x16x24x2xi8>
  return %q, %y : tensor<1x16x24x2xi8>, tensor<1x16x24x2xf32>
}

// Along one axis bytes hold the weights, and as well times those of four.
// CHECK-LABEL: func.func @half_pixel_4_8
// CHECK-NEXT: tir.pad"(%arg0)
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [8 : i32, 16 : i32]{{.*}}stride = [4 : i32, 8 : i32]
func.func @half_pixel_4_8(%x: tensor<1x2x3x2xf32>) -> tensor<1x16x12x2xf32> {
  %y = "tir.resize"(%x) {size = [12 : i32, 16 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x2x3x2xf32>) -> tensor<1x16x12x2xf32>
  return %y : tensor<1x16x12x2xf32>
}

// One axis alone.
// CHECK-LABEL: func.func @columns
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [4 : i32, 1 : i32], pad = [3 : i32, 3 : i32, 0 : i32, 0 : i32], stride = [2 : i32, 1 : i32]
func.func @columns(%x: tensor<1x2x3x2xf32>) -> tensor<1x2x6x2xf32> {
  %y = "tir.resize"(%x) {size = [6 : i32, 2 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x2x3x2xf32>) -> tensor<1x2x6x2xf32>
  return %y : tensor<1x2x6x2xf32>
}

// Bytes do not hold thirds: rows first, so that those of a pixel add up to one.
// Where the size is odd, one pixel in three is one of the image.
// CHECK-LABEL: func.func @half_pixel_3
// CHECK-NEXT: tir.pad"(%arg0) {mode = "SYMMETRIC", paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]}
// CHECK-NEXT: "tir.const"() {value = dense<{{.*}}0.333333343{{.*}}0.666666686{{.*}}1.000000e+00{{.*}}> : tensor<1x5x1x2xf32>}
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [1 : i32, 5 : i32], pad = [0 : i32, 0 : i32, 4 : i32, 4 : i32], stride = [1 : i32, 3 : i32]
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [5 : i32, 1 : i32], pad = [4 : i32, 4 : i32, 0 : i32, 0 : i32], stride = [3 : i32, 1 : i32]
func.func @half_pixel_3(%x: tensor<1x2x4x2xf32>) -> tensor<1x6x12x2xf32> {
  %y = "tir.resize"(%x) {size = [12 : i32, 6 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x2x4x2xf32>) -> tensor<1x6x12x2xf32>
  return %y : tensor<1x6x12x2xf32>
}

// CHECK-LABEL: func.func @half_pixel_16
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [1 : i32, 32 : i32], pad = [0 : i32, 0 : i32, 24 : i32, 24 : i32], stride = [1 : i32, 16 : i32]
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [32 : i32, 1 : i32], pad = [24 : i32, 24 : i32, 0 : i32, 0 : i32], stride = [16 : i32, 1 : i32]
func.func @half_pixel_16(%x: tensor<1x2x3x2xf32>) -> tensor<1x32x48x2xf32> {
  %y = "tir.resize"(%x) {size = [48 : i32, 32 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x2x3x2xf32>) -> tensor<1x32x48x2xf32>
  return %y : tensor<1x32x48x2xf32>
}

// Seven times without half pixels, of one axis.
// CHECK-LABEL: func.func @rows_7
// CHECK: tir.transposed-depthwise-conv2d"({{.*}}kernel = [1 : i32, 13 : i32], pad = [0 : i32, 0 : i32, 6 : i32, 7 : i32], stride = [1 : i32, 7 : i32]
// CHECK-NEXT: return
func.func @rows_7(%x: tensor<1x2x3x2xf32>) -> tensor<1x14x3x2xf32> {
  %y = "tir.resize"(%x) {size = [3 : i32, 14 : i32], mode = "BILINEAR"} : (tensor<1x2x3x2xf32>) -> tensor<1x14x3x2xf32>
  return %y : tensor<1x14x3x2xf32>
}

// Corners stay corners, and two pixels are between those of the image.
// CHECK-LABEL: func.func @corners_3
// CHECK-NEXT: tir.const
// CHECK: tir.transposed-depthwise-conv2d"(%arg0,{{.*}}kernel = [1 : i32, 5 : i32], pad = [0 : i32, 0 : i32, 2 : i32, 2 : i32], stride = [1 : i32, 3 : i32]
func.func @corners_3(%x: tensor<1x2x3x2xf32>) -> tensor<1x4x7x2xf32> {
  %y = "tir.resize"(%x) {size = [7 : i32, 4 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x2x3x2xf32>) -> tensor<1x4x7x2xf32>
  return %y : tensor<1x4x7x2xf32>
}

// Not where the model rounds once: thirds, and what has more steps than bytes.
// CHECK-LABEL: func.func @once_not
// CHECK: tir.resize
// CHECK: tir.resize
// CHECK: return
func.func @once_not(%x: tensor<1x2x3x2xi8>) -> (tensor<1x6x9x2xi8>, tensor<1x32x48x2xi8>) {
  %f = "tir.fix2float"(%x) {bit_width = 8 : i32, fix_point = 5 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x3x2xi8>) -> tensor<1x2x3x2xf32>
  %y = "tir.resize"(%f) {size = [9 : i32, 6 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x2x3x2xf32>) -> tensor<1x6x9x2xf32>
  %q = "tir.float2fix"(%y) {bit_width = 8 : i32, fix_point = 5 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x6x9x2xf32>) -> tensor<1x6x9x2xi8>
  %z = "tir.resize"(%f) {size = [48 : i32, 32 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x2x3x2xf32>) -> tensor<1x32x48x2xf32>
  %r = "tir.float2fix"(%z) {bit_width = 8 : i32, fix_point = 5 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x32x48x2xf32>) -> tensor<1x32x48x2xi8>
  return %q, %r : tensor<1x6x9x2xi8>, tensor<1x32x48x2xi8>
}

// 17 times; aligned corners, between pixels; another scale; smaller.
// CHECK-LABEL: func.func @bilinear_not
// CHECK-COUNT-3: tir.resize
func.func @bilinear_not(%x: tensor<1x2x2x2xf32>, %y: tensor<1x3x3x2xf32>) -> (tensor<1x34x34x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) {
  %a = "tir.resize"(%x) {size = [34 : i32, 34 : i32], mode = "BILINEAR"} : (tensor<1x2x2x2xf32>) -> tensor<1x34x34x2xf32>
  %b = "tir.resize"(%y) {size = [4 : i32, 4 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x3x3x2xf32>) -> tensor<1x4x4x2xf32>
  %d = "tir.resize"(%x) {size = [4 : i32, 4 : i32], mode = "BILINEAR", scale = [2.1 : f32, 2.0 : f32]} : (tensor<1x2x2x2xf32>) -> tensor<1x4x4x2xf32>
  %e = "tir.resize"(%x) {size = [1 : i32, 1 : i32], mode = "BILINEAR"} : (tensor<1x2x2x2xf32>) -> tensor<1x1x1x2xf32>
  return %a, %b, %d, %e : tensor<1x34x34x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>
}

// CHECK-LABEL: func.func @nearest
// CHECK-NEXT: tir.upsample-fix"(%arg0) {mode = "NEAREST", scale = [3 : i32, 2 : i32]}
// CHECK-NEXT: tir.upsample-fix"(%arg0) {{.*}}scale = [5 : i32, 4 : i32]}
// CHECK-NEXT: return
func.func @nearest(%x: tensor<1x2x3x2xi8>) -> (tensor<1x4x9x2xi8>, tensor<1x8x15x2xi8>) {
  %a = "tir.resize"(%x) {size = [9 : i32, 4 : i32], mode = "NEAREST"} : (tensor<1x2x3x2xi8>) -> tensor<1x4x9x2xi8>
  %b = "tir.resize"(%x) {size = [15 : i32, 8 : i32], mode = "NEAREST", half_pixel_centers = true, nearest_mode = "ROUND_PREFER_FLOOR"} : (tensor<1x2x3x2xi8>) -> tensor<1x8x15x2xi8>
  return %a, %b : tensor<1x4x9x2xi8>, tensor<1x8x15x2xi8>
}

// Rounding down with half pixels; up without; floats, which the quantiser turns
// into upsample-fix.
// CHECK-LABEL: func.func @nearest_not
// CHECK-COUNT-3: tir.resize
func.func @nearest_not(%x: tensor<1x3x3x2xi8>, %y: tensor<1x3x3x2xf32>) -> (tensor<1x6x6x2xi8>, tensor<1x6x6x2xi8>, tensor<1x6x6x2xf32>) {
  %a = "tir.resize"(%x) {size = [6 : i32, 6 : i32], half_pixel_centers = true} : (tensor<1x3x3x2xi8>) -> tensor<1x6x6x2xi8>
  %b = "tir.resize"(%x) {size = [6 : i32, 6 : i32], nearest_mode = "CEIL"} : (tensor<1x3x3x2xi8>) -> tensor<1x6x6x2xi8>
  %d = "tir.resize"(%y) {size = [6 : i32, 6 : i32]} : (tensor<1x3x3x2xf32>) -> tensor<1x6x6x2xf32>
  return %a, %b, %d : tensor<1x6x6x2xi8>, tensor<1x6x6x2xi8>, tensor<1x6x6x2xf32>
}

// Integers with a scale wait for calibration, which makes the whole fixed.
// CHECK-LABEL: func.func @nearest_with_scale
// CHECK-COUNT-2: tir.resize
// CHECK-NOT: upsample-fix
// CHECK: return
func.func @nearest_with_scale(%x: tensor<1x2x2x1xf32>, %y: tensor<1x2x2x1xi8>) -> (tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>) {
  %0 = "tir.quantize-linear"(%x) {scale = [0.3 : f32], zero_point = [3 : i32]} : (tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xi8>
  %1 = "tir.resize"(%0) {size = [4 : i32, 4 : i32], mode = "NEAREST"} : (tensor<1x2x2x1xi8>) -> tensor<1x4x4x1xi8>
  %2 = "tir.qlinear-requantize"(%y) {input_scale = 0.1 : f32, input_zero_point = 0 : i32, output_scale = 0.3 : f32, output_zero_point = 0 : i32} : (tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi8>
  %3 = "tir.resize"(%2) {size = [4 : i32, 4 : i32], mode = "NEAREST"} : (tensor<1x2x2x1xi8>) -> tensor<1x4x4x1xi8>
  return %1, %3 : tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>
}

// Rounding halves down to the nearest is rounding down at twice the size, not
// at three times.
// CHECK-LABEL: func.func @halves
// CHECK: "tir.upsample-fix"
// CHECK: "tir.resize"
func.func @halves(%x: tensor<1x2x2x1xi8>) -> (tensor<1x4x4x1xi8>, tensor<1x6x6x1xi8>) {
  %0 = "tir.resize"(%x) {size = [4 : i32, 4 : i32], mode = "NEAREST", nearest_mode = "ROUND_PREFER_FLOOR"} : (tensor<1x2x2x1xi8>) -> tensor<1x4x4x1xi8>
  %1 = "tir.resize"(%x) {size = [6 : i32, 6 : i32], mode = "NEAREST", nearest_mode = "ROUND_PREFER_FLOOR"} : (tensor<1x2x2x1xi8>) -> tensor<1x6x6x1xi8>
  return %0, %1 : tensor<1x4x4x1xi8>, tensor<1x6x6x1xi8>
}

// Whatever the corners are, there is one pixel to take.
// CHECK-LABEL: func.func @one
// CHECK-NEXT: tir.resize"(%arg0) {mode = "NEAREST", size = [33 : i32, 65 : i32]}
// CHECK-NEXT: tir.resize"(%arg1) {mode = "NEAREST", size = [3 : i32, 7 : i32]}
// CHECK-NEXT: tir.upsample-fix"(%arg2) {mode = "NEAREST", scale = [5 : i32, 3 : i32]}
// CHECK-NEXT: return
func.func @one(%x: tensor<1x1x1x2xf32>, %y: tensor<1x1x3x2xf32>, %z: tensor<1x1x1x2xi8>) -> (tensor<1x65x33x2xf32>, tensor<1x7x3x2xf32>, tensor<1x3x5x2xi8>) {
  %a = "tir.resize"(%x) {size = [33 : i32, 65 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x1x1x2xf32>) -> tensor<1x65x33x2xf32>
  %b = "tir.resize"(%y) {size = [3 : i32, 7 : i32], mode = "BICUBIC", half_pixel_centers = true} : (tensor<1x1x3x2xf32>) -> tensor<1x7x3x2xf32>
  %c = "tir.resize"(%z) {size = [5 : i32, 3 : i32], mode = "NEAREST", nearest_mode = "CEIL"} : (tensor<1x1x1x2xi8>) -> tensor<1x3x5x2xi8>
  return %a, %b, %c : tensor<1x65x33x2xf32>, tensor<1x7x3x2xf32>, tensor<1x3x5x2xi8>
}

// Outside the input there is another number; a scale moves pixels.
// CHECK-LABEL: func.func @one_not
// CHECK: tir.resize{{.*}}TF_CROP_AND_RESIZE
// CHECK: tir.resize{{.*}}scale = [3
func.func @one_not(%x: tensor<1x1x1x2xf32>, %y: tensor<1x1x3x2xf32>) -> (tensor<1x3x3x2xf32>, tensor<1x7x3x2xf32>) {
  %a = "tir.resize"(%x) {size = [3 : i32, 3 : i32], mode = "BILINEAR", coordinate_mode = "TF_CROP_AND_RESIZE", roi = [-1.0 : f32, -1.0 : f32, 2.0 : f32, 2.0 : f32], extrapolation_value = 4.0 : f32} : (tensor<1x1x1x2xf32>) -> tensor<1x3x3x2xf32>
  %b = "tir.resize"(%y) {size = [3 : i32, 7 : i32], mode = "BILINEAR", scale = [3.0 : f32, 7.0 : f32]} : (tensor<1x1x3x2xf32>) -> tensor<1x7x3x2xf32>
  return %a, %b : tensor<1x3x3x2xf32>, tensor<1x7x3x2xf32>
}

// Half pixels: the mean of the pixels around the middle of each block.
// CHECK-LABEL: func.func @shrink
// CHECK-NEXT: tir.avgpool2d"(%arg0) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]}
// CHECK-NEXT: tir.strided_slice"(%arg1) {begin = [0 : i32, 1 : i32, 1 : i32, 0 : i32],
// CHECK-NEXT: tir.avgpool2d"({{.*}}kernel = [1 : i32, 2 : i32], stride = [3 : i32, 4 : i32]}
// CHECK-NEXT: tir.maxpool2d"(%arg0) {kernel = [1 : i32, 1 : i32], stride = [2 : i32, 3 : i32]}
// CHECK-NEXT: return
func.func @shrink(%x: tensor<2x6x4x2xf32>, %y: tensor<1x8x9x2xf32>) -> (tensor<2x3x2x2xf32>, tensor<1x2x3x2xf32>, tensor<2x2x2x2xf32>) {
  %a = "tir.resize"(%x) {size = [2 : i32, 3 : i32], mode = "BILINEAR", coordinate_mode = "PYTORCH_HALF_PIXEL", scale = [0.5 : f32, 0.5 : f32]} : (tensor<2x6x4x2xf32>) -> tensor<2x3x2x2xf32>
  %b = "tir.resize"(%y) {size = [3 : i32, 2 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x8x9x2xf32>) -> tensor<1x2x3x2xf32>
  %c = "tir.resize"(%x) {size = [2 : i32, 2 : i32], mode = "BILINEAR"} : (tensor<2x6x4x2xf32>) -> tensor<2x2x2x2xf32>
  return %a, %b, %c : tensor<2x3x2x2xf32>, tensor<1x2x3x2xf32>, tensor<2x2x2x2xf32>
}

// CHECK-LABEL: func.func @shrink_not
// CHECK-COUNT-3: tir.resize
func.func @shrink_not(%x: tensor<1x6x4x2xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>) {
  %a = "tir.resize"(%x) {size = [2 : i32, 4 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x6x4x2xf32>) -> tensor<1x4x2x2xf32>
  %b = "tir.resize"(%x) {size = [2 : i32, 3 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x6x4x2xf32>) -> tensor<1x3x2x2xf32>
  %c = "tir.resize"(%x) {size = [2 : i32, 3 : i32], mode = "BILINEAR", half_pixel_centers = true, antialias = true} : (tensor<1x6x4x2xf32>) -> tensor<1x3x2x2xf32>
  return %a, %b, %c : tensor<1x4x2x2xf32>, tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>
}
