// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact
// RUN: RewriteEqualTest %s tir-legalize target=DPUCAHX8H_ISA2 exact

// Pixels that both stand in are two pixels of a pool.
// CHECK-LABEL: func.func @images
// CHECK: %[[C:.*]] = "tir.concat"(%{{.*}}, %{{.*}}) {axis = 3 : i32{{.*}} -> tensor<1x4x5x6xf32>
// CHECK-NEXT: %[[R:.*]] = "tir.reshape"(%[[C]]) {{.*}} -> tensor<1x4x10x3xf32>
// CHECK-NEXT: %[[M:.*]] = "tir.maxpool2d"(%[[R]]) {kernel = [2 : i32, 1 : i32], stride = [2 : i32, 1 : i32]} : (tensor<1x4x10x3xf32>) -> tensor<1x4x5x3xf32>
// CHECK-NEXT: return %[[M]]
func.func @images(%x: tensor<1x4x5x3xf32>, %y: tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32> {
  %p = "tir.maxpool2d"(%x) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %0 = "tir.relu"(%p) : (tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %1 = "tir.add"(%p, %y) : (tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %2 = "tir.max"(%0, %1) : (tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  return %2 : tensor<1x4x5x3xf32>
}

// In any number of dimensions, behind slices and reshapes.
// CHECK-LABEL: func.func @parts
// CHECK: -> tensor<1x20x12x3xf32>
// CHECK-NEXT: "tir.maxpool2d"({{.*}} -> tensor<1x20x6x3xf32>
// CHECK-NEXT: "tir.reshape"({{.*}} -> tensor<1x4x5x6x1x3xf32>
func.func @parts(%x: tensor<1x4x5x36xf32>) -> tensor<1x4x5x6x1x3xf32> {
  %p = "tir.maxpool2d"(%x) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x5x36xf32>) -> tensor<1x4x5x36xf32>
  %0 = "tir.relu"(%p) : (tensor<1x4x5x36xf32>) -> tensor<1x4x5x36xf32>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 4 : i32, 5 : i32, 6 : i32, 2 : i32, 3 : i32]} : (tensor<1x4x5x36xf32>) -> tensor<1x4x5x6x2x3xf32>
  %2 = "tir.strided_slice"(%1) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 5 : i32, 6 : i32, 1 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x5x6x2x3xf32>) -> tensor<1x4x5x6x1x3xf32>
  %3 = "tir.strided_slice"(%1) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32], end = [1 : i32, 4 : i32, 5 : i32, 6 : i32, 2 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x5x6x2x3xf32>) -> tensor<1x4x5x6x1x3xf32>
  %4 = "tir.max"(%2, %3) : (tensor<1x4x5x6x1x3xf32>, tensor<1x4x5x6x1x3xf32>) -> tensor<1x4x5x6x1x3xf32>
  return %4 : tensor<1x4x5x6x1x3xf32>
}

// What the CPU computes, sums that are of no layer, and one number for all.
// CHECK-LABEL: func.func @others
// CHECK: tir.max"
// CHECK: tir.max"
// CHECK: tir.max"
func.func @others(%x: tensor<1x4x5x3xf32>, %y: tensor<1x1x1x3xf32>) -> (tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>) {
  %p = "tir.maxpool2d"(%x) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %0 = "tir.relu"(%p) : (tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %1 = "tir.sigmoid"(%p) : (tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %a = "tir.add"(%x, %y) : (tensor<1x4x5x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x4x5x3xf32>
  %b = "tir.mul"(%x, %y) : (tensor<1x4x5x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x4x5x3xf32>
  %4 = "tir.max"(%a, %b) : (tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %2 = "tir.max"(%0, %1) : (tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %3 = "tir.max"(%2, %y) : (tensor<1x4x5x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x4x5x3xf32>
  return %3, %4 : tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>
}

// CHECK-LABEL: func.func @absolute
// CHECK: tir.concat
// CHECK: "tir.maxpool2d"{{.*}}kernel = [2 : i32, 1 : i32]
// CHECK-NOT: tir.abs
func.func @absolute(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x3xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0, 2.0]]], [[[-3.0, 1.0]]], [[[0.5, -1.0]]]]> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x4x4x3xf32>
  %1 = "tir.abs"(%0) : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %1 : tensor<1x4x4x3xf32>
}

// What the CPU has anyway stays with it.
// CHECK-LABEL: func.func @absolute_argument
// CHECK: tir.abs
func.func @absolute_argument(%x: tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32> {
  %1 = "tir.abs"(%x) : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %1 : tensor<1x4x4x3xf32>
}
