func.func @truth(%x: tensor<2x3xi1>) -> tensor<1x1xi1> {
  %0 = tosa.reduce_any %x {axis = 0 : i32} : (tensor<2x3xi1>) -> tensor<1x3xi1>
  %1 = tosa.reduce_all %0 {axis = 1 : i32} : (tensor<1x3xi1>) -> tensor<1x1xi1>
  return %1 : tensor<1x1xi1>
}
