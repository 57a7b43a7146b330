func.func @f(%x: tensor<4xf32>) -> tensor<5xf32> {
  %0 = "tir.relu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
