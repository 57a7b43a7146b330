// REQUIRES: mlir
// What has no form in fixed point, or numbers that are not quantised, says so.
// What a DPU cannot compute anyhow needs no reason, nor does what is in fixed
// point. Other forms of an operator keep its reason.
// RUN: xc-opt %s --tir-quantize='calibration=random' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: xc-opt %t.mlir --tir-canonicalize | FileCheck %s --check-prefix=FORM
// CHECK:     "tir.transpose"{{.*}}xc.kept_float = "float-integer"
// CHECK:     "tir.elu"
// CHECK-NOT: xc.kept_float
// CHECK:     "tir.clip"{{.*}}op_name = "clamp"{{.*}}xc.kept_float = "float-function"
// CHECK:     "tir.flatten"{{.*}}xc.kept_float = "float-island"
// CHECK:     "tir.conv2d-fix"
// CHECK-NOT: xc.kept_float
// FORM-NOT:  "tir.flatten"
// FORM:      "tir.reshape"{{.*}}xc.kept_float = "float-island"
func.func @main(%x: tensor<1x4x4x16xf32>, %i: tensor<2x3xi32>) -> (tensor<1x4x4x16xf32>, tensor<16x16xf32>, tensor<3x2xi32>) {
  %w = "tir.const"() {value = dense<0.0625> : tensor<16x1x1x16xf32>} : () -> tensor<16x1x1x16xf32>
  %0 = "tir.transpose"(%i) {order = [1 : i32, 0 : i32]} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = "tir.elu"(%x) : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %2 = "tir.clip"(%1) {min = -128.0 : f32, max = 127.0 : f32, op_name = "clamp"} : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %3 = "tir.flatten"(%1) {start_axis = 1 : i32, end_axis = 3 : i32} : (tensor<1x4x4x16xf32>) -> tensor<1x256xf32>
  %5 = "tir.reshape"(%3) {shape = [16 : i32, 16 : i32]} : (tensor<1x256xf32>) -> tensor<16x16xf32>
  %4 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x4x4x16xf32>
  return %4, %5, %0 : tensor<1x4x4x16xf32>, tensor<16x16xf32>, tensor<3x2xi32>
}
