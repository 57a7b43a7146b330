func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {
  %r = "tir.custom"(%0) {op_type = "scatter", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
