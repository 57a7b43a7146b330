// Convolutions that slide one window over one image in DDR find the rows that
// the others have loaded: they read it once, beside their weights. On B4096 that is
// so in each of two tiles of columns, which leave room for more rows.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s --check-prefixes=CHECK,TILES
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCAHX8H_ISA2 %t.mlir | FileCheck %s --check-prefixes=CHECK,WHOLE
// TILES: schedule for {{.*}}: 1 layers, 6 units
// WHOLE: schedule for {{.*}}: 1 layers, 3 units
// CHECK-NEXT: {{[0-9]+}} cycles, 384{{[0-9]+}} bytes loaded
// CHECK: cascade of units 0 to 2
// TILES: cascade of units 3 to 5
func.func @heads(%x: tensor<1x200x200x96xi8>) -> (tensor<1x200x200x16xi8>, tensor<1x200x200x12xi8>, tensor<1x200x200x8xi8>) attributes {device = "DPU"} {
  %a = "tir.const"() {value = dense<1> : tensor<16x1x1x96xi8>} : () -> tensor<16x1x1x96xi8>
  %b = "tir.const"() {value = dense<2> : tensor<12x1x1x96xi8>} : () -> tensor<12x1x1x96xi8>
  %c = "tir.const"() {value = dense<3> : tensor<8x1x1x96xi8>} : () -> tensor<8x1x1x96xi8>
  %0 = "tir.conv2d-fix"(%x, %a) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x200x200x96xi8>, tensor<16x1x1x96xi8>) -> tensor<1x200x200x16xi8>
  %1 = "tir.conv2d-fix"(%x, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 2 : i32} : (tensor<1x200x200x96xi8>, tensor<12x1x1x96xi8>) -> tensor<1x200x200x12xi8>
  %2 = "tir.conv2d-fix"(%x, %c) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 1 : i32} : (tensor<1x200x200x96xi8>, tensor<8x1x1x96xi8>) -> tensor<1x200x200x8xi8>
  return %0, %1, %2 : tensor<1x200x200x16xi8>, tensor<1x200x200x12xi8>, tensor<1x200x200x8xi8>
}
