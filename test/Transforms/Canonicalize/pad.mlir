// RUN: xc-opt --tir-canonicalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-canonicalize

// CHECK-LABEL: func.func @into_conv
// CHECK-NOT: tir.pad
// CHECK: tir.conv2d"(%arg0,{{.*}} pad = [2 : i32, 1 : i32, 0 : i32, 2 : i32]
func.func @into_conv(%x: tensor<1x5x5x2xf32>) -> tensor<1x5x6x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000003F000060BF0000903F0000D0BF0000C0BF0000A0BF0000603F0000D0BF000000400000C0BE0000E0BF0000B0BF0000B03F0000A03F0000C0BF000000BE0000B0BF0000B03F0000D0BF000090BF000080BE0000D0BF0000903F0000D0BF000080BE0000E0BF000080BF0000803E0000A03F000060BF000090BF0000C03E000020BF0000A0BF000000BF0000603F0000A0BF0000C0BF0000D0BF0000C0BE0000F03F0000B03F0000003F0000D03F0000D03F0000603F0000C03E000000BE000020BF000000BE0000B0BF0000C03E0000F03F0000203F"> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %p = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 0 : i32, 1 : i32, 2 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x6x7x2xf32>
  %y = "tir.conv2d"(%p, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 1 : i32, 0 : i32, 1 : i32]} : (tensor<1x6x7x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x5x6x3xf32>
  return %y : tensor<1x5x6x3xf32>
}

// CHECK-LABEL: func.func @into_conv_fix
// CHECK-NOT: tir.pad
// CHECK: tir.depthwise-conv2d-fix"(%arg0,
func.func @into_conv_fix(%x: tensor<1x5x5x2xi8>) -> tensor<1x3x3x2xi8> {
  %w = "tir.const"() {value = dense<"0x74BDC04062162B467E6BCD0FEBF9E8C7FD62"> : tensor<1x3x3x2xi8>} : () -> tensor<1x3x3x2xi8>
  %p = "tir.pad-fix"(%x) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x5x5x2xi8>) -> tensor<1x7x7x2xi8>
  %y = "tir.depthwise-conv2d-fix"(%p, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32} : (tensor<1x7x7x2xi8>, tensor<1x3x3x2xi8>) -> tensor<1x3x3x2xi8>
  return %y : tensor<1x3x3x2xi8>
}

// Not zero; as wide as the kernel; channels; mirrored; SAME; rescaled.
// CHECK-LABEL: func.func @into_conv_not
// CHECK-COUNT-6: tir.pad
func.func @into_conv_not(%x: tensor<1x5x5x2xf32>, %q: tensor<1x5x5x2xi8>) -> (tensor<1x4x3x3xf32>, tensor<1x3x5x3xf32>, tensor<1x3x3x3xf32>, tensor<1x3x4x3xf32>, tensor<1x5x6x3xf32>, tensor<1x3x4x2xi8>) {
  %w = "tir.const"() {value = dense<"0x0000D03F0000603F0000003E000080BF000020BF000000C00000203F000000400000D03F0000B0BF0000203F0000E0BF0000803F000040BF0000C03F0000B03F000040BF000040BF000000BE0000D0BF000090BF000080BF000000400000C0BF0000803F0000A0BF0000803E0000C0BE000080BE0000A03F0000B0BF0000003E0000C0BE0000903F0000003E0000203F0000E0BF000000BF000000C00000A03F0000D0BF0000803F0000F03F000080BF0000F0BF000000BE0000B03F000090BF000000C0000090BF000000BF000000BF0000203F000000C0"> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %v = "tir.const"() {value = dense<"0x0000E0BF0000B03F0000E03F000000C00000C0BE0000D03F0000F03F0000003E000040BF0000E0BF0000F03F0000003F0000C0BF000000BE0000603F0000E0BF0000A03F000080BF0000403F0000803F0000A03F0000803E000000000000D03F000020BF0000C03E0000603F000080BF0000D03F000000BE0000C03F0000803F0000E0BF000000C0000000BE000080BF000000BF0000C03E0000603F000000BE0000003F0000C03F0000B03F0000E03F0000C0BF0000003F00000040000040BF000080BE0000A03F000000BE0000E0BF0000E0BF0000F03F0000C03E0000C0BF0000B0BF000060BF0000803F0000603F000060BF000090BF0000A0BF0000C03F000040BF000000BF0000403F0000B03F0000A03F0000C03F000000BE0000003E000060BF000020BF000090BF0000003E0000D03F0000C03E000040BF000020BF000020BF"> : tensor<3x3x3x3xf32>} : () -> tensor<3x3x3x3xf32>
  %u = "tir.const"() {value = dense<"0xE7EEE7615EF35F30E49B482E15CAE7500720"> : tensor<1x3x3x2xi8>} : () -> tensor<1x3x3x2xi8>
  %a = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], constant_value = 1.0 : f32} : (tensor<1x5x5x2xf32>) -> tensor<1x6x5x2xf32>
  %b = "tir.conv2d"(%a, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x6x5x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x4x3x3xf32>
  %c = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 3 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x5x8x2xf32>
  %d = "tir.conv2d"(%c, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "VALID"} : (tensor<1x5x8x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x3x6x3xf32>
  %ds = "tir.strided_slice"(%d) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 5 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x3x6x3xf32>) -> tensor<1x3x5x3xf32>
  %e = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x5x5x3xf32>
  %f = "tir.conv2d"(%e, %v) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x5x5x3xf32>, tensor<3x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  %g = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32], mode = "SYMMETRIC"} : (tensor<1x5x5x2xf32>) -> tensor<1x5x6x2xf32>
  %h = "tir.conv2d"(%g, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x5x6x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x3x4x3xf32>
  %i = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x5x6x2xf32>
  %j = "tir.conv2d"(%i, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x5x6x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x5x6x3xf32>
  %k = "tir.pad-fix"(%q) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x5x5x2xi8>) -> tensor<1x5x6x2xi8>
  %l = "tir.depthwise-conv2d-fix"(%k, %u) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 7 : i32} : (tensor<1x5x6x2xi8>, tensor<1x3x3x2xi8>) -> tensor<1x3x4x2xi8>
  return %b, %ds, %f, %h, %j, %l : tensor<1x4x3x3xf32>, tensor<1x3x5x3xf32>, tensor<1x3x3x3xf32>, tensor<1x3x4x3xf32>, tensor<1x5x6x3xf32>, tensor<1x3x4x2xi8>
}

// CHECK-LABEL: func.func @into_average
// CHECK-NOT: tir.pad"
// CHECK: tir.avgpool2d"(%arg0) {count_include_pad = true,{{.*}} pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]
// CHECK: tir.pool-fix"(%arg1) {count_include_pad = true,{{.*}} pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]
func.func @into_average(%x: tensor<1x5x5x2xf32>, %q: tensor<1x5x5x2xi8>) -> (tensor<1x3x3x2xf32>, tensor<1x3x3x2xi8>) {
  %p = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x7x7x2xf32>
  %y = "tir.avgpool2d"(%p) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x7x7x2xf32>) -> tensor<1x3x3x2xf32>
  %r = "tir.pad-fix"(%q) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xi8>) -> tensor<1x7x7x2xi8>
  %z = "tir.pool-fix"(%r) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], count_include_pad = false} : (tensor<1x7x7x2xi8>) -> tensor<1x3x3x2xi8>
  return %y, %z : tensor<1x3x3x2xf32>, tensor<1x3x3x2xi8>
}

// The pool has padding that it does not count, the pad holds ones.
// CHECK-LABEL: func.func @into_average_not
// CHECK-COUNT-2: tir.pad"
func.func @into_average_not(%x: tensor<1x5x5x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x3x3x2xf32>) {
  %p = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x7x7x2xf32>
  %y = "tir.avgpool2d"(%p) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x7x7x2xf32>) -> tensor<1x4x4x2xf32>
  %r = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], constant_value = 1.0 : f32} : (tensor<1x5x5x2xf32>) -> tensor<1x7x7x2xf32>
  %z = "tir.avgpool2d"(%r) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x7x7x2xf32>) -> tensor<1x3x3x2xf32>
  return %y, %z : tensor<1x4x4x2xf32>, tensor<1x3x3x2xf32>
}

// CHECK-LABEL: func.func @into_maximum
// CHECK-NOT: tir.pad"
// CHECK-NOT: tir.pad-fix
// CHECK: return
func.func @into_maximum(%x: tensor<1x5x5x2xf32>, %q: tensor<1x5x5x2xi8>) -> (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>, tensor<1x3x3x2xi8>) {
  %a = "tir.relu"(%x) : (tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
  %p = "tir.pad"(%a) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x7x7x2xf32>
  %y = "tir.maxpool2d"(%p) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x7x7x2xf32>) -> tensor<1x3x3x2xf32>
  %r = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], constant_value = 0xFF800000 : f32} : (tensor<1x5x5x2xf32>) -> tensor<1x7x7x2xf32>
  %z = "tir.maxpool2d"(%r) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x7x7x2xf32>) -> tensor<1x3x3x2xf32>
  %s = "tir.pad-fix"(%q) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], constant_value = -128 : i32} : (tensor<1x5x5x2xi8>) -> tensor<1x7x7x2xi8>
  %t = "tir.pool-fix"(%s) {type = "MAX", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x7x7x2xi8>) -> tensor<1x3x3x2xi8>
  return %y, %z, %t : tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>, tensor<1x3x3x2xi8>
}

// Zeros win over negative numbers; a CEIL window may see nothing but padding.
// CHECK-LABEL: func.func @into_maximum_not
// CHECK-COUNT-2: tir.pad"
// CHECK: tir.pad-fix
func.func @into_maximum_not(%x: tensor<1x5x5x2xf32>, %q: tensor<1x5x5x2xi8>) -> (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>, tensor<1x3x3x2xi8>) {
  %p = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x7x7x2xf32>
  %y = "tir.maxpool2d"(%p) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x7x7x2xf32>) -> tensor<1x3x3x2xf32>
  %a = "tir.abs"(%x) : (tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
  %r = "tir.pad"(%a) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x7x7x2xf32>
  %z = "tir.maxpool2d"(%r) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "CEIL"} : (tensor<1x7x7x2xf32>) -> tensor<1x3x3x2xf32>
  %s = "tir.pad-fix"(%q) {paddings = [0 : i32, 0 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32, 0 : i32, 0 : i32], constant_value = -127 : i32} : (tensor<1x5x5x2xi8>) -> tensor<1x7x7x2xi8>
  %t = "tir.pool-fix"(%s) {type = "MAX", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32]} : (tensor<1x7x7x2xi8>) -> tensor<1x3x3x2xi8>
  return %y, %z, %t : tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>, tensor<1x3x3x2xi8>
}

// CHECK-LABEL: func.func @dilation
// CHECK: tir.conv2d"(%arg0,{{.*}}dilation = [2 : i32, 3 : i32],{{.*}} pad = [2 : i32, 1 : i32, 3 : i32, 2 : i32]
// CHECK-NEXT: return
func.func @dilation(%x: tensor<1x7x5x2xf32>) -> tensor<1x6x4x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000E03F0000003E0000403F000060BF0000803F000000C00000603F0000E03F0000003E0000D03F000080BE000000C0000060BF0000C03F0000603F000040BF0000203F0000C0BE0000D0BF000000BF0000C0BF000000400000203F0000903F0000B0BF0000F0BF0000D0BF00000040000080BE0000B0BF0000B03F0000C03F000090BF0000B03F000080BF0000003F000040BF0000D0BF000040BF000000400000B0BF0000903F0000A03F0000E03F0000E03F0000803F0000F0BF0000B0BF000000BF000000000000403F0000603F0000803F0000C03E"> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %b = "tir.const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %a = "tir.space-to-batch"(%x) {block_shape = [2 : i32, 3 : i32], paddings = [2 : i32, 1 : i32, 3 : i32, 2 : i32]} : (tensor<1x7x5x2xf32>) -> tensor<6x4x4x2xf32>
  %c = "tir.conv2d"(%a, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<6x4x4x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>) -> tensor<6x2x2x3xf32>
  %d = "tir.batch-to-space"(%c) {block_shape = [2 : i32, 3 : i32]} : (tensor<6x2x2x3xf32>) -> tensor<1x6x4x3xf32>
  return %d : tensor<1x6x4x3xf32>
}

// CHECK-LABEL: func.func @dilation_cropped
// CHECK: tir.depthwise-conv2d-fix"(%arg0,{{.*}}dilation = [2 : i32, 2 : i32],{{.*}} pad = [2 : i32, 2 : i32, 1 : i32, 2 : i32]
// CHECK-NEXT: return
func.func @dilation_cropped(%x: tensor<1x7x7x2xi8>) -> tensor<1x6x7x2xi8> {
  %w = "tir.const"() {value = dense<"0x84945F764B735F42246D960FDC40078D4B2B"> : tensor<1x3x3x2xi8>} : () -> tensor<1x3x3x2xi8>
  %a = "tir.space-to-batch"(%x) {block_shape = [2 : i32, 2 : i32], paddings = [2 : i32, 3 : i32, 2 : i32, 3 : i32]} : (tensor<1x7x7x2xi8>) -> tensor<4x6x6x2xi8>
  %c = "tir.depthwise-conv2d-fix"(%a, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 7 : i32} : (tensor<4x6x6x2xi8>, tensor<1x3x3x2xi8>) -> tensor<4x4x4x2xi8>
  %d = "tir.batch-to-space"(%c) {block_shape = [2 : i32, 2 : i32], crops = [0 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<4x4x4x2xi8>) -> tensor<1x6x7x2xi8>
  return %d : tensor<1x6x7x2xi8>
}

// Another stride; a crop that no padding makes.
// CHECK-LABEL: func.func @dilation_not
// CHECK-COUNT-2: tir.batch-to-space
func.func @dilation_not(%x: tensor<1x7x7x2xf32>) -> (tensor<1x4x4x3xf32>, tensor<1x3x4x3xf32>) {
  %w = "tir.const"() {value = dense<"0x0000A0BF000000BE0000003E000000000000803E0000C0BF0000C03F0000C03E0000D03F0000903F0000903F000090BF00000000000080BE0000003F0000403F000000000000603F000060BF000040BF0000003E000040BF000000C00000C0BF000090BF0000203F0000F0BF0000B0BF0000003E0000C0BE0000803F0000903F0000C03F0000A0BF000090BF0000603F000020BF0000A0BF0000F03F00000040000000BF0000003E0000C03F0000C0BE0000F03F0000803E00000040000000000000A0BF000090BF0000B0BF0000003E0000003E000090BF"> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %a = "tir.space-to-batch"(%x) {block_shape = [2 : i32, 2 : i32], paddings = [2 : i32, 1 : i32, 2 : i32, 1 : i32]} : (tensor<1x7x7x2xf32>) -> tensor<4x5x5x2xf32>
  %c = "tir.conv2d"(%a, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32]} : (tensor<4x5x5x2xf32>, tensor<3x3x3x2xf32>) -> tensor<4x2x2x3xf32>
  %d = "tir.batch-to-space"(%c) {block_shape = [2 : i32, 2 : i32]} : (tensor<4x2x2x3xf32>) -> tensor<1x4x4x3xf32>
  %e = "tir.space-to-batch"(%x) {block_shape = [2 : i32, 2 : i32], paddings = [0 : i32, 1 : i32, 0 : i32, 1 : i32]} : (tensor<1x7x7x2xf32>) -> tensor<4x4x4x2xf32>
  %f = "tir.conv2d"(%e, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32]} : (tensor<4x4x4x2xf32>, tensor<3x3x3x2xf32>) -> tensor<4x2x2x3xf32>
  %g = "tir.batch-to-space"(%f) {block_shape = [2 : i32, 2 : i32], crops = [0 : i32, 0 : i32, 1 : i32, 0 : i32]} : (tensor<4x2x2x3xf32>) -> tensor<1x3x4x3xf32>
  return %d, %g : tensor<1x4x4x3xf32>, tensor<1x3x4x3xf32>
}

// CHECK-LABEL: func.func @crop
// CHECK-NOT: tir.pad
// CHECK: tir.strided_slice"(%arg0) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 5 : i32, 1 : i32], op_name = "up"
// CHECK: tir.strided_slice-fix"(%arg1) {begin = [0 : i32, 0 : i32, 3 : i32, 0 : i32],{{.*}} input_fix_point = 4 : i32, output_fix_point = 4 : i32
// CHECK-NOT: tir.pad
func.func @crop(%x: tensor<1x5x5x2xf32>, %q: tensor<1x5x5x2xi8>) -> (tensor<1x2x5x1xf32>, tensor<1x5x2x2xi8>) {
  %a = "tir.pad"(%x) {op_name = "up", mode = "REFLECT", paddings = [0 : i32, 0 : i32, -1 : i32, -2 : i32, 0 : i32, 0 : i32, 0 : i32, -1 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x2x5x1xf32>
  %b = "tir.pad-fix"(%q) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, -3 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x5x5x2xi8>) -> tensor<1x5x2x2xi8>
  return %a, %b : tensor<1x2x5x1xf32>, tensor<1x5x2x2xi8>
}

// CHECK-LABEL: func.func @crop_and_pad
// CHECK: %[[A:.*]] = "tir.strided_slice"(%arg0) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 5 : i32, 3 : i32, 2 : i32]
// CHECK: "tir.pad"(%[[A]]) {constant_value = 1.500000e+00 : f32,{{.*}} paddings = [0 : i32, 0 : i32, 0 : i32, 1 : i32, 2 : i32, 0 : i32, 0 : i32, 0 : i32]
// CHECK: %[[B:.*]] = "tir.strided_slice-fix"(%arg1) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32]
// CHECK: "tir.pad-fix"(%[[B]]) {constant_value = -5 : i32,{{.*}} paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 3 : i32]
func.func @crop_and_pad(%x: tensor<1x5x5x2xf32>, %q: tensor<1x5x5x2xi8>) -> (tensor<1x5x5x2xf32>, tensor<1x5x5x4xi8>) {
  %a = "tir.pad"(%x) {constant_value = 1.5 : f32, paddings = [0 : i32, 0 : i32, -1 : i32, 1 : i32, 2 : i32, -2 : i32, 0 : i32, 0 : i32]} : (tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
  %b = "tir.pad-fix"(%q) {constant_value = -5 : i32, paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, -1 : i32, 3 : i32]} : (tensor<1x5x5x2xi8>) -> tensor<1x5x5x4xi8>
  return %a, %b : tensor<1x5x5x2xf32>, tensor<1x5x5x4xi8>
}

// The mirror reads what is cropped; nothing of a dimension is left; rescaled.
// CHECK-LABEL: func.func @crop_not
// CHECK-NOT: tir.strided_slice
// CHECK: return
func.func @crop_not(%x: tensor<1x3x5x2xf32>, %q: tensor<1x5x5x2xi8>) -> (tensor<1x3x5x2xf32>, tensor<1x1x5x2xf32>, tensor<1x4x5x2xi8>) {
  %a = "tir.pad"(%x) {mode = "REFLECT", paddings = [0 : i32, 0 : i32, 2 : i32, -2 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x3x5x2xf32>) -> tensor<1x3x5x2xf32>
  %b = "tir.pad"(%x) {paddings = [0 : i32, 0 : i32, 1 : i32, -3 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x3x5x2xf32>) -> tensor<1x1x5x2xf32>
  %c = "tir.pad-fix"(%q) {paddings = [0 : i32, 0 : i32, 0 : i32, -1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x5x5x2xi8>) -> tensor<1x4x5x2xi8>
  return %a, %b, %c : tensor<1x3x5x2xf32>, tensor<1x1x5x2xf32>, tensor<1x4x5x2xi8>
}

// Padding on one side only; a stride, at which windows need not reach the end.
// CHECK-LABEL: func.func @slice_into_conv
// CHECK-NOT: tir.strided_slice
// CHECK: tir.conv2d"(%arg0,{{.*}}dilation = [2 : i32, 1 : i32],{{.*}} op_name = "causal", pad = [4 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR"
// CHECK: tir.depthwise-conv2d-fix"(%arg1,{{.*}} pad = [0 : i32, 1 : i32, 1 : i32, 0 : i32]
// CHECK-NOT: tir.strided_slice
func.func @slice_into_conv(%x: tensor<1x1x6x1xf32>, %q: tensor<1x5x6x2xi8>) -> (tensor<1x1x6x2xf32>, tensor<1x2x3x2xi8>) {
  %w = "tir.const"() {value = dense<[[[[1.0], [2.0], [-0.5]]], [[[0.25], [-1.0], [3.0]]]]> : tensor<2x1x3x1xf32>} : () -> tensor<2x1x3x1xf32>
  %v = "tir.const"() {value = dense<"0x84945F764B735F42246D960FDC40078D4B2B"> : tensor<1x3x3x2xi8>} : () -> tensor<1x3x3x2xi8>
  %a = "tir.conv2d"(%x, %w) {op_name = "causal", kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 1 : i32], pad = [4 : i32, 4 : i32, 0 : i32, 0 : i32]} : (tensor<1x1x6x1xf32>, tensor<2x1x3x1xf32>) -> tensor<1x1x10x2xf32>
  %b = "tir.strided_slice"(%a) {op_name = "chomp", begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 1 : i32, 6 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x1x10x2xf32>) -> tensor<1x1x6x2xf32>
  %c = "tir.depthwise-conv2d-fix"(%q, %v) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 1 : i32, 2 : i32], weight_fix_point = 7 : i32} : (tensor<1x5x6x2xi8>, tensor<1x3x3x2xi8>) -> tensor<1x3x4x2xi8>
  %d = "tir.strided_slice-fix"(%c) {begin = [0 : i32, 0 : i32, 1 : i32, 0 : i32], end = [1 : i32, 2 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x3x4x2xi8>) -> tensor<1x2x3x2xi8>
  return %b, %d : tensor<1x1x6x2xf32>, tensor<1x2x3x2xi8>
}

// More than the padding; channels; every second; read by others, too.
// CHECK-LABEL: func.func @slice_into_conv_not
// CHECK-COUNT-4: tir.strided_slice
func.func @slice_into_conv_not(%x: tensor<1x1x6x1xf32>) -> (tensor<1x1x5x2xf32>, tensor<1x1x8x1xf32>, tensor<1x1x4x2xf32>, tensor<1x1x8x2xf32>, tensor<1x1x6x2xf32>) {
  %w = "tir.const"() {value = dense<[[[[1.0], [2.0], [-0.5]]], [[[0.25], [-1.0], [3.0]]]]> : tensor<2x1x3x1xf32>} : () -> tensor<2x1x3x1xf32>
  %a = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32]} : (tensor<1x1x6x1xf32>, tensor<2x1x3x1xf32>) -> tensor<1x1x8x2xf32>
  %b = "tir.strided_slice"(%a) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 1 : i32, 5 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x1x8x2xf32>) -> tensor<1x1x5x2xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 3 : i32, 0 : i32, 0 : i32]} : (tensor<1x1x6x1xf32>, tensor<2x1x3x1xf32>) -> tensor<1x1x8x2xf32>
  %d = "tir.strided_slice"(%c) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 1 : i32, 8 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x1x8x2xf32>) -> tensor<1x1x8x1xf32>
  %e = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [3 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x1x6x1xf32>, tensor<2x1x3x1xf32>) -> tensor<1x1x8x2xf32>
  %f = "tir.strided_slice"(%e) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 1 : i32, 7 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 2 : i32, 1 : i32]} : (tensor<1x1x8x2xf32>) -> tensor<1x1x4x2xf32>
  %g = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [4 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x1x6x1xf32>, tensor<2x1x3x1xf32>) -> tensor<1x1x8x2xf32>
  %h = "tir.strided_slice"(%g) {begin = [0 : i32, 0 : i32, 2 : i32, 0 : i32], end = [1 : i32, 1 : i32, 8 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x1x8x2xf32>) -> tensor<1x1x6x2xf32>
  return %b, %d, %f, %g, %h : tensor<1x1x5x2xf32>, tensor<1x1x8x1xf32>, tensor<1x1x4x2xf32>, tensor<1x1x8x2xf32>, tensor<1x1x6x2xf32>
}
