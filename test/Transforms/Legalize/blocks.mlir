// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact

// CHECK-LABEL: func.func @blocks_into_conv
// CHECK: tir.conv2d-fix"(%arg0,{{.*}}kernel = [6 : i32, 6 : i32]{{.*}}pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]
// CHECK-NEXT: return
func.func @blocks_into_conv(%x: tensor<1x8x8x2xi8>) -> tensor<1x4x4x3xi8> {
  %w = "tir.const"() {value = dense<"0xC45D6F5563562E4D9106E1EF3B0E56FBE39BFF2B8250A79C26BB116DA1AD239F317D4EFA91888C652FFD4E49A6F56543F384737C2B4585A075C8699CCE22F0B9A6805EDEAE7FBE111DE6A0E0E52D1329A7D1C0FED1CA71909BBE964AAC20088607D6CCC99588E6C3BEA304CB09F6EC225676406DE4445918392A1A780CFA195DAA9E355D384828FE9C82E8EBC1D24FAE29614E5C43E1AE9076457F339D798AEC20606DC0F3AEE94F175856617306778D9DF37AA8877995F2900F7BB09670BA74C9AA262BB7E3E7B6E5F1D3791137530F9A23B8646DB6483A"> : tensor<3x3x3x8xi8>} : () -> tensor<3x3x3x8xi8>
  %a = "tir.tile-fix"(%x) {stride = 2 : i32} : (tensor<1x8x8x2xi8>) -> tensor<1x4x4x8xi8>
  %c = "tir.conv2d-fix"(%a, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 7 : i32} : (tensor<1x4x4x8xi8>, tensor<3x3x3x8xi8>) -> tensor<1x4x4x3xi8>
  return %c : tensor<1x4x4x3xi8>
}

// CHECK-LABEL: func.func @crd_blocks_into_conv
// CHECK: tir.conv2d-fix"(%arg0,{{.*}}kernel = [4 : i32, 4 : i32]{{.*}}stride = [4 : i32, 4 : i32]
// CHECK-NEXT: return
func.func @crd_blocks_into_conv(%x: tensor<1x8x8x2xi8>) -> tensor<1x2x2x3xi8> {
  %w = "tir.const"() {value = dense<"0xC1076D9CF21582119CD9313F64A15CB7F03532B6D4B46052EB2524CE234114582771D9E4DFFCF7E21DFD905618D1C0EA09F470DBB320423F2F775F45704BBF6B55E7BD9BB9FDFEEAEED8E5C0B53886D5A20E75085A843885101F53108A59A328"> : tensor<3x2x2x8xi8>} : () -> tensor<3x2x2x8xi8>
  %a = "tir.pixel-shuffle-fix"(%x) {scale = 2 : i32, upscale = false} : (tensor<1x8x8x2xi8>) -> tensor<1x4x4x8xi8>
  %c = "tir.conv2d-fix"(%a, %w) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], weight_fix_point = 7 : i32} : (tensor<1x4x4x8xi8>, tensor<3x2x2x8xi8>) -> tensor<1x2x2x3xi8>
  return %c : tensor<1x2x2x3xi8>
}

// Kernel 18 is more than 16; stride 10 is more than 8.
// CHECK-LABEL: func.func @blocks_too_large
// CHECK-COUNT-2: tir.tile-fix
func.func @blocks_too_large(%x: tensor<1x12x12x1xi8>, %z: tensor<1x20x20x1xi8>) -> (tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>) {
  %w = "tir.const"() {value = dense<"0x6769DD1D41F41557DB7CD1670E7149426EF7C7BA7C0F0F963F1603EDA0A3D8DD661C8065C4DB4F1E3226401618D06FBD2EA735D017D7EA2614B4317A29448DB2DFB1F0C710164D0439F3115D1109DB1895DB532095563222100AD80B8DFBA4CA0E333869E1799C774AC5CDA129214F160C49CB7CA522668FA5DEF06FFF7A0333350B6D6C3249441354541C1BC6F83BD569AF55761E079B85D563E0FCA6838C95F21986CF1D1B9D5F97767080D60EA36BEF97300632001E2444C22AB53CF7CAFD61D5808533FB23BCEF718848379A70B345FE18EF37E4F79872E3E2F66953288D27776310368A7DEB3C5AB4D3E1D8648D6E3343CB98F922E6109A4ABBFEB8B508ADD40D05B951B2BB7B471EB5D228490777F0FC514935C0C9831B9ED496FCCB681CE78C527D4C4DBD0CB5FD3552B8B5AAC7F88D93D8A1D4FF929E8CC78FF1F9B6931EB7CC"> : tensor<1x3x3x36xi8>} : () -> tensor<1x3x3x36xi8>
  %v = "tir.const"() {value = dense<"0xF58D9264252182AA81BECE5D7E7AFB2428D9D51AE1B306F481"> : tensor<1x1x1x25xi8>} : () -> tensor<1x1x1x25xi8>
  %a = "tir.tile-fix"(%x) {stride = 6 : i32} : (tensor<1x12x12x1xi8>) -> tensor<1x2x2x36xi8>
  %c = "tir.conv2d-fix"(%a, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 7 : i32} : (tensor<1x2x2x36xi8>, tensor<1x3x3x36xi8>) -> tensor<1x2x2x1xi8>
  %b = "tir.tile-fix"(%z) {stride = 5 : i32} : (tensor<1x20x20x1xi8>) -> tensor<1x4x4x25xi8>
  %d = "tir.conv2d-fix"(%b, %v) {kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], weight_fix_point = 7 : i32} : (tensor<1x4x4x25xi8>, tensor<1x1x1x25xi8>) -> tensor<1x2x2x1xi8>
  return %c, %d : tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>
}

// A focus layer: every second row and column from each of the first two on, as
// channels. That from the first ones on becomes a pool before.
// CHECK-LABEL: func.func @focus
// CHECK: tir.conv2d"(%arg0,{{.*}}kernel = [6 : i32, 6 : i32]{{.*}}pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]
// CHECK-NEXT: return
func.func @focus(%x: tensor<1x8x6x3xf32>) -> tensor<1x4x3x2xf32> {
  %w = "tir.const"() {value = dense<"0x0000003F000060BF0000903F0000D0BF0000C0BF0000A0BF0000603F0000D0BF000000400000C0BE0000E0BF0000B0BF0000B03F0000A03F0000C0BF000000BE0000B0BF0000B03F0000D0BF000090BF000080BE0000D0BF0000903F0000D0BF000080BE0000E0BF000080BF0000803E0000A03F000060BF000090BF0000C03E000020BF0000A0BF000000BF0000603F0000A0BF0000C0BF0000D0BF0000C0BE0000F03F0000B03F0000003F0000D03F0000D03F0000603F0000C03E000000BE000020BF000000BE0000B0BF0000C03E0000F03F0000203F0000C03F0000803E0000C0BF000090BF000000400000A03F000040BF0000203F000060BF0000F03F0000A03F0000E0BF0000C0BF0000003F0000203F0000403F0000F03F0000D03F0000C0BF0000B0BF0000003E0000E03F0000C0BF0000D0BF0000C03E0000C03F0000803E0000803F0000403F0000F0BF0000D03F0000403F000040BF000090BF0000F03F0000D0BF0000C0BE0000803E000080BF000000BE0000903F0000903F0000F03F0000B0BF000040BF0000C03F0000903F0000003E000080BF0000B03F0000003E0000A03F0000403F0000803F000080BE000060BF0000B0BF000020BF000060BF000080BE000080BE000000C00000F03F000020BF000000000000803E000000C0000060BF0000A03F0000603F0000003F000080BF000000400000D0BF0000D03F0000903F0000903F0000903F0000903F0000A0BF0000E03F0000903F0000D0BF000000BF0000C0BF0000C0BE0000C03F000040BF000090BF0000203F0000D0BF0000A0BF000000C0000060BF0000A0BF0000603F0000F0BF0000C0BF0000C0BE0000803F000060BF000000000000403F0000603F0000E03F000090BF000090BF0000F03F0000D03F0000E03F0000E03F0000C03E0000B0BF000060BF0000A0BF0000203F000000000000E03F000040BF0000F0BF0000C0BE0000603F000060BF0000F0BF0000C03E0000B0BF000000000000603F000040BF0000403F000080BE000000400000203F000080BE000000BF000000BE0000903F000080BE000000BF0000F03F0000403F0000F0BF0000F0BF0000003E0000E03F00000000000000BF0000403F0000C03F0000403F0000603F0000B0BF000080BE0000A0BF000080BE0000E03F000000BF0000203F0000C0BE0000E03F000000C00000E03F"> : tensor<2x3x3x12xf32>} : () -> tensor<2x3x3x12xf32>
  %a = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 8 : i32, 6 : i32, 3 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x8x6x3xf32>) -> tensor<1x4x3x3xf32>
  %b = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 8 : i32, 6 : i32, 3 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x8x6x3xf32>) -> tensor<1x4x3x3xf32>
  %c = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 1 : i32, 0 : i32], end = [1 : i32, 8 : i32, 6 : i32, 3 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x8x6x3xf32>) -> tensor<1x4x3x3xf32>
  %d = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 1 : i32, 0 : i32], end = [1 : i32, 8 : i32, 6 : i32, 3 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x8x6x3xf32>) -> tensor<1x4x3x3xf32>
  %j = "tir.concat"(%a, %b, %c, %d) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x12xf32>
  %y = "tir.conv2d"(%j, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32]} : (tensor<1x4x3x12xf32>, tensor<2x3x3x12xf32>) -> tensor<1x4x3x2xf32>
  return %y : tensor<1x4x3x2xf32>
}

// The same in NCHW, and in another order.
// CHECK-LABEL: func.func @focus_nchw
// CHECK: %[[X:.*]] = "tir.transpose"(%arg0)
// CHECK: tir.conv2d"(%[[X]],{{.*}}kernel = [2 : i32, 4 : i32]{{.*}}stride = [2 : i32, 4 : i32]
// CHECK-NEXT: return
func.func @focus_nchw(%x: tensor<1x2x8x6xf32>) -> tensor<1x2x3x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000403F0000B0BF000090BF0000803F000000BF0000E03F000020BF0000B03F0000203F0000B0BF0000903F0000D03F0000903F0000B0BF000040BF000040BF000080BF0000F0BF000060BF0000D03F000060BF0000E03F0000403F000060BF000080BF0000F0BF000000C00000A0BF000080BF0000B03F000000BF0000C0BE0000F0BF000000000000C0BE0000803E00000040000000BE0000003F000000000000A03F000080BF0000D0BF0000403F0000D03F0000A03F00000040000080BF"> : tensor<3x1x1x16xf32>} : () -> tensor<3x1x1x16xf32>
  %s0 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 2 : i32, 1 : i32], end = [1 : i32, 2 : i32, 8 : i32, 6 : i32], strides = [1 : i32, 1 : i32, 4 : i32, 2 : i32]} : (tensor<1x2x8x6xf32>) -> tensor<1x2x2x3xf32>
  %s1 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 2 : i32, 8 : i32, 6 : i32], strides = [1 : i32, 1 : i32, 4 : i32, 2 : i32]} : (tensor<1x2x8x6xf32>) -> tensor<1x2x2x3xf32>
  %s2 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 3 : i32, 1 : i32], end = [1 : i32, 2 : i32, 8 : i32, 6 : i32], strides = [1 : i32, 1 : i32, 4 : i32, 2 : i32]} : (tensor<1x2x8x6xf32>) -> tensor<1x2x2x3xf32>
  %s3 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 1 : i32, 1 : i32], end = [1 : i32, 2 : i32, 8 : i32, 6 : i32], strides = [1 : i32, 1 : i32, 4 : i32, 2 : i32]} : (tensor<1x2x8x6xf32>) -> tensor<1x2x2x3xf32>
  %s4 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 2 : i32, 0 : i32], end = [1 : i32, 2 : i32, 8 : i32, 6 : i32], strides = [1 : i32, 1 : i32, 4 : i32, 2 : i32]} : (tensor<1x2x8x6xf32>) -> tensor<1x2x2x3xf32>
  %s5 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 2 : i32, 8 : i32, 6 : i32], strides = [1 : i32, 1 : i32, 4 : i32, 2 : i32]} : (tensor<1x2x8x6xf32>) -> tensor<1x2x2x3xf32>
  %s6 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 3 : i32, 0 : i32], end = [1 : i32, 2 : i32, 8 : i32, 6 : i32], strides = [1 : i32, 1 : i32, 4 : i32, 2 : i32]} : (tensor<1x2x8x6xf32>) -> tensor<1x2x2x3xf32>
  %s7 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 1 : i32, 0 : i32], end = [1 : i32, 2 : i32, 8 : i32, 6 : i32], strides = [1 : i32, 1 : i32, 4 : i32, 2 : i32]} : (tensor<1x2x8x6xf32>) -> tensor<1x2x2x3xf32>
  %j = "tir.concat"(%s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) -> tensor<1x16x2x3xf32>
  %t = "tir.transpose"(%j) {order = [0 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x16x2x3xf32>) -> tensor<1x2x3x16xf32>
  %y = "tir.conv2d"(%t, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x2x3x16xf32>, tensor<3x1x1x16xf32>) -> tensor<1x2x3x3xf32>
  return %y : tensor<1x2x3x3xf32>
}

// In fixed point; the channels of one position come in two slices.
// CHECK-LABEL: func.func @focus_fixed
// CHECK: tir.conv2d-fix"(%arg0,{{.*}}kernel = [2 : i32, 1 : i32]{{.*}}stride = [2 : i32, 1 : i32]
// CHECK-NEXT: return
func.func @focus_fixed(%x: tensor<1x3x4x3xi8>) -> tensor<1x3x2x2xi8> {
  %w = "tir.const"() {value = dense<"0x4D09E15D024C5848F23D1FA6"> : tensor<2x1x1x6xi8>} : () -> tensor<2x1x1x6xi8>
  %a = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 1 : i32, 0 : i32], end = [1 : i32, 3 : i32, 4 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 2 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x3x4x3xi8>) -> tensor<1x3x2x3xi8>
  %b = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 2 : i32], end = [1 : i32, 3 : i32, 4 : i32, 3 : i32], strides = [1 : i32, 1 : i32, 2 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x3x4x3xi8>) -> tensor<1x3x2x1xi8>
  %c = "tir.strided_slice-fix"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 2 : i32, 1 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x3x4x3xi8>) -> tensor<1x3x2x2xi8>
  %j = "tir.concat-fix"(%a, %b, %c) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [5 : i32, 5 : i32, 5 : i32], output_fix_point = 5 : i32} : (tensor<1x3x2x3xi8>, tensor<1x3x2x1xi8>, tensor<1x3x2x2xi8>) -> tensor<1x3x2x6xi8>
  %y = "tir.conv2d-fix"(%j, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 5 : i32, weight_fix_point = 7 : i32, output_fix_point = 4 : i32} : (tensor<1x3x2x6xi8>, tensor<2x1x1x6xi8>) -> tensor<1x3x2x2xi8>
  return %y : tensor<1x3x2x2xi8>
}

// One position comes twice.
// CHECK-LABEL: func.func @focus_twice
// CHECK: tir.concat
func.func @focus_twice(%x: tensor<1x4x4x1xf32>, %z: tensor<1x4x4x1xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<"0x0000E03F0000A0BF0000D0BF000000BE000000BF0000003E0000E0BF0000A0BF"> : tensor<2x1x1x4xf32>} : () -> tensor<2x1x1x4xf32>
  %s0 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 3 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %s1 = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 3 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %s2 = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 3 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %s3 = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 1 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %j = "tir.concat"(%s0, %s1, %s2, %s3) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x4xf32>
  %y = "tir.conv2d"(%j, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x2x2x4xf32>, tensor<2x1x1x4xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}

// One position is missing.
// CHECK-LABEL: func.func @focus_missing
// CHECK: tir.concat
func.func @focus_missing(%x: tensor<1x4x4x1xf32>, %z: tensor<1x4x4x1xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<"0x000000400000C03F0000F0BF0000C0BF0000C03F0000003F"> : tensor<2x1x1x3xf32>} : () -> tensor<2x1x1x3xf32>
  %s0 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 1 : i32, 0 : i32], end = [1 : i32, 3 : i32, 4 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %s1 = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 3 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %s2 = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 1 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %j = "tir.concat"(%s0, %s1, %s2) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x3xf32>
  %y = "tir.conv2d"(%j, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x2x2x3xf32>, tensor<2x1x1x3xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}

// Of two images.
// CHECK-LABEL: func.func @focus_of_two
// CHECK: tir.concat
func.func @focus_of_two(%x: tensor<1x4x4x1xf32>, %z: tensor<1x4x4x1xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<"0x0000004000000040000000BF0000003E0000C03F000000400000E03F00000040"> : tensor<2x1x1x4xf32>} : () -> tensor<2x1x1x4xf32>
  %s0 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 1 : i32, 0 : i32], end = [1 : i32, 3 : i32, 4 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %s1 = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 3 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %s2 = "tir.strided_slice"(%z) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 3 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %s3 = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 1 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %j = "tir.concat"(%s0, %s1, %s2, %s3) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x4xf32>
  %y = "tir.conv2d"(%j, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x2x2x4xf32>, tensor<2x1x1x4xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}

// The last row and column belong to no block.
// CHECK-LABEL: func.func @focus_odd
// CHECK: tir.concat
func.func @focus_odd(%x: tensor<1x5x5x1xf32>, %z: tensor<1x5x5x1xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tir.const"() {value = dense<"0x000000BE00000000000000BF0000C03F000080BF0000A03F000090BF0000903F"> : tensor<2x1x1x4xf32>} : () -> tensor<2x1x1x4xf32>
  %s0 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 3 : i32, 3 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x5x5x1xf32>) -> tensor<1x2x2x1xf32>
  %s1 = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 3 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x5x5x1xf32>) -> tensor<1x2x2x1xf32>
  %s2 = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 1 : i32, 0 : i32], end = [1 : i32, 3 : i32, 4 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x5x5x1xf32>) -> tensor<1x2x2x1xf32>
  %s3 = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 1 : i32, 0 : i32], end = [1 : i32, 4 : i32, 4 : i32, 1 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x5x5x1xf32>) -> tensor<1x2x2x1xf32>
  %j = "tir.concat"(%s0, %s1, %s2, %s3) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x4xf32>
  %y = "tir.conv2d"(%j, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x2x2x4xf32>, tensor<2x1x1x4xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}
