module {
  func.func @main(%arg0: tensor<1x3x10x1xi8>) -> tensor<1x2x22x1xi8> {
    %0 = "tir.const"() {value = dense<-111> : tensor<13x3x2x1xi8>} : () -> tensor<13x3x2x1xi8>
    %1 = "tir.transposed-conv2d-fix"(%arg0, %0) {kernel = [2 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x10x1xi8>, tensor<13x3x2x1xi8>) -> tensor<1x5x11x13xi8>
    %2 = "tir.upsample-fix"(%1) {scale = [2 : i32, 1 : i32]} : (tensor<1x5x11x13xi8>) -> tensor<1x5x22x13xi8>
    %3 = "tir.const"() {value = dense<125> : tensor<1x3x1x13xi8>} : () -> tensor<1x3x1x13xi8>
    %4 = "tir.conv2d-fix"(%2, %3) {kernel = [1 : i32, 3 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 2 : i32], stride = [1 : i32, 4 : i32]} : (tensor<1x5x22x13xi8>, tensor<1x3x1x13xi8>) -> tensor<1x2x22x1xi8>
    return %4 : tensor<1x2x22x1xi8>
  }
}
