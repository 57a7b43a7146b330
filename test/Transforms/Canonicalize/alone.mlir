// Where a pattern needs no other; together with the other files every pattern
// of the table applies somewhere.
// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize
// RUN: PatternTest cover tir-canonicalize %S/*.mlir

// CHECK-LABEL: func.func @hard_sigmoid
// CHECK-NEXT: tir.hard-sigmoid"(%arg0) : (
func.func @hard_sigmoid(%x: tensor<8xf32>) -> tensor<8xf32> {
  %three = "tir.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %sixth = "tir.const"() {value = dense<0.16666667> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.add"(%x, %three) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = "tir.relu6"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.mul"(%b, %sixth) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// CHECK-LABEL: func.func @hard_swish
// CHECK-NEXT: tir.hard-swish"(%arg0)
func.func @hard_swish(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "tir.hard-sigmoid"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.mul"(%a, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @hard_swish_of_relu6
// CHECK-NEXT: tir.hard-swish"(%arg0)
func.func @hard_swish_of_relu6(%x: tensor<8xf32>) -> tensor<8xf32> {
  %three = "tir.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %sixth = "tir.const"() {value = dense<0.16666667> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.add"(%x, %three) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = "tir.relu6"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.mul"(%x, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %d = "tir.mul"(%c, %sixth) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// CHECK-LABEL: func.func @sigmoid
// CHECK-NEXT: tir.sigmoid"(%arg0)
func.func @sigmoid(%x: tensor<8xf32>) -> tensor<8xf32> {
  %one = "tir.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.neg"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.exp"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.add"(%b, %one) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %d = "tir.div"(%one, %c) : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// CHECK-LABEL: func.func @there_and_back
// CHECK-NEXT: return %arg0
func.func @there_and_back(%x: tensor<8xi8>) -> tensor<8xi8> {
  %a = "tir.fix2float"(%x) {fix_point = 3 : i32} : (tensor<8xi8>) -> tensor<8xf32>
  %b = "tir.float2fix"(%a) {fix_point = 3 : i32} : (tensor<8xf32>) -> tensor<8xi8>
  return %b : tensor<8xi8>
}
