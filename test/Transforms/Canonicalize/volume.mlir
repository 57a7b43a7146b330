// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// Over all pixels of all depths: one row of columns and depths.
// CHECK-LABEL: func.func @mean
// CHECK-NEXT: %[[I:.*]] = "tir.reshape"(%arg0) {shape = [1 : i32, 4 : i32, 15 : i32, 2 : i32]}
// CHECK-NEXT: %[[M:.*]] = "tir.reduction_mean"(%[[I]]) {axis = [1 : i32, 2 : i32], keep_dims = true}
// CHECK-NEXT: %[[R:.*]] = "tir.reshape"(%[[M]]) {shape = [1 : i32, 2 : i32]}
// CHECK-NEXT: return %[[R]]
func.func @mean(%x: tensor<1x4x5x3x2xf32>) -> tensor<1x2xf32> {
  %a = "tir.reduction_mean"(%x) {axis = [1 : i32, 2 : i32, 3 : i32], keep_dims = false} : (tensor<1x4x5x3x2xf32>) -> tensor<1x2xf32>
  return %a : tensor<1x2xf32>
}

// What is not reduced is one as well; integers.
// CHECK-LABEL: func.func @max_fix
// CHECK-NEXT: tir.reshape-fix"(%arg0) {shape = [1 : i32, 4 : i32, 5 : i32, 6 : i32]}
// CHECK-NEXT: tir.reduction_max-fix"({{.*}}) {axis = [2 : i32], keep_dims = true
// CHECK-NEXT: tir.reshape-fix
// CHECK-NEXT: return
func.func @max_fix(%x: tensor<1x4x5x3x2xi8>) -> tensor<1x4x1x3x2xi8> {
  %a = "tir.reduction_max-fix"(%x) {axis = [2 : i32], keep_dims = true} : (tensor<1x4x5x3x2xi8>) -> tensor<1x4x1x3x2xi8>
  return %a : tensor<1x4x1x3x2xi8>
}

// No neighbours.
// CHECK-LABEL: func.func @mean_not
// CHECK-NEXT: tir.reduction_mean"(%arg0) {axis = [1 : i32, 3 : i32]
// CHECK-NEXT: return
func.func @mean_not(%x: tensor<2x4x5x3x2xf32>) -> tensor<2x5x2xf32> {
  %a = "tir.reduction_mean"(%x) {axis = [1 : i32, 3 : i32], keep_dims = false} : (tensor<2x4x5x3x2xf32>) -> tensor<2x5x2xf32>
  return %a : tensor<2x5x2xf32>
}

// A factor for each channel, and one of fewer dimensions.
// CHECK-LABEL: func.func @gate
// CHECK: %[[X:.*]] = "tir.reshape"(%arg0) {shape = [1 : i32, 4 : i32, 15 : i32, 2 : i32]}
// CHECK: %[[G:.*]] = "tir.reshape"(%arg1) {shape = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}
// CHECK: "tir.mul"(%[[X]], %[[G]])
// CHECK: %[[H:.*]] = "tir.reshape"(%arg2) {shape = [1 : i32, 1 : i32, 5 : i32, 6 : i32]}
// CHECK: "tir.sub"(%{{.*}}, %[[H]])
func.func @gate(%x: tensor<1x4x5x3x2xf32>, %g: tensor<1x1x1x1x2xf32>, %h: tensor<5x3x2xf32>) -> tensor<1x4x5x3x2xf32> {
  %a = "tir.mul"(%x, %g) : (tensor<1x4x5x3x2xf32>, tensor<1x1x1x1x2xf32>) -> tensor<1x4x5x3x2xf32>
  %b = "tir.sub"(%a, %h) : (tensor<1x4x5x3x2xf32>, tensor<5x3x2xf32>) -> tensor<1x4x5x3x2xf32>
  return %b : tensor<1x4x5x3x2xf32>
}

// Each of the neighbours is repeated in another operand; nothing is repeated.
// CHECK-LABEL: func.func @gate_not
// CHECK-NEXT: "tir.mul"(%arg0, %arg1)
// CHECK-NEXT: "tir.add"(%{{.*}}, %arg2)
// CHECK-NEXT: return
func.func @gate_not(%x: tensor<2x1x5x1x2xf32>, %g: tensor<1x4x1x3x1xf32>, %y: tensor<2x4x5x3x2xf32>) -> tensor<2x4x5x3x2xf32> {
  %a = "tir.mul"(%x, %g) : (tensor<2x1x5x1x2xf32>, tensor<1x4x1x3x1xf32>) -> tensor<2x4x5x3x2xf32>
  %b = "tir.add"(%a, %y) : (tensor<2x4x5x3x2xf32>, tensor<2x4x5x3x2xf32>) -> tensor<2x4x5x3x2xf32>
  return %b : tensor<2x4x5x3x2xf32>
}

// CHECK-LABEL: func.func @affine
// CHECK-NEXT: %[[X:.*]] = "tir.reshape"(%arg0) {shape = [1 : i32, 4 : i32, 15 : i32, 2 : i32]}
// CHECK-NEXT: "tir.batchnorm"(%[[X]], %arg1, %arg1, %arg1, %arg1) {axis = -1 : i32
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: return
func.func @affine(%x: tensor<1x4x5x3x2xf32>, %s: tensor<2xf32>) -> tensor<1x4x5x3x2xf32> {
  %a = "tir.batchnorm"(%x, %s, %s, %s, %s) {axis = 4 : i32, epsilon = 1.0e-3 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<1x4x5x3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x5x3x2xf32>
  return %a : tensor<1x4x5x3x2xf32>
}

// CHECK-LABEL: func.func @affine_not
// CHECK-NEXT: "tir.batchnorm"(%arg0,
// CHECK-NEXT: return
func.func @affine_not(%x: tensor<1x2x5x3x4xf32>, %s: tensor<2xf32>) -> tensor<1x2x5x3x4xf32> {
  %a = "tir.batchnorm"(%x, %s, %s, %s, %s) {axis = 1 : i32, epsilon = 1.0e-3 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<1x2x5x3x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x5x3x4xf32>
  return %a : tensor<1x2x5x3x4xf32>
}

// Zeros before and after the depth are channels.
// CHECK-LABEL: func.func @depth
// CHECK-NEXT: %[[P:.*]] = "tir.reshape"(%arg0) {shape = [1 : i32, 4 : i32, 5 : i32, 6 : i32]}
// CHECK-NEXT: "tir.pad"(%[[P]]) {paddings = [0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32, 2 : i32, 4 : i32]
// CHECK-NEXT: tir.reshape
// CHECK-NEXT: return
func.func @depth(%x: tensor<1x4x5x3x2xf32>) -> tensor<1x5x5x6x2xf32> {
  %a = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 2 : i32, 0 : i32, 0 : i32]} : (tensor<1x4x5x3x2xf32>) -> tensor<1x5x5x6x2xf32>
  return %a : tensor<1x5x5x6x2xf32>
}

// Every dimension after the first is padded, or it is mirrored.
// CHECK-LABEL: func.func @depth_not
// CHECK-COUNT-2: tir.pad"(%arg0)
func.func @depth_not(%x: tensor<1x4x5x3x2xf32>) -> (tensor<1x5x6x4x3xf32>, tensor<1x4x5x4x2xf32>) {
  %a = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 1 : i32, 0 : i32, 1 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32, 1 : i32]} : (tensor<1x4x5x3x2xf32>) -> tensor<1x5x6x4x3xf32>
  %b = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32], mode = "REFLECT"} : (tensor<1x4x5x3x2xf32>) -> tensor<1x4x5x4x2xf32>
  return %a, %b : tensor<1x5x6x4x3xf32>, tensor<1x4x5x4x2xf32>
}
