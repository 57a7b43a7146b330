// Local response normalisation: channels with all neighbours, with some, fewer
// channels than neighbours, many neighbours, powers that are square roots and
// others, and bases that may be negative.
//
// RUN: xc-run %s --compare=reference,cpu --random-inputs=1 --relative-tolerance=1e-6 --tolerance=1e-7 | FileCheck %s
// CHECK: outputs equal: 3, 5 within the tolerance
func.func @main(%x: tensor<2x3x5x37xf32>, %n: tensor<1x2x2x3xf32>, %h: tensor<1x2x3x20xf16>) -> (tensor<2x3x5x37xf32>, tensor<2x3x5x37xf32>, tensor<2x3x5x37xf32>, tensor<2x3x5x37xf32>, tensor<2x3x5x37xf32>, tensor<2x3x5x37xf32>, tensor<1x2x2x3xf32>, tensor<1x2x3x20xf16>) {
  %0 = "tir.lrn"(%x) {alpha = 1.0e-1 : f32, beta = 7.5e-1 : f32, bias = 1.0 : f32, size = 5 : i32} : (tensor<2x3x5x37xf32>) -> tensor<2x3x5x37xf32>
  %1 = "tir.lrn"(%x) {alpha = 2.0 : f32, beta = 1.75 : f32, bias = 0.5 : f32, size = 4 : i32} : (tensor<2x3x5x37xf32>) -> tensor<2x3x5x37xf32>
  %2 = "tir.lrn"(%x) {alpha = 2.0 : f32, beta = 0.6 : f32, bias = 1.5 : f32, size = 3 : i32} : (tensor<2x3x5x37xf32>) -> tensor<2x3x5x37xf32>
  %3 = "tir.lrn"(%x) {alpha = 1.0 : f32, beta = 0.75 : f32, bias = 2.0 : f32, size = 21 : i32} : (tensor<2x3x5x37xf32>) -> tensor<2x3x5x37xf32>
  %4 = "tir.lrn"(%x) {alpha = -9.0 : f32, beta = 1.0 : f32, bias = 0.25 : f32, size = 1 : i32} : (tensor<2x3x5x37xf32>) -> tensor<2x3x5x37xf32>
  %5 = "tir.lrn"(%x) {alpha = 1.0 : f32, beta = 3.5 : f32, bias = 1.0 : f32, size = 2 : i32} : (tensor<2x3x5x37xf32>) -> tensor<2x3x5x37xf32>
  %6 = "tir.lrn"(%n) {alpha = 1.0 : f32, beta = 0.25 : f32, bias = 1.0 : f32, size = 9 : i32} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %7 = "tir.lrn"(%h) {alpha = 1.0 : f32, beta = 0.5 : f32, bias = 1.0 : f32, size = 5 : i32} : (tensor<1x2x3x20xf16>) -> tensor<1x2x3x20xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x3x5x37xf32>, tensor<2x3x5x37xf32>, tensor<2x3x5x37xf32>, tensor<2x3x5x37xf32>, tensor<2x3x5x37xf32>, tensor<2x3x5x37xf32>, tensor<1x2x2x3xf32>, tensor<1x2x3x20xf16>
}
