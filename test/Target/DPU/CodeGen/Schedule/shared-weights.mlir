// The phases of a dilated convolution whose weights the banks do not hold take each
// chunk of them one after the other, so that all are loaded once. A convolution by
// itself, and phases whose weights stay in the banks, go on as they are.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule-json %t.mlir | FileCheck %s --check-prefix=JSON

// 512 * 9 * 256 bytes of weights, and five times the pixels.
// CHECK: layer 0: large + large + large + large
// CHECK-NEXT: cycles {{.*}}, 1262096 bytes loaded
// CHECK-NEXT: units 0 to 3 share weights, 7 groups of channels at a time
// CHECK-NEXT: unit 0: conv
// CHECK-NEXT: 5 of 112 channels; loops: chunks, tiles, blocks
// CHECK-NOT: share weights
// JSON: "sharing_weights": [
// JSON: "chunk_groups": 7
func.func @net(%x: tensor<1x8x8x256xi8>) -> tensor<1x8x8x16xi8> attributes {device = "DPU"} {
  %w0 = "tir.const"() {value = dense<1> : tensor<512x3x3x256xi8>} : () -> tensor<512x3x3x256xi8>
  %0 = "tir.conv2d-fix"(%x, %w0) {op_name = "large", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], weight_fix_point = 8 : i32} : (tensor<1x8x8x256xi8>, tensor<512x3x3x256xi8>) -> tensor<1x8x8x512xi8>
  %w1 = "tir.const"() {value = dense<1> : tensor<16x3x3x512xi8>} : () -> tensor<16x3x3x512xi8>
  %1 = "tir.conv2d-fix"(%0, %w1) {op_name = "small", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], weight_fix_point = 8 : i32} : (tensor<1x8x8x512xi8>, tensor<16x3x3x512xi8>) -> tensor<1x8x8x16xi8>
  return %1 : tensor<1x8x8x16xi8>
}

// The pixels of all chunks of a large image take longer than the weights of all
// phases.
// CHECK: layer 0: wide
// CHECK-NOT: share weights
func.func @large(%x: tensor<1x64x64x256xi8>) -> tensor<1x64x64x512xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<512x3x3x256xi8>} : () -> tensor<512x3x3x256xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "wide", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32]} : (tensor<1x64x64x256xi8>, tensor<512x3x3x256xi8>) -> tensor<1x64x64x512xi8>
  return %0 : tensor<1x64x64x512xi8>
}
