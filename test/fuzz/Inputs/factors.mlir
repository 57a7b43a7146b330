func.func @main(%x: tensor<1x3x3x253xi8>) -> tensor<1x2x1x253xi8> {
  %0 = "tir.pool-fix"(%x) {exact = true, kernel = [3 : i32, 1 : i32], stride = [1 : i32, 2 : i32], type = "AVG"} : (tensor<1x3x3x253xi8>) -> tensor<1x2x1x253xi8>
  %w = "tir.const"() {value = dense<28> : tensor<253x1x1x253xi8>} : () -> tensor<253x1x1x253xi8>
  %1 = "tir.conv2d-fix"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], output_fix_point = -7 : i32} : (tensor<1x2x1x253xi8>, tensor<253x1x1x253xi8>) -> tensor<1x2x1x253xi8>
  return %1 : tensor<1x2x1x253xi8>
}
