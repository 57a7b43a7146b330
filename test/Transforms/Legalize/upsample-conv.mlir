// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact
// RUN: xc-opt '--pass-pipeline=builtin.module(tir-legalize{target=DPUCAHX8H_ISA2})' %s | FileCheck %s --check-prefix=SECOND

// The copies of a pixel in a row are two channels of the convolution engine, whose
// pixels have no gaps between them. A target without a depthwise engine keeps moves.
// CHECK-LABEL: func.func @mask
// CHECK: %[[ONES:.*]] = "tir.const"() {value = dense<1> : tensor<1x2x2x1xi8>}
// CHECK: "tir.transposed-depthwise-conv2d-fix"(%{{.*}}, %[[ONES]]) {input_fix_point = 5 : i32, kernel = [2 : i32, 2 : i32], output_fix_point = 5 : i32, pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], stride = [2 : i32, 2 : i32], weight_fix_point = 0 : i32}
// SECOND-LABEL: func.func @mask
// SECOND: tir.upsample-fix
func.func @mask(%x: tensor<1x28x28x4xi8>, %w: tensor<1x1x1x4xi8>) -> tensor<1x56x56x1xi8> {
  %m = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x4xi8>, tensor<1x1x1x4xi8>) -> tensor<1x28x28x1xi8>
  %y = "tir.upsample-fix"(%m) {scale = [2 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x1xi8>) -> tensor<1x56x56x1xi8>
  return %y : tensor<1x56x56x1xi8>
}

// Channels that do not fill their words, by different factors.
// CHECK-LABEL: func.func @classes
// CHECK: tir.transposed-depthwise-conv2d-fix
// CHECK-SAME: kernel = [4 : i32, 2 : i32]
func.func @classes(%x: tensor<1x20x20x4xi8>, %w: tensor<21x1x1x4xi8>) -> tensor<1x40x80x21xi8> {
  %m = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x20x20x4xi8>, tensor<21x1x1x4xi8>) -> tensor<1x20x20x21xi8>
  %y = "tir.upsample-fix"(%m) {scale = [4 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x20x20x21xi8>) -> tensor<1x40x80x21xi8>
  return %y : tensor<1x40x80x21xi8>
}

// Whole words of channels, what comes from the CPU, another fix point, and rows that
// have no gaps between their copies.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: tir.upsample-fix
// CHECK-NOT: tir.transposed
// CHECK: return
func.func @others(%x: tensor<1x28x28x4xi8>, %w: tensor<16x1x1x4xi8>, %v: tensor<1x1x1x4xi8>) -> (tensor<1x56x56x16xi8>, tensor<1x56x56x4xi8>, tensor<1x56x56x1xi8>, tensor<1x56x28x1xi8>) {
  %m = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x4xi8>, tensor<16x1x1x4xi8>) -> tensor<1x28x28x16xi8>
  %n = "tir.conv2d-fix"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x4xi8>, tensor<1x1x1x4xi8>) -> tensor<1x28x28x1xi8>
  %0 = "tir.upsample-fix"(%m) {scale = [2 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x16xi8>) -> tensor<1x56x56x16xi8>
  %1 = "tir.upsample-fix"(%x) {scale = [2 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x4xi8>) -> tensor<1x56x56x4xi8>
  %2 = "tir.upsample-fix"(%n) {scale = [2 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x28x28x1xi8>) -> tensor<1x56x56x1xi8>
  %3 = "tir.upsample-fix"(%n) {scale = [1 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x1xi8>) -> tensor<1x56x28x1xi8>
  return %0, %1, %2, %3 : tensor<1x56x56x16xi8>, tensor<1x56x56x4xi8>, tensor<1x56x56x1xi8>, tensor<1x56x28x1xi8>
}

// In front of another layer, the few cycles that this would save are not worth what
// the convolution engine takes for them.
// CHECK-LABEL: func.func @before_layer
// CHECK: tir.upsample-fix
func.func @before_layer(%x: tensor<1x14x14x4xi8>, %w: tensor<8x1x1x4xi8>, %v: tensor<4x1x1x8xi8>) -> tensor<1x28x28x4xi8> {
  %m = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x14x14x4xi8>, tensor<8x1x1x4xi8>) -> tensor<1x14x14x8xi8>
  %u = "tir.upsample-fix"(%m) {scale = [2 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x14x14x8xi8>) -> tensor<1x28x28x8xi8>
  %y = "tir.conv2d-fix"(%u, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x8xi8>, tensor<4x1x1x8xi8>) -> tensor<1x28x28x4xi8>
  return %y : tensor<1x28x28x4xi8>
}
