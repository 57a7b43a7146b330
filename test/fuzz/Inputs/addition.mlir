module {
  func.func @main(%arg0: tensor<1x4x5x433xi8>, %arg1: tensor<1x2x3x48xi8>) -> tensor<1x2x3x1xi8> {
    %0 = "tir.const"() {value = dense<-1> : tensor<48x1x3x433xi8>} : () -> tensor<48x1x3x433xi8>
    %1 = "tir.conv2d-fix"(%arg0, %0) {kernel = [3 : i32, 1 : i32], pad = [2 : i32, 1 : i32, 0 : i32, 0 : i32], stride = [2 : i32, 3 : i32]} : (tensor<1x4x5x433xi8>, tensor<48x1x3x433xi8>) -> tensor<1x2x3x48xi8>
    %2 = "tir.eltwise-fix"(%1, %arg1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, type = "ADD"} : (tensor<1x2x3x48xi8>, tensor<1x2x3x48xi8>) -> tensor<1x2x3x48xi8>
    %3 = "tir.const"() {value = dense<-97> : tensor<1x1x1x48xi8>} : () -> tensor<1x1x1x48xi8>
    %4 = "tir.conv2d-fix"(%2, %3) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x3x48xi8>, tensor<1x1x1x48xi8>) -> tensor<1x2x3x1xi8>
    return %4 : tensor<1x2x3x1xi8>
  }
}
