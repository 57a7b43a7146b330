// Of an image whose rows are too long for a cascade, the layers of a chain run for
// one tile of columns after the other: what is between them is not in DDR. The
// columns around a border of two tiles are computed in both.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule --effort=0 %t.mlir | FileCheck %s --check-prefix=WHOLE
// RUN: %python %S/../Inputs/compare.py %t %s B4096 B512

// CHECK: conv a,
// CHECK: input      24x82x16, DDR register 2 at 0,
// CHECK: output     24x81x64, held in banks
// CHECK: conv b,
// CHECK: input      24x81x64, held in banks
// CHECK: output     24x80x16, DDR register 3 at 0,
// CHECK: conv a,
// CHECK: input      24x84x16, DDR register 2 at 1248,
// CHECK: conv b,
// CHECK: output     24x80x16, DDR register 3 at 1280,
// WHOLE: conv a,
// WHOLE: output     24x320x64, DDR register 1 at 0,
func.func @chain(%x: tensor<1x24x320x16xi8>) -> tensor<1x24x320x16xi8> attributes {device = "DPU"} {
  %a = "tir.const"() {value = dense<3> : tensor<64x3x3x16xi8>} : () -> tensor<64x3x3x16xi8>
  %b = "tir.const"() {value = dense<2> : tensor<16x3x3x64xi8>} : () -> tensor<16x3x3x64xi8>
  %0 = "tir.conv2d-fix"(%x, %a) {op_name = "a", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 7 : i32} : (tensor<1x24x320x16xi8>, tensor<64x3x3x16xi8>) -> tensor<1x24x320x64xi8>
  %1 = "tir.conv2d-fix"(%0, %b) {op_name = "b", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 7 : i32} : (tensor<1x24x320x64xi8>, tensor<16x3x3x64xi8>) -> tensor<1x24x320x16xi8>
  return %1 : tensor<1x24x320x16xi8>
}
