func.func @f() -> tensor<4xf32> {
  %0 = "tir.const"() {path = "weights.bin"} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
