// What computes in half precision computes in f32; arguments and results keep
// their types.
// RUN: xc-opt --tir-widen --verify-each %s | FileCheck %s

// CHECK-LABEL: func.func @half
// CHECK-SAME: tensor<1x4x4x2xf16>) -> (tensor<1x4x4x1xf16>, tensor<1x4x4x2xf16>, tensor<1xbf16>)
// CHECK-NEXT: %[[X:.+]] = "tir.cast"(%arg0) : (tensor<1x4x4x2xf16>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT: %[[W:.+]] = "tir.const"() {op_name = "weight", value = dense<{{.*}}5.000000e-01, -2.500000e-01{{.*}}> : tensor<1x1x1x2xf32>}
// CHECK-NEXT: %[[Y:.+]] = "tir.conv2d"(%[[X]], %[[W]]) {{.*}} -> tensor<1x4x4x1xf32>
// CHECK-NEXT: "tir.cast"(%[[X]]) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32>
// CHECK-NEXT: %[[C:.+]] = "tir.cast"({{.*}}) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT: %[[V:.+]] = "tir.const"() {value = dense<2.000000e+00> : tensor<1xf32>}
// CHECK-NEXT: %[[YH:.+]] = "tir.cast"(%[[Y]])
// CHECK-NEXT: %[[CH:.+]] = "tir.cast"(%[[C]])
// CHECK-NEXT: %[[VH:.+]] = "tir.cast"(%[[V]])
// CHECK-NEXT: return %[[YH]], %[[CH]], %[[VH]]
func.func @half(%x: tensor<1x4x4x2xf16>) -> (tensor<1x4x4x1xf16>, tensor<1x4x4x2xf16>, tensor<1xbf16>) {
  %w = "tir.const"() {op_name = "weight", value = dense<[[[[0.5, -0.25]]]]> : tensor<1x1x1x2xf16>} : () -> tensor<1x1x1x2xf16>
  %y = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x2xf16>, tensor<1x1x1x2xf16>) -> tensor<1x4x4x1xf16>
  %i = "tir.cast"(%x) : (tensor<1x4x4x2xf16>) -> tensor<1x4x4x2xi32>
  %c = "tir.cast"(%i) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xf16>
  %v = "tir.const"() {value = dense<2.0> : tensor<1xbf16>} : () -> tensor<1xbf16>
  return %y, %c, %v : tensor<1x4x4x1xf16>, tensor<1x4x4x2xf16>, tensor<1xbf16>
}

// CHECK-LABEL: func.func @host
// CHECK-NOT: f32
// CHECK: return
func.func @host(%x: tensor<4xf16>) -> tensor<4xf16> {
  %y = "tir.custom"(%x) {op_type = "a.B", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf16>) -> tensor<4xf16>
  return %y : tensor<4xf16>
}
