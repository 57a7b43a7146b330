// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize exact

// CHECK-LABEL: func.func @fix_twice
// CHECK-NEXT: tir.fix"
// CHECK-NEXT: return
func.func @fix_twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "tir.fix"(%x) {fix_point = 3 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.fix"(%a) {fix_point = 3 : i32, round_mode = "STD_ROUND"} : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @fix_differs
// CHECK-COUNT-3: tir.fix"
func.func @fix_differs(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "tir.fix"(%x) {fix_point = 3 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.fix"(%a) {fix_point = 2 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.fix"(%b) {fix_point = 2 : i32, bit_width = 4 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// CHECK-LABEL: func.func @float2fix
// CHECK-NEXT: tir.float2fix"(%arg0) {fix_point = 3 : i32, round_mode = "PY3_ROUND"}
// CHECK-NEXT: return
func.func @float2fix(%x: tensor<8xf32>) -> tensor<8xi8> {
  %a = "tir.fix"(%x) {fix_point = 3 : i32, round_mode = "PY3_ROUND"} : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.float2fix"(%a) {fix_point = 3 : i32} : (tensor<8xf32>) -> tensor<8xi8>
  return %b : tensor<8xi8>
}

// CHECK-LABEL: func.func @float2fix_differs
// CHECK: tir.fix"
// CHECK: tir.float2fix
func.func @float2fix_differs(%x: tensor<8xf32>) -> tensor<8xi8> {
  %a = "tir.fix"(%x) {fix_point = 3 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.float2fix"(%a) {fix_point = 2 : i32} : (tensor<8xf32>) -> tensor<8xi8>
  return %b : tensor<8xi8>
}

// CHECK-LABEL: func.func @there_and_back
// CHECK-NEXT: return %arg0
func.func @there_and_back(%x: tensor<8xi8>) -> tensor<8xi8> {
  %a = "tir.fix2float"(%x) {fix_point = 3 : i32} : (tensor<8xi8>) -> tensor<8xf32>
  %f = "tir.fix"(%a) {fix_point = 3 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.float2fix"(%f) {fix_point = 3 : i32} : (tensor<8xf32>) -> tensor<8xi8>
  return %b : tensor<8xi8>
}

// Another fix point; fewer bits; another sign.
// CHECK-LABEL: func.func @there_and_elsewhere
// CHECK-COUNT-3: tir.float2fix
func.func @there_and_elsewhere(%x: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi8>, tensor<8xui8>) {
  %a = "tir.fix2float"(%x) {fix_point = 3 : i32} : (tensor<8xi8>) -> tensor<8xf32>
  %b = "tir.float2fix"(%a) {fix_point = 2 : i32} : (tensor<8xf32>) -> tensor<8xi8>
  %c = "tir.float2fix"(%a) {fix_point = 3 : i32, bit_width = 7 : i32} : (tensor<8xf32>) -> tensor<8xi8>
  %d = "tir.float2fix"(%a) {fix_point = 3 : i32, if_signed = false} : (tensor<8xf32>) -> tensor<8xui8>
  return %b, %c, %d : tensor<8xi8>, tensor<8xi8>, tensor<8xui8>
}

// CHECK-LABEL: func.func @fix2float
// CHECK-NEXT: tir.fix"(%arg0) {bit_width = 6 : i32, fix_point = 3 : i32
// CHECK-NEXT: return
func.func @fix2float(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "tir.float2fix"(%x) {fix_point = 3 : i32, bit_width = 6 : i32} : (tensor<8xf32>) -> tensor<8xi8>
  %b = "tir.fix2float"(%a) {fix_point = 3 : i32} : (tensor<8xi8>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @fix2float_differs
// CHECK: tir.float2fix
// CHECK: tir.fix2float
func.func @fix2float_differs(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "tir.float2fix"(%x) {fix_point = 3 : i32} : (tensor<8xf32>) -> tensor<8xi8>
  %b = "tir.fix2float"(%a) {fix_point = 4 : i32} : (tensor<8xi8>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @one_fix_point
// CHECK: tir.conv2d-fix"
// CHECK-NOT: fix_points
// CHECK-NOT: fix_point_channels
// CHECK-SAME: weight_fix_point = 5 : i32
// CHECK: tir.conv2d-fix"
// CHECK-SAME: fix_point_channels = 2 : i32
// CHECK-SAME: weight_fix_point = 5 : i32
func.func @one_fix_point(%x: tensor<1x2x2x4xi8>) -> (tensor<1x2x2x4xi8>, tensor<1x2x2x4xi8>) {
  %w = "tir.const"() {value = dense<3> : tensor<4x1x1x4xi8>} : () -> tensor<4x1x1x4xi8>
  %b = "tir.const"() {value = dense<3> : tensor<4xi8>} : () -> tensor<4xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_points = [5 : i32, 5 : i32], bias_fix_points = [1 : i32, 1 : i32], fix_point_channels = 2 : i32} : (tensor<1x2x2x4xi8>, tensor<4x1x1x4xi8>, tensor<4xi8>) -> tensor<1x2x2x4xi8>
  %1 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_points = [5 : i32, 5 : i32], bias_fix_points = [1 : i32, 2 : i32], fix_point_channels = 2 : i32} : (tensor<1x2x2x4xi8>, tensor<4x1x1x4xi8>, tensor<4xi8>) -> tensor<1x2x2x4xi8>
  return %0, %1 : tensor<1x2x2x4xi8>, tensor<1x2x2x4xi8>
}
