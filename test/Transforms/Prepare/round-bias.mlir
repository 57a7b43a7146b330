// A bias of more than 8 bits gets 8 and the largest fix point at which all
// channels fit; what that loses is on the function.
// RUN: xc-opt --tir-round-bias --verify-each %s | FileCheck %s
// RUN: xc-opt --tir-round-bias=group-channels=2 --verify-each %s | FileCheck %s --check-prefix=GROUPS
// RUN: xc-opt --tir-round-bias --mlir-pass-statistics %s 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: 2 num-rounded

// Exact, with bits below that are zero and without.
// CHECK-LABEL: func.func @exact
// CHECK-SAME: xc.rounded_biases = "{\22above_half\22: [], \22exact\22: 2, \22largest_error\22: 0.0, \22layers\22: 2}"
// CHECK: value = dense<[5, -100]> : tensor<2xi8>
// CHECK: "tir.conv2d-fix"{{.*}}bias_fix_point = 10 : i32{{.*}}output_fix_point = 4 : i32
// CHECK: value = dense<[80, -100]> : tensor<2xi8>
// CHECK: "tir.matmul-fix"{{.*}}bias_fix_point = 6 : i32
func.func @exact(%x: tensor<1x1x1x2xi8>) -> (tensor<1x1x1x2xi8>, tensor<1x2xi8>) {
  %w = "tir.const"() {value = dense<1> : tensor<2x1x1x2xi8>} : () -> tensor<2x1x1x2xi8>
  %b = "tir.const"() {value = dense<[5, -100]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "tir.conv2d-fix"(%x, %w, %b) {op_name = "c", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, bias_fix_point = 10 : i32, output_fix_point = 4 : i32} : (tensor<1x1x1x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>) -> tensor<1x1x1x2xi8>
  %f = "tir.reshape-fix"(%y) {shape = [1 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x1x1x2xi8>) -> tensor<1x2xi8>
  %m = "tir.const"() {value = dense<1> : tensor<2x2xi8>} : () -> tensor<2x2xi8>
  %r = "tir.const"() {value = dense<[[1280, -1600]]> : tensor<1x2xi16>} : () -> tensor<1x2xi16>
  %v = "tir.reshape"(%r) {shape = [2 : i32]} : (tensor<1x2xi16>) -> tensor<2xi16>
  %z = "tir.matmul-fix"(%f, %m, %v) {op_name = "fc", input_fix_point = [4 : i32, 6 : i32], bias_fix_point = 10 : i32, output_fix_point = 4 : i32} : (tensor<1x2xi8>, tensor<2x2xi8>, tensor<2xi16>) -> tensor<1x2xi8>
  return %y, %z : tensor<1x1x1x2xi8>, tensor<1x2xi8>
}

// Rounded: half up, and a number that would be 128 has a bit less.
// CHECK-LABEL: func.func @rounded
// CHECK-SAME: xc.rounded_biases = "{\22above_half\22: [], \22exact\22: 0, \22largest_error\22: 0.03125, \22layer\22: \22r\22, \22layers\22: 1}"
// CHECK: value = dense<[64, -64, 2, -1]> : tensor<4xi8>
// CHECK: bias_fix_point = 8 : i32
// GROUPS-LABEL: func.func @rounded
// GROUPS: bias_fix_point = 8 : i32
func.func @rounded(%x: tensor<1x1x1x1xi8>) -> tensor<1x1x1x4xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<4x1x1x1xi8>} : () -> tensor<4x1x1x1xi8>
  %b = "tir.const"() {value = dense<[255, -257, 6, -6]> : tensor<4xi32>} : () -> tensor<4xi32>
  %y = "tir.conv2d-fix"(%x, %w, %b) {op_name = "r", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, bias_fix_point = 10 : i32, output_fix_point = 4 : i32} : (tensor<1x1x1x1xi8>, tensor<4x1x1x1xi8>, tensor<4xi32>) -> tensor<1x1x1x4xi8>
  return %y : tensor<1x1x1x4xi8>
}

// One channel takes the bits of all others, or of those of its group. What a
// DPU would shift to the right loses these bits, too: its fix point is that of
// the sum.
// CHECK-LABEL: func.func @far
// CHECK-SAME: \22above_half\22: [{\22error\22: 7.0, \22name\22: \22far\22}]
// CHECK-SAME: \22largest_error\22: 7.0
// CHECK: value = dense<[0, 127, 1, 0]> : tensor<4xi8>
// CHECK: bias_fix_point = 0 : i32
// CHECK: value = dense<[1, 2]> : tensor<2xi8>
// CHECK: bias_fix_point = 3 : i32
// GROUPS-LABEL: func.func @far
// GROUPS-SAME: \22largest_error\22: 7.0
// GROUPS: value = dense<[0, 127, 16, 1]> : tensor<4xi8>
// GROUPS: bias_fix_points = [0 : i32, 4 : i32]
// GROUPS-SAME: fix_point_channels = 2 : i32
func.func @far(%x: tensor<1x1x1x1xi8>) -> (tensor<1x1x1x4xi8>, tensor<1x1x1x2xi8>) {
  %w = "tir.const"() {value = dense<1> : tensor<4x1x1x1xi8>} : () -> tensor<4x1x1x1xi8>
  %b = "tir.const"() {value = dense<[7, 2032, 16, 1]> : tensor<4xi32>} : () -> tensor<4xi32>
  %y = "tir.conv2d-fix"(%x, %w, %b) {op_name = "far", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 2 : i32, weight_fix_point = 2 : i32, bias_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x1x1x1xi8>, tensor<4x1x1x1xi8>, tensor<4xi32>) -> tensor<1x1x1x4xi8>
  %v = "tir.const"() {value = dense<1> : tensor<2x1x1x1xi8>} : () -> tensor<2x1x1x1xi8>
  %c = "tir.const"() {value = dense<[8, 16]> : tensor<2xi16>} : () -> tensor<2xi16>
  %z = "tir.conv2d-fix"(%x, %v, %c) {op_name = "fine", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 2 : i32, weight_fix_point = 1 : i32, bias_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x1x1x1xi8>, tensor<2x1x1x1xi8>, tensor<2xi16>) -> tensor<1x1x1x2xi8>
  return %y, %z : tensor<1x1x1x4xi8>, tensor<1x1x1x2xi8>
}

// What has 8 bits, or is computed, or is beyond all shifts, stays.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: xc.rounded_biases
// CHECK: bias_fix_point = 12 : i32
// CHECK: bias_fix_point = 10 : i32
// CHECK-SAME: tensor<2xi32>) -> tensor<1x1x1x2xi8>
// CHECK: bias_fix_point = 10 : i32
// CHECK-SAME: tensor<2xi32>) -> tensor<1x1x1x2xi8>
func.func @stays(%x: tensor<1x1x1x1xi8>, %p: tensor<2xi32>) -> tensor<1x1x1x2xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<2x1x1x1xi8>} : () -> tensor<2x1x1x1xi8>
  %b = "tir.const"() {value = dense<[5, -100]> : tensor<2xi8>} : () -> tensor<2xi8>
  %v = "tir.const"() {value = dense<1> : tensor<2x1x1x2xi8>} : () -> tensor<2x1x1x2xi8>
  %c = "tir.const"() {value = dense<[5, 2147483647]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, bias_fix_point = 12 : i32, output_fix_point = 4 : i32} : (tensor<1x1x1x1xi8>, tensor<2x1x1x1xi8>, tensor<2xi8>) -> tensor<1x1x1x2xi8>
  %z = "tir.conv2d-fix"(%y, %v, %p) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, bias_fix_point = 10 : i32, output_fix_point = 4 : i32} : (tensor<1x1x1x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>) -> tensor<1x1x1x2xi8>
  %r = "tir.conv2d-fix"(%z, %v, %c) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, bias_fix_point = 10 : i32, output_fix_point = 4 : i32} : (tensor<1x1x1x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>) -> tensor<1x1x1x2xi8>
  return %r : tensor<1x1x1x2xi8>
}
