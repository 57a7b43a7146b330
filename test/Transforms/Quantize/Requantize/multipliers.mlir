// Multipliers in place of scales say nothing about real numbers: such operators
// stay as they are.
// RUN: xc-opt %s --tir-quantize='calibration=random requantize=pof2' | FileCheck %s

// CHECK: "tir.qlinear-requantize"({{.*}}multiplier = [1518500250 : i32]
// CHECK-NOT: fix
func.func @main(%x: tensor<1x8xi8>) -> tensor<1x8xi8> {
  %0 = "tir.qlinear-requantize"(%x) {input_scale = 1.0 : f32, input_zero_point = 0 : i32, output_scale = 1.0 : f32, output_zero_point = 0 : i32, multiplier = [1518500250 : i32], shift = [32 : i32]} : (tensor<1x8xi8>) -> tensor<1x8xi8>
  return %0 : tensor<1x8xi8>
}
