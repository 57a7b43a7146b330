// REQUIRES: mlir
// RUN: xc-opt %s --tir-quantize='calibration=random samples=2 requantize=pof2' | FileCheck %s

// The branch of squeeze and excitation in a model that was quantised: the
// product between two functions on the CPU stays there, as in floating point.
// CHECK-LABEL: @branch
// CHECK: "tir.conv2d-fix"({{.*}}op_name = "first"
// CHECK: "tir.sigmoid"
// CHECK: "tir.conv2d"({{.*}}op_name = "excite"
// CHECK: "tir.sigmoid"
// CHECK: "tir.eltwise-fix"({{.*}}op_name = "gate"
func.func @branch(%x: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %w = "tir.const"() {value = dense<10> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  %0 = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "first", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  %1 = "tir.qlinear-pool"(%0) {type = "AVG", global = true, input_scale = 0.1 : f32, input_zero_point = 4 : i32, output_scale = 0.1 : f32, output_zero_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x1x1x16xi8>
  %2 = "tir.qlinear-conv2d"(%1, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "squeeze", input_scale = 0.1 : f32, input_zero_point = 4 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = 5 : i32} : (tensor<1x1x1x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x1x1x16xi8>
  %3 = "tir.qlinear-activation"(%2) {type = "SIGMOID", input_scale = 0.1 : f32, input_zero_point = 5 : i32, output_scale = 0.00390625 : f32, output_zero_point = -128 : i32} : (tensor<1x1x1x16xi8>) -> tensor<1x1x1x16xi8>
  %4 = "tir.qlinear-conv2d"(%3, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "excite", input_scale = 0.00390625 : f32, input_zero_point = -128 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = 6 : i32} : (tensor<1x1x1x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x1x1x16xi8>
  %5 = "tir.qlinear-activation"(%4) {type = "SIGMOID", input_scale = 0.1 : f32, input_zero_point = 6 : i32, output_scale = 0.00390625 : f32, output_zero_point = -128 : i32} : (tensor<1x1x1x16xi8>) -> tensor<1x1x1x16xi8>
  %6 = "tir.qlinear-eltwise"(%0, %5) {type = "MUL", op_name = "gate", a_scale = 0.1 : f32, a_zero_point = 4 : i32, b_scale = 0.00390625 : f32, b_zero_point = -128 : i32, output_scale = 0.1 : f32, output_zero_point = 7 : i32} : (tensor<1x8x8x16xi8>, tensor<1x1x1x16xi8>) -> tensor<1x8x8x16xi8>
  return %6 : tensor<1x8x8x16xi8>
}
