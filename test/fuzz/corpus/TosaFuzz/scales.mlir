// CHECK-LABEL: func.func @net
// An input of zero point -128 goes from 0 to 127/128, so that weights have
// 2^-5 * 2^-7 / 0.00389.
// CHECK: "tir.qlinear-conv2d"{{.*}} input_scale = 0.00389093137 : f32
// CHECK-SAME: multiplier = [1073741824 : i32]
// CHECK-SAME: output_scale = 7.812500e-03 : f32
// CHECK-SAME: shift = [35 : i32]
// CHECK-SAME: weight_scale = [0.0627460629 : f32]
// Integers that are only moved keep their scale; sums of 16 are means at a 16th.
// CHECK: tir.reduction_sum
// CHECK-SAME: axis = [2 : i32, 1 : i32]
// CHECK: "tir.qlinear-requantize"{{.*}} input_scale = 4.8828125E-4 : f32
// CHECK-SAME: output_scale = 7.812500e-03 : f32

// FIX-LABEL: func.func @net
// FIX: tir.conv2d-fix
// FIX: tir.clip
// FIX-SAME: max = 3.906250e-01 : f32, min = -1.562500e-01 : f32
// FIX: tir.relu-fix
// FIX: tir.concat-fix
// FIX: tir.reduction_mean-fix
// FIX-NOT: qlinear
// FIX: tir.quantize-linear
// FIX-SAME: scale = [7.812500e-03 : f32]
func.func @net(%x: tensor<1x4x4x4xi8>) -> tensor<1x12xi8> {
  %w = "tosa.const"() <{values = dense<3> : tensor<4x1x1x4xi8>}> : () -> tensor<4x1x1x4xi8>
  %b = "tosa.const"() <{values = dense<7> : tensor<4xi32>}> : () -> tensor<4xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %zx = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<35> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s30 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s34 = "tosa.const"() <{values = dense<34> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %zx, %z {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = i32} : (tensor<1x4x4x4xi8>, tensor<4x1x1x4xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4xi32>
  %1 = tosa.rescale %0, %m, %s, %z32, %z {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x4xi8>
  %2 = tosa.clamp %1 {min_val = -20 : i8, max_val = 50 : i8} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %3 = tosa.clamp %1 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %4 = tosa.reverse %2 {axis = 1 : i32} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %5 = tosa.concat %4, %3, %1 {axis = 3 : i32} : (tensor<1x4x4x4xi8>, tensor<1x4x4x4xi8>, tensor<1x4x4x4xi8>) -> tensor<1x4x4x12xi8>
  %6 = tosa.rescale %5, %m, %s30, %z, %z32 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x12xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x12xi32>
  %7 = tosa.reduce_sum %6 {axis = 1 : i32} : (tensor<1x4x4x12xi32>) -> tensor<1x1x4x12xi32>
  %8 = tosa.reduce_sum %7 {axis = 2 : i32} : (tensor<1x1x4x12xi32>) -> tensor<1x1x1x12xi32>
  %9 = tosa.rescale %8, %m, %s34, %z32, %z {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x1x1x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x12xi8>
  %sh = tosa.const_shape {values = dense<[1, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %10 = tosa.reshape %9, %sh : (tensor<1x1x1x12xi8>, !tosa.shape<2>) -> tensor<1x12xi8>
  return %10 : tensor<1x12xi8>
}
