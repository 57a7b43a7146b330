// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// The mean over H and W as TResNet has it.
// CHECK-LABEL: func.func @flat_mean
// CHECK-NEXT: %[[M:.*]] = "tir.reduction_mean"(%arg0) {axis = [1 : i32, 2 : i32], keep_dims = true}
// CHECK-NEXT: tir.reshape"(%[[M]]) {shape = [1 : i32, 3 : i32]}
// CHECK-NEXT: return
func.func @flat_mean(%x: tensor<1x4x5x3xf32>) -> tensor<1x3xf32> {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 20 : i32, 3 : i32]} : (tensor<1x4x5x3xf32>) -> tensor<1x20x3xf32>
  %b = "tir.reduction_mean"(%a) {axis = [1 : i32], keep_dims = false} : (tensor<1x20x3xf32>) -> tensor<1x3xf32>
  return %b : tensor<1x3xf32>
}

// CHECK-LABEL: func.func @flat_max_fix
// CHECK-NEXT: tir.reduction_max-fix"(%arg0) {axis = [2 : i32, 3 : i32], keep_dims = true
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: return
func.func @flat_max_fix(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x1xi8> {
  %a = "tir.reshape-fix"(%x) {shape = [2 : i32, 3 : i32, 20 : i32]} : (tensor<2x3x4x5xi8>) -> tensor<2x3x20xi8>
  %b = "tir.reduction_max-fix"(%a) {axis = [-1 : i32], keep_dims = true} : (tensor<2x3x20xi8>) -> tensor<2x3x1xi8>
  return %b : tensor<2x3x1xi8>
}

// Half of what was merged.
// CHECK-LABEL: func.func @flat_not
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: tir.reduction_mean
// CHECK-NEXT: tir.strided_slice
// CHECK-NEXT: return
func.func @flat_not(%x: tensor<1x4x5x3xf32>) -> tensor<1x5x3xf32> {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 2 : i32, 10 : i32, 3 : i32]} : (tensor<1x4x5x3xf32>) -> tensor<1x2x10x3xf32>
  %b = "tir.reduction_mean"(%a) {axis = [1 : i32], keep_dims = false} : (tensor<1x2x10x3xf32>) -> tensor<1x10x3xf32>
  %c = "tir.strided_slice"(%b) {begin = [0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 5 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32]} : (tensor<1x10x3xf32>) -> tensor<1x5x3xf32>
  return %c : tensor<1x5x3xf32>
}

// Nothing merged, but an image: a pool of one row, a sum of its channels.
// CHECK-LABEL: func.func @signal
// CHECK-NEXT: %[[A:.*]] = "tir.reduction_mean"(%arg0) {axis = [2 : i32], keep_dims = true}
// CHECK-NEXT: %[[B:.*]] = "tir.reshape"(%[[A]]) {shape = [1 : i32, 3 : i32]}
// CHECK-NEXT: %[[C:.*]] = "tir.reduction_mean"(%arg1) {axis = [3 : i32], keep_dims = true}
// CHECK-NEXT: %[[D:.*]] = "tir.reshape"(%[[C]]) {shape = [1 : i32, 20 : i32]}
// CHECK-NEXT: return %[[B]], %[[D]]
func.func @signal(%x: tensor<1x1x5x3xf32>, %y: tensor<1x4x5x3xf32>) -> (tensor<1x3xf32>, tensor<1x20xf32>) {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 5 : i32, 3 : i32]} : (tensor<1x1x5x3xf32>) -> tensor<1x5x3xf32>
  %b = "tir.reduction_mean"(%a) {axis = [1 : i32], keep_dims = false} : (tensor<1x5x3xf32>) -> tensor<1x3xf32>
  %c = "tir.reshape"(%y) {shape = [1 : i32, 20 : i32, 3 : i32]} : (tensor<1x4x5x3xf32>) -> tensor<1x20x3xf32>
  %d = "tir.reduction_mean"(%c) {axis = [2 : i32], keep_dims = false} : (tensor<1x20x3xf32>) -> tensor<1x20xf32>
  return %b, %d : tensor<1x3xf32>, tensor<1x20xf32>
}

// An image that is NCHW where its mean is taken, with and without dimensions of
// one element.
// CHECK-LABEL: func.func @mean_of_transpose
// CHECK-NEXT: %[[A:.*]] = "tir.reduction_mean"(%arg0) {axis = [1 : i32, 2 : i32], keep_dims = true}
// CHECK-NEXT: %[[B:.*]] = "tir.reshape"(%[[A]]) {shape = [2 : i32, 3 : i32, 1 : i32, 1 : i32]}
// CHECK-NEXT: %[[C:.*]] = "tir.reshape"(%[[A]]) {shape = [2 : i32, 3 : i32]}
// CHECK-NEXT: return %[[B]], %[[C]]
func.func @mean_of_transpose(%x: tensor<2x4x5x3xf32>) -> (tensor<2x3x1x1xf32>, tensor<2x3xf32>) {
  %a = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<2x4x5x3xf32>) -> tensor<2x3x4x5xf32>
  %b = "tir.reduction_mean"(%a) {axis = [2 : i32, 3 : i32], keep_dims = true} : (tensor<2x3x4x5xf32>) -> tensor<2x3x1x1xf32>
  %c = "tir.reduction_mean"(%a) {axis = [-2 : i32, -1 : i32], keep_dims = false} : (tensor<2x3x4x5xf32>) -> tensor<2x3xf32>
  return %b, %c : tensor<2x3x1x1xf32>, tensor<2x3xf32>
}

// What is left still has to move; the fix points are those of the reduction.
// CHECK-LABEL: func.func @max_of_transpose
// CHECK-NEXT: %[[A:.*]] = "tir.reduction_max-fix"(%arg0) {axis = [1 : i32], input_fix_point = 3 : i32, {{.*}}keep_dims = true, output_fix_point = 2 : i32
// CHECK-NEXT: %[[B:.*]] = "tir.transpose-fix"(%[[A]]) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]}
// CHECK-NEXT: %[[C:.*]] = "tir.reshape-fix"(%[[B]]) {shape = [2 : i32, 3 : i32, 5 : i32]}
// CHECK-NEXT: return %[[C]]
func.func @max_of_transpose(%x: tensor<2x4x5x3xi8>) -> tensor<2x3x5xi8> {
  %a = "tir.transpose-fix"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<2x4x5x3xi8>) -> tensor<2x3x4x5xi8>
  %b = "tir.reduction_max-fix"(%a) {axis = [2 : i32], keep_dims = false, input_fix_point = 3 : i32, output_fix_point = 2 : i32} : (tensor<2x3x4x5xi8>) -> tensor<2x3x5xi8>
  return %b : tensor<2x3x5xi8>
}

// An image is NHWC after the transpose only; another fix point.
// CHECK-LABEL: func.func @transpose_stays
// CHECK-NEXT: tir.transpose"
// CHECK-NEXT: tir.reduction_mean"{{.*}}axis = [1 : i32, 2 : i32]
// CHECK-NEXT: tir.transpose-fix"
// CHECK-NEXT: tir.reduction_max-fix"{{.*}}axis = [2 : i32, 3 : i32]
// CHECK-NEXT: return
func.func @transpose_stays(%x: tensor<2x3x4x5xf32>, %y: tensor<2x4x5x3xi8>) -> (tensor<2x1x1x3xf32>, tensor<2x3x1x1xi8>) {
  %a = "tir.transpose"(%x) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<2x3x4x5xf32>) -> tensor<2x4x5x3xf32>
  %b = "tir.reduction_mean"(%a) {axis = [1 : i32, 2 : i32], keep_dims = true} : (tensor<2x4x5x3xf32>) -> tensor<2x1x1x3xf32>
  %c = "tir.transpose-fix"(%y) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32], input_fix_point = 3 : i32, output_fix_point = 2 : i32} : (tensor<2x4x5x3xi8>) -> tensor<2x3x4x5xi8>
  %d = "tir.reduction_max-fix"(%c) {axis = [2 : i32, 3 : i32], keep_dims = true, input_fix_point = 2 : i32, output_fix_point = 2 : i32} : (tensor<2x3x4x5xi8>) -> tensor<2x3x1x1xi8>
  return %b, %d : tensor<2x1x1x3xf32>, tensor<2x3x1x1xi8>
}

// Tensors that have been stacked, as of selective kernels, are added.
// CHECK-LABEL: func.func @stacked_sum
// CHECK-NEXT: %[[S:.*]] = "tir.add"(%{{.*}}, %{{.*}})
// CHECK-NOT: tir.concat
// CHECK-NOT: tir.reduction_sum
// CHECK: return
func.func @stacked_sum(%x: tensor<1x1x4x5x3xf32>, %y: tensor<1x1x4x5x3xf32>) -> tensor<1x4x5x3xf32> {
  %0 = "tir.concat"(%x, %y) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x1x4x5x3xf32>, tensor<1x1x4x5x3xf32>) -> tensor<1x2x4x5x3xf32>
  %1 = "tir.reduction_sum"(%0) {axis = [1 : i32], keep_dims = false} : (tensor<1x2x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  return %1 : tensor<1x4x5x3xf32>
}

// So are they where each has a factor for its channels before.
// CHECK-LABEL: func.func @selected
// CHECK-NOT: tir.concat
// CHECK: tir.strided_slice"(%arg2) {begin = [0 : i32, 0 : i32,
// CHECK: tir.mul
// CHECK: tir.strided_slice"(%arg2) {begin = [0 : i32, 1 : i32,
// CHECK: tir.mul
// CHECK: tir.add
// CHECK-NOT: tir.reduction_sum
func.func @selected(%x: tensor<1x1x4x5x3xf32>, %y: tensor<1x1x4x5x3xf32>, %a: tensor<1x2x1x1x3xf32>) -> tensor<1x4x5x3xf32> {
  %0 = "tir.concat"(%x, %y) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x1x4x5x3xf32>, tensor<1x1x4x5x3xf32>) -> tensor<1x2x4x5x3xf32>
  %1 = "tir.mul"(%0, %a) : (tensor<1x2x4x5x3xf32>, tensor<1x2x1x1x3xf32>) -> tensor<1x2x4x5x3xf32>
  %2 = "tir.reduction_sum"(%1) {axis = [1 : i32], keep_dims = false} : (tensor<1x2x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  return %2 : tensor<1x4x5x3xf32>
}

// Parts of the channels, as of maxout.
// CHECK-LABEL: func.func @thirds
// CHECK: %[[A:.*]] = "tir.strided_slice"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 5 : i32, 2 : i32]
// CHECK: %[[B:.*]] = "tir.strided_slice"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 2 : i32], end = [1 : i32, 4 : i32, 5 : i32, 4 : i32]
// CHECK: tir.max
// CHECK: %[[C:.*]] = "tir.strided_slice"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 4 : i32], end = [1 : i32, 4 : i32, 5 : i32, 6 : i32]
// CHECK: tir.max
// CHECK-NOT: tir.reduction_max
// CHECK: return
func.func @thirds(%x: tensor<1x4x5x6xf32>) -> tensor<1x4x5x2xf32> {
  %0 = "tir.reshape"(%x) {shape = [1 : i32, 4 : i32, 5 : i32, 3 : i32, 2 : i32]} : (tensor<1x4x5x6xf32>) -> tensor<1x4x5x3x2xf32>
  %1 = "tir.reduction_max"(%0) {axis = [3 : i32], keep_dims = false} : (tensor<1x4x5x3x2xf32>) -> tensor<1x4x5x2xf32>
  return %1 : tensor<1x4x5x2xf32>
}

// CHECK-LABEL: func.func @stacked_mean
// CHECK: tir.add
// CHECK: dense<5.000000e-01> : tensor<1xf32>
// CHECK: tir.mul
// CHECK-NOT: tir.reduction_mean
// CHECK: return
func.func @stacked_mean(%x: tensor<1x1x4x3xf32>, %y: tensor<1x1x4x3xf32>) -> tensor<1x1x4x3xf32> {
  %0 = "tir.concat"(%x, %y) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>) -> tensor<1x2x4x3xf32>
  %1 = "tir.reduction_mean"(%0) {axis = [1 : i32], keep_dims = true} : (tensor<1x2x4x3xf32>) -> tensor<1x1x4x3xf32>
  return %1 : tensor<1x1x4x3xf32>
}

// Rows of one tensor are no parts, nor are parts of a concat of two rows each.
// CHECK-LABEL: func.func @rows
// CHECK: tir.reduction_sum
// CHECK: tir.reduction_sum
// CHECK: return
func.func @rows(%x: tensor<1x2x4x3xf32>, %y: tensor<1x2x4x3xf32>) -> (tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>) {
  %0 = "tir.reduction_sum"(%x) {axis = [1 : i32], keep_dims = true} : (tensor<1x2x4x3xf32>) -> tensor<1x1x4x3xf32>
  %1 = "tir.concat"(%x, %y) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x4x4x3xf32>
  %2 = "tir.reduction_sum"(%1) {axis = [1 : i32], keep_dims = true} : (tensor<1x4x4x3xf32>) -> tensor<1x1x4x3xf32>
  return %0, %2 : tensor<1x1x4x3xf32>, tensor<1x1x4x3xf32>
}

// Stacked along the first dimension.
// CHECK-LABEL: func.func @mean_of_stack
// CHECK-NOT: tir.concat
// CHECK-NOT: tir.reduction_mean
// CHECK: return
func.func @mean_of_stack(%x: tensor<1x2x3xf32>, %y: tensor<1x2x3xf32>) -> tensor<2x3xf32> {
  %0 = "tir.concat"(%x, %y) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<2x2x3xf32>
  %1 = "tir.reduction_mean"(%0) {axis = [0 : i32]} : (tensor<2x2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
