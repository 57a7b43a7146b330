// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// CHECK-LABEL: func.func @batchnorm
// CHECK-NOT: tir.batchnorm
// CHECK: tir.conv2d"{{.*}} op_name = "first"
// CHECK-NEXT: return
func.func @batchnorm(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000003F000060BF0000903F0000D0BF0000C0BF0000A0BF"> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %m = "tir.const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %v = "tir.const"() {value = dense<[0.5, 2.0, 1.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %g = "tir.const"() {value = dense<[1.0, -2.0, 0.25]> : tensor<3xf32>} : () -> tensor<3xf32>
  %b = "tir.const"() {value = dense<[0.5, 0.0, -3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "first"} : (tensor<1x4x4x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x4x4x3xf32>
  %y = "tir.batchnorm"(%c, %m, %v, %g, %b) {epsilon = 0.001 : f32, op_name = "norm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<1x4x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  return %y : tensor<1x4x4x3xf32>
}

// One after the other: scale, mul, add, into a depthwise convolution with two
// results per channel.
// CHECK-LABEL: func.func @depthwise
// CHECK: tir.depthwise-conv2d
// CHECK-NEXT: return
func.func @depthwise(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x4xf32> {
  %w = "tir.const"() {value = dense<"0x000080BE0000603F0000803F000080BF000000BF0000E0BF0000B0BF000080BF000000BE000000400000C0BE0000903F0000F0BF0000D03F0000F03F0000D03F0000803F0000F03F000000BF0000903F0000B0BF0000F03F000080BE0000F0BF0000003E0000A03F0000E03F0000803F000090BF000000000000A0BF0000C0BF0000803F0000803F0000A0BF0000D0BF"> : tensor<2x3x3x2xf32>} : () -> tensor<2x3x3x2xf32>
  %k = "tir.const"() {value = dense<[1.0, -2.0, 0.25, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "tir.const"() {value = dense<[[[[0.5, 0.0, -3.0, 1.0]]]]> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %two = "tir.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %c = "tir.depthwise-conv2d"(%x, %w, %k) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %d = "tir.scale"(%c, %k) {axis = 3 : i32} : (tensor<1x4x4x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %e = "tir.mul"(%two, %d) : (tensor<f32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %f = "tir.add"(%e, %b) : (tensor<1x4x4x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
  return %f : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @transposed
// CHECK-NOT: tir.mul
// CHECK: tir.transposed-conv2d
// CHECK-NOT: tir.mul
// CHECK: tir.transposed-depthwise-conv2d
// CHECK-NEXT: return
func.func @transposed(%x: tensor<1x2x2x2xf32>) -> tensor<1x6x6x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000D03F0000603F0000003E000080BF000020BF000000C00000203F000000400000D03F0000B0BF0000203F0000E0BF0000803F000040BF0000C03F0000B03F000040BF000040BF000000BE0000D0BF000090BF000080BF000000400000C0BF"> : tensor<3x2x2x2xf32>} : () -> tensor<3x2x2x2xf32>
  %v = "tir.const"() {value = dense<"0x0000E0BF0000B03F0000E03F000000C00000C0BE0000D03F0000F03F0000003E000040BF0000E0BF0000F03F0000003F0000C0BF000000BE0000603F0000E0BF0000A03F000080BF0000403F0000803F0000A03F0000803E000000000000D03F000020BF0000C03E0000603F"> : tensor<1x3x3x3xf32>} : () -> tensor<1x3x3x3xf32>
  %k = "tir.const"() {value = dense<[1.0, -2.0, 0.25]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c = "tir.transposed-conv2d"(%x, %w) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x2x2x2xf32>, tensor<3x2x2x2xf32>) -> tensor<1x4x4x3xf32>
  %d = "tir.mul"(%c, %k) : (tensor<1x4x4x3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  %e = "tir.transposed-depthwise-conv2d"(%d, %v) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x3xf32>, tensor<1x3x3x3xf32>) -> tensor<1x6x6x3xf32>
  %f = "tir.mul"(%e, %k) : (tensor<1x6x6x3xf32>, tensor<3xf32>) -> tensor<1x6x6x3xf32>
  return %f : tensor<1x6x6x3xf32>
}

// CHECK-LABEL: func.func @products
// CHECK-NOT: tir.mul"
// CHECK-NOT: tir.add"
// CHECK: tir.inner-product{{.*}} tensor<3xf32>)
// CHECK-NEXT: return
func.func @products(%x: tensor<5x2xf32>) -> tensor<5x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000C03F0000D03F0000C03F00000040000000BF000020BF"> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %v = "tir.const"() {value = dense<"0x0000E03F0000003E0000403F000060BF0000803F000000C00000603F0000E03F0000003E"> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
  %k = "tir.const"() {value = dense<[1.0, -2.0, 0.25]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c = "tir.matmul"(%x, %w) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %d = "tir.mul"(%c, %k) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  %e = "tir.matmul"(%d, %v) {transpose_b = true} : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
  %f = "tir.mul"(%e, %k) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  %g = "tir.inner-product"(%f, %v) : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
  %h = "tir.mul"(%g, %k) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  %i = "tir.add"(%h, %k) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  return %i : tensor<5x3xf32>
}

// A bias needs no constant weights.
// CHECK-LABEL: func.func @bias
// CHECK: tir.matmul"(%arg0, %arg1, %
// CHECK-NEXT: return
func.func @bias(%x: tensor<5x2xf32>, %w: tensor<2x3xf32>) -> tensor<5x3xf32> {
  %k = "tir.const"() {value = dense<[1.0, -2.0, 0.25]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c = "tir.matmul"(%x, %w) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %d = "tir.add"(%c, %k) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  return %d : tensor<5x3xf32>
}

// Unknown weights; a second use; rows instead of channels; axis 1; numbers of
// each pixel.
// CHECK-LABEL: func.func @not
// CHECK-COUNT-3: tir.mul
// CHECK: tir.scale
// CHECK: tir.add
func.func @not(%x: tensor<1x3x3x2xf32>, %w: tensor<3x1x1x2xf32>) -> (tensor<1x3x3x3xf32>, tensor<1x3x3x3xf32>, tensor<1x3x3x3xf32>, tensor<1x3x3x3xf32>, tensor<1x3x3x3xf32>, tensor<1x3x3x3xf32>) {
  %k = "tir.const"() {value = dense<[1.0, -2.0, 0.25]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r = "tir.const"() {value = dense<[[[1.0]], [[-2.0]], [[0.25]]]> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %p = "tir.const"() {value = dense<"0x000000000000803E000020BF000080BE000060BF000080BE000020BF000080BF0000C0BF0000C0BE0000803E0000F0BF0000B03F000080BF000000C00000003E000060BF0000B0BF000000000000C03F0000B03F000080BF000000000000403F000080BE0000F03F0000B03F"> : tensor<3x3x3xf32>} : () -> tensor<3x3x3xf32>
  %v1 = "tir.const"() {value = dense<"0x0000A0BF000000BE0000003E000000000000803E0000C0BF"> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %v2 = "tir.const"() {value = dense<"0x0000C0BE000000C00000E0BF000040BF000000BE0000F0BF"> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %v3 = "tir.const"() {value = dense<"0x0000603F0000E03F0000E03F0000803E0000A03F000080BE"> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %v4 = "tir.const"() {value = dense<"0x0000A03F0000C03E0000603F0000803E000020BF0000003E"> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x3x3x3xf32>
  %b = "tir.mul"(%a, %k) : (tensor<1x3x3x3xf32>, tensor<3xf32>) -> tensor<1x3x3x3xf32>
  %c = "tir.conv2d"(%x, %v1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x3x3x3xf32>
  %d = "tir.mul"(%c, %k) : (tensor<1x3x3x3xf32>, tensor<3xf32>) -> tensor<1x3x3x3xf32>
  %e = "tir.conv2d"(%x, %v2) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x3x3x3xf32>
  %f = "tir.mul"(%e, %r) : (tensor<1x3x3x3xf32>, tensor<3x1x1xf32>) -> tensor<1x3x3x3xf32>
  %g = "tir.conv2d"(%x, %v3) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x3x3x3xf32>
  %h = "tir.scale"(%g, %k) {axis = 1 : i32} : (tensor<1x3x3x3xf32>, tensor<3xf32>) -> tensor<1x3x3x3xf32>
  %i = "tir.conv2d"(%x, %v4) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x3x3x3xf32>
  %j = "tir.add"(%i, %p) : (tensor<1x3x3x3xf32>, tensor<3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %b, %c, %d, %f, %h, %j : tensor<1x3x3x3xf32>, tensor<1x3x3x3xf32>, tensor<1x3x3x3xf32>, tensor<1x3x3x3xf32>, tensor<1x3x3x3xf32>, tensor<1x3x3x3xf32>
}

// The three of a hard sigmoid stays where it is.
// CHECK-LABEL: func.func @gate
// CHECK: tir.conv2d"
// CHECK-NEXT: tir.hard-sigmoid
// CHECK-NEXT: return
func.func @gate(%x: tensor<1x1x1x2xf32>) -> tensor<1x1x1x3xf32> {
  %w = "tir.const"() {value = dense<"0x000020BF000090BF0000C03F0000203F000000BE000000BF"> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %three = "tir.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %six = "tir.const"() {value = dense<6.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x1x1x3xf32>
  %b = "tir.add"(%a, %three) : (tensor<1x1x1x3xf32>, tensor<f32>) -> tensor<1x1x1x3xf32>
  %c = "tir.clip"(%b) {min = 0.0 : f32, max = 6.0 : f32} : (tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
  %d = "tir.div"(%c, %six) : (tensor<1x1x1x3xf32>, tensor<f32>) -> tensor<1x1x1x3xf32>
  return %d : tensor<1x1x1x3xf32>
}

// CHECK-LABEL: func.func @affine_of_affine
// CHECK: tir.scale"(%arg0, %{{.*}}, %{{.*}})
// CHECK-NEXT: return
func.func @affine_of_affine(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = "tir.const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %v = "tir.const"() {value = dense<[0.5, 2.0, 1.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %a = "tir.batchnorm"(%x, %m, %v) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %b = "tir.mul"(%a, %m) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %c = "tir.add"(%b, %v) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %c : tensor<2x3xf32>
}

// A second use; a result that is larger than the input; a hard sigmoid.
// CHECK-LABEL: func.func @affine_of_affine_not
// CHECK-NOT: tir.scale
// CHECK: return
func.func @affine_of_affine_not(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>) {
  %m = "tir.const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %n = "tir.const"() {value = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %b = "tir.mul"(%x, %m) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %c = "tir.add"(%b, %m) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %d = "tir.mul"(%y, %n) : (tensor<3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  %e = "tir.add"(%d, %m) : (tensor<1x3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  %p = "tir.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %f = "tir.mul"(%x, %p) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %g = "tir.add"(%f, %p) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %h = "tir.clip"(%g) {min = 0.0 : f32, max = 1.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %b, %c, %e, %h : tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>
}

// One-dimensional convolutions have a reshape after them.
// CHECK-LABEL: func.func @through_reshape
// CHECK: tir.conv2d"(%arg0, %{{.*}}, %{{.*}})
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: return
func.func @through_reshape(%x: tensor<1x1x4x2xf32>) -> tensor<1x4x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000003F000060BF0000903F0000D0BF0000C0BF0000A0BF"> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %m = "tir.const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x4x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x1x4x3xf32>
  %r = "tir.reshape"(%c) {shape = [1 : i32, 4 : i32, 3 : i32]} : (tensor<1x1x4x3xf32>) -> tensor<1x4x3xf32>
  %a = "tir.mul"(%r, %m) : (tensor<1x4x3xf32>, tensor<3xf32>) -> tensor<1x4x3xf32>
  %y = "tir.add"(%a, %m) : (tensor<1x4x3xf32>, tensor<3xf32>) -> tensor<1x4x3xf32>
  return %y : tensor<1x4x3xf32>
}

// The last dimension is another one.
// CHECK-LABEL: func.func @through_reshape_not
// CHECK: tir.mul
func.func @through_reshape_not(%x: tensor<1x1x3x2xf32>) -> tensor<1x2x3xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %m = "tir.const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x3x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x1x3x2xf32>
  %r = "tir.reshape"(%c) {shape = [1 : i32, 2 : i32, 3 : i32]} : (tensor<1x1x3x2xf32>) -> tensor<1x2x3xf32>
  %a = "tir.mul"(%r, %m) : (tensor<1x2x3xf32>, tensor<3xf32>) -> tensor<1x2x3xf32>
  return %a : tensor<1x2x3xf32>
}

// What is added before a convolution without padding is in its bias, what is
// multiplied in its weights, whether in groups or for each channel.
// CHECK-LABEL: func.func @before
// CHECK-NOT: tir.{{add|mul|scale}}
// CHECK: tir.conv2d"{{.*}}tensor<4xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NOT: tir.{{add|mul|scale}}
// CHECK: tir.depthwise-conv2d"{{.*}}tensor<8xf32>) -> tensor<1x2x2x8xf32>
// CHECK-NEXT: return
func.func @before(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x2x8xf32> {
  %w = "tir.const"() {value = dense<[[[[0.5, -1.0]]], [[[2.0, 0.25]]], [[[-0.5, 1.5]]], [[[1.0, 3.0]]]]> : tensor<4x1x1x2xf32>} : () -> tensor<4x1x1x2xf32>
  %s = "tir.const"() {value = dense<[1.0, -2.0, 0.25, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %t = "tir.const"() {value = dense<[0.5, 1.0, -3.0, 2.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %k = "tir.const"() {value = dense<"0x0000803E000000BF0000803F00000040000080BF000000C0000000400000003F0000803E0000803E00000040000000400000C03F000000BF0000803E000000BF0000C03F000000C0000080BF000000BF000000C00000003F000000C00000003F000000400000C03F0000C03F0000C03F00000040000000BF0000803F000080BF000000C0000000BF000000400000803E0000003F0000C03F0000003F0000C03F0000C03F0000803F0000C03F0000803E0000803F000000C00000003F000000BF0000803F000080BF0000803E0000003F0000003F000080BF000080BF0000004000000040000080BF0000803F000080BF0000C03F000000BF000000C00000003F0000C03F0000C03F000080BF000000C0000000C00000C03F0000803F0000003F"> : tensor<2x3x3x4xf32>} : () -> tensor<2x3x3x4xf32>
  %a = "tir.scale"(%x, %s, %t) {axis = 3 : i32} : (tensor<1x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %b = "tir.conv2d"(%a, %w, %t) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], group = 2 : i32} : (tensor<1x4x4x4xf32>, tensor<4x1x1x2xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %c = "tir.relu"(%b) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %d = "tir.mul"(%c, %s) : (tensor<1x4x4x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %e = "tir.add"(%d, %t) : (tensor<1x4x4x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %f = "tir.depthwise-conv2d"(%e, %k) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>, tensor<2x3x3x4xf32>) -> tensor<1x2x2x8xf32>
  return %f : tensor<1x2x2x8xf32>
}

// Padding is zero whatever is added; what is multiplied is not. What others read
// stays.
// CHECK-LABEL: func.func @before_padding
// CHECK: tir.add"
// CHECK: tir.conv2d"
// CHECK-NEXT: tir.relu"
// CHECK: tir.conv2d"
// CHECK-NEXT: tir.relu"
// CHECK-NEXT: tir.mul"
// CHECK: tir.conv2d"
// CHECK-NEXT: return
func.func @before_padding(%x: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %w = "tir.const"() {value = dense<"0x0000803E000000C00000003F000000C0000080BF000080BF000000C00000803E0000C03F0000003F0000003F000000BF000000C00000803F0000803F0000803F000000BF0000C03F0000C03F000000400000C03F000080BF0000003F0000C03F0000803E0000003F0000C03F0000003F0000003F0000803F000000C00000C03F0000803F000000C00000C03F000000BF"> : tensor<2x3x3x2xf32>} : () -> tensor<2x3x3x2xf32>
  %s = "tir.const"() {value = dense<[1.0, -2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %a = "tir.add"(%x, %s) : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %b = "tir.conv2d"(%a, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>) -> tensor<1x4x4x2xf32>
  %c = "tir.relu"(%b) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %d = "tir.mul"(%c, %s) : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %e = "tir.conv2d"(%d, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>) -> tensor<1x4x4x2xf32>
  %f = "tir.relu"(%e) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %g = "tir.mul"(%f, %s) : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %h = "tir.conv2d"(%g, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>) -> tensor<1x4x4x2xf32>
  return %g, %h : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// Nor do weights that are not constant take it, or finite ones become infinite.
// CHECK-LABEL: func.func @before_not
// CHECK: tir.mul"
// CHECK-NEXT: tir.conv2d"
// CHECK: tir.mul"
// CHECK-NEXT: tir.conv2d"
// CHECK-NEXT: return
func.func @before_not(%x: tensor<1x4x4x2xf32>, %y: tensor<1x4x4x2xf32>, %w: tensor<2x1x1x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %s = "tir.const"() {value = dense<[1.0, 1.0e30]> : tensor<2xf32>} : () -> tensor<2xf32>
  %large = "tir.const"() {value = dense<1.0e30> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %a = "tir.mul"(%x, %s) : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %b = "tir.conv2d"(%a, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %c = "tir.mul"(%y, %s) : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %d = "tir.conv2d"(%c, %large) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  return %b, %d : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// A convolution along a line: what comes after the reshape is of the image, too.
// CHECK-LABEL: func.func @affine_before_reshape
// CHECK: %[[R:.*]] = "tir.relu"
// CHECK: %[[S:.*]] = "tir.const"() {value = dense<[2.000000e+00, 5.000000e-01]> : tensor<2xf32>}
// CHECK: %[[T:.*]] = "tir.const"() {value = dense<[1.000000e+00, -3.000000e+00]> : tensor<2xf32>}
// CHECK: %[[A:.*]] = "tir.scale"(%[[R]], %[[S]], %[[T]])
// CHECK-NEXT: "tir.reshape"(%[[A]]){{.*}} -> tensor<1x5x2xf32>
func.func @affine_before_reshape(%x: tensor<1x1x5x2xf32>) -> tensor<1x5x2xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %s = "tir.const"() {value = dense<[2.0, 0.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %t = "tir.const"() {value = dense<[1.0, -3.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x5x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x1x5x2xf32>
  %1 = "tir.relu"(%0) : (tensor<1x1x5x2xf32>) -> tensor<1x1x5x2xf32>
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 5 : i32, 2 : i32]} : (tensor<1x1x5x2xf32>) -> tensor<1x5x2xf32>
  %3 = "tir.scale"(%2, %s, %t) : (tensor<1x5x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x5x2xf32>
  return %3 : tensor<1x5x2xf32>
}

// Others than the channels; or from an image to another one.
// CHECK-LABEL: func.func @affine_after_reshape
// CHECK: "tir.reshape"{{.*}} -> tensor<1x2x5xf32>
// CHECK-NEXT: "tir.scale"
// CHECK: "tir.reshape"{{.*}} -> tensor<1x5x1x2xf32>
// CHECK-NEXT: "tir.scale"
func.func @affine_after_reshape(%x: tensor<1x1x5x2xf32>) -> (tensor<1x2x5xf32>, tensor<1x5x1x2xf32>) {
  %t = "tir.const"() {value = dense<[1.0, -3.0, 1.0, 2.0, 3.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %u = "tir.const"() {value = dense<[1.0, -3.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.relu"(%x) : (tensor<1x1x5x2xf32>) -> tensor<1x1x5x2xf32>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 2 : i32, 5 : i32]} : (tensor<1x1x5x2xf32>) -> tensor<1x2x5xf32>
  %2 = "tir.scale"(%1, %t, %t) : (tensor<1x2x5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<1x2x5xf32>
  %3 = "tir.relu6"(%x) : (tensor<1x1x5x2xf32>) -> tensor<1x1x5x2xf32>
  %4 = "tir.reshape"(%3) {shape = [1 : i32, 5 : i32, 1 : i32, 2 : i32]} : (tensor<1x1x5x2xf32>) -> tensor<1x5x1x2xf32>
  %5 = "tir.scale"(%4, %u, %u) : (tensor<1x5x1x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x5x1x2xf32>
  return %2, %5 : tensor<1x2x5xf32>, tensor<1x5x1x2xf32>
}

// A 1x1 convolution in front of an enlargement computes fewer pixels; not one with
// padding, or one that makes more channels.
// CHECK-LABEL: func.func @resized
// CHECK: "tir.conv2d"(%arg0
// CHECK: "tir.resize"(%{{.*}}mode = "BILINEAR"{{.*}} -> tensor<1x4x4x1xf32>
// CHECK: %[[PADDED:.*]] = "tir.resize"(%arg0
// CHECK: "tir.conv2d"(%[[PADDED]]
// CHECK: %[[WIDE:.*]] = "tir.resize"(%arg0
// CHECK: "tir.conv2d"(%[[WIDE]]
func.func @resized(%x: tensor<1x2x2x2xf32>) -> (tensor<1x4x4x1xf32>, tensor<1x6x6x1xf32>, tensor<1x8x8x3xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %b = "tir.const"() {value = dense<[0.5]> : tensor<1xf32>} : () -> tensor<1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]], [[[5.0, 6.0]]]]> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %0 = "tir.resize"(%x) {size = [4 : i32, 4 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x2x2x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = "tir.conv2d"(%0, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1xf32>) -> tensor<1x4x4x1xf32>
  %2 = "tir.resize"(%x) {size = [4 : i32, 4 : i32]} : (tensor<1x2x2x2xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.conv2d"(%2, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1xf32>) -> tensor<1x6x6x1xf32>
  %4 = "tir.resize"(%x) {size = [8 : i32, 8 : i32]} : (tensor<1x2x2x2xf32>) -> tensor<1x8x8x2xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x8x8x3xf32>
  return %1, %3, %5 : tensor<1x4x4x1xf32>, tensor<1x6x6x1xf32>, tensor<1x8x8x3xf32>
}

// Nor before one that crops, of which some pixels are a constant, one that makes an
// image smaller, or one that something else reads.
// CHECK-LABEL: func.func @resized_otherwise
// CHECK-COUNT-3: tir.resize
// CHECK-COUNT-3: tir.conv2d
// CHECK-NOT: tir.resize
// CHECK: return
func.func @resized_otherwise(%x: tensor<1x4x4x2xf32>) -> (tensor<1x8x8x1xf32>, tensor<1x2x2x1xf32>, tensor<1x6x6x1xf32>, tensor<1x6x6x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.resize"(%x) {size = [8 : i32, 8 : i32], mode = "BILINEAR", coordinate_mode = "TF_CROP_AND_RESIZE", roi = [-1.0 : f32, -1.0 : f32, 2.0 : f32, 2.0 : f32], extrapolation_value = 4.0 : f32} : (tensor<1x4x4x2xf32>) -> tensor<1x8x8x2xf32>
  %1 = "tir.resize"(%x) {size = [2 : i32, 2 : i32], mode = "BILINEAR"} : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = "tir.resize"(%x) {size = [6 : i32, 6 : i32], mode = "BILINEAR"} : (tensor<1x4x4x2xf32>) -> tensor<1x6x6x2xf32>
  %3 = "tir.conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x8x8x1xf32>
  %4 = "tir.conv2d"(%1, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x1xf32>
  %5 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x6x6x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x6x6x1xf32>
  return %3, %4, %5, %2 : tensor<1x8x8x1xf32>, tensor<1x2x2x1xf32>, tensor<1x6x6x1xf32>, tensor<1x6x6x2xf32>
}
