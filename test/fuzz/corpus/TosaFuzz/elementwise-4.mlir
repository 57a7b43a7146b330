func.func @clamp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 3.4028234663852886e38 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tosa.clamp %1 {min_val = -1.0 : f32, max_val = 3.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
