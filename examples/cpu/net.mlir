// A convolution that averages 2x2 windows of two channels, then ReLU.
func.func @net(%image: tensor<1x4x4x2xf32>) -> tensor<1x3x3x1xf32>
    attributes {input_names = ["image"], output_names = ["features"]} {
  %weights = "tir.const"() {value = dense<0.125> : tensor<1x2x2x2xf32>} : () -> tensor<1x2x2x2xf32>
  %bias = "tir.const"() {value = dense<-1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %sum = "tir.conv2d"(%image, %weights, %bias) {kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<1x2x2x2xf32>, tensor<1xf32>) -> tensor<1x3x3x1xf32>
  %features = "tir.relu"(%sum) : (tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  return %features : tensor<1x3x3x1xf32>
}
