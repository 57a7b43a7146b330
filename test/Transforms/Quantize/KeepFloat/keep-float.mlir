// REQUIRES: mlir
// RUN: xc-opt %s --tir-quantize='calibration=random keep-float=second' | FileCheck %s
// RUN: xc-opt %s --tir-quantize='calibration=random keep-float=relu,last' | FileCheck %s --check-prefix=TWO
// RUN: not xc-opt %s --tir-quantize='calibration=random keep-float=last,secand' 2>&1 | FileCheck %s --check-prefix=NONE

// The operator, and the activation after it, get floats and give floats.
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "first"
// CHECK: "tir.fix2float"
// CHECK: "tir.conv2d"{{.*}}op_name = "second"{{.*}}xc.kept_float = "keep-float"
// CHECK: "tir.relu"{{.*}}op_name = "relu"{{.*}}xc.kept_float = "float-input"
// CHECK: "tir.float2fix"
// CHECK: "tir.conv2d-fix"{{.*}}op_name = "last"

// By the name of its activation.
// TWO: "tir.conv2d-fix"{{.*}}op_name = "first"
// TWO: "tir.conv2d"{{.*}}op_name = "second"
// TWO: "tir.relu"{{.*}}op_name = "relu"
// TWO-NOT: float2fix
// TWO: "tir.conv2d"{{.*}}op_name = "last"{{.*}}xc.kept_float = "keep-float"

// NONE: error: option 'keep-float' of tir-quantize names 'secand', which no operator is called
func.func @main(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "first"} : (tensor<1x2x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x4x1xf32>
  %1 = "tir.conv2d"(%0, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "second"} : (tensor<1x2x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x4x1xf32>
  %2 = "tir.relu"(%1) {op_name = "relu"} : (tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
  %3 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x2x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x4x1xf32>
  return %3 : tensor<1x2x4x1xf32>
}
