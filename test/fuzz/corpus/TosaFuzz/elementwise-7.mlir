func.func @truth(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.equal %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = tosa.greater %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = tosa.greater_equal %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = tosa.logical_and %0, %1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %4 = tosa.logical_or %3, %2 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %5 = tosa.logical_xor %4, %2 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %6 = tosa.logical_not %5 : (tensor<4xi1>) -> tensor<4xi1>
  %7 = tosa.select %6, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}
