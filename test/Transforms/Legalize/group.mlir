// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{only=group-as-depthwise})' %s | FileCheck %s --check-prefix=ALONE
// RUN: RewriteEqualTest %s tir-legalize
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=%S/Inputs/guide.json})' %s | FileCheck %s --check-prefix=GUIDE
// RUN: RewriteEqualTest %s tir-legalize target=%S/Inputs/guide.json

// Two outputs per channel are none of the depthwise engine's in the end.
// ALONE-LABEL: func.func @depthwise(
// ALONE: tir.const{{.*}}tensor<2x3x3x4xf32>
// ALONE: tir.depthwise-conv2d"{{.*}}group = 1 : i32
// ALONE-NEXT: return
// CHECK-LABEL: func.func @depthwise(
// CHECK: tir.conv2d"{{.*}}group = 1 : i32{{.*}}tensor<8x3x3x4xf32>
// CHECK-NEXT: return
func.func @depthwise(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x2x8xf32> {
  %w = "tir.const"() {value = dense<"0x0000003F000060BF0000903F0000D0BF0000C0BF0000A0BF0000603F0000D0BF000000400000C0BE0000E0BF0000B0BF0000B03F0000A03F0000C0BF000000BE0000B0BF0000B03F0000D0BF000090BF000080BE0000D0BF0000903F0000D0BF000080BE0000E0BF000080BF0000803E0000A03F000060BF000090BF0000C03E000020BF0000A0BF000000BF0000603F0000A0BF0000C0BF0000D0BF0000C0BE0000F03F0000B03F0000003F0000D03F0000D03F0000603F0000C03E000000BE000020BF000000BE0000B0BF0000C03E0000F03F0000203F0000C03F0000803E0000C0BF000090BF000000400000A03F000040BF0000203F000060BF0000F03F0000A03F0000E0BF0000C0BF0000003F0000203F0000403F0000F03F0000D03F"> : tensor<8x3x3x1xf32>} : () -> tensor<8x3x3x1xf32>
  %b = "tir.const"() {value = dense<"0x000080BE0000603F0000803F000080BF000000BF0000E0BF0000B0BF000080BF"> : tensor<8xf32>} : () -> tensor<8xf32>
  %y = "tir.conv2d"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], group = 4 : i32} : (tensor<1x4x4x4xf32>, tensor<8x3x3x1xf32>, tensor<8xf32>) -> tensor<1x2x2x8xf32>
  return %y : tensor<1x2x2x8xf32>
}

// ALONE-LABEL: func.func @depthwise_transposed
// ALONE: tir.transposed-depthwise-conv2d-fix"
// ALONE-NEXT: return
// CHECK-LABEL: func.func @depthwise_transposed
// CHECK: tir.transposed-conv2d-fix"{{.*}}group = 1 : i32{{.*}}tensor<16x2x1x4xi8>
// CHECK-NEXT: tir.reshape-fix"{{.*}}tensor<1x4x4x8xi8>
// CHECK-NEXT: return
func.func @depthwise_transposed(%x: tensor<1x2x2x4xi8>) -> tensor<1x4x4x8xi8> {
  %w = "tir.const"() {value = dense<"0xEDBF88465F03ADED29AB14C256E7D85056791A384320C434956872D72C886BCB"> : tensor<8x2x2x1xi8>} : () -> tensor<8x2x2x1xi8>
  %y = "tir.transposed-conv2d-fix"(%x, %w) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], group = 4 : i32, weight_fix_point = 6 : i32} : (tensor<1x2x2x4xi8>, tensor<8x2x2x1xi8>) -> tensor<1x4x4x8xi8>
  return %y : tensor<1x4x4x8xi8>
}

// Two groups of 3 to 2 channels are one channel group anyway.
// CHECK-LABEL: func.func @dense
// CHECK: tir.const{{.*}}tensor<4x1x1x6xi8>
// CHECK: tir.conv2d-fix"{{.*}}group = 1 : i32
// CHECK-NEXT: return
func.func @dense(%x: tensor<1x2x2x6xi8>) -> tensor<1x2x2x4xi8> {
  %w = "tir.const"() {value = dense<"0x10DBF70769ECFB8E5211FAA7"> : tensor<4x1x1x3xi8>} : () -> tensor<4x1x1x3xi8>
  %b = "tir.const"() {value = dense<"0xE7EEE761"> : tensor<4xi8>} : () -> tensor<4xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], group = 2 : i32, weight_fix_point = 6 : i32} : (tensor<1x2x2x6xi8>, tensor<4x1x1x3xi8>, tensor<4xi8>) -> tensor<1x2x2x4xi8>
  return %y : tensor<1x2x2x4xi8>
}

// Two groups of whole channel groups take half the cycles of a dense one.
// CHECK-LABEL: func.func @split
// CHECK: tir.strided_slice-fix"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 2 : i32, 2 : i32, 16 : i32]
// CHECK: tir.conv2d-fix"
// CHECK: tir.strided_slice-fix"(%arg0) {begin = [0 : i32, 0 : i32, 0 : i32, 16 : i32], end = [1 : i32, 2 : i32, 2 : i32, 32 : i32]
// CHECK: tir.conv2d-fix"
// CHECK: tir.concat-fix"{{.*}}axis = 3 : i32, input_fix_point = [3 : i32, 3 : i32]
// CHECK-NEXT: return
func.func @split(%x: tensor<1x2x2x32xi8>) -> tensor<1x2x2x32xi8> {
  %w = "tir.const"() {value = dense<"0xF289B349C305BFF78CEB74004AE1BC53AD6B1E6626ACCF2C091F722ED8E339D845A0531A572ACDD6F0F4C40F2A6285B6B9C59E3A8178ABBABE5B0EC3DC100D71DA16C66834705B278C12DD8DFFB01AEBBC6AAD90E9F3F67A55EDBA5D60700389AE5B7B04147E3BB84F0CA58F3C75F4FAB586E353E595178EA8E36D91820E010D4388D7467B66DEF11E8414D5DC2FCF65B1BCC552084F0F1325D466C232B4609F8AFB3F6CC97D24D0B6A52AAA482E9F9F5CDFBB5A0F6BF9E3F85B1DAEE97AA7317203B8BB8F67DD97704BAA53EDC77FEBEB1974D0CAE11A369FB308A4FFB89D5745F4734480FD17DBBA92D190C7A44B408410C1D3D986ADD0C2FCC4CC5D56698238891BB79C469F6C0C9D15065764536497615E9F0B34BAFF66E5320340C9F996EFB6C6D40E8E0A4FFBBB34DACFBF2442B21F7637D82B1C047F0F390E74F369EBACD8A17BC82CAC1EB948983EF8458E0665753FF7DFAECFA2ADC3F8AF63B92076AEC58840E18E81AFD6343DFC58B94F8DC1AB9EBFB5A9EB2458CC68A5BBB34897ACAACB15A825338053F82E9F57E07590227760648C3E6C5DF59EEA43F7C8E1EEC7B88B647AF8ADB5CC9C450C2695C794F64DD7A05B84D8D31A4819E73B9D7D516B3EC2FB9D2F624A74C283BB60406A377A8511E337FA5E1DDF9A0BFCC4B7CC2B27E8CC04BED4480CAB258D9F7099D08FC9291792BA92B12A3F153A48204C4455"> : tensor<32x1x1x16xi8>} : () -> tensor<32x1x1x16xi8>
  %b = "tir.const"() {value = dense<"0x84945F764B735F42246D960FDC40078D4B2B86E6DF4783B677F9DBBADCA03CB1"> : tensor<32xi8>} : () -> tensor<32xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], group = 2 : i32, input_fix_point = 3 : i32, weight_fix_point = 8 : i32, bias_fix_point = 2 : i32, output_fix_point = 3 : i32} : (tensor<1x2x2x32xi8>, tensor<32x1x1x16xi8>, tensor<32xi8>) -> tensor<1x2x2x32xi8>
  return %y : tensor<1x2x2x32xi8>
}

// Unknown weights.
// CHECK-LABEL: func.func @not
// CHECK-COUNT-2: group = 2
func.func @not(%x: tensor<1x2x2x4xf32>, %w: tensor<4x1x1x2xf32>, %z: tensor<1x2x2x2xf32>, %v: tensor<4x1x1x1xf32>) -> (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) {
  %y = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], group = 2 : i32} : (tensor<1x2x2x4xf32>, tensor<4x1x1x2xf32>) -> tensor<1x2x2x4xf32>
  %t = "tir.conv2d"(%z, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], group = 2 : i32} : (tensor<1x2x2x2xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x2x4xf32>
  return %y, %t : tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>
}

// With a dilation only at stride 1, zeros do it elsewhere.
// CHECK-LABEL: func.func @dilation
// CHECK: dilation = [2 : i32, 3 : i32]
// GUIDE-LABEL: func.func @dilation
// GUIDE: tir.conv2d-fix"(%arg0,{{.*}}dilation = [1 : i32, 1 : i32],{{.*}}kernel = [5 : i32, 4 : i32]
func.func @dilation(%x: tensor<1x8x8x2xi8>) -> tensor<1x3x2x3xi8> {
  %w = "tir.const"() {value = dense<"0x367E8A829525E69BEECBC93C8672A1B785B84C528C5405233EAC0E2A8C68C3CEE03039BA"> : tensor<3x2x3x2xi8>} : () -> tensor<3x2x3x2xi8>
  %y = "tir.conv2d-fix"(%x, %w) {kernel = [3 : i32, 2 : i32], stride = [2 : i32, 2 : i32], dilation = [2 : i32, 3 : i32], weight_fix_point = 7 : i32} : (tensor<1x8x8x2xi8>, tensor<3x2x3x2xi8>) -> tensor<1x3x2x3xi8>
  return %y : tensor<1x3x2x3xi8>
}

// The kernel would be 9 wide, one more than the target has; stride 1 needs nothing.
// GUIDE-LABEL: func.func @dilation_not
// GUIDE: dilation = [4 : i32, 1 : i32]
// GUIDE: dilation = [2 : i32, 2 : i32]
func.func @dilation_not(%x: tensor<1x12x12x2xi8>) -> (tensor<1x5x2x3xi8>, tensor<1x8x8x3xi8>) {
  %w = "tir.const"() {value = dense<"0x6A0512507A081C4BBC7A3BADEEB68FC886B07569B5A0729CD776E9D6FA28ECB8E0A1E6CF21FB096447580892FD4D333BCA1825EF97CD"> : tensor<3x3x3x2xi8>} : () -> tensor<3x3x3x2xi8>
  %y = "tir.conv2d-fix"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [4 : i32, 1 : i32], weight_fix_point = 7 : i32} : (tensor<1x12x12x2xi8>, tensor<3x3x3x2xi8>) -> tensor<1x5x2x3xi8>
  %z = "tir.conv2d-fix"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 2 : i32], weight_fix_point = 7 : i32} : (tensor<1x12x12x2xi8>, tensor<3x3x3x2xi8>) -> tensor<1x8x8x3xi8>
  return %y, %z : tensor<1x5x2x3xi8>, tensor<1x8x8x3xi8>
}
