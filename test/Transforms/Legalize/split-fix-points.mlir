// RUN: xc-opt --tir-split-fix-points %s | FileCheck %s
// RUN: split-file %s %t
// RUN: xc-opt --tir-split-fix-points %t/conv.mlir -o %t/split.mlir
// RUN: xc-run %t/conv.mlir --random-inputs=1 --quiet --output %t/a.npy
// RUN: xc-run %t/split.mlir --random-inputs=1 --quiet --output %t/b.npy
// RUN: cmp %t/a.npy %t/b.npy
// RUN: xc-opt --tir-split-fix-points %t/depthwise.mlir -o %t/split.mlir
// RUN: xc-run %t/depthwise.mlir --random-inputs=1 --quiet --output %t/a.npy
// RUN: xc-run %t/split.mlir --random-inputs=1 --quiet --output %t/b.npy
// RUN: cmp %t/a.npy %t/b.npy

//--- conv.mlir
// Three groups, of which the last two share their fix points.
// CHECK-LABEL: func.func @conv
// CHECK: %[[A:.*]] = "tir.conv2d-fix"(%arg0, {{.*}}bias_fix_point = 3 : i32{{.*}}op_name = "c/0"{{.*}}weight_fix_point = 5 : i32{{.*}}tensor<2x1x1x4xi8>
// CHECK-NOT: fix_points
// CHECK: %[[B:.*]] = "tir.conv2d-fix"(%arg0, {{.*}}op_name = "c/1"{{.*}}weight_fix_point = 7 : i32{{.*}}tensor<3x1x1x4xi8>
// CHECK: "tir.concat-fix"(%[[A]], %[[B]])
// CHECK-SAME: op_name = "c"
func.func @conv(%x: tensor<1x2x2x4xi8>) -> tensor<1x2x2x5xi8> {
  %w = "tir.const"() {value = dense<[[[[1, 2, 3, 4]]], [[[5, 6, 7, 8]]], [[[9, 10, 11, 12]]], [[[13, 14, 15, 16]]], [[[17, 18, 19, 20]]]]> : tensor<5x1x1x4xi8>} : () -> tensor<5x1x1x4xi8>
  %b = "tir.const"() {value = dense<[1, 2, 3, 4, 5]> : tensor<5xi8>} : () -> tensor<5xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {op_name = "c", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_points = [5 : i32, 7 : i32, 7 : i32], bias_fix_point = 3 : i32, fix_point_channels = 2 : i32} : (tensor<1x2x2x4xi8>, tensor<5x1x1x4xi8>, tensor<5xi8>) -> tensor<1x2x2x5xi8>
  return %0 : tensor<1x2x2x5xi8>
}

//--- depthwise.mlir
// CHECK-LABEL: func.func @depthwise
// CHECK: value = dense<{{\[\[\[\[}}1, 2, 0]
// CHECK: %[[A:.*]] = "tir.depthwise-conv2d-fix"(%arg0
// CHECK: value = dense<{{\[\[\[\[}}0, 0, 3]
// CHECK: %[[B:.*]] = "tir.depthwise-conv2d-fix"(%arg0
// CHECK: "tir.eltwise-fix"(%[[A]], %[[B]])
func.func @depthwise(%x: tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8> {
  %w = "tir.const"() {value = dense<[[[[1, 2, 3]]]]> : tensor<1x1x1x3xi8>} : () -> tensor<1x1x1x3xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_points = [1 : i32, 2 : i32], fix_point_channels = 2 : i32} : (tensor<1x2x2x3xi8>, tensor<1x1x1x3xi8>) -> tensor<1x2x2x3xi8>
  return %0 : tensor<1x2x2x3xi8>
}
