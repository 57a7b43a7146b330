// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize exact

// CHECK-LABEL: func.func @slice_one_input
// CHECK-NEXT: tir.strided_slice"(%arg1) {begin = [0 : i32, 1 : i32], end = [2 : i32, 4 : i32]
// CHECK-NEXT: return
func.func @slice_one_input(%x: tensor<2x3xf32>, %y: tensor<2x5xf32>) -> tensor<2x3xf32> {
  %a = "tir.concat"(%x, %y) {axis = -1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  %b = "tir.strided_slice"(%a) {begin = [0 : i32, 4 : i32], end = [2 : i32, 7 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x8xf32>) -> tensor<2x3xf32>
  return %b : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @slice_undoes_concat
// CHECK-NEXT: return %arg1
func.func @slice_undoes_concat(%x: tensor<2x3xi8>, %y: tensor<2x5xi8>) -> tensor<2x5xi8> {
  %a = "tir.concat-fix"(%x, %y) {axis = 1 : i32, input_fix_point = [2 : i32, 2 : i32], output_fix_point = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xi8>, tensor<2x5xi8>) -> tensor<2x8xi8>
  %b = "tir.strided_slice-fix"(%a) {begin = [0 : i32, 3 : i32], end = [2 : i32, 8 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x8xi8>) -> tensor<2x5xi8>
  return %b : tensor<2x5xi8>
}

// The concat rounds its inputs.
// CHECK-LABEL: func.func @slice_of_rescaled
// CHECK: tir.concat-fix
func.func @slice_of_rescaled(%x: tensor<2x3xi8>, %y: tensor<2x5xi8>) -> tensor<2x5xi8> {
  %a = "tir.concat-fix"(%x, %y) {axis = 1 : i32, input_fix_point = [2 : i32, 3 : i32], output_fix_point = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xi8>, tensor<2x5xi8>) -> tensor<2x8xi8>
  %b = "tir.strided_slice-fix"(%a) {begin = [0 : i32, 3 : i32], end = [2 : i32, 8 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x8xi8>) -> tensor<2x5xi8>
  return %b : tensor<2x5xi8>
}

// CHECK-LABEL: func.func @slice_two_inputs
// CHECK: tir.concat
// CHECK: tir.strided_slice
func.func @slice_two_inputs(%x: tensor<2x3xf32>, %y: tensor<2x5xf32>) -> tensor<2x4xf32> {
  %a = "tir.concat"(%x, %y) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  %b = "tir.strided_slice"(%a) {begin = [0 : i32, 2 : i32], end = [2 : i32, 6 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x8xf32>) -> tensor<2x4xf32>
  return %b : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @concats
// CHECK-NEXT: tir.concat-fix"(%arg0, %arg1, %arg0, %arg1) {axis = -1 : i32, input_fix_point = [4 : i32, 5 : i32, 5 : i32, 4 : i32]
// CHECK-NEXT: return
func.func @concats(%x: tensor<2x3xi8>, %y: tensor<2x5xi8>) -> tensor<2x16xi8> {
  %a = "tir.concat-fix"(%y, %x) {axis = 1 : i32, input_fix_point = [5 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x5xi8>, tensor<2x3xi8>) -> tensor<2x8xi8>
  %b = "tir.concat-fix"(%x, %a, %y) {axis = -1 : i32, input_fix_point = [4 : i32, 5 : i32, 4 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xi8>, tensor<2x8xi8>, tensor<2x5xi8>) -> tensor<2x16xi8>
  return %b : tensor<2x16xi8>
}

// CHECK-LABEL: func.func @concats_of_two_axes
// CHECK-COUNT-2: tir.concat
func.func @concats_of_two_axes(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<4x6xf32> {
  %a = "tir.concat"(%x, %x) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %b = "tir.concat"(%a, %y) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  return %b : tensor<4x6xf32>
}

// 15 inputs and 2 more for one of them are 16; with 16 there is no room.
// CHECK-LABEL: func.func @concats_to_sixteen
// CHECK-COUNT-1: tir.concat"
// CHECK-NEXT: return
func.func @concats_to_sixteen(%x: tensor<1xf32>) -> tensor<16xf32> {
  %a = "tir.concat"(%x, %x) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %b = "tir.concat"(%x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %a) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0>} : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2xf32>) -> tensor<16xf32>
  return %b : tensor<16xf32>
}
// CHECK-LABEL: func.func @concats_beyond_sixteen
// CHECK-COUNT-2: tir.concat"
func.func @concats_beyond_sixteen(%x: tensor<1xf32>) -> tensor<17xf32> {
  %a = "tir.concat"(%x, %x) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %b = "tir.concat"(%x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %a) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>} : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2xf32>) -> tensor<17xf32>
  return %b : tensor<17xf32>
}

// CHECK-LABEL: func.func @concat_of_halves
// CHECK-NEXT: return %arg0
func.func @concat_of_halves(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %a = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32], end = [2 : i32, 3 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x8xf32>) -> tensor<2x3xf32>
  %b = "tir.strided_slice"(%x) {begin = [0 : i32, 3 : i32], end = [2 : i32, 8 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x8xf32>) -> tensor<2x5xf32>
  %c = "tir.concat"(%a, %b) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  return %c : tensor<2x8xf32>
}

// The second half comes first; the other leaves a gap.
// CHECK-LABEL: func.func @concat_of_others
// CHECK-COUNT-4: tir.strided_slice
func.func @concat_of_others(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x7xf32>) {
  %a = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32], end = [2 : i32, 3 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x8xf32>) -> tensor<2x3xf32>
  %b = "tir.strided_slice"(%x) {begin = [0 : i32, 3 : i32], end = [2 : i32, 8 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x8xf32>) -> tensor<2x5xf32>
  %c = "tir.concat"(%b, %a) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x5xf32>, tensor<2x3xf32>) -> tensor<2x8xf32>
  %d = "tir.strided_slice"(%x) {begin = [1 : i32, 0 : i32], end = [2 : i32, 3 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x8xf32>) -> tensor<1x3xf32>
  %e = "tir.strided_slice"(%x) {begin = [1 : i32, 4 : i32], end = [2 : i32, 8 : i32], strides = [1 : i32, 1 : i32]} : (tensor<2x8xf32>) -> tensor<1x4xf32>
  %f = "tir.concat"(%d, %e) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3xf32>, tensor<1x4xf32>) -> tensor<1x7xf32>
  %g = "tir.concat"(%f, %f) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x7xf32>, tensor<1x7xf32>) -> tensor<2x7xf32>
  return %c, %g : tensor<2x8xf32>, tensor<2x7xf32>
}

// CHECK-LABEL: func.func @expand
// CHECK-NEXT: tir.sub"(%arg0, %arg1)
// CHECK-NEXT: return
func.func @expand(%x: tensor<2x3x4xf32>, %y: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %a = "tir.expand"(%y) {shape = [3 : i32, 4 : i32]} : (tensor<4xf32>) -> tensor<3x4xf32>
  %b = "tir.sub"(%x, %a) : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  return %b : tensor<2x3x4xf32>
}

// The expansion makes the result larger.
// CHECK-LABEL: func.func @expand_grows
// CHECK: tir.expand
func.func @expand_grows(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<3x4xf32> {
  %a = "tir.expand"(%y) {shape = [3 : i32, 4 : i32]} : (tensor<4xf32>) -> tensor<3x4xf32>
  %b = "tir.sub"(%x, %a) : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %b : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @transpose_expanded
// CHECK-NEXT: tir.reshape"(%arg1) {shape = [1 : i32, 1 : i32, 3 : i32]}
// CHECK-NEXT: tir.add
// CHECK-NEXT: return
func.func @transpose_expanded(%x: tensor<4x5x3xf32>, %y: tensor<3x1xf32>) -> tensor<4x5x3xf32> {
  %a = "tir.expand"(%y) {shape = [5 : i32, 3 : i32, 4 : i32]} : (tensor<3x1xf32>) -> tensor<5x3x4xf32>
  %b = "tir.transpose"(%a) {order = [2 : i32, 0 : i32, 1 : i32]} : (tensor<5x3x4xf32>) -> tensor<4x5x3xf32>
  %c = "tir.add"(%x, %b) : (tensor<4x5x3xf32>, tensor<4x5x3xf32>) -> tensor<4x5x3xf32>
  return %c : tensor<4x5x3xf32>
}

// Signals in three dimensions are images of one row; along each of their axes.
// CHECK-LABEL: func.func @concat_of_signals
// CHECK-NEXT: %[[C:.*]] = "tir.concat"(%arg0, %arg1) {axis = 3 : i32{{.*}} -> tensor<1x1x6x7xf32>
// CHECK-NEXT: %[[R:.*]] = "tir.reshape"(%[[C]]){{.*}} -> tensor<1x6x7xf32>
// CHECK-NEXT: %[[D:.*]] = "tir.concat"(%arg0, %arg0) {axis = 2 : i32{{.*}} -> tensor<1x1x12x4xf32>
// CHECK-NEXT: %[[E:.*]] = "tir.reshape"(%[[D]]){{.*}} -> tensor<1x12x4xf32>
func.func @concat_of_signals(%x: tensor<1x1x6x4xf32>, %y: tensor<1x1x6x3xf32>) -> (tensor<1x6x7xf32>, tensor<1x12x4xf32>) {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x1x6x4xf32>) -> tensor<1x6x4xf32>
  %b = "tir.reshape"(%y) {shape = [1 : i32, 6 : i32, 3 : i32]} : (tensor<1x1x6x3xf32>) -> tensor<1x6x3xf32>
  %c = "tir.concat"(%a, %b) {axis = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x6x4xf32>, tensor<1x6x3xf32>) -> tensor<1x6x7xf32>
  %d = "tir.concat"(%a, %a) {axis = -2 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x6x4xf32>, tensor<1x6x4xf32>) -> tensor<1x12x4xf32>
  return %c, %d : tensor<1x6x7xf32>, tensor<1x12x4xf32>
}

// Not of what has another row, or none.
// CHECK-LABEL: func.func @concat_of_signal_and_image
// CHECK: tir.concat"{{.*}} -> tensor<1x12x4xf32>
func.func @concat_of_signal_and_image(%x: tensor<1x1x6x4xf32>, %y: tensor<1x2x3x4xf32>) -> tensor<1x12x4xf32> {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x1x6x4xf32>) -> tensor<1x6x4xf32>
  %b = "tir.reshape"(%y) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x2x3x4xf32>) -> tensor<1x6x4xf32>
  %c = "tir.concat"(%a, %b) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x6x4xf32>, tensor<1x6x4xf32>) -> tensor<1x12x4xf32>
  return %c : tensor<1x12x4xf32>
}

// Rows of numbers, one of which was an image of one pixel, are such images.
// CHECK-LABEL: func.func @concat_of_rows
// CHECK-NEXT: %[[Y:.*]] = "tir.reshape"(%arg1){{.*}} -> tensor<2x1x1x3xf32>
// CHECK-NEXT: %[[C:.*]] = "tir.concat"(%arg0, %[[Y]]) {axis = 3 : i32{{.*}} -> tensor<2x1x1x7xf32>
// CHECK-NEXT: %[[R:.*]] = "tir.reshape"(%[[C]]){{.*}} -> tensor<2x7xf32>
// CHECK-NEXT: return %[[R]]
func.func @concat_of_rows(%x: tensor<2x1x1x4xf32>, %y: tensor<2x3xf32>) -> tensor<2x7xf32> {
  %a = "tir.reshape"(%x) {shape = [2 : i32, 4 : i32]} : (tensor<2x1x1x4xf32>) -> tensor<2x4xf32>
  %c = "tir.concat"(%a, %y) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<2x7xf32>
  return %c : tensor<2x7xf32>
}

// CHECK-LABEL: func.func @concat_of_fixed_rows
// CHECK: "tir.concat-fix"(%arg0, {{.*}}) {axis = 3 : i32, input_fix_point = [4 : i32, 5 : i32]{{.*}}, output_fix_point = 3 : i32} {{.*}} -> tensor<1x1x1x7xi8>
// CHECK-NEXT: "tir.reshape-fix"
func.func @concat_of_fixed_rows(%x: tensor<1x1x1x4xi8>, %y: tensor<1x3xi8>) -> tensor<1x7xi8> {
  %a = "tir.reshape-fix"(%x) {input_fix_point = 4 : i32, output_fix_point = 4 : i32, shape = [1 : i32, 4 : i32]} : (tensor<1x1x1x4xi8>) -> tensor<1x4xi8>
  %c = "tir.concat-fix"(%a, %y) {axis = 1 : i32, input_fix_point = [4 : i32, 5 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4xi8>, tensor<1x3xi8>) -> tensor<1x7xi8>
  return %c : tensor<1x7xi8>
}

// Not of images of more pixels, or one on top of the other.
// CHECK-LABEL: func.func @concat_of_other_rows
// CHECK: tir.concat"{{.*}} -> tensor<1x11xf32>
// CHECK: tir.concat"{{.*}} -> tensor<2x4xf32>
func.func @concat_of_other_rows(%x: tensor<1x2x1x4xf32>, %y: tensor<1x3xf32>, %z: tensor<1x1x1x4xf32>) -> (tensor<1x11xf32>, tensor<2x4xf32>) {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 8 : i32]} : (tensor<1x2x1x4xf32>) -> tensor<1x8xf32>
  %b = "tir.reshape"(%z) {shape = [1 : i32, 4 : i32]} : (tensor<1x1x1x4xf32>) -> tensor<1x4xf32>
  %c = "tir.concat"(%a, %y) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8xf32>, tensor<1x3xf32>) -> tensor<1x11xf32>
  %d = "tir.concat"(%b, %b) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return %c, %d : tensor<1x11xf32>, tensor<2x4xf32>
}
