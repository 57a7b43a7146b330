func.func @clamp_integers(%x: tensor<4xi8>, %y: tensor<4xi32>) -> (tensor<4xi8>, tensor<4xi32>) {
  %0 = tosa.clamp %x {min_val = -3 : i8, max_val = 12 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  %1 = tosa.clamp %0 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  %2 = tosa.clamp %1 {min_val = -128 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  %3 = tosa.clamp %y {min_val = 16777217 : i32, max_val = 2147483647 : i32} : (tensor<4xi32>) -> tensor<4xi32>
  return %2, %3 : tensor<4xi8>, tensor<4xi32>
}
