// A signal that is gated by its own mean, and the mean of that over a length that
// takes two pools.
func.func @main(%x: tensor<1x1x500x8xf32>) -> tensor<1x8xf32> {
  %w = "tir.const"() {value = dense<0.3> : tensor<8x1x3x8xf32>} : () -> tensor<8x1x3x8xf32>
  %v = "tir.const"() {value = dense<0.2> : tensor<8x8xf32>} : () -> tensor<8x8xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], op_name = "first"} : (tensor<1x1x500x8xf32>, tensor<8x1x3x8xf32>) -> tensor<1x1x500x8xf32>
  %1 = "tir.relu"(%0) {op_name = "relu"} : (tensor<1x1x500x8xf32>) -> tensor<1x1x500x8xf32>
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 500 : i32, 8 : i32]} : (tensor<1x1x500x8xf32>) -> tensor<1x500x8xf32>
  %3 = "tir.reduction_mean"(%2) {axis = [1 : i32], keep_dims = false, op_name = "squeeze"} : (tensor<1x500x8xf32>) -> tensor<1x8xf32> loc("squeeze")
  %4 = "tir.matmul"(%3, %v) {op_name = "excite"} : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
  %5 = "tir.hard-sigmoid"(%4) {op_name = "gate"} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %6 = "tir.reshape"(%5) {shape = [1 : i32, 1 : i32, 8 : i32]} : (tensor<1x8xf32>) -> tensor<1x1x8xf32>
  %7 = "tir.mul"(%2, %6) {op_name = "gated"} : (tensor<1x500x8xf32>, tensor<1x1x8xf32>) -> tensor<1x500x8xf32>
  %8 = "tir.reduction_mean"(%7) {axis = [1 : i32], keep_dims = false, op_name = "mean"} : (tensor<1x500x8xf32>) -> tensor<1x8xf32> loc("mean")
  return %8 : tensor<1x8xf32>
}
