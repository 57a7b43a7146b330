// REQUIRES: mlir
// RUN: xc-opt %s --tir-quantize='calibration=random equalize=false' | FileCheck %s --check-prefix=ONE
// RUN: xc-opt %s --tir-quantize='calibration=random equalize=false group-channels=2' | FileCheck %s --check-prefix=GROUPS
// RUN: xc-opt %s --tir-quantize='calibration=random equalize=false group-channels=2 sort-channels=true' | FileCheck %s --check-prefix=SORTED
// RUN: xc-opt %s --tir-quantize='calibration=random equalize=false sort-channels=true' | FileCheck %s --check-prefix=ONE
// RUN: not xc-opt %s --tir-quantize='calibration=random group-channels=-1' 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: 'tir-quantize': option 'group-channels' needs an integer from 0 to 2147483647

// Filters of 1 and 1/64 share a fix point unless each pair has its own; in the
// second convolution that takes another order of its filters. A filter of 1/64
// has 1 of the integers at the fix point of 1, and 64 at its own.
// ONE-NOT: fix_point_channels
// ONE: op_name = "pairs"{{.*}} weight_fix_point = 6
// ONE: op_name = "mixed"{{.*}} weight_fix_point = 6

// GROUPS: value = dense<64> : tensor<4x1x1x1xi8>
// GROUPS: fix_point_channels = 2 : i32{{.*}} op_name = "pairs"{{.*}} weight_fix_points = [6 : i32, 12 : i32]
// GROUPS: op_name = "mixed"{{.*}} weight_fix_point = 6

// SORTED: fix_point_channels = 2 : i32{{.*}} op_name = "pairs"{{.*}} weight_fix_points = [6 : i32, 12 : i32]
// SORTED: fix_point_channels = 2 : i32{{.*}} op_name = "mixed"{{.*}} weight_fix_points = [6 : i32, 12 : i32]
// SORTED: op_name = "last"
func.func @main(%x: tensor<1x4x4x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x1xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[1.0]]], [[[0.015625]]], [[[0.015625]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %u = "tir.const"() {value = dense<[[[[1.0]]], [[[0.015625]]], [[[1.0]]], [[[0.015625]]]]> : tensor<4x1x1x1xf32>} : () -> tensor<4x1x1x1xf32>
  %v = "tir.const"() {value = dense<[[[[0.25, 0.5, 0.75, 1.0]]]]> : tensor<1x1x1x4xf32>} : () -> tensor<1x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "pairs"} : (tensor<1x4x4x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = "tir.conv2d"(%x, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "mixed"} : (tensor<1x4x4x1xf32>, tensor<4x1x1x1xf32>) -> tensor<1x4x4x4xf32>
  %2 = "tir.conv2d"(%1, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], op_name = "last"} : (tensor<1x4x4x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x4x4x1xf32>
  %3 = "tir.relu"(%0) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %3, %2 : tensor<1x4x4x4xf32>, tensor<1x4x4x1xf32>
}
