func.func @tile(%x: tensor<2x5xi8>) -> tensor<2x15xi8> {
  %s = tosa.const_shape {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.tile %x, %s : (tensor<2x5xi8>, !tosa.shape<2>) -> tensor<2x15xi8>
  return %0 : tensor<2x15xi8>
}
