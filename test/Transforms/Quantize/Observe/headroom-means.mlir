// REQUIRES: mlir
// RUN: %python %S/../Inputs/headroom.py %t.d
// RUN: sed s/POOL/avgpool2d/ %s > %t.mean.mlir
// RUN: sed s/POOL/maxpool2d/ %s > %t.most.mlir

// Means of whole maps get more room than the same numbers as maxima.
// RUN: xc-opt %t.mean.mlir --tir-quantize='calibration=%t.d/means equalize=false report=-' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=MEAN
// RUN: xc-opt %t.most.mlir --tir-quantize='calibration=%t.d/means equalize=false report=-' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=MOST
// MEAN: pool-fix 6 {{.*}} pool
// MOST: pool-fix 7 {{.*}} pool
func.func @main(%x: tensor<1x4x4x1xf32>) -> tensor<1x1x1x1xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %v = "tir.const"() {value = dense<0.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "copy"} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  %1 = "tir.POOL"(%0) {kernel = [4 : i32, 4 : i32], stride = [1 : i32, 1 : i32], op_name = "pool"} : (tensor<1x4x4x1xf32>) -> tensor<1x1x1x1xf32>
  %2 = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "half"} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %2 : tensor<1x1x1x1xf32>
}
