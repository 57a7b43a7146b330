func.func @relu(%x: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %0 = "tir.relu"(%x) {op_name = "first"} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}
