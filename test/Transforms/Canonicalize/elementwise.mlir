// Transposes before sums, products and the like with constants.
// RUN: xc-opt %s --pass-pipeline='builtin.module(tir-canonicalize{only=transpose-before-elementwise})' | FileCheck %s
// RUN: xc-opt %s --tir-canonicalize | FileCheck %s --check-prefix=ALL
// RUN: RewriteEqualTest %s tir-canonicalize

// Bytes that are normalised before the image becomes one of NCHW.
// CHECK-LABEL: func.func @normalise
// CHECK:       %[[T:.*]] = "tir.transpose"(%arg0) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x5x6x3xi8>)
// CHECK:       %[[F:.*]] = "tir.cast"(%[[T]]) : (tensor<1x3x5x6xi8>) -> tensor<1x3x5x6xf32>
// CHECK:       %[[C:.*]] = "tir.const"() {value = dense<2.500000e-01> : tensor<f32>}
// CHECK:       %[[P:.*]] = "tir.mul"(%[[F]], %[[C]])
// CHECK:       %[[M:.*]] = "tir.transpose"(%{{.*}}) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x1x1x3xf32>) -> tensor<1x3x1x1xf32>
// CHECK:       %[[S:.*]] = "tir.sub"(%[[P]], %[[M]])
// CHECK-NEXT:  return %[[S]]
func.func @normalise(%x: tensor<1x5x6x3xi8>) -> tensor<1x3x5x6xf32> {
  %c = "tir.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %m = "tir.const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %f = "tir.cast"(%x) : (tensor<1x5x6x3xi8>) -> tensor<1x5x6x3xf32>
  %p = "tir.mul"(%f, %c) : (tensor<1x5x6x3xf32>, tensor<f32>) -> tensor<1x5x6x3xf32>
  %s = "tir.sub"(%p, %m) : (tensor<1x5x6x3xf32>, tensor<3xf32>) -> tensor<1x5x6x3xf32>
  %t = "tir.transpose"(%s) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x5x6x3xf32>) -> tensor<1x3x5x6xf32>
  return %t : tensor<1x3x5x6xf32>
}

// A constant on the left, one for rows and columns, and one of the whole shape.
// CHECK-LABEL: func.func @constants
// CHECK:       "tir.transpose"(%arg0)
// CHECK:       "tir.div"(%{{.*}}, %{{.*}}) : (tensor<f32>, tensor<3x4x2xf32>)
// CHECK:       "tir.sub"(%{{.*}}, %{{.*}}) : (tensor<1x4x2xf32>, tensor<3x4x2xf32>)
// CHECK:       "tir.add"(%{{.*}}, %{{.*}}) : (tensor<3x4x2xf32>, tensor<3x4x2xf32>)
// CHECK-NEXT:  return
func.func @constants(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %one = "tir.const"() {value = dense<1.0> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %c = "tir.const"() {value = dense<[[[0.0, 1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0, 7.0]]]> : tensor<2x1x4xf32>} : () -> tensor<2x1x4xf32>
  %d = "tir.const"() {value = dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [1.0, 0.0, 1.0, 0.0]], [[0.5, 1.5, 2.5, 3.5], [4.5, 5.5, 6.5, 7.5], [1.5, 0.5, 1.5, 0.5]]]> : tensor<2x3x4xf32>} : () -> tensor<2x3x4xf32>
  %0 = "tir.div"(%one, %x) : (tensor<1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = "tir.sub"(%c, %0) : (tensor<2x1x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %2 = "tir.add"(%1, %d) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %t = "tir.transpose"(%2) {order = [1 : i32, 2 : i32, 0 : i32]} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  return %t : tensor<3x4x2xf32>
}

// Between two transposes, one of which an importer writes for an image that it
// takes for NCHW, the convolution gets all of it.
// ALL-LABEL: func.func @between
// ALL-NOT:   tir.transpose
// ALL-NOT:   tir.mul
// ALL:       "tir.conv2d"(%arg0, %{{.*}}, %{{.*}})
// ALL-NEXT:  return
func.func @between(%x: tensor<1x5x6x3xf32>) -> tensor<1x3x4x2xf32> {
  %c = "tir.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %m = "tir.const"() {value = dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>} : () -> tensor<3x1xf32>
  %w = "tir.const"() {value = dense<0.5> : tensor<2x3x3x3xf32>} : () -> tensor<2x3x3x3xf32>
  %n = "tir.transpose"(%x) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x5x6x3xf32>) -> tensor<1x6x3x5xf32>
  %p = "tir.mul"(%n, %c) : (tensor<1x6x3x5xf32>, tensor<f32>) -> tensor<1x6x3x5xf32>
  %s = "tir.sub"(%p, %m) : (tensor<1x6x3x5xf32>, tensor<3x1xf32>) -> tensor<1x6x3x5xf32>
  %t = "tir.transpose"(%s) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x6x3x5xf32>) -> tensor<1x5x6x3xf32>
  %y = "tir.conv2d"(%t, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x5x6x3xf32>, tensor<2x3x3x3xf32>) -> tensor<1x3x4x2xf32>
  return %y : tensor<1x3x4x2xf32>
}

// A scale of the last dimension becomes a product and a sum, where the numbers
// are not those of one dimension any more.
// CHECK-LABEL: func.func @scale
// CHECK:       "tir.transpose"(%arg0)
// CHECK:       "tir.mul"(%{{.*}}, %{{.*}}) : (tensor<1x2x4x3xf32>, tensor<1x2x1x1xf32>)
// CHECK:       "tir.add"(%{{.*}}, %{{.*}}) : (tensor<1x2x4x3xf32>, tensor<f32>)
// CHECK-NEXT:  return
func.func @scale(%x: tensor<1x4x3x2xf32>) -> tensor<1x2x4x3xf32> {
  %a = "tir.const"() {value = dense<[1.5, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "tir.const"() {value = dense<-1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.scale"(%x, %a, %b) : (tensor<1x4x3x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x3x2xf32>
  %t = "tir.transpose"(%0) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x3x2xf32>) -> tensor<1x2x4x3xf32>
  return %t : tensor<1x2x4x3xf32>
}

// What a layer computes keeps its order, and so does what is read elsewhere, is
// repeated itself, or is added to something computed.
// CHECK-LABEL: func.func @stay
// CHECK:       %[[L:.*]] = "tir.add"(%{{.*}}, %{{.*}}) : (tensor<1x4x3x2xf32>, tensor<2xf32>)
// CHECK-NEXT:  "tir.transpose"(%[[L]])
// CHECK-NEXT:  %[[M:.*]] = "tir.mul"(%arg0
// CHECK-NEXT:  "tir.transpose"(%[[M]])
// CHECK-NEXT:  %[[S:.*]] = "tir.add"(%arg0, %arg0)
// CHECK-NEXT:  "tir.transpose"(%[[S]])
// CHECK-NEXT:  %[[R:.*]] = "tir.mul"(%arg1, %{{.*}}) : (tensor<1x1x1x2xf32>, tensor<3x2xf32>)
// CHECK-NEXT:  "tir.transpose"(%[[R]])
func.func @stay(%x: tensor<1x4x3x2xf32>, %y: tensor<1x1x1x2xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x4x3x2xf32>, tensor<1x2x4x3xf32>, tensor<1x2x1x3xf32>) {
  %a = "tir.const"() {value = dense<[1.5, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %c = "tir.const"() {value = dense<0.5> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %e = "tir.exp"(%x) : (tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
  %0 = "tir.add"(%e, %a) : (tensor<1x4x3x2xf32>, tensor<2xf32>) -> tensor<1x4x3x2xf32>
  %t = "tir.transpose"(%0) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x3x2xf32>) -> tensor<1x2x4x3xf32>
  %1 = "tir.mul"(%x, %a) : (tensor<1x4x3x2xf32>, tensor<2xf32>) -> tensor<1x4x3x2xf32>
  %u = "tir.transpose"(%1) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x3x2xf32>) -> tensor<1x2x4x3xf32>
  %2 = "tir.add"(%x, %x) : (tensor<1x4x3x2xf32>, tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
  %v = "tir.transpose"(%2) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x3x2xf32>) -> tensor<1x2x4x3xf32>
  %3 = "tir.mul"(%y, %c) : (tensor<1x1x1x2xf32>, tensor<3x2xf32>) -> tensor<1x1x3x2xf32>
  %w = "tir.transpose"(%3) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x1x3x2xf32>) -> tensor<1x2x1x3xf32>
  return %t, %u, %1, %v, %w : tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x4x3x2xf32>, tensor<1x2x4x3xf32>, tensor<1x2x1x3xf32>
}
