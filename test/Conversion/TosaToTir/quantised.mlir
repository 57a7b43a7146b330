// RUN: xc-opt %s --convert-tosa-to-tir | FileCheck %s
// RUN: xc-opt %s --convert-tosa-to-tir | xc-opt | FileCheck %s

// CHECK-NOT: tosa.

// A convolution, its rescale per channel and the clamp become one operator.
// CHECK-LABEL: func.func @conv
// CHECK: "tir.qlinear-conv2d"({{.*}}) {{{.*}}flavor = "TFLITE"{{.*}}input_zero_point = -128 : i32{{.*}}multiplier = [1518500250 : i32, 1200000000 : i32]{{.*}}nonlinear = "RELU"{{.*}}output_zero_point = -10 : i32{{.*}}shift = [40 : i32, 41 : i32]
// CHECK-SAME: -> tensor<1x4x4x2xi8>
// CHECK-NEXT: return
func.func @conv(%x: tensor<1x4x4x3xi8>) -> tensor<1x4x4x2xi8> {
  %w = "tosa.const"() <{values = dense<3> : tensor<2x1x1x3xi8>}> : () -> tensor<2x1x1x3xi8>
  %b = "tosa.const"() <{values = dense<[5, 6]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %iz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<-10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<[1518500250, 1200000000]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %s = "tosa.const"() <{values = dense<[40, 41]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %0 = tosa.conv2d %x, %w, %b, %iz, %wz {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x3xi8>, tensor<2x1x1x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %1 = tosa.rescale %0, %m, %s, %z, %oz {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %2 = tosa.clamp %1 {min_val = -10 : i8, max_val = 127 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %2 : tensor<1x4x4x2xi8>
}

// A clamp that others do not see past stays; so does one from elsewhere on.
// CHECK-LABEL: func.func @matmul
// CHECK: "tir.qlinear-matmul"({{.*}}) {{{.*}}nonlinear = "NONE"{{.*}}single_round = true{{.*}}weight_zero_point = [2 : i32]
// CHECK: "tir.clip"({{.*}}) {max = 6.000000e+01 : f32, min = -3.000000e+00 : f32}
func.func @matmul(%a: tensor<1x2x3xi8>, %b: tensor<1x3x4xi8>) -> tensor<1x2x4xi8> {
  %az = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %bz = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1518500250> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.matmul %a, %b, %az, %bz : (tensor<1x2x3xi8>, tensor<1x3x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x4xi32>
  %1 = tosa.rescale %0, %m, %s, %z, %oz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x2x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x2x4xi8>
  %2 = tosa.clamp %1 {min_val = -3 : i8, max_val = 60 : i8} : (tensor<1x2x4xi8>) -> tensor<1x2x4xi8>
  return %2 : tensor<1x2x4xi8>
}

// Means about another zero point than 0 go through 16 bits.
// CHECK-LABEL: func.func @average
// CHECK: "tir.qlinear-requantize"({{.*}} : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi16>
// CHECK: tir.qlinear-pool
// CHECK: "tir.qlinear-requantize"({{.*}} : (tensor<1x2x2x1xi16>) -> tensor<1x2x2x1xi8>
func.func @average(%x: tensor<1x4x4x1xi8>) -> tensor<1x2x2x1xi8> {
  %z = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = i32, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi8>
  return %0 : tensor<1x2x2x1xi8>
}
