// What is loaded of an image of few channels as one pixel serves several columns
// of the output, as many as there is room for. The last pixel lacks a column
// here. Where not even one column fits, the kernel keeps its width.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-dpu-schedule-json %t.mlir | FileCheck %s --check-prefix=JSON
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B1152 %t.mlir | FileCheck %s --check-prefix=TWO
// RUN: xc-translate --mtir-to-dpu-schedule --target=DPUCZDX8G_ISA1_B512 %t.mlir | FileCheck %s --check-prefix=NONE
// CHECK: tiles 1 of 128 columns, {{.*}}; augmented, 3 columns a pixel
// CHECK: parameters 36 words of weights
// JSON: "columns": 128
// JSON: "augmented": true
// JSON-NEXT: "columns_per_pixel": 3
// TWO: tiles 1 of 128 columns, {{.*}}; augmented, 2 columns a pixel
// NONE: tiles {{.*}} of {{[0-9]+}} columns
// NONE-NOT: augmented
func.func @wide(%x: tensor<1x256x256x3xi8>) -> tensor<1x128x128x12xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<12x6x6x3xi8>} : () -> tensor<12x6x6x3xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {kernel = [6 : i32, 6 : i32], stride = [2 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x256x256x3xi8>, tensor<12x6x6x3xi8>) -> tensor<1x128x128x12xi8>
  return %0 : tensor<1x128x128x12xi8>
}
