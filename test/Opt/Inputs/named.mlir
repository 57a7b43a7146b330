func.func @f(%x: tensor<4xi8>) -> tensor<4xi8> {
  %0 = "tir.relu"(%x) : (tensor<4xi8>) -> tensor<4xi8> loc("conv1")
  %1 = "tir.const"() {value = dense<[1, 2, 3, 4]> : tensor<4xi8>} : () -> tensor<4xi8>
  %2 = "tir.const"() {value = dense_resource<blob> : tensor<4xi8>} : () -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
{-# dialect_resources: { builtin: { blob: "0x0800000001020304" } } #-}
