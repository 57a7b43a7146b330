// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize
// Its averages are square, which the pools at the border are not.
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=DPUCAHX8H_ISA2})' %s | FileCheck %s --check-prefix=V3E
// V3E-NOT: tir.strided_slice

// Windows at the top and left see less; those at the bottom and right do not
// reach the padding.
// CHECK-LABEL: func.func @corner
// CHECK-COUNT-4: tir.pool-fix
// CHECK: tir.concat-fix"{{.*}}axis = 1 : i32
// CHECK-NEXT: return
func.func @corner(%x: tensor<1x8x6x2xi8>) -> tensor<1x4x3x2xi8> {
  %y = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], count_include_pad = false} : (tensor<1x8x6x2xi8>) -> tensor<1x4x3x2xi8>
  return %y : tensor<1x4x3x2xi8>
}

// What is left in floating point does not come to the DPU by it.
// CHECK-LABEL: func.func @real
// CHECK-NEXT: tir.avgpool2d"(%arg0)
// CHECK-NEXT: tir.avgpool2d"(%arg0)
// CHECK-NEXT: return
func.func @real(%x: tensor<1x8x8x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x5x5x2xf32>) {
  %y = "tir.avgpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x8x8x2xf32>) -> tensor<1x4x4x2xf32>
  %z = "tir.avgpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], pad_mode = "CEIL", count_include_pad = true, count_include_invalid = false} : (tensor<1x8x8x2xf32>) -> tensor<1x5x5x2xf32>
  return %y, %z : tensor<1x4x4x2xf32>, tensor<1x5x5x2xf32>
}

// CHECK-LABEL: func.func @frame
// CHECK: tir.strided_slice-fix"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 2 : i32, 2 : i32, 2 : i32]
// CHECK-NEXT: tir.pool-fix"(%{{.*}}) {count_include_pad = true,{{.*}}kernel = [2 : i32, 2 : i32]
// CHECK: tir.concat-fix"{{.*}}axis = 1 : i32, input_fix_point = [3 : i32, 3 : i32, 3 : i32]
// CHECK-NEXT: return
func.func @frame(%x: tensor<1x5x6x2xi8>) -> tensor<1x5x6x2xi8> {
  %y = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], count_include_pad = false, input_fix_point = 2 : i32, output_fix_point = 3 : i32} : (tensor<1x5x6x2xi8>) -> tensor<1x5x6x2xi8>
  return %y : tensor<1x5x6x2xi8>
}

// SAME and CEIL become padding first; windows that see both borders.
// CHECK-LABEL: func.func @same
// CHECK-NOT: SAME
// CHECK: tir.concat-fix
func.func @same(%x: tensor<1x3x2x2xi8>) -> tensor<1x3x2x2xi8> {
  %y = "tir.pool-fix"(%x) {type = "AVG", kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", count_include_pad = false} : (tensor<1x3x2x2xi8>) -> tensor<1x3x2x2xi8>
  return %y : tensor<1x3x2x2xi8>
}

// Padding that counts; that no window touches; more than eight parts.
// CHECK-LABEL: func.func @not
// CHECK-NOT: tir.strided_slice
// CHECK: return
func.func @not(%x: tensor<1x5x5x2xi8>, %z: tensor<1x12x12x2xi8>) -> (tensor<1x5x5x2xi8>, tensor<1x2x2x2xi8>, tensor<1x12x12x2xi8>) {
  %a = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], count_include_pad = true} : (tensor<1x5x5x2xi8>) -> tensor<1x5x5x2xi8>
  %b = "tir.pool-fix"(%x) {type = "AVG", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], count_include_pad = false} : (tensor<1x5x5x2xi8>) -> tensor<1x2x2x2xi8>
  %c = "tir.pool-fix"(%z) {type = "AVG", kernel = [9 : i32, 9 : i32], stride = [1 : i32, 1 : i32], pad = [4 : i32, 4 : i32, 4 : i32, 4 : i32], count_include_pad = false} : (tensor<1x12x12x2xi8>) -> tensor<1x12x12x2xi8>
  return %a, %b, %c : tensor<1x5x5x2xi8>, tensor<1x2x2x2xi8>, tensor<1x12x12x2xi8>
}

// The last windows of CEIL leave out what is beyond the padding that they
// count.
// CHECK-LABEL: func.func @beyond
// CHECK: %[[P:.*]] = "tir.pad-fix"(%arg0) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]}
// CHECK-COUNT-4: "tir.pool-fix"(
// CHECK: "tir.concat-fix"
func.func @beyond(%x: tensor<1x8x8x4xi8>) -> tensor<1x5x5x4xi8> {
  %y = "tir.pool-fix"(%x) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], pad_mode = "CEIL", count_include_pad = true, count_include_invalid = false} : (tensor<1x8x8x4xi8>) -> tensor<1x5x5x4xi8>
  return %y : tensor<1x5x5x4xi8>
}

// CHECK-LABEL: func.func @beyond_without_padding
// CHECK-NOT: tir.pad
// CHECK-COUNT-4: "tir.pool-fix"(
func.func @beyond_without_padding(%x: tensor<1x9x9x4xi8>) -> tensor<1x5x5x4xi8> {
  %y = "tir.pool-fix"(%x) {type = "AVG", kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], pad_mode = "CEIL", count_include_pad = true, count_include_invalid = false, input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x9x9x4xi8>) -> tensor<1x5x5x4xi8>
  return %y : tensor<1x5x5x4xi8>
}

// The mean of means: here 300 is more than a window has, there 12.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: tir.avgpool2d"({{.*}}kernel = [150 : i32, 1 : i32], stride = [150 : i32, 1 : i32]{{.*}} -> tensor<1x2x2x3xf32>
// CHECK-NEXT: tir.avgpool2d"({{.*}}kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32]
// CHECK-NEXT: tir.avgpool2d"(%arg1) {global = true
// CHECK-NEXT: tir.avgpool2d
// CHECK-NEXT: tir.maxpool2d
// CHECK-NEXT: return
// V3E-LABEL: func.func @whole
// V3E: tir.avgpool2d"(%arg1) {kernel = [6 : i32, 6 : i32], stride = [6 : i32, 6 : i32]}
// V3E-NEXT: tir.avgpool2d"({{.*}}kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32]}
// V3E-NEXT: tir.avgpool2d"(%arg2) {
// V3E-NEXT: tir.maxpool2d"(%arg3) {kernel = [7 : i32, 8 : i32], stride = [7 : i32, 8 : i32]}
// V3E-NEXT: tir.maxpool2d"({{.*}}kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32]}
// V3E-NEXT: return
func.func @whole(%x: tensor<1x2x300x3xf32>, %y: tensor<1x12x12x3xf32>, %z: tensor<1x11x11x3xf32>, %v: tensor<1x16x21x3xf32>) -> (tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>) {
  %a = "tir.avgpool2d"(%x) {kernel = [300 : i32, 2 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x2x300x3xf32>) -> tensor<1x1x1x3xf32>
  %b = "tir.avgpool2d"(%y) {global = true} : (tensor<1x12x12x3xf32>) -> tensor<1x1x1x3xf32>
  %c = "tir.avgpool2d"(%z) {kernel = [11 : i32, 11 : i32], stride = [11 : i32, 11 : i32]} : (tensor<1x11x11x3xf32>) -> tensor<1x1x1x3xf32>
  %d = "tir.maxpool2d"(%v) {global = true} : (tensor<1x16x21x3xf32>) -> tensor<1x1x1x3xf32>
  return %a, %b, %c, %d : tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>
}

// Rows of parts fill the engine, which computes four at once; few channels or small
// images are not worth it, and an image whose sides nothing divides has no parts.
// CHECK-LABEL: func.func @large
// CHECK-NEXT: tir.avgpool2d"(%arg0) {kernel = [8 : i32, 1 : i32], stride = [8 : i32, 1 : i32]}
// CHECK-NEXT: tir.avgpool2d"({{.*}}kernel = [2 : i32, 16 : i32], stride = [1 : i32, 1 : i32]}
// CHECK-NEXT: tir.avgpool2d"(%arg1) {global = true}
// CHECK-NEXT: tir.maxpool2d"(%arg2) {kernel = [7 : i32, 1 : i32], stride = [7 : i32, 1 : i32]}
// CHECK-NEXT: tir.maxpool2d"({{.*}}kernel = [2 : i32, 28 : i32], stride = [1 : i32, 1 : i32]}
// CHECK-NEXT: tir.avgpool2d"(%arg3) {global = true}
// CHECK-NEXT: return
func.func @large(%x: tensor<1x16x16x96xf32>, %y: tensor<1x7x7x960xf32>, %z: tensor<1x28x14x64xf32>, %v: tensor<1x17x19x64xf32>) -> (tensor<1x1x1x96xf32>, tensor<1x1x1x960xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>) {
  %a = "tir.avgpool2d"(%x) {kernel = [16 : i32, 16 : i32], stride = [16 : i32, 16 : i32]} : (tensor<1x16x16x96xf32>) -> tensor<1x1x1x96xf32>
  %b = "tir.avgpool2d"(%y) {global = true} : (tensor<1x7x7x960xf32>) -> tensor<1x1x1x960xf32>
  %c = "tir.maxpool2d"(%z) {global = true} : (tensor<1x28x14x64xf32>) -> tensor<1x1x1x64xf32>
  %d = "tir.avgpool2d"(%v) {global = true} : (tensor<1x17x19x64xf32>) -> tensor<1x1x1x64xf32>
  return %a, %b, %c, %d : tensor<1x1x1x96xf32>, tensor<1x1x1x960xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>
}

// As CBAM has it. Not of an image that the CPU computes.
// CHECK-LABEL: func.func @channels
// CHECK-NEXT: tir.maxpool2d
// CHECK-NEXT: %[[W:.*]] = "tir.const"() {value = dense<2.500000e-01> : tensor<1x1x1x4xf32>}
// CHECK-NEXT: tir.conv2d"({{.*}}, %[[W]]) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]}
// CHECK-NEXT: tir.exp
// CHECK-NEXT: tir.reduction_mean
// CHECK-NEXT: return
func.func @channels(%x: tensor<1x3x3x4xf32>) -> (tensor<1x3x3x1xf32>, tensor<1x3x3x1xf32>) {
  %a = "tir.maxpool2d"(%x) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %b = "tir.reduction_mean"(%a) {axis = [-1 : i32], keep_dims = true} : (tensor<1x3x3x4xf32>) -> tensor<1x3x3x1xf32>
  %c = "tir.exp"(%x) : (tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %d = "tir.reduction_mean"(%c) {axis = [3 : i32], keep_dims = true} : (tensor<1x3x3x4xf32>) -> tensor<1x3x3x1xf32>
  return %b, %d : tensor<1x3x3x1xf32>, tensor<1x3x3x1xf32>
}

// As PP-LiteSeg has it: of an image that is moved, as of the one that it comes
// of. What the CPU computes stays there.
// CHECK-LABEL: func.func @moved_channels
// CHECK: tir.maxpool2d
// CHECK: tir.strided_slice
// CHECK-NOT: tir.reduction_mean
// CHECK: tir.exp
// CHECK-NEXT: tir.strided_slice
// CHECK-NEXT: tir.reduction_mean
// CHECK-NEXT: return
func.func @moved_channels(%x: tensor<1x3x3x4xf32>) -> (tensor<1x3x3x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x3x1xf32>) {
  %a = "tir.maxpool2d"(%x) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %b = "tir.strided_slice"(%a) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 2 : i32, 2 : i32, 4 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x3x3x4xf32>) -> tensor<1x2x2x4xf32>
  %c = "tir.avgpool2d"(%a) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %d = "tir.reduction_mean"(%c) {axis = [3 : i32], keep_dims = true} : (tensor<1x3x3x4xf32>) -> tensor<1x3x3x1xf32>
  %e = "tir.reduction_mean"(%b) {axis = [3 : i32], keep_dims = true} : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x1xf32>
  %f = "tir.exp"(%x) : (tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %g = "tir.strided_slice"(%f) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 2 : i32, 3 : i32, 4 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x3x3x4xf32>) -> tensor<1x2x3x4xf32>
  %h = "tir.reduction_mean"(%g) {axis = [3 : i32], keep_dims = true} : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x1xf32>
  return %d, %e, %h : tensor<1x3x3x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x3x1xf32>
}

// A sum of channels has weights of one.
// CHECK-LABEL: func.func @sum_of_channels
// CHECK: %[[W:.*]] = "tir.const"() {value = dense<1.000000e+00> : tensor<1x1x1x4xf32>}
// CHECK: "tir.conv2d"({{.*}}, %[[W]])
func.func @sum_of_channels(%x: tensor<1x3x3x4xf32>) -> tensor<1x3x3x1xf32> {
  %a = "tir.maxpool2d"(%x) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %b = "tir.reduction_sum"(%a) {axis = [3 : i32], keep_dims = true} : (tensor<1x3x3x4xf32>) -> tensor<1x3x3x1xf32>
  return %b : tensor<1x3x3x1xf32>
}

// A window that the engine has but the banks have no room for; sides of prime
// numbers have no parts.
// CHECK-LABEL: func.func @beyond_banks
// CHECK-NEXT: tir.avgpool2d"(%arg0) {kernel
// CHECK-NEXT: tir.avgpool2d
// CHECK-NEXT: tir.avgpool2d"(%arg1) {global = true}
// CHECK-NEXT: return
func.func @beyond_banks(%x: tensor<1x128x240x2xf32>, %y: tensor<1x257x263x2xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) {
  %a = "tir.avgpool2d"(%x) {global = true} : (tensor<1x128x240x2xf32>) -> tensor<1x1x1x2xf32>
  %b = "tir.avgpool2d"(%y) {global = true} : (tensor<1x257x263x2xf32>) -> tensor<1x1x1x2xf32>
  return %a, %b : tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>
}
