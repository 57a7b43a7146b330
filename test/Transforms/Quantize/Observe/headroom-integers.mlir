// REQUIRES: mlir
// No sample goes further than the integers of its type do, in whatever order they
// come: the spread of the samples (headroom.mlir) tells nothing.

// RUN: %python %S/../Inputs/headroom.py %t.d
// RUN: xc-opt %s --tir-quantize='calibration=%t.d/bytes equalize=false report=-' -o %t.mlir 2>&1 | FileCheck %s
// CHECK: float2fix 7
func.func @main(%x: tensor<1x1x1x1xi8>) -> tensor<1x1x1x1xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.dequantize-linear"(%x) {scale = [0.00787402 : f32], zero_point = [0 : i32]} : (tensor<1x1x1x1xi8>) -> tensor<1x1x1x1xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 2 : i32, 1 : i32, 3 : i32], op_name = "order"} : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %2 = "tir.conv2d"(%1, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "copy"} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %2 : tensor<1x1x1x1xf32>
}
