// The small products between a SiLU and a sigmoid stay on the CPU with them, but
// not where the DPU approximates both.
// RUN: xc-opt %s --tir-quantize='calibration=random fit=false' | FileCheck %s --check-prefix=CPU
// RUN: xc-opt %s --tir-quantize='calibration=random fit=false approximate=sigmoid,silu' | FileCheck %s --check-prefix=DPU
// RUN: not xc-opt %s --tir-quantize='calibration=random approximate=silu,relu' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: option 'approximate' of tir-quantize names 'relu', expected a list of sigmoid, silu, tanh, mish and gelu
// CPU: tir.conv2d"{{.*}}op_name = "squeeze"{{.*}}xc.kept_float = "float-island"
// CPU: tir.sigmoid"{{.*}}op_name = "gate"{{.*}}xc.kept_float = "float-sigmoid"
// CPU: tir.conv2d"{{.*}}op_name = "excite"{{.*}}xc.kept_float = "float-island"
// CPU: tir.mul"{{.*}}op_name = "scale/unscaled"{{.*}}xc.kept_float = "float-activation"
// DPU: tir.conv2d-fix"{{.*}}op_name = "squeeze"
// DPU: tir.sigmoid"{{.*}}op_name = "gate"{{.*}}xc.kept_float = "float-function"
// DPU: tir.conv2d-fix"{{.*}}op_name = "excite"
func.func @se(%x: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  %w = "tir.const"() {value = dense<0.25> : tensor<16x1x1x16xf32>} : () -> tensor<16x1x1x16xf32>
  %v = "tir.const"() {value = dense<0.5> : tensor<4x1x1x16xf32>} : () -> tensor<4x1x1x16xf32>
  %u = "tir.const"() {value = dense<0.5> : tensor<16x1x1x4xf32>} : () -> tensor<16x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {op_name = "conv", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x8x8x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x8x8x16xf32>
  %1 = "tir.reduction_mean"(%0) {op_name = "pool", axis = [1 : i32, 2 : i32], keep_dims = true} : (tensor<1x8x8x16xf32>) -> tensor<1x1x1x16xf32>
  %2 = "tir.conv2d"(%1, %v) {op_name = "squeeze", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x1x1x16xf32>, tensor<4x1x1x16xf32>) -> tensor<1x1x1x4xf32>
  %3 = "tir.sigmoid"(%2) {op_name = "gate"} : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %4 = "tir.mul"(%2, %3) {op_name = "silu"} : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %5 = "tir.conv2d"(%4, %u) {op_name = "excite", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x1x1x4xf32>, tensor<16x1x1x4xf32>) -> tensor<1x1x1x16xf32>
  %6 = "tir.sigmoid"(%5) {op_name = "scale"} : (tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32>
  %7 = "tir.mul"(%0, %6) {op_name = "out"} : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x8x8x16xf32>
  return %7 : tensor<1x8x8x16xf32>
}
