// REQUIRES: mlir
// RUN: xc-translate --mtir-to-llvmir --mcpu=x86-64-v3 %s | FileCheck %s
// RUN: xc-test-cpu --random-constants %s | FileCheck %s --check-prefix=NUMBERS

// The largest of many floats is found in vectors.
// CHECK: call <4 x double> @llvm.maximum.v4f64(
// NUMBERS-NOT: differs
func.func @largest(%x: tensor<3x5x64xf32>) -> tensor<3xf32> {
  %0 = "tir.reduction_max"(%x) {axis = [1 : i32, 2 : i32]} : (tensor<3x5x64xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// One that is not a number wins, wherever it stands: 0 / 0 is none.
// NUMBERS: unordered: native: same
func.func @unordered(%x: tensor<1x35xf32>) -> tensor<35xi1> {
  %zero = "tir.sub"(%x, %x) : (tensor<1x35xf32>, tensor<1x35xf32>) -> tensor<1x35xf32>
  %turned = "tir.reshape"(%x) {shape = [35 : i32, 1 : i32]} : (tensor<1x35xf32>) -> tensor<35x1xf32>
  %differences = "tir.sub"(%turned, %x) : (tensor<35x1xf32>, tensor<1x35xf32>) -> tensor<35x35xf32>
  %none = "tir.div"(%zero, %differences) : (tensor<1x35xf32>, tensor<35x35xf32>) -> tensor<35x35xf32>
  %0 = "tir.reduction_max"(%none) {axis = [1 : i32]} : (tensor<35x35xf32>) -> tensor<35xf32>
  %1 = "tir.compare"(%0, %0) {predicate = "NE"} : (tensor<35xf32>, tensor<35xf32>) -> tensor<35xi1>
  return %1 : tensor<35xi1>
}
