// RUN: xc-opt %s --tir-partition=show=operators -o /dev/null 2>&1 | FileCheck %s
// A window that begins behind the input reads nothing.
// CHECK: CPU     conv2d-fix {{.*}}last-window-column: first column of the last window is 3, expected at most 1; fits with right padding
func.func @f(%x: tensor<1x2x2x16xi8>) -> tensor<1x2x2x16xi8> {
  %0 = "tir.pool-fix"(%x) {type = "MAX", kernel = [3 : i32, 3 : i32], stride = [3 : i32, 3 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32]} : (tensor<1x2x2x16xi8>) -> tensor<1x2x2x16xi8>
  %w = "tir.const"() {value = dense<1> : tensor<16x1x2x16xi8>} : () -> tensor<16x1x2x16xi8>
  %1 = "tir.conv2d-fix"(%0, %w) {kernel = [2 : i32, 1 : i32], stride = [3 : i32, 1 : i32], pad = [0 : i32, 3 : i32, 0 : i32, 0 : i32]} : (tensor<1x2x2x16xi8>, tensor<16x1x2x16xi8>) -> tensor<1x2x2x16xi8>
  return %1 : tensor<1x2x2x16xi8>
}
