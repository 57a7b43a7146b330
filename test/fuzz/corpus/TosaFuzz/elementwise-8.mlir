func.func @cast(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi8>
  %1 = tosa.cast %0 : (tensor<4xi8>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
