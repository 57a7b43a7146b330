// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize

// Each reader has one half of the channels of both convolutions. The halves of these
// constants are equal, so one of each is left.
// CHECK-LABEL: func.func @halves
// CHECK-NOT: tir.reshape
// CHECK-NOT: tir.strided_slice
// CHECK: %[[A:.*]] = "tir.conv2d"(%arg0{{.*}} -> tensor<1x28x28x32xf32>
// CHECK: %[[B:.*]] = "tir.conv2d"(%arg0{{.*}} -> tensor<1x28x28x32xf32>
// CHECK-NEXT: %[[BOTH:.*]] = "tir.concat"(%[[A]], %[[B]]) {axis = 3
// CHECK: %[[Y:.*]] = "tir.conv2d"(%[[BOTH]],
// CHECK-NEXT: return %[[Y]], %[[Y]]
func.func @halves(%x: tensor<1x28x28x16xf32>) -> (tensor<1x28x28x16xf32>, tensor<1x28x28x16xf32>) {
  %u = "tir.const"() {value = dense<0.5> : tensor<64x1x1x16xf32>} : () -> tensor<64x1x1x16xf32>
  %v = "tir.const"() {value = dense<0.25> : tensor<64x1x1x16xf32>} : () -> tensor<64x1x1x16xf32>
  %w = "tir.const"() {value = dense<0.125> : tensor<16x1x1x64xf32>} : () -> tensor<16x1x1x64xf32>
  %a = "tir.conv2d"(%x, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x28x28x16xf32>, tensor<64x1x1x16xf32>) -> tensor<1x28x28x64xf32>
  %b = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x28x28x16xf32>, tensor<64x1x1x16xf32>) -> tensor<1x28x28x64xf32>
  %c = "tir.concat"(%a, %b) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x64xf32>, tensor<1x28x28x64xf32>) -> tensor<1x28x28x128xf32>
  %d = "tir.reshape"(%c) {shape = [1 : i32, 28 : i32, 28 : i32, 2 : i32, 64 : i32]} : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x2x64xf32>
  %e = "tir.transpose"(%d) {order = [0 : i32, 1 : i32, 2 : i32, 4 : i32, 3 : i32]} : (tensor<1x28x28x2x64xf32>) -> tensor<1x28x28x64x2xf32>
  %f = "tir.reshape"(%e) {shape = [1 : i32, 28 : i32, 28 : i32, 128 : i32]} : (tensor<1x28x28x64x2xf32>) -> tensor<1x28x28x128xf32>
  %g = "tir.strided_slice"(%f) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 28 : i32, 28 : i32, 64 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x64xf32>
  %h = "tir.strided_slice"(%f) {begin = [0 : i32, 0 : i32, 0 : i32, 64 : i32], end = [1 : i32, 28 : i32, 28 : i32, 128 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x64xf32>
  %y = "tir.conv2d"(%g, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x28x28x64xf32>, tensor<16x1x1x64xf32>) -> tensor<1x28x28x16xf32>
  %z = "tir.conv2d"(%h, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x28x28x64xf32>, tensor<16x1x1x64xf32>) -> tensor<1x28x28x16xf32>
  return %y, %z : tensor<1x28x28x16xf32>, tensor<1x28x28x16xf32>
}
