// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize exact

// What a pattern uncovers is seen by the next: dead, folded, merged, rewritten.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return %arg0
func.func @dead(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "tir.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "tir.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = "tir.softmax"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// CHECK-LABEL: func.func @same
// CHECK-NEXT: %[[E:.*]] = "tir.exp"(%arg0) {op_name = "one"}
// CHECK-NEXT: %[[S:.*]] = "tir.sigmoid"(%[[E]])
// CHECK-NEXT: tir.add"(%[[S]], %[[S]])
// CHECK-NEXT: return
func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "tir.exp"(%x) {op_name = "one"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "tir.exp"(%x) {op_name = "two"} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "tir.sigmoid"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "tir.sigmoid"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %e = "tir.add"(%c, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %e : tensor<4xf32>
}

// Attributes and operand order count.
// CHECK-LABEL: func.func @not_same
// CHECK-COUNT-2: tir.leaky-relu
// CHECK-COUNT-2: tir.sub
func.func @not_same(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "tir.leaky-relu"(%x) {alpha = 0.1 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "tir.leaky-relu"(%x) {alpha = 0.2 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "tir.sub"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = "tir.sub"(%b, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c, %d : tensor<4xf32>, tensor<4xf32>
}

// Zeros that stand for inputs stay apart, and are not folded.
// CHECK-LABEL: func.func @data
// CHECK-COUNT-2: tir.data
// CHECK: tir.add
func.func @data() -> tensor<4xf32> {
  %a = "tir.data"() : () -> tensor<4xf32>
  %b = "tir.data"() : () -> tensor<4xf32>
  %c = "tir.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// CHECK-LABEL: func.func @fold
// CHECK-NEXT: tir.const"() {value = dense<[2, -3, 0, 127]> : tensor<4xi8>}
// CHECK-NEXT: return
func.func @fold() -> tensor<4xi8> {
  %a = "tir.const"() {value = dense<[1.125, -1.625, 0.125, 99.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "tir.mul"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = "tir.sqrt"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "tir.min"(%a, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %e = "tir.float2fix"(%d) {fix_point = 1 : i32} : (tensor<4xf32>) -> tensor<4xi8>
  return %e : tensor<4xi8>
}

// CHECK-LABEL: func.func @fold_shape_arithmetic
// CHECK-NEXT: tir.const"() {value = dense<[1, 24]> : tensor<2xi64>}
// CHECK-NEXT: return
func.func @fold_shape_arithmetic() -> tensor<2xi64> {
  %a = "tir.const"() {value = dense<[1, 4, 6]> : tensor<3xi64>} : () -> tensor<3xi64>
  %i = "tir.const"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %j = "tir.const"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
  %h = "tir.gather"(%a, %i) : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %w = "tir.gather"(%a, %j) : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %p = "tir.mul"(%h, %w) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %q = "tir.stack"(%i, %p) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<i64>, tensor<i64>) -> tensor<2xi64>
  return %q : tensor<2xi64>
}

// A constant of 256 KiB is not worth one number; one of 4 KiB is.
// CHECK-LABEL: func.func @fold_not
// CHECK: tir.expand
// CHECK-NOT: tir.expand
// CHECK: return
func.func @fold_not() -> (tensor<65536xf32>, tensor<1024xf32>) {
  %a = "tir.const"() {value = dense<3.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "tir.expand"(%a) {shape = [65536 : i32]} : (tensor<1xf32>) -> tensor<65536xf32>
  %c = "tir.expand"(%a) {shape = [1024 : i32]} : (tensor<1xf32>) -> tensor<1024xf32>
  return %b, %c : tensor<65536xf32>, tensor<1024xf32>
}

// Weights in another type, of any size.
// CHECK-LABEL: func.func @fold_cast
// CHECK-NEXT: tir.const{{.*}}tensor<65536xf32>
// CHECK-NEXT: return
func.func @fold_cast() -> tensor<65536xf32> {
  %a = "tir.const"() {value = dense<3> : tensor<65536xi8>} : () -> tensor<65536xi8>
  %b = "tir.cast"(%a) : (tensor<65536xi8>) -> tensor<65536xf32>
  return %b : tensor<65536xf32>
}

// The same of weights in integers, which a model keeps quantised.
// CHECK-LABEL: func.func @fold_dequantize
// CHECK-NEXT: tir.const"() {value = dense<1.500000e+00> : tensor<65536xf32>}
// CHECK-NEXT: tir.const"() {value = dense<7.500000e-01> : tensor<65536xf32>}
// CHECK-NEXT: return
func.func @fold_dequantize() -> (tensor<65536xf32>, tensor<65536xf32>) {
  %a = "tir.const"() {value = dense<3> : tensor<65536xi8>} : () -> tensor<65536xi8>
  %b = "tir.dequantize-linear"(%a) {scale = [0.5 : f32], zero_point = [0 : i32]} : (tensor<65536xi8>) -> tensor<65536xf32>
  %c = "tir.fix2float"(%a) {fix_point = 2 : i32} : (tensor<65536xi8>) -> tensor<65536xf32>
  return %b, %c : tensor<65536xf32>, tensor<65536xf32>
}

// Prior boxes depend on shapes.
// CHECK-LABEL: func.func @priorbox
// CHECK-NEXT: tir.const
// CHECK-NEXT: return
func.func @priorbox(%x: tensor<1x2x2x8xf32>, %y: tensor<1x32x32x3xf32>) -> tensor<1x2x16xf32> {
  %a = "tir.relu"(%x) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %b = "tir.priorbox"(%a, %y) {min_sizes = [8.0 : f32]} : (tensor<1x2x2x8xf32>, tensor<1x32x32x3xf32>) -> tensor<1x2x16xf32>
  return %b : tensor<1x2x16xf32>
}
