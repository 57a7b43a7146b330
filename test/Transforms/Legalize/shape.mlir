// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact

// CHECK-LABEL: func.func @reshapes
// CHECK-NEXT: tir.reshape"(%arg0) {op_name = "s", shape = [2 : i32, 3 : i32, 8 : i32]}
// CHECK-NEXT: tir.reshape"(%{{.*}}) {shape = [2 : i32, 24 : i32]}
// CHECK-NEXT: return
func.func @reshapes(%x: tensor<2x3x1x8xf32>) -> tensor<2x24xf32> {
  %a = "tir.squeeze"(%x) {axis = [2 : i32], op_name = "s"} : (tensor<2x3x1x8xf32>) -> tensor<2x3x8xf32>
  %b = "tir.flatten"(%a) : (tensor<2x3x8xf32>) -> tensor<2x24xf32>
  return %b : tensor<2x24xf32>
}

// CHECK-LABEL: func.func @stack
// CHECK-NEXT: %[[A:.*]] = "tir.reshape"(%arg0) {shape = [2 : i32, 1 : i32, 3 : i32]}
// CHECK-NEXT: %[[B:.*]] = "tir.reshape"(%arg1) {shape = [2 : i32, 1 : i32, 3 : i32]}
// CHECK-NEXT: tir.concat"(%[[A]], %[[B]]) {axis = 1 : i32
// CHECK-NEXT: return
func.func @stack(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x2x3xf32> {
  %a = "tir.stack"(%x, %y) {axis = -2 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
  return %a : tensor<2x2x3xf32>
}

// A transpose is no reshape here, a concat no stack.
// CHECK-LABEL: func.func @neither
// CHECK-NEXT: tir.transpose
// CHECK-NEXT: tir.concat
func.func @neither(%x: tensor<2x3xf32>) -> tensor<6x2xf32> {
  %a = "tir.transpose"(%x) {order = [1 : i32, 0 : i32]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %b = "tir.concat"(%a, %a) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
  return %b : tensor<6x2xf32>
}

// CHECK-LABEL: func.func @tilings
// CHECK-NEXT: tir.gstiling"(%arg0) {reverse = true, stride = 2 : i32}
// CHECK-NEXT: tir.gstiling"(%{{.*}}) {reverse = false, stride = 2 : i32}
// CHECK-NEXT: tir.gstiling"(%{{.*}}) {reverse = true, stride = 2 : i32}
// CHECK-NEXT: tir.tile-fix"(%arg1) {input_fix_point = 3 : i32, output_fix_point = 2 : i32, reverse = false, stride = 2 : i32}
// CHECK-NEXT: return
func.func @tilings(%x: tensor<1x2x3x8xf32>, %q: tensor<1x4x4x2xi8>) -> (tensor<1x4x6x2xf32>, tensor<1x2x2x8xi8>) {
  %a = "tir.pixel-shuffle"(%x) {scale = 2 : i32, mode = "DCR"} : (tensor<1x2x3x8xf32>) -> tensor<1x4x6x2xf32>
  %b = "tir.pixel-shuffle"(%a) {scale = 2 : i32, mode = "DCR", upscale = false} : (tensor<1x4x6x2xf32>) -> tensor<1x2x3x8xf32>
  %c = "tir.reorg"(%b) {scale = 2 : i32, reverse = true} : (tensor<1x2x3x8xf32>) -> tensor<1x4x6x2xf32>
  %d = "tir.reorg-fix"(%q) {scale = 2 : i32, input_fix_point = 3 : i32, output_fix_point = 2 : i32} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x8xi8>
  return %c, %d : tensor<1x4x6x2xf32>, tensor<1x2x2x8xi8>
}

// CRD needs a convolution in front whose channels can be reordered.
// CHECK-LABEL: func.func @shuffle_alone
// CHECK: tir.pixel-shuffle
// CHECK: tir.pixel-shuffle
func.func @shuffle_alone(%x: tensor<1x2x3x8xf32>) -> (tensor<1x4x6x2xf32>, tensor<1x2x3x8xf32>) {
  %a = "tir.pixel-shuffle"(%x) {scale = 2 : i32} : (tensor<1x2x3x8xf32>) -> tensor<1x4x6x2xf32>
  %b = "tir.pixel-shuffle"(%a) {scale = 2 : i32, upscale = false} : (tensor<1x4x6x2xf32>) -> tensor<1x2x3x8xf32>
  return %a, %b : tensor<1x4x6x2xf32>, tensor<1x2x3x8xf32>
}

// CHECK-LABEL: func.func @shuffle_after_conv
// CHECK-NOT: pixel-shuffle
// CHECK: tir.conv2d"(%arg0
// CHECK-NEXT: tir.gstiling"{{.*}}reverse = true
func.func @shuffle_after_conv(%x: tensor<1x3x3x2xf32>) -> tensor<1x6x6x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000E0BF000090BF00000040000000BF0000903F0000403F0000803E000060BF000000000000A0BF000000000000A03F0000003F0000003E0000A0BF0000003F0000C03E0000F0BF000000BF0000C0BF000000BF000090BF0000D03F0000803F"> : tensor<12x1x1x2xf32>} : () -> tensor<12x1x1x2xf32>
  %b = "tir.const"() {value = dense<"0x000060BF000000000000A0BF0000003F000040BF0000F0BF0000A03F0000A03F0000C0BF0000A0BF000080BF0000003F"> : tensor<12xf32>} : () -> tensor<12xf32>
  %c = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<12x1x1x2xf32>, tensor<12xf32>) -> tensor<1x3x3x12xf32>
  %y = "tir.pixel-shuffle"(%c) {scale = 2 : i32} : (tensor<1x3x3x12xf32>) -> tensor<1x6x6x3xf32>
  return %y : tensor<1x6x6x3xf32>
}

// CHECK-LABEL: func.func @shuffle_after_conv_fix
// CHECK-NOT: pixel-shuffle
// CHECK: tir.tile-fix"{{.*}}input_fix_point = 4 : i32, output_fix_point = 3 : i32, reverse = true
func.func @shuffle_after_conv_fix(%x: tensor<1x3x3x2xi8>) -> tensor<1x9x9x2xi8> {
  %w = "tir.const"() {value = dense<"0x54D6D690F56EF35D780107BDDB234A767715DFD0E211A8FE3BBC0B4F2D3F0AE852AFCDF84D5F13F07826656A243EF3C666AE4AD195BAE7C5A2F8C5880D2F51FD01FB2371A3395C57B2AAB19C7D34562159DBBF51127BD05307B1FBC07E7D5323E0D0F71D931A849411D67F57C923AD4A4DF5198147F50E6CBB4EBCDAF8F49D478D4705C3400C87A67FD783CF46444830CB305F0CE448243C90409BA6CAFC70555C5EC167171D04C6ED20CB597781A0157DC74F9E97FA321EA59E956120A667B521A2D7372625E50AE2F1C7CD24730C18DE157E8DCFDAE979CCC5A7F9742B13F558FBBE6EE6867DF6FFC59CC30352A0679FC84A2E59289AC0EC3755DD69ABBE6085290EA4824E667A8EC250C9EFCDDFEB8F59C48B32606E11B3BC092614CBE1E67A034B309E61E8BD01BD5545DD199E60D5CE7D73EF092529DF604D1EFEFBF1AD4E8A4EB4"> : tensor<18x3x3x2xi8>} : () -> tensor<18x3x3x2xi8>
  %b = "tir.const"() {value = dense<"0x477C0CE45E3DB028768919A35BDC180A879F"> : tensor<18xi8>} : () -> tensor<18xi8>
  %c = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 7 : i32, bias_fix_point = 6 : i32, output_fix_point = 0 : i32} : (tensor<1x3x3x2xi8>, tensor<18x3x3x2xi8>, tensor<18xi8>) -> tensor<1x3x3x18xi8>
  %y = "tir.pixel-shuffle-fix"(%c) {scale = 3 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x3x3x18xi8>) -> tensor<1x9x9x2xi8>
  return %y : tensor<1x9x9x2xi8>
}

// The convolution is used twice.
// CHECK-LABEL: func.func @shuffle_of_shared
// CHECK: tir.pixel-shuffle
func.func @shuffle_of_shared(%x: tensor<1x3x3x2xf32>) -> (tensor<1x6x6x3xf32>, tensor<1x3x3x12xf32>) {
  %w = "tir.const"() {value = dense<"0x0000803E0000B0BF0000F0BF0000C03E0000B03F0000803F0000403F000080BF000000BF0000003E0000C03F000000C0000080BE0000D03F0000F0BF0000A0BF0000B0BF0000F03F0000A03F0000F0BF000000400000B03F0000403F0000D0BF"> : tensor<12x1x1x2xf32>} : () -> tensor<12x1x1x2xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<12x1x1x2xf32>) -> tensor<1x3x3x12xf32>
  %y = "tir.pixel-shuffle"(%c) {scale = 2 : i32} : (tensor<1x3x3x12xf32>) -> tensor<1x6x6x3xf32>
  return %y, %c : tensor<1x6x6x3xf32>, tensor<1x3x3x12xf32>
}

// CHECK-LABEL: func.func @channel_shuffle
// CHECK-NOT: tir.transpose
// CHECK: tir.conv2d"(%arg0
// CHECK-NEXT: tir.relu"
// CHECK-NEXT: return
func.func @channel_shuffle(%x: tensor<1x3x3x2xf32>) -> tensor<1x3x3x6xf32> {
  %w = "tir.const"() {value = dense<"0x000090BF000080BF000020BF000080BE000080BF0000D03F0000A03F0000C0BE0000C0BE000060BF0000903F000040BF"> : tensor<6x1x1x2xf32>} : () -> tensor<6x1x1x2xf32>
  %b = "tir.const"() {value = dense<"0x0000C0BF0000403F0000803E0000B0BF000000400000403F"> : tensor<6xf32>} : () -> tensor<6xf32>
  %c = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<6x1x1x2xf32>, tensor<6xf32>) -> tensor<1x3x3x6xf32>
  %r = "tir.relu"(%c) : (tensor<1x3x3x6xf32>) -> tensor<1x3x3x6xf32>
  %d = "tir.reshape"(%r) {shape = [1 : i32, 3 : i32, 3 : i32, 2 : i32, 3 : i32]} : (tensor<1x3x3x6xf32>) -> tensor<1x3x3x2x3xf32>
  %e = "tir.transpose"(%d) {order = [0 : i32, 1 : i32, 2 : i32, 4 : i32, 3 : i32]} : (tensor<1x3x3x2x3xf32>) -> tensor<1x3x3x3x2xf32>
  %f = "tir.reshape"(%e) {shape = [1 : i32, 3 : i32, 3 : i32, 6 : i32]} : (tensor<1x3x3x3x2xf32>) -> tensor<1x3x3x6xf32>
  return %f : tensor<1x3x3x6xf32>
}

// CHECK-LABEL: func.func @channel_shuffle_fix
// CHECK-NOT: tir.transpose-fix
// CHECK: tir.conv2d-fix"(%arg0
// CHECK-NEXT: return
func.func @channel_shuffle_fix(%x: tensor<1x3x3x2xi8>) -> tensor<1x3x3x6xi8> {
  %w = "tir.const"() {value = dense<"0x940F6B8318CBC04429EC037C"> : tensor<6x1x1x2xi8>} : () -> tensor<6x1x1x2xi8>
  %c = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_point = 7 : i32} : (tensor<1x3x3x2xi8>, tensor<6x1x1x2xi8>) -> tensor<1x3x3x6xi8>
  %d = "tir.reshape-fix"(%c) {shape = [1 : i32, 3 : i32, 3 : i32, 3 : i32, 2 : i32]} : (tensor<1x3x3x6xi8>) -> tensor<1x3x3x3x2xi8>
  %e = "tir.transpose-fix"(%d) {order = [0 : i32, 1 : i32, 2 : i32, 4 : i32, 3 : i32]} : (tensor<1x3x3x3x2xi8>) -> tensor<1x3x3x2x3xi8>
  %f = "tir.reshape-fix"(%e) {shape = [1 : i32, 3 : i32, 3 : i32, 6 : i32]} : (tensor<1x3x3x2x3xi8>) -> tensor<1x3x3x6xi8>
  return %f : tensor<1x3x3x6xi8>
}

// Rows take part; the shuffled channels go on as five dimensions.
// CHECK-LABEL: func.func @channel_shuffle_not
// CHECK-COUNT-2: tir.transpose
func.func @channel_shuffle_not(%x: tensor<1x3x3x2xf32>) -> (tensor<1x3x3x6xf32>, tensor<1x3x9x2xf32>) {
  %w = "tir.const"() {value = dense<"0x000000C00000E03F000090BF0000903F000060BF0000E0BF000080BF000090BF000080BE000080BF000060BF0000E0BF"> : tensor<6x1x1x2xf32>} : () -> tensor<6x1x1x2xf32>
  %v = "tir.const"() {value = dense<"0x0000C0BF0000C0BE000060BF0000C03E000000BE0000F03F0000F0BF0000E0BF0000A0BF0000003F000000400000203F"> : tensor<6x1x1x2xf32>} : () -> tensor<6x1x1x2xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<6x1x1x2xf32>) -> tensor<1x3x3x6xf32>
  %d = "tir.reshape"(%c) {shape = [1 : i32, 3 : i32, 1 : i32, 9 : i32, 2 : i32]} : (tensor<1x3x3x6xf32>) -> tensor<1x3x1x9x2xf32>
  %e = "tir.transpose"(%d) {order = [0 : i32, 1 : i32, 2 : i32, 4 : i32, 3 : i32]} : (tensor<1x3x1x9x2xf32>) -> tensor<1x3x1x2x9xf32>
  %f = "tir.reshape"(%e) {shape = [1 : i32, 3 : i32, 3 : i32, 6 : i32]} : (tensor<1x3x1x2x9xf32>) -> tensor<1x3x3x6xf32>
  %g = "tir.conv2d"(%x, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<6x1x1x2xf32>) -> tensor<1x3x3x6xf32>
  %h = "tir.reshape"(%g) {shape = [1 : i32, 3 : i32, 3 : i32, 2 : i32, 3 : i32]} : (tensor<1x3x3x6xf32>) -> tensor<1x3x3x2x3xf32>
  %i = "tir.transpose"(%h) {order = [0 : i32, 1 : i32, 2 : i32, 4 : i32, 3 : i32]} : (tensor<1x3x3x2x3xf32>) -> tensor<1x3x3x3x2xf32>
  %j = "tir.reshape"(%i) {shape = [1 : i32, 3 : i32, 9 : i32, 2 : i32]} : (tensor<1x3x3x3x2xf32>) -> tensor<1x3x9x2xf32>
  return %f, %j : tensor<1x3x3x6xf32>, tensor<1x3x9x2xf32>
}

// Lists of fix points are those of neighbours: their channels stay in order, and
// another convolution moves them.
// CHECK-LABEL: func.func @shuffle_after_groups
// CHECK: dense<{{\[+}}-108, 15]]], {{\[+}}107, -125]]], {{\[+}}24
// CHECK: tir.conv2d-fix"{{.*}}weight_fix_points = [7 : i32, 4 : i32]
// CHECK: tir.conv2d-fix"{{.*}}weight_fix_point = 0
// CHECK: tir.tile-fix
// CHECK: dense<{{\[+}}-108, 15]]], {{\[+}}107, -125]]], {{\[+}}24
// CHECK: tir.conv2d-fix"{{.*}}weight_fix_points = [7 : i32, 4 : i32]
// CHECK: tir.conv2d-fix"{{.*}}weight_fix_point = 0
func.func @shuffle_after_groups(%x: tensor<1x3x3x2xi8>) -> (tensor<1x6x6x3xi8>, tensor<1x3x3x12xi8>) {
  %w = "tir.const"() {value = dense<"0x940F6B8318CBC04429EC037C940F6B8318CBC04429EC037C"> : tensor<12x1x1x2xi8>} : () -> tensor<12x1x1x2xi8>
  %c = "tir.conv2d-fix"(%x, %w) {fix_point_channels = 8 : i32, kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_points = [7 : i32, 4 : i32]} : (tensor<1x3x3x2xi8>, tensor<12x1x1x2xi8>) -> tensor<1x3x3x12xi8>
  %y = "tir.pixel-shuffle-fix"(%c) {scale = 2 : i32} : (tensor<1x3x3x12xi8>) -> tensor<1x6x6x3xi8>
  %v = "tir.const"() {value = dense<"0x940F6B8318CBC04429EC037C940F6B8318CBC04429EC0370"> : tensor<12x1x1x2xi8>} : () -> tensor<12x1x1x2xi8>
  %d = "tir.conv2d-fix"(%x, %v) {fix_point_channels = 8 : i32, kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], weight_fix_points = [7 : i32, 4 : i32]} : (tensor<1x3x3x2xi8>, tensor<12x1x1x2xi8>) -> tensor<1x3x3x12xi8>
  %e = "tir.reshape-fix"(%d) {shape = [1 : i32, 3 : i32, 3 : i32, 3 : i32, 4 : i32]} : (tensor<1x3x3x12xi8>) -> tensor<1x3x3x3x4xi8>
  %f = "tir.transpose-fix"(%e) {order = [0 : i32, 1 : i32, 2 : i32, 4 : i32, 3 : i32]} : (tensor<1x3x3x3x4xi8>) -> tensor<1x3x3x4x3xi8>
  %g = "tir.reshape-fix"(%f) {shape = [1 : i32, 3 : i32, 3 : i32, 12 : i32]} : (tensor<1x3x3x4x3xi8>) -> tensor<1x3x3x12xi8>
  return %y, %g : tensor<1x6x6x3xi8>, tensor<1x3x3x12xi8>
}

// A pixel shuffle into channels that come channel first is a tiling whose
// channels a convolution puts in order, and the tiling is its stride.
// CHECK-LABEL: func.func @unshuffle
// CHECK-NOT: pixel-shuffle
// CHECK: tir.conv2d-fix"(%arg0, {{.*}}kernel = [2 : i32, 2 : i32], {{.*}}stride = [2 : i32, 2 : i32]
// CHECK-SAME: -> tensor<1x2x3x12xi8>
func.func @unshuffle(%x: tensor<1x4x6x3xi8>) -> tensor<1x2x3x12xi8> {
  %y = "tir.pixel-shuffle-fix"(%x) {scale = 2 : i32, upscale = false, mode = "CRD"} : (tensor<1x4x6x3xi8>) -> tensor<1x2x3x12xi8>
  return %y : tensor<1x2x3x12xi8>
}

// A decoder's first layer computes one pixel, which becomes an image of NCHW: its
// channels come in the order of NHWC instead.
// CHECK-LABEL: func.func @pixel_into_image
// CHECK: "tir.conv2d-fix"(%arg0, {{.*}} -> tensor<1x1x1x12xi8>
// CHECK-NEXT: %[[A:.*]] = "tir.relu-fix"
// CHECK-NEXT: %[[R:.*]] = "tir.reshape-fix"(%[[A]]){{.*}} -> tensor<1x2x2x3xi8>
// CHECK-NEXT: return %[[R]]
func.func @pixel_into_image(%x: tensor<1x1x1x2xi8>) -> tensor<1x2x2x3xi8> {
  %w = "tir.const"() {value = dense<[[[[1, 2]]], [[[-3, 4]]], [[[5, 6]]], [[[7, -8]]], [[[9, 10]]], [[[11, 12]]], [[[-13, 14]]], [[[15, 16]]], [[[17, 18]]], [[[19, -20]]], [[[21, 22]]], [[[23, 24]]]]> : tensor<12x1x1x2xi8>} : () -> tensor<12x1x1x2xi8>
  %b = "tir.const"() {value = dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]> : tensor<12xi8>} : () -> tensor<12xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 5 : i32, bias_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x1x1x2xi8>, tensor<12x1x1x2xi8>, tensor<12xi8>) -> tensor<1x1x1x12xi8>
  %1 = "tir.relu-fix"(%0) {input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x1x1x12xi8>) -> tensor<1x1x1x12xi8>
  %2 = "tir.reshape-fix"(%1) {shape = [1 : i32, 3 : i32, 2 : i32, 2 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x1x1x12xi8>) -> tensor<1x3x2x2xi8>
  %3 = "tir.transpose-fix"(%2) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x3x2x2xi8>) -> tensor<1x2x2x3xi8>
  return %3 : tensor<1x2x2x3xi8>
}

// Not where something else reads the pixel as well.
// CHECK-LABEL: func.func @pixel_for_others
// CHECK: tir.transpose-fix
func.func @pixel_for_others(%x: tensor<1x1x1x2xi8>) -> (tensor<1x2x2x3xi8>, tensor<1x1x1x12xi8>) {
  %w = "tir.const"() {value = dense<1> : tensor<12x1x1x2xi8>} : () -> tensor<12x1x1x2xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x1x1x2xi8>, tensor<12x1x1x2xi8>) -> tensor<1x1x1x12xi8>
  %2 = "tir.reshape-fix"(%0) {shape = [1 : i32, 3 : i32, 2 : i32, 2 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x1x1x12xi8>) -> tensor<1x3x2x2xi8>
  %3 = "tir.transpose-fix"(%2) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x3x2x2xi8>) -> tensor<1x2x2x3xi8>
  return %3, %0 : tensor<1x2x2x3xi8>, tensor<1x1x1x12xi8>
}

// Channels of a signal are shuffled with its pixels in one dimension.
// CHECK-LABEL: func.func @shuffle_of_signal
// CHECK: %[[C:.*]] = "tir.conv2d-fix"(%arg0, {{.*}} -> tensor<1x1x3x6xi8>
// CHECK-NEXT: return %[[C]]
func.func @shuffle_of_signal(%x: tensor<1x1x3x2xi8>) -> tensor<1x1x3x6xi8> {
  %w = "tir.const"() {value = dense<[[[[1, 2]]], [[[-3, 4]]], [[[5, 6]]], [[[7, -8]]], [[[9, 10]]], [[[11, 12]]]]> : tensor<6x1x1x2xi8>} : () -> tensor<6x1x1x2xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x1x3x2xi8>, tensor<6x1x1x2xi8>) -> tensor<1x1x3x6xi8>
  %1 = "tir.reshape-fix"(%0) {shape = [1 : i32, 3 : i32, 2 : i32, 3 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x1x3x6xi8>) -> tensor<1x3x2x3xi8>
  %2 = "tir.transpose-fix"(%1) {order = [0 : i32, 1 : i32, 3 : i32, 2 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x3x2x3xi8>) -> tensor<1x3x3x2xi8>
  %3 = "tir.reshape-fix"(%2) {shape = [1 : i32, 1 : i32, 3 : i32, 6 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x3x3x2xi8>) -> tensor<1x1x3x6xi8>
  return %3 : tensor<1x1x3x6xi8>
}

// The activation between a convolution and its pixel shuffle stays between them.
// CHECK-LABEL: func.func @shuffle_after_activation
// CHECK: tir.conv2d
// CHECK-NEXT: tir.leaky-relu
// CHECK-NEXT: tir.gstiling
// CHECK-NEXT: return
func.func @shuffle_after_activation(%x: tensor<1x3x3x1xf32>) -> tensor<1x6x6x2xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]], [[[-5.0]]], [[[6.0]]], [[[7.0]]], [[[8.0]]]]> : tensor<8x1x1x1xf32>} : () -> tensor<8x1x1x1xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x1xf32>, tensor<8x1x1x1xf32>) -> tensor<1x3x3x8xf32>
  %a = "tir.leaky-relu"(%c) {alpha = 0.2 : f32} : (tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32>
  %y = "tir.pixel-shuffle"(%a) {scale = 2 : i32} : (tensor<1x3x3x8xf32>) -> tensor<1x6x6x2xf32>
  return %y : tensor<1x6x6x2xf32>
}
