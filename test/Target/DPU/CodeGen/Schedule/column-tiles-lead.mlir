// As AlexNet has them. Before the schedules are finished, tiles of columns lead by more
// than a 300th, but they move more bytes, which finishing hides for whole rows as well:
// both schedules are finished, and whole rows are faster.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B4096 %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096

// CHECK: unit 0: max-pool
// CHECK-NEXT: 1 of 26 columns
// CHECK: unit 2: conv
// CHECK-NEXT: 1 of 26 columns
// CHECK-NOT: unit 3
func.func @groups(%arg0: tensor<1x54x54x96xi8>) -> tensor<1x26x26x256xi8> attributes {device = "DPU"} {
  %0 = "tir.pool-fix"(%arg0) {input_fix_point = 5 : i32, kernel = [3 : i32, 3 : i32], op_name = "n3", output_fix_point = 5 : i32, pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], stride = [2 : i32, 2 : i32], type = "MAX"} : (tensor<1x54x54x96xi8>) -> tensor<1x26x26x96xi8>
  %1 = "tir.strided_slice-fix"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 26 : i32, 26 : i32, 48 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32, strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x26x26x96xi8>) -> tensor<1x26x26x48xi8>
  %2 = "tir.const"() {value = dense<1> : tensor<128x5x5x48xi8>} : () -> tensor<128x5x5x48xi8>
  %3 = "tir.const"() {value = dense<1> : tensor<128xi8>} : () -> tensor<128xi8>
  %4 = "tir.conv2d-fix"(%1, %2, %3) {bias_fix_point = 10 : i32, group = 1 : i32, input_fix_point = 5 : i32, kernel = [5 : i32, 5 : i32], nonlinear = "RELU", op_name = "n4", output_fix_point = 4 : i32, pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 10 : i32} : (tensor<1x26x26x48xi8>, tensor<128x5x5x48xi8>, tensor<128xi8>) -> tensor<1x26x26x128xi8>
  %5 = "tir.strided_slice-fix"(%0) {begin = [0 : i32, 0 : i32, 0 : i32, 48 : i32], end = [1 : i32, 26 : i32, 26 : i32, 96 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32, strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x26x26x96xi8>) -> tensor<1x26x26x48xi8>
  %6 = "tir.const"() {value = dense<2> : tensor<128x5x5x48xi8>} : () -> tensor<128x5x5x48xi8>
  %7 = "tir.const"() {value = dense<1> : tensor<128xi8>} : () -> tensor<128xi8>
  %8 = "tir.conv2d-fix"(%5, %6, %7) {bias_fix_point = 10 : i32, group = 1 : i32, input_fix_point = 5 : i32, kernel = [5 : i32, 5 : i32], nonlinear = "RELU", op_name = "n4", output_fix_point = 4 : i32, pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 10 : i32} : (tensor<1x26x26x48xi8>, tensor<128x5x5x48xi8>, tensor<128xi8>) -> tensor<1x26x26x128xi8>
  %9 = "tir.concat-fix"(%4, %8) {axis = 3 : i32, input_fix_point = [4 : i32, 4 : i32], op_name = "n4", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, output_fix_point = 4 : i32} : (tensor<1x26x26x128xi8>, tensor<1x26x26x128xi8>) -> tensor<1x26x26x256xi8>
  return %9 : tensor<1x26x26x256xi8>
}
