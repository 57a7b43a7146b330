// Where the slopes are sums, the last bits may differ. What would differ by more
// stays, as what is no parametric ReLU does.
// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// (1 + a) / 2 * x + (1 - a) / 2 * |x|
// CHECK-LABEL: func.func @half_sums
// CHECK-NEXT: %[[A:.*]] = "tir.const"()
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @half_sums(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[0.625, 0.3499999940395355, 1.350000023841858]> : tensor<3xf32>} : () -> tensor<3xf32>
  %b = "tir.const"() {value = dense<[0.375, 0.6499999761581421, -0.3500000238418579]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %v = "tir.abs"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %n = "tir.mul"(%v, %b) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.add"(%m, %n) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// x + (a - 1) * min(x, 0)
// CHECK-LABEL: func.func @more_than_x
// CHECK-NEXT: %[[A:.*]] = "tir.const"()
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @more_than_x(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "tir.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[-0.75, -1.3, 0.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %q = "tir.min"(%x, %z) : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%q, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.add"(%x, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// x + 1e6 * relu(x) - 1e6 * relu(x) has lost most of x.
// CHECK-LABEL: func.func @cancelled
// CHECK: tir.sub
// CHECK-NOT: tir.prelu
// CHECK: return
func.func @cancelled(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %c = "tir.const"() {value = dense<1.0e6> : tensor<f32>} : () -> tensor<f32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %k = "tir.mul"(%p, %c) : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %s = "tir.add"(%x, %k) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %t = "tir.sub"(%s, %k) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %n = "tir.neg"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.relu"(%n) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%q, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.add"(%t, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// A slope above 1 is that of positive numbers.
// CHECK-LABEL: func.func @another_slope_above
// CHECK: tir.max
// CHECK: return
func.func @another_slope_above(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[0.25, 0.5, 1.5]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.max"(%x, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// What tir-legalize makes of |x|.
// CHECK-LABEL: func.func @absolute
// CHECK: tir.max
// CHECK: return
func.func @absolute(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %n = "tir.neg"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.max"(%x, %n) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @another_limit
// CHECK: tir.clip
// CHECK-NOT: tir.prelu
// CHECK: return
func.func @another_limit(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "tir.const"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.min"(%z, %x) : (tensor<f32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%a, %q) : (tensor<3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.add"(%p, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @another_condition
// CHECK: tir.select
// CHECK: return
func.func @another_condition(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "tir.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %c = "tir.compare"(%x, %z) {predicate = "GT"} : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xi1>
  %y = "tir.select"(%c, %x, %m) : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @equal
// CHECK: tir.select
// CHECK: return
func.func @equal(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "tir.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %c = "tir.compare"(%x, %z) {predicate = "EQ"} : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xi1>
  %y = "tir.select"(%c, %x, %m) : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// The two parts are of two values.
// CHECK-LABEL: func.func @of_others
// CHECK-NOT: tir.prelu
// CHECK: return
func.func @of_others(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %e = "tir.sigmoid"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %n = "tir.neg"(%e) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.relu"(%n) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%q, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.sub"(%p, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// Slopes by channels and by rows.
// CHECK-LABEL: func.func @two_shapes
// CHECK-NOT: tir.prelu
// CHECK: return
func.func @two_shapes(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %b = "tir.const"() {value = dense<[[[0.25]], [[0.5]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %n = "tir.neg"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.relu"(%n) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%q, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %k = "tir.mul"(%m, %b) : (tensor<1x2x2x3xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x3xf32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.sub"(%p, %k) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @integers
// CHECK: tir.max
func.func @integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = "tir.const"() {value = dense<-3> : tensor<4xi32>} : () -> tensor<4xi32>
  %m = "tir.mul"(%x, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %y = "tir.max"(%x, %m) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
