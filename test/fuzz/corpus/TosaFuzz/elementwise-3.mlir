func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.reciprocal %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
