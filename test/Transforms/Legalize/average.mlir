// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact
// Its averages are square, which the pools at the border are not.
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=DPUCAHX8H_ISA2})' %s | FileCheck %s --check-prefix=V3E
// V3E-NOT: tir.strided_slice

// Windows at the top and left see less; those at the bottom and right do not
// reach the padding.
// CHECK-LABEL: func.func @corner
// CHECK-COUNT-4: tir.avgpool2d
// CHECK: tir.concat"{{.*}}axis = 1 : i32
// CHECK-NEXT: return
func.func @corner(%x: tensor<1x8x6x2xf32>) -> tensor<1x4x3x2xf32> {
  %y = "tir.avgpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x6x2xf32>) -> tensor<1x4x3x2xf32>
  return %y : tensor<1x4x3x2xf32>
}

// CHECK-LABEL: func.func @frame
// CHECK: tir.strided_slice-fix"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 2 : i32, 2 : i32, 2 : i32]
// CHECK-NEXT: tir.pool-fix"(%{{.*}}) {count_include_pad = true,{{.*}}kernel = [2 : i32, 2 : i32]
// CHECK: tir.concat-fix"{{.*}}axis = 1 : i32, input_fix_point = [3 : i32, 3 : i32, 3 : i32]
// CHECK-NEXT: return
func.func @frame(%x: tensor<1x5x6x2xi8>) -> tensor<1x5x6x2xi8> {
  %y = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], count_include_pad = false, input_fix_point = 2 : i32, output_fix_point = 3 : i32} : (tensor<1x5x6x2xi8>) -> tensor<1x5x6x2xi8>
  return %y : tensor<1x5x6x2xi8>
}

// SAME and CEIL become padding first; windows that see both borders.
// CHECK-LABEL: func.func @same
// CHECK-NOT: SAME
// CHECK: tir.concat
func.func @same(%x: tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32> {
  %y = "tir.avgpool2d"(%x) {kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32>
  return %y : tensor<1x3x2x2xf32>
}

// Padding that counts; that no window touches; more than eight parts.
// CHECK-LABEL: func.func @not
// CHECK-NOT: tir.strided_slice
// CHECK: return
func.func @not(%x: tensor<1x5x5x2xf32>, %z: tensor<1x12x12x2xf32>) -> (tensor<1x5x5x2xf32>, tensor<1x2x2x2xf32>, tensor<1x12x12x2xf32>) {
  %a = "tir.avgpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], count_include_pad = true} : (tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
  %b = "tir.avgpool2d"(%x) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x2x2x2xf32>
  %c = "tir.avgpool2d"(%z) {kernel = [9 : i32, 9 : i32], stride = [1 : i32, 1 : i32], pad = [4 : i32, 4 : i32, 4 : i32, 4 : i32]} : (tensor<1x12x12x2xf32>) -> tensor<1x12x12x2xf32>
  return %a, %b, %c : tensor<1x5x5x2xf32>, tensor<1x2x2x2xf32>, tensor<1x12x12x2xf32>
}

// The last windows of CEIL leave out what is beyond the padding that they
// count.
// CHECK-LABEL: func.func @beyond
// CHECK: %[[P:.*]] = "tir.pad"(%arg0) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]}
// CHECK-COUNT-4: "tir.avgpool2d"(
// CHECK: "tir.concat"
func.func @beyond(%x: tensor<1x8x8x4xf32>) -> tensor<1x5x5x4xf32> {
  %y = "tir.avgpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], pad_mode = "CEIL", count_include_pad = true, count_include_invalid = false} : (tensor<1x8x8x4xf32>) -> tensor<1x5x5x4xf32>
  return %y : tensor<1x5x5x4xf32>
}

// CHECK-LABEL: func.func @beyond_without_padding
// CHECK-NOT: tir.pad
// CHECK-COUNT-4: "tir.pool-fix"(
func.func @beyond_without_padding(%x: tensor<1x9x9x4xi8>) -> tensor<1x5x5x4xi8> {
  %y = "tir.pool-fix"(%x) {type = "AVG", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad_mode = "CEIL", count_include_pad = true, count_include_invalid = false, input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x9x9x4xi8>) -> tensor<1x5x5x4xi8>
  return %y : tensor<1x5x5x4xi8>
}
