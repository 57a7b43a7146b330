// REQUIRES: mlir
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import struct; open('%t/x.bin', 'wb').write(struct.pack('<8f', 1, 7, 0.5, -1, 0.25, 6.5, -3, 2))"
// RUN: xc-opt %s --tir-quantize='calibration=%t/x.bin equalize=false fit=false report=-' -o %t/fixed.mlir 2>&1 | FileCheck %s --check-prefix=LOSS
// RUN: FileCheck %s --input-file=%t/fixed.mlir

// In steps of 7/127, the product of -3 and -0.0075 rounds to nothing, that with
// -0.03125 does not. Positive slopes stay.
// CHECK-LABEL: @slopes
// CHECK: dense<[0, -4, 1, 64]> : tensor<4xi8>
// LOSS: prelu-fix 4
func.func @slopes(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x4xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %s = "tir.const"() {value = dense<[-0.0075, -0.03125, 0.0078125, 0.5]> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = "tir.prelu"(%0, %s) : (tensor<1x2x4x4xf32>, tensor<4xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}
