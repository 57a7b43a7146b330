func.func @pools(%x: tensor<1x8x8x2xf32>) -> tensor<1x2x3x2xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 3>, stride = array<i64: 2, 1>, pad = array<i64: 0, 0, 1, 0>} : (tensor<1x8x8x2xf32>) -> tensor<1x4x7x2xf32>
  %1 = tosa.avg_pool2d %0, %z, %z {kernel = array<i64: 2, 3>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32} : (tensor<1x4x7x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3x2xf32>
  return %1 : tensor<1x2x3x2xf32>
}
