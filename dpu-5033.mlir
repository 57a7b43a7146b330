// GraphFuzz --mode=dpu --seed=5033 --target=DPUCZDX8G_ISA1_B4096 --engines=fastest ./dpu-5033.mlir
// strict: instruction 32 (END      0010 0010): unused: bytes 4 to 31 of register 0, between parameters that are loaded, are never loaded
module {
  func.func @main(%arg0: tensor<1x1x8x1xi8>) -> tensor<1x1x4x1xi8> {
    %0 = "tir.const"() {value = dense<21> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
    %1 = "tir.depthwise-conv2d-fix"(%arg0, %0) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x8x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x1x8x1xi8>
    %2 = "tir.const"() {value = dense<2> : tensor<1x3x3x1xi8>} : () -> tensor<1x3x3x1xi8>
    %3 = "tir.conv2d-fix"(%1, %2) {kernel = [3 : i32, 3 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 2 : i32], stride = [3 : i32, 1 : i32]} : (tensor<1x1x8x1xi8>, tensor<1x3x3x1xi8>) -> tensor<1x1x4x1xi8>
    return %3 : tensor<1x1x4x1xi8>
  }
}
