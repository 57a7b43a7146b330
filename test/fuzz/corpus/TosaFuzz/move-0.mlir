func.func @move(%x: tensor<2x3x4xf32>) -> tensor<2x10x1xf32> {
  %s = tosa.const_shape {values = dense<[4, 3, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %0 = tosa.reshape %x, %s : (tensor<2x3x4xf32>, !tosa.shape<3>) -> tensor<4x3x2xf32>
  %1 = tosa.transpose %0 {perms = array<i32: 2, 0, 1>} : (tensor<4x3x2xf32>) -> tensor<2x4x3xf32>
  %2 = tosa.concat %1, %1 {axis = 1 : i32} : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x8x3xf32>
  %p = tosa.const_shape {values = dense<[0, 1, 2, 0, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %v = "tosa.const"() <{values = dense<2.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %3 = tosa.pad %2, %p, %v : (tensor<2x8x3xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<3x10x3xf32>
  %b = tosa.const_shape {values = dense<[1, 0, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %e = tosa.const_shape {values = dense<[2, 10, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %4 = tosa.slice %3, %b, %e : (tensor<3x10x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x10x1xf32>
  %5 = tosa.reverse %4 {axis = 1 : i32} : (tensor<2x10x1xf32>) -> tensor<2x10x1xf32>
  return %5 : tensor<2x10x1xf32>
}
