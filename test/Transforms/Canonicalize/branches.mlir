// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// A block of RepVGG as it is trained: 3x3, 1x1 and a BatchNorm.
// CHECK-LABEL: func.func @repvgg
// CHECK-DAG: %[[W:.*]] = "tir.const"() {value = dense<{{.*}}tensor<2x3x3x2xf32>}
// CHECK-DAG: %[[B:.*]] = "tir.const"() {value = dense<{{.*}}tensor<2xf32>}
// CHECK: %[[C:.*]] = "tir.conv2d"(%arg0, %[[W]], %[[B]]) {kernel = [3 : i32, 3 : i32], {{.*}}pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]
// CHECK-NEXT: return %[[C]]
func.func @repvgg(%x: tensor<1x5x6x2xf32>) -> tensor<1x5x6x2xf32> {
  %w = "tir.const"() {value = dense<[[[[-0.731, 0.695], [0.528, -0.490], [-0.009, -0.101]], [[0.303, 0.577], [-0.812, -0.943], [0.672, -0.134]], [[0.525, -0.996], [-0.109, 0.443], [-0.542, 0.891]]], [[[0.803, -0.939], [-0.949, 0.083], [0.878, -0.238]], [[-0.567, -0.156], [-0.942, -0.557], [-0.124, -0.008]], [[-0.534, -0.538], [-0.562, -0.081], [-0.420, -0.957]]]]> : tensor<2x3x3x2xf32>} : () -> tensor<2x3x3x2xf32>
  %b = "tir.const"() {value = dense<[0.675, 0.113]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "tir.const"() {value = dense<[[[[0.285, -0.628]]], [[[0.985, 0.720]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %s = "tir.const"() {value = dense<[-0.758, -0.335]> : tensor<2xf32>} : () -> tensor<2xf32>
  %t = "tir.const"() {value = dense<[0.443, 0.422]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x3x3x2xf32>, tensor<2xf32>) -> tensor<1x5x6x2xf32>
  %1 = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x5x6x2xf32>
  %2 = "tir.scale"(%x, %s, %t) : (tensor<1x5x6x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x5x6x2xf32>
  %3 = "tir.add"(%0, %1) : (tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>) -> tensor<1x5x6x2xf32>
  %4 = "tir.add"(%3, %2) : (tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>) -> tensor<1x5x6x2xf32>
  return %4 : tensor<1x5x6x2xf32>
}

// Depthwise branches, with a stride and kernels that reach to other sides.
// CHECK-LABEL: func.func @mobileone
// CHECK: %[[W:.*]] = "tir.const"() {value = dense<{{.*}}tensor<1x4x3x2xf32>}
// CHECK: "tir.depthwise-conv2d"(%arg0, %[[W]]) {kernel = [3 : i32, 4 : i32], pad = [1 : i32, 0 : i32, 2 : i32, 1 : i32], pad_mode = "FLOOR", stride = [2 : i32, 2 : i32]}
// CHECK-NEXT: return
func.func @mobileone(%x: tensor<1x5x6x2xf32>) -> tensor<1x3x3x2xf32> {
  %w = "tir.const"() {value = dense<[[[[0.873, -0.156], [0.660, 0.341], [-0.393, 0.175]], [[0.765, 0.692], [0.011, 0.178], [-0.931, -0.515]], [[0.595, -0.171], [-0.654, 0.098], [0.406, 0.349]]]]> : tensor<1x3x3x2xf32>} : () -> tensor<1x3x3x2xf32>
  %v = "tir.const"() {value = dense<[[[[-0.251, -0.122], [0.017, 0.557]], [[0.042, -0.213], [-0.021, -0.941]]]]> : tensor<1x2x2x2xf32>} : () -> tensor<1x2x2x2xf32>
  %0 = "tir.depthwise-conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 0 : i32, 1 : i32, 1 : i32]} : (tensor<1x5x6x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  %1 = "tir.depthwise-conv2d"(%x, %v) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 0 : i32, 2 : i32, 0 : i32]} : (tensor<1x5x6x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x3x3x2xf32>
  %2 = "tir.add"(%0, %1) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  return %2 : tensor<1x3x3x2xf32>
}

// A kernel of both would have more elements, the inputs are not the same,
// something else reads a branch, or one is dilated.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-4: tir.add
// CHECK: return
func.func @apart(%x: tensor<1x5x6x2xf32>, %y: tensor<1x5x6x2xf32>) -> (tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[-0.913, 0.407], [0.966, 0.186], [-0.213, -0.659], [0.004, 0.964], [0.541, 0.079]]], [[[0.721, -0.536], [0.028, 0.905], [0.156, -0.082], [-0.461, 0.096], [0.914, -0.989]]]]> : tensor<2x1x5x2xf32>} : () -> tensor<2x1x5x2xf32>
  %v = "tir.const"() {value = dense<[[[[0.567, 0.641]], [[0.772, 0.481]], [[0.618, 0.037]], [[0.123, -0.148]], [[-0.888, 0.740]]], [[[0.140, -0.600]], [[0.009, -0.030]], [[-0.286, -0.308]], [[0.077, 0.247]], [[0.225, -0.084]]]]> : tensor<2x5x1x2xf32>} : () -> tensor<2x5x1x2xf32>
  %u = "tir.const"() {value = dense<[[[[-0.944, -0.541]]], [[[-0.646, 0.169]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %0 = "tir.conv2d"(%x, %w) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x1x5x2xf32>) -> tensor<1x5x6x2xf32>
  %1 = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 2 : i32, 2 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x5x1x2xf32>) -> tensor<1x5x6x2xf32>
  %2 = "tir.conv2d"(%x, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x5x6x2xf32>
  %3 = "tir.conv2d"(%y, %u) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x5x6x2xf32>
  %4 = "tir.conv2d"(%y, %w) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x1x5x2xf32>) -> tensor<1x5x6x2xf32>
  %5 = "tir.conv2d"(%y, %v) {kernel = [1 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 2 : i32, 2 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x5x1x2xf32>) -> tensor<1x5x6x2xf32>
  %d = "tir.const"() {value = dense<[[[[0.722, 0.597], [0.594, 0.633], [-0.489, 0.683]], [[0.346, -0.834], [-0.967, -0.971], [0.511, -0.501]], [[-0.781, 0.250], [-0.311, -0.861], [-0.681, 0.055]]], [[[-0.664, -0.454], [0.423, -0.091], [-0.356, -0.052]], [[-0.953, -0.227], [-0.158, -0.624], [-0.782, 0.800]], [[0.020, -0.582], [0.211, 0.634], [-0.958, -0.964]]]]> : tensor<2x3x3x2xf32>} : () -> tensor<2x3x3x2xf32>
  %p = "tir.const"() {value = dense<[[[[-0.707, 0.438], [-0.680, 0.409], [0.356, 0.089]], [[-0.559, 0.951], [0.596, 0.033], [-0.554, 0.297]], [[-0.210, 0.152], [-0.358, 0.262], [-0.882, -0.403]]], [[[0.936, 0.751], [-0.387, 0.717], [-0.379, 0.879]], [[0.488, -0.168], [-0.495, -0.983], [0.757, -0.924]], [[0.639, 0.924], [0.141, -0.657], [0.736, 0.948]]]]> : tensor<2x3x3x2xf32>} : () -> tensor<2x3x3x2xf32>
  %6 = "tir.conv2d"(%x, %d) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], dilation = [2 : i32, 2 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x3x3x2xf32>) -> tensor<1x5x6x2xf32>
  %7 = "tir.conv2d"(%x, %p) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x5x6x2xf32>, tensor<2x3x3x2xf32>) -> tensor<1x5x6x2xf32>
  %a0 = "tir.add"(%0, %1) : (tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>) -> tensor<1x5x6x2xf32>
  %a1 = "tir.add"(%2, %3) : (tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>) -> tensor<1x5x6x2xf32>
  %a2 = "tir.add"(%4, %5) : (tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>) -> tensor<1x5x6x2xf32>
  %a3 = "tir.add"(%6, %7) : (tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>) -> tensor<1x5x6x2xf32>
  return %a0, %a1, %a2, %a3, %4 : tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>, tensor<1x5x6x2xf32>
}
