// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: xc-opt --tir-legalize='target=DPUCAHX8H_ISA2' %s | FileCheck %s --check-prefix=APART
// RUN: RewriteEqualTest %s tir-legalize exact

// The factor 7 / 2^6 stands in all weights.
// CHECK-LABEL: func.func @inside
// CHECK: %[[W:.*]] = "tir.const"() {value = dense<7> : tensor<1x3x3x64xi8>}
// CHECK: "tir.depthwise-conv2d-fix"(%arg0, %[[W]]) {{{.*}}input_fix_point = 5 : i32, kernel = [3 : i32, 3 : i32]{{.*}}output_fix_point = 6 : i32, pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]{{.*}}weight_fix_point = 6 : i32}
// Pools have an engine of their own.
// APART-LABEL: func.func @inside
// APART-NOT: depthwise
// APART: tir.pool-fix
func.func @inside(%x: tensor<1x20x14x64xi8>) -> tensor<1x20x14x64xi8> {
  %y = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 6 : i32} : (tensor<1x20x14x64xi8>) -> tensor<1x20x14x64xi8>
  return %y : tensor<1x20x14x64xi8>
}

// The inside of an average that leaves out its padding.
// CHECK-LABEL: func.func @border
// CHECK: tir.depthwise-conv2d-fix{{.*}} -> tensor<1x18x30x64xi8>
// CHECK: tir.concat-fix
func.func @border(%x: tensor<1x20x32x64xi8>) -> tensor<1x20x32x64xi8> {
  %y = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], count_include_pad = false, input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x20x32x64xi8>) -> tensor<1x20x32x64xi8>
  return %y : tensor<1x20x32x64xi8>
}

// What also leaves the function.
// CHECK-LABEL: func.func @returned
// CHECK: %[[Y:.*]] = "tir.depthwise-conv2d-fix"
// CHECK: return %[[Y]], %arg0
func.func @returned(%x: tensor<1x20x14x64xi8>) -> (tensor<1x20x14x64xi8>, tensor<1x20x14x64xi8>) {
  %y = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 6 : i32} : (tensor<1x20x14x64xi8>) -> tensor<1x20x14x64xi8>
  return %y, %x : tensor<1x20x14x64xi8>, tensor<1x20x14x64xi8>
}

// Branches: convolutions that read the image run while the pools do.
// CHECK-LABEL: func.func @branches
// CHECK: tir.pool-fix
// CHECK-NOT: depthwise
// CHECK: return
func.func @branches(%x: tensor<1x20x32x64xi8>) -> (tensor<1x20x32x64xi8>, tensor<1x20x32x64xi8>, tensor<1x20x32x8xi8>) {
  %w = "tir.const"() {value = dense<3> : tensor<8x1x1x64xi8>} : () -> tensor<8x1x1x64xi8>
  %0 = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], count_include_pad = false, input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x20x32x64xi8>) -> tensor<1x20x32x64xi8>
  %1 = "tir.pool-fix"(%x) {type = "AVG", kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x20x32x64xi8>) -> tensor<1x20x32x64xi8>
  %2 = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x20x32x64xi8>, tensor<8x1x1x64xi8>) -> tensor<1x20x32x8xi8>
  return %0, %1, %2 : tensor<1x20x32x64xi8>, tensor<1x20x32x64xi8>, tensor<1x20x32x8xi8>
}

// A maximum; windows that overlap little, or that are alone; few results; exact quotients; and
// another rounding.
// CHECK-LABEL: func.func @pools
// CHECK-NOT: depthwise
// CHECK: return
func.func @pools(%x: tensor<1x20x14x64xi8>, %s: tensor<1x4x4x16xi8>, %g: tensor<1x7x7x1280xi8>) -> (tensor<1x20x14x64xi8>, tensor<1x10x7x64xi8>, tensor<1x1x1x1280xi8>, tensor<1x4x4x16xi8>, tensor<1x20x14x64xi8>, tensor<1x20x14x64xi8>) {
  %0 = "tir.pool-fix"(%x) {type = "MAX", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x20x14x64xi8>) -> tensor<1x20x14x64xi8>
  %1 = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 0 : i32, 1 : i32, 0 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x20x14x64xi8>) -> tensor<1x10x7x64xi8>
  %2 = "tir.pool-fix"(%s) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  %3 = "tir.pool-fix"(%x) {type = "AVG", exact = true, kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x20x14x64xi8>) -> tensor<1x20x14x64xi8>
  %4 = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32, round_mode = "PY3_ROUND"} : (tensor<1x20x14x64xi8>) -> tensor<1x20x14x64xi8>
  %5 = "tir.pool-fix"(%g) {type = "AVG", kernel = [7 : i32, 7 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x7x7x1280xi8>) -> tensor<1x1x1x1280xi8>
  return %0, %1, %5, %2, %3, %4 : tensor<1x20x14x64xi8>, tensor<1x10x7x64xi8>, tensor<1x1x1x1280xi8>, tensor<1x4x4x16xi8>, tensor<1x20x14x64xi8>, tensor<1x20x14x64xi8>
}
