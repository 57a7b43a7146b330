// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact

// Odd channels are weights of zero for the even ones.
// CHECK-LABEL: func.func @slice_into_conv
// CHECK-NEXT: value = dense<{{\[\[\[\[}}0, 1, 0, 2], [0, 3, 0, 4]], {{.*}}tensor<1x2x2x4xi8>
// CHECK-NEXT: tir.conv2d-fix"(%arg0, %{{.*}}) {input_fix_point = 4
// CHECK-NEXT: return
func.func @slice_into_conv(%x: tensor<1x3x3x4xi8>) -> tensor<1x2x2x1xi8> {
  %w = "tir.const"() {value = dense<[[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]]> : tensor<1x2x2x2xi8>} : () -> tensor<1x2x2x2xi8>
  %a = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, -3 : i32], end = [1 : i32, 3 : i32, 3 : i32, 4 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x3x3x4xi8>) -> tensor<1x3x3x2xi8>
  %b = "tir.conv2d-fix"(%a, %w) {kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 3 : i32, output_fix_point = 2 : i32} : (tensor<1x3x3x2xi8>, tensor<1x2x2x2xi8>) -> tensor<1x2x2x1xi8>
  return %b : tensor<1x2x2x1xi8>
}

// Where no convolution reads it.
// CHECK-LABEL: func.func @slice_as_conv
// CHECK-NEXT: value = dense<{{\[\[\[\[}}1, 0, 0, 0]]], {{\[\[\[}}0, 0, 1, 0]]]]> : tensor<2x1x1x4xi8>
// CHECK-NEXT: tir.conv2d-fix"(%arg0, %{{.*}}) {bias_fix_point = 5 : i32, input_fix_point = 5 : i32, kernel = [1 : i32, 1 : i32], op_name = "even", output_fix_point = 5 : i32, stride = [1 : i32, 1 : i32], weight_fix_point = 0 : i32}
// CHECK-NEXT: return
func.func @slice_as_conv(%x: tensor<1x3x3x4xi8>) -> tensor<1x3x3x2xi8> {
  %a = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 3 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32, op_name = "even"} : (tensor<1x3x3x4xi8>) -> tensor<1x3x3x2xi8>
  return %a : tensor<1x3x3x2xi8>
}

// Nor by a concat.
// CHECK-LABEL: func.func @slice_for_concat
// CHECK: tir.conv2d-fix"(%arg0,
// CHECK: tir.concat-fix
func.func @slice_for_concat(%x: tensor<1x3x3x4xi8>) -> tensor<1x3x3x2xi8> {
  %a = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 3 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 2 : i32]} : (tensor<1x3x3x4xi8>) -> tensor<1x3x3x2xi8>
  %b = "tir.concat-fix"(%a) {axis = 3 : i32, output_fix_point = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x3x2xi8>) -> tensor<1x3x3x2xi8>
  return %b : tensor<1x3x3x2xi8>
}

// Adjoining channels are addresses; one that rounds, cuts or turns rows, or is no
// image stays, too.
// CHECK-LABEL: func.func @slices
// CHECK-COUNT-5: tir.strided_slice-fix
// CHECK-NOT: tir.conv2d-fix
func.func @slices(%x: tensor<1x3x3x4xi8>, %y: tensor<3x4xi8>) -> (tensor<1x3x3x2xi8>, tensor<1x3x3x2xi8>, tensor<1x2x3x2xi8>, tensor<3x2xi8>, tensor<1x3x3x2xi8>) {
  %e = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 2 : i32, 0 : i32, 0 : i32], end = [1 : i32, -4 : i32, 3 : i32, 3 : i32], strides = [1 : i32, -1 : i32, 1 : i32, 2 : i32]} : (tensor<1x3x3x4xi8>) -> tensor<1x3x3x2xi8>
  %a = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 3 : i32, 3 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x3x3x4xi8>) -> tensor<1x3x3x2xi8>
  %b = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 3 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x3x3x4xi8>) -> tensor<1x3x3x2xi8>
  %c = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 3 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 2 : i32]} : (tensor<1x3x3x4xi8>) -> tensor<1x2x3x2xi8>
  %d = "tir.strided_slice-fix"(%y) {begin = [0 : i32, 0 : i32], end = [3 : i32, 3 : i32], strides = [1 : i32, 2 : i32]} : (tensor<3x4xi8>) -> tensor<3x2xi8>
  return %a, %b, %c, %d, %e : tensor<1x3x3x2xi8>, tensor<1x3x3x2xi8>, tensor<1x2x3x2xi8>, tensor<3x2xi8>, tensor<1x3x3x2xi8>
}

// No convolution before it: one of its own, or the one after it.
// CHECK-LABEL: func.func @shuffles
// CHECK-NEXT: value = dense<{{\[\[\[\[}}1, 0, 0, 0]]], {{\[\[\[}}0, 0, 1, 0]]], {{\[\[\[}}0, 1, 0, 0]]], {{\[\[\[}}0, 0, 0, 1]]]]>
// CHECK-NEXT: tir.conv2d-fix"(%arg0,
// CHECK-NEXT: value = dense<{{\[\[\[\[}}1, 3, 2, 4]]]]>
// CHECK-NEXT: tir.conv2d-fix"(%arg1,
// CHECK-NEXT: return
func.func @shuffles(%x: tensor<1x3x3x4xi8>, %y: tensor<1x3x3x4xi8>) -> (tensor<1x3x3x4xi8>, tensor<1x3x3x1xi8>) {
  %w = "tir.const"() {value = dense<[[[[1, 2, 3, 4]]]]> : tensor<1x1x1x4xi8>} : () -> tensor<1x1x1x4xi8>
  %a = "tir.reshape-fix"(%x) {shape = [1 : i32, 3 : i32, 3 : i32, 2 : i32, 2 : i32]} : (tensor<1x3x3x4xi8>) -> tensor<1x3x3x2x2xi8>
  %b = "tir.transpose-fix"(%a) {order = [0 : i32, 1 : i32, 2 : i32, 4 : i32, 3 : i32]} : (tensor<1x3x3x2x2xi8>) -> tensor<1x3x3x2x2xi8>
  %c = "tir.reshape-fix"(%b) {shape = [1 : i32, 3 : i32, 3 : i32, 4 : i32]} : (tensor<1x3x3x2x2xi8>) -> tensor<1x3x3x4xi8>
  %d = "tir.reshape-fix"(%y) {shape = [1 : i32, 3 : i32, 3 : i32, 2 : i32, 2 : i32]} : (tensor<1x3x3x4xi8>) -> tensor<1x3x3x2x2xi8>
  %e = "tir.transpose-fix"(%d) {order = [0 : i32, 1 : i32, 2 : i32, 4 : i32, 3 : i32]} : (tensor<1x3x3x2x2xi8>) -> tensor<1x3x3x2x2xi8>
  %f = "tir.reshape-fix"(%e) {shape = [1 : i32, 3 : i32, 3 : i32, 4 : i32]} : (tensor<1x3x3x2x2xi8>) -> tensor<1x3x3x4xi8>
  %g = "tir.conv2d-fix"(%f, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x4xi8>, tensor<1x1x1x4xi8>) -> tensor<1x3x3x1xi8>
  return %c, %g : tensor<1x3x3x4xi8>, tensor<1x3x3x1xi8>
}

// Zeros are outputs of the convolution; what is no zero, or lies around the
// image, too, is the bias of one with ones, saturated as the pad does it.
// CHECK-LABEL: func.func @pads
// CHECK: value = dense<[0, 7, 0]> : tensor<3xi8>
// CHECK: tir.conv2d-fix"(%arg0, %{{.*}}, %{{.*}}) {{.*}}nonlinear = "RELU"{{.*}} -> tensor<1x3x3x3xi8>
// CHECK: value = dense<[0, 9]> : tensor<2xi8>
// CHECK: tir.conv2d-fix"(%arg1, {{.*}}-> tensor<1x3x3x2xi8>
// CHECK: value = dense<[0, 127]> : tensor<2xi8>
// CHECK: tir.conv2d-fix"(%arg1, {{.*}}-> tensor<1x3x3x2xi8>
// CHECK: %[[P:.*]] = "tir.pad-fix"(%arg1) {{.*}} -> tensor<1x4x3x1xi8>
// CHECK: tir.conv2d-fix"(%[[P]], %{{.*}}) {{.*}} -> tensor<1x4x3x2xi8>
// CHECK-NEXT: return
func.func @pads(%x: tensor<1x3x3x2xi8>, %y: tensor<1x3x3x1xi8>) -> (tensor<1x3x3x3xi8>, tensor<1x3x3x2xi8>, tensor<1x3x3x2xi8>, tensor<1x4x3x2xi8>) {
  %w = "tir.const"() {value = dense<[[[[3, 4]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %b = "tir.const"() {value = dense<[7]> : tensor<1xi8>} : () -> tensor<1xi8>
  %c = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU"} : (tensor<1x3x3x2xi8>, tensor<1x1x1x2xi8>, tensor<1xi8>) -> tensor<1x3x3x1xi8>
  %p = "tir.pad-fix"(%c) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 1 : i32]} : (tensor<1x3x3x1xi8>) -> tensor<1x3x3x3xi8>
  %q = "tir.pad-fix"(%y) {constant_value = 9 : i32, paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32]} : (tensor<1x3x3x1xi8>) -> tensor<1x3x3x2xi8>
  %s = "tir.pad-fix"(%y) {constant_value = 128 : i32, paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32]} : (tensor<1x3x3x1xi8>) -> tensor<1x3x3x2xi8>
  %r = "tir.pad-fix"(%y) {paddings = [0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32]} : (tensor<1x3x3x1xi8>) -> tensor<1x4x3x2xi8>
  return %p, %q, %s, %r : tensor<1x3x3x3xi8>, tensor<1x3x3x2xi8>, tensor<1x3x3x2xi8>, tensor<1x4x3x2xi8>
}

// The batch; and an edge that repeats.
// CHECK-LABEL: func.func @pads_stay
// CHECK-COUNT-2: tir.pad-fix
func.func @pads_stay(%y: tensor<1x3x3x2xi8>) -> (tensor<2x3x3x3xi8>, tensor<1x3x3x4xi8>) {
  %q = "tir.pad-fix"(%y) {paddings = [0 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32]} : (tensor<1x3x3x2xi8>) -> tensor<2x3x3x3xi8>
  %r = "tir.pad-fix"(%y) {mode = "SYMMETRIC", paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 1 : i32]} : (tensor<1x3x3x2xi8>) -> tensor<1x3x3x4xi8>
  return %q, %r : tensor<2x3x3x3xi8>, tensor<1x3x3x4xi8>
}

// Channels in the reverse order.
// CHECK-LABEL: func.func @reverse
// CHECK-NEXT: value = dense<{{\[\[\[\[}}0, 0, 1]]], {{\[\[\[}}0, 1, 0]]], {{\[\[\[}}1, 0, 0]]]]> : tensor<3x1x1x3xi8>
// CHECK-NEXT: tir.conv2d-fix"(%arg0
// CHECK-NEXT: return
func.func @reverse(%x: tensor<1x3x3x3xi8>) -> tensor<1x3x3x3xi8> {
  %a = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, -1 : i32], end = [1 : i32, 3 : i32, 3 : i32, -4 : i32], strides = [1 : i32, 1 : i32, 1 : i32, -1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x3x3x3xi8>) -> tensor<1x3x3x3xi8>
  return %a : tensor<1x3x3x3xi8>
}

// A pixel shuffle of what no convolution computes.
// CHECK-LABEL: func.func @shuffle_of_sum
// CHECK: tir.eltwise-fix
// CHECK-NEXT: value = dense<{{\[\[\[\[}}1, 0, 0, 0, 0, 0, 0, 0]]], {{\[\[\[}}0, 0, 0, 0, 1, 0, 0, 0]]]
// CHECK-NEXT: tir.conv2d-fix
// CHECK-NEXT: "tir.tile-fix"{{.*}}reverse = true, stride = 2
// CHECK-NEXT: return
func.func @shuffle_of_sum(%x: tensor<1x3x3x8xi8>, %y: tensor<1x3x3x8xi8>) -> tensor<1x6x6x2xi8> {
  %a = "tir.eltwise-fix"(%x, %y) {type = "ADD", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x3x8xi8>, tensor<1x3x3x8xi8>) -> tensor<1x3x3x8xi8>
  %b = "tir.pixel-shuffle-fix"(%a) {scale = 2 : i32, input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x3x3x8xi8>) -> tensor<1x6x6x2xi8>
  return %b : tensor<1x6x6x2xi8>
}

// Bytes without a sign do not fit the result of a convolution.
// CHECK-LABEL: func.func @shuffle_of_bytes
// CHECK: tir.pixel-shuffle-fix
// CHECK-NOT: tir.tile-fix
func.func @shuffle_of_bytes(%x: tensor<1x3x3x8xui8>) -> tensor<1x6x6x2xui8> {
  %b = "tir.pixel-shuffle-fix"(%x) {scale = 2 : i32, input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x3x3x8xui8>) -> tensor<1x6x6x2xui8>
  return %b : tensor<1x6x6x2xui8>
}

// One that rounds to another fix point stays.
// CHECK-LABEL: func.func @shuffle_that_rounds
// CHECK: tir.pixel-shuffle-fix
// CHECK-NOT: tir.tile-fix
func.func @shuffle_that_rounds(%x: tensor<1x3x3x8xi8>) -> tensor<1x6x6x2xi8> {
  %b = "tir.pixel-shuffle-fix"(%x) {scale = 2 : i32, input_fix_point = 3 : i32, output_fix_point = 2 : i32} : (tensor<1x3x3x8xi8>) -> tensor<1x6x6x2xi8>
  return %b : tensor<1x6x6x2xi8>
}
