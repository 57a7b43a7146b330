// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize target=DPUCZDX8G_ISA1_B4096 exact
// RUN: xc-opt --tir-legalize=target=DPUCAHX8H_ISA2 %s | FileCheck %s --check-prefix=SUMS
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=%S/Inputs/dense.json})' %s | FileCheck %s --check-prefix=V3E
// RUN: RewriteEqualTest %s tir-legalize target=%S/Inputs/dense.json exact

// Leaky relu and several outputs per channel are the convolution engine's; a
// target without a depthwise engine has that for everything.
// CHECK-LABEL: func.func @depthwise
// CHECK: tir.conv2d-fix"{{.*}}nonlinear = "LEAKYRELU"
// CHECK: tir.conv2d-fix"{{.*}} -> tensor<1x4x4x6xi8>
// CHECK: tir.depthwise-conv2d-fix"
// CHECK: tir.transposed-depthwise-conv2d-fix"
// V3E-LABEL: func.func @depthwise
// V3E-NOT: depthwise
// V3E: tir.transposed-conv2d-fix"
// V3E: return
func.func @depthwise(%x: tensor<1x4x4x3xi8>) -> (tensor<1x4x4x3xi8>, tensor<1x4x4x6xi8>, tensor<1x4x4x3xi8>, tensor<1x8x8x3xi8>) {
  %w = "tir.const"() {value = dense<"0x9A6C13"> : tensor<1x1x1x3xi8>} : () -> tensor<1x1x1x3xi8>
  %v = "tir.const"() {value = dense<"0x9A6C13F05B21"> : tensor<2x1x1x3xi8>} : () -> tensor<2x1x1x3xi8>
  %u = "tir.const"() {value = dense<"0x9A6C13F05B2144E1027B9035"> : tensor<1x2x2x3xi8>} : () -> tensor<1x2x2x3xi8>
  %b = "tir.const"() {value = dense<"0x0590F1"> : tensor<3xi8>} : () -> tensor<3xi8>
  %0 = "tir.depthwise-conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "LEAKYRELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, bias_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x4x4x3xi8>, tensor<1x1x1x3xi8>, tensor<3xi8>) -> tensor<1x4x4x3xi8>
  %1 = "tir.depthwise-conv2d-fix"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x4x4x3xi8>, tensor<2x1x1x3xi8>) -> tensor<1x4x4x6xi8>
  %2 = "tir.depthwise-conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, bias_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x4x4x3xi8>, tensor<1x1x1x3xi8>, tensor<3xi8>) -> tensor<1x4x4x3xi8>
  %3 = "tir.transposed-depthwise-conv2d-fix"(%x, %u) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x4x4x3xi8>, tensor<1x2x2x3xi8>) -> tensor<1x8x8x3xi8>
  return %0, %1, %2, %3 : tensor<1x4x4x3xi8>, tensor<1x4x4x6xi8>, tensor<1x4x4x3xi8>, tensor<1x8x8x3xi8>
}

// A product that the engine has not stays as it is.
// SUMS-LABEL: func.func @repeated
// SUMS: "tir.eltwise-fix"(%arg0, %arg1){{.*}}type = "MUL"
// SUMS: tir.upsample-fix"(%arg2) {{.*}}scale = [4 : i32, 3 : i32]
// CHECK-LABEL: func.func @repeated
// CHECK: %[[ONES:.*]] = "tir.const"() {value = dense<1> : tensor<5x1x1x1xi8>}
// CHECK: tir.conv2d-fix"(%arg1, %[[ONES]])
// CHECK-NOT: upsample
// V3E-LABEL: func.func @repeated
// V3E: tir.upsample-fix"(%arg2) {{.*}}scale = [4 : i32, 3 : i32]
// V3E: return
func.func @repeated(%x: tensor<1x3x4x5xi8>, %y: tensor<1x3x4x1xi8>, %z: tensor<1x1x1x5xi8>) -> (tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>) {
  %0 = "tir.eltwise-fix"(%x, %y) {type = "MUL", input_fix_point = [4 : i32, 7 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x4x5xi8>, tensor<1x3x4x1xi8>) -> tensor<1x3x4x5xi8>
  %1 = "tir.eltwise-fix"(%x, %z) {type = "ADD", input_fix_point = [4 : i32, 5 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x4x5xi8>, tensor<1x1x1x5xi8>) -> tensor<1x3x4x5xi8>
  return %0, %1 : tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>
}

// What is repeated from a pixel, in stages or not, or from a row; not from two
// columns, and not with another fix point.
// CHECK-LABEL: func.func @before
// CHECK: %[[C:.*]] = "tir.upsample-fix"(%arg3)
// CHECK: %[[D:.*]] = "tir.upsample-fix"(%arg2)
// CHECK: "tir.eltwise-fix"(%arg0, %arg1)
// CHECK: "tir.eltwise-fix"(%arg0, %arg2)
// CHECK: "tir.eltwise-fix"(%arg0, %[[C]])
// CHECK: "tir.eltwise-fix"(%arg0, %[[D]])
func.func @before(%x: tensor<1x3x4x5xi8>, %p: tensor<1x1x1x5xi8>, %r: tensor<1x1x4x5xi8>, %c: tensor<1x3x2x5xi8>) -> (tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>) {
  %a = "tir.upsample-fix"(%p) {scale = [4 : i32, 3 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x1x1x5xi8>) -> tensor<1x3x4x5xi8>
  %b = "tir.upsample-fix"(%r) {scale = [1 : i32, 3 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x1x4x5xi8>) -> tensor<1x3x4x5xi8>
  %d = "tir.upsample-fix"(%c) {scale = [2 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x3x2x5xi8>) -> tensor<1x3x4x5xi8>
  %e = "tir.upsample-fix"(%r) {scale = [1 : i32, 3 : i32], input_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x4x5xi8>) -> tensor<1x3x4x5xi8>
  %0 = "tir.eltwise-fix"(%x, %a) {type = "MUL", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>) -> tensor<1x3x4x5xi8>
  %1 = "tir.eltwise-fix"(%x, %b) {type = "ADD", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>) -> tensor<1x3x4x5xi8>
  %2 = "tir.eltwise-fix"(%x, %d) {type = "ADD", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>) -> tensor<1x3x4x5xi8>
  %3 = "tir.eltwise-fix"(%x, %e) {type = "ADD", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>) -> tensor<1x3x4x5xi8>
  return %0, %1, %2, %3 : tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>
}

// The result has more bits than the operands: the weights do. Fix points that
// are 3 apart lose bits in the engine's sum, which a window would not.
// CHECK-LABEL: func.func @sums
// CHECK: tir.concat-fix"{{.*}}axis = 1
// CHECK: tir.depthwise-conv2d-fix"{{.*}}kernel = [1 : i32, 5 : i32]
// CHECK: tir.eltwise-fix"
// CHECK-NOT: tir.depthwise
// CHECK: return
func.func @sums(%x: tensor<1x3x4x5xi8>, %y: tensor<1x3x4x5xi8>) -> (tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>) {
  %0 = "tir.eltwise-fix"(%x, %y, %x, %x, %y) {type = "ADD", nonlinear = "RELU", input_fix_point = [4 : i32, 3 : i32, 5 : i32, 4 : i32, 4 : i32], output_fix_point = 6 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>) -> tensor<1x3x4x5xi8>
  %1 = "tir.eltwise-fix"(%x, %y, %x, %x, %y) {type = "ADD", input_fix_point = [4 : i32, 3 : i32, 6 : i32, 4 : i32, 4 : i32], output_fix_point = 2 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>) -> tensor<1x3x4x5xi8>
  return %0, %1 : tensor<1x3x4x5xi8>, tensor<1x3x4x5xi8>
}

// Where no engine has the function, the convolution is plain all the same.
// V3E-LABEL: func.func @hard
// V3E: tir.conv2d-fix"{{.*}}nonlinear = "NONE", output_fix_point = 3
// V3E: tir.hard-sigmoid-fix"{{.*}}input_fix_point = 3
// V3E: tir.hard-swish-fix"{{.*}}input_fix_point = 3
// CHECK-LABEL: func.func @hard
// CHECK: tir.conv2d-fix"{{.*}}nonlinear = "NONE", output_fix_point = 3
// CHECK: tir.hard-sigmoid-fix"{{.*}}input_fix_point = 3
// CHECK: tir.hard-swish-fix"{{.*}}input_fix_point = 3
func.func @hard(%x: tensor<1x3x4x2xi8>) -> (tensor<1x3x4x3xi8>, tensor<1x3x4x3xi8>) {
  %w = "tir.const"() {value = dense<"0x9A6C13F05B21"> : tensor<3x1x1x2xi8>} : () -> tensor<3x1x1x2xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "HSIGMOID", hsigmoid_in = 3 : i32, input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 7 : i32} : (tensor<1x3x4x2xi8>, tensor<3x1x1x2xi8>) -> tensor<1x3x4x3xi8>
  %1 = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "HSWISH", hsigmoid_in = 3 : i32, shift_hsigmoid = 10 : i32, shift_hswish = 6 : i32, input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x3x4x2xi8>, tensor<3x1x1x2xi8>) -> tensor<1x3x4x3xi8>
  return %0, %1 : tensor<1x3x4x3xi8>, tensor<1x3x4x3xi8>
}

// 6 is 24 at fix point 2: 103 more is 127.
// CHECK-LABEL: func.func @relu6
// CHECK: tir.conv2d-fix"{{.*}}nonlinear = "RELU"
// CHECK: %[[UP:.*]] = "tir.const"() {value = dense<103> : tensor<3xi8>}
// CHECK: tir.depthwise-conv2d-fix"(%{{.*}}, %[[UP]]) {{.*}}nonlinear = "NONE"
// CHECK: %[[DOWN:.*]] = "tir.const"() {value = dense<-103> : tensor<3xi8>}
// CHECK: tir.depthwise-conv2d-fix"(%{{.*}}, %[[DOWN]]) {{.*}}nonlinear = "RELU"
// CHECK: tir.eltwise-fix"{{.*}}nonlinear = "RELU"
// CHECK: tir.relu6-fix"
// CHECK: tir.conv2d-fix"{{.*}}nonlinear = "RELU6"
func.func @relu6(%x: tensor<1x3x4x3xi8>) -> (tensor<1x3x4x3xi8>, tensor<1x3x4x3xi8>, tensor<1x3x4x3xi8>) {
  %w = "tir.const"() {value = dense<"0x9A6C13F05B21077F80"> : tensor<3x1x1x3xi8>} : () -> tensor<3x1x1x3xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU6", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 2 : i32} : (tensor<1x3x4x3xi8>, tensor<3x1x1x3xi8>) -> tensor<1x3x4x3xi8>
  %1 = "tir.eltwise-fix"(%x, %x) {type = "ADD", nonlinear = "RELU6", input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x3x4x3xi8>, tensor<1x3x4x3xi8>) -> tensor<1x3x4x3xi8>
  %2 = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU6", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 4 : i32} : (tensor<1x3x4x3xi8>, tensor<3x1x1x3xi8>) -> tensor<1x3x4x3xi8>
  return %0, %1, %2 : tensor<1x3x4x3xi8>, tensor<1x3x4x3xi8>, tensor<1x3x4x3xi8>
}

// CHECK-LABEL: func.func @prelu
// CHECK: %[[UP:.*]] = "tir.const"() {value = dense<[51, 0, 7]> : tensor<3xi8>}
// CHECK: tir.prelu-fix"(%arg0, %[[UP]])
// CHECK: %[[DOWN:.*]] = "tir.const"() {value = dense<{{.*}}0, -128, 0{{.*}}> : tensor<1x1x1x3xi8>}
// CHECK: tir.depthwise-conv2d-fix"(%arg0, %[[DOWN]]) {{.*}}nonlinear = "RELU"
// CHECK: tir.eltwise-fix"
func.func @prelu(%x: tensor<1x3x4x3xi8>) -> tensor<1x3x4x3xi8> {
  %s = "tir.const"() {value = dense<[51, -128, 7]> : tensor<3xi8>} : () -> tensor<3xi8>
  %0 = "tir.prelu-fix"(%x, %s) {input_fix_point = 4 : i32, slope_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x3x4x3xi8>, tensor<3xi8>) -> tensor<1x3x4x3xi8>
  return %0 : tensor<1x3x4x3xi8>
}

// Of words of channels with a negative slope only.
// CHECK-LABEL: func.func @prelu_words
// CHECK: %[[FIRST:.*]] = "tir.prelu-fix"(%{{.*}}) {{.*}}(tensor<1x3x4x16xi8>
// CHECK: %[[UP:.*]] = "tir.prelu-fix"(%[[X:.*]], %{{.*}}) {{.*}}(tensor<1x3x4x16xi8>
// CHECK: %[[DOWN:.*]] = "tir.depthwise-conv2d-fix"(%[[X]], %{{.*}}) {{.*}}nonlinear = "RELU"
// CHECK: %[[SUM:.*]] = "tir.eltwise-fix"(%[[UP]], %[[DOWN]])
// CHECK: %[[LAST:.*]] = "tir.prelu-fix"(%{{.*}}) {{.*}}(tensor<1x3x4x3xi8>
// CHECK: tir.concat-fix"(%[[FIRST]], %[[SUM]], %[[LAST]]) {axis = 3 : i32
func.func @prelu_words(%x: tensor<1x3x4x35xi8>) -> tensor<1x3x4x35xi8> {
  %s = "tir.const"() {value = dense<[3, 20, 0, 7, 3, 20, 0, 7, 3, 20, 0, 7, 3, 20, 0, 7, 3, -20, 0, 7, 3, 20, 0, 7, 3, 20, 0, 7, 3, 20, -5, 7, 9, 1, 2]> : tensor<35xi8>} : () -> tensor<35xi8>
  %0 = "tir.prelu-fix"(%x, %s) {input_fix_point = 4 : i32, slope_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x3x4x35xi8>, tensor<35xi8>) -> tensor<1x3x4x35xi8>
  return %0 : tensor<1x3x4x35xi8>
}

// CHECK-LABEL: func.func @transposed_groups
// CHECK: tir.transposed-conv2d-fix"{{.*}}group = 1
func.func @transposed_groups(%x: tensor<1x2x2x4xi8>) -> tensor<1x2x2x2xi8> {
  %w = "tir.const"() {value = dense<"0x9A6C13F0"> : tensor<2x1x1x2xi8>} : () -> tensor<2x1x1x2xi8>
  %0 = "tir.transposed-conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], group = 2 : i32, input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x2x2x4xi8>, tensor<2x1x1x2xi8>) -> tensor<1x2x2x2xi8>
  return %0 : tensor<1x2x2x2xi8>
}

// 6 / 4 rounds to 2; at fix point 4 the engine clamps.
// CHECK-LABEL: func.func @relu6_alone
// CHECK: dense<125> : tensor<3xi8>
// CHECK: dense<-125> : tensor<3xi8>
// CHECK: tir.relu6-fix"
func.func @relu6_alone(%x: tensor<1x3x4x3xi8>) -> (tensor<1x3x4x3xi8>, tensor<1x3x4x3xi8>) {
  %0 = "tir.relu6-fix"(%x) {input_fix_point = 3 : i32, output_fix_point = -2 : i32} : (tensor<1x3x4x3xi8>) -> tensor<1x3x4x3xi8>
  %1 = "tir.relu6-fix"(%x) {input_fix_point = 3 : i32, output_fix_point = 4 : i32} : (tensor<1x3x4x3xi8>) -> tensor<1x3x4x3xi8>
  return %0, %1 : tensor<1x3x4x3xi8>, tensor<1x3x4x3xi8>
}
