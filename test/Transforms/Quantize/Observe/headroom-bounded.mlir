// REQUIRES: mlir
// No sample goes further than 1 after a tanh, and nothing becomes of what does
// before it, with a factor: both keep the fix points that they have without the
// spread of the samples (headroom.mlir).

// RUN: %python %S/../Inputs/headroom.py %t.d
// RUN: xc-opt %s --tir-quantize='calibration=%t.d/spread equalize=false float-statistics=false report=-' -o %t.mlir 2>&1 | FileCheck %s
// CHECK: conv2d-fix 7 {{.*}} copy
// CHECK: float2fix 7 {{.*}} bent

// What the tanh reads itself gets room like others, up to where the tanh no
// longer changes: 1 to 2 here, but not 4 to 8.
// RUN: sed -e '/tir.mul/d' -e 's/tanh"(%%1)/tanh"(%%0)/' %s > %t.near.mlir
// RUN: xc-opt %t.near.mlir --tir-quantize='calibration=%t.d/spread equalize=false float-statistics=false report=-' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: sed 's/%w = "tir.const"() {value = dense<1.0>/%w = "tir.const"() {value = dense<4.0>/' %t.near.mlir > %t.far.mlir
// RUN: xc-opt %t.far.mlir --tir-quantize='calibration=%t.d/spread equalize=false float-statistics=false report=-' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=FAR
// NEAR: conv2d-fix 6 {{.*}} copy
// FAR: conv2d-fix 5 {{.*}} copy
func.func @main(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x32xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %f = "tir.const"() {value = dense<3.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "copy"} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %1 = "tir.mul"(%0, %f) : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %2 = "tir.tanh"(%1) {op_name = "bent"} : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %v = "tir.const"() {value = dense<1.0> : tensor<32x1x1x1xf32>} : () -> tensor<32x1x1x1xf32>
  %u = "tir.const"() {value = dense<1.0> : tensor<32x1x1x32xf32>} : () -> tensor<32x1x1x32xf32>
  %3 = "tir.conv2d"(%2, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x1xf32>, tensor<32x1x1x1xf32>) -> tensor<1x1x1x32xf32>
  %4 = "tir.conv2d"(%3, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x32xf32>, tensor<32x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  return %4 : tensor<1x1x1x32xf32>
}
