// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --pass-pipeline='builtin.module(tir-quantize{calibration=random requantize=pof2})' | FileCheck %s
// RUN: xc-opt %s --split-input-file --pass-pipeline='builtin.module(tir-quantize{calibration=random})' | FileCheck %s --check-prefix=KEEP

// Scales of 0.1 become powers of two; the boundary keeps its integers. Without
// the option quantised operators stay what they are.
// CHECK-LABEL: @conv
// CHECK: %[[D:.*]] = "tir.dequantize-linear"(%arg0) {scale = [1.000000e-01 : f32], zero_point = [3 : i32]}
// CHECK: %[[X:.*]] = "tir.float2fix"(%[[D]]) {bit_width = 8 : i32, fix_point = 3 : i32
// CHECK-DAG: value = dense<{{\[\[\[\[}}32]]], {{\[\[\[}}64]]]]> : tensor<2x1x1x1xi8>
// CHECK-DAG: value = dense<[64, -127]> : tensor<2xi8>
// CHECK: "tir.conv2d-fix"(%[[X]]{{.*}}nonlinear = "RELU"{{.*}}op_name = "c"
// CHECK: "tir.pool-fix"
// CHECK: "tir.reshape-fix"
// CHECK: %[[F:.*]] = "tir.fix2float"
// CHECK: %[[S:.*]] = "tir.softmax"(%[[F]])
// CHECK: %[[Q:.*]] = "tir.quantize-linear"(%[[S]]) {scale = [3.906250e-03 : f32], zero_point = [-128 : i32]}
// CHECK: return %[[Q]] : tensor<1x2xi8>
// KEEP-LABEL: @conv
// KEEP: "tir.qlinear-conv2d"
// KEEP-NOT: -fix
func.func @conv(%x: tensor<1x4x4x1xi8>) -> tensor<1x2xi8> {
  %w = "tir.const"() {value = dense<[[[[100]]], [[[100]]]]> : tensor<2x1x1x1xi8>} : () -> tensor<2x1x1x1xi8>
  %b = "tir.const"() {value = dense<[1000, -1000]> : tensor<2xi32>} : () -> tensor<2xi32>
  %0 = "tir.qlinear-conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", op_name = "c", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32, 0.02 : f32], output_scale = 0.2 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<2x1x1x1xi8>, tensor<2xi32>) -> tensor<1x4x4x2xi8>
  %1 = "tir.qlinear-pool"(%0) {type = "AVG", global = true, input_scale = 0.2 : f32, input_zero_point = -128 : i32, output_scale = 0.2 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x2xi8>) -> tensor<1x1x1x2xi8>
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 2 : i32]} : (tensor<1x1x1x2xi8>) -> tensor<1x2xi8>
  %3 = "tir.qlinear-softmax"(%2) {input_scale = 0.2 : f32, input_zero_point = -128 : i32, output_scale = 0.00390625 : f32, output_zero_point = -128 : i32} : (tensor<1x2xi8>) -> tensor<1x2xi8>
  return %3 : tensor<1x2xi8>
}

// -----

// A quantise/dequantise pair between converted operators vanishes, a pad keeps
// its meaning.
// CHECK-LABEL: @pairs
// CHECK: "tir.matmul-fix"
// CHECK-NOT: quantize-linear
// CHECK: "tir.pad-fix"{{.*}}constant_value = 0 : i32
// CHECK: "tir.eltwise-fix"{{.*}}type = "ADD"
// CHECK-NOT: quantize-linear
func.func @pairs(%x: tensor<2x4xf32>) -> tensor<3x2xf32> {
  %w = "tir.const"() {value = dense<64> : tensor<4x2xi8>} : () -> tensor<4x2xi8>
  %0 = "tir.quantize-linear"(%x) {scale = [0.01 : f32], zero_point = [5 : i32]} : (tensor<2x4xf32>) -> tensor<2x4xi8>
  %1 = "tir.qlinear-matmul"(%0, %w) {input_scale = 0.01 : f32, input_zero_point = 5 : i32, weight_scale = [0.02 : f32], output_scale = 0.05 : f32, output_zero_point = 1 : i32, flavor = "ONNX"} : (tensor<2x4xi8>, tensor<4x2xi8>) -> tensor<2x2xi8>
  %2 = "tir.pad"(%1) {paddings = [1 : i32, 0 : i32, 0 : i32, 0 : i32], constant_value = 1.0 : f32} : (tensor<2x2xi8>) -> tensor<3x2xi8>
  %3 = "tir.qlinear-eltwise"(%2, %2) {type = "ADD", a_scale = 0.05 : f32, a_zero_point = 1 : i32, b_scale = 0.05 : f32, b_zero_point = 1 : i32, output_scale = 0.1 : f32, output_zero_point = 0 : i32, flavor = "ONNX"} : (tensor<3x2xi8>, tensor<3x2xi8>) -> tensor<3x2xi8>
  %4 = "tir.dequantize-linear"(%3) {scale = [0.1 : f32], zero_point = [0 : i32]} : (tensor<3x2xi8>) -> tensor<3x2xf32>
  return %4 : tensor<3x2xf32>
}

// -----

// A type whose smallest value is zero saturates there, which is a RELU, and at
// 6 a RELU6. What has both signs, or the end of the range elsewhere, implies
// neither, and 6.08 is not 6.
// CHECK-LABEL: @implied
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU6"{{.*}}op_name = "six"
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "more"
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "nearly"
// CHECK: conv2d-fix"{{.*}}nonlinear = "NONE"{{.*}}op_name = "signed"
// CHECK: depthwise-conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "deep"
func.func @implied(%x: tensor<1x4x4x1xi8>) -> (tensor<1x4x4x1xi8>, tensor<1x4x4x1xui8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>) {
  %w = "tir.const"() {value = dense<100> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %six = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "six", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.0235284772 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %more = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "more", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xui8>
  %nearly = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "nearly", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.0238478333 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %signed = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "signed", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = -127 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %deep = "tir.qlinear-depthwise-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "deep", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  return %six, %more, %nearly, %signed, %deep : tensor<1x4x4x1xi8>, tensor<1x4x4x1xui8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>
}

// -----

// Every range is a clamp. Where a fix point has it, too (0 to 1, -1 to 1, 0 to 8),
// the result saturates there; 1.2 is less than what fix point 6 holds, so much
// less than what the inputs could give.
// CHECK-LABEL: @clamps
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "unit", output_fix_point = 7
// CHECK: conv2d-fix"{{.*}}nonlinear = "NONE"{{.*}}op_name = "both", output_fix_point = 7
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "eight", output_fix_point = 4
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "other", output_fix_point = 6
func.func @clamps(%x: tensor<1x4x4x1xi8>) -> (tensor<1x4x4x1xui8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>) {
  %w = "tir.const"() {value = dense<100> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %unit = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "unit", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.00392157 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xui8>
  %both = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "both", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.0078125 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %eight = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "eight", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.0313 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %other = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "other", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.0047 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  return %unit, %both, %eight, %other : tensor<1x4x4x1xui8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>
}

// -----

// An activation that is still there does not hide the end of the range: the first
// saturates at 1, as fix point 7 does, where its inputs would give 12; of RELU6
// there is 1 left, or all of it. No sample reaches the end of the last one.
// CHECK-LABEL: @beside_activations
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "relu", output_fix_point = 7
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "less", output_fix_point = 7
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU6"{{.*}}op_name = "six"
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "signed", output_fix_point = 7
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "far", output_fix_point = 3
func.func @beside_activations(%x: tensor<1x4x4x1xi8>) -> (tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>) {
  %w = "tir.const"() {value = dense<100> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %relu = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", op_name = "relu", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.00392156886 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %less = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU6", op_name = "less", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.00392156886 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %six = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU6", op_name = "six", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %signed = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", op_name = "signed", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.00787401572 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %far = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", op_name = "far", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.15 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  return %relu, %less, %six, %signed, %far : tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>
}

// -----

// Operators whose inputs are not negative imply nothing, but a difference does.
// CHECK-LABEL: @sums
// CHECK: conv2d-fix"{{.*}}nonlinear = "NONE"{{.*}}op_name = "c"
// CHECK: conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "d"
// CHECK: eltwise-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "cut"
// CHECK: eltwise-fix"{{.*}}nonlinear = "NONE"{{.*}}op_name = "free"
// CHECK: %[[LESS:.*]] = "tir.sub"({{.*}}op_name = "less"
// CHECK: "tir.relu"(%[[LESS]])
// CHECK: "tir.relu-fix"
func.func @sums(%x: tensor<1x4x4x1xi8>) -> (tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>) {
  %w = "tir.const"() {value = dense<100> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %c = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "c", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %d = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "d", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %cut = "tir.qlinear-eltwise"(%c, %d) {type = "ADD", op_name = "cut", a_scale = 0.1 : f32, a_zero_point = 0 : i32, b_scale = 0.1 : f32, b_zero_point = -128 : i32, output_scale = 0.1 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi8>
  %free = "tir.qlinear-eltwise"(%cut, %d) {type = "ADD", op_name = "free", a_scale = 0.1 : f32, a_zero_point = -128 : i32, b_scale = 0.1 : f32, b_zero_point = -128 : i32, output_scale = 0.1 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi8>
  %less = "tir.qlinear-eltwise"(%free, %d) {type = "SUB", op_name = "less", a_scale = 0.1 : f32, a_zero_point = -128 : i32, b_scale = 0.1 : f32, b_zero_point = -128 : i32, output_scale = 0.1 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi8>
  %again = "tir.qlinear-requantize"(%c) {input_scale = 0.1 : f32, input_zero_point = 0 : i32, output_scale = 0.1 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi8>
  return %free, %less, %again : tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>
}

// -----

// A nearest resize of integers moves them.
// CHECK-LABEL: @nearest
// CHECK: "tir.conv2d-fix"
// CHECK: "tir.upsample-fix"({{.*}}scale = [2 : i32, 2 : i32]
func.func @nearest(%x: tensor<1x2x2x1xi8>) -> tensor<1x4x4x1xi8> {
  %w = "tir.const"() {value = dense<100> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %0 = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = 0 : i32} : (tensor<1x2x2x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x2x2x1xi8>
  %1 = "tir.resize"(%0) {size = [4 : i32, 4 : i32], mode = "NEAREST"} : (tensor<1x2x2x1xi8>) -> tensor<1x4x4x1xi8>
  return %1 : tensor<1x4x4x1xi8>
}

// -----

// A slope with a range that samples exceed saturates there, also one that a
// float convolution of a quantised model has; below zero a type that begins there
// leaves nothing. No sample reaches the end of the last two.
// KEEP-LABEL: @slopes
// CHECK-LABEL: @slopes
// CHECK-NOT: tir.clip
// CHECK: leaky-relu-fix"{{.*}}op_name = "leaky", output_fix_point = 7
// CHECK: prelu-fix"{{.*}}op_name = "own", output_fix_point = 7
// CHECK: prelu-fix"{{.*}}op_name = "more", output_fix_point = 7
// CHECK: conv2d-fix"{{.*}}nonlinear = "LEAKYRELU"{{.*}}op_name = "l", output_fix_point = 7
// CHECK: relu-fix"
// CHECK: leaky-relu-fix"{{.*}}op_name = "far", output_fix_point = 3
// CHECK: prelu-fix"{{.*}}op_name = "off", output_fix_point = 3
// CHECK-NOT: tir.clip
func.func @slopes(%x: tensor<1x4x4x1xi8>) -> (tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xui8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>) {
  %w = "tir.const"() {value = dense<100> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %s = "tir.const"() {value = dense<100> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %c = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "c", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.11 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %leaky = "tir.qlinear-activation"(%c) {type = "LEAKYRELU", alpha = 0.1015625 : f32, op_name = "leaky", input_scale = 0.11 : f32, input_zero_point = 0 : i32, output_scale = 0.0078 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi8>
  %own = "tir.qlinear-activation"(%c) {type = "LEAKYRELU", alpha = 0.3 : f32, op_name = "own", input_scale = 0.11 : f32, input_zero_point = 0 : i32, output_scale = 0.00787401572 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi8>
  %more = "tir.qlinear-prelu"(%c, %s) {op_name = "more", input_scale = 0.11 : f32, input_zero_point = 0 : i32, slope_scale = 0.005 : f32, slope_zero_point = 0 : i32, output_scale = 0.0078 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi8>
  %d = "tir.dequantize-linear"(%c) {scale = [0.11 : f32], zero_point = [0 : i32]} : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xf32>
  %f = "tir.conv2d"(%d, %r) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "f"} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  %l = "tir.leaky-relu"(%f) {alpha = 0.1015625 : f32, op_name = "l"} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %q = "tir.quantize-linear"(%l) {scale = [0.0078 : f32], zero_point = [0 : i32], op_name = "q"} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xi8>
  %z = "tir.leaky-relu"(%d) {alpha = 0.1015625 : f32, op_name = "z"} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %zero = "tir.quantize-linear"(%z) {scale = [0.1 : f32], zero_point = [0 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xui8>
  %far = "tir.qlinear-activation"(%c) {type = "LEAKYRELU", alpha = 0.1015625 : f32, op_name = "far", input_scale = 0.11 : f32, input_zero_point = 0 : i32, output_scale = 0.15 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi8>
  %off = "tir.qlinear-prelu"(%c, %s) {op_name = "off", input_scale = 0.11 : f32, input_zero_point = 0 : i32, slope_scale = 0.005 : f32, slope_zero_point = 0 : i32, output_scale = 0.15 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1xi8>) -> tensor<1x4x4x1xi8>
  return %leaky, %own, %more, %q, %zero, %far, %off : tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xui8>, tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>
}

// -----

// The same of concatenations. What only they read saturates with them, so that
// nothing is left to do; what is not negative has no lower end.
// CHECK-LABEL: @joins
// CHECK-NOT: tir.clip
// CHECK: conv2d-fix"{{.*}}op_name = "a", output_fix_point = 7
// CHECK: conv2d-fix"{{.*}}op_name = "b", output_fix_point = 7
// CHECK: concat-fix"{{.*}}input_fix_point = [7 : i32, 7 : i32], op_name = "narrow"{{.*}}output_fix_point = 7
// CHECK: concat-fix"{{.*}}op_name = "positive"{{.*}}output_fix_point = 7
// CHECK-NOT: relu-fix
// CHECK: concat-fix"{{.*}}op_name = "wide"{{.*}}output_fix_point = 3
// CHECK-NOT: relu-fix
// CHECK-NOT: tir.clip
func.func @joins(%x: tensor<1x4x4x1xi8>) -> (tensor<1x4x4x2xi8>, tensor<1x4x4x2xui8>, tensor<1x4x4x2xui8>) {
  %w = "tir.const"() {value = dense<100> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %a = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "a", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.11 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %b = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "b", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.02 : f32], output_scale = 0.2 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xi8>
  %narrow = "tir.qlinear-concat"(%a, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, axis = 3 : i32, op_name = "narrow", input_scale = [0.11 : f32, 0.2 : f32], input_zero_point = [0 : i32, 0 : i32], output_scale = 0.0078 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x4x4x1xi8>) -> tensor<1x4x4x2xi8>
  %p = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "p", nonlinear = "RELU", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.06 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xui8>
  %positive = "tir.qlinear-concat"(%p, %p) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, axis = 3 : i32, op_name = "positive", input_scale = [0.06 : f32, 0.06 : f32], input_zero_point = [0 : i32, 0 : i32], output_scale = 0.0039 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xui8>, tensor<1x4x4x1xui8>) -> tensor<1x4x4x2xui8>
  %wide = "tir.qlinear-concat"(%p, %p) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, axis = 3 : i32, op_name = "wide", input_scale = [0.06 : f32, 0.06 : f32], input_zero_point = [0 : i32, 0 : i32], output_scale = 0.07 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xui8>, tensor<1x4x4x1xui8>) -> tensor<1x4x4x2xui8>
  return %narrow, %positive, %wide : tensor<1x4x4x2xi8>, tensor<1x4x4x2xui8>, tensor<1x4x4x2xui8>
}

// -----

// What moves integers whose scale is a power of two by chance is in fixed point
// before the others; it has no range of its own and follows them. An average and
// a move to another fix point round by the model's.
// CHECK-LABEL: @by_chance
// CHECK: "tir.sigmoid"
// CHECK: %[[S:.*]] = "tir.float2fix"{{.*}}-> tensor<1x2x2x8xi8>
// CHECK: %[[C:.*]] = "tir.strided_slice-fix"(%[[S]]){{.*}}op_name = "cut"{{.*}}-> tensor<1x2x2x4xi8>
// CHECK: %[[U:.*]] = "tir.upsample-fix"(%[[C]]){{.*}}op_name = "up"{{.*}}scale = [1 : i32, 2 : i32]{{.*}}-> tensor<1x4x2x4xi8>
// CHECK: %[[P:.*]] = "tir.pool-fix"(%[[U]]){{.*}}op_name = "most"{{.*}}type = "MAX"{{.*}}-> tensor<1x4x2x4xi8>
// CHECK: %[[J:.*]] = "tir.concat-fix"(%[[U]], %[[P]]){{.*}}-> tensor<1x4x2x8xi8>
// CHECK: "tir.conv2d-fix"(%[[J]]{{.*}}op_name = "c"
// CHECK: %[[Q:.*]] = "tir.quantize-linear"{{.*}}scale = [3.906250e-03 : f32], zero_point = [0 : i32]{{.*}}-> tensor<1x2x2x8xui8>
// CHECK: "tir.pool-fix"(%[[Q]]){{.*}}op_name = "mean"{{.*}}-> tensor<1x2x2x8xui8>
// CHECK: "tir.strided_slice-fix"(%[[Q]]){{.*}}op_name = "coarse"{{.*}}-> tensor<1x2x2x4xui8>
func.func @by_chance(%x: tensor<1x2x2x8xi8>) -> (tensor<1x4x2x8xi8>, tensor<1x2x2x8xui8>, tensor<1x2x2x4xui8>) {
  %s = "tir.qlinear-activation"(%x) {type = "SIGMOID", input_scale = 0.05 : f32, input_zero_point = 3 : i32, output_scale = 0.00390625 : f32, output_zero_point = 0 : i32, flavor = "ONNX"} : (tensor<1x2x2x8xi8>) -> tensor<1x2x2x8xui8>
  %c = "tir.strided_slice-fix"(%s) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 2 : i32, 2 : i32, 4 : i32], input_fix_point = 8 : i32, output_fix_point = 8 : i32, op_name = "cut", strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x2x2x8xui8>) -> tensor<1x2x2x4xui8>
  %u = "tir.upsample-fix"(%c) {input_fix_point = 8 : i32, output_fix_point = 8 : i32, op_name = "up", scale = [1 : i32, 2 : i32]} : (tensor<1x2x2x4xui8>) -> tensor<1x4x2x4xui8>
  %p = "tir.pool-fix"(%u) {input_fix_point = 8 : i32, output_fix_point = 8 : i32, op_name = "most", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], type = "MAX"} : (tensor<1x4x2x4xui8>) -> tensor<1x4x2x4xui8>
  %j = "tir.concat-fix"(%u, %p) {input_fix_point = [8 : i32, 8 : i32], output_fix_point = 8 : i32, op_name = "both", axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x2x4xui8>, tensor<1x4x2x4xui8>) -> tensor<1x4x2x8xui8>
  %w = "tir.const"() {value = dense<100> : tensor<8x3x3x8xi8>} : () -> tensor<8x3x3x8xi8>
  %y = "tir.qlinear-conv2d"(%j, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], op_name = "c", input_scale = 0.00390625 : f32, input_zero_point = 0 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = 3 : i32, flavor = "ONNX"} : (tensor<1x4x2x8xui8>, tensor<8x3x3x8xi8>) -> tensor<1x4x2x8xi8>
  %m = "tir.pool-fix"(%s) {input_fix_point = 8 : i32, output_fix_point = 8 : i32, op_name = "mean", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], type = "AVG"} : (tensor<1x2x2x8xui8>) -> tensor<1x2x2x8xui8>
  %k = "tir.strided_slice-fix"(%s) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 2 : i32, 2 : i32, 4 : i32], input_fix_point = 8 : i32, output_fix_point = 7 : i32, op_name = "coarse", strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x2x2x8xui8>) -> tensor<1x2x2x4xui8>
  return %y, %m, %k : tensor<1x4x2x8xi8>, tensor<1x2x2x8xui8>, tensor<1x2x2x4xui8>
}

// -----

// So does what reads the numbers.
// CHECK-LABEL: @read_by_chance
// CHECK: %[[S:.*]] = "tir.sigmoid"
// CHECK-NEXT: return %[[S]]
func.func @read_by_chance(%x: tensor<1x8xi8>) -> tensor<1x8xf32> {
  %s = "tir.qlinear-activation"(%x) {type = "SIGMOID", input_scale = 0.05 : f32, input_zero_point = 3 : i32, output_scale = 0.00390625 : f32, output_zero_point = 0 : i32, flavor = "ONNX"} : (tensor<1x8xi8>) -> tensor<1x8xui8>
  %f = "tir.fix2float"(%s) {bit_width = 8 : i32, fix_point = 8 : i32, if_signed = false, round_mode = "DPU_ROUND"} : (tensor<1x8xui8>) -> tensor<1x8xf32>
  return %f : tensor<1x8xf32>
}
