// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize exact

// CHECK-LABEL: func.func @quantize
// CHECK-NEXT: return %arg0
func.func @quantize(%x: tensor<256xi8>) -> tensor<256xi8> {
  %a = "tir.dequantize-linear"(%x) {scale = [0.0123 : f32], zero_point = [-7 : i32]} : (tensor<256xi8>) -> tensor<256xf32>
  %b = "tir.quantize-linear"(%a) {scale = [0.0123 : f32], zero_point = [-7 : i32]} : (tensor<256xf32>) -> tensor<256xi8>
  return %b : tensor<256xi8>
}

// CHECK-LABEL: func.func @quantize_differs
// CHECK-COUNT-2: tir.quantize-linear
func.func @quantize_differs(%x: tensor<256xi8>) -> (tensor<256xi8>, tensor<256xi8>) {
  %a = "tir.dequantize-linear"(%x) {scale = [0.0123 : f32], zero_point = [-7 : i32]} : (tensor<256xi8>) -> tensor<256xf32>
  %b = "tir.quantize-linear"(%a) {scale = [0.0124 : f32], zero_point = [-7 : i32]} : (tensor<256xf32>) -> tensor<256xi8>
  %c = "tir.quantize-linear"(%a) {scale = [0.0123 : f32], zero_point = [-6 : i32]} : (tensor<256xf32>) -> tensor<256xi8>
  return %b, %c : tensor<256xi8>, tensor<256xi8>
}

// Integers of other scales stay outside fixed point when they move.
// CHECK-LABEL: func.func @moved
// CHECK: tir.strided_slice"
// CHECK-NEXT: tir.reshape"
// CHECK: tir.reshape-fix"
func.func @moved(%x: tensor<4x3xf32>, %y: tensor<4x3xi8>) -> (tensor<3xui8>, tensor<3xi8>) {
  %i = "tir.const"() {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %a = "tir.quantize-linear"(%x) {scale = [0.0123 : f32], zero_point = [7 : i32]} : (tensor<4x3xf32>) -> tensor<4x3xui8>
  %b = "tir.gather"(%a, %i) {axis = 0 : i32} : (tensor<4x3xui8>, tensor<i32>) -> tensor<3xui8>
  %c = "tir.gather"(%y, %i) {axis = 0 : i32} : (tensor<4x3xi8>, tensor<i32>) -> tensor<3xi8>
  return %b, %c : tensor<3xui8>, tensor<3xi8>
}
