// REQUIRES: mlir
// RUN: xc-test-pairs %s | FileCheck %s
// RUN: xc-test-pairs --cpu %s | FileCheck %s
// CHECK: functions are right

// Of equal elements the first; smallest first; along an axis in the middle.
func.func @topk() -> (tensor<3xi64>, tensor<3xi64>, tensor<4xi32>, tensor<4xi32>, tensor<1x2x2xi64>, tensor<1x2x2xi64>) {
  %x = "tir.const"() {value = dense<[1.0, 4.0, -2.0, 4.0, 3.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %i = "tir.const"() {value = dense<[7, -128, 127, 7]> : tensor<4xi8>} : () -> tensor<4xi8>
  %m = "tir.const"() {value = dense<[[[1, 9], [5, 2], [3, 200]]]> : tensor<1x3x2xui8>} : () -> tensor<1x3x2xui8>
  %0 = "tir.topk"(%x) {k = 3 : i32, axis = -1 : i32} : (tensor<5xf32>) -> tensor<3xi64>
  %1 = "tir.topk"(%i) {k = 4 : i32, axis = 0 : i32, largest = false} : (tensor<4xi8>) -> tensor<4xi32>
  %2 = "tir.topk"(%m) {k = 2 : i32, axis = 1 : i32} : (tensor<1x3x2xui8>) -> tensor<1x2x2xi64>
  %e0 = "tir.const"() {value = dense<[1, 3, 4]> : tensor<3xi64>} : () -> tensor<3xi64>
  %e1 = "tir.const"() {value = dense<[1, 0, 3, 2]> : tensor<4xi32>} : () -> tensor<4xi32>
  %e2 = "tir.const"() {value = dense<[[[1, 2], [2, 0]]]> : tensor<1x2x2xi64>} : () -> tensor<1x2x2xi64>
  return %0, %e0, %1, %e1, %2, %e2 : tensor<3xi64>, tensor<3xi64>, tensor<4xi32>, tensor<4xi32>, tensor<1x2x2xi64>, tensor<1x2x2xi64>
}

// A NaN comes last, whichever way; large integers have no sign.
func.func @topk_order() -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<2xi64>, tensor<2xi64>, tensor<0xi64>, tensor<0xi64>) {
  %x = "tir.const"() {value = dense<[0x7FC00000, 1.0, 2.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %u = "tir.const"() {value = dense<[1, 18446744073709551615, 3]> : tensor<3xui64>} : () -> tensor<3xui64>
  %0 = "tir.topk"(%x) {k = 3 : i32, axis = 0 : i32} : (tensor<3xf32>) -> tensor<3xi64>
  %1 = "tir.topk"(%x) {k = 3 : i32, axis = 0 : i32, largest = false} : (tensor<3xf32>) -> tensor<3xi64>
  %2 = "tir.topk"(%u) {k = 2 : i32, axis = 0 : i32} : (tensor<3xui64>) -> tensor<2xi64>
  %3 = "tir.topk"(%u) {k = 0 : i32, axis = 0 : i32} : (tensor<3xui64>) -> tensor<0xi64>
  %e0 = "tir.const"() {value = dense<[2, 1, 0]> : tensor<3xi64>} : () -> tensor<3xi64>
  %e1 = "tir.const"() {value = dense<[1, 2, 0]> : tensor<3xi64>} : () -> tensor<3xi64>
  %e2 = "tir.const"() {value = dense<[1, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
  %e3 = "tir.const"() {value = dense<[]> : tensor<0xi64>} : () -> tensor<0xi64>
  return %0, %e0, %1, %e1, %2, %e2, %3, %e3 : tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<2xi64>, tensor<2xi64>, tensor<0xi64>, tensor<0xi64>
}

// Updates one after the other; of rows and of elements; a sum wraps, a NaN stays,
// and integers without sign have no smaller ones.
func.func @scatter() -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3xi8>, tensor<3xi8>, tensor<2xui64>, tensor<2xui64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf16>, tensor<2xf16>, tensor<2xi1>, tensor<2xi1>) {
  %x = "tir.const"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %i = "tir.const"() {value = dense<[2, 0, -1]> : tensor<3xi64>} : () -> tensor<3xi64>
  %u = "tir.const"() {value = dense<[[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %b = "tir.const"() {value = dense<[100, 2, 3]> : tensor<3xi8>} : () -> tensor<3xi8>
  %bi = "tir.const"() {value = dense<[0, 1, 1]> : tensor<3xi32>} : () -> tensor<3xi32>
  %bu = "tir.const"() {value = dense<[100, 5, 6]> : tensor<3xi8>} : () -> tensor<3xi8>
  %l = "tir.const"() {value = dense<[3, 18446744073709551615]> : tensor<2xui64>} : () -> tensor<2xui64>
  %li = "tir.const"() {value = dense<[0, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %lu = "tir.const"() {value = dense<[18446744073709551615, 7]> : tensor<2xui64>} : () -> tensor<2xui64>
  %n = "tir.const"() {value = dense<[1.0, 0x7FC00000]> : tensor<2xf32>} : () -> tensor<2xf32>
  %nu = "tir.const"() {value = dense<[2.0, 5.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %h = "tir.const"() {value = dense<[2048.0, 0.0]> : tensor<2xf16>} : () -> tensor<2xf16>
  %hi = "tir.const"() {value = dense<0> : tensor<2xi64>} : () -> tensor<2xi64>
  %hu = "tir.const"() {value = dense<1.0> : tensor<2xf16>} : () -> tensor<2xf16>
  %t = "tir.const"() {value = dense<[true, true]> : tensor<2xi1>} : () -> tensor<2xi1>
  %tu = "tir.const"() {value = dense<[false, true]> : tensor<2xi1>} : () -> tensor<2xi1>
  %0 = "tir.scatter"(%x, %i, %u) : (tensor<3x2xf32>, tensor<3xi64>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %1 = "tir.scatter"(%x, %i, %u) {reduction = "ADD"} : (tensor<3x2xf32>, tensor<3xi64>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = "tir.scatter"(%b, %bi, %bu) {reduction = "ADD"} : (tensor<3xi8>, tensor<3xi32>, tensor<3xi8>) -> tensor<3xi8>
  %3 = "tir.scatter"(%l, %li, %lu) {reduction = "MIN"} : (tensor<2xui64>, tensor<2xi64>, tensor<2xui64>) -> tensor<2xui64>
  %4 = "tir.scatter"(%n, %li, %nu) {reduction = "MAX"} : (tensor<2xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<2xf32>
  %5 = "tir.scatter"(%h, %hi, %hu) {reduction = "ADD"} : (tensor<2xf16>, tensor<2xi64>, tensor<2xf16>) -> tensor<2xf16>
  %6 = "tir.scatter"(%t, %li, %tu) : (tensor<2xi1>, tensor<2xi64>, tensor<2xi1>) -> tensor<2xi1>
  %e0 = "tir.const"() {value = dense<[[30.0, 40.0], [3.0, 4.0], [50.0, 60.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %e1 = "tir.const"() {value = dense<[[31.0, 42.0], [3.0, 4.0], [65.0, 86.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %e2 = "tir.const"() {value = dense<[-56, 13, 3]> : tensor<3xi8>} : () -> tensor<3xi8>
  %e3 = "tir.const"() {value = dense<[3, 7]> : tensor<2xui64>} : () -> tensor<2xui64>
  %e4 = "tir.const"() {value = dense<[2.0, 0x7FC00000]> : tensor<2xf32>} : () -> tensor<2xf32>
  %e5 = "tir.const"() {value = dense<[2048.0, 0.0]> : tensor<2xf16>} : () -> tensor<2xf16>
  return %0, %e0, %1, %e1, %2, %e2, %3, %e3, %4, %e4, %5, %e5, %6, %tu : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3xi8>, tensor<3xi8>, tensor<2xui64>, tensor<2xui64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf16>, tensor<2xf16>, tensor<2xi1>, tensor<2xi1>
}

func.func @bitwise() -> (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xui32>, tensor<2xui32>, tensor<2xi64>, tensor<2xi64>) {
  %a = "tir.const"() {value = dense<[[-1, 85], [12, -128]]> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %b = "tir.const"() {value = dense<[15, -16]> : tensor<2xi8>} : () -> tensor<2xi8>
  %c = "tir.const"() {value = dense<[4026531840, 1]> : tensor<2xui32>} : () -> tensor<2xui32>
  %d = "tir.const"() {value = dense<[15, 2]> : tensor<2xui32>} : () -> tensor<2xui32>
  %e = "tir.const"() {value = dense<[-1, 6]> : tensor<2xi64>} : () -> tensor<2xi64>
  %f = "tir.const"() {value = dense<[1, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
  %0 = "tir.bitwise"(%a, %b) {type = "AND"} : (tensor<2x2xi8>, tensor<2xi8>) -> tensor<2x2xi8>
  %1 = "tir.bitwise"(%c, %d) {type = "OR"} : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
  %2 = "tir.bitwise"(%e, %f) {type = "XOR"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %e0 = "tir.const"() {value = dense<[[15, 80], [12, -128]]> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %e1 = "tir.const"() {value = dense<[4026531855, 3]> : tensor<2xui32>} : () -> tensor<2xui32>
  %e2 = "tir.const"() {value = dense<[-2, 5]> : tensor<2xi64>} : () -> tensor<2xi64>
  return %0, %e0, %1, %e1, %2, %e2 : tensor<2x2xi8>, tensor<2x2xi8>, tensor<2xui32>, tensor<2xui32>, tensor<2xi64>, tensor<2xi64>
}

// Boxes 0 and 1 overlap by 9/11 of their union, box 2 is alone, box 3 has
// turned corners and lies on box 2. Class 1 has no score above 0.4 but one.
func.func @nms() -> (tensor<8x3xi64>, tensor<8x3xi64>, tensor<2x3xi32>, tensor<2x3xi32>) {
  %b = "tir.const"() {value = dense<[[[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [5.0, 5.0, 6.0, 6.0], [6.0, 6.0, 5.0, 5.0]]]> : tensor<1x4x4xf32>} : () -> tensor<1x4x4xf32>
  %s = "tir.const"() {value = dense<[[[0.5, 0.9, 0.6, 0.6], [0.1, 0.4, 0.3, 0.7]]]> : tensor<1x2x4xf32>} : () -> tensor<1x2x4xf32>
  %0 = "tir.nms"(%b, %s) {max_boxes = 9 : i32, iou_threshold = 0.5 : f32, score_threshold = 0.4 : f32} : (tensor<1x4x4xf32>, tensor<1x2x4xf32>) -> tensor<8x3xi64>
  %1 = "tir.nms"(%b, %s) {max_boxes = 1 : i32, iou_threshold = 0.5 : f32, score_threshold = 0.8 : f32} : (tensor<1x4x4xf32>, tensor<1x2x4xf32>) -> tensor<2x3xi32>
  %e0 = "tir.const"() {value = dense<[[0, 0, 1], [0, 0, 2], [0, 1, 3], [-1, -1, -1], [-1, -1, -1], [-1, -1, -1], [-1, -1, -1], [-1, -1, -1]]> : tensor<8x3xi64>} : () -> tensor<8x3xi64>
  %e1 = "tir.const"() {value = dense<[[0, 0, 1], [-1, -1, -1]]> : tensor<2x3xi32>} : () -> tensor<2x3xi32>
  return %0, %e0, %1, %e1 : tensor<8x3xi64>, tensor<8x3xi64>, tensor<2x3xi32>, tensor<2x3xi32>
}

// Centres; a box without area overlaps nothing; the second batch has its own
// boxes; equal scores go by index.
func.func @nms_centres() -> (tensor<6x3xi64>, tensor<6x3xi64>) {
  %b = "tir.const"() {value = dense<[[[0.5, 0.5, 1.0, 1.0], [0.6, 0.5, 1.0, 1.0], [0.5, 0.5, 0.0, 1.0]], [[0.0, 0.0, 1.0, 1.0], [3.0, 0.0, 1.0, 1.0], [0.0, 3.0, 1.0, 1.0]]]> : tensor<2x3x4xf32>} : () -> tensor<2x3x4xf32>
  %s = "tir.const"() {value = dense<0.5> : tensor<2x1x3xf32>} : () -> tensor<2x1x3xf32>
  %0 = "tir.nms"(%b, %s) {max_boxes = 3 : i32, iou_threshold = 0.0 : f32, score_threshold = 0.0 : f32, center_point_box = true} : (tensor<2x3x4xf32>, tensor<2x1x3xf32>) -> tensor<6x3xi64>
  %e = "tir.const"() {value = dense<[[0, 0, 0], [0, 0, 2], [1, 0, 0], [1, 0, 1], [1, 0, 2], [-1, -1, -1]]> : tensor<6x3xi64>} : () -> tensor<6x3xi64>
  return %0, %e : tensor<6x3xi64>, tensor<6x3xi64>
}

func.func @nms_none() -> (tensor<0x3xi64>, tensor<0x3xi64>) {
  %b = "tir.const"() {value = dense<0.0> : tensor<1x2x4xf32>} : () -> tensor<1x2x4xf32>
  %s = "tir.const"() {value = dense<0.5> : tensor<1x1x2xf32>} : () -> tensor<1x1x2xf32>
  %0 = "tir.nms"(%b, %s) {max_boxes = 0 : i32, iou_threshold = 0.0 : f32, score_threshold = 0.0 : f32} : (tensor<1x2x4xf32>, tensor<1x1x2xf32>) -> tensor<0x3xi64>
  %e = "tir.const"() {value = dense<0> : tensor<0x3xi64>} : () -> tensor<0x3xi64>
  return %0, %e : tensor<0x3xi64>, tensor<0x3xi64>
}

func.func @error_function() -> (tensor<6xf32>, tensor<6xf32>, tensor<3xf16>, tensor<3xf16>) {
  %x = "tir.const"() {value = dense<[0.0, 0.5, -1.0, 2.5, -7.0, 0x7F800000]> : tensor<6xf32>} : () -> tensor<6xf32>
  %h = "tir.const"() {value = dense<[0.25, -3.0, 100.0]> : tensor<3xf16>} : () -> tensor<3xf16>
  %0 = "tir.erf"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  %1 = "tir.erf"(%h) : (tensor<3xf16>) -> tensor<3xf16>
  %e0 = "tir.const"() {value = dense<[0.0, 0.520499878, -0.842700793, 0.999593048, -1.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %e1 = "tir.const"() {value = dense<[0.27637, -1.0, 1.0]> : tensor<3xf16>} : () -> tensor<3xf16>
  return %0, %e0, %1, %e1 : tensor<6xf32>, tensor<6xf32>, tensor<3xf16>, tensor<3xf16>
}

func.func @arc_tangent() -> (tensor<7xf32>, tensor<7xf32>, tensor<2xf16>, tensor<2xf16>) {
  %x = "tir.const"() {value = dense<[0.0, 0.5, -1.0, 2.5, -1.0e30, 1.0e-30, 0x7F800000]> : tensor<7xf32>} : () -> tensor<7xf32>
  %h = "tir.const"() {value = dense<[0.25, -3.0]> : tensor<2xf16>} : () -> tensor<2xf16>
  %0 = "tir.atan"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  %1 = "tir.atan"(%h) : (tensor<2xf16>) -> tensor<2xf16>
  %e0 = "tir.const"() {value = dense<[0.0, 0.463647604, -0.785398185, 1.19028997, -1.57079637, 1.0e-30, 1.57079637]> : tensor<7xf32>} : () -> tensor<7xf32>
  %e1 = "tir.const"() {value = dense<[0.244995117, -1.24902344]> : tensor<2xf16>} : () -> tensor<2xf16>
  return %0, %e0, %1, %e1 : tensor<7xf32>, tensor<7xf32>, tensor<2xf16>, tensor<2xf16>
}

// Angles: quarters, many turns, infinity, and a number without digits left.
func.func @angles() -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<2xf16>, tensor<2xf16>, tensor<2xi1>, tensor<2xi1>) {
  %x = "tir.const"() {value = dense<[0.0, 1.57079637, -3.14159274, 0.5, -1234.5, 1.0e6]> : tensor<6xf32>} : () -> tensor<6xf32>
  %h = "tir.const"() {value = dense<[0.25, -3.0]> : tensor<2xf16>} : () -> tensor<2xf16>
  %w = "tir.const"() {value = dense<[0x7F800000, 1.0e30]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.sin"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  %1 = "tir.cos"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  %2 = "tir.cos"(%h) : (tensor<2xf16>) -> tensor<2xf16>
  %3 = "tir.sin"(%w) : (tensor<2xf32>) -> tensor<2xf32>
  %one = "tir.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %4 = "tir.abs"(%3) : (tensor<2xf32>) -> tensor<2xf32>
  %5 = "tir.compare"(%4, %one) {predicate = "LE"} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  %e0 = "tir.const"() {value = dense<[0.0, 1.0, 8.74227766e-08, 0.47942555, -0.145395651, -0.349993497]> : tensor<6xf32>} : () -> tensor<6xf32>
  %e1 = "tir.const"() {value = dense<[1.0, -4.37113883e-08, -1.0, 0.87758255, -0.989373565, 0.936752141]> : tensor<6xf32>} : () -> tensor<6xf32>
  %e2 = "tir.const"() {value = dense<[0.96875, -0.990234375]> : tensor<2xf16>} : () -> tensor<2xf16>
  %e3 = "tir.const"() {value = dense<[false, true]> : tensor<2xi1>} : () -> tensor<2xi1>
  return %0, %e0, %1, %e1, %2, %e2, %5, %e3 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<2xf16>, tensor<2xf16>, tensor<2xi1>, tensor<2xi1>
}
