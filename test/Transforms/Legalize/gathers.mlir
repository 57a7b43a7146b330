// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact

// The convolution before it has the channels, with its activation.
// CHECK-LABEL: func.func @after_conv
// CHECK: dense<{{\[\[\[\[}}3.000000e+00]]], {{\[\[\[}}1.000000e+00]]], {{\[\[\[}}3.000000e+00]]]]> : tensor<3x1x1x1xf32>
// CHECK: tir.conv2d
// CHECK-NEXT: tir.relu
// CHECK-NEXT: return
func.func @after_conv(%x: tensor<1x3x3x1xf32>) -> tensor<1x3x3x3xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]]]> : tensor<3x1x1x1xf32>} : () -> tensor<3x1x1x1xf32>
  %i = "tir.const"() {value = dense<[2, 0, -1]> : tensor<3xi64>} : () -> tensor<3xi64>
  %a = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x1xf32>, tensor<3x1x1x1xf32>) -> tensor<1x3x3x3xf32>
  %b = "tir.relu"(%a) : (tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  %c = "tir.gather"(%b, %i) {axis = 3 : i32} : (tensor<1x3x3x3xf32>, tensor<3xi64>) -> tensor<1x3x3x3xf32>
  return %c : tensor<1x3x3x3xf32>
}

// So have the weights of a convolution that reads it.
// CHECK-LABEL: func.func @before_conv
// CHECK: dense<{{\[\[\[\[}}3.000000e+00, 2.000000e+00, 1.000000e+00]]]]>
// CHECK-NOT: tir.gather
// CHECK: "tir.conv2d"(%arg0
func.func @before_conv(%x: tensor<1x3x3x3xf32>) -> tensor<1x3x3x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0, 2.0, 3.0]]]]> : tensor<1x1x1x3xf32>} : () -> tensor<1x1x1x3xf32>
  %i = "tir.const"() {value = dense<[2, 1, 0]> : tensor<3xi64>} : () -> tensor<3xi64>
  %a = "tir.gather"(%x, %i) {axis = -1 : i32} : (tensor<1x3x3x3xf32>, tensor<3xi64>) -> tensor<1x3x3x3xf32>
  %b = "tir.conv2d"(%a, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x3x3x1xf32>
  return %b : tensor<1x3x3x1xf32>
}

// A channel that stands twice in it would need the sum of two weights.
// CHECK-LABEL: func.func @repeated
// CHECK: dense<{{\[\[\[\[}}0.000000e+00, 1.000000e+00]]], {{\[\[\[}}0.000000e+00, 1.000000e+00]]]]>
// CHECK-COUNT-2: tir.conv2d
// CHECK-NEXT: return
func.func @repeated(%y: tensor<1x6x6x2xf32>) -> tensor<1x3x3x1xf32> {
  %x = "tir.maxpool2d"(%y) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32>
  %w = "tir.const"() {value = dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %i = "tir.const"() {value = dense<[1, -1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %a = "tir.gather"(%x, %i) {axis = 3 : i32} : (tensor<1x3x3x2xf32>, tensor<2xi64>) -> tensor<1x3x3x2xf32>
  %b = "tir.conv2d"(%a, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x3x3x1xf32>
  return %b : tensor<1x3x3x1xf32>
}

// Elsewhere it is a convolution with ones.
// CHECK-LABEL: func.func @as_conv
// CHECK: tir.maxpool2d
// CHECK: dense<{{\[\[\[\[}}0.000000e+00, 1.000000e+00]]], {{\[\[\[}}1.000000e+00, 0.000000e+00]]]]>
// CHECK: tir.conv2d
func.func @as_conv(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %i = "tir.const"() {value = dense<[1, 0]> : tensor<2xi64>} : () -> tensor<2xi64>
  %a = "tir.maxpool2d"(%x) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  %b = "tir.gather"(%a, %i) {axis = 3 : i32} : (tensor<1x2x2x2xf32>, tensor<2xi64>) -> tensor<1x2x2x2xf32>
  return %b : tensor<1x2x2x2xf32>
}

// So it is of what a concat joins, if layers compute all of it.
// CHECK-LABEL: func.func @of_concat
// CHECK: "tir.conv2d"(%{{.*}} -> tensor<1x2x2x2xf32>
// CHECK: tir.gather
func.func @of_concat(%x: tensor<1x4x4x2xf32>, %y: tensor<1x2x2x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %i = "tir.const"() {value = dense<[3, 0]> : tensor<2xi64>} : () -> tensor<2xi64>
  %a = "tir.maxpool2d"(%x) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  %b = "tir.concat"(%a, %a) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x4xf32>
  %c = "tir.concat"(%a, %y) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x4xf32>
  %d = "tir.gather"(%b, %i) {axis = 3 : i32} : (tensor<1x2x2x4xf32>, tensor<2xi64>) -> tensor<1x2x2x2xf32>
  %e = "tir.gather"(%c, %i) {axis = 3 : i32} : (tensor<1x2x2x4xf32>, tensor<2xi64>) -> tensor<1x2x2x2xf32>
  return %d, %e : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}

// Rows, indices of two dimensions and channels of what the CPU computes stay.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: tir.gather
func.func @others(%x: tensor<1x4x4x3xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x4x4x1x2xf32>, tensor<1x4x4x2xf32>) {
  %i = "tir.const"() {value = dense<[1, 0]> : tensor<2xi64>} : () -> tensor<2xi64>
  %k = "tir.const"() {value = dense<[[1, 0]]> : tensor<1x2xi64>} : () -> tensor<1x2xi64>
  %a = "tir.gather"(%x, %i) {axis = 1 : i32} : (tensor<1x4x4x3xf32>, tensor<2xi64>) -> tensor<1x2x4x3xf32>
  %c = "tir.gather"(%x, %k) {axis = 3 : i32} : (tensor<1x4x4x3xf32>, tensor<1x2xi64>) -> tensor<1x4x4x1x2xf32>
  %d = "tir.exp"(%x) : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %e = "tir.gather"(%d, %i) {axis = 3 : i32} : (tensor<1x4x4x3xf32>, tensor<2xi64>) -> tensor<1x4x4x2xf32>
  return %a, %c, %e : tensor<1x2x4x3xf32>, tensor<1x4x4x1x2xf32>, tensor<1x4x4x2xf32>
}

// Between conversions of one fix point it picks integers: of a layer on the DPU
// the weights read them, or a convolution with ones moves them.
// CHECK-LABEL: func.func @fixed
// CHECK: %[[P:.+]] = "tir.pool-fix"
// CHECK: %[[W:.+]] = "tir.const"() {value = dense<{{\[\[\[\[}}2, 1]]]]> : tensor<1x1x1x2xi8>}
// CHECK: "tir.conv2d-fix"(%[[P]], %[[W]])
// CHECK-NOT: tir.gather
// CHECK: return
func.func @fixed(%x: tensor<1x4x4x2xi8>) -> tensor<1x2x2x1xi8> {
  %i = "tir.const"() {value = dense<[1, 0]> : tensor<2xi64>} : () -> tensor<2xi64>
  %w = "tir.const"() {value = dense<[[[[1, 2]]]]> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %p = "tir.pool-fix"(%x) {type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  %a = "tir.fix2float"(%p) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2xf32>
  %b = "tir.gather"(%a, %i) {axis = 3 : i32} : (tensor<1x2x2x2xf32>, tensor<2xi64>) -> tensor<1x2x2x2xf32>
  %c = "tir.float2fix"(%b) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xi8>
  %d = "tir.conv2d-fix"(%c, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 0 : i32, bias_fix_point = 0 : i32, output_fix_point = 3 : i32} : (tensor<1x2x2x2xi8>, tensor<1x1x1x2xi8>) -> tensor<1x2x2x1xi8>
  return %d : tensor<1x2x2x1xi8>
}

// CHECK-LABEL: func.func @fixed_as_conv
// CHECK: %[[P:.+]] = "tir.pool-fix"
// CHECK: "tir.conv2d-fix"(%[[P]], {{.*}}input_fix_point = 4 : i32{{.*}}output_fix_point = 4 : i32{{.*}}weight_fix_point = 0
// CHECK-NEXT: return
func.func @fixed_as_conv(%x: tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8> {
  %i = "tir.const"() {value = dense<[1, 0]> : tensor<2xi64>} : () -> tensor<2xi64>
  %p = "tir.pool-fix"(%x) {type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  %a = "tir.fix2float"(%p) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2xf32>
  %b = "tir.gather"(%a, %i) {axis = 3 : i32} : (tensor<1x2x2x2xf32>, tensor<2xi64>) -> tensor<1x2x2x2xf32>
  %c = "tir.float2fix"(%b) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xi8>
  return %c : tensor<1x2x2x2xi8>
}

// Another fix point rounds, and what the CPU has it picks itself.
// CHECK-LABEL: func.func @unfixed
// CHECK-COUNT-2: tir.gather
func.func @unfixed(%x: tensor<1x4x4x2xi8>, %y: tensor<1x2x2x2xi8>) -> (tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>) {
  %i = "tir.const"() {value = dense<[1, 0]> : tensor<2xi64>} : () -> tensor<2xi64>
  %p = "tir.pool-fix"(%x) {type = "MAX", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  %a = "tir.fix2float"(%p) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2xf32>
  %b = "tir.gather"(%a, %i) {axis = 3 : i32} : (tensor<1x2x2x2xf32>, tensor<2xi64>) -> tensor<1x2x2x2xf32>
  %c = "tir.float2fix"(%b) {bit_width = 8 : i32, fix_point = 3 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xi8>
  %d = "tir.fix2float"(%y) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2xf32>
  %e = "tir.gather"(%d, %i) {axis = 3 : i32} : (tensor<1x2x2x2xf32>, tensor<2xi64>) -> tensor<1x2x2x2xf32>
  %f = "tir.float2fix"(%e) {bit_width = 8 : i32, fix_point = 4 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xi8>
  return %c, %f : tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>
}
