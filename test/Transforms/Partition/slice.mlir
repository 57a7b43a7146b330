// The reason of a slice that walks backwards names its step.
// RUN: xc-opt %s --tir-partition='outline=false' | FileCheck %s

// CHECK: xc.reason = "slice-stride: stride of the slice is -1, expected 1"
// CHECK: xc.reason = "slice-stride: stride of the slice is 3, expected 1"
func.func @main(%x: tensor<1x8x8x16xi8>) -> (tensor<1x8x3x16xi8>, tensor<1x3x8x16xi8>) {
  %0 = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 7 : i32, 0 : i32], end = [1 : i32, 8 : i32, 4 : i32, 16 : i32], strides = [1 : i32, 1 : i32, -1 : i32, 1 : i32]} : (tensor<1x8x8x16xi8>) -> tensor<1x8x3x16xi8>
  %1 = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 8 : i32, 8 : i32, 16 : i32], strides = [1 : i32, 3 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x16xi8>) -> tensor<1x3x8x16xi8>
  return %0, %1 : tensor<1x8x3x16xi8>, tensor<1x3x8x16xi8>
}
