// A bias in floating point beside fixes is one of integers of the sum, where
// that is asked for; else the layer stays in floating point.
// RUN: xc-opt --tir-absorb-fix=round-bias=true %s | FileCheck %s
// RUN: xc-opt --tir-absorb-fix %s | FileCheck %s --check-prefix=KEPT
// KEPT-NOT: conv2d-fix
// KEPT-NOT: matmul-fix

// CHECK-LABEL: func.func @conv
// CHECK: %[[B:.+]] = "tir.const"() {value = dense<[102, -205]> : tensor<2xi32>}
// CHECK: "tir.conv2d-fix"(%{{.+}}, %{{.+}}, %[[B]]) {bias_fix_point = 10 : i32
// CHECK-SAME: nonlinear = "RELU"
func.func @conv(%x: tensor<1x1x1x1xi8>) -> tensor<1x1x1x2xi8> {
  %f = "tir.fix2float"(%x) {fix_point = 4 : i32} : (tensor<1x1x1x1xi8>) -> tensor<1x1x1x1xf32>
  %v = "tir.const"() {value = dense<3> : tensor<2x1x1x1xi8>} : () -> tensor<2x1x1x1xi8>
  %w = "tir.fix2float"(%v) {fix_point = 6 : i32} : (tensor<2x1x1x1xi8>) -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[0.1, -0.2]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "tir.conv2d"(%f, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
  %r = "tir.relu"(%y) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %q = "tir.float2fix"(%r) {fix_point = 5 : i32} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xi8>
  return %q : tensor<1x1x1x2xi8>
}

// A linear layer of several rows adds it.
// CHECK-LABEL: func.func @linear
// CHECK: dense<[1, -2]> : tensor<2xi32>
// CHECK: "tir.matmul-fix"{{.*}}bias_fix_point = 3 : i32
// CHECK-NOT: tir.add
func.func @linear(%x: tensor<3x1xi8>) -> tensor<3x2xi8> {
  %f = "tir.fix2float"(%x) {fix_point = 1 : i32} : (tensor<3x1xi8>) -> tensor<3x1xf32>
  %v = "tir.const"() {value = dense<3> : tensor<1x2xi8>} : () -> tensor<1x2xi8>
  %w = "tir.fix2float"(%v) {fix_point = 2 : i32} : (tensor<1x2xi8>) -> tensor<1x2xf32>
  %b = "tir.const"() {value = dense<[0.1, -0.2]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "tir.matmul"(%f, %w) : (tensor<3x1xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  %a = "tir.add"(%y, %b) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %q = "tir.float2fix"(%a) {fix_point = 5 : i32} : (tensor<3x2xf32>) -> tensor<3x2xi8>
  return %q : tensor<3x2xi8>
}

// Beyond 32 bits; a result that is not quantised; an input that is not.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: conv2d-fix
func.func @stays(%x: tensor<1x1x1x1xi8>, %p: tensor<1x1x1x1xf32>) -> (tensor<1x1x1x2xi8>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xi8>) {
  %f = "tir.fix2float"(%x) {fix_point = 4 : i32} : (tensor<1x1x1x1xi8>) -> tensor<1x1x1x1xf32>
  %v = "tir.const"() {value = dense<3> : tensor<2x1x1x1xi8>} : () -> tensor<2x1x1x1xi8>
  %w = "tir.fix2float"(%v) {fix_point = 6 : i32} : (tensor<2x1x1x1xi8>) -> tensor<2x1x1x1xf32>
  %b = "tir.const"() {value = dense<[0.1, 1.0e8]> : tensor<2xf32>} : () -> tensor<2xf32>
  %c = "tir.const"() {value = dense<[0.1, 0.2]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "tir.conv2d"(%f, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
  %q = "tir.float2fix"(%y) {fix_point = 5 : i32} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xi8>
  %z = "tir.conv2d"(%f, %w, %c) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
  %u = "tir.conv2d"(%p, %w, %c) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
  %t = "tir.float2fix"(%u) {fix_point = 5 : i32} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xi8>
  return %q, %z, %t : tensor<1x1x1x2xi8>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xi8>
}
