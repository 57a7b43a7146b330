// RUN: xc-opt %s --convert-tosa-to-tir | FileCheck %s
// RUN: xc-opt %s --pass-pipeline='builtin.module(func.func(convert-tosa-to-tir),func.func(tir-canonicalize))' \
// RUN:   -o /dev/null

// CHECK-NOT: tosa.

// Sides of TOSA are top, bottom, left, right; pairs are height first.
// CHECK-LABEL: func.func @conv2d
// CHECK: "tir.conv2d"(%{{.*}}) {dilation = [1 : i32, 2 : i32], kernel = [2 : i32, 3 : i32], pad = [3 : i32, 4 : i32, 1 : i32, 2 : i32], stride = [1 : i32, 2 : i32]}
func.func @conv2d(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x14x5xf32> {
  %w = "tosa.const"() <{values = dense<0.5> : tensor<5x3x2x3xf32>}> : () -> tensor<5x3x2x3xf32>
  %b = "tosa.const"() <{values = dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>}> : () -> tensor<5xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {pad = array<i64: 1, 2, 3, 4>, stride = array<i64: 2, 1>, dilation = array<i64: 2, 1>, acc_type = f32} : (tensor<1x8x8x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x14x5xf32>
  return %0 : tensor<1x4x14x5xf32>
}

// One bias for all channels is repeated; weights [KH, KW, C, M] become
// [M, KH, KW, C].
// CHECK-LABEL: func.func @depthwise
// CHECK: dense<5.000000e-01> : tensor<4xf32>
// CHECK: dense<{{\[\[\[\[}}1.000000e+00, 3.000000e+00]]], {{\[\[\[}}2.000000e+00, 4.000000e+00]]]]> : tensor<2x1x1x2xf32>
// CHECK: tir.depthwise-conv2d
func.func @depthwise(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x4xf32> {
  %w = "tosa.const"() <{values = dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>}> : () -> tensor<1x1x2x2xf32>
  %b = "tosa.const"() <{values = dense<0.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32} : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// The filter turns around; what out_pad takes away is cut off, what it adds
// comes after the last row.
// CHECK-LABEL: func.func @transpose_conv2d
// CHECK: dense<{{\[\[\[\[}}4.000000e+00], [3.000000e+00]], {{\[\[}}2.000000e+00], [1.000000e+00]]]]>
// CHECK: "tir.transposed-conv2d"(%{{.*}}) {{{.*}}output_padding = [0 : i32, 1 : i32], pad = [0 : i32, 1 : i32, 1 : i32, 0 : i32], stride = [2 : i32, 2 : i32]}
func.func @transpose_conv2d(%x: tensor<1x4x4x1xf32>) -> tensor<1x8x7x1xf32> {
  %w = "tosa.const"() <{values = dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>}> : () -> tensor<1x2x2x1xf32>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %b, %b {acc_type = f32, out_pad = array<i64: -1, 1, 0, -1>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x7x1xf32>
  return %0 : tensor<1x8x7x1xf32>
}

// CHECK-LABEL: func.func @pools
// CHECK: "tir.maxpool2d"(%{{.*}}) {kernel = [3 : i32, 2 : i32], pad = [1 : i32, 0 : i32, 0 : i32, 0 : i32], stride = [1 : i32, 2 : i32]}
// CHECK: "tir.avgpool2d"
func.func @pools(%x: tensor<1x8x8x2xf32>) -> tensor<1x2x3x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 3>, stride = array<i64: 2, 1>, pad = array<i64: 0, 0, 1, 0>} : (tensor<1x8x8x2xf32>) -> tensor<1x4x7x2xf32>
  %1 = tosa.avg_pool2d %0, %z, %z {kernel = array<i64: 2, 3>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32} : (tensor<1x4x7x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3x2xf32>
  return %1 : tensor<1x2x3x2xf32>
}

// CHECK-LABEL: func.func @products
// CHECK: tir.matmul
// CHECK: "tir.argmax"(%{{.*}}) {axis = 2 : i32} {{.*}} -> tensor<2x3xi32>
// Zero points of floats can only be 0.
func.func @products(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %z: tensor<1xf32>) -> tensor<2x3xi32> {
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
  %1 = tosa.argmax %0 {axis = 2 : i32} : (tensor<2x3x5xf32>) -> tensor<2x3xi32>
  return %1 : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @reductions
// CHECK: "tir.reduction_sum"(%{{.*}}) {axis = [1 : i32], keep_dims = true}
// CHECK: tir.reduction_max
// CHECK: tir.neg
// CHECK: tir.reduction_max
// CHECK: tir.neg
func.func @reductions(%x: tensor<2x3x4xf32>) -> tensor<2x1x1xf32> {
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %1 = tosa.reduce_max %0 {axis = 2 : i32} : (tensor<2x1x4xf32>) -> tensor<2x1x1xf32>
  %2 = tosa.reduce_min %1 {axis = 2 : i32} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  return %2 : tensor<2x1x1xf32>
}

// CHECK-LABEL: func.func @truth
// CHECK: tir.reduction_max
// CHECK: tir.sub
// CHECK: tir.reduction_max
// CHECK: tir.sub
func.func @truth(%x: tensor<2x3xi1>) -> tensor<1x1xi1> {
  %0 = tosa.reduce_any %x {axis = 0 : i32} : (tensor<2x3xi1>) -> tensor<1x3xi1>
  %1 = tosa.reduce_all %0 {axis = 1 : i32} : (tensor<1x3xi1>) -> tensor<1x1xi1>
  return %1 : tensor<1x1xi1>
}

// Weights and a bias that are no constants: the filter turns around by slices,
// the bias is expanded.
// CHECK-LABEL: func.func @arguments
// CHECK: "tir.expand"({{.*}}) {shape = [3 : i32]}
// CHECK-COUNT-2: tir.strided_slice
// CHECK: tir.transposed-conv2d
func.func @arguments(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x2x2xf32>, %b: tensor<1xf32>) -> tensor<1x5x5x3xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5x3xf32>
  return %0 : tensor<1x5x5x3xf32>
}

// Between elements at places that no flag of tir.resize gives.
// CHECK-LABEL: func.func @between
// CHECK-COUNT-4: tir.gather
// CHECK-NOT: tir.resize
func.func @between(%x: tensor<1x4x4x2xf32>) -> tensor<1x7x7x2xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x2xf32>
  return %0 : tensor<1x7x7x2xf32>
}

// Limits of unsigned integers.
// CHECK-LABEL: func.func @unsigned_limits
// CHECK: "tir.clip"({{.*}}) {max = 2.000000e+02 : f32, min = 3.000000e+00 : f32}
func.func @unsigned_limits(%x: tensor<4xui8>) -> tensor<4xui8> {
  %0 = tosa.clamp %x {min_val = 3 : ui8, max_val = 200 : ui8} : (tensor<4xui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// Rows before the result and beyond a stride after it hold the bias.
// CHECK-LABEL: func.func @bordered
// CHECK: tir.transposed-conv2d
// CHECK-SAME: output_padding = [0 : i32, 0 : i32], pad = [1 : i32, 0 : i32, 0 : i32, 0 : i32]
// CHECK: "tir.pad"({{.*}}) {{.*}}paddings = [0 : i32, 0 : i32, 1 : i32, 2 : i32, 0 : i32, 3 : i32, 0 : i32, 0 : i32]
// CHECK: tir.add
func.func @bordered(%x: tensor<1x4x4x2xf32>) -> tensor<1x10x10x1xf32> {
  %w = "tosa.const"() <{values = dense<1.0> : tensor<1x1x2x2xf32>}> : () -> tensor<1x1x2x2xf32>
  %b = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 1, 2, -1, 3>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x10x1xf32>
  return %0 : tensor<1x10x10x1xf32>
}

// A declaration has nothing to convert.
// CHECK: func.func private @declared
func.func private @declared(tensor<4xf32>)
