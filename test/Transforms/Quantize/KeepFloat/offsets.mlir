// REQUIRES: mlir
// RUN: %python %S/../Inputs/offsets.py %t.d
// RUN: sed 's/FACTOR/0.333/; s/OFFSET/-97.0/' %s > %t.kelvin.mlir
// RUN: sed 's/FACTOR/0.0174/; s/OFFSET/-2.2/' %s > %t.pixels.mlir
// RUN: xc-opt %t.kelvin.mlir --split-input-file --tir-quantize='calibration=%t.d/kelvin' | FileCheck %s --check-prefix=KELVIN
// RUN: xc-opt %t.pixels.mlir --split-input-file --tir-quantize='calibration=%t.d/pixels' | FileCheck %s --check-prefix=PIXELS

// In 8 bits, degrees Kelvin from 285 to 297 are 3 steps. What is computed of
// them first is rounded instead.
// KELVIN-LABEL: @main
// KELVIN: %[[T:.*]] = "tir.transpose"(%arg0)
// KELVIN: %[[N:.*]] = "tir.depthwise-conv2d"(%[[T]]{{.*}}op_name = "normalised"{{.*}}xc.kept_float = "float-argument"
// KELVIN: %[[Q:.*]] = "tir.float2fix"(%[[N]])
// KELVIN: "tir.conv2d-fix"(%[[Q]]

// Pixels have as many steps before as after.
// PIXELS: "tir.depthwise-conv2d-fix"{{.*}}op_name = "normalised"
func.func @main(%x: tensor<1x1x8x8xf32>) -> tensor<1x8x8x2xf32> {
  %factor = "tir.const"() {value = dense<FACTOR> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %offset = "tir.const"() {value = dense<OFFSET> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tir.const"() {value = dense<0.1> : tensor<2x3x3x1xf32>} : () -> tensor<2x3x3x1xf32>
  %0 = "tir.transpose"(%x) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x1x8x8xf32>) -> tensor<1x8x8x1xf32>
  %1 = "tir.depthwise-conv2d"(%0, %factor, %offset) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "normalised"} : (tensor<1x8x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x8x8x1xf32>
  %2 = "tir.conv2d"(%1, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x1xf32>, tensor<2x3x3x1xf32>) -> tensor<1x8x8x2xf32>
  return %2 : tensor<1x8x8x2xf32>
}

// -----

// Another layer reads the argument as it is: it is in fixed point anyhow.
// KELVIN-LABEL: @shared
// KELVIN: %[[Q:.*]] = "tir.float2fix"(%arg0)
// KELVIN: "tir.depthwise-conv2d-fix"(%[[Q]]{{.*}}op_name = "normalised"
func.func @shared(%x: tensor<1x8x8x1xf32>) -> (tensor<1x8x8x1xf32>, tensor<1x8x8x2xf32>) {
  %factor = "tir.const"() {value = dense<FACTOR> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %offset = "tir.const"() {value = dense<OFFSET> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tir.const"() {value = dense<0.1> : tensor<2x3x3x1xf32>} : () -> tensor<2x3x3x1xf32>
  %0 = "tir.depthwise-conv2d"(%x, %factor, %offset) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "normalised"} : (tensor<1x8x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x8x8x1xf32>
  %1 = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x1xf32>, tensor<2x3x3x1xf32>) -> tensor<1x8x8x2xf32>
  return %0, %1 : tensor<1x8x8x1xf32>, tensor<1x8x8x2xf32>
}
