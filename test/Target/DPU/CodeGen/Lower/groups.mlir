// Of a convolution whose weights are zero between groups of channels, an
// instruction reads the words of its own groups only.
// RUN: xc-opt %s --tir-legalize --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-asm --effort=0 %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-times %t.mlir | FileCheck %s --check-prefix=WORK

// What the zeros would be multiplied by is no work.
// WORK: {{^}}MACs          884736,

// Sixteen groups of four channels are four words, each for itself.
// CHECK: # layer four,
// CHECK: CONV {{.*}}channel_group 1 {{.*}}
// CHECK-NOT: channel_group {{[2-9]}}
// The groups of 24 channels of a word are two, which lie in three words.
// CHECK: # layer twenty-four,
// CHECK: CONV {{.*}}channel_group 3 {{.*}}
// A group of all channels reads all words.
// CHECK: # layer dense,
// CHECK: CONV {{.*}}channel_group 6 {{.*}}
func.func @groups(%x: tensor<1x8x8x64xi8>, %y: tensor<1x8x8x96xi8>) -> (tensor<1x8x8x64xi8>, tensor<1x8x8x96xi8>) attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<1> : tensor<64x3x3x4xi8>} : () -> tensor<64x3x3x4xi8>
  %0 = "tir.conv2d-fix"(%x, %w0) {op_name = "four", group = 16 : i32, kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x64xi8>, tensor<64x3x3x4xi8>) -> tensor<1x8x8x64xi8>
  %w1 = "tir.const"() {value = dense<1> : tensor<96x1x1x24xi8>} : () -> tensor<96x1x1x24xi8>
  %1 = "tir.conv2d-fix"(%y, %w1) {op_name = "twenty-four", group = 4 : i32, kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x96xi8>, tensor<96x1x1x24xi8>) -> tensor<1x8x8x96xi8>
  %w2 = "tir.const"() {value = dense<1> : tensor<96x1x1x96xi8>} : () -> tensor<96x1x1x96xi8>
  %2 = "tir.conv2d-fix"(%1, %w2) {op_name = "dense", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x96xi8>, tensor<96x1x1x96xi8>) -> tensor<1x8x8x96xi8>
  return %0, %2 : tensor<1x8x8x64xi8>, tensor<1x8x8x96xi8>
}
