// An operator that stays in floating point keeps its form.
// RUN: xc-opt %s --tir-legalize='keep-float=other,up' | FileCheck %s --check-prefix=KEPT
// RUN: xc-opt %s --tir-legalize | FileCheck %s
// RUN: xc-opt %s --tir-quantize='calibration=random fit=false' --tir-legalize='keep-float=up,fixed' | FileCheck %s --check-prefix=FIXED
// KEPT: tir.resize"{{.*}}op_name = "up"
// CHECK-NOT: tir.resize
// The name is that of an operator in fixed point, which no list keeps.
// FIXED: tir.resize"{{.*}}op_name = "up"
// FIXED-NOT: group = 2
func.func @net(%x: tensor<1x8x8x16xf32>) -> tensor<1x16x16x16xf32> {
  %w = "tir.const"() {value = dense<0.25> : tensor<16x1x1x8xf32>} : () -> tensor<16x1x1x8xf32>
  %0 = "tir.conv2d"(%x, %w) {op_name = "fixed", group = 2 : i32, kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x8x8x16xf32>, tensor<16x1x1x8xf32>) -> tensor<1x8x8x16xf32>
  %1 = "tir.resize"(%0) {op_name = "up", mode = "BILINEAR", size = [16 : i32, 16 : i32], align_corners = false, half_pixel_centers = true} : (tensor<1x8x8x16xf32>) -> tensor<1x16x16x16xf32>
  return %1 : tensor<1x16x16x16xf32>
}
