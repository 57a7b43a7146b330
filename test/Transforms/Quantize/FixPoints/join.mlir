// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=random samples=2' | FileCheck %s
// RUN: sed '/^.. -----/,$d' %s | xc-opt --tir-quantize='calibration=random samples=2 keep-float=all' | FileCheck %s --check-prefix=KEPT

// A branch with small numbers takes the fix point of where it joins another,
// so that a DPU has nothing to do there; one that others read keeps its own.
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "small", output_fix_point = 6
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "large", output_fix_point = 6
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "shared", output_fix_point = 10
// CHECK: "tir.concat-fix"{{.*}}input_fix_point = [6 : i32, 6 : i32, 10 : i32], {{.*}}output_fix_point = 6
// In floating point it asks nothing of them.
// KEPT: op_name = "small", output_fix_point = 10
// KEPT: "tir.concat"({{.*}}op_name = "all"
func.func @main(%x: tensor<1x16x16x1xf32>) -> (tensor<1x16x16x1xf32>, tensor<1x16x16x1xf32>) {
  %v = "tir.const"() {value = dense<0.1> : tensor<1x1x1x3xf32>} : () -> tensor<1x1x1x3xf32>
  %a = "tir.const"() {value = dense<0.1> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %b = "tir.const"() {value = dense<1.1> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %a) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "small"} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  %1 = "tir.conv2d"(%x, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "large"} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  %2 = "tir.conv2d"(%x, %a) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "shared"} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  %3 = "tir.concat"(%0, %1, %2) {axis = 3 : i32, op_name = "all", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x16x16x1xf32>, tensor<1x16x16x1xf32>, tensor<1x16x16x1xf32>) -> tensor<1x16x16x3xf32>
  %4 = "tir.conv2d"(%3, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x16x16x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x16x16x1xf32>
  return %4, %2 : tensor<1x16x16x1xf32>, tensor<1x16x16x1xf32>
}

// -----

// Where only results come of it, each keeps its own, and the caller gets them
// joined in floating point, also by a concatenation that by itself would not lose
// anything.
// CHECK-LABEL: @results
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "small", output_fix_point = 10
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "large", output_fix_point = 6
// CHECK: "tir.concat"({{.*}}op_name = "joined"{{.*}}xc.kept_float = "float-results"
// CHECK: "tir.concat"({{.*}}op_name = "again"
// CHECK: "tir.transpose"(
func.func @results(%x: tensor<1x16x16x1xf32>) -> tensor<1x3x16x16xf32> {
  %a = "tir.const"() {value = dense<0.1> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %b = "tir.const"() {value = dense<1.1> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %a) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "small"} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  %1 = "tir.conv2d"(%x, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "large"} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  %2 = "tir.concat"(%0, %1) {axis = 3 : i32, op_name = "joined", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x16x16x1xf32>, tensor<1x16x16x1xf32>) -> tensor<1x16x16x2xf32>
  %3 = "tir.concat"(%2, %1) {axis = 3 : i32, op_name = "again", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x16x16x2xf32>, tensor<1x16x16x1xf32>) -> tensor<1x16x16x3xf32>
  %4 = "tir.transpose"(%3) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x16x16x3xf32>) -> tensor<1x3x16x16xf32>
  return %4 : tensor<1x3x16x16xf32>
}

// -----

// One bit is lost for a concatenation that costs nothing.
// CHECK-LABEL: @one_bit
// CHECK: "tir.concat-fix"{{.*}}input_fix_point = [6 : i32, 6 : i32]
func.func @one_bit(%x: tensor<1x16x16x1xf32>) -> tensor<1x16x16x2xf32> {
  %a = "tir.const"() {value = dense<0.6> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %b = "tir.const"() {value = dense<1.1> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %a) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  %1 = "tir.conv2d"(%x, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x16x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x1xf32>
  %2 = "tir.concat"(%0, %1) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x16x16x1xf32>, tensor<1x16x16x1xf32>) -> tensor<1x16x16x2xf32>
  return %2 : tensor<1x16x16x2xf32>
}
