// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// CHECK-LABEL: func.func @twice
// CHECK-NEXT: tir.relu"
// CHECK-NEXT: tir.relu6"
// CHECK-NEXT: tir.floor"
// CHECK-NEXT: return
func.func @twice(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %a = "tir.relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.relu"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.abs"(%b) : (tensor<8xf32>) -> tensor<8xf32>
  %d = "tir.relu6"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %e = "tir.relu6"(%d) : (tensor<8xf32>) -> tensor<8xf32>
  %f = "tir.floor"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %g = "tir.round"(%f) : (tensor<8xf32>) -> tensor<8xf32>
  return %c, %e, %g : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The smallest integer is its own absolute value, and negative.
// CHECK-LABEL: func.func @abs_of_integers
// CHECK-NEXT: tir.abs"
// CHECK-NEXT: tir.relu-fix"
// CHECK-NEXT: return
func.func @abs_of_integers(%x: tensor<1x1x1x8xi8>) -> tensor<1x1x1x8xi8> {
  %a = "tir.abs"(%x) : (tensor<1x1x1x8xi8>) -> tensor<1x1x1x8xi8>
  %b = "tir.abs"(%a) : (tensor<1x1x1x8xi8>) -> tensor<1x1x1x8xi8>
  %c = "tir.relu-fix"(%b) {input_fix_point = 1 : i32, output_fix_point = 1 : i32} : (tensor<1x1x1x8xi8>) -> tensor<1x1x1x8xi8>
  return %c : tensor<1x1x1x8xi8>
}

// The limits of the first one are those of the second, too.
// CHECK-LABEL: func.func @not_twice
// CHECK-NEXT: tir.relu6"(%{{.*}}arg0)
// CHECK: tir.neg
// CHECK: tir.relu"
func.func @not_twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "tir.relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.relu6"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.neg"(%b) : (tensor<8xf32>) -> tensor<8xf32>
  %d = "tir.relu"(%c) : (tensor<8xf32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// CHECK-LABEL: func.func @twice_fix
// CHECK-NEXT: tir.relu6-fix
// CHECK-NEXT: return
func.func @twice_fix(%x: tensor<8xi8>) -> tensor<8xi8> {
  %a = "tir.relu6-fix"(%x) {input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<8xi8>) -> tensor<8xi8>
  %b = "tir.relu6-fix"(%a) {input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<8xi8>) -> tensor<8xi8>
  %c = "tir.relu-fix"(%b) {input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<8xi8>) -> tensor<8xi8>
  return %c : tensor<8xi8>
}

// The numbers of qlinear operators have another meaning: nothing is known.
// CHECK-LABEL: func.func @not_twice_qlinear
// CHECK: tir.relu6-fix
// CHECK: tir.relu-fix
func.func @not_twice_qlinear(%x: tensor<1x2x2x4xui8>, %y: tensor<1x2x2x4xi8>) -> (tensor<1x2x2x4xui8>, tensor<1x2x2x4xi8>) {
  %a = "tir.qlinear-pool"(%x) {type = "AVG", kernel = [1 : i32, 2 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU6", input_scale = 0.02 : f32, input_zero_point = 3 : i32, output_scale = 0.02 : f32, output_zero_point = 3 : i32} : (tensor<1x2x2x4xui8>) -> tensor<1x2x2x4xui8>
  %b = "tir.relu6-fix"(%a) {input_fix_point = -2 : i32, output_fix_point = -2 : i32} : (tensor<1x2x2x4xui8>) -> tensor<1x2x2x4xui8>
  %c = "tir.qlinear-pool"(%y) {type = "AVG", kernel = [1 : i32, 2 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU", input_scale = 0.02 : f32, input_zero_point = -100 : i32, output_scale = 0.02 : f32, output_zero_point = -100 : i32} : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x4xi8>
  %d = "tir.relu-fix"(%c) {input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x4xi8>
  return %b, %d : tensor<1x2x2x4xui8>, tensor<1x2x2x4xi8>
}

// CHECK-LABEL: func.func @twice_fix_rounds
// CHECK-COUNT-2: tir.relu6-fix
func.func @twice_fix_rounds(%x: tensor<8xi8>) -> tensor<8xi8> {
  %a = "tir.relu6-fix"(%x) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<8xi8>) -> tensor<8xi8>
  %b = "tir.relu6-fix"(%a) {input_fix_point = 3 : i32, output_fix_point = 4 : i32} : (tensor<8xi8>) -> tensor<8xi8>
  return %b : tensor<8xi8>
}

// CHECK-LABEL: func.func @min_max
// CHECK-NEXT: tir.clip"(%arg0) {max = 4.000000e+00 : f32, min = -2.000000e+00 : f32}
// CHECK-NEXT: return
func.func @min_max(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = "tir.const"() {value = dense<4.0> : tensor<f32>} : () -> tensor<f32>
  %d = "tir.const"() {value = dense<-2.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %a = "tir.min"(%c, %x) : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.max"(%a, %d) : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @min_of_two_numbers
// CHECK: tir.min
func.func @min_of_two_numbers(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %c = "tir.const"() {value = dense<[4.0, 3.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %a = "tir.min"(%x, %c) : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %a : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @clips
// CHECK-NEXT: tir.clip"(%arg0) {max = 3.000000e+00 : f32, min = 2.000000e+00 : f32}
// CHECK-NEXT: tir.relu6"(%arg0)
// CHECK-NEXT: tir.relu"(%arg0)
// CHECK-NEXT: return
func.func @clips(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %a = "tir.clip"(%x) {min = -1.0 : f32, max = 3.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.clip"(%a) {min = 2.0 : f32, max = 5.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %d = "tir.clip"(%c) {max = 6.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %e = "tir.clip"(%x) {min = 0.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %f = "tir.clip"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %b, %d, %e, %f : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @clip_elsewhere
// CHECK: tir.clip
// CHECK: tir.clip
func.func @clip_elsewhere(%x: tensor<8xf32>, %y: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %a = "tir.clip"(%x) {min = 0.0 : f32, max = 5.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.clip"(%y) {min = 0.0 : f32, max = 6.0 : f32} : (tensor<8xi32>) -> tensor<8xi32>
  return %a, %b : tensor<8xf32>, tensor<8xi32>
}

// CHECK-LABEL: func.func @hard_sigmoid
// CHECK-NEXT: tir.hard-sigmoid"(%arg0) : (
// CHECK-NEXT: return
func.func @hard_sigmoid(%x: tensor<8xf32>) -> tensor<8xf32> {
  %three = "tir.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %six = "tir.const"() {value = dense<6.0> : tensor<f32>} : () -> tensor<f32>
  %zero = "tir.const"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.add"(%x, %three) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = "tir.max"(%a, %zero) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %c = "tir.min"(%b, %six) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %d = "tir.div"(%c, %six) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// CHECK-LABEL: func.func @hard_sigmoid_of_line
// CHECK-NEXT: tir.hard-sigmoid"(%arg0) {alpha = 2.000000e-01 : f32, beta = 5.000000e-01 : f32}
// CHECK-NEXT: return
func.func @hard_sigmoid_of_line(%x: tensor<8xf32>) -> tensor<8xf32> {
  %p = "tir.const"() {value = dense<0.2> : tensor<f32>} : () -> tensor<f32>
  %q = "tir.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.mul"(%x, %p) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = "tir.add"(%a, %q) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %c = "tir.clip"(%b) {min = 0.0 : f32, max = 1.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// A sixth of relu6(x + 2), a fifth of relu6(x + 3).
// CHECK-LABEL: func.func @hard_sigmoid_not
// CHECK-NOT: hard-sigmoid
// CHECK: return
func.func @hard_sigmoid_not(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %three = "tir.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %two = "tir.const"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %six = "tir.const"() {value = dense<6.0> : tensor<f32>} : () -> tensor<f32>
  %five = "tir.const"() {value = dense<5.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.add"(%x, %two) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = "tir.relu6"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.div"(%b, %six) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %d = "tir.add"(%x, %three) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = "tir.relu6"(%d) : (tensor<8xf32>) -> tensor<8xf32>
  %f = "tir.div"(%e, %five) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %c, %f : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @hard_swish
// CHECK-NEXT: tir.hard-swish"(%arg0)
// CHECK-NEXT: return
func.func @hard_swish(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %three = "tir.const"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %six = "tir.const"() {value = dense<6.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.add"(%x, %three) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = "tir.relu6"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.mul"(%x, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %d = "tir.div"(%c, %six) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = "tir.div"(%b, %six) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %f = "tir.mul"(%e, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g = "tir.div"(%x, %six) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = "tir.mul"(%g, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %d, %f, %h : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// x times the gate of y; the gate of another slope. SiLU has no operator.
// CHECK-LABEL: func.func @hard_swish_not
// CHECK-NOT: hard-swish
// CHECK: return
func.func @hard_swish_not(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %a = "tir.hard-sigmoid"(%y) : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.mul"(%x, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.hard-sigmoid"(%x) {alpha = 0.2 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %d = "tir.mul"(%x, %c) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %e = "tir.sigmoid"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %f = "tir.mul"(%x, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %b, %d, %f : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @sigmoid
// CHECK-NEXT: tir.sigmoid"(%arg0)
// CHECK-NEXT: return
func.func @sigmoid(%x: tensor<8xf32>) -> tensor<8xf32> {
  %one = "tir.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.neg"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = "tir.exp"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.add"(%one, %b) : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %d = "tir.div"(%one, %c) : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// CHECK-LABEL: func.func @sigmoid_not
// CHECK: tir.div
func.func @sigmoid_not(%x: tensor<8xf32>) -> tensor<8xf32> {
  %one = "tir.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %b = "tir.exp"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %c = "tir.add"(%one, %b) : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %d = "tir.div"(%one, %c) : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// CHECK-LABEL: func.func @leaky
// CHECK-NEXT: tir.leaky-relu"(%arg0) {alpha = 1.000000e-01 : f32}
// CHECK-NEXT: tir.leaky-relu"(%arg0) {alpha = 2.500000e-01 : f32}
// CHECK-NEXT: return
func.func @leaky(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = "tir.const"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.mul"(%x, %c) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = "tir.max"(%a, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %s = "tir.const"() {value = dense<0.25> : tensor<8xf32>} : () -> tensor<8xf32>
  %p = "tir.prelu"(%x, %s) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %b, %p : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @slope_of_zero
// CHECK-NEXT: tir.relu"(%arg0)
// CHECK-NEXT: tir.relu"(%arg1)
// CHECK-NEXT: return
func.func @slope_of_zero(%x: tensor<3x2xf32>, %y: tensor<8xf32>) -> (tensor<3x2xf32>, tensor<8xf32>) {
  %s = "tir.const"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %p = "tir.prelu"(%x, %s) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %q = "tir.leaky-relu"(%y) {alpha = 0.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  return %p, %q : tensor<3x2xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @leaky_not
// CHECK: tir.max
// CHECK: tir.prelu
func.func @leaky_not(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %c = "tir.const"() {value = dense<1.5> : tensor<f32>} : () -> tensor<f32>
  %a = "tir.mul"(%x, %c) : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %b = "tir.max"(%a, %x) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %s = "tir.const"() {value = dense<[0.25, 0.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %p = "tir.prelu"(%x, %s) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %b, %p : tensor<3x2xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func.func @relu6_beyond
// CHECK: tir.relu-fix
// CHECK: tir.conv2d-fix{{.*}}nonlinear = "RELU"
func.func @relu6_beyond(%x: tensor<1x2x2x4xi8>) -> (tensor<1x2x2x4xi8>, tensor<1x2x2x3xi8>) {
  %w = "tir.const"() {value = dense<"0xA54DCA182530BB1D6D132CDE"> : tensor<3x1x1x4xi8>} : () -> tensor<3x1x1x4xi8>
  %a = "tir.relu6-fix"(%x) {input_fix_point = 4 : i32, output_fix_point = 5 : i32} : (tensor<1x2x2x4xi8>) -> tensor<1x2x2x4xi8>
  %b = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU6", input_fix_point = 5 : i32, weight_fix_point = 8 : i32, output_fix_point = 5 : i32} : (tensor<1x2x2x4xi8>, tensor<3x1x1x4xi8>) -> tensor<1x2x2x3xi8>
  return %a, %b : tensor<1x2x2x4xi8>, tensor<1x2x2x3xi8>
}

// 6 * 2^4 is 96, 6 * 2^5 is less than 255.
// CHECK-LABEL: func.func @relu6_within
// CHECK: tir.relu6-fix
// CHECK: tir.relu6-fix
func.func @relu6_within(%x: tensor<8xi8>, %y: tensor<8xui8>) -> (tensor<8xi8>, tensor<8xui8>) {
  %a = "tir.relu6-fix"(%x) {input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<8xi8>) -> tensor<8xi8>
  %b = "tir.relu6-fix"(%y) {input_fix_point = 4 : i32, output_fix_point = 5 : i32} : (tensor<8xui8>) -> tensor<8xui8>
  return %a, %b : tensor<8xi8>, tensor<8xui8>
}

// CHECK-LABEL: func.func @into_producer
// CHECK: tir.conv2d-fix{{.*}}nonlinear = "RELU"
// CHECK-NEXT: tir.eltwise-fix{{.*}}nonlinear = "RELU6"
// CHECK-NEXT: return
func.func @into_producer(%x: tensor<1x2x2x4xi8>) -> tensor<1x2x2x3xi8> {
  %w = "tir.const"() {value = dense<"0x74BDC04062162B467E6BCD0F"> : tensor<3x1x1x4xi8>} : () -> tensor<3x1x1x4xi8>
  %a = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x2x2x4xi8>, tensor<3x1x1x4xi8>) -> tensor<1x2x2x3xi8>
  %b = "tir.relu-fix"(%a) {input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  %c = "tir.eltwise-fix"(%b, %b) {type = "ADD", input_fix_point = [3 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  %d = "tir.relu6-fix"(%c) {input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  return %d : tensor<1x2x2x3xi8>
}

// A second rounding; a second use.
// CHECK-LABEL: func.func @into_producer_not
// CHECK-COUNT-2: tir.relu-fix
func.func @into_producer_not(%x: tensor<1x2x2x4xi8>) -> (tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>) {
  %w = "tir.const"() {value = dense<"0xEDBF88465F03ADED29AB14C2"> : tensor<3x1x1x4xi8>} : () -> tensor<3x1x1x4xi8>
  %v = "tir.const"() {value = dense<"0x10DBF70769ECFB8E5211FAA7"> : tensor<3x1x1x4xi8>} : () -> tensor<3x1x1x4xi8>
  %a = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x2x2x4xi8>, tensor<3x1x1x4xi8>) -> tensor<1x2x2x3xi8>
  %b = "tir.relu-fix"(%a) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  %c = "tir.conv2d-fix"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x2x2x4xi8>, tensor<3x1x1x4xi8>) -> tensor<1x2x2x3xi8>
  %d = "tir.relu-fix"(%c) {input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
  return %b, %c, %d : tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>, tensor<1x2x2x3xi8>
}

// An activation goes to the convolution through what only moves its result.
// CHECK-LABEL: func.func @before_move
// CHECK: %[[C:.*]] = "tir.conv2d"
// CHECK: %[[R:.*]] = "tir.relu"(%[[C]])
// CHECK: "tir.reshape"(%[[R]]) {op_name = "flat", shape = [1 : i32, 16 : i32]}
// CHECK: %[[D:.*]] = "tir.conv2d"
// CHECK: "tir.reshape"(%[[D]])
// CHECK: "tir.relu"
func.func @before_move(%x: tensor<1x2x2x4xf32>) -> (tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>) {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x2x2x4xf32>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 16 : i32], op_name = "flat"} : (tensor<1x2x2x4xf32>) -> tensor<1x16xf32>
  %2 = "tir.relu"(%1) : (tensor<1x16xf32>) -> tensor<1x16xf32>
  // Somebody else reads the reshape.
  %v = "tir.const"() {value = dense<0.25> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %3 = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x2x2x4xf32>
  %4 = "tir.reshape"(%3) {shape = [1 : i32, 16 : i32]} : (tensor<1x2x2x4xf32>) -> tensor<1x16xf32>
  %5 = "tir.relu"(%4) : (tensor<1x16xf32>) -> tensor<1x16xf32>
  return %2, %4, %5 : tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>
}

// A prelu has slopes of the last dimension. A fully connected layer on its way to
// the next one reads and writes 1x1 images.
// CHECK-LABEL: func.func @prelu_before_reshape
// CHECK: %[[C:.*]] = "tir.conv2d"
// CHECK: %[[S:.*]] = "tir.const"() {value = dense<[1.250000e-01, 2.500000e-01, 5.000000e-01, 7.500000e-01]> : tensor<4xf32>}
// CHECK: %[[P:.*]] = "tir.prelu"(%[[C]], %[[S]]) {op_name = "p"}
// CHECK-NEXT: "tir.neg"(%[[P]])
func.func @prelu_before_reshape(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %s = "tir.const"() {value = dense<[[0.125, 0.25, 0.5, 0.75]]> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 4 : i32]} : (tensor<1x1x1x4xf32>) -> tensor<1x4xf32>
  %2 = "tir.prelu"(%1, %s) {op_name = "p"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %3 = "tir.reshape"(%2) {shape = [1 : i32, 1 : i32, 1 : i32, 4 : i32]} : (tensor<1x4xf32>) -> tensor<1x1x1x4xf32>
  %4 = "tir.neg"(%3) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  return %4 : tensor<1x1x1x4xf32>
}

// Other slopes, or another last dimension: nothing moves.
// CHECK-LABEL: func.func @prelu_behind_reshape
// CHECK: "tir.reshape"
// CHECK-NEXT: "tir.prelu"
// CHECK: "tir.reshape"
// CHECK-NEXT: "tir.prelu"
func.func @prelu_behind_reshape(%x: tensor<1x2x1x4xf32>) -> (tensor<2x4xf32>, tensor<1x8xf32>) {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %s = "tir.const"() {value = dense<[[0.125], [0.25]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x1x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x2x1x4xf32>
  %1 = "tir.reshape"(%0) {shape = [2 : i32, 4 : i32]} : (tensor<1x2x1x4xf32>) -> tensor<2x4xf32>
  %2 = "tir.prelu"(%1, %s) : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %v = "tir.const"() {value = dense<0.25> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %t = "tir.const"() {value = dense<[[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]]> : tensor<1x8xf32>} : () -> tensor<1x8xf32>
  %3 = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x1x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x2x1x4xf32>
  %4 = "tir.reshape"(%3) {shape = [1 : i32, 8 : i32]} : (tensor<1x2x1x4xf32>) -> tensor<1x8xf32>
  %5 = "tir.prelu"(%4, %t) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return %2, %5 : tensor<2x4xf32>, tensor<1x8xf32>
}

// CHECK-LABEL: func.func @before_concat
// CHECK: %[[C:.*]] = "tir.conv2d"
// CHECK: %[[S:.*]] = "tir.add"
// CHECK: %[[A:.*]] = "tir.relu6"(%[[C]])
// CHECK: %[[B:.*]] = "tir.relu6"(%[[S]])
// CHECK: %[[J:.*]] = "tir.concat"(%[[A]], %[[B]])
// CHECK: return %[[J]]
func.func @before_concat(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x8xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x2x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x2x2x4xf32>
  %1 = "tir.add"(%x, %x) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %2 = "tir.concat"(%0, %1) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x8xf32>
  %3 = "tir.relu6"(%2) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  return %3 : tensor<1x2x2x8xf32>
}

// Also through what moves the operands and the result.
// CHECK-LABEL: func.func @before_moved_concat
// CHECK: %[[C:.*]] = "tir.conv2d"
// CHECK: %[[S:.*]] = "tir.add"
// CHECK: %[[A:.*]] = "tir.relu"(%[[C]])
// CHECK: %[[M:.*]] = "tir.reshape"(%[[A]])
// CHECK: %[[B:.*]] = "tir.relu"(%[[S]])
// CHECK: %[[J:.*]] = "tir.concat"(%[[M]], %[[B]])
// CHECK: "tir.reshape"(%[[J]])
func.func @before_moved_concat(%x: tensor<1x1x1x4xf32>, %y: tensor<1x1x4x1xf32>) -> tensor<1x8xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<4x1x1x4xf32>} : () -> tensor<4x1x1x4xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = "tir.reshape"(%0) {shape = [1 : i32, 1 : i32, 4 : i32, 1 : i32]} : (tensor<1x1x1x4xf32>) -> tensor<1x1x4x1xf32>
  %2 = "tir.add"(%y, %y) : (tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x1xf32>
  %3 = "tir.concat"(%1, %2) {axis = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x8x1xf32>
  %4 = "tir.reshape"(%3) {shape = [1 : i32, 8 : i32]} : (tensor<1x1x8x1xf32>) -> tensor<1x8xf32>
  %5 = "tir.relu"(%4) : (tensor<1x8xf32>) -> tensor<1x8xf32>
  return %5 : tensor<1x8xf32>
}

// An input that is no convolution keeps the activation after the concat.
// CHECK-LABEL: func.func @behind_concat
// CHECK: "tir.concat"
// CHECK: "tir.relu"
func.func @behind_concat(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x8xf32> {
  %0 = "tir.add"(%x, %x) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %1 = "tir.concat"(%0, %x) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x8xf32>
  %2 = "tir.relu"(%1) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  return %2 : tensor<1x2x2x8xf32>
}

// CHECK-LABEL: func.func @clip_before_shuffle
// CHECK: tir.add
// CHECK-NEXT: tir.clip
// CHECK-NEXT: tir.pixel-shuffle
// CHECK-NEXT: return
func.func @clip_before_shuffle(%x: tensor<1x2x2x4xf32>, %y: tensor<1x2x2x4xf32>) -> tensor<1x4x4x1xf32> {
  %0 = "tir.add"(%x, %y) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %1 = "tir.pixel-shuffle"(%0) {scale = 2 : i32} : (tensor<1x2x2x4xf32>) -> tensor<1x4x4x1xf32>
  %2 = "tir.clip"(%1) {min = 0.0 : f32, max = 1.0 : f32} : (tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  return %2 : tensor<1x4x4x1xf32>
}

// Pixels that are repeated are activated once; interpolated ones are others.
// CHECK-LABEL: func.func @relu_before_nearest
// CHECK: tir.add
// CHECK-NEXT: tir.relu
// CHECK-NEXT: tir.resize
// CHECK-NEXT: tir.add
// CHECK-NEXT: tir.resize
// CHECK-NEXT: tir.relu
func.func @relu_before_nearest(%x: tensor<1x2x2x4xf32>, %y: tensor<1x2x2x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %0 = "tir.add"(%x, %y) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %1 = "tir.resize"(%0) {size = [4 : i32, 4 : i32]} : (tensor<1x2x2x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = "tir.relu"(%1) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %3 = "tir.add"(%x, %x) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  %4 = "tir.resize"(%3) {size = [4 : i32, 4 : i32], mode = "BILINEAR"} : (tensor<1x2x2x4xf32>) -> tensor<1x4x4x4xf32>
  %5 = "tir.relu"(%4) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %2, %5 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}
