// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=DPUCVDX8G_ISA3_C32B3})' %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize target=DPUCVDX8G_ISA3_C32B3 exact
// The ZynqMP's convolution engine has neither.
// RUN: xc-opt --tir-legalize %s | FileCheck %s --check-prefix=ZYNQ
// ZYNQ-NOT: HSWISH
// ZYNQ-NOT: HSIGMOID

// CHECK-LABEL: func.func @swish
// CHECK-NEXT: tir.hard-swish-fix"(%arg0) {input_fix_point = 5 : i32,{{.*}}output_fix_point = 4 : i32
// CHECK-NEXT: return
func.func @swish(%x: tensor<256xi8>) -> tensor<256xi8> {
  %g = "tir.hard-sigmoid-fix"(%x) {input_fix_point = 5 : i32, output_fix_point = 7 : i32} : (tensor<256xi8>) -> tensor<256xi8>
  %y = "tir.eltwise-fix"(%g, %x) {type = "MUL", input_fix_point = [7 : i32, 5 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<256xi8>, tensor<256xi8>) -> tensor<256xi8>
  return %y : tensor<256xi8>
}

// A gate of 8 bits; of another image; another fix point of x; rounding half to
// even; an activation after it.
// CHECK-LABEL: func.func @swish_not
// CHECK-NOT: hard-swish
// CHECK: return
func.func @swish_not(%x: tensor<256xi8>, %z: tensor<256xi8>) -> (tensor<256xi8>, tensor<256xi8>, tensor<256xi8>, tensor<256xi8>, tensor<256xi8>) {
  %h = "tir.hard-sigmoid-fix"(%x) {input_fix_point = 5 : i32, output_fix_point = 8 : i32} : (tensor<256xi8>) -> tensor<256xi8>
  %g = "tir.hard-sigmoid-fix"(%x) {input_fix_point = 5 : i32, output_fix_point = 7 : i32} : (tensor<256xi8>) -> tensor<256xi8>
  %a = "tir.eltwise-fix"(%h, %x) {type = "MUL", input_fix_point = [8 : i32, 5 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<256xi8>, tensor<256xi8>) -> tensor<256xi8>
  %b = "tir.eltwise-fix"(%g, %z) {type = "MUL", input_fix_point = [7 : i32, 5 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<256xi8>, tensor<256xi8>) -> tensor<256xi8>
  %c = "tir.eltwise-fix"(%g, %x) {type = "MUL", input_fix_point = [7 : i32, 4 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<256xi8>, tensor<256xi8>) -> tensor<256xi8>
  %d = "tir.eltwise-fix"(%g, %x) {type = "MUL", round_mode = "PY3_ROUND", input_fix_point = [7 : i32, 5 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<256xi8>, tensor<256xi8>) -> tensor<256xi8>
  %e = "tir.eltwise-fix"(%g, %x) {type = "MUL", nonlinear = "RELU", input_fix_point = [7 : i32, 5 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<256xi8>, tensor<256xi8>) -> tensor<256xi8>
  return %a, %b, %c, %d, %e : tensor<256xi8>, tensor<256xi8>, tensor<256xi8>, tensor<256xi8>, tensor<256xi8>
}

// CHECK-LABEL: func.func @into_conv
// CHECK: tir.conv2d-fix"{{.*}}hsigmoid_in = 4 : i32,{{.*}}nonlinear = "HSWISH", output_fix_point = 3 : i32, shift_hsigmoid = 11 : i32, shift_hswish = 8 : i32
// CHECK: tir.conv2d-fix"{{.*}}hsigmoid_in = 4 : i32,{{.*}}nonlinear = "HSIGMOID", output_fix_point = 7 : i32, shift_hsigmoid = 11 : i32, shift_hswish = -128 : i32
// CHECK-NEXT: return
func.func @into_conv(%x: tensor<1x3x3x4xi8>) -> (tensor<1x3x3x5xi8>, tensor<1x3x3x5xi8>) {
  %w = "tir.const"() {value = dense<"0xA54DCA182530BB1D6D132CDED6237B2ED91E3F72"> : tensor<5x1x1x4xi8>} : () -> tensor<5x1x1x4xi8>
  %v = "tir.const"() {value = dense<"0x74BDC04062162B467E6BCD0FEBF9E8C7FD62CE2D"> : tensor<5x1x1x4xi8>} : () -> tensor<5x1x1x4xi8>
  %a = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32} : (tensor<1x3x3x4xi8>, tensor<5x1x1x4xi8>) -> tensor<1x3x3x5xi8>
  %b = "tir.hard-swish-fix"(%a) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x3x3x5xi8>) -> tensor<1x3x3x5xi8>
  %c = "tir.conv2d-fix"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32} : (tensor<1x3x3x4xi8>, tensor<5x1x1x4xi8>) -> tensor<1x3x3x5xi8>
  %d = "tir.hard-sigmoid-fix"(%c) {input_fix_point = 4 : i32, output_fix_point = 7 : i32} : (tensor<1x3x3x5xi8>) -> tensor<1x3x3x5xi8>
  return %b, %d : tensor<1x3x3x5xi8>, tensor<1x3x3x5xi8>
}

// Used twice; other fix points; RELU in between.
// CHECK-LABEL: func.func @into_conv_not
// CHECK-COUNT-3: tir.hard-swish-fix
func.func @into_conv_not(%x: tensor<1x3x3x4xi8>) -> (tensor<1x3x3x5xi8>, tensor<1x3x3x5xi8>, tensor<1x3x3x5xi8>, tensor<1x3x3x5xi8>) {
  %w = "tir.const"() {value = dense<"0xEDBF88465F03ADED29AB14C256E7D85056791A38"> : tensor<5x1x1x4xi8>} : () -> tensor<5x1x1x4xi8>
  %v = "tir.const"() {value = dense<"0x10DBF70769ECFB8E5211FAA7267FB816D747B5C3"> : tensor<5x1x1x4xi8>} : () -> tensor<5x1x1x4xi8>
  %u = "tir.const"() {value = dense<"0xE7EEE7615EF35F30E49B482E15CAE75007201E12"> : tensor<5x1x1x4xi8>} : () -> tensor<5x1x1x4xi8>
  %a = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32} : (tensor<1x3x3x4xi8>, tensor<5x1x1x4xi8>) -> tensor<1x3x3x5xi8>
  %b = "tir.hard-swish-fix"(%a) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x3x3x5xi8>) -> tensor<1x3x3x5xi8>
  %c = "tir.conv2d-fix"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32} : (tensor<1x3x3x4xi8>, tensor<5x1x1x4xi8>) -> tensor<1x3x3x5xi8>
  %d = "tir.hard-swish-fix"(%c) {input_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x3x3x5xi8>) -> tensor<1x3x3x5xi8>
  %e = "tir.conv2d-fix"(%x, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32} : (tensor<1x3x3x4xi8>, tensor<5x1x1x4xi8>) -> tensor<1x3x3x5xi8>
  %f = "tir.hard-swish-fix"(%e) {input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x3x3x5xi8>) -> tensor<1x3x3x5xi8>
  return %a, %b, %d, %f : tensor<1x3x3x5xi8>, tensor<1x3x3x5xi8>, tensor<1x3x3x5xi8>, tensor<1x3x3x5xi8>
}
