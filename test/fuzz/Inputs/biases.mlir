module {
  func.func @main(%arg0: tensor<1x4x2x17xi8>) -> tensor<1x2x2x1xi8> {
    %0 = "tir.const"() {value = dense<-114> : tensor<1xi8>} : () -> tensor<1xi8>
    %1 = "tir.depthwise-fix"(%arg0, %0) {nonlinear = "RELU6", type = "ADD"} : (tensor<1x4x2x17xi8>, tensor<1xi8>) -> tensor<1x4x2x17xi8>
    %2 = "tir.const"() {value = dense<-79> : tensor<1x2x3x17xi8>} : () -> tensor<1x2x3x17xi8>
    %3 = "tir.const"() {value = dense<-99> : tensor<17xi8>} : () -> tensor<17xi8>
    %4 = "tir.depthwise-conv2d-fix"(%1, %2, %3) {dilation = [2 : i32, 2 : i32], kernel = [3 : i32, 2 : i32], pad = [0 : i32, 4 : i32, 0 : i32, 0 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x2x17xi8>, tensor<1x2x3x17xi8>, tensor<17xi8>) -> tensor<1x2x2x17xi8>
    %5 = "tir.const"() {value = dense<-126> : tensor<1x1x1x17xi8>} : () -> tensor<1x1x1x17xi8>
    %6 = "tir.conv2d-fix"(%4, %5) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x17xi8>, tensor<1x1x1x17xi8>) -> tensor<1x2x2x1xi8>
    return %6 : tensor<1x2x2x1xi8>
  }
}
