// By itself, the 3x3 convolution of a bottleneck gains nothing from an input in the banks:
// the engine is busy all the time. In the finished schedule its LOADs delay others.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096

// CHECK: {{^}}62226 cycles, 600320 bytes loaded, 250880 saved
// CHECK: unit 0: conv a0
// CHECK: output 28x28x64, held in banks
// CHECK: unit 1: conv b0
// CHECK: strips the last 4 rows, {{.*}}, copied in the banks
// CHECK: input 28x28x64, held in banks

func.func @net(%x: tensor<1x28x28x256xi8>) -> tensor<1x28x28x256xi8> attributes {device = "DPU"} {
  %w1 = "tir.const"() {value = dense<2> : tensor<64x1x1x256xi8>} : () -> tensor<64x1x1x256xi8>
  %a0 = "tir.conv2d-fix"(%x, %w1) {op_name = "a0", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 9 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x256xi8>, tensor<64x1x1x256xi8>) -> tensor<1x28x28x64xi8>
  %w2 = "tir.const"() {value = dense<3> : tensor<64x3x3x64xi8>} : () -> tensor<64x3x3x64xi8>
  %b0 = "tir.conv2d-fix"(%a0, %w2) {op_name = "b0", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 9 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x64xi8>, tensor<64x3x3x64xi8>) -> tensor<1x28x28x64xi8>
  %w3 = "tir.const"() {value = dense<1> : tensor<256x1x1x64xi8>} : () -> tensor<256x1x1x64xi8>
  %c0 = "tir.conv2d-fix"(%b0, %w3) {op_name = "c0", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 9 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x64xi8>, tensor<256x1x1x64xi8>) -> tensor<1x28x28x256xi8>
  %s0 = "tir.eltwise-fix"(%x, %c0) {op_name = "s0", type = "ADD", nonlinear = "RELU", input_fix_point = [5 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x256xi8>, tensor<1x28x28x256xi8>) -> tensor<1x28x28x256xi8>
  %w4 = "tir.const"() {value = dense<2> : tensor<64x1x1x256xi8>} : () -> tensor<64x1x1x256xi8>
  %a1 = "tir.conv2d-fix"(%s0, %w4) {op_name = "a1", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 9 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x256xi8>, tensor<64x1x1x256xi8>) -> tensor<1x28x28x64xi8>
  %w5 = "tir.const"() {value = dense<3> : tensor<64x3x3x64xi8>} : () -> tensor<64x3x3x64xi8>
  %b1 = "tir.conv2d-fix"(%a1, %w5) {op_name = "b1", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 9 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x64xi8>, tensor<64x3x3x64xi8>) -> tensor<1x28x28x64xi8>
  %w6 = "tir.const"() {value = dense<1> : tensor<256x1x1x64xi8>} : () -> tensor<256x1x1x64xi8>
  %c1 = "tir.conv2d-fix"(%b1, %w6) {op_name = "c1", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 9 : i32, output_fix_point = 5 : i32} : (tensor<1x28x28x64xi8>, tensor<256x1x1x64xi8>) -> tensor<1x28x28x256xi8>
  %s1 = "tir.eltwise-fix"(%s0, %c1) {op_name = "s1", type = "ADD", nonlinear = "RELU", input_fix_point = [5 : i32, 5 : i32], output_fix_point = 5 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x28x28x256xi8>, tensor<1x28x28x256xi8>) -> tensor<1x28x28x256xi8>
  return %s1 : tensor<1x28x28x256xi8>
}
