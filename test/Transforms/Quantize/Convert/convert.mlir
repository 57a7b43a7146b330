// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --pass-pipeline='builtin.module(tir-quantize{calibration=random samples=1})' | FileCheck %s

// One sample has no spread that fix points would leave room for (Observe/headroom.mlir).
// Random inputs lie in [-1, 1): fix point 7 clips the few at the end least. The
// activation goes into the convolution, weights get their own fix points.
// CHECK-LABEL: @conv
// CHECK: %[[X:.*]] = "tir.float2fix"(%arg0) {bit_width = 8 : i32, fix_point = 7 : i32
// CHECK-DAG: value = dense<64> : tensor<2x1x1x4xi8>
// CHECK-DAG: value = dense<[96, 32]> : tensor<2xi8>
// CHECK: %[[Y:.*]] = "tir.conv2d-fix"(%[[X]], {{.*}}) {bias_fix_point = 6 : i32, {{.*}}input_fix_point = 7 : i32, {{.*}}nonlinear = "RELU", op_name = "r", output_fix_point = 5 : i32, {{.*}}weight_fix_point = 7 : i32}
// CHECK: %[[Z:.*]] = "tir.fix2float"(%[[Y]]) {bit_width = 8 : i32, fix_point = 5 : i32
// CHECK: return %[[Z]]
func.func @conv(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x2xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<2x1x1x4xf32>} : () -> tensor<2x1x1x4xf32>
  %b = "tir.const"() {value = dense<[1.5, 0.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "c"} : (tensor<1x8x8x4xf32>, tensor<2x1x1x4xf32>, tensor<2xf32>) -> tensor<1x8x8x2xf32>
  %1 = "tir.relu"(%0) {op_name = "r"} : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  return %1 : tensor<1x8x8x2xf32>
}

// -----

// ReLU6 between convolutions is left to saturation. A value that is used twice
// keeps its activation apart.
// CHECK-LABEL: @relu6
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}output_fix_point = 5
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}nonlinear = "RELU"
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}nonlinear = "NONE"
// CHECK: "tir.relu-fix"
// CHECK: "tir.eltwise-fix"
func.func @relu6(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %w = "tir.const"() {value = dense<8.0> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %v = "tir.const"() {value = dense<0.125> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.relu6"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.depthwise-conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.relu6"(%2) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %4 = "tir.depthwise-conv2d"(%3, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %5 = "tir.relu"(%4) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %6 = "tir.add"(%4, %5) : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %6 : tensor<1x8x8x4xf32>
}

// -----

// Moves keep the fix point. What has no -fix form stays in floating point, and
// so does what only follows it.
// CHECK-LABEL: @moves
// CHECK: "tir.conv2d-fix"{{.*}}output_fix_point = [[P:[0-9]+]] : i32
// CHECK: "tir.pool-fix"{{.*}}input_fix_point = [[P]] : i32{{.*}}output_fix_point = [[P]] : i32{{.*}}type = "MAX"
// CHECK: "tir.upsample-fix"{{.*}}scale = [2 : i32, 2 : i32]
// CHECK: "tir.reshape-fix"{{.*}}shape = [1 : i32, 256 : i32]
// CHECK: "tir.fix2float"
// CHECK: "tir.softmax"
// CHECK: "tir.reshape"
// CHECK-NOT: -fix"
func.func @moves(%x: tensor<1x8x8x4xf32>) -> tensor<256xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.maxpool2d"(%0) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = "tir.resize"(%1) {size = [8 : i32, 8 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.flatten"(%2) : (tensor<1x8x8x4xf32>) -> tensor<1x256xf32>
  %4 = "tir.softmax"(%3) : (tensor<1x256xf32>) -> tensor<1x256xf32>
  %5 = "tir.reshape"(%4) {shape = [256 : i32]} : (tensor<1x256xf32>) -> tensor<256xf32>
  return %5 : tensor<256xf32>
}

// -----

// The average pool's windows touch no border: what counts does not matter.
// 0.1 is near enough to 26/256, 0.2 is a slope of its own in every channel.
// CHECK-LABEL: @pools
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "LEAKYRELU"
// CHECK: "tir.pool-fix"
// CHECK-NOT: count_include
// CHECK-SAME: type = "AVG"
// CHECK: %[[C:.*]] = "tir.conv2d-fix"{{.*}}nonlinear = "NONE"
// CHECK: %[[S:.*]] = "tir.const"() {value = dense<102> : tensor<4xi8>}
// CHECK: "tir.prelu-fix"(%[[C]], %[[S]]) {{.*}}slope_fix_point = 9
// CHECK: "tir.concat-fix"
// CHECK: "tir.pool-fix"{{.*}}count_include_invalid = false, count_include_pad = false
func.func @pools(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x8xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.leaky-relu"(%0) {alpha = 0.1 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.avgpool2d"(%1) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  %3 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x4x4x4xf32>
  %4 = "tir.leaky-relu"(%3) {alpha = 0.2 : f32} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %5 = "tir.concat"(%2, %4) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x8xf32>
  %6 = "tir.avgpool2d"(%5) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %6 : tensor<1x4x4x8xf32>
}

// -----

// Sums and depthwise convolutions leave the leaky ReLU to its own engine.
// CHECK-LABEL: @leaky_after
// CHECK: %[[A:.*]] = "tir.eltwise-fix"{{.*}}nonlinear = "NONE"
// CHECK: %[[L:.*]] = "tir.leaky-relu-fix"(%[[A]])
// CHECK: %[[D:.*]] = "tir.depthwise-conv2d-fix"(%[[L]]{{.*}}nonlinear = "NONE"
// CHECK: "tir.leaky-relu-fix"(%[[D]])
func.func @leaky_after(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %v = "tir.const"() {value = dense<0.5> : tensor<1x3x3x4xf32>} : () -> tensor<1x3x3x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.add"(%0, %0) : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.leaky-relu"(%1) {alpha = 0.1 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.depthwise-conv2d"(%2, %v) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<1x3x3x4xf32>) -> tensor<1x8x8x4xf32>
  %4 = "tir.leaky-relu"(%3) {alpha = 0.1 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %4 : tensor<1x8x8x4xf32>
}

// -----

// The shift of the result must lie between 0 and 16, that of the bias between
// -1 and 16: tiny weights are made coarser, a huge bias as well.
// CHECK-LABEL: @repair
// CHECK: "tir.conv2d-fix"{{.*}}bias_fix_point = -3 : i32{{.*}}input_fix_point = 7 : i32{{.*}}output_fix_point = -3 : i32{{.*}}weight_fix_point = 6 : i32
// CHECK: "tir.matmul-fix"{{.*}}input_fix_point = [-3 : i32, 7 : i32]
func.func @repair(%x: tensor<1x8x8x4xf32>) -> tensor<64x4xf32> {
  %w = "tir.const"() {value = dense<0.0009765625> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %b = "tir.const"() {value = dense<1000.> : tensor<4xf32>} : () -> tensor<4xf32>
  %v = "tir.const"() {value = dense<0.5> : tensor<4x4xf32>} : () -> tensor<4x4xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.reshape"(%0) {shape = [64 : i32, 4 : i32]} : (tensor<1x8x8x4xf32>) -> tensor<64x4xf32>
  %2 = "tir.matmul"(%1, %v) : (tensor<64x4xf32>, tensor<4x4xf32>) -> tensor<64x4xf32>
  return %2 : tensor<64x4xf32>
}

// -----

// Hard activations read steps of 1 and finer. Of sums in coarser ones hard swish
// is ReLU, and hard sigmoid an operator that reads saturated values.
// CHECK-LABEL: @coarse_hard
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}output_fix_point = -3 : i32
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "NONE"{{.*}}output_fix_point = -{{[0-9]+}} : i32
// CHECK: "tir.hard-sigmoid-fix"{{.*}}input_fix_point = 0 : i32, output_fix_point = 7 : i32
// CHECK: "tir.relu-fix"{{.*}}input_fix_point = -{{[0-9]+}} : i32
func.func @coarse_hard(%x: tensor<1x8x8x4xf32>) -> (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) {
  %w = "tir.const"() {value = dense<1.> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %b = "tir.const"() {value = dense<1000.> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.hard-swish"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.conv2d"(%1, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.hard-sigmoid"(%2) {alpha = 0.166666672 : f32, beta = 0.5 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %4 = "tir.maxpool2d"(%1) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %5 = "tir.hard-swish"(%4) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %1, %3, %5 : tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>
}

// -----

// Hard activations: the sigmoid's result has fix point 7, the swish's input at
// most 15.
// CHECK-LABEL: @hard
// CHECK: "tir.conv2d-fix"{{.*}}hsigmoid_in = [[I:[0-9]+]] : i32{{.*}}nonlinear = "HSIGMOID"{{.*}}output_fix_point = 7 : i32
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "HSWISH"{{.*}}shift_hswish
// CHECK: "tir.eltwise-fix"{{.*}}type = "MUL"
func.func @hard(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %w = "tir.const"() {value = dense<0.75> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.hard-sigmoid"(%0) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.hard-swish"(%2) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %4 = "tir.mul"(%1, %3) : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %4 : tensor<1x8x8x4xf32>
}

// -----

// So do joins and repetitions of pixels: a DPU has them.
// CHECK-LABEL: @early_moves
// CHECK: %[[A:.*]] = "tir.float2fix"
// CHECK: %[[B:.*]] = "tir.upsample-fix"(%[[A]])
// CHECK: "tir.concat-fix"(%[[B]]
// CHECK-NOT: "tir.float2fix"
// CHECK: "tir.conv2d-fix"
func.func @early_moves(%x: tensor<1x4x4x4xf32>, %y: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %w = "tir.const"() {value = dense<0.75> : tensor<4x1x1x8xf32>} : () -> tensor<4x1x1x8xf32>
  %0 = "tir.softplus"(%x) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %1 = "tir.softplus"(%y) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.resize"(%0) {size = [8 : i32, 8 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.concat"(%2, %1) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x8xf32>
  %4 = "tir.conv2d"(%3, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x8xf32>, tensor<4x1x1x8xf32>) -> tensor<1x8x8x4xf32>
  return %4 : tensor<1x8x8x4xf32>
}

// -----

// A concatenation and a resize that are results, too, stay float.
// CHECK-LABEL: @late_moves
// CHECK: "tir.resize"
// CHECK: "tir.concat"
// CHECK: "tir.float2fix"
// CHECK: "tir.conv2d-fix"
// CHECK-NOT: "tir.concat-fix"
func.func @late_moves(%x: tensor<1x4x4x4xf32>, %y: tensor<1x8x8x4xf32>) -> (tensor<1x8x8x8xf32>, tensor<1x8x8x4xf32>) {
  %w = "tir.const"() {value = dense<0.75> : tensor<4x1x1x8xf32>} : () -> tensor<4x1x1x8xf32>
  %0 = "tir.softplus"(%x) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %1 = "tir.softplus"(%y) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = "tir.resize"(%0) {size = [8 : i32, 8 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = "tir.concat"(%2, %1) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x8xf32>
  %4 = "tir.conv2d"(%3, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x8x8xf32>, tensor<4x1x1x8xf32>) -> tensor<1x8x8x4xf32>
  return %3, %4 : tensor<1x8x8x8xf32>, tensor<1x8x8x4xf32>
}

// -----

// Behind an operator that stays float, what only convolutions read is quantised
// as early as pools and slices go; what others read as well is not.
// CHECK-LABEL: @early
// CHECK: %[[L:.*]] = "tir.lrn"
// CHECK: %[[Q:.*]] = "tir.float2fix"(%[[L]])
// CHECK: "tir.pool-fix"(%[[Q]])
// CHECK: "tir.strided_slice-fix"
// CHECK: "tir.conv2d-fix"
// CHECK: "tir.maxpool2d"
// CHECK: "tir.conv2d-fix"
func.func @early(%x: tensor<1x8x8x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %w = "tir.const"() {value = dense<0.75> : tensor<4x1x1x2xf32>} : () -> tensor<4x1x1x2xf32>
  %v = "tir.const"() {value = dense<0.75> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %0 = "tir.lrn"(%x) {size = 3 : i32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = "tir.maxpool2d"(%0) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = "tir.strided_slice"(%1) {begin = [0 : i32, 0 : i32, 0 : i32, 2 : i32], end = [1 : i32, 4 : i32, 4 : i32, 4 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x2xf32>
  %3 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf32>, tensor<4x1x1x2xf32>) -> tensor<1x4x4x4xf32>
  %4 = "tir.maxpool2d"(%x) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  %5 = "tir.conv2d"(%4, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x4x4x4xf32>
  return %3, %4, %5 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

// A product of large and very small numbers: its fix point is near the sum of
// those of the operands, not near each.
// CHECK-LABEL: func.func @tiny_product
// CHECK: tir.eltwise-fix"{{.*}}output_fix_point = 24 : i32, type = "MUL"
func.func @tiny_product(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<[[[[5000.0, 2500.0]]], [[[-5000.0, 2500.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %s = "tir.const"() {value = dense<1.0e-9> : tensor<1x2x2x2xf32>} : () -> tensor<1x2x2x2xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %b = "tir.mul"(%a, %s) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %c = "tir.conv2d"(%b, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  return %c : tensor<1x2x2x2xf32>
}

// -----

// A shift past the verifier's bounds is several.
// CHECK-LABEL: func.func @tiny_summand
// CHECK: "tir.reshape-fix"({{.*}}input_fix_point = 46 : i32, output_fix_point = 30 : i32
// CHECK: "tir.reshape-fix"({{.*}}input_fix_point = 30 : i32
// CHECK: tir.eltwise-fix"{{.*}}type = "ADD"
func.func @tiny_summand(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.5, 0.25]]], [[[-0.5, 0.25]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %s = "tir.const"() {value = dense<[[[[1.0e-12, 2.0e-13], [1.0e-12, 2.0e-13]], [[1.0e-12, 2.0e-13], [1.0e-12, 2.0e-13]]]]> : tensor<1x2x2x2xf32>} : () -> tensor<1x2x2x2xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %b = "tir.add"(%a, %s) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %c = "tir.conv2d"(%b, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  return %c : tensor<1x2x2x2xf32>
}

// -----

// An operand that is far below the others is shifted before the join.
// CHECK-LABEL: func.func @huge_operand
// CHECK: "tir.reshape-fix"(
// CHECK: tir.concat-fix"{{.*}}input_fix_point = [{{.*}}output_fix_point = -
func.func @huge_operand(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x4xf32> {
  %w = "tir.const"() {value = dense<[[[[0.5, 0.25]]], [[[-0.5, 0.25]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %s = "tir.const"() {value = dense<1.0e15> : tensor<1x2x2x2xf32>} : () -> tensor<1x2x2x2xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %b = "tir.mul"(%a, %s) : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %y = "tir.concat"(%a, %b) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x4xf32>
  %r = "tir.relu"(%y) : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %v = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %c = "tir.conv2d"(%r, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x2x2x4xf32>
  return %c : tensor<1x2x2x4xf32>
}

// -----

// The result of a pad holds what it pads with: the input is shifted.
// CHECK-LABEL: func.func @pad_above
// CHECK: tir.pad-fix"{{.*}}constant_value = 80 : i32, input_fix_point = 7 : i32, {{.*}}output_fix_point = 4 : i32
func.func @pad_above(%x: tensor<1x2x2x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.5, 0.25]]], [[[-0.5, 0.25]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %y = "tir.pad"(%a) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], constant_value = 5.0 : f32} : (tensor<1x2x2x2xf32>) -> tensor<1x4x4x2xf32>
  return %y : tensor<1x4x4x2xf32>
}

// -----

// The least number of all saturates, or nothing would be left of the input.
// CHECK-LABEL: func.func @pad_least
// CHECK: tir.pad-fix"{{.*}}constant_value = -128 : i32, input_fix_point = 7 : i32, {{.*}}output_fix_point = 7 : i32
func.func @pad_least(%x: tensor<1x2x2x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.5, 0.25]]], [[[-0.5, 0.25]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %y = "tir.pad"(%a) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], constant_value = 0xFF7FFFFF : f32} : (tensor<1x2x2x2xf32>) -> tensor<1x4x4x2xf32>
  return %y : tensor<1x4x4x2xf32>
}
