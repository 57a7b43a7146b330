// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --pass-pipeline='builtin.module(tir-quantize{calibration=random requantize=pof2 target=DPUCZDX8G_ISA1_B4096})' | FileCheck %s
// RUN: xc-opt %s --split-input-file --pass-pipeline='builtin.module(tir-quantize{calibration=random requantize=pof2 target=DPUCAHX8H_ISA2})' | FileCheck %s --check-prefix=STAGES
// RUN: xc-opt %s --split-input-file --pass-pipeline='builtin.module(tir-quantize{calibration=random requantize=pof2})' | FileCheck %s --check-prefix=NONE
// RUN: not xc-opt %s --split-input-file --pass-pipeline='builtin.module(tir-quantize{calibration=random requantize=pof2 target=NO})' 2>&1 | FileCheck %s --check-prefix=BAD

// With scales of any size nothing could be rewritten for a DPU, and in fixed
// point a mean of 12 x 12 numbers, no power of two, may not be.

// BAD: target 'NO'

// CHECK-LABEL: @mean
// CHECK: "tir.pool-fix"{{.*}}kernel = [12 : i32, 12 : i32]
// CHECK-NOT: reduction_mean
// STAGES-LABEL: @mean
// STAGES: "tir.pool-fix"{{.*}}kernel = [6 : i32, 6 : i32]
// STAGES: "tir.pool-fix"{{.*}}kernel = [2 : i32, 2 : i32]
// NONE-LABEL: @mean
// NONE: tir.reduction_mean-fix
func.func @mean(%x: tensor<1x12x12x8xi8>) -> tensor<1x8xi8> {
  %w = "tir.const"() {value = dense<64> : tensor<8x1x1x8xi8>} : () -> tensor<8x1x1x8xi8>
  %0 = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.2 : f32, output_zero_point = -1 : i32} : (tensor<1x12x12x8xi8>, tensor<8x1x1x8xi8>) -> tensor<1x12x12x8xi8>
  %1 = "tir.qlinear-reduction"(%0) {axis = [1 : i32, 2 : i32], keep_dims = false, type = "MEAN", input_scale = 0.2 : f32, input_zero_point = -1 : i32, output_scale = 0.1 : f32, output_zero_point = 3 : i32} : (tensor<1x12x12x8xi8>) -> tensor<1x8xi8>
  return %1 : tensor<1x8xi8>
}

// -----

// CHECK-LABEL: @resize
// CHECK-DAG: "tir.pool-fix"{{.*}}kernel = [2 : i32, 2 : i32]{{.*}}op_name = "down"
// CHECK-DAG: "tir.transposed-depthwise-conv2d-fix"{{.*}}op_name = "up"
// NONE-LABEL: @resize
// NONE-COUNT-2: "tir.resize"
func.func @resize(%x: tensor<1x4x4x8xi8>) -> (tensor<1x8x8x8xi8>, tensor<1x2x2x8xi8>) {
  %w = "tir.const"() {value = dense<64> : tensor<8x1x1x8xi8>} : () -> tensor<8x1x1x8xi8>
  %0 = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.2 : f32, output_zero_point = -1 : i32} : (tensor<1x4x4x8xi8>, tensor<8x1x1x8xi8>) -> tensor<1x4x4x8xi8>
  %1 = "tir.qlinear-resize"(%0) {half_pixel_centers = true, mode = "BILINEAR", op_name = "up", size = [8 : i32, 8 : i32], input_scale = 0.2 : f32, input_zero_point = -1 : i32, output_scale = 0.2 : f32, output_zero_point = -1 : i32} : (tensor<1x4x4x8xi8>) -> tensor<1x8x8x8xi8>
  %2 = "tir.qlinear-resize"(%0) {half_pixel_centers = true, mode = "BILINEAR", op_name = "down", size = [2 : i32, 2 : i32], input_scale = 0.2 : f32, input_zero_point = -1 : i32, output_scale = 0.2 : f32, output_zero_point = -1 : i32} : (tensor<1x4x4x8xi8>) -> tensor<1x2x2x8xi8>
  return %1, %2 : tensor<1x8x8x8xi8>, tensor<1x2x2x8xi8>
}

// -----

// CHECK-LABEL: @resize_of_one
// CHECK: "tir.upsample-fix"
// NONE-LABEL: @resize_of_one
// NONE: "tir.resize"
func.func @resize_of_one(%x: tensor<1x1x1x8xi8>) -> tensor<1x4x4x8xi8> {
  %w = "tir.const"() {value = dense<64> : tensor<8x1x1x8xi8>} : () -> tensor<8x1x1x8xi8>
  %0 = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.2 : f32, output_zero_point = -1 : i32} : (tensor<1x1x1x8xi8>, tensor<8x1x1x8xi8>) -> tensor<1x1x1x8xi8>
  %1 = "tir.qlinear-resize"(%0) {half_pixel_centers = true, mode = "BILINEAR", size = [4 : i32, 4 : i32], input_scale = 0.2 : f32, input_zero_point = -1 : i32, output_scale = 0.2 : f32, output_zero_point = -1 : i32} : (tensor<1x1x1x8xi8>) -> tensor<1x4x4x8xi8>
  return %1 : tensor<1x4x4x8xi8>
}

// -----

// CHECK-LABEL: @difference
// CHECK: "tir.depthwise-conv2d-fix"
// CHECK: "tir.eltwise-fix"{{.*}}op_name = "d"{{.*}}type = "ADD"
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}op_name = "p"
// NONE-LABEL: @difference
// NONE: "tir.sub"
// NONE: tir.mul
func.func @difference(%x: tensor<1x4x4x8xi8>) -> tensor<1x4x4x8xi8> {
  %c = "tir.const"() {value = dense<[100, 10, 20, 30, 40, 50, -60, -70]> : tensor<8xi8>} : () -> tensor<8xi8>
  %w = "tir.const"() {value = dense<64> : tensor<8x1x1x8xi8>} : () -> tensor<8x1x1x8xi8>
  %v = "tir.const"() {value = dense<32> : tensor<8x1x1x8xi8>} : () -> tensor<8x1x1x8xi8>
  %0 = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.2 : f32, output_zero_point = -1 : i32} : (tensor<1x4x4x8xi8>, tensor<8x1x1x8xi8>) -> tensor<1x4x4x8xi8>
  %1 = "tir.qlinear-conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.2 : f32, output_zero_point = -1 : i32} : (tensor<1x4x4x8xi8>, tensor<8x1x1x8xi8>) -> tensor<1x4x4x8xi8>
  %2 = "tir.qlinear-eltwise"(%0, %1) {type = "SUB", op_name = "d", a_scale = 0.2 : f32, a_zero_point = -1 : i32, b_scale = 0.2 : f32, b_zero_point = -1 : i32, output_scale = 0.2 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x8xi8>, tensor<1x4x4x8xi8>) -> tensor<1x4x4x8xi8>
  %3 = "tir.qlinear-eltwise"(%2, %c) {type = "MUL", op_name = "p", a_scale = 0.2 : f32, a_zero_point = 0 : i32, b_scale = 0.05 : f32, b_zero_point = 1 : i32, output_scale = 0.2 : f32, output_zero_point = 0 : i32} : (tensor<1x4x4x8xi8>, tensor<8xi8>) -> tensor<1x4x4x8xi8>
  return %3 : tensor<1x4x4x8xi8>
}

// -----

// A product keeps what saturates beside it: the reshape that would stand
// between the two comes when they are one operator.
// CHECK-LABEL: @product
// CHECK: "tir.matmul-fix"{{.*}}nonlinear = "RELU"
// CHECK-NOT: tir.conv2d
func.func @product(%x: tensor<1x4x4x8xi8>) -> tensor<1x2xi8> {
  %w = "tir.const"() {value = dense<64> : tensor<8x2xi8>} : () -> tensor<8x2xi8>
  %0 = "tir.qlinear-pool"(%x) {type = "AVG", global = true, input_scale = 0.1 : f32, input_zero_point = 3 : i32, output_scale = 0.1 : f32, output_zero_point = 3 : i32} : (tensor<1x4x4x8xi8>) -> tensor<1x1x1x8xi8>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 8 : i32]} : (tensor<1x1x1x8xi8>) -> tensor<1x8xi8>
  %2 = "tir.qlinear-matmul"(%1, %w) {nonlinear = "RELU", input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.02 : f32], output_scale = 0.2 : f32, output_zero_point = -128 : i32} : (tensor<1x8xi8>, tensor<8x2xi8>) -> tensor<1x2xi8>
  return %2 : tensor<1x2xi8>
}

// -----

// Reshapes that nothing needs would hide the channels from equalisation.
// CHECK-LABEL: @reshapes
// CHECK: "tir.conv2d-fix"
// CHECK-NOT: reshape
// CHECK: "tir.conv2d-fix"
// NONE-LABEL: @reshapes
// NONE-COUNT-2: "tir.reshape-fix"
func.func @reshapes(%x: tensor<1x1x1x8xi8>) -> tensor<1x1x1x8xi8> {
  %w = "tir.const"() {value = dense<64> : tensor<8x1x1x8xi8>} : () -> tensor<8x1x1x8xi8>
  %0 = "tir.qlinear-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.1 : f32, input_zero_point = 3 : i32, weight_scale = [0.01 : f32], output_scale = 0.2 : f32, output_zero_point = -1 : i32} : (tensor<1x1x1x8xi8>, tensor<8x1x1x8xi8>) -> tensor<1x1x1x8xi8>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 8 : i32]} : (tensor<1x1x1x8xi8>) -> tensor<1x8xi8>
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 1 : i32, 1 : i32, 8 : i32]} : (tensor<1x8xi8>) -> tensor<1x1x1x8xi8>
  %3 = "tir.qlinear-conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_scale = 0.2 : f32, input_zero_point = -1 : i32, weight_scale = [0.01 : f32], output_scale = 0.2 : f32, output_zero_point = -1 : i32} : (tensor<1x1x1x8xi8>, tensor<8x1x1x8xi8>) -> tensor<1x1x1x8xi8>
  return %3 : tensor<1x1x1x8xi8>
}
