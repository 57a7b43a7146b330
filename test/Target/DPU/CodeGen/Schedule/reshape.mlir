// REQUIRES: mlir
// Convolutions of one element take pixels as the rows that leave the fewest lanes
// idle: of 14 x 14, 28 x 7 with the last four in strips, or 8 x 25 of which the
// last row begins four pixels early. What is held in the banks has the rows of all
// its users; windows read theirs from DDR.

// RUN: split-file %s %t.dir
// RUN: xc-opt %t.dir/net.mlir --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s --check-prefix=NONE
// RUN: xc-translate --mtir-to-dpu-asm %t.mlir -o %t.asm
// RUN: FileCheck %s --check-prefix=ASM --input-file=%t.asm
// RUN: sed -n '/^# function held/,$p' %t.asm > %t.held.asm
// RUN: xc-translate --dpu-asm-to-bin %t.held.asm -o %t.held
// RUN: xc-translate --dpu-verify --target=DPUCZDX8G_ISA1_B4096 %t.held | FileCheck %s --check-prefix=EVEN
// EVEN: no findings
// A row that begins in the middle of a pixel, or before all of the last one, is torn.
// RUN: sed 's/reg_id 2 ddr_addr 43776/reg_id 2 ddr_addr 43777/' %t.held.asm | xc-translate --dpu-asm-to-bin -o %t.held
// RUN: not xc-translate --dpu-verify --target=DPUCZDX8G_ISA1_B4096 %t.held 2>&1 | FileCheck %s --check-prefix=TORN
// RUN: sed 's/reg_id 2 ddr_addr 43776/reg_id 2 ddr_addr 38400/' %t.held.asm | xc-translate --dpu-asm-to-bin -o %t.held
// RUN: not xc-translate --dpu-verify --target=DPUCZDX8G_ISA1_B4096 %t.held 2>&1 | FileCheck %s --check-prefix=TORN
// TORN: torn: row 7, pixel 0 of the input
// RUN: %python %S/../Inputs/compare.py %t.out %t.dir/net.mlir B512 B4096

// NONE-NOT: 8x25
// NONE-NOT: 28x7

//      CHECK: conv pixels
//      CHECK: strips {{ *}}the last 4 rows, 7 of 1 columns
// CHECK-NEXT: input {{ *}}28x7x256, DDR
// CHECK-NEXT: output {{ *}}28x7x256, DDR

//      CHECK: conv wide,
//      CHECK: input {{ *}}8x25x256, DDR
// CHECK-NEXT: output {{ *}}8x25x1024, held
//      CHECK: conv narrow,
//      CHECK: input {{ *}}8x25x1024, held
// CHECK-NEXT: output {{ *}}8x25x256, DDR
//      CHECK: conv window,
//      CHECK: input {{ *}}14x14x256, DDR
//      CHECK: conv again,
//      CHECK: input {{ *}}8x25x256, DDR
// CHECK-NEXT: operand {{ *}}8x25x1024, held
// CHECK-NEXT: output {{ *}}8x25x1024, held
//      CHECK: conv last,
//      CHECK: input {{ *}}8x25x1024, held
// CHECK-NEXT: output {{ *}}8x25x256, DDR

// Row 7 begins at pixel 171, in place of 175, and is saved from 175 on.
//      ASM: # wide: tile 0, rows 0 to 7
//      ASM: LOAD {{.*}} bank_id 7 bank_addr 1600 {{.*}} length 25 {{.*}} ddr_addr 43776
//      ASM: # narrow: tile 0, rows 0 to 7
//      ASM: SAVE {{.*}} bank_id 14 bank_addr 0 {{.*}} length 25 {{.*}} ddr_addr {{.*}}
// ASM-NEXT: SAVE {{.*}} bank_id 15 bank_addr 64 {{.*}} length 21 {{.*}} ddr_addr

//--- net.mlir
func.func @alone(%x: tensor<1x14x14x256xi8>) -> tensor<1x14x14x256xi8> attributes {device = "DPU"} {
  %wpixels = "tir.const"() {value = dense<1> : tensor<256x1x1x256xi8>} : () -> tensor<256x1x1x256xi8>
  %pixels = "tir.conv2d-fix"(%x, %wpixels) {op_name = "pixels", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 9 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x256xi8>, tensor<256x1x1x256xi8>) -> tensor<1x14x14x256xi8>
  return %pixels : tensor<1x14x14x256xi8>
}
// -----
func.func @held(%x: tensor<1x14x14x256xi8>) -> tensor<1x14x14x256xi8> attributes {device = "DPU"} {
  %wwide = "tir.const"() {value = dense<2> : tensor<1024x1x1x256xi8>} : () -> tensor<1024x1x1x256xi8>
  %wide = "tir.conv2d-fix"(%x, %wwide) {op_name = "wide", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 9 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x256xi8>, tensor<1024x1x1x256xi8>) -> tensor<1x14x14x1024xi8>
  %wnarrow = "tir.const"() {value = dense<1> : tensor<256x1x1x1024xi8>} : () -> tensor<256x1x1x1024xi8>
  %narrow = "tir.conv2d-fix"(%wide, %wnarrow) {op_name = "narrow", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 9 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x1024xi8>, tensor<256x1x1x1024xi8>) -> tensor<1x14x14x256xi8>
  %wwindow = "tir.const"() {value = dense<1> : tensor<256x3x3x256xi8>} : () -> tensor<256x3x3x256xi8>
  %window = "tir.conv2d-fix"(%narrow, %wwindow) {op_name = "window", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 9 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x256xi8>, tensor<256x3x3x256xi8>) -> tensor<1x14x14x256xi8>
  %wagain = "tir.const"() {value = dense<3> : tensor<1024x1x1x256xi8>} : () -> tensor<1024x1x1x256xi8>
  %again = "tir.conv2d-fix"(%window, %wagain) {op_name = "again", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 9 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x256xi8>, tensor<1024x1x1x256xi8>) -> tensor<1x14x14x1024xi8>
  %sum = "tir.eltwise-fix"(%again, %wide) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, op_name = "sum", type = "ADD", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x14x14x1024xi8>, tensor<1x14x14x1024xi8>) -> tensor<1x14x14x1024xi8>
  %wlast = "tir.const"() {value = dense<2> : tensor<256x1x1x1024xi8>} : () -> tensor<256x1x1x1024xi8>
  %last = "tir.conv2d-fix"(%sum, %wlast) {op_name = "last", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 9 : i32, output_fix_point = 4 : i32} : (tensor<1x14x14x1024xi8>, tensor<256x1x1x1024xi8>) -> tensor<1x14x14x256xi8>
  return %last : tensor<1x14x14x256xi8>
}
