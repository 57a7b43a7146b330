// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// Rows and columns are split in NCHW: the mean of the parts is a pool.
// CHECK-LABEL: func.func @mean
// CHECK-NEXT: %[[P:.+]] = "tir.avgpool2d"(%arg0) {kernel = [3 : i32, 2 : i32], stride = [3 : i32, 2 : i32]} : (tensor<1x4x6x5xf32>) -> tensor<1x2x2x5xf32>
// CHECK-NEXT: "tir.transpose"(%[[P]]) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]}
// CHECK-NEXT: return
func.func @mean(%x: tensor<1x4x6x5xf32>) -> tensor<1x5x2x2xf32> {
  %a = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x4x6x5xf32>) -> tensor<1x5x4x6xf32>
  %b = "tir.reshape"(%a) {shape = [1 : i32, 5 : i32, 2 : i32, 2 : i32, 2 : i32, 3 : i32]} : (tensor<1x5x4x6xf32>) -> tensor<1x5x2x2x2x3xf32>
  %c = "tir.reduction_mean"(%b) {axis = [3 : i32, 5 : i32], keep_dims = false} : (tensor<1x5x2x2x2x3xf32>) -> tensor<1x5x2x2xf32>
  return %c : tensor<1x5x2x2xf32>
}

// In NHWC, of several images, and over rows only.
// CHECK-LABEL: func.func @max
// CHECK-NEXT: "tir.maxpool2d"(%arg0) {kernel = [1 : i32, 2 : i32], stride = [1 : i32, 2 : i32]} : (tensor<2x4x6x5xf32>) -> tensor<2x2x6x5xf32>
// CHECK-NEXT: return
func.func @max(%x: tensor<2x4x6x5xf32>) -> tensor<2x2x6x5xf32> {
  %a = "tir.reshape"(%x) {shape = [2 : i32, 2 : i32, 2 : i32, 6 : i32, 5 : i32]} : (tensor<2x4x6x5xf32>) -> tensor<2x2x2x6x5xf32>
  %b = "tir.reduction_max"(%a) {axis = [2 : i32], keep_dims = false} : (tensor<2x2x2x6x5xf32>) -> tensor<2x2x6x5xf32>
  return %b : tensor<2x2x6x5xf32>
}

// A column as a whole, and half of the rows.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: "tir.avgpool2d"(%arg0) {kernel = [6 : i32, 2 : i32], stride = [6 : i32, 2 : i32]} : (tensor<2x4x6x5xf32>) -> tensor<2x2x1x5xf32>
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: return
func.func @whole(%x: tensor<2x4x6x5xf32>) -> tensor<2x2x5xf32> {
  %a = "tir.reshape"(%x) {shape = [2 : i32, 2 : i32, 2 : i32, 6 : i32, 5 : i32]} : (tensor<2x4x6x5xf32>) -> tensor<2x2x2x6x5xf32>
  %b = "tir.reduction_mean"(%a) {axis = [2 : i32, 3 : i32], keep_dims = false} : (tensor<2x2x2x6x5xf32>) -> tensor<2x2x5xf32>
  return %b : tensor<2x2x5xf32>
}

// Every second row, parts of channels, and integers are no blocks of pixels.
// CHECK-LABEL: func.func @others
// CHECK-NOT: pool2d
// CHECK: return
func.func @others(%x: tensor<2x4x6x4xf32>, %y: tensor<2x4x6x4xi32>) -> (tensor<2x2x6x4xf32>, tensor<2x4x6x2xf32>, tensor<2x2x6x4xi32>) {
  %a = "tir.reshape"(%x) {shape = [2 : i32, 2 : i32, 2 : i32, 6 : i32, 4 : i32]} : (tensor<2x4x6x4xf32>) -> tensor<2x2x2x6x4xf32>
  %b = "tir.reduction_mean"(%a) {axis = [1 : i32], keep_dims = false} : (tensor<2x2x2x6x4xf32>) -> tensor<2x2x6x4xf32>
  %c = "tir.reshape"(%x) {shape = [2 : i32, 4 : i32, 6 : i32, 2 : i32, 2 : i32]} : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2x2xf32>
  %d = "tir.reduction_mean"(%c) {axis = [4 : i32], keep_dims = false} : (tensor<2x4x6x2x2xf32>) -> tensor<2x4x6x2xf32>
  %e = "tir.reshape"(%y) {shape = [2 : i32, 2 : i32, 2 : i32, 6 : i32, 4 : i32]} : (tensor<2x4x6x4xi32>) -> tensor<2x2x2x6x4xi32>
  %f = "tir.reduction_max"(%e) {axis = [2 : i32], keep_dims = false} : (tensor<2x2x2x6x4xi32>) -> tensor<2x2x6x4xi32>
  return %b, %d, %f : tensor<2x2x6x4xf32>, tensor<2x4x6x2xf32>, tensor<2x2x6x4xi32>
}
