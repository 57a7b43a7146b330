func.func @conv2d(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x14x5xf32> {
  %w = "tosa.const"() <{values = dense<0.5> : tensor<5x3x2x3xf32>}> : () -> tensor<5x3x2x3xf32>
  %b = "tosa.const"() <{values = dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>}> : () -> tensor<5xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {pad = array<i64: 1, 2, 3, 4>, stride = array<i64: 2, 1>, dilation = array<i64: 2, 1>, acc_type = f32} : (tensor<1x8x8x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x14x5xf32>
  return %0 : tensor<1x4x14x5xf32>
}
