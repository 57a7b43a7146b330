func.func @main(%x: tensor<2x4xi32>, %s: tensor<1x4xi32>) -> (tensor<2x4xi32>, tensor<2x1xi32>, tensor<2x4xi8>) {
  %t = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %m = "tosa.const"() <{values = dense<[1073741824, 3, 5, 7]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %h = "tosa.const"() <{values = dense<[40, 2, 30, 62]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %o = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.arithmetic_right_shift %x, %s {round = true} : (tensor<2x4xi32>, tensor<1x4xi32>) -> tensor<2x4xi32>
  %1 = tosa.clz %0 : (tensor<2x4xi32>) -> tensor<2x4xi32>
  %2 = tosa.logical_left_shift %x, %1 : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
  %3 = tosa.mul %2, %x, %t : (tensor<2x4xi32>, tensor<2x4xi32>, tensor<1xi8>) -> tensor<2x4xi32>
  %4 = tosa.reduce_product %3 {axis = 1 : i32} : (tensor<2x4xi32>) -> tensor<2x1xi32>
  %5 = tosa.rescale %x, %m, %h, %z, %o {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<2x4xi32>, tensor<4xi32>, tensor<4xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x4xi8>
  return %3, %4, %5 : tensor<2x4xi32>, tensor<2x1xi32>, tensor<2x4xi8>
}
