// Float operators between fixes become -fix operators; what is not fixed, or
// not as the DPU fixes, stays.
// RUN: xc-opt --tir-absorb-fix %s | FileCheck %s

// CHECK-LABEL: func.func @conv
// CHECK: %[[X:.+]] = "tir.float2fix"(%arg0) {{.*}}fix_point = 5
// CHECK: "tir.conv2d-fix"(%[[X]], %{{.+}}) {{.*}}input_fix_point = 5 : i32{{.*}}output_fix_point = 3 : i32{{.*}}weight_fix_point = 7 : i32
// CHECK: "tir.fix2float"
// CHECK-NOT: "tir.fix"(
func.func @conv(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x1xf32> {
  %0 = "tir.fix"(%x) {fix_point = 5 : i32, round_mode = "DPU_ROUND"} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %w = "tir.const"() {value = dense<[[[[0.5, -0.25]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %1 = "tir.fix"(%w) {fix_point = 7 : i32, round_mode = "PY3_ROUND"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %2 = "tir.conv2d"(%0, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x1xf32>
  %3 = "tir.fix"(%2) {fix_point = 3 : i32, round_mode = "DPU_ROUND"} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  return %3 : tensor<1x4x4x1xf32>
}

// A value that moves on the way is still fixed.
// CHECK-LABEL: func.func @moved
// CHECK: "tir.transpose-fix"
// CHECK: "tir.conv2d-fix"
func.func @moved(%x: tensor<1x2x4x4xf32>) -> tensor<1x4x4x1xf32> {
  %0 = "tir.fix"(%x) {fix_point = 5 : i32, round_mode = "DPU_ROUND"} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %t = "tir.transpose"(%0) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
  %w = "tir.const"() {value = dense<[[[[0.5, -0.25]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %1 = "tir.fix"(%w) {fix_point = 7 : i32, round_mode = "PY3_ROUND"} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %2 = "tir.conv2d"(%t, %1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x1xf32>
  %3 = "tir.fix"(%2) {fix_point = 3 : i32, round_mode = "DPU_ROUND"} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  return %3 : tensor<1x4x4x1xf32>
}

// Another rounding, another width: not what a -fix operator does.
// CHECK-LABEL: func.func @kept
// CHECK: "tir.fix"(%arg0) {fix_point = 5 : i32, round_mode = "PY3_ROUND"}
// CHECK: "tir.fix"({{.*}}bit_width = 16
func.func @kept(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tir.fix"(%x) {fix_point = 5 : i32, round_mode = "PY3_ROUND"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "tir.fix"(%0) {bit_width = 16 : i32, fix_point = 5 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Fix points further apart than a shift can be.
// CHECK-LABEL: func.func @apart
// CHECK: "tir.float2fix"(%arg0) {{.*}}fix_point = 30
// CHECK: "tir.relu"
// CHECK: "tir.float2fix"{{.*}}fix_point = 0
func.func @apart(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tir.fix"(%x) {fix_point = 30 : i32, round_mode = "DPU_ROUND"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "tir.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "tir.fix"(%1) {fix_point = 0 : i32, round_mode = "DPU_ROUND"} : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Weights without a fix that are integers exactly, as those of a bilinear
// resize; conversions that are there already.
// CHECK-LABEL: func.func @resized
// CHECK: "tir.pad-fix"(%arg0) {{.*}}input_fix_point = 4 : i32, mode = "SYMMETRIC", output_fix_point = 4 : i32
// CHECK: value = dense<64> : tensor<1x3x3x4xi8>
// CHECK: "tir.transposed-depthwise-conv2d-fix"{{.*}}output_fix_point = 3 : i32,{{.*}}weight_fix_point = 8 : i32
// CHECK-NEXT: "tir.fix2float"
func.func @resized(%x: tensor<1x2x2x4xi8>) -> tensor<1x5x5x4xf32> {
  %f = "tir.fix2float"(%x) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x4xf32>
  %p = "tir.pad"(%f) {mode = "SYMMETRIC", paddings = [0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x2x2x4xf32>) -> tensor<1x3x3x4xf32>
  %w = "tir.const"() {value = dense<0.25> : tensor<1x3x3x4xf32>} : () -> tensor<1x3x3x4xf32>
  %y = "tir.transposed-depthwise-conv2d"(%p, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>) -> tensor<1x5x5x4xf32>
  %z = "tir.fix"(%y) {bit_width = 8 : i32, fix_point = 3 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  return %z : tensor<1x5x5x4xf32>
}

// Pixels that stand twice are the same integers.
// CHECK-LABEL: func.func @repeated
// CHECK: "tir.upsample-fix"(%arg0) {{.*}}input_fix_point = 4 : i32, output_fix_point = 4 : i32, scale = [2 : i32, 1 : i32]
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}output_fix_point = 3
// CHECK-NEXT: "tir.fix2float"
func.func @repeated(%x: tensor<1x2x2x4xi8>) -> tensor<1x2x2x4xf32> {
  %f = "tir.fix2float"(%x) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x4xf32>
  %u = "tir.resize"(%f) {mode = "NEAREST", size = [4 : i32, 2 : i32]} : (tensor<1x2x2x4xf32>) -> tensor<1x2x4x4xf32>
  %w = "tir.const"() {value = dense<0.25> : tensor<1x1x2x4xf32>} : () -> tensor<1x1x2x4xf32>
  %y = "tir.depthwise-conv2d"(%u, %w) {kernel = [2 : i32, 1 : i32], stride = [2 : i32, 1 : i32]} : (tensor<1x2x4x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x2x2x4xf32>
  %z = "tir.fix"(%y) {bit_width = 8 : i32, fix_point = 3 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  return %z : tensor<1x2x2x4xf32>
}

// No power of two gives integers; a border that is no integer.
// CHECK-LABEL: func.func @resized_not
// CHECK: "tir.depthwise-conv2d"
// CHECK: "tir.pad"
// CHECK: "tir.depthwise-conv2d"
func.func @resized_not(%x: tensor<1x2x2x4xi8>) -> (tensor<1x1x1x4xi8>, tensor<1x4x4x4xi8>) {
  %f = "tir.fix2float"(%x) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x4xf32>
  %w = "tir.const"() {value = dense<0.3> : tensor<1x2x2x4xf32>} : () -> tensor<1x2x2x4xf32>
  %v = "tir.const"() {value = dense<0.5> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %a = "tir.depthwise-conv2d"(%f, %w) {kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x1x1x4xf32>
  %p = "tir.pad"(%f) {mode = "CONSTANT", constant_value = 0.3 : f32, paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x2x2x4xf32>) -> tensor<1x4x4x4xf32>
  %b = "tir.depthwise-conv2d"(%p, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
  %c = "tir.float2fix"(%a) {bit_width = 8 : i32, fix_point = 3 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xi8>
  %d = "tir.float2fix"(%b) {bit_width = 8 : i32, fix_point = 3 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xi8>
  return %c, %d : tensor<1x1x1x4xi8>, tensor<1x4x4x4xi8>
}

// A sum of three rounds once; a term times a power of two has another fix point.
// CHECK-LABEL: func.func @three_terms
// CHECK: "tir.eltwise-fix"({{.*}}) {input_fix_point = [5 : i32, 4 : i32, 4 : i32], nonlinear = "RELU", {{.*}}output_fix_point = 3 : i32, type = "ADD"}
// CHECK-NOT: "tir.add"
func.func @three_terms(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %two = "tir.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %0 = "tir.fix"(%a) {fix_point = 5 : i32, round_mode = "DPU_ROUND"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "tir.fix"(%b) {fix_point = 4 : i32, round_mode = "DPU_ROUND"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "tir.fix"(%c) {fix_point = 5 : i32, round_mode = "DPU_ROUND"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "tir.mul"(%2, %two) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = "tir.add"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = "tir.add"(%4, %3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = "tir.relu"(%5) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = "tir.fix"(%6) {fix_point = 3 : i32, round_mode = "DPU_ROUND"} : (tensor<4xf32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}

// A partial sum that something else reads is rounded by itself.
// CHECK-LABEL: func.func @partial_is_read
// CHECK: "tir.add"
// CHECK: "tir.add"
func.func @partial_is_read(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "tir.fix"(%a) {fix_point = 5 : i32, round_mode = "DPU_ROUND"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "tir.fix"(%b) {fix_point = 4 : i32, round_mode = "DPU_ROUND"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "tir.add"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "tir.add"(%2, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = "tir.fix"(%3) {fix_point = 3 : i32, round_mode = "DPU_ROUND"} : (tensor<4xf32>) -> tensor<4xf32>
  return %4, %2 : tensor<4xf32>, tensor<4xf32>
}

// Pixels and channels that change places are the same integers, too. Nothing
// fixes the result of the shuffle.
// CHECK-LABEL: func.func @shuffled
// CHECK: "tir.pixel-shuffle-fix"(%arg0) {{.*}}input_fix_point = 4 : i32{{.*}}output_fix_point = 4 : i32
// CHECK: "tir.reorg-fix"
// CHECK-NOT: "tir.fix2float"
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}output_fix_point = 3
// CHECK-NEXT: "tir.fix2float"
func.func @shuffled(%x: tensor<1x2x2x4xi8>) -> tensor<1x2x2x4xf32> {
  %f = "tir.fix2float"(%x) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x4xf32>
  %s = "tir.pixel-shuffle"(%f) {scale = 2 : i32} : (tensor<1x2x2x4xf32>) -> tensor<1x4x4x1xf32>
  %r = "tir.reorg"(%s) {scale = 2 : i32} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x4xf32>
  %w = "tir.const"() {value = dense<0.25> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %y = "tir.depthwise-conv2d"(%r, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x2x4xf32>
  %z = "tir.fix"(%y) {bit_width = 8 : i32, fix_point = 3 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  return %z : tensor<1x2x2x4xf32>
}

// All integers of 8 bits are weights and constants, -128 as well.
// CHECK-LABEL: func.func @lowest
// CHECK: "tir.pad-fix"{{.*}}constant_value = -128 : i32
// CHECK: value = dense<{{\[\[\[\[}}-128, 32]]]]> : tensor<1x1x1x2xi8>
// CHECK: "tir.conv2d-fix"{{.*}}weight_fix_point = 7 : i32
// CHECK: value = dense<{{\[\[\[\[}}64, 16]]]]> : tensor<1x1x1x2xi8>
// CHECK: "tir.conv2d-fix"{{.*}}weight_fix_point = 6 : i32
func.func @lowest(%x: tensor<1x4x4x2xi8>) -> (tensor<1x5x4x1xf32>, tensor<1x4x4x1xf32>) {
  %f = "tir.fix2float"(%x) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xf32>
  %p = "tir.pad"(%f) {constant_value = -8.0 : f32, paddings = [0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x5x4x2xf32>
  %0 = "tir.fix"(%p) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x5x4x2xf32>) -> tensor<1x5x4x2xf32>
  %w = "tir.const"() {value = dense<[[[[-1.0, 0.25]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %1 = "tir.conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x5x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x5x4x1xf32>
  %2 = "tir.fix"(%1) {bit_width = 8 : i32, fix_point = 3 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x5x4x1xf32>) -> tensor<1x5x4x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.25]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %3 = "tir.conv2d"(%f, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x1xf32>
  %4 = "tir.fix"(%3) {bit_width = 8 : i32, fix_point = 3 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  return %2, %4 : tensor<1x5x4x1xf32>, tensor<1x4x4x1xf32>
}
