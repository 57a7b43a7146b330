func.func @custom(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = tosa.custom %x {operator_name = "shuffle", domain_name = "mine", implementation_attrs = "x=1"} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
