// REQUIRES: mlir
// RUN: xc-translate --mtir-to-llvmir --mcpu=x86-64-v3 %s | FileCheck %s
// RUN: xc-translate --mtir-to-llvmir --mcpu=x86-64 %s | FileCheck %s

// Transcendental functions are arithmetic: no call is left but those of the
// model's own operators and of LLVM's intrinsics that are instructions.
// CHECK-NOT: {{(call|declare)[^@]*@(exp|exp2|expm1|log|log1p|pow|tanh|fma)[fl]?\(}}
// CHECK-NOT: {{@llvm\.(exp|exp2|log|pow|tanh|fma)\.}}
func.func @all(%x: tensor<1x8x8x16xf32>, %h: tensor<64xf16>) -> (tensor<1x8x8x16xf32>, tensor<64xf16>) {
  %w = "tir.const"() {value = dense<0.5> : tensor<16x1x1x16xf32>} : () -> tensor<16x1x1x16xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad_mode = "FLOOR", pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], group = 1 : i32} : (tensor<1x8x8x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x8x8x16xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %2 = "tir.mul"(%0, %1) : (tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %3 = "tir.tanh"(%2) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %4 = "tir.exp"(%3) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %5 = "tir.log"(%4) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %6 = "tir.elu"(%5) {alpha = 1.0 : f32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %7 = "tir.softplus"(%6) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %8 = "tir.pow"(%7, %6) : (tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %9 = "tir.softmax"(%8) {axis = 3 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %10 = "tir.log-softmax"(%9) {axis = 3 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %11 = "tir.lrn"(%10) {alpha = 1.0e-4 : f32, beta = 7.5e-1 : f32, bias = 1.0 : f32, size = 5 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %12 = "tir.tanh"(%h) : (tensor<64xf16>) -> tensor<64xf16>
  return %11, %12 : tensor<1x8x8x16xf32>, tensor<64xf16>
}
