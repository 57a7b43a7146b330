// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact
// RUN: RewriteEqualTest %s tir-legalize target=DPUCZDX8G_ISA1_B512 exact
// RUN: RewriteEqualTest %s tir-legalize target=DPUCAHX8H_ISA2 exact

// Eight pieces that begin at multiples of the stride of all layers. What their
// padding changes, nine columns of the input at each end, is computed by their
// neighbours as well.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[X:.*]]: tensor
// CHECK: "tir.strided_slice-fix"(%[[X]]) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 1 : i32, 80 : i32, 4 : i32]
// CHECK: "tir.strided_slice-fix"(%[[X]]) {begin = [0 : i32, 0 : i32, 60 : i32, 0 : i32], end = [1 : i32, 1 : i32, 140 : i32, 4 : i32]
// CHECK: %[[P:.*]] = "tir.concat-fix"({{.*}}axis = 1 : i32{{.*}} -> tensor<1x8x80x4xi8>
// CHECK: %[[A:.*]] = "tir.conv2d-fix"(%[[P]]{{.*}} -> tensor<1x8x80x8xi8>
// CHECK: %[[B:.*]] = "tir.pool-fix"(%[[A]]){{.*}} -> tensor<1x8x40x8xi8>
// CHECK: %[[C:.*]] = "tir.conv2d-fix"(%[[B]]{{.*}} -> tensor<1x8x40x8xi8>
// CHECK: %[[D:.*]] = "tir.conv2d-fix"(%[[C]]{{.*}} -> tensor<1x8x40x8xi8>
// CHECK: "tir.strided_slice-fix"(%[[D]]) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 1 : i32, 35 : i32, 8 : i32]
// CHECK: "tir.strided_slice-fix"(%[[D]]) {begin = [0 : i32, 1 : i32, 5 : i32, 0 : i32], end = [1 : i32, 2 : i32, 35 : i32, 8 : i32]
// CHECK: "tir.concat-fix"({{.*}}axis = 2 : i32{{.*}} -> tensor<1x1x250x8xi8>
func.func @chain(%x: tensor<1x1x500x4xi8>) -> tensor<1x1x250x8xi8> {
  %w = "tir.const"() {value = dense<"0x82B70EEE7F1A5039BEF07EC2347F066ED08F5DC7512447E3404300026B6E545594A065685D64C4980BB8D4544A8721A99A01AD219EB59CF6A15EF6F15A1D830BB7CE09D6BBC004E7175C643C7DECB0B580EC37BC9712DD2E6AAEB94BAE8D2F9F"> : tensor<8x1x3x4xi8>} : () -> tensor<8x1x3x4xi8>
  %b = "tir.const"() {value = dense<"0xA29C5A284C9EF752"> : tensor<8xi8>} : () -> tensor<8xi8>
  %v = "tir.const"() {value = dense<"0x1829CF1079B080E9D74A1C10FCAB6A4243D33656DEBE4C1ED79648E856E8F9A2F58C95F0CE4B39C15BFFAD5C2DFB8BB820B6119CBA8FF88796AE5B05F280A68CED93B6B28CB0D1B358E6BAAB485565B9F49028D557D79A8A0E6451E15C705C15F173541B4438A25CF76312D4EEB3C2246879BF00B3CF8ED13ABF129A3097AD96B442D6D1BDEF4850C3F465442EB300C337A648A6C0DBDD73FC95F5C2C451859AFE80D40AA39DFB9249F40C3EE37D961445C806F58C7CF2127DFA894F9296FCF33C08409990AC970DEDB3B843120181E9376107DBDAF6C5F3C86497EE219B01DD92F19F4954F4FEA94ED9182375882B200DAADB23CFF9193F3E70384495E04C5D5ED352226D1637C2248F1D3CCC4405DD2EA1FAFAB4BF1C46964D947086207882914478BEE8C75B4309AE2B122E3FE87AC7ECF5A5370FC41B4DDB723B2AFB6C47"> : tensor<8x1x5x8xi8>} : () -> tensor<8x1x5x8xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32, nonlinear = "RELU"} : (tensor<1x1x500x4xi8>, tensor<8x1x3x4xi8>, tensor<8xi8>) -> tensor<1x1x500x8xi8>
  %1 = "tir.pool-fix"(%0) {type = "MAX", kernel = [2 : i32, 1 : i32], stride = [2 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x1x500x8xi8>) -> tensor<1x1x250x8xi8>
  %2 = "tir.conv2d-fix"(%1, %v, %b) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x250x8xi8>, tensor<8x1x5x8xi8>, tensor<8xi8>) -> tensor<1x1x250x8xi8>
  %3 = "tir.conv2d-fix"(%2, %v, %b) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x250x8xi8>, tensor<8x1x5x8xi8>, tensor<8xi8>) -> tensor<1x1x250x8xi8>
  return %3 : tensor<1x1x250x8xi8>
}

// Branches that are added, put beside each other and cut again. An average
// counts what lies in its padding or not.
// CHECK-LABEL: func.func @branches
// CHECK: tir.conv2d-fix"{{.*}} -> tensor<1x8x
// CHECK: tir.depthwise-conv2d-fix"{{.*}} -> tensor<1x8x
// CHECK: tir.eltwise-fix"{{.*}} -> tensor<1x8x
// CHECK: tir.concat-fix"{{.*}}axis = 3 : i32{{.*}} -> tensor<1x8x
// CHECK: tir.strided_slice-fix"{{.*}} -> tensor<1x8x{{.*}}x10xi8>
// CHECK: tir.prelu-fix"{{.*}} -> tensor<1x8x
// CHECK: tir.pool-fix"{{.*}} -> tensor<1x8x
// CHECK: tir.concat-fix"{{.*}}axis = 2 : i32{{.*}} -> tensor<1x1x400x10xi8>
func.func @branches(%x: tensor<1x1x400x6xi8>) -> tensor<1x1x400x10xi8> {
  %w = "tir.const"() {value = dense<"0xC0B57894AAB2C5C145B797DDB9126E5CCA203112105F676414FAF6B200DAF099DBA5EEEC33624F5124BFC5F04D82388E52927810F610B0BCA11E0BE9F14F3CA695E87A5311660C7628CDBA9F5EEFB99022EF537B596A16DC8A03EC1FE7D2561711B3302479FB2FF11B7C19FE"> : tensor<6x1x3x6xi8>} : () -> tensor<6x1x3x6xi8>
  %b = "tir.const"() {value = dense<"0xCB1E1882D0E4"> : tensor<6xi8>} : () -> tensor<6xi8>
  %d = "tir.const"() {value = dense<"0x9C1A13635BCE60772BA0372C52266D08E1B7"> : tensor<1x1x3x6xi8>} : () -> tensor<1x1x3x6xi8>
  %s = "tir.const"() {value = dense<"0xF9D8C043069DE5723B47"> : tensor<10xi8>} : () -> tensor<10xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [2 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x400x6xi8>, tensor<6x1x3x6xi8>, tensor<6xi8>) -> tensor<1x1x400x6xi8>
  %1 = "tir.depthwise-conv2d-fix"(%0, %d, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x400x6xi8>, tensor<1x1x3x6xi8>, tensor<6xi8>) -> tensor<1x1x400x6xi8>
  %2 = "tir.eltwise-fix"(%0, %1) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 3 : i32, nonlinear = "RELU"} : (tensor<1x1x400x6xi8>, tensor<1x1x400x6xi8>) -> tensor<1x1x400x6xi8>
  %3 = "tir.concat-fix"(%2, %x) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [3 : i32, 4 : i32], output_fix_point = 3 : i32} : (tensor<1x1x400x6xi8>, tensor<1x1x400x6xi8>) -> tensor<1x1x400x12xi8>
  %4 = "tir.strided_slice-fix"(%3) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 1 : i32, 400 : i32, 11 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x1x400x12xi8>) -> tensor<1x1x400x10xi8>
  %5 = "tir.prelu-fix"(%4, %s) {input_fix_point = 3 : i32, slope_fix_point = 8 : i32, output_fix_point = 4 : i32} : (tensor<1x1x400x10xi8>, tensor<10xi8>) -> tensor<1x1x400x10xi8>
  %6 = "tir.pool-fix"(%5) {type = "AVG", kernel = [2 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x1x400x10xi8>) -> tensor<1x1x400x10xi8>
  return %6 : tensor<1x1x400x10xi8>
}

// Lengths that nothing divides, windows without padding, and a second input
// that is as long as the first one after a stride of 3.
// CHECK-LABEL: func.func @two_inputs
// CHECK: tir.eltwise-fix"{{.*}} -> tensor<1x8x
// CHECK: tir.concat-fix"{{.*}}axis = 2 : i32{{.*}} -> tensor<1x1x328x5xi8>
func.func @two_inputs(%x: tensor<1x1x997x5xi8>, %y: tensor<1x1x332x5xi8>) -> tensor<1x1x328x5xi8> {
  %w = "tir.const"() {value = dense<"0x9FF72C86CEA0434229F17D2BDB7D8D1FFC7F186692BF3224D7A0C20092430EE2490918DA8936C342A4219C564686FEA59211200E0E3E1942B6DF840876DB40B967A9B706535330895749E4DEDB3CAAA2E474ECDE57E21852F2FB003540D61A6A001078F6"> : tensor<5x1x4x5xi8>} : () -> tensor<5x1x4x5xi8>
  %b = "tir.const"() {value = dense<"0xB5C9ED6E67"> : tensor<5xi8>} : () -> tensor<5xi8>
  %v = "tir.const"() {value = dense<"0x8D669BB67BBBB47F1FFDCDB249497AFAC3133056CB329066A5F4F02E65C005355EC70BA20D9FC4F3CCE61F4BD5B90A699192270D2CB6D39D078C7824132D99B36AF72F3D7AAFD8C901C7C15B6AA4C5A537BF7F336C969C89275527D35E7320D0D576D9F77D9AD68F2BA95FD70F4C3B975EDE61A634A9271FF84625A360"> : tensor<5x1x5x5xi8>} : () -> tensor<5x1x5x5xi8>
  %w2 = "tir.const"() {value = dense<"0xEFC475F433006350392FAB4DBC35E1A55D34BB34216469A5BF58EA2A7DCEEEC0023CBF4301FDC3AF24FB97083BF5B564AFC34894FF2D3897D0AC20DD1970D7798A254A8A31F4DD5CC57D2F"> : tensor<5x1x3x5xi8>} : () -> tensor<5x1x3x5xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [4 : i32, 1 : i32], stride = [3 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x997x5xi8>, tensor<5x1x4x5xi8>, tensor<5xi8>) -> tensor<1x1x332x5xi8>
  %1 = "tir.eltwise-fix"(%0, %y) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 3 : i32} : (tensor<1x1x332x5xi8>, tensor<1x1x332x5xi8>) -> tensor<1x1x332x5xi8>
  %2 = "tir.conv2d-fix"(%1, %v, %b) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x332x5xi8>, tensor<5x1x5x5xi8>, tensor<5xi8>) -> tensor<1x1x328x5xi8>
  %3 = "tir.conv2d-fix"(%2, %v, %b) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x328x5xi8>, tensor<5x1x5x5xi8>, tensor<5xi8>) -> tensor<1x1x328x5xi8>
  %4 = "tir.conv2d-fix"(%3, %v, %b) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x328x5xi8>, tensor<5x1x5x5xi8>, tensor<5xi8>) -> tensor<1x1x328x5xi8>
  %5 = "tir.conv2d-fix"(%4, %v, %b) {kernel = [5 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x328x5xi8>, tensor<5x1x5x5xi8>, tensor<5xi8>) -> tensor<1x1x328x5xi8>
  %6 = "tir.conv2d-fix"(%5, %w2, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x328x5xi8>, tensor<5x1x3x5xi8>, tensor<5xi8>) -> tensor<1x1x328x5xi8>
  %7 = "tir.conv2d-fix"(%6, %w2, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x328x5xi8>, tensor<5x1x3x5xi8>, tensor<5xi8>) -> tensor<1x1x328x5xi8>
  return %7 : tensor<1x1x328x5xi8>
}

// One layer alone, a short signal, and one whose layers read so far that pieces
// would be much longer than eighths.
// CHECK-LABEL: func.func @not
// CHECK-NOT: tensor<1x8x
// CHECK: return
func.func @not(%x: tensor<1x1x500x4xi8>, %y: tensor<1x1x30x4xi8>, %z: tensor<1x1x128x4xi8>) -> (tensor<1x1x500x4xi8>, tensor<1x1x30x4xi8>, tensor<1x1x128x4xi8>) {
  %w = "tir.const"() {value = dense<"0xE7B6422A0248B8080A80EAC4281B6F63E206F12B8EF00B1B51C9DE126E0CD7D3DDC10755AD4B9B61D827BD6EC9D7618A"> : tensor<4x1x3x4xi8>} : () -> tensor<4x1x3x4xi8>
  %b = "tir.const"() {value = dense<"0x47F0BA92"> : tensor<4xi8>} : () -> tensor<4xi8>
  %v = "tir.const"() {value = dense<"0x013F56EA2725C312D14C6409FCA2EA45EF7927BA0F075EDB2B8843BEAB6D4D962E913836CCBF9BBCF4E37B47860806C54479F61C04076CD677789D1C7A13C5B10A98E1E6343FBD8DC7C19A5527E51C6CC73299BFD146E9B320FD016AE8151E2D3BAF49BFAE868DF7493F86800C81C6557D86E05A461AB53F04E916FD140DD23CD3E27138202F1522EB9B238B3DCF9C84E8989900A5FEEEC24F6E86A169EA2D4CB428D9E0CA596447FB56E4B0084ADE89FC6E7A56D680A096376484D9B787F92C3B38AC3134915B19C458AB8533D1A8319F2095ACD2D120219A235C1430D035ECD52473D70D9437A5B926EEC234577D3A"> : tensor<4x1x15x4xi8>} : () -> tensor<4x1x15x4xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x500x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x500x4xi8>
  %1 = "tir.conv2d-fix"(%y, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x30x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x30x4xi8>
  %2 = "tir.conv2d-fix"(%1, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x30x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x30x4xi8>
  %3 = "tir.conv2d-fix"(%z, %v, %b) {kernel = [15 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [7 : i32, 7 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x128x4xi8>, tensor<4x1x15x4xi8>, tensor<4xi8>) -> tensor<1x1x128x4xi8>
  %4 = "tir.conv2d-fix"(%3, %v, %b) {kernel = [15 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [7 : i32, 7 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x128x4xi8>, tensor<4x1x15x4xi8>, tensor<4xi8>) -> tensor<1x1x128x4xi8>
  %5 = "tir.conv2d-fix"(%4, %v, %b) {kernel = [15 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [7 : i32, 7 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x128x4xi8>, tensor<4x1x15x4xi8>, tensor<4xi8>) -> tensor<1x1x128x4xi8>
  return %0, %2, %5 : tensor<1x1x500x4xi8>, tensor<1x1x30x4xi8>, tensor<1x1x128x4xi8>
}

// What is read elsewhere, too, comes from there.
// CHECK-LABEL: func.func @read_elsewhere
// CHECK: %[[F:.*]] = "tir.conv2d-fix"(%arg0{{.*}} -> tensor<1x1x500x4xi8>
// CHECK: "tir.strided_slice-fix"(%[[F]])
// CHECK: tir.conv2d-fix"{{.*}} -> tensor<1x8x
// CHECK: return %[[F]]
func.func @read_elsewhere(%x: tensor<1x1x500x4xi8>) -> (tensor<1x1x500x4xi8>, tensor<1x1x250x4xi8>) {
  %w = "tir.const"() {value = dense<"0x302AC2DF3A8B9CE8DB146B44C35C62A624479C1BEE9CE282915583E9F0CE324467EA34E377447F552DE483ED53F63598"> : tensor<4x1x3x4xi8>} : () -> tensor<4x1x3x4xi8>
  %b = "tir.const"() {value = dense<"0x80B61A3E"> : tensor<4xi8>} : () -> tensor<4xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x500x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x500x4xi8>
  %1 = "tir.conv2d-fix"(%0, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x500x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x500x4xi8>
  %2 = "tir.pool-fix"(%1) {type = "MAX", kernel = [3 : i32, 1 : i32], stride = [2 : i32, 1 : i32], pad = [1 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x1x500x4xi8>) -> tensor<1x1x250x4xi8>
  %3 = "tir.conv2d-fix"(%2, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x250x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x250x4xi8>
  return %0, %3 : tensor<1x1x500x4xi8>, tensor<1x1x250x4xi8>
}

// A stride between rows says nothing of one row; slopes of columns do.
// CHECK-LABEL: func.func @vertical
// CHECK-COUNT-5: stride = [1 : i32, 1 : i32]{{.*}} -> tensor<1x8x
// CHECK: return
func.func @vertical(%x: tensor<1x1x512x4xi8>) -> tensor<1x1x512x4xi8> {
  %w = "tir.const"() {value = dense<"0x690CACF6FA90AA1D9344D796D4BD4194631000F9519FD590D7ECAEA70751FD00F7EEBF167401F53D67565779CC34C5D5"> : tensor<4x1x3x4xi8>} : () -> tensor<4x1x3x4xi8>
  %b = "tir.const"() {value = dense<"0x758C0568"> : tensor<4xi8>} : () -> tensor<4xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x512x4xi8>
  %1 = "tir.conv2d-fix"(%0, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x512x4xi8>
  %2 = "tir.conv2d-fix"(%1, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x512x4xi8>
  %3 = "tir.conv2d-fix"(%2, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x512x4xi8>
  %4 = "tir.conv2d-fix"(%3, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 2 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x512x4xi8>
  return %4 : tensor<1x1x512x4xi8>
}

// CHECK-LABEL: func.func @slopes
// CHECK: tir.prelu-fix"{{.*}} -> tensor<1x1x
func.func @slopes(%x: tensor<1x1x64x4xi8>) -> tensor<1x1x64x4xi8> {
  %s = "tir.const"() {value = dense<"0x7822BFDE9C7230BEE31F85014BD91DED0761613658EAE0F0F494260CEE680AE36721AE6633BD2D5870CA0111DB1D9960C7C8553AC4606F43CEE64BD10D8CE967882F77D8D5E36167A780176252BB30DDB949935D034CD93503EEA628F94DBC031DBDF487E7A8D357C9DAE10875F5963724F7702AA03029A6D059A4B3159E3F2A2B14F9F06EE29B4DD98EE6247C942E9A25C095D33151B1D92DAF6BB635ECA632FEA712E71D74929E87EBB12FE7D364CFDA3F4320E0A5139CBAD7375904E4499C1537182229969591DD7611DDE99752AACAEEEC135ABBF2A32D38E08BBDAE3BC7CDE687424AEAB68E5C58D204CDA182634FDFE83C92C1126363CF7CFF0D3A9C32"> : tensor<1x1x64x4xi8>} : () -> tensor<1x1x64x4xi8>
  %0 = "tir.prelu-fix"(%x, %s) {input_fix_point = 3 : i32, slope_fix_point = 8 : i32, output_fix_point = 4 : i32} : (tensor<1x1x64x4xi8>, tensor<1x1x64x4xi8>) -> tensor<1x1x64x4xi8>
  %1 = "tir.eltwise-fix"(%0, %0) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x1x64x4xi8>, tensor<1x1x64x4xi8>) -> tensor<1x1x64x4xi8>
  %2 = "tir.eltwise-fix"(%1, %1) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x1x64x4xi8>, tensor<1x1x64x4xi8>) -> tensor<1x1x64x4xi8>
  %3 = "tir.eltwise-fix"(%2, %2) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x1x64x4xi8>, tensor<1x1x64x4xi8>) -> tensor<1x1x64x4xi8>
  %4 = "tir.eltwise-fix"(%3, %3) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x1x64x4xi8>, tensor<1x1x64x4xi8>) -> tensor<1x1x64x4xi8>
  %5 = "tir.eltwise-fix"(%4, %4) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x1x64x4xi8>, tensor<1x1x64x4xi8>) -> tensor<1x1x64x4xi8>
  %6 = "tir.eltwise-fix"(%5, %5) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x1x64x4xi8>, tensor<1x1x64x4xi8>) -> tensor<1x1x64x4xi8>
  %7 = "tir.eltwise-fix"(%6, %6) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x1x64x4xi8>, tensor<1x1x64x4xi8>) -> tensor<1x1x64x4xi8>
  return %7 : tensor<1x1x64x4xi8>
}

// What turns the signal around is no link; without it these layers are those of
// @vertical.
// CHECK-LABEL: func.func @reversed
// CHECK-NOT: tensor<1x8x
// CHECK: return
func.func @reversed(%x: tensor<1x1x512x4xi8>) -> tensor<1x1x512x4xi8> {
  %w = "tir.const"() {value = dense<"0x690CACF6FA90AA1D9344D796D4BD4194631000F9519FD590D7ECAEA70751FD00F7EEBF167401F53D67565779CC34C5D5"> : tensor<4x1x3x4xi8>} : () -> tensor<4x1x3x4xi8>
  %b = "tir.const"() {value = dense<"0x758C0568"> : tensor<4xi8>} : () -> tensor<4xi8>
  %0 = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x512x4xi8>
  %1 = "tir.conv2d-fix"(%0, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x512x4xi8>
  %r = "tir.strided_slice-fix"(%1) {begin = [0 : i32, 0 : i32, -1 : i32, 0 : i32], end = [1 : i32, 1 : i32, -513 : i32, 4 : i32], strides = [1 : i32, 1 : i32, -1 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>) -> tensor<1x1x512x4xi8>
  %2 = "tir.conv2d-fix"(%r, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x512x4xi8>
  %3 = "tir.conv2d-fix"(%2, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x512x4xi8>
  %4 = "tir.conv2d-fix"(%3, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [1 : i32, 1 : i32], dilation = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x1x512x4xi8>, tensor<4x1x3x4xi8>, tensor<4xi8>) -> tensor<1x1x512x4xi8>
  return %4 : tensor<1x1x512x4xi8>
}
