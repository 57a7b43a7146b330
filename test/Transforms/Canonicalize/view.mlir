// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize exact

// Entries at equal distances, from the end, too; one entry takes its dimension
// away.
// CHECK-LABEL: func.func @gathers
// CHECK-NEXT: %[[A:.*]] = "tir.strided_slice"(%arg0) {begin = [0 : i32, 1 : i32, 0 : i32], end = [2 : i32, 6 : i32, 3 : i32], {{.*}}strides = [1 : i32, 2 : i32, 1 : i32]}
// CHECK-NEXT: %[[B:.*]] = "tir.strided_slice"(%arg0) {begin = [1 : i32, 0 : i32, 0 : i32], end = [2 : i32, 6 : i32, 3 : i32]
// CHECK-NEXT: %[[C:.*]] = "tir.reshape"(%[[B]]) {{.*}}shape = [6 : i32, 3 : i32]
// CHECK-NEXT: return %[[A]], %[[C]]
func.func @gathers(%x: tensor<2x6x3xf32>) -> (tensor<2x3x3xf32>, tensor<6x3xf32>) {
  %i = "tir.const"() {value = dense<[1, -3, 5]> : tensor<3xi64>} : () -> tensor<3xi64>
  %j = "tir.const"() {value = dense<-1> : tensor<i64>} : () -> tensor<i64>
  %a = "tir.gather"(%x, %i) {axis = 1 : i32} : (tensor<2x6x3xf32>, tensor<3xi64>) -> tensor<2x3x3xf32>
  %b = "tir.gather"(%x, %j) {axis = 0 : i32} : (tensor<2x6x3xf32>, tensor<i64>) -> tensor<6x3xf32>
  return %a, %b : tensor<2x3x3xf32>, tensor<6x3xf32>
}

// Unequal distances, backwards.
// CHECK-LABEL: func.func @real_gathers
// CHECK-COUNT-2: tir.gather
func.func @real_gathers(%x: tensor<2x6x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x2x3xf32>) {
  %i = "tir.const"() {value = dense<[1, 2, 5]> : tensor<3xi64>} : () -> tensor<3xi64>
  %j = "tir.const"() {value = dense<[3, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %a = "tir.gather"(%x, %i) {axis = 1 : i32} : (tensor<2x6x3xf32>, tensor<3xi64>) -> tensor<2x3x3xf32>
  %b = "tir.gather"(%x, %j) {axis = 1 : i32} : (tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<2x2x3xf32>
  return %a, %b : tensor<2x3x3xf32>, tensor<2x2x3xf32>
}

// CHECK-LABEL: func.func @slice_before_transpose
// CHECK-NEXT: %[[S:.*]] = "tir.strided_slice"(%arg0) {begin = [0 : i32, 1 : i32, 0 : i32, 3 : i32], end = [1 : i32, 2 : i32, 5 : i32, 8 : i32], {{.*}}strides = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}
// CHECK-NEXT: tir.transpose"(%[[S]]) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]}
func.func @slice_before_transpose(%x: tensor<1x4x5x8xf32>) -> tensor<1x3x1x5xf32> {
  %a = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x5x8xf32>) -> tensor<1x8x4x5xf32>
  %b = "tir.strided_slice"(%a) {begin = [0 : i32, 3 : i32, 1 : i32, 0 : i32], end = [1 : i32, 8 : i32, 2 : i32, 5 : i32], strides = [1 : i32, 2 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x4x5xf32>) -> tensor<1x3x1x5xf32>
  return %b : tensor<1x3x1x5xf32>
}

// The second of two parts of a dimension: every third entry. The first: a block.
// CHECK-LABEL: func.func @slice_before_reshape
// CHECK-NEXT: "tir.strided_slice"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 2 : i32], end = [1 : i32, 2 : i32, 2 : i32, 12 : i32], {{.*}}strides = [1 : i32, 1 : i32, 1 : i32, 3 : i32]}
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: "tir.strided_slice"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 6 : i32], end = [1 : i32, 2 : i32, 2 : i32, 12 : i32]
// CHECK-NEXT: tir.reshape
func.func @slice_before_reshape(%x: tensor<1x2x2x12xf32>) -> (tensor<4x4x1xf32>, tensor<4x2x3xf32>) {
  %a = "tir.reshape"(%x) {shape = [4 : i32, 4 : i32, 3 : i32]} : (tensor<1x2x2x12xf32>) -> tensor<4x4x3xf32>
  %b = "tir.strided_slice"(%a) {begin = [0 : i32, 0 : i32, 2 : i32], end = [4 : i32, 4 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32]} : (tensor<4x4x3xf32>) -> tensor<4x4x1xf32>
  %c = "tir.strided_slice"(%a) {begin = [0 : i32, 2 : i32, 0 : i32], end = [4 : i32, 4 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32]} : (tensor<4x4x3xf32>) -> tensor<4x2x3xf32>
  return %b, %c : tensor<4x4x1xf32>, tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @slice_before_ones
// CHECK-NEXT: "tir.strided_slice"(%arg0) {begin = [0 : i32, 1 : i32, 0 : i32], end = [1 : i32, 2 : i32, 1 : i32], {{.*}}strides = [1 : i32, 1 : i32, 1 : i32]}
// CHECK-NEXT: tir.reshape
func.func @slice_before_ones(%x: tensor<1x2x1xf32>) -> tensor<1x1xf32> {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 2 : i32]} : (tensor<1x2x1xf32>) -> tensor<1x2xf32>
  %b = "tir.strided_slice"(%a) {begin = [0 : i32, 1 : i32], end = [1 : i32, 2 : i32], strides = [1 : i32, 1 : i32]} : (tensor<1x2xf32>) -> tensor<1x1xf32>
  return %b : tensor<1x1xf32>
}

// No slice of one dimension: two entries of three, of each of four; and one of
// dimensions that were joined.
// CHECK-LABEL: func.func @slice_stays
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: tir.strided_slice
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: tir.strided_slice
func.func @slice_stays(%x: tensor<1x2x2x12xf32>) -> (tensor<4x4x2xf32>, tensor<3x12xf32>) {
  %a = "tir.reshape"(%x) {shape = [4 : i32, 4 : i32, 3 : i32]} : (tensor<1x2x2x12xf32>) -> tensor<4x4x3xf32>
  %b = "tir.strided_slice"(%a) {begin = [0 : i32, 0 : i32, 0 : i32], end = [4 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32]} : (tensor<4x4x3xf32>) -> tensor<4x4x2xf32>
  %c = "tir.reshape"(%x) {shape = [4 : i32, 12 : i32]} : (tensor<1x2x2x12xf32>) -> tensor<4x12xf32>
  %d = "tir.strided_slice"(%c) {begin = [1 : i32, 0 : i32], end = [4 : i32, 12 : i32], strides = [1 : i32, 1 : i32]} : (tensor<4x12xf32>) -> tensor<3x12xf32>
  return %b, %d : tensor<4x4x2xf32>, tensor<3x12xf32>
}

// CHECK-LABEL: func.func @pad_before_transpose
// CHECK-NEXT: %[[P:.*]] = "tir.pad"(%arg0) {{.*}}paddings = [0 : i32, 0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32]
// CHECK-NEXT: tir.transpose"(%[[P]])
func.func @pad_before_transpose(%x: tensor<1x4x5x8xf32>) -> tensor<1x19x7x12xf32> {
  %a = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x5x8xf32>) -> tensor<1x8x4x5xf32>
  %b = "tir.pad"(%a) {constant_value = 2.0 : f32, paddings = [0 : i32, 0 : i32, 5 : i32, 6 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32]} : (tensor<1x8x4x5xf32>) -> tensor<1x19x7x12xf32>
  return %b : tensor<1x19x7x12xf32>
}

// Rows and columns of an image that is NCHW first: as those of NHWC, whatever stands
// where. A pad of channels stays where it is.
// CHECK-LABEL: func.func @transpose_before_pad
// CHECK-NEXT: %[[T:.*]] = "tir.transpose-fix"(%arg0)
// CHECK-NEXT: %[[P:.*]] = "tir.pad-fix"(%[[T]]) {{.*}}paddings = [0 : i32, 0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 0 : i32, 0 : i32]
// CHECK-NEXT: %[[U:.*]] = "tir.transpose"(%arg1)
// CHECK-NEXT: %[[Q:.*]] = "tir.pad"(%[[U]]) {{.*}}paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]
// CHECK-NEXT: %[[C:.*]] = "tir.pad"(%arg1)
// CHECK-NEXT: %[[V:.*]] = "tir.transpose"(%[[C]])
// CHECK-NEXT: return %[[P]], %[[Q]], %[[V]]
func.func @transpose_before_pad(%q: tensor<1x8x4x5xi8>, %x: tensor<1x8x4x5xf32>) -> (tensor<1x7x12x8xi8>, tensor<1x6x7x8xf32>, tensor<1x4x5x9xf32>) {
  %a = "tir.pad-fix"(%q) {mode = "EDGE", paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32]} : (tensor<1x8x4x5xi8>) -> tensor<1x8x7x12xi8>
  %b = "tir.transpose-fix"(%a) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x8x7x12xi8>) -> tensor<1x7x12x8xi8>
  %c = "tir.transpose"(%x) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x8x4x5xf32>) -> tensor<1x4x5x8xf32>
  %d = "tir.pad"(%c) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x4x5x8xf32>) -> tensor<1x6x7x8xf32>
  %e = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x8x4x5xf32>) -> tensor<1x9x4x5xf32>
  %f = "tir.transpose"(%e) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x9x4x5xf32>) -> tensor<1x4x5x9xf32>
  return %b, %d, %f : tensor<1x7x12x8xi8>, tensor<1x6x7x8xf32>, tensor<1x4x5x9xf32>
}

// Rows of an image that the reshape makes, and columns.
// CHECK-LABEL: func.func @reshape_before_pad
// CHECK: %[[A:.*]] = "tir.reshape"(%arg0) {shape = [1 : i32, 1 : i32, 5 : i32, 4 : i32]}
// CHECK: "tir.pad"(%[[A]]) {mode = "REFLECT", paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 2 : i32, 1 : i32, 0 : i32, 0 : i32]}
// CHECK: %[[B:.*]] = "tir.reshape-fix"(%arg1) {{.*}}shape = [1 : i32, 5 : i32, 4 : i32, 1 : i32]}
// CHECK: "tir.pad-fix"(%[[B]]) {constant_value = 3 : i32,{{.*}} paddings = [0 : i32, 0 : i32, 2 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32]}
func.func @reshape_before_pad(%x: tensor<1x5x4xf32>, %q: tensor<5x4xi8>) -> (tensor<1x1x8x4xf32>, tensor<1x7x5x1xi8>) {
  %a = "tir.pad"(%x) {mode = "REFLECT", paddings = [0 : i32, 0 : i32, 2 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x4xf32>) -> tensor<1x8x4xf32>
  %b = "tir.reshape"(%a) {shape = [1 : i32, 1 : i32, 8 : i32, 4 : i32]} : (tensor<1x8x4xf32>) -> tensor<1x1x8x4xf32>
  %c = "tir.pad-fix"(%q) {constant_value = 3 : i32, paddings = [2 : i32, 0 : i32, 0 : i32, 1 : i32]} : (tensor<5x4xi8>) -> tensor<7x5xi8>
  %d = "tir.reshape-fix"(%c) {shape = [1 : i32, 7 : i32, 5 : i32, 1 : i32]} : (tensor<7x5xi8>) -> tensor<1x7x5x1xi8>
  return %b, %d : tensor<1x1x8x4xf32>, tensor<1x7x5x1xi8>
}

// What is padded is split, or joined; two read it; rescaled.
// CHECK-LABEL: func.func @reshape_after_pad
// CHECK-COUNT-4: "tir.pad{{(-fix)?}}"(%arg
func.func @reshape_after_pad(%x: tensor<1x5x4xf32>, %q: tensor<5x4xi8>) -> (tensor<1x4x2x4xf32>, tensor<1x1x24x1xf32>, tensor<1x1x6x4xf32>, tensor<1x6x4xf32>, tensor<1x1x6x4xi8>) {
  %a = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 2 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x4xf32>) -> tensor<1x8x4xf32>
  %b = "tir.reshape"(%a) {shape = [1 : i32, 4 : i32, 2 : i32, 4 : i32]} : (tensor<1x8x4xf32>) -> tensor<1x4x2x4xf32>
  %c = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x4xf32>) -> tensor<1x6x4xf32>
  %d = "tir.reshape"(%c) {shape = [1 : i32, 1 : i32, 24 : i32, 1 : i32]} : (tensor<1x6x4xf32>) -> tensor<1x1x24x1xf32>
  %g = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x4xf32>) -> tensor<1x6x4xf32>
  %h = "tir.reshape"(%g) {shape = [1 : i32, 1 : i32, 6 : i32, 4 : i32]} : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
  %i = "tir.pad-fix"(%q) {paddings = [0 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<5x4xi8>) -> tensor<6x4xi8>
  %j = "tir.reshape-fix"(%i) {shape = [1 : i32, 1 : i32, 6 : i32, 4 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<6x4xi8>) -> tensor<1x1x6x4xi8>
  return %b, %d, %h, %g, %j : tensor<1x4x2x4xf32>, tensor<1x1x24x1xf32>, tensor<1x1x6x4xf32>, tensor<1x6x4xf32>, tensor<1x1x6x4xi8>
}

// CHECK-LABEL: func.func @concat_of_transposes
// CHECK-NEXT: %[[C:.*]] = "tir.concat"(%arg0, %arg1) {axis = 3 : i32
// CHECK-NEXT: %[[T:.*]] = "tir.transpose"(%[[C]]) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]}
// CHECK-NEXT: %[[Q:.*]] = "tir.concat-fix"(%arg2, %arg3) {axis = 1 : i32, input_fix_point = [4 : i32, 4 : i32], {{.*}}output_fix_point = 4
// CHECK-NEXT: %[[R:.*]] = "tir.transpose-fix"(%[[Q]]) {
// CHECK-NEXT: return %[[T]], %[[R]]
func.func @concat_of_transposes(%x: tensor<1x4x5x8xf32>, %y: tensor<1x4x5x2xf32>, %q: tensor<2x3xi8>, %p: tensor<2x3xi8>) -> (tensor<1x10x4x5xf32>, tensor<6x2xi8>) {
  %a = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x5x8xf32>) -> tensor<1x8x4x5xf32>
  %b = "tir.transpose"(%y) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x5x2xf32>) -> tensor<1x2x4x5xf32>
  %c = "tir.concat"(%a, %b) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x4x5xf32>, tensor<1x2x4x5xf32>) -> tensor<1x10x4x5xf32>
  %d = "tir.transpose-fix"(%q) {order = [1 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32, op_name = "d"} : (tensor<2x3xi8>) -> tensor<3x2xi8>
  %e = "tir.transpose-fix"(%p) {order = [1 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32, op_name = "e"} : (tensor<2x3xi8>) -> tensor<3x2xi8>
  %f = "tir.concat-fix"(%d, %e) {axis = 0 : i32, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<3x2xi8>, tensor<3x2xi8>) -> tensor<6x2xi8>
  return %c, %f : tensor<1x10x4x5xf32>, tensor<6x2xi8>
}

// Constants are transposed once and for all, so that they do not keep one.
// CHECK-LABEL: func.func @concat_with_constants
// CHECK-NEXT: %[[V:.*]] = "tir.const"() {value = dense<{{\[\[\[\[}}0.000000e+00], [1.000000e+00], [2.000000e+00]], {{\[\[}}3.000000e+00], [4.000000e+00], [5.000000e+00{{.*}} : tensor<1x2x3x1xf32>}
// CHECK-NEXT: %[[C:.*]] = "tir.concat"(%[[V]], %arg0) {axis = 3 : i32
// CHECK-NEXT: return %[[C]]
func.func @concat_with_constants(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x5xf32> {
  %v = "tir.const"() {value = dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]]]> : tensor<1x1x2x3xf32>} : () -> tensor<1x1x2x3xf32>
  %a = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x2x3x4xf32>) -> tensor<1x4x2x3xf32>
  %c = "tir.concat"(%v, %a) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x1x2x3xf32>, tensor<1x4x2x3xf32>) -> tensor<1x5x2x3xf32>
  %d = "tir.transpose"(%c) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x5x2x3xf32>) -> tensor<1x2x3x5xf32>
  return %d : tensor<1x2x3x5xf32>
}

// Other orders; a transpose that somebody else reads, too.
// CHECK-LABEL: func.func @unlike_transposes
// CHECK-NEXT: tir.transpose
// CHECK-NEXT: tir.transpose
// CHECK-NEXT: tir.concat
// CHECK-NEXT: tir.pad
func.func @unlike_transposes(%x: tensor<1x4x4x8xf32>, %y: tensor<1x4x4x2xf32>) -> (tensor<1x10x4x4xf32>, tensor<1x10x4x4xf32>) {
  %a = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
  %b = "tir.transpose"(%y) {order = [0 : i32, 3 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x2x4x4xf32>
  %c = "tir.concat"(%a, %b) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x10x4x4xf32>
  %d = "tir.pad"(%a) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x8x4x4xf32>) -> tensor<1x10x4x4xf32>
  return %c, %d : tensor<1x10x4x4xf32>, tensor<1x10x4x4xf32>
}

// To NCHW, split, one half in front, and back: the transposes meet.
// CHECK-LABEL: func.func @halves
// CHECK-NEXT: %[[S:.*]] = "tir.strided_slice"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 4 : i32, 5 : i32, 8 : i32], {{.*}}strides = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}
// CHECK-NEXT: return %[[S]]
func.func @halves(%x: tensor<1x4x5x8xf32>) -> tensor<1x4x5x4xf32> {
  %i = "tir.const"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %a = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x5x8xf32>) -> tensor<1x8x4x5xf32>
  %b = "tir.reshape"(%a) {shape = [4 : i32, 2 : i32, 20 : i32]} : (tensor<1x8x4x5xf32>) -> tensor<4x2x20xf32>
  %c = "tir.transpose"(%b) {order = [1 : i32, 0 : i32, 2 : i32]} : (tensor<4x2x20xf32>) -> tensor<2x4x20xf32>
  %d = "tir.reshape"(%c) {shape = [2 : i32, 1 : i32, 4 : i32, 4 : i32, 5 : i32]} : (tensor<2x4x20xf32>) -> tensor<2x1x4x4x5xf32>
  %e = "tir.gather"(%d, %i) {axis = 0 : i32} : (tensor<2x1x4x4x5xf32>, tensor<i64>) -> tensor<1x4x4x5xf32>
  %f = "tir.transpose"(%e) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x4x4x5xf32>) -> tensor<1x4x5x4xf32>
  return %f : tensor<1x4x5x4xf32>
}

// Ones move freely; one transpose of three movements is left, with its own
// dimensions.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[T:.*]] = "tir.transpose"(%arg0) {{.*}}order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]
// CHECK-NEXT: %[[R:.*]] = "tir.reshape"(%arg0) {{.*}}shape = [8 : i32, 3 : i32]
// CHECK-NEXT: return %[[T]], %[[R]]
func.func @chain(%x: tensor<1x2x4x3xf32>) -> (tensor<1x3x2x4xf32>, tensor<8x3xf32>) {
  %a = "tir.reshape"(%x) {shape = [2 : i32, 4 : i32, 1 : i32, 3 : i32, 1 : i32]} : (tensor<1x2x4x3xf32>) -> tensor<2x4x1x3x1xf32>
  %b = "tir.transpose"(%a) {order = [2 : i32, 4 : i32, 3 : i32, 0 : i32, 1 : i32]} : (tensor<2x4x1x3x1xf32>) -> tensor<1x1x3x2x4xf32>
  %c = "tir.reshape"(%b) {shape = [1 : i32, 3 : i32, 2 : i32, 4 : i32]} : (tensor<1x1x3x2x4xf32>) -> tensor<1x3x2x4xf32>
  %d = "tir.transpose"(%b) {order = [0 : i32, 1 : i32, 3 : i32, 4 : i32, 2 : i32]} : (tensor<1x1x3x2x4xf32>) -> tensor<1x1x2x4x3xf32>
  %e = "tir.reshape"(%d) {shape = [8 : i32, 3 : i32]} : (tensor<1x1x2x4x3xf32>) -> tensor<8x3xf32>
  return %c, %e : tensor<1x3x2x4xf32>, tensor<8x3xf32>
}

// A shuffle takes all three, and so does a movement that rounds.
// CHECK-LABEL: func.func @no_shorter
// CHECK-COUNT-3: tir.{{reshape|transpose}}"
// CHECK-COUNT-3: tir.{{reshape|transpose}}-fix"
func.func @no_shorter(%x: tensor<1x2x2x6xf32>, %q: tensor<1x2x4x3xi8>) -> (tensor<1x2x2x6xf32>, tensor<1x3x2x4xi8>) {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 2 : i32, 2 : i32, 2 : i32, 3 : i32]} : (tensor<1x2x2x6xf32>) -> tensor<1x2x2x2x3xf32>
  %b = "tir.transpose"(%a) {order = [0 : i32, 1 : i32, 2 : i32, 4 : i32, 3 : i32]} : (tensor<1x2x2x2x3xf32>) -> tensor<1x2x2x3x2xf32>
  %c = "tir.reshape"(%b) {shape = [1 : i32, 2 : i32, 2 : i32, 6 : i32]} : (tensor<1x2x2x3x2xf32>) -> tensor<1x2x2x6xf32>
  %d = "tir.reshape-fix"(%q) {shape = [2 : i32, 4 : i32, 1 : i32, 3 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x2x4x3xi8>) -> tensor<2x4x1x3xi8>
  %e = "tir.transpose-fix"(%d) {order = [2 : i32, 3 : i32, 0 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<2x4x1x3xi8>) -> tensor<1x3x2x4xi8>
  %f = "tir.reshape-fix"(%e) {shape = [1 : i32, 3 : i32, 2 : i32, 4 : i32], input_fix_point = 3 : i32, output_fix_point = 2 : i32} : (tensor<1x3x2x4xi8>) -> tensor<1x3x2x4xi8>
  return %c, %f : tensor<1x2x2x6xf32>, tensor<1x3x2x4xi8>
}

// A concat of one transpose twice.
// CHECK-LABEL: func.func @concat_of_one
// CHECK-NEXT: "tir.concat"(%arg0, %arg0) {axis = 3 : i32
// CHECK-NEXT: return
func.func @concat_of_one(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x8xf32> {
  %0 = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x2x3x4xf32>) -> tensor<1x4x2x3xf32>
  %1 = "tir.concat"(%0, %0) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x2x3xf32>, tensor<1x4x2x3xf32>) -> tensor<1x8x2x3xf32>
  %2 = "tir.transpose"(%1) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x8x2x3xf32>) -> tensor<1x2x3x8xf32>
  return %2 : tensor<1x2x3x8xf32>
}

// Not where something else reads it in its order.
// CHECK-LABEL: func.func @concat_of_one_beside
// CHECK-NEXT: tir.transpose
// CHECK-NEXT: "tir.concat"(%{{.*}}) {axis = 1 : i32
func.func @concat_of_one_beside(%x: tensor<1x2x3x4xf32>) -> (tensor<1x8x2x3xf32>, tensor<1x4x2x3xf32>) {
  %0 = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x2x3x4xf32>) -> tensor<1x4x2x3xf32>
  %1 = "tir.concat"(%0, %0) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x2x3xf32>, tensor<1x4x2x3xf32>) -> tensor<1x8x2x3xf32>
  return %1, %0 : tensor<1x8x2x3xf32>, tensor<1x4x2x3xf32>
}
