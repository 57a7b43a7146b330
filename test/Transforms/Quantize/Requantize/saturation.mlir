// REQUIRES: mlir
// What is quantised ends where its type does, after float operators too: a ReLU that
// the quantiser has dropped comes back, where the range begins at zero.
// RUN: xc-opt %s --split-input-file --pass-pipeline='builtin.module(tir-quantize{calibration=random requantize=pof2})' | FileCheck %s

// A bias that is no integer: the convolution is a float one.
// CHECK-LABEL: @float_bias
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU", op_name = "c"
// CHECK-NOT: clip
func.func @float_bias(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %b = "tir.const"() {value = dense<0.125> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "c"} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x4x4x1xf32>
  %1 = "tir.quantize-linear"(%0) {scale = [0.01 : f32], zero_point = [-128 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xi8>
  %2 = "tir.dequantize-linear"(%1) {scale = [0.01 : f32], zero_point = [-128 : i32]} : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xf32>
  return %2 : tensor<1x4x4x1xf32>
}

// -----

// ReLU6 as a range, before what only moves.
// CHECK-LABEL: @six_before_moves
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU6", op_name = "q"
// CHECK-NEXT: "tir.reshape-fix"
func.func @six_before_moves(%x: tensor<1x4x4x1xf32>) -> tensor<1x16xf32> {
  %w = "tir.const"() {value = dense<8.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "c"} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 16 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x16xf32>
  %2 = "tir.quantize-linear"(%1) {scale = [0.0235294 : f32], zero_point = [0 : i32], op_name = "q"} : (tensor<1x16xf32>) -> tensor<1x16xui8>
  %3 = "tir.dequantize-linear"(%2) {scale = [0.0235294 : f32], zero_point = [0 : i32]} : (tensor<1x16xui8>) -> tensor<1x16xf32>
  return %3 : tensor<1x16xf32>
}

// -----

// A ReLU that is still there is one, and the clamp beside it none where no sample
// reaches it.
// CHECK-LABEL: @beside_relu
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU"
// CHECK-NOT: relu
// CHECK-NOT: clip
func.func @beside_relu(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "c"} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  %1 = "tir.relu"(%0) {op_name = "r"} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %2 = "tir.quantize-linear"(%1) {scale = [0.1 : f32], zero_point = [-128 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xi8>
  %3 = "tir.dequantize-linear"(%2) {scale = [0.1 : f32], zero_point = [-128 : i32]} : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xf32>
  return %3 : tensor<1x4x4x1xf32>
}

// -----

// Pools hold what they read: a range that begins at zero cuts that off, unless it is
// not negative.
// CHECK-LABEL: @pools
// CHECK: "tir.avgpool2d"{{.*}}op_name = "cut"
// CHECK: "tir.relu"{{.*}}op_name = "cut"
// CHECK: "tir.avgpool2d"{{.*}}op_name = "free"
// CHECK-NOT: relu
func.func @pools(%x: tensor<1x8x8x1xi8>) -> tensor<1x2x2x1xi8> {
  %0 = "tir.qlinear-pool"(%x) {type = "AVG", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], op_name = "cut", input_scale = 0.1 : f32, input_zero_point = 3 : i32, output_scale = 0.05 : f32, output_zero_point = -128 : i32} : (tensor<1x8x8x1xi8>) -> tensor<1x4x4x1xi8>
  %1 = "tir.qlinear-pool"(%0) {type = "AVG", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], op_name = "free", input_scale = 0.05 : f32, input_zero_point = -128 : i32, output_scale = 0.05 : f32, output_zero_point = -128 : i32} : (tensor<1x4x4x1xi8>) -> tensor<1x2x2x1xi8>
  return %1 : tensor<1x2x2x1xi8>
}

// -----

// What a sigmoid computes needs no ReLU, a difference does.
// CHECK-LABEL: @signs
// CHECK: "tir.sigmoid"
// CHECK-NOT: relu
// CHECK: "tir.sub"
// CHECK: relu
func.func @signs(%x: tensor<1x4x4x1xf32>, %y: tensor<1x4x4x1xf32>) -> (tensor<1x4x4x1xui8>, tensor<1x4x4x1xui8>) {
  %0 = "tir.sigmoid"(%x) : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %1 = "tir.quantize-linear"(%0) {scale = [0.004 : f32], zero_point = [0 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xui8>
  %2 = "tir.sub"(%x, %y) : (tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %3 = "tir.quantize-linear"(%2) {scale = [0.02 : f32], zero_point = [0 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xui8>
  return %1, %3 : tensor<1x4x4x1xui8>, tensor<1x4x4x1xui8>
}

// -----

// Integers that use a part of their type, as PyTorch exports it: the ReLU and its limit
// are the convolution's. A maximum at another operand stays.
// CHECK-LABEL: @part_of_type
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}output_fix_point = 5
// CHECK-NOT: tir.max
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "NONE"
// CHECK: "tir.max"(%{{.*}}, %arg1)
func.func @part_of_type(%x: tensor<1x4x4x1xf32>, %y: tensor<1x4x4x1xui8>) -> tensor<1x4x4x1xui8> {
  %lo = "tir.const"() {value = dense<0> : tensor<ui8>} : () -> tensor<ui8>
  %hi = "tir.const"() {value = dense<127> : tensor<ui8>} : () -> tensor<ui8>
  %w = "tir.const"() {value = dense<100> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %0 = "tir.quantize-linear"(%x) {scale = [0.01 : f32], zero_point = [64 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xui8>
  %1 = "tir.qlinear-conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "c", input_scale = 0.01 : f32, input_zero_point = 64 : i32, weight_scale = [0.2 : f32], output_scale = 0.05 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xui8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xui8>
  %2 = "tir.max"(%1, %lo) : (tensor<1x4x4x1xui8>, tensor<ui8>) -> tensor<1x4x4x1xui8>
  %3 = "tir.min"(%2, %hi) : (tensor<1x4x4x1xui8>, tensor<ui8>) -> tensor<1x4x4x1xui8>
  %4 = "tir.qlinear-conv2d"(%3, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "d", input_scale = 0.05 : f32, input_zero_point = 0 : i32, weight_scale = [0.01 : f32], output_scale = 0.1 : f32, output_zero_point = 3 : i32} : (tensor<1x4x4x1xui8>, tensor<1x1x1x1xi8>) -> tensor<1x4x4x1xui8>
  %5 = "tir.max"(%4, %y) : (tensor<1x4x4x1xui8>, tensor<1x4x4x1xui8>) -> tensor<1x4x4x1xui8>
  return %5 : tensor<1x4x4x1xui8>
}

// -----

// Unsigned bytes at a fix point, which no DPU has, are a scale like any other.
// CHECK-LABEL: @unsigned_point
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU"
// CHECK-NOT: tir.fix"
// CHECK-NOT: if_signed = false
// CHECK: "tir.eltwise-fix"{{.*}}type = "MUL"
func.func @unsigned_point(%x: tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi8> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.dequantize-linear"(%x) {scale = [0.01 : f32], zero_point = [3 : i32]} : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xf32>
  %1 = "tir.conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  %2 = "tir.float2fix"(%1) {bit_width = 8 : i32, fix_point = 8 : i32, if_signed = false, round_mode = "DPU_ROUND"} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xui8>
  %3 = "tir.qlinear-eltwise"(%x, %2) {type = "MUL", a_scale = 0.01 : f32, a_zero_point = 3 : i32, b_scale = 0.00390625 : f32, b_zero_point = 0 : i32, output_scale = 0.01 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x1xi8>, tensor<1x4x4x1xui8>) -> tensor<1x4x4x1xi8>
  return %3 : tensor<1x4x4x1xi8>
}

// -----

// A SiLU that is quantised stays on the CPU as a whole, without a clamp after it.
// CHECK-LABEL: @silu
// CHECK: "tir.sigmoid"
// CHECK: "tir.mul"
// CHECK-NOT: tir.clip
// CHECK: "tir.conv2d-fix"
func.func @silu(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.sigmoid"(%x) : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %1 = "tir.mul"(%x, %0) : (tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %2 = "tir.quantize-linear"(%1) {scale = [0.003 : f32], zero_point = [0 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xi8>
  %3 = "tir.dequantize-linear"(%2) {scale = [0.003 : f32], zero_point = [0 : i32]} : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xf32>
  %4 = "tir.conv2d"(%3, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x1xf32>
  return %4 : tensor<1x4x4x1xf32>
}

// -----

// Where nothing takes it along, a part of the type ends nothing, as the type itself;
// and what unsigned bytes hold needs no ReLU.
// CHECK-LABEL: @part_of_pool
// CHECK: "tir.avgpool2d"
// CHECK-NEXT: "tir.quantize-linear"
func.func @part_of_pool(%x: tensor<1x8x8x1xui8>) -> tensor<1x4x4x1xui8> {
  %hi = "tir.const"() {value = dense<127> : tensor<ui8>} : () -> tensor<ui8>
  %0 = "tir.qlinear-pool"(%x) {type = "AVG", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_scale = 0.01 : f32, input_zero_point = 0 : i32, output_scale = 0.01 : f32, output_zero_point = 0 : i32} : (tensor<1x8x8x1xui8>) -> tensor<1x4x4x1xui8>
  %1 = "tir.min"(%0, %hi) : (tensor<1x4x4x1xui8>, tensor<ui8>) -> tensor<1x4x4x1xui8>
  return %1 : tensor<1x4x4x1xui8>
}
