// REQUIRES: mlir
// Neighbours of a phase of a dilated convolution lie far apart. Beyond what the
// fields jump_read and jump_write reach, pixels are moved one by one.

// RUN: split-file %s %t.dir
// RUN: xc-opt %t.dir/net.mlir --tir-partition='outline=false target=DPUCZDX8G_ISA1_B4096' | FileCheck %s --check-prefix=DEVICE
// RUN: xc-opt %t.dir/net.mlir --tir-partition='outline=false target=DPUCAHX8H_ISA2' | FileCheck %s --check-prefix=DEVICE
// RUN: xc-opt %t.dir/net.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-asm %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/net.mlir B512 B4096

// DEVICE-NOT: device = "CPU"
// DEVICE: device = "DPU"
// DEVICE-NOT: device = "CPU"

// CHECK: # layer near
// CHECK: LOAD {{.*}} jump_read 4800 {{.*}} channel 1600 length 3 {{.*}} reg_id 2
// CHECK: # layer depthwise
// CHECK: SAVE {{.*}} channel 1600 length 1 {{.*}} ddr_addr 2528
// CHECK-NEXT: SAVE {{.*}} channel 1600 length 1 {{.*}} ddr_addr 69728
// CHECK: # layer far
// CHECK: LOAD {{.*}} channel 1600 length 1 {{.*}} reg_id 2 ddr_addr [[#FIRST:]]
// CHECK-NEXT: LOAD {{.*}} channel 1600 length 1 {{.*}} reg_id 2 ddr_addr [[#FIRST+67200]]

//--- net.mlir
func.func @net(%x: tensor<1x7x8x1600xi8>, %y: tensor<1x1x44x1600xi8>) -> (tensor<1x7x8x16xi8>, tensor<1x1x2x16xi8>, tensor<1x1x44x1600xi8>) attributes {device = "DPU"} {
  %v = "tir.const"() {value = dense<1> : tensor<16x3x3x1600xi8>} : () -> tensor<16x3x3x1600xi8>
  %w = "tir.const"() {value = dense<2> : tensor<16x1x2x1600xi8>} : () -> tensor<16x1x2x1600xi8>
  %d = "tir.const"() {value = dense<-3> : tensor<1x1x3x1600xi8>} : () -> tensor<1x1x3x1600xi8>
  %0 = "tir.conv2d-fix"(%x, %v) {op_name = "near", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 3 : i32], pad = [3 : i32, 3 : i32, 3 : i32, 3 : i32], input_fix_point = 6 : i32, weight_fix_point = 4 : i32, output_fix_point = 2 : i32} : (tensor<1x7x8x1600xi8>, tensor<16x3x3x1600xi8>) -> tensor<1x7x8x16xi8>
  %1 = "tir.conv2d-fix"(%y, %w) {op_name = "far", kernel = [2 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [42 : i32, 1 : i32], input_fix_point = 6 : i32, weight_fix_point = 4 : i32, output_fix_point = 2 : i32} : (tensor<1x1x44x1600xi8>, tensor<16x1x2x1600xi8>) -> tensor<1x1x2x16xi8>
  %2 = "tir.depthwise-conv2d-fix"(%y, %d) {op_name = "depthwise", kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [42 : i32, 1 : i32], pad = [42 : i32, 42 : i32, 0 : i32, 0 : i32], input_fix_point = 6 : i32, weight_fix_point = 4 : i32, output_fix_point = 6 : i32} : (tensor<1x1x44x1600xi8>, tensor<1x1x3x1600xi8>) -> tensor<1x1x44x1600xi8>
  return %0, %1, %2 : tensor<1x7x8x16xi8>, tensor<1x1x2x16xi8>, tensor<1x1x44x1600xi8>
}
