func.func @main(%x: tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<2x2x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<2x2x2x1xf32>
  return %0 : tensor<2x2x2x1xf32>
}
