// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize exact

// CHECK-LABEL: func.func @reshapes
// CHECK-NEXT: tir.reshape"(%arg0) {shape = [4 : i32, 12 : i32]}
// CHECK-NEXT: return
func.func @reshapes(%x: tensor<2x3x1x8xf32>) -> tensor<4x12xf32> {
  %a = "tir.squeeze"(%x) {axis = [2 : i32]} : (tensor<2x3x1x8xf32>) -> tensor<2x3x8xf32>
  %b = "tir.flatten"(%a) : (tensor<2x3x8xf32>) -> tensor<2x24xf32>
  %c = "tir.reshape"(%b) {shape = [4 : i32, 12 : i32]} : (tensor<2x24xf32>) -> tensor<4x12xf32>
  return %c : tensor<4x12xf32>
}

// One of the two may round; both may not.
// CHECK-LABEL: func.func @reshapes_fix
// CHECK-NEXT: tir.reshape-fix"(%arg0) {input_fix_point = 5 : i32, output_fix_point = 3 : i32, shape = [24 : i32]}
// CHECK-NEXT: return
func.func @reshapes_fix(%x: tensor<2x3x4xi8>) -> tensor<24xi8> {
  %a = "tir.reshape-fix"(%x) {shape = [6 : i32, 4 : i32], input_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<2x3x4xi8>) -> tensor<6x4xi8>
  %b = "tir.reshape-fix"(%a) {shape = [24 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<6x4xi8>) -> tensor<24xi8>
  return %b : tensor<24xi8>
}
// CHECK-LABEL: func.func @reshapes_round_twice
// CHECK-COUNT-2: tir.reshape-fix
func.func @reshapes_round_twice(%x: tensor<2x3x4xi8>) -> tensor<24xi8> {
  %a = "tir.reshape-fix"(%x) {shape = [6 : i32, 4 : i32], input_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<2x3x4xi8>) -> tensor<6x4xi8>
  %b = "tir.reshape-fix"(%a) {shape = [24 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<6x4xi8>) -> tensor<24xi8>
  return %b : tensor<24xi8>
}

// CHECK-LABEL: func.func @transposes
// CHECK-NEXT: tir.transpose"(%arg0) {order = [3 : i32, 0 : i32, 2 : i32, 1 : i32]}
// CHECK-NEXT: return
func.func @transposes(%x: tensor<2x3x4x5xf32>) -> tensor<5x2x4x3xf32> {
  %a = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<2x3x4x5xf32>) -> tensor<2x5x3x4xf32>
  %b = "tir.transpose"(%a) {order = [1 : i32, 0 : i32, 3 : i32, 2 : i32]} : (tensor<2x5x3x4xf32>) -> tensor<5x2x4x3xf32>
  return %b : tensor<5x2x4x3xf32>
}

// CHECK-LABEL: func.func @transposes_cancel
// CHECK-NEXT: return %arg0
func.func @transposes_cancel(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x4x5xi8> {
  %a = "tir.transpose-fix"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<2x3x4x5xi8>) -> tensor<2x5x3x4xi8>
  %b = "tir.transpose-fix"(%a) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<2x5x3x4xi8>) -> tensor<2x3x4x5xi8>
  return %b : tensor<2x3x4x5xi8>
}

// CHECK-LABEL: func.func @transposes_round_twice
// CHECK-COUNT-2: tir.transpose-fix
func.func @transposes_round_twice(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x4x5xi8> {
  %a = "tir.transpose-fix"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32], input_fix_point = 1 : i32} : (tensor<2x3x4x5xi8>) -> tensor<2x5x3x4xi8>
  %b = "tir.transpose-fix"(%a) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32], output_fix_point = 1 : i32} : (tensor<2x5x3x4xi8>) -> tensor<2x3x4x5xi8>
  return %b : tensor<2x3x4x5xi8>
}

// CHECK-LABEL: func.func @transpose_moves_ones
// CHECK-NEXT: tir.reshape"(%arg0) {shape = [1 : i32, 7 : i32, 1 : i32, 5 : i32]}
func.func @transpose_moves_ones(%x: tensor<1x1x7x5xf32>) -> tensor<1x7x1x5xf32> {
  %a = "tir.transpose"(%x) {order = [0 : i32, 2 : i32, 1 : i32, 3 : i32]} : (tensor<1x1x7x5xf32>) -> tensor<1x7x1x5xf32>
  return %a : tensor<1x7x1x5xf32>
}

// CHECK-LABEL: func.func @transpose_moves_data
// CHECK: tir.transpose
func.func @transpose_moves_data(%x: tensor<1x2x7x5xf32>) -> tensor<1x7x2x5xf32> {
  %a = "tir.transpose"(%x) {order = [0 : i32, 2 : i32, 1 : i32, 3 : i32]} : (tensor<1x2x7x5xf32>) -> tensor<1x7x2x5xf32>
  return %a : tensor<1x7x2x5xf32>
}

// CHECK-LABEL: func.func @slices
// CHECK-NEXT: tir.strided_slice"(%arg0) {begin = [3 : i32, 0 : i32], end = [16 : i32, 6 : i32], strides = [6 : i32, 1 : i32]}
// CHECK-NEXT: return
func.func @slices(%x: tensor<20x8xf32>) -> tensor<3x6xf32> {
  %a = "tir.strided_slice"(%x) {begin = [1 : i32, 0 : i32], end = [20 : i32, 8 : i32], strides = [2 : i32, 1 : i32]} : (tensor<20x8xf32>) -> tensor<10x8xf32>
  %b = "tir.strided_slice"(%a) {begin = [1 : i32, 0 : i32], end = [-1 : i32, 6 : i32], strides = [3 : i32, 1 : i32]} : (tensor<10x8xf32>) -> tensor<3x6xf32>
  return %b : tensor<3x6xf32>
}

// CHECK-LABEL: func.func @slices_backwards
// CHECK-COUNT-2: tir.strided_slice
func.func @slices_backwards(%x: tensor<20xf32>) -> tensor<5xf32> {
  %a = "tir.strided_slice"(%x) {begin = [-1 : i32], end = [-2147483648 : i32], strides = [-2 : i32]} : (tensor<20xf32>) -> tensor<10xf32>
  %b = "tir.strided_slice"(%a) {begin = [0 : i32], end = [10 : i32], strides = [2 : i32]} : (tensor<10xf32>) -> tensor<5xf32>
  return %b : tensor<5xf32>
}

// CHECK-LABEL: func.func @pads
// CHECK-NEXT: tir.pad"(%arg0) {constant_value = 2.000000e+00 : f32, paddings = [1 : i32, 2 : i32, 3 : i32, 0 : i32]}
// CHECK-NEXT: return
func.func @pads(%x: tensor<2x3xf32>) -> tensor<5x6xf32> {
  %a = "tir.pad"(%x) {paddings = [1 : i32, 0 : i32, 1 : i32, 0 : i32], constant_value = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<3x4xf32>
  %b = "tir.pad"(%a) {paddings = [0 : i32, 2 : i32, 2 : i32, 0 : i32], constant_value = 2.0 : f32} : (tensor<3x4xf32>) -> tensor<5x6xf32>
  return %b : tensor<5x6xf32>
}

// A crop is a slice, which brings no numbers back.
// CHECK-LABEL: func.func @pads_differ
// CHECK-COUNT-2: tir.pad
// CHECK: tir.strided_slice
// CHECK-NEXT: tir.pad
func.func @pads_differ(%x: tensor<2x3xf32>) -> (tensor<5x6xf32>, tensor<2x3xf32>) {
  %a = "tir.pad"(%x) {paddings = [1 : i32, 0 : i32, 1 : i32, 0 : i32], constant_value = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<3x4xf32>
  %b = "tir.pad"(%a) {paddings = [0 : i32, 2 : i32, 2 : i32, 0 : i32], constant_value = 1.0 : f32} : (tensor<3x4xf32>) -> tensor<5x6xf32>
  %c = "tir.pad"(%x) {paddings = [-1 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  %d = "tir.pad"(%c) {paddings = [1 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x3xf32>) -> tensor<2x3xf32>
  return %b, %d : tensor<5x6xf32>, tensor<2x3xf32>
}

// A residual block of a signal is one of images of one row.
// CHECK-LABEL: func.func @sum_of_reshapes
// CHECK-NEXT: %[[S:.*]] = "tir.add"(%arg0, %arg1) {{.*}} -> tensor<1x1x6x4xf32>
// CHECK-NEXT: %[[R:.*]] = "tir.reshape"(%[[S]]){{.*}} -> tensor<1x6x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @sum_of_reshapes(%x: tensor<1x1x6x4xf32>, %y: tensor<1x1x6x4xf32>) -> tensor<1x6x4xf32> {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x1x6x4xf32>) -> tensor<1x6x4xf32>
  %b = "tir.reshape"(%y) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x1x6x4xf32>) -> tensor<1x6x4xf32>
  %c = "tir.add"(%a, %b) : (tensor<1x6x4xf32>, tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %c : tensor<1x6x4xf32>
}

// One pixel may be repeated, as the gate of a squeeze and excitation is.
// CHECK-LABEL: func.func @gated_signal
// CHECK-NEXT: %[[S:.*]] = "tir.mul"(%arg0, %arg1) {{.*}} -> tensor<1x1x6x4xf32>
// CHECK-NEXT: %[[R:.*]] = "tir.reshape"(%[[S]]){{.*}} -> tensor<1x6x4xf32>
func.func @gated_signal(%x: tensor<1x1x6x4xf32>, %z: tensor<1x1x1x4xf32>) -> tensor<1x6x4xf32> {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x1x6x4xf32>) -> tensor<1x6x4xf32>
  %d = "tir.reshape"(%z) {shape = [1 : i32, 1 : i32, 4 : i32]} : (tensor<1x1x1x4xf32>) -> tensor<1x1x4xf32>
  %e = "tir.mul"(%a, %d) : (tensor<1x6x4xf32>, tensor<1x1x4xf32>) -> tensor<1x6x4xf32>
  return %e : tensor<1x6x4xf32>
}

// Not of images of other shapes, or into an image.
// CHECK-LABEL: func.func @sum_of_other_reshapes
// CHECK: tir.add"{{.*}} -> tensor<1x6x4xf32>
// CHECK: tir.max"{{.*}} -> tensor<1x2x3x4xf32>
func.func @sum_of_other_reshapes(%x: tensor<1x1x6x4xf32>, %y: tensor<1x2x3x4xf32>) -> (tensor<1x6x4xf32>, tensor<1x2x3x4xf32>) {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x1x6x4xf32>) -> tensor<1x6x4xf32>
  %b = "tir.reshape"(%y) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x2x3x4xf32>) -> tensor<1x6x4xf32>
  %c = "tir.add"(%a, %b) : (tensor<1x6x4xf32>, tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %f = "tir.reshape"(%x) {shape = [1 : i32, 2 : i32, 3 : i32, 4 : i32]} : (tensor<1x1x6x4xf32>) -> tensor<1x2x3x4xf32>
  %g = "tir.max"(%f, %f) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return %c, %g : tensor<1x6x4xf32>, tensor<1x2x3x4xf32>
}

// GELU as it stands behind a Conv1d: all of it is computed of the image.
// CHECK-LABEL: func.func @activation_of_reshape
// CHECK: %[[D:.*]] = "tir.mul"(%arg0, %{{.*}} -> tensor<1x1x6x4xf32>
// CHECK: %[[E:.*]] = "tir.erf"(%[[D]]){{.*}} -> tensor<1x1x6x4xf32>
// CHECK: %[[A:.*]] = "tir.add"(%[[E]], %{{.*}} -> tensor<1x1x6x4xf32>
// CHECK: %[[M:.*]] = "tir.mul"(%arg0, %[[A]]){{.*}} -> tensor<1x1x6x4xf32>
// CHECK: %[[R:.*]] = "tir.reshape"(%[[M]]){{.*}} -> tensor<1x6x4xf32>
// CHECK: return %[[R]]
func.func @activation_of_reshape(%x: tensor<1x1x6x4xf32>) -> tensor<1x6x4xf32> {
  %c = "tir.const"() {value = dense<0.7> : tensor<f32>} : () -> tensor<f32>
  %o = "tir.const"() {value = dense<1.5> : tensor<1x1x1xf32>} : () -> tensor<1x1x1xf32>
  %r = "tir.reshape"(%x) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x1x6x4xf32>) -> tensor<1x6x4xf32>
  %0 = "tir.mul"(%r, %c) : (tensor<1x6x4xf32>, tensor<f32>) -> tensor<1x6x4xf32>
  %1 = "tir.erf"(%0) : (tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %2 = "tir.add"(%1, %o) : (tensor<1x6x4xf32>, tensor<1x1x1xf32>) -> tensor<1x6x4xf32>
  %3 = "tir.mul"(%r, %2) : (tensor<1x6x4xf32>, tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %3 : tensor<1x6x4xf32>
}

// Of a row of numbers, and beside constants of rows, it stays.
// CHECK-LABEL: func.func @activation_of_rows
// CHECK: "tir.tanh"({{.*}} -> tensor<1x6x4xf32>
// CHECK: "tir.mul"({{.*}} -> tensor<1x6x4xf32>
func.func @activation_of_rows(%x: tensor<1x24xf32>, %y: tensor<1x2x3x4xf32>) -> (tensor<1x6x4xf32>, tensor<1x6x4xf32>) {
  %c = "tir.const"() {value = dense<[[[1.5], [2.5], [3.5], [4.5], [5.5], [6.5]]]> : tensor<1x6x1xf32>} : () -> tensor<1x6x1xf32>
  %r = "tir.reshape"(%x) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x24xf32>) -> tensor<1x6x4xf32>
  %s = "tir.reshape"(%y) {shape = [1 : i32, 6 : i32, 4 : i32]} : (tensor<1x2x3x4xf32>) -> tensor<1x6x4xf32>
  %0 = "tir.tanh"(%r) : (tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %1 = "tir.mul"(%s, %c) : (tensor<1x6x4xf32>, tensor<1x6x1xf32>) -> tensor<1x6x4xf32>
  return %0, %1 : tensor<1x6x4xf32>, tensor<1x6x4xf32>
}
