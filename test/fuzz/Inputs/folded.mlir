module {
  func.func @main(%arg0: tensor<1x3x4x1905xi8>) -> tensor<1x1x3x1xi8> {
    %0 = "tir.const"() {value = dense<-15> : tensor<2x3x3x1905xi8>} : () -> tensor<2x3x3x1905xi8>
    %1 = "tir.conv2d-fix"(%arg0, %0) {kernel = [3 : i32, 3 : i32], pad = [0 : i32, 1 : i32, 0 : i32, 0 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x4x1905xi8>, tensor<2x3x3x1905xi8>) -> tensor<1x1x3x2xi8>
    %2 = "tir.const"() {value = dense<-66> : tensor<1x2x3x2xi8>} : () -> tensor<1x2x3x2xi8>
    %3 = "tir.conv2d-fix"(%1, %2) {kernel = [3 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 1 : i32, 0 : i32], stride = [2 : i32, 1 : i32]} : (tensor<1x1x3x2xi8>, tensor<1x2x3x2xi8>) -> tensor<1x1x3x1xi8>
    return %3 : tensor<1x1x3x1xi8>
  }
}
