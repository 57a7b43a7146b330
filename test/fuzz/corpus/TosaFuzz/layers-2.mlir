func.func @transpose_conv2d(%x: tensor<1x4x4x1xf32>) -> tensor<1x8x7x1xf32> {
  %w = "tosa.const"() <{values = dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>}> : () -> tensor<1x2x2x1xf32>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %b, %b {acc_type = f32, out_pad = array<i64: -1, 1, 0, -1>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x7x1xf32>
  return %0 : tensor<1x8x7x1xf32>
}
