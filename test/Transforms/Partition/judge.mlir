// RUN: xc-opt %s --split-input-file --tir-partition=outline=false --xc-verify | FileCheck %s

// Neighbours decide, too: a reshape follows the device of its input, a
// concatenation takes inputs from the CPU on the last axis only.
// CHECK-LABEL: @neighbours
func.func @neighbours(%a: tensor<1x4x4x16xi8>) -> (tensor<1x256xi8>, tensor<1x256xi8>, tensor<1x4x4x32xi8>, tensor<1x8x4x16xi8>) {
  // CHECK: device = "CPU"{{.*}}shape = [1 : i32, 256 : i32], xc.reason = "follows-dpu: the CPU computes what it moves"
  %0 = "tir.reshape-fix"(%a) {shape = [1 : i32, 256 : i32]} : (tensor<1x4x4x16xi8>) -> tensor<1x256xi8>
  %1 = "tir.relu-fix"(%a) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  // CHECK: "tir.reshape"{{.*}}device = "DPU"
  %2 = "tir.reshape"(%1) {shape = [1 : i32, 256 : i32]} : (tensor<1x4x4x16xi8>) -> tensor<1x256xi8>
  // CHECK: axis = 3 : i32, device = "DPU"
  %3 = "tir.concat-fix"(%1, %a) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x16xi8>, tensor<1x4x4x16xi8>) -> tensor<1x4x4x32xi8>
  // CHECK: axis = 1 : i32, device = "CPU"{{.*}}xc.reason = "concat-cpu-inputs:
  %4 = "tir.concat-fix"(%1, %a) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x16xi8>, tensor<1x4x4x16xi8>) -> tensor<1x8x4x16xi8>
  return %0, %2, %3, %4 : tensor<1x256xi8>, tensor<1x256xi8>, tensor<1x4x4x32xi8>, tensor<1x8x4x16xi8>
}

// -----

// What is not in fixed point has a form that is, and the rest of what it needs
// is told with it.
// CHECK-LABEL: @floating
func.func @floating(%a: tensor<1x4x4x16xf32>, %q: tensor<1x4x4x16xi8>, %r: tensor<1x32769xi8>) -> (tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>, tensor<1x1x1x16xi8>, tensor<1x2xi8>) {
  %w = "tir.const"() {value = dense<1.0> : tensor<16x3x17x16xf32>} : () -> tensor<16x3x17x16xf32>
  // CHECK: xc.reason = "fixed-point: the operator is not in fixed point; fits with conv2d -> conv2d-fix, kernel width 17 -> 16"
  %0 = "tir.conv2d"(%a, %w) {kernel = [17 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x4x4x16xf32>, tensor<16x3x17x16xf32>) -> tensor<1x4x4x16xf32>
  // CHECK: xc.reason = "fixed-point: the operator is not in fixed point; fits with sigmoid -> hard-sigmoid-fix, output fix point 0 -> 7"
  %1 = "tir.sigmoid"(%a) : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  // CHECK: xc.reason = "rewritten: the DPU computes the operator in other forms only, and none of them fits; fits with reduction_mean-fix -> pool-fix"
  %2 = "tir.reduction_mean-fix"(%q) {axis = [1 : i32, 2 : i32], keep_dims = true} : (tensor<1x4x4x16xi8>) -> tensor<1x1x1x16xi8>
  %m = "tir.const"() {value = dense<1> : tensor<32769x2xi8>} : () -> tensor<32769x2xi8>
  // CHECK: xc.reason = "product-inputs: number of elements that each element of the product sums is 32769, expected 1 to 32768"
  %3 = "tir.matmul-fix"(%r, %m) : (tensor<1x32769xi8>, tensor<32769x2xi8>) -> tensor<1x2xi8>
  return %0, %1, %2, %3 : tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>, tensor<1x1x1x16xi8>, tensor<1x2xi8>
}

// -----

// RELU6 needs fix point 4, where the engine's constant is 6; from 5 on RELU and
// saturation do the same.
// CHECK-LABEL: @relu6
func.func @relu6(%a: tensor<1x4x4x16xi8>) -> (tensor<1x4x4x16xi8>, tensor<1x4x4x16xi8>, tensor<1x4x4x16xi8>) {
  %w = "tir.const"() {value = dense<1> : tensor<16x1x1x16xi8>} : () -> tensor<16x1x1x16xi8>
  // CHECK: output_fix_point = 3 : i32{{.*}}xc.reason = "relu6-fix-point: output fix point of RELU6 is 3, expected 4 or more; fits with output fix point 3 -> 4"
  %0 = "tir.conv2d-fix"(%a, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU6", input_fix_point = 8 : i32, output_fix_point = 3 : i32} : (tensor<1x4x4x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x4x4x16xi8>
  // CHECK: device = "DPU"{{.*}}output_fix_point = 4
  %1 = "tir.conv2d-fix"(%a, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU6", input_fix_point = 8 : i32, output_fix_point = 4 : i32} : (tensor<1x4x4x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x4x4x16xi8>
  // CHECK: device = "DPU"{{.*}}output_fix_point = 6
  %2 = "tir.conv2d-fix"(%a, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU6", input_fix_point = 8 : i32, output_fix_point = 6 : i32} : (tensor<1x4x4x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x4x4x16xi8>
  return %0, %1, %2 : tensor<1x4x4x16xi8>, tensor<1x4x4x16xi8>, tensor<1x4x4x16xi8>
}

// -----

// The stride of a kernel that covers the whole input is free.
// CHECK-LABEL: @covering
func.func @covering(%a: tensor<1x4x4x16xi8>) -> (tensor<1x1x1x16xi8>, tensor<1x1x1x16xi8>) {
  %w = "tir.const"() {value = dense<1> : tensor<16x4x4x16xi8>} : () -> tensor<16x4x4x16xi8>
  %v = "tir.const"() {value = dense<1> : tensor<16x3x3x16xi8>} : () -> tensor<16x3x3x16xi8>
  // CHECK: device = "DPU", kernel = [4 : i32, 4 : i32], stride = [9 : i32, 9 : i32]
  %0 = "tir.conv2d-fix"(%a, %w) {kernel = [4 : i32, 4 : i32], stride = [9 : i32, 9 : i32]} : (tensor<1x4x4x16xi8>, tensor<16x4x4x16xi8>) -> tensor<1x1x1x16xi8>
  // CHECK: xc.reason = "stride-width: horizontal stride is 9, expected 1 to 8; fits with horizontal stride 9 -> 8, vertical stride 9 -> 8"
  %1 = "tir.conv2d-fix"(%a, %v) {kernel = [3 : i32, 3 : i32], stride = [9 : i32, 9 : i32]} : (tensor<1x4x4x16xi8>, tensor<16x3x3x16xi8>) -> tensor<1x1x1x16xi8>
  return %0, %1 : tensor<1x1x1x16xi8>, tensor<1x1x1x16xi8>
}

// -----

// Operations of other dialects run on the CPU and keep their order.
// CHECK-LABEL: @foreign
func.func private @effect()
func.func @foreign(%a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  // CHECK: call @effect() {xc.reason = "dialect: the operation is none of the tir dialect"}
  call @effect() : () -> ()
  // CHECK: device = "DPU"
  %0 = "tir.relu-fix"(%a) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  // CHECK: arith.addi {{.*}} {xc.reason = "dialect:
  %1 = arith.addi %0, %0 : tensor<1x4x4x16xi8>
  return %1 : tensor<1x4x4x16xi8>
}

// One window over all of the input and its padding still divides by the kernel.
// CHECK-LABEL: func.func @one_window_and_padding
func.func @one_window_and_padding(%x: tensor<1x3x3x8xi8>) -> tensor<1x1x1x8xi8> {
  // CHECK: xc.reason = "average-padding: the average leaves out padding; fits with padding counts in averages no -> yes"
  %0 = "tir.pool-fix"(%x) {count_include_pad = false, kernel = [4 : i32, 4 : i32], pad = [0 : i32, 1 : i32, 0 : i32, 1 : i32], stride = [1 : i32, 1 : i32], type = "AVG"} : (tensor<1x3x3x8xi8>) -> tensor<1x1x1x8xi8>
  return %0 : tensor<1x1x1x8xi8>
}

// -----

// A scale that is no integer is told as it is, with the sizes, and what repeated
// pixels and bilinear phases offer; where a pad is taken to pad batch or channels,
// which axes these are: this image is NCHW.
// CHECK-LABEL: @sizes
func.func @sizes(%a: tensor<1x12x12x16xf32>, %q: tensor<1x16x12x12xi8>) -> (tensor<1x12x6x16xf32>, tensor<1x9x12x16xf32>, tensor<1x9x24x16xf32>, tensor<1x16x14x14xi8>) {
  // CHECK: xc.reason = "resize-scale-width: horizontal scale is 0.5 (12 to 6), expected an integer; fits with horizontal scale no integer -> 1, resize -> upsample-fix"
  %0 = "tir.resize"(%a) {size = [6 : i32, 12 : i32], mode = "NEAREST"} : (tensor<1x12x12x16xf32>) -> tensor<1x12x6x16xf32>
  // CHECK: xc.reason = "resize-scale-height: vertical scale is 0.75 (12 to 9), expected an integer; fits with
  %1 = "tir.resize"(%a) {size = [12 : i32, 9 : i32], mode = "NEAREST"} : (tensor<1x12x12x16xf32>) -> tensor<1x9x12x16xf32>
  // CHECK: xc.reason = "resize-scale-height: vertical scale is 0.75 (12 to 9), expected an integer up to 16; fits with
  %2 = "tir.resize"(%a) {size = [24 : i32, 9 : i32], mode = "BILINEAR", half_pixel_centers = true} : (tensor<1x12x12x16xf32>) -> tensor<1x9x24x16xf32>
  // CHECK: xc.reason = "pad-other: padding of axes 0 and 3 (batch and channels of NHWC) is 2, expected 0"
  %3 = "tir.pad-fix"(%q) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32], mode = "REFLECT"} : (tensor<1x16x12x12xi8>) -> tensor<1x16x14x14xi8>
  return %0, %1, %2, %3 : tensor<1x12x6x16xf32>, tensor<1x9x12x16xf32>, tensor<1x9x24x16xf32>, tensor<1x16x14x14xi8>
}
