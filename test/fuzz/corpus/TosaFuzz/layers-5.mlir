func.func @reductions(%x: tensor<2x3x4xf32>) -> tensor<2x1x1xf32> {
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %1 = tosa.reduce_max %0 {axis = 2 : i32} : (tensor<2x1x4xf32>) -> tensor<2x1x1xf32>
  %2 = tosa.reduce_min %1 {axis = 2 : i32} : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  return %2 : tensor<2x1x1xf32>
}
