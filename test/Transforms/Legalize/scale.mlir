// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize
// The target without a depthwise engine keeps them all.
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=%S/Inputs/dense.json})' %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: depthwise-conv2d

// CHECK-LABEL: func.func @affine
// CHECK-COUNT-4: tir.depthwise-conv2d"
// CHECK: return
func.func @affine(%x: tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32> {
  %m = "tir.const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %v = "tir.const"() {value = dense<[0.5, 2.0, 1.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r = "tir.batchnorm"(%x, %m, %v) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<1x3x2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x2x3xf32>
  %a = "tir.relu"(%r) : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %s = "tir.scale"(%a, %m, %v) {axis = 3 : i32} : (tensor<1x3x2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x2x3xf32>
  %b = "tir.relu"(%s) : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %t = "tir.mul"(%b, %v) : (tensor<1x3x2x3xf32>, tensor<3xf32>) -> tensor<1x3x2x3xf32>
  %c = "tir.relu6"(%t) : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %o = "tir.const"() {value = dense<-1.5> : tensor<f32>} : () -> tensor<f32>
  %u = "tir.add"(%c, %o) : (tensor<1x3x2x3xf32>, tensor<f32>) -> tensor<1x3x2x3xf32>
  return %u : tensor<1x3x2x3xf32>
}

// Rows; two tensors; three dimensions; unknown numbers.
// CHECK-LABEL: func.func @affine_not
// CHECK-NOT: depthwise
// CHECK: return
func.func @affine_not(%x: tensor<1x3x2x3xf32>, %y: tensor<2x3xf32>, %n: tensor<3xf32>) -> (tensor<1x3x2x3xf32>, tensor<1x3x2x3xf32>, tensor<2x3xf32>, tensor<1x3x2x3xf32>) {
  %v = "tir.const"() {value = dense<[0.5, 2.0, 1.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %r = "tir.const"() {value = dense<[[[1.0]], [[-2.0]], [[0.25]]]> : tensor<3x1x1xf32>} : () -> tensor<3x1x1xf32>
  %a = "tir.mul"(%x, %r) : (tensor<1x3x2x3xf32>, tensor<3x1x1xf32>) -> tensor<1x3x2x3xf32>
  %b = "tir.mul"(%x, %a) : (tensor<1x3x2x3xf32>, tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %c = "tir.mul"(%y, %v) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %d = "tir.mul"(%x, %n) : (tensor<1x3x2x3xf32>, tensor<3xf32>) -> tensor<1x3x2x3xf32>
  return %a, %b, %c, %d : tensor<1x3x2x3xf32>, tensor<1x3x2x3xf32>, tensor<2x3xf32>, tensor<1x3x2x3xf32>
}

// CHECK-LABEL: func.func @product_fix
// CHECK: tir.depthwise-conv2d-fix"(%arg0,{{.*}} input_fix_point = 4 : i32,{{.*}}nonlinear = "RELU", output_fix_point = 3 : i32,{{.*}}weight_fix_point = 6 : i32
// CHECK: tir.depthwise-conv2d-fix"(%arg0,{{.*}}round_mode = "PY3_ROUND"
// CHECK: return
func.func @product_fix(%x: tensor<1x3x2x3xi8>) -> (tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>) {
  %w = "tir.const"() {value = dense<"0xA54DCA"> : tensor<3xi8>} : () -> tensor<3xi8>
  %v = "tir.const"() {value = dense<"0x74BDC0"> : tensor<1x1x1x3xi8>} : () -> tensor<1x1x1x3xi8>
  %a = "tir.eltwise-fix"(%w, %x) {type = "MUL", nonlinear = "RELU", input_fix_point = [6 : i32, 4 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<3xi8>, tensor<1x3x2x3xi8>) -> tensor<1x3x2x3xi8>
  %b = "tir.depthwise-fix"(%x, %v) {type = "MUL", input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32, round_mode = "PY3_ROUND"} : (tensor<1x3x2x3xi8>, tensor<1x1x1x3xi8>) -> tensor<1x3x2x3xi8>
  return %a, %b : tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>
}

// The weight is 2^2, so that neither shift is too small for the engine.
// CHECK-LABEL: func.func @sum_fix
// CHECK: tir.depthwise-conv2d-fix"{{.*}}bias_fix_point = 6 : i32, input_fix_point = 4 : i32,{{.*}}output_fix_point = 5 : i32,{{.*}}weight_fix_point = 1 : i32
// CHECK: tir.depthwise-conv2d-fix"{{.*}}bias_fix_point = 3 : i32, input_fix_point = 4 : i32
// CHECK: return
func.func @sum_fix(%x: tensor<1x3x2x3xi8>) -> (tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>) {
  %w = "tir.const"() {value = dense<"0xEDBF88"> : tensor<3xi8>} : () -> tensor<3xi8>
  %v = "tir.const"() {value = dense<"0x10DBF7"> : tensor<1x1x1x3xi8>} : () -> tensor<1x1x1x3xi8>
  %a = "tir.eltwise-fix"(%x, %w) {type = "ADD", input_fix_point = [4 : i32, 6 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x2x3xi8>, tensor<3xi8>) -> tensor<1x3x2x3xi8>
  %b = "tir.depthwise-fix"(%x, %v) {type = "ADD", input_fix_point = 4 : i32, weight_fix_point = 3 : i32, output_fix_point = 2 : i32} : (tensor<1x3x2x3xi8>, tensor<1x1x1x3xi8>) -> tensor<1x3x2x3xi8>
  return %a, %b : tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>
}

// Three bits apart the guard bits cut off what the convolution would not; a
// weight of 2^7 is no int8; unsigned numbers are no weights; two images.
// CHECK-LABEL: func.func @fix_not
// CHECK-COUNT-4: tir.eltwise-fix
func.func @fix_not(%x: tensor<1x3x2x3xi8>, %y: tensor<1x3x2x3xi8>) -> (tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>) {
  %w = "tir.const"() {value = dense<"0xE7EEE7"> : tensor<3xi8>} : () -> tensor<3xi8>
  %u = "tir.const"() {value = dense<"0xF289B3"> : tensor<3xui8>} : () -> tensor<3xui8>
  %a = "tir.eltwise-fix"(%x, %w) {type = "ADD", input_fix_point = [4 : i32, 7 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x2x3xi8>, tensor<3xi8>) -> tensor<1x3x2x3xi8>
  %b = "tir.eltwise-fix"(%x, %w) {type = "ADD", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 11 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x2x3xi8>, tensor<3xi8>) -> tensor<1x3x2x3xi8>
  %c = "tir.eltwise-fix"(%x, %u) {type = "MUL", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x2x3xi8>, tensor<3xui8>) -> tensor<1x3x2x3xi8>
  %d = "tir.eltwise-fix"(%x, %y) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>) -> tensor<1x3x2x3xi8>
  return %a, %b, %c, %d : tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>
}

// No engine subtracts or negates; a sum with what was multiplied by -1 does.
// CHECK-LABEL: func.func @signs
// CHECK: %[[N:.*]] = "tir.depthwise-conv2d"(%arg0,
// CHECK: %[[M:.*]] = "tir.depthwise-conv2d"(%arg1,
// CHECK: %[[S:.*]] = "tir.add"(%[[N]], %[[M]])
// CHECK: tir.depthwise-conv2d"(%[[S]],
// CHECK: return
func.func @signs(%x: tensor<1x3x2x3xf32>, %y: tensor<1x3x2x3xf32>) -> (tensor<1x3x2x3xf32>, tensor<3x2x3xf32>) {
  %one = "tir.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %0 = "tir.neg"(%x) : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %1 = "tir.sub"(%0, %y) : (tensor<1x3x2x3xf32>, tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %2 = "tir.sub"(%one, %1) : (tensor<f32>, tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %r = "tir.reshape"(%y) {shape = [3 : i32, 2 : i32, 3 : i32]} : (tensor<1x3x2x3xf32>) -> tensor<3x2x3xf32>
  %3 = "tir.neg"(%r) : (tensor<3x2x3xf32>) -> tensor<3x2x3xf32>
  return %2, %3 : tensor<1x3x2x3xf32>, tensor<3x2x3xf32>
}

// Numbers that are fixed already: what stays floating point stays what it is.
// CHECK-LABEL: func.func @signs_between
// CHECK: tir.sub"
// CHECK: tir.neg"
// CHECK: tir.depthwise-conv2d"
// CHECK-NEXT: tir.float2fix"
func.func @signs_between(%x: tensor<1x3x2x3xi8>, %y: tensor<1x3x2x3xf32>) -> (tensor<1x3x2x3xf32>, tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>) {
  %f = "tir.fix2float"(%x) {fix_point = 4 : i32} : (tensor<1x3x2x3xi8>) -> tensor<1x3x2x3xf32>
  %0 = "tir.sub"(%f, %y) : (tensor<1x3x2x3xf32>, tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %1 = "tir.neg"(%y) : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %2 = "tir.float2fix"(%1) {fix_point = 4 : i32} : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xi8>
  %3 = "tir.neg"(%f) : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %4 = "tir.float2fix"(%3) {fix_point = 5 : i32} : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xi8>
  return %0, %2, %4 : tensor<1x3x2x3xf32>, tensor<1x3x2x3xi8>, tensor<1x3x2x3xi8>
}

// So does a number for each channel between the DPU and an activation that stays on
// the CPU, on either side.
// CHECK-LABEL: func.func @half_fixed
// CHECK: tir.fix2float"
// CHECK-NEXT: tir.mul"
// CHECK-NEXT: tir.tanh"
// CHECK-NEXT: tir.mul"
// CHECK-NEXT: tir.float2fix"
func.func @half_fixed(%x: tensor<1x3x2x3xi8>) -> tensor<1x3x2x3xi8> {
  %c = "tir.const"() {value = dense<[0.5, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %0 = "tir.fix2float"(%x) {fix_point = 4 : i32} : (tensor<1x3x2x3xi8>) -> tensor<1x3x2x3xf32>
  %1 = "tir.mul"(%0, %c) : (tensor<1x3x2x3xf32>, tensor<3xf32>) -> tensor<1x3x2x3xf32>
  %2 = "tir.tanh"(%1) : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  %3 = "tir.mul"(%2, %c) : (tensor<1x3x2x3xf32>, tensor<3xf32>) -> tensor<1x3x2x3xf32>
  %4 = "tir.float2fix"(%3) {fix_point = 4 : i32} : (tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xi8>
  return %4 : tensor<1x3x2x3xi8>
}

// CHECK-LABEL: func.func @scalar
// CHECK: value = dense<3> : tensor<1xi8>
// CHECK: tir.eltwise-fix"{{.*}}(tensor<5x3xi8>, tensor<1xi8>)
func.func @scalar(%x: tensor<5x3xi8>) -> tensor<5x3xi8> {
  %c = "tir.const"() {value = dense<3> : tensor<i8>} : () -> tensor<i8>
  %y = "tir.eltwise-fix"(%x, %c) {type = "MUL", input_fix_point = [4 : i32, 5 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<5x3xi8>, tensor<i8>) -> tensor<5x3xi8>
  return %y : tensor<5x3xi8>
}

// CHECK-LABEL: func.func @scalar_result
// CHECK: tir.eltwise-fix"{{.*}}(tensor<i8>, tensor<i8>)
func.func @scalar_result(%x: tensor<i8>) -> tensor<i8> {
  %c = "tir.const"() {value = dense<3> : tensor<i8>} : () -> tensor<i8>
  %y = "tir.eltwise-fix"(%x, %c) {type = "MUL", input_fix_point = [4 : i32, 5 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<i8>, tensor<i8>) -> tensor<i8>
  return %y : tensor<i8>
}

// Only the CPU computes erf: the lines of GELU stay beside it.
// CHECK-LABEL: func.func @beside_erf
// CHECK-NOT: tir.depthwise-conv2d
// CHECK: return
func.func @beside_erf(%x: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %c = "tir.const"() {value = dense<0.707106769> : tensor<f32>} : () -> tensor<f32>
  %h = "tir.const"() {value = dense<0.5> : tensor<8xf32>} : () -> tensor<8xf32>
  %0 = "tir.mul"(%x, %c) : (tensor<1x4x4x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
  %1 = "tir.erf"(%0) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %2 = "tir.scale"(%1, %h, %h) : (tensor<1x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  %3 = "tir.mul"(%x, %2) : (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %3 : tensor<1x4x4x8xf32>
}

// One number for each pixel becomes one for each of its channels, if it is a
// constant.
// CHECK-LABEL: func.func @map
// CHECK: dense<{{\[\[\[\[}}1.000000e+00, 1.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00, 2.000000e+00]]]]> : tensor<1x1x2x3xf32>
// CHECK: "tir.mul"(%arg0, %{{.*}}) : (tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>)
// CHECK: "tir.add"{{.*}} : (tensor<1x1x2x3xf32>, tensor<1x1x2x1xf32>)
func.func @map(%x: tensor<1x1x2x3xf32>, %y: tensor<1x1x2x1xf32>) -> tensor<1x1x2x3xf32> {
  %m = "tir.const"() {value = dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf32>} : () -> tensor<1x1x2x1xf32>
  %0 = "tir.mul"(%x, %m) : (tensor<1x1x2x3xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x3xf32>
  %1 = "tir.add"(%0, %y) : (tensor<1x1x2x3xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x3xf32>
  return %1 : tensor<1x1x2x3xf32>
}

// A constant does not grow beyond four million numbers.
// CHECK-LABEL: func.func @large_map
// CHECK: "tir.mul"{{.*}} : (tensor<1x1500x1500x2xf32>, tensor<1x1500x1500x1xf32>)
func.func @large_map(%x: tensor<1x1500x1500x2xf32>) -> tensor<1x1500x1500x2xf32> {
  %m = "tir.const"() {value = dense<2.0> : tensor<1x1500x1500x1xf32>} : () -> tensor<1x1500x1500x1xf32>
  %0 = "tir.mul"(%x, %m) : (tensor<1x1500x1500x2xf32>, tensor<1x1500x1500x1xf32>) -> tensor<1x1500x1500x2xf32>
  return %0 : tensor<1x1500x1500x2xf32>
}
