// REQUIRES: mlir
// RUN: split-file %s %t
// RUN: xc-opt %t/product.mlir --tir-quantize=calibration=random 2>%t/warning | FileCheck %s --check-prefix=PRODUCT
// RUN: xc-opt %t/huge.mlir --tir-quantize=calibration=random 2>%t/warning | FileCheck %s --check-prefix=HUGE
// RUN: xc-opt %t/decayed.mlir --tir-quantize=calibration=random 2>%t/warning | FileCheck %s --check-prefix=DECAYED

// The product of tensors of tiny numbers would have the sum of their fix
// points, which lies beyond all fix points: one of them is shifted.
// PRODUCT:      tir.conv2d-fix{{.*}} output_fix_point = [[A:4[0-9]]] : i32
// PRODUCT:      tir.conv2d-fix{{.*}} output_fix_point = [[B:4[0-9]]] : i32
// PRODUCT:      tir.reshape-fix{{.*}}output_fix_point = [[C:[0-9]+]] : i32
// PRODUCT:      tir.eltwise-fix{{.*}} {input_fix_point = {{\[}}[[C]] : i32, [[B]] : i32], {{.*}}output_fix_point = 64 : i32

// The same at the other end.
// HUGE: tir.reshape-fix
// HUGE: tir.eltwise-fix{{.*}} output_fix_point = -64 : i32

// Weights that no fix point can hold are zeros, like those that are.
// DECAYED:      dense<0> : tensor<2x1x1x2xi8>
// DECAYED-NEXT: tir.conv2d-fix{{.*}} output_fix_point = 7 : i32
// DECAYED-NOT:  tir.reshape-fix
// DECAYED:      tir.eltwise-fix{{.*}} {input_fix_point = [7 : i32, 7 : i32]

//--- product.mlir
func.func @main(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0e-12, -2.0e-12]]], [[[3.0e-12, 0.5e-12]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %v = "tir.const"() {value = dense<[[[[-1.0e-12, 2.0e-12]]], [[[0.25e-12, 1.5e-12]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %b = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %y = "tir.mul"(%a, %b) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}

//--- huge.mlir
func.func @main(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0e18, -2.0e18]]], [[[3.0e18, 0.5e18]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %v = "tir.const"() {value = dense<[[[[-1.0e18, 2.0e18]]], [[[0.25e18, 1.5e18]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %b = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %y = "tir.mul"(%a, %b) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}

//--- decayed.mlir
func.func @main(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0e-40, -2.0e-40]]], [[[3.0e-40, 0.5e-40]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %v = "tir.const"() {value = dense<0.0> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %b = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %y = "tir.mul"(%a, %b) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
