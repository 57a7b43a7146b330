func.func @main(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = "tir.relu"(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
