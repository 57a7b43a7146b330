// Parametric ReLUs that are written out become one operator, with the same bits.
// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize exact

// relu(x) - a * relu(-x)
// CHECK-LABEL: func.func @sub
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @sub(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %n = "tir.neg"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.relu"(%n) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%q, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.sub"(%p, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// -a * relu(-x) + relu(x), with all dimensions
// CHECK-LABEL: func.func @add
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @add(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[[[[-0.25, 0.3, -1.7]]]]> : tensor<1x1x1x3xf32>} : () -> tensor<1x1x1x3xf32>
  %n = "tir.neg"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.relu"(%n) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%a, %q) : (tensor<1x1x1x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.add"(%m, %p) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @neg_of_slopes
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @neg_of_slopes(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[[0.25, -0.3, 1.7]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %b = "tir.neg"(%a) : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %n = "tir.neg"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.relu"(%n) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%b, %q) : (tensor<1x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.add"(%p, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @neg_of_relu
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @neg_of_relu(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %n = "tir.neg"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.relu"(%n) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %k = "tir.neg"(%q) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%k, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.add"(%p, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// max(0, x) + a * min(0, x)
// CHECK-LABEL: func.func @min_max
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @min_max(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "tir.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %p = "tir.max"(%z, %x) : (tensor<f32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.min"(%z, %x) : (tensor<f32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%a, %q) : (tensor<3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.add"(%p, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// relu(x) + a * (x - |x|) * 0.5
// CHECK-LABEL: func.func @abs
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @abs(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %h = "tir.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %b = "tir.abs"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %s = "tir.sub"(%x, %b) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%a, %s) : (tensor<3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %k = "tir.mul"(%m, %h) : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %y = "tir.add"(%p, %k) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// relu(x) + a * (x - relu(x))
// CHECK-LABEL: func.func @rest
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @rest(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %s = "tir.sub"(%x, %p) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%s, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.add"(%m, %p) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// x > 0 ? x : a * x
// CHECK-LABEL: func.func @greater
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @greater(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "tir.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %c = "tir.compare"(%x, %z) {predicate = "GT"} : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xi1>
  %y = "tir.select"(%c, %x, %m) : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @greater_or_equal
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @greater_or_equal(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "tir.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %c = "tir.compare"(%x, %z) {predicate = "GE"} : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xi1>
  %y = "tir.select"(%c, %x, %m) : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @less
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @less(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "tir.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %c = "tir.compare"(%x, %z) {predicate = "LT"} : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xi1>
  %y = "tir.select"(%c, %m, %x) : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @less_or_equal
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @less_or_equal(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "tir.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %c = "tir.compare"(%x, %z) {predicate = "LE"} : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xi1>
  %y = "tir.select"(%c, %m, %x) : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @zero_less
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 1.700000e+00]> : tensor<3xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @zero_less(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "tir.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %c = "tir.compare"(%z, %x) {predicate = "LT"} : (tensor<f32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xi1>
  %y = "tir.select"(%c, %x, %m) : (tensor<1x2x2x3xi1>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// max(x, a * x), where no slope is above 1
// CHECK-LABEL: func.func @larger
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[2.500000e-01, -3.000000e-01, 0.699999988]>
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @larger(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[0.25, -0.3, 0.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.max"(%x, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// min(x, a * x), where no slope is below 1
// CHECK-LABEL: func.func @smaller
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[1.250000e+00, 3.000000e+00, 2.000000e+00]>
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @smaller(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[1.25, 3.0, 2.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %m = "tir.mul"(%x, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.min"(%m, %x) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @one_slope
// CHECK-NEXT: "tir.leaky-relu"(%arg0) {alpha = 2.500000e-01 : f32}
// CHECK-NEXT: return
func.func @one_slope(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %n = "tir.neg"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.relu"(%n) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%q, %a) : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %y = "tir.sub"(%p, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// Channels need not be the last dimension.
// CHECK-LABEL: func.func @first_channels
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<{{\[\[\[}}2.500000e-01]], {{\[\[}}5.000000e-01]]]> : tensor<2x1x1xf32>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @first_channels(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %a = "tir.const"() {value = dense<[[[0.25]], [[0.5]]]> : tensor<2x1x1xf32>} : () -> tensor<2x1x1xf32>
  %p = "tir.relu"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %n = "tir.neg"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.relu"(%n) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%q, %a) : (tensor<1x2x2x3xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.sub"(%p, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// (x + |x|) / 2
// CHECK-LABEL: func.func @half_of_sum
// CHECK-NEXT: "tir.relu"(%arg0)
// CHECK-NEXT: return
func.func @half_of_sum(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %h = "tir.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %b = "tir.abs"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %s = "tir.add"(%x, %b) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.mul"(%s, %h) : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// x may be a sum of other things, and so are its parts.
// CHECK-LABEL: func.func @of_sum
// CHECK-NEXT: %[[E:.*]] = "tir.sigmoid"
// CHECK-NEXT: %[[V:.*]] = "tir.sub"(%[[E]], %arg0)
// CHECK-NEXT: %[[A:.*]] = "tir.const"()
// CHECK-NEXT: "tir.prelu"(%[[V]], %[[A]])
// CHECK-NEXT: return
func.func @of_sum(%x: tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32> {
  %u = "tir.neg"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %e = "tir.sigmoid"(%x) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %v = "tir.add"(%u, %e) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %a = "tir.const"() {value = dense<[0.25, -0.3, 1.7]> : tensor<3xf32>} : () -> tensor<3xf32>
  %p = "tir.relu"(%v) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %n = "tir.neg"(%v) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %q = "tir.relu"(%n) : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %m = "tir.mul"(%q, %a) : (tensor<1x2x2x3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.sub"(%p, %m) : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %y : tensor<1x2x2x3xf32>
}

// CHECK-LABEL: func.func @double
// CHECK-NEXT: %[[A:.*]] = "tir.const"() {value = dense<[1.000000e-01, 2.000000e-01]> : tensor<2xf64>}
// CHECK-NEXT: "tir.prelu"(%arg0, %[[A]])
// CHECK-NEXT: return
func.func @double(%x: tensor<4x2xf64>) -> tensor<4x2xf64> {
  %a = "tir.const"() {value = dense<[0.1, 0.2]> : tensor<2xf64>} : () -> tensor<2xf64>
  %m = "tir.mul"(%x, %a) : (tensor<4x2xf64>, tensor<2xf64>) -> tensor<4x2xf64>
  %y = "tir.max"(%x, %m) : (tensor<4x2xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
  return %y : tensor<4x2xf64>
}
