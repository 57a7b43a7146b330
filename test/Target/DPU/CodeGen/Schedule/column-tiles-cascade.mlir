// The layers whose rows are too long for a cascade may come after others that run in
// one: the chain begins with all of these.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: %python %S/../Inputs/compare.py %t %s B4096

// CHECK: conv first,
// CHECK: output {{.*}}held in banks
// CHECK: conv expand,
// CHECK: output {{.*}}held in banks
// CHECK: depthwise depth,
// CHECK: conv first,
// CHECK: depthwise depth,
func.func @expanded(%x: tensor<1x129x513x3xi8>) -> tensor<1x33x129x24xi8> attributes {device = "DPU"} {
  %a = "tir.const"() {value = dense<3> : tensor<16x3x3x3xi8>} : () -> tensor<16x3x3x3xi8>
  %b = "tir.const"() {value = dense<2> : tensor<96x1x1x16xi8>} : () -> tensor<96x1x1x16xi8>
  %c = "tir.const"() {value = dense<5> : tensor<1x3x3x96xi8>} : () -> tensor<1x3x3x96xi8>
  %d = "tir.const"() {value = dense<1> : tensor<24x1x1x96xi8>} : () -> tensor<24x1x1x96xi8>
  %0 = "tir.conv2d-fix"(%x, %a) {op_name = "first", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 6 : i32} : (tensor<1x129x513x3xi8>, tensor<16x3x3x3xi8>) -> tensor<1x65x257x16xi8>
  %1 = "tir.conv2d-fix"(%0, %b) {op_name = "expand", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 5 : i32} : (tensor<1x65x257x16xi8>, tensor<96x1x1x16xi8>) -> tensor<1x65x257x96xi8>
  %2 = "tir.depthwise-conv2d-fix"(%1, %c) {op_name = "depth", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 5 : i32} : (tensor<1x65x257x96xi8>, tensor<1x3x3x96xi8>) -> tensor<1x33x129x96xi8>
  %3 = "tir.conv2d-fix"(%2, %d) {op_name = "project", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 5 : i32} : (tensor<1x33x129x96xi8>, tensor<24x1x1x96xi8>) -> tensor<1x33x129x24xi8>
  return %3 : tensor<1x33x129x24xi8>
}
