// REQUIRES: mlir
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import struct; open('%t/x.bin', 'wb').write(struct.pack('<8f', 1, 7, 0.5, -1, 0.25, 6.5, 3, 2)); open('%t/large.bin', 'wb').write(struct.pack('<8f', 12, 12, 12, 12, 12, 12, 12, 12))"
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t/x.bin' | FileCheck %s
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t/x.bin equalize=false' | FileCheck %s --check-prefix=APART
// RUN: xc-opt %s --split-input-file --tir-quantize='calibration=%t/x.bin validation=%t/large.bin report=-' -o %t/fixed.mlir 2>&1 | FileCheck %s --check-prefix=LARGE

// The first channel reaches 6, which is made 127 / 32, where fix point 5
// saturates: no integer above it is left unused. The second one gets to 3.5 only
// and may be larger than that. Inputs of 12 make it 6, which is cut, and the
// report, which compares with the function as it was, says so.
// CHECK-LABEL: @free
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU"{{.*}}op_name = "six"{{.*}}output_fix_point = 5 : i32
// CHECK-NOT: clip
// APART-LABEL: @free
// APART: "tir.conv2d-fix"{{.*}}nonlinear = "RELU6"{{.*}}output_fix_point = 4 : i32
// LARGE: conv2d-fix 5 {{.*}} six
// LARGE: end to end 1{{[0-9]\.[0-9]+}}
func.func @free(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>} : () -> tensor<2x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[1.0, 0.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = "tir.relu6"(%0) {op_name = "six"} : (tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x1xf32>
  return %2 : tensor<1x2x4x1xf32>
}

// -----

// A sum keeps its numbers, and so does what is read in front of ReLU6.
// CHECK-LABEL: @bound
// CHECK: "tir.conv2d-fix"{{.*}}nonlinear = "RELU6"{{.*}}output_fix_point = 4 : i32
// APART-LABEL: @bound
func.func @bound(%x: tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %w = "tir.const"() {value = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x4x1xf32>
  %1 = "tir.relu6"(%0) : (tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
  %2 = "tir.add"(%1, %x) : (tensor<1x2x4x1xf32>, tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
  %3 = "tir.conv2d"(%2, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x4x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x4x1xf32>
  return %3 : tensor<1x2x4x1xf32>
}
