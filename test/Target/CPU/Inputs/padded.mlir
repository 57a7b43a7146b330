func.func @padded(%x: tensor<1x20x20x32xf32>) -> tensor<1x20x20x32xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<32x3x3x32xf32>} : () -> tensor<32x3x3x32xf32>
  %b = "tir.const"() {value = dense<0.5> : tensor<32xf32>} : () -> tensor<32xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], group = 1 : i32} : (tensor<1x20x20x32xf32>, tensor<32x3x3x32xf32>, tensor<32xf32>) -> tensor<1x20x20x32xf32>
  return %0 : tensor<1x20x20x32xf32>
}
