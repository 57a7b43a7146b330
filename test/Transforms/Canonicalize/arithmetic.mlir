// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// CHECK-LABEL: func.func @constant_left
// CHECK: tir.min"(%arg0,
func.func @constant_left(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = "tir.const"() {value = dense<"0x5EFDFFFF5A07000099FAFFFF81FEFFFF"> : tensor<4xi32>} : () -> tensor<4xi32>
  %y = "tir.min"(%c, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}

// CHECK-LABEL: func.func @sub_constant
// CHECK: dense<[-1.000000e+00, 2.000000e+00]>
// CHECK: tir.add"(%arg0,
func.func @sub_constant(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %c = "tir.const"() {value = dense<[1.0, -2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "tir.sub"(%x, %c) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @sub_constant_int
// CHECK: tir.sub
func.func @sub_constant_int(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = "tir.const"() {value = dense<"0xD0FBFFFF1DFEFFFF9507000031FEFFFF"> : tensor<4xi32>} : () -> tensor<4xi32>
  %y = "tir.sub"(%x, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}

// CHECK-LABEL: func.func @div_constant
// CHECK: dense<[2.500000e-01, -2.000000e+00]>
// CHECK: tir.mul"(%arg0,
func.func @div_constant(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %c = "tir.const"() {value = dense<[4.0, -0.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "tir.div"(%x, %c) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// 41 / 41 rounds down to 1, and 41 * (1 / 41) to 0 in f32.
// CHECK-LABEL: func.func @div_floor
// CHECK: %[[Q:.*]] = "tir.div"(%arg0,
// CHECK: tir.floor"(%[[Q]])
func.func @div_floor(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = "tir.const"() {value = dense<[4.0, 41.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %q = "tir.div"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = "tir.floor"(%q) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @div_cast
// CHECK: %[[Q:.*]] = "tir.div"(%arg0,
// CHECK: %[[R:.*]] = "tir.div"(%arg1,
// CHECK: %[[S:.*]] = "tir.div"(%arg2,
// CHECK: tir.cast"(%[[Q]])
// CHECK: tir.ceil"(%[[R]])
// CHECK: tir.round"(%[[S]])
func.func @div_cast(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<2xf32>) -> (tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) {
  %c = "tir.const"() {value = dense<41.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %q = "tir.div"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = "tir.div"(%y, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %s = "tir.div"(%z, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %a = "tir.cast"(%q) : (tensor<2xf32>) -> tensor<2xi32>
  %b = "tir.ceil"(%r) : (tensor<2xf32>) -> tensor<2xf32>
  %d = "tir.round"(%s) : (tensor<2xf32>) -> tensor<2xf32>
  return %a, %b, %d : tensor<2xi32>, tensor<2xf32>, tensor<2xf32>
}

// Inverses of powers of two are exact, and no cast to floats makes a whole
// number.
// CHECK-LABEL: func.func @div_exact_floor
// CHECK-NOT: tir.div
func.func @div_exact_floor(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf64>) {
  %c = "tir.const"() {value = dense<[4.0, -0.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %e = "tir.const"() {value = dense<41.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %q = "tir.div"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = "tir.div"(%x, %e) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = "tir.floor"(%q) : (tensor<2xf32>) -> tensor<2xf32>
  %z = "tir.cast"(%r) : (tensor<2xf32>) -> tensor<2xf64>
  return %y, %z : tensor<2xf32>, tensor<2xf64>
}

// 1 / 1e-39 is no f32.
// CHECK-LABEL: func.func @div_tiny
// CHECK: tir.div
func.func @div_tiny(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = "tir.const"() {value = dense<[4.0, 1.0e-39]> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "tir.div"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @merge_constants
// CHECK: dense<[4.000000e+00, 6.000000e+00]>
// CHECK-NEXT: tir.add"(%arg0,
// CHECK-NEXT: return
func.func @merge_constants(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %c = "tir.const"() {value = dense<[1.0, 3.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %d = "tir.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %y = "tir.add"(%x, %c) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %z = "tir.add"(%y, %d) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  return %z : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @merge_factors
// CHECK-COUNT-1: tir.mul
// CHECK-NEXT: return
func.func @merge_factors(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %c = "tir.const"() {value = dense<[1.5, 3.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %d = "tir.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %y = "tir.mul"(%x, %c) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %z = "tir.mul"(%y, %d) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  return %z : tensor<3x2xf32>
}

// Their product overflows; used twice; a larger constant than either.
// CHECK-LABEL: func.func @merge_not
// CHECK-COUNT-4: tir.mul
// CHECK-COUNT-2: tir.add
func.func @merge_not(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %c = "tir.const"() {value = dense<1.0e30> : tensor<f32>} : () -> tensor<f32>
  %d = "tir.const"() {value = dense<1.0e-30> : tensor<f32>} : () -> tensor<f32>
  %y = "tir.mul"(%x, %d) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %z = "tir.mul"(%y, %c) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %k = "tir.const"() {value = dense<2.5> : tensor<f32>} : () -> tensor<f32>
  %p = "tir.mul"(%x, %k) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %q = "tir.mul"(%p, %k) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %r = "tir.neg"(%p) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %qr = "tir.max"(%q, %r) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %m = "tir.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %n = "tir.const"() {value = dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>} : () -> tensor<3x1xf32>
  %s = "tir.add"(%x, %m) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %t = "tir.add"(%s, %n) : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  return %z, %qr, %t : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func.func @signs
// CHECK-NEXT: tir.sub"(%arg0, %arg1)
// CHECK-NEXT: tir.sub"(%arg1, %arg0)
// CHECK-NEXT: tir.add"(%arg0, %arg1)
// CHECK-NEXT: return
func.func @signs(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %a = "tir.neg"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %b = "tir.neg"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  %m = "tir.neg"(%y) : (tensor<4xi32>) -> tensor<4xi32>
  %c = "tir.add"(%x, %m) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %d = "tir.add"(%a, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %e = "tir.sub"(%b, %m) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %b, %c, %d, %e : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// x comes first, so its sign stays.
// CHECK-LABEL: func.func @neg_minus
// CHECK: tir.neg
// CHECK: tir.sub
func.func @neg_minus(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %a = "tir.neg"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %b = "tir.sub"(%a, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %b : tensor<4xi32>
}

// CHECK-LABEL: func.func @neg_of_product
// CHECK: dense<-3.000000e+00>
// CHECK-NEXT: tir.mul"(%arg0,
// CHECK-NEXT: tir.mul"(%arg1,
// CHECK-NEXT: return
func.func @neg_of_product(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = "tir.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.mul"(%x, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %b = "tir.neg"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "tir.neg"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %e = "tir.mul"(%d, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %b, %e : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @neg_of_unknown
// CHECK: tir.mul
// CHECK: tir.neg
func.func @neg_of_unknown(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = "tir.mul"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = "tir.neg"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// A gate that is added to what it opens: both read x once. Gates as large as x, and
// products that others read, stay.
// CHECK-LABEL: func.func @residual_gate(
// CHECK: %[[ONE:.*]] = "tir.const"() {value = dense<1.000000e+00> : tensor<f32>}
// CHECK: %[[GATE:.*]] = "tir.add"(%arg1, %[[ONE]]){{.*}} -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[FIRST:.*]] = "tir.mul"(%arg0, %[[GATE]])
// CHECK-NEXT: %[[SECOND:.*]] = "tir.mul"(%[[FIRST]], %[[GATE]])
// CHECK-NEXT: "tir.mul"(%[[SECOND]], %[[SECOND]])
// CHECK-NEXT: "tir.add"
// CHECK-NEXT: "tir.mul"
// CHECK-NEXT: "tir.add"
func.func @residual_gate(%x: tensor<1x2x2x3xf32>, %g: tensor<1x1x1x3xf32>) -> (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) {
  %0 = "tir.mul"(%x, %g) : (tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
  %1 = "tir.add"(%0, %x) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %2 = "tir.mul"(%g, %1) : (tensor<1x1x1x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %3 = "tir.add"(%1, %2) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %4 = "tir.mul"(%3, %3) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %5 = "tir.add"(%4, %3) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %6 = "tir.mul"(%5, %g) : (tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
  %7 = "tir.add"(%6, %5) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %3, %6, %7 : tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @square
// CHECK: %[[S:.*]] = "tir.mul"(%arg0, %arg0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: "tir.pow"(%arg0, %{{.*}} -> tensor<2x3xf32>
// CHECK: "tir.pow"(%{{.*}}, %{{.*}} -> tensor<2x3xf32>
func.func @square(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %two = "tir.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %three = "tir.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %twos = "tir.const"() {value = dense<2.0> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %0 = "tir.pow"(%x, %two) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %1 = "tir.pow"(%x, %three) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %2 = "tir.pow"(%y, %twos) : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
