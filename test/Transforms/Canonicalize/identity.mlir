// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize exact

// CHECK-LABEL: func.func @add_zero
// CHECK-NEXT: return %arg0
func.func @add_zero(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  %c = "tir.const"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "tir.add"(%x, %c) : (tensor<1x2x2x4xf32>, tensor<4xf32>) -> tensor<1x2x2x4xf32>
  %z = "tir.sub"(%y, %c) : (tensor<1x2x2x4xf32>, tensor<4xf32>) -> tensor<1x2x2x4xf32>
  return %z : tensor<1x2x2x4xf32>
}

// The zero on the left is what the difference is taken from.
// CHECK-LABEL: func.func @zero_minus
// CHECK: tir.sub
func.func @zero_minus(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = "tir.const"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %y = "tir.sub"(%c, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @mul_one
// CHECK-NEXT: return %arg0
func.func @mul_one(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  %c = "tir.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %y = "tir.mul"(%c, %x) : (tensor<f32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %z = "tir.div"(%y, %c) : (tensor<1x2x2x4xf32>, tensor<f32>) -> tensor<1x2x2x4xf32>
  %w = "tir.pow"(%z, %c) : (tensor<1x2x2x4xf32>, tensor<f32>) -> tensor<1x2x2x4xf32>
  return %w : tensor<1x2x2x4xf32>
}

// Broadcasting makes the result larger.
// CHECK-LABEL: func.func @mul_one_grows
// CHECK: tir.mul
func.func @mul_one_grows(%x: tensor<4xf32>) -> tensor<2x4xf32> {
  %c = "tir.const"() {value = dense<1.0> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
  %y = "tir.mul"(%x, %c) : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @moves
// CHECK-NEXT: return %arg0
func.func @moves(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %a = "tir.reshape"(%x) {shape = [1 : i32, -1 : i32, 4 : i32, 4 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %b = "tir.transpose"(%a) {order = [0 : i32, 1 : i32, 2 : i32, 3 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c = "tir.strided_slice"(%b) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 9 : i32, 4 : i32], strides = [2 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %d = "tir.pad"(%c) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %e = "tir.cast"(%d) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %f = "tir.pixel-shuffle"(%e) {scale = 1 : i32} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %g = "tir.reorg"(%f) {scale = 1 : i32} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %h = "tir.gstiling"(%g) {stride = 1 : i32} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %i = "tir.space-to-batch"(%h) {block_shape = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %j = "tir.batch-to-space"(%i) {block_shape = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %k = "tir.expand"(%j) {shape = [1 : i32, 4 : i32, 4 : i32, 4 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %l = "tir.resize"(%k) {size = [4 : i32, 4 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %m = "tir.concat"(%l) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %m : tensor<1x4x4x4xf32>
}

// Each keeps the shape and moves something.
// CHECK-LABEL: func.func @moves_that_move
// CHECK: tir.transpose
// CHECK: tir.strided_slice
// CHECK: tir.space-to-batch
// CHECK: tir.pad
// CHECK: tir.resize
func.func @moves_that_move(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %b = "tir.transpose"(%x) {order = [0 : i32, 2 : i32, 1 : i32, 3 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c = "tir.strided_slice"(%b) {begin = [0 : i32, -1 : i32, 0 : i32, 0 : i32], end = [1 : i32, -2147483648 : i32, 4 : i32, 4 : i32], strides = [1 : i32, -1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %d = "tir.space-to-batch"(%c) {block_shape = [2 : i32, 2 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<4x2x2x4xf32>
  %e = "tir.batch-to-space"(%d) {block_shape = [2 : i32, 2 : i32]} : (tensor<4x2x2x4xf32>) -> tensor<1x4x4x4xf32>
  %f = "tir.pad"(%e) {paddings = [0 : i32, 0 : i32, 1 : i32, -1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %g = "tir.resize"(%f) {size = [4 : i32, 4 : i32], scale = [2.0 : f32, 1.0 : f32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %g : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @fix_moves
// CHECK-NEXT: return %arg0
func.func @fix_moves(%x: tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8> {
  %a = "tir.reshape-fix"(%x) {shape = [1 : i32, 4 : i32, 4 : i32, 4 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %b = "tir.upsample-fix"(%a) {scale = [1 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %c = "tir.downsample-fix"(%b) {scale = [1 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %d = "tir.pool-fix"(%c) {type = "AVG", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %e = "tir.concat-fix"(%d) {axis = 3 : i32, input_fix_point = [3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  return %e : tensor<1x4x4x4xi8>
}

// Another fix point is another number.
// CHECK-LABEL: func.func @fix_rescales
// CHECK: tir.reshape-fix
// CHECK: tir.concat-fix
// CHECK: tir.pool-fix
func.func @fix_rescales(%x: tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8> {
  %a = "tir.reshape-fix"(%x) {shape = [1 : i32, 4 : i32, 4 : i32, 4 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %b = "tir.concat-fix"(%a) {axis = 3 : i32, input_fix_point = [3 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %c = "tir.pool-fix"(%b) {type = "MAX", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  return %c : tensor<1x4x4x4xi8>
}

// CHECK-LABEL: func.func @windows
// CHECK-NEXT: return %arg0
func.func @windows(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %a = "tir.maxpool2d"(%x) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %b = "tir.avgpool2d"(%a) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %b : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @window_that_moves
// CHECK: tir.maxpool2d
func.func @window_that_moves(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %a = "tir.maxpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %a : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @reductions
// CHECK-NEXT: tir.reshape"(%arg0) {shape = [2 : i32, 5 : i32]}
// CHECK-NEXT: return
func.func @reductions(%x: tensor<2x1x5x1xf32>) -> tensor<2x5xf32> {
  %a = "tir.reduction_sum"(%x) {axis = [1 : i32], keep_dims = true} : (tensor<2x1x5x1xf32>) -> tensor<2x1x5x1xf32>
  %b = "tir.reduction_mean"(%a) {axis = [1 : i32, -1 : i32]} : (tensor<2x1x5x1xf32>) -> tensor<2x5xf32>
  %c = "tir.reduction_max"(%b) {axis = []} : (tensor<2x5xf32>) -> tensor<2x5xf32>
  return %c : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @reduction_of_five
// CHECK: tir.reduction_sum
func.func @reduction_of_five(%x: tensor<2x1x5xf32>) -> tensor<2xf32> {
  %a = "tir.reduction_sum"(%x) {axis = [1 : i32, 2 : i32]} : (tensor<2x1x5xf32>) -> tensor<2xf32>
  return %a : tensor<2xf32>
}

// A cast to a type that holds all numbers, and back, is none.
// CHECK-LABEL: func.func @cast_and_back
// CHECK-NEXT: "tir.cast"(%arg0) : (tensor<2xf32>) -> tensor<2xf16>
// CHECK-NEXT: "tir.cast"
// CHECK-NEXT: return %arg0, %{{.*}}
func.func @cast_and_back(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = "tir.cast"(%x) : (tensor<2xf32>) -> tensor<2xf64>
  %1 = "tir.cast"(%0) : (tensor<2xf64>) -> tensor<2xf32>
  %2 = "tir.cast"(%x) : (tensor<2xf32>) -> tensor<2xf16>
  %3 = "tir.cast"(%2) : (tensor<2xf16>) -> tensor<2xf32>
  return %1, %3 : tensor<2xf32>, tensor<2xf32>
}
