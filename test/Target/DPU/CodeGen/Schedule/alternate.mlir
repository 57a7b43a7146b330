// REQUIRES: mlir
// Of layers whose images go through DDR, one loads its rows into the banks from
// which the layer before saves, as that one still reads the others.

// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies | xc-translate --mtir-to-dpu-schedule | FileCheck %s

// CHECK: conv first, kernel 3x3
// CHECK: input {{.*}} through banks 0 to 7
// CHECK: output {{.*}} through banks 8 to 15
// CHECK: conv second, kernel 3x3
// CHECK: input {{.*}} through banks 8 to 15
// CHECK: output {{.*}} through banks 0 to 7
func.func @net(%x: tensor<1x64x64x256xi8>) -> tensor<1x64x64x256xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<2> : tensor<256x3x3x256xi8>} : () -> tensor<256x3x3x256xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "first", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x64x64x256xi8>, tensor<256x3x3x256xi8>) -> tensor<1x64x64x256xi8>
  %1 = "tir.conv2d-fix"(%0, %w) {op_name = "second", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x64x64x256xi8>, tensor<256x3x3x256xi8>) -> tensor<1x64x64x256xi8>
  return %1 : tensor<1x64x64x256xi8>
}
