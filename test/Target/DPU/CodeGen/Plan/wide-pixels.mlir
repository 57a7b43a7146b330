// REQUIRES: mlir
// A slice of a few channels: pixels are loaded with what lies between them, where a
// burst for each would take longer, and the last one by itself. Not so what is short,
// or what is not all written yet.

// RUN: split-file %s %t.dir
// RUN: xc-opt %t.dir/net.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-asm --effort=0 %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/net.mlir B512 B4096

// CHECK: # layer slice
// CHECK-NEXT: LOAD {{.*}} jump_read 4 jump_write 1 {{.*}} channel 4 length 999 {{.*}} reg_id 2 ddr_addr 1
// CHECK-NEXT: LOAD {{.*}} channel 2 length 1 {{.*}} reg_id 2 ddr_addr 3997
// CHECK-NEXT: SAVE {{.*}} channel 2 length 1000
// CHECK: # layer short
// CHECK-NEXT: LOAD {{.*}} channel 2 length 60
// CHECK: # layer sum
// CHECK-NEXT: LOAD {{.*}} jump_read 2 jump_write 1 {{.*}} channel 1 length 500 {{.*}} reg_id 3

//--- net.mlir
func.func @net(%x: tensor<1x1x2000x4xi8>, %y: tensor<1x1x60x4xi8>, %z: tensor<1x1x2000x1xi8>) -> (tensor<1x1x2000x2xi8>, tensor<1x1x60x2xi8>, tensor<1x1x2000x2xi8>) attributes {device = "DPU"} {
  %0 = "tir.strided_slice-fix"(%x) {op_name = "slice", begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 1 : i32, 2000 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 6 : i32, output_fix_point = 6 : i32} : (tensor<1x1x2000x4xi8>) -> tensor<1x1x2000x2xi8>
  %1 = "tir.strided_slice-fix"(%y) {op_name = "short", begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 1 : i32, 60 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 6 : i32, output_fix_point = 6 : i32} : (tensor<1x1x60x4xi8>) -> tensor<1x1x60x2xi8>
  %2 = "tir.relu-fix"(%z) {op_name = "half", input_fix_point = 6 : i32, output_fix_point = 6 : i32} : (tensor<1x1x2000x1xi8>) -> tensor<1x1x2000x1xi8>
  %3 = "tir.eltwise-fix"(%2, %z) {op_name = "sum", type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [6 : i32, 6 : i32], output_fix_point = 6 : i32} : (tensor<1x1x2000x1xi8>, tensor<1x1x2000x1xi8>) -> tensor<1x1x2000x1xi8>
  %4 = "tir.concat-fix"(%2, %3) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [6 : i32, 6 : i32], output_fix_point = 6 : i32} : (tensor<1x1x2000x1xi8>, tensor<1x1x2000x1xi8>) -> tensor<1x1x2000x2xi8>
  return %0, %1, %4 : tensor<1x1x2000x2xi8>, tensor<1x1x60x2xi8>, tensor<1x1x2000x2xi8>
}
