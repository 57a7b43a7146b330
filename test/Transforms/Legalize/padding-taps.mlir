// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize

// As in a pyramid of dilated convolutions on a small map: the middle is left.
// CHECK-LABEL: func.func @middle
// CHECK: tir.conv2d"(%arg0, {{.*}}dilation = [1 : i32, 1 : i32], kernel = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]
func.func @middle(%x: tensor<1x4x5x2xf32>) -> tensor<1x4x5x3xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]], [[13.0, 14.0], [15.0, 16.0], [17.0, 18.0]]], [[[1.5, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.5, 8.0], [9.5, 10.0], [11.0, 12.0]], [[13.0, 14.0], [15.0, 16.0], [17.0, 18.0]]], [[[1.0, 2.5], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.5], [9.0, 10.5], [11.0, 12.0]], [[13.0, 14.0], [15.0, 16.0], [17.0, 18.0]]]]> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %y = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [6 : i32, 6 : i32], pad = [6 : i32, 6 : i32, 6 : i32, 6 : i32]} : (tensor<1x4x5x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x4x5x3xf32>
  return %y : tensor<1x4x5x3xf32>
}

// Along one axis; and what only the first positions miss stays.
// CHECK-LABEL: func.func @rows
// CHECK: tir.depthwise-conv2d-fix"(%arg0, {{.*}}dilation = [2 : i32, 1 : i32], {{.*}}kernel = [3 : i32, 1 : i32]{{.*}}pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32]
func.func @rows(%x: tensor<1x2x5x2xi8>) -> tensor<1x2x5x2xi8> {
  %w = "tir.const"() {value = dense<[[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]], [[13, 14], [15, 16], [17, 18]]]]> : tensor<1x3x3x2xi8>} : () -> tensor<1x3x3x2xi8>
  %y = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], weight_fix_point = 4 : i32} : (tensor<1x2x5x2xi8>, tensor<1x3x3x2xi8>) -> tensor<1x2x5x2xi8>
  return %y : tensor<1x2x5x2xi8>
}

// Windows of a stride: element 0 meets the image at the last position.
// CHECK-LABEL: func.func @stride
// CHECK: kernel = [2 : i32, 2 : i32]
func.func @stride(%x: tensor<1x4x4x1xf32>) -> tensor<1x3x3x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %y = "tir.conv2d"(%x, %w) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], dilation = [3 : i32, 3 : i32], pad = [3 : i32, 1 : i32, 3 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  return %y : tensor<1x3x3x1xf32>
}

// Its first window would meet padding alone, which no engine takes.
// CHECK-LABEL: func.func @corner
// CHECK: kernel = [2 : i32, 2 : i32]
func.func @corner(%x: tensor<1x3x3x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %y = "tir.conv2d"(%x, %w) {kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 3 : i32], pad = [2 : i32, 0 : i32, 2 : i32, 0 : i32]} : (tensor<1x3x3x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  return %y : tensor<1x2x2x1xf32>
}
