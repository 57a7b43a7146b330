// REQUIRES: mlir
// Where the images of a convolution are in the banks, the engine for sums copies
// the columns of its last rows to strips, and the results to their rows; it adds
// the second operand of a sum on the way. What strips have beside the image are
// zeros that LOADs bring.

// RUN: split-file %s %t.dir
// RUN: xc-opt %t.dir/net.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-asm %t.mlir | FileCheck %s --check-prefix=ASM
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s --check-prefix=NONE
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/net.mlir B512 B1152 B4096
// NONE-NOT: strips

// Five rows of 13: seven strips, of which the last one has one column.
//      CHECK: conv fire, kernel 3x3
// CHECK-NEXT: tiles {{ *}}1 of 13 columns, 2 of 8 rows
// CHECK-NEXT: strips {{ *}}the last 5 rows, 7 of 2 columns, copied in the banks
// CHECK-NEXT: input {{ *}}13x13x64, held
// CHECK-NEXT: output {{ *}}13x13x256, held
//      CHECK: conv sum, kernel 3x3
//      CHECK: strips {{ *}}the last 5 rows, 7 of 2 columns, copied in the banks
// What goes to DDR is saved strip by strip.
//      CHECK: conv last, kernel 3x3
//      CHECK: strips {{ *}}the last 5 rows, 7 of 2 columns, copied in the banks
//      CHECK: output {{ *}}13x13x64, DDR

// ASM: fire: tile 0, rows 8 to 12
// ASM-NEXT: LOAD {{.*}} bank_id 0 {{.*}} pad_idx 4 channel 16 length 4 pad_start 15 pad_end 1 {{.*}} reg_id 0
// ASM-NEXT: ELEWINIT {{.*}} bank_id_in 7
// ASM-NEXT: ELEW {{.*}} bank_id_out 0 {{.*}} length 3 valid_pixel_parallel 1 num 1
// ASM: CONVINIT {{.*}} stride_h 3 kernel_h 3 valid_pixel_parallel 7
// ASM: CONV {{.*}} length 2 bank_id_in 0
// ASM: ELEWINIT {{.*}} bank_id_in 8
// ASM-NEXT: ELEW {{.*}} bank_id_out 0 {{.*}} length 2 valid_pixel_parallel 1 num 1
// ASM: sum: tile 0, rows 8 to 12
// ASM: ELEWINIT {{.*}} bank_id_in 8 {{.*}} id 0
// ASM-NEXT: ELEWINIT {{.*}} bank_id_in 0 {{.*}} id 1
// ASM-NEXT: ELEW {{.*}} bank_id_out 0 {{.*}} act_type 1 length 2 valid_pixel_parallel 1 num 2

//--- net.mlir
func.func @net(%x: tensor<1x13x13x64xi8>) -> tensor<1x13x13x64xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<3> : tensor<64x1x1x64xi8>} : () -> tensor<64x1x1x64xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "squeeze", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 2 : i32} : (tensor<1x13x13x64xi8>, tensor<64x1x1x64xi8>) -> tensor<1x13x13x64xi8>
  %v = "tir.const"() {value = dense<-2> : tensor<256x3x3x64xi8>} : () -> tensor<256x3x3x64xi8>
  %1 = "tir.conv2d-fix"(%0, %v) {op_name = "fire", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 2 : i32, weight_fix_point = 6 : i32, output_fix_point = -2 : i32} : (tensor<1x13x13x64xi8>, tensor<256x3x3x64xi8>) -> tensor<1x13x13x256xi8>
  %u = "tir.const"() {value = dense<1> : tensor<256x3x3x256xi8>} : () -> tensor<256x3x3x256xi8>
  %2 = "tir.conv2d-fix"(%1, %u) {op_name = "sum", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = -2 : i32, weight_fix_point = 6 : i32, output_fix_point = 0 : i32} : (tensor<1x13x13x256xi8>, tensor<256x3x3x256xi8>) -> tensor<1x13x13x256xi8>
  %3 = "tir.eltwise-fix"(%2, %1) {type = "ADD", nonlinear = "RELU", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [0 : i32, -2 : i32], output_fix_point = -3 : i32} : (tensor<1x13x13x256xi8>, tensor<1x13x13x256xi8>) -> tensor<1x13x13x256xi8>
  %t = "tir.const"() {value = dense<-1> : tensor<64x3x3x256xi8>} : () -> tensor<64x3x3x256xi8>
  %4 = "tir.conv2d-fix"(%3, %t) {op_name = "last", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = -3 : i32, weight_fix_point = 6 : i32, output_fix_point = -6 : i32} : (tensor<1x13x13x256xi8>, tensor<64x3x3x256xi8>) -> tensor<1x13x13x64xi8>
  return %4 : tensor<1x13x13x64xi8>
}
