func.func @unary(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = tosa.ceil %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = tosa.erf %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = tosa.exp %2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = tosa.floor %3 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = tosa.log %4 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = tosa.rsqrt %5 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = tosa.sigmoid %6 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = tosa.tanh %7 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = tosa.identity %8 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %9 : tensor<2x3xf32>
}
