// REQUIRES: mlir
// RUN: xc-opt %s --tir-quantize='calibration=random samples=2 requantize=pof2 fit=false' | FileCheck %s
// RUN: xc-opt %s --tir-quantize='calibration=random samples=2 requantize=pof2 fit=false approximate=silu' | FileCheck %s --check-prefix=OFF

// SiLU in a model that was quantised: the ends of the 8 bits on both sides
// belong to the function, so that channels have factors, and the product is the
// CPU's.
// CHECK: "tir.conv2d-fix"({{.*}}op_name = "first"
// CHECK: %[[U:.*]] = "tir.mul"({{.*}}op_name = "{{.*}}/unscaled"
// CHECK: %[[X:.*]] = "tir.clip"(%[[U]]) {max = 7.5{{.*}}, min = -5.2
// CHECK: %[[S:.*]] = "tir.sigmoid"(%[[X]])
// CHECK: %[[P:.*]] = "tir.mul"(%[[X]], %[[S]])
// CHECK: %[[C:.*]] = "tir.clip"(%[[P]]) {max = 4.94{{.*}}, min = -1.6
// CHECK: "tir.mul"(%[[C]], {{.*}}op_name = "silu"
// CHECK-NOT: tir.eltwise-fix
// CHECK: "tir.conv2d-fix"({{.*}}op_name = "last"

// With --approximate it is the DPU's.
// OFF-NOT: "tir.mul"
// OFF: "tir.eltwise-fix"({{.*}}op_name = "silu"
func.func @silu(%x: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
  %w = "tir.const"() {value = dense<[[[[100, -50]]], [[[8, 4]]]]> : tensor<2x1x1x2xi8>} : () -> tensor<2x1x1x2xi8>
  %0 = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "first", input_scale = 0.05 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.05 : f32, output_zero_point = -23 : i32} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8>
  %1 = "tir.qlinear-activation"(%0) {type = "SIGMOID", op_name = "gate", input_scale = 0.05 : f32, input_zero_point = -23 : i32, output_scale = 0.00390625 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  %2 = "tir.qlinear-eltwise"(%0, %1) {type = "MUL", op_name = "silu", a_scale = 0.05 : f32, a_zero_point = -23 : i32, b_scale = 0.00390625 : f32, b_zero_point = -128 : i32, output_scale = 0.02 : f32, output_zero_point = -120 : i32} : (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  %3 = "tir.qlinear-conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last", input_scale = 0.02 : f32, input_zero_point = -120 : i32, weight_scale = [0.01 : f32], output_scale = 0.05 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>) -> tensor<1x4x4x2xi8>
  return %3 : tensor<1x4x4x2xi8>
}
