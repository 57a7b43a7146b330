// A projection of a much larger input than the last convolution of the branch
// has comes before that one, which does the addition: the input need not stay
// until then. One that does not shrink it stays where it is.
// RUN: split-file %s %t.dir
// RUN: xc-opt %t.dir/net.mlir --split-input-file --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --split-input-file --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/net.mlir B512 B4096

// CHECK: conv middle
// CHECK: conv projection
// CHECK-NOT: operand
// CHECK: conv expand
// CHECK: operand    14x14x128

// CHECK: conv middle
// CHECK: conv expand
// CHECK-NOT: operand
// CHECK: conv projection
// CHECK: operand    28x28x128

//--- net.mlir
func.func @shrinks(%x: tensor<1x28x28x128xi8>) -> tensor<1x14x14x128xi8> attributes {device = "DPU"} {
  %wreduce = "tir.const"() {value = dense<1> : tensor<32x1x1x128xi8>} : () -> tensor<32x1x1x128xi8>
  %reduce = "tir.conv2d-fix"(%x, %wreduce) {op_name = "reduce", kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x28x28x128xi8>, tensor<32x1x1x128xi8>) -> tensor<1x14x14x32xi8>
  %wmiddle = "tir.const"() {value = dense<2> : tensor<32x3x3x32xi8>} : () -> tensor<32x3x3x32xi8>
  %middle = "tir.conv2d-fix"(%reduce, %wmiddle) {op_name = "middle", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x32xi8>, tensor<32x3x3x32xi8>) -> tensor<1x14x14x32xi8>
  %wexpand = "tir.const"() {value = dense<3> : tensor<128x1x1x32xi8>} : () -> tensor<128x1x1x32xi8>
  %expand = "tir.conv2d-fix"(%middle, %wexpand) {op_name = "expand", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x32xi8>, tensor<128x1x1x32xi8>) -> tensor<1x14x14x128xi8>
  %wprojection = "tir.const"() {value = dense<1> : tensor<128x1x1x128xi8>} : () -> tensor<128x1x1x128xi8>
  %projection = "tir.conv2d-fix"(%x, %wprojection) {op_name = "projection", kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x28x28x128xi8>, tensor<128x1x1x128xi8>) -> tensor<1x14x14x128xi8>
  %sum = "tir.eltwise-fix"(%expand, %projection) {op_name = "sum", type = "ADD", nonlinear = "RELU", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x14x14x128xi8>, tensor<1x14x14x128xi8>) -> tensor<1x14x14x128xi8>
  return %sum : tensor<1x14x14x128xi8>
}

// -----
func.func @grows(%x: tensor<1x28x28x64xi8>) -> tensor<1x28x28x128xi8> attributes {device = "DPU"} {
  %wreduce = "tir.const"() {value = dense<1> : tensor<32x1x1x64xi8>} : () -> tensor<32x1x1x64xi8>
  %reduce = "tir.conv2d-fix"(%x, %wreduce) {op_name = "reduce", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x28x28x64xi8>, tensor<32x1x1x64xi8>) -> tensor<1x28x28x32xi8>
  %wmiddle = "tir.const"() {value = dense<2> : tensor<32x3x3x32xi8>} : () -> tensor<32x3x3x32xi8>
  %middle = "tir.conv2d-fix"(%reduce, %wmiddle) {op_name = "middle", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x28x28x32xi8>, tensor<32x3x3x32xi8>) -> tensor<1x28x28x32xi8>
  %wexpand = "tir.const"() {value = dense<3> : tensor<128x1x1x32xi8>} : () -> tensor<128x1x1x32xi8>
  %expand = "tir.conv2d-fix"(%middle, %wexpand) {op_name = "expand", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x28x28x32xi8>, tensor<128x1x1x32xi8>) -> tensor<1x28x28x128xi8>
  %wprojection = "tir.const"() {value = dense<1> : tensor<128x1x1x64xi8>} : () -> tensor<128x1x1x64xi8>
  %projection = "tir.conv2d-fix"(%x, %wprojection) {op_name = "projection", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x28x28x64xi8>, tensor<128x1x1x64xi8>) -> tensor<1x28x28x128xi8>
  %sum = "tir.eltwise-fix"(%expand, %projection) {op_name = "sum", type = "ADD", nonlinear = "RELU", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x28x28x128xi8>, tensor<1x28x28x128xi8>) -> tensor<1x28x28x128xi8>
  return %sum : tensor<1x28x28x128xi8>
}
