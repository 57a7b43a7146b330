// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// The mean over H and W as TResNet has it.
// CHECK-LABEL: func.func @flat_mean
// CHECK-NEXT: %[[M:.*]] = "tir.reduction_mean"(%arg0) {axis = [1 : i32, 2 : i32], keep_dims = true}
// CHECK-NEXT: tir.reshape"(%[[M]]) {shape = [1 : i32, 3 : i32]}
// CHECK-NEXT: return
func.func @flat_mean(%x: tensor<1x4x5x3xf32>) -> tensor<1x3xf32> {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 20 : i32, 3 : i32]} : (tensor<1x4x5x3xf32>) -> tensor<1x20x3xf32>
  %b = "tir.reduction_mean"(%a) {axis = [1 : i32], keep_dims = false} : (tensor<1x20x3xf32>) -> tensor<1x3xf32>
  return %b : tensor<1x3xf32>
}

// CHECK-LABEL: func.func @flat_max_fix
// CHECK-NEXT: tir.reduction_max-fix"(%arg0) {axis = [2 : i32, 3 : i32], keep_dims = true
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: return
func.func @flat_max_fix(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x1xi8> {
  %a = "tir.reshape-fix"(%x) {shape = [2 : i32, 3 : i32, 20 : i32]} : (tensor<2x3x4x5xi8>) -> tensor<2x3x20xi8>
  %b = "tir.reduction_max-fix"(%a) {axis = [-1 : i32], keep_dims = true} : (tensor<2x3x20xi8>) -> tensor<2x3x1xi8>
  return %b : tensor<2x3x1xi8>
}

// Half of what was merged, and nothing merged.
// CHECK-LABEL: func.func @flat_not
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: tir.reduction_mean
// CHECK-NEXT: tir.strided_slice
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: tir.reduction_mean
// CHECK-NEXT: return
func.func @flat_not(%x: tensor<1x4x5x3xf32>) -> (tensor<1x5x3xf32>, tensor<1x20xf32>) {
  %a = "tir.reshape"(%x) {shape = [1 : i32, 2 : i32, 10 : i32, 3 : i32]} : (tensor<1x4x5x3xf32>) -> tensor<1x2x10x3xf32>
  %b = "tir.reduction_mean"(%a) {axis = [1 : i32], keep_dims = false} : (tensor<1x2x10x3xf32>) -> tensor<1x10x3xf32>
  %c = "tir.strided_slice"(%b) {begin = [0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 5 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32]} : (tensor<1x10x3xf32>) -> tensor<1x5x3xf32>
  %d = "tir.reshape"(%x) {shape = [1 : i32, 20 : i32, 3 : i32]} : (tensor<1x4x5x3xf32>) -> tensor<1x20x3xf32>
  %e = "tir.reduction_mean"(%d) {axis = [2 : i32], keep_dims = false} : (tensor<1x20x3xf32>) -> tensor<1x20xf32>
  return %c, %e : tensor<1x5x3xf32>, tensor<1x20xf32>
}
