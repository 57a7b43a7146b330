func.func @gather(%x: tensor<2x5x4xf32>, %i: tensor<2x3xi32>) -> tensor<2x3x4xf32> {
  %0 = tosa.gather %x, %i : (tensor<2x5x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}
