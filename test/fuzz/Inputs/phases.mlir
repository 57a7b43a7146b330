module {
  func.func @main(%arg0: tensor<1x10x9x1xi8>) -> tensor<1x7x7x13xi8> {
    %0 = "tir.argmax-fix"(%arg0) {axis = -1 : i32, keep_dims = true} : (tensor<1x10x9x1xi8>) -> tensor<1x10x9x1xi8>
    %1 = "tir.const"() {value = dense<93> : tensor<13x2x3x1xi8>} : () -> tensor<13x2x3x1xi8>
    %2 = "tir.conv2d-fix"(%0, %1) {bias_fix_points = [0 : i32, 0 : i32, 0 : i32], dilation = [1 : i32, 3 : i32], fix_point_channels = 5 : i32, kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x10x9x1xi8>, tensor<13x2x3x1xi8>) -> tensor<1x7x7x13xi8>
    return %2 : tensor<1x7x7x13xi8>
  }
}
