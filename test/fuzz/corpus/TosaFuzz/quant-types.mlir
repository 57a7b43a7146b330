func.func private @d(tensor<4xf32>)
func.func @main(%x: tensor<?x4x2x!quant.uniform<i8:f32, 0.25:3>>, %u: tensor<4x!quant.uniform<u8:f32, 0.5>>) -> (tensor<?x4x2x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x!quant.any<i8<-8:7>>>) {
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<?x4x2x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<?x4x2x!quant.uniform<i8:f32, 0.25:3>>
  %c = "tosa.const"() <{values = dense<1> : tensor<4xi8>}> : () -> tensor<4x!quant.any<i8<-8:7>>>
  return %0, %c : tensor<?x4x2x!quant.uniform<i8:f32, 0.25:3>>, tensor<4x!quant.any<i8<-8:7>>>
}
