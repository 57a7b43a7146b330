// RUN: xc-opt %s --convert-tosa-to-tir | FileCheck %s

// CHECK-NOT: tosa.

// CHECK-LABEL: func.func @move
// CHECK: "tir.reshape"(%{{.*}}) {shape = [4 : i32, 3 : i32, 2 : i32]}
// CHECK: "tir.transpose"(%{{.*}}) {order = [2 : i32, 0 : i32, 1 : i32]}
// CHECK: "tir.concat"(%{{.*}}) {axis = 1 : i32,
// CHECK: "tir.pad"(%{{.*}}) {constant_value = 2.500000e+00 : f32, paddings = [0 : i32, 1 : i32, 2 : i32, 0 : i32, 0 : i32, 0 : i32]}
// CHECK: "tir.strided_slice"(%{{.*}}) {begin = [1 : i32, 0 : i32, 2 : i32], end = [3 : i32, 10 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32]}
// CHECK: "tir.strided_slice"(%{{.*}}) {begin = [0 : i32, 9 : i32, 0 : i32], end = [2 : i32, -2147483648 : i32, 1 : i32], strides = [1 : i32, -1 : i32, 1 : i32]}
func.func @move(%x: tensor<2x3x4xf32>) -> tensor<2x10x1xf32> {
  %s = tosa.const_shape {values = dense<[4, 3, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %0 = tosa.reshape %x, %s : (tensor<2x3x4xf32>, !tosa.shape<3>) -> tensor<4x3x2xf32>
  %1 = tosa.transpose %0 {perms = array<i32: 2, 0, 1>} : (tensor<4x3x2xf32>) -> tensor<2x4x3xf32>
  %2 = tosa.concat %1, %1 {axis = 1 : i32} : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x8x3xf32>
  %p = tosa.const_shape {values = dense<[0, 1, 2, 0, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %v = "tosa.const"() <{values = dense<2.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %3 = tosa.pad %2, %p, %v : (tensor<2x8x3xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<3x10x3xf32>
  %b = tosa.const_shape {values = dense<[1, 0, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %e = tosa.const_shape {values = dense<[2, 10, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %4 = tosa.slice %3, %b, %e : (tensor<3x10x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x10x1xf32>
  %5 = tosa.reverse %4 {axis = 1 : i32} : (tensor<2x10x1xf32>) -> tensor<2x10x1xf32>
  return %5 : tensor<2x10x1xf32>
}

// CHECK-LABEL: func.func @tile
// CHECK: "tir.expand"(%{{.*}}) {shape = [2 : i32, 3 : i32, 5 : i32]}
// CHECK: "tir.reshape"(%{{.*}}) {shape = [2 : i32, 15 : i32]}
func.func @tile(%x: tensor<2x5xi8>) -> tensor<2x15xi8> {
  %s = tosa.const_shape {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.tile %x, %s : (tensor<2x5xi8>, !tosa.shape<2>) -> tensor<2x15xi8>
  return %0 : tensor<2x15xi8>
}

// More operands than tir.concat has are joined in groups.
// CHECK-LABEL: func.func @concat
// CHECK: "tir.concat"({{.*}}) {{.*}} -> tensor<16xf32>
// CHECK: "tir.concat"({{.*}}) {{.*}} -> tensor<17xf32>
func.func @concat(%x: tensor<1xf32>) -> tensor<17xf32> {
  %0 = tosa.concat %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x {axis = 0 : i32} : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<17xf32>
  return %0 : tensor<17xf32>
}

// Indices of the second image come after the rows of the first.
// CHECK-LABEL: func.func @gather
// CHECK: dense<{{\[}}[0], [5]]> : tensor<2x1xi32>
// CHECK: tir.add
// CHECK: "tir.gather"({{.*}}) {axis = 0 : i32} : (tensor<10x4xf32>, tensor<6xi32>) -> tensor<6x4xf32>
func.func @gather(%x: tensor<2x5x4xf32>, %i: tensor<2x3xi32>) -> tensor<2x3x4xf32> {
  %0 = tosa.gather %x, %i : (tensor<2x5x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @resize_centers
// CHECK: "tir.resize"({{.*}}) {half_pixel_centers = true, mode = "BILINEAR", size = [8 : i32, 8 : i32]}
func.func @resize_centers(%x: tensor<1x4x4x1xf32>) -> tensor<1x8x8x1xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<1x4x4x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x1xf32>
  return %0 : tensor<1x8x8x1xf32>
}

// CHECK-LABEL: func.func @resize_corners
// CHECK: "tir.resize"({{.*}}) {align_corners = true, mode = "BILINEAR", size = [7 : i32, 7 : i32]}
func.func @resize_corners(%x: tensor<1x4x4x1xf32>) -> tensor<1x7x7x1xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %o {mode = BILINEAR} : (tensor<1x4x4x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x1xf32>
  return %0 : tensor<1x7x7x1xf32>
}

// Elements that are repeated evenly are tir's nearest; others are picked.
// CHECK-LABEL: func.func @resize_nearest
// CHECK: "tir.resize"({{.*}}) {mode = "NEAREST", size = [4 : i32, 4 : i32]}
// CHECK: dense<[0, 1, 1, 2, 2, 3, 3]>
// CHECK: "tir.gather"({{.*}}) {axis = 1 : i32}
// CHECK: "tir.gather"({{.*}}) {axis = 2 : i32}
func.func @resize_nearest(%x: tensor<1x2x2x1xi8>) -> tensor<1x7x7x1xi8> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x2x2x1xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x4x1xi8>
  %1 = tosa.resize %0, %s, %z, %z {mode = NEAREST_NEIGHBOR} : (tensor<1x4x4x1xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x1xi8>
  return %1 : tensor<1x7x7x1xi8>
}
