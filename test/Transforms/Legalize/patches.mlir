// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact
// RUN: xc-opt --tir-legalize='target=%S/Inputs/guide.json' %s | FileCheck %s --check-prefix=UNIT

// Two rows of the image are one, with the rows of three patches below each other
// side by side; fix points of groups of channels stay.
// CHECK-LABEL: func.func @two_rows
// CHECK: %[[X:.*]] = "tir.reshape-fix"(%arg0){{.*}} -> tensor<2x12x6x24xi8>
// CHECK: "tir.conv2d-fix"(%[[X]],{{.*}}dilation = [3 : i32, 1 : i32]{{.*}}kernel = [2 : i32, 6 : i32]{{.*}}stride = [1 : i32, 6 : i32]{{.*}}weight_fix_points = [7 : i32, 6 : i32]}
// CHECK-NEXT: return
// Where only convolutions of stride 1 are dilated, and kernels have eight columns at
// most, there are blocks of pixels.
// UNIT-LABEL: func.func @two_rows
// UNIT: "tir.tile-fix"(%arg0) {stride = 3 : i32}
// UNIT: "tir.conv2d-fix"{{.*}}kernel = [4 : i32, 4 : i32]
func.func @two_rows(%x: tensor<2x24x36x2xi8>) -> tensor<2x2x3x3xi8> {
  %w = "tir.const"() {value = dense<"0x82B70EEE7F1A5039BEF07EC2347F066ED08F5DC7512447E3404300026B6E545594A065685D64C4980BB8D4544A8721A99A01AD219EB59CF6A15EF6F15A1D830BB7CE09D6BBC004E7175C643C7DECB0B580EC37BC9712DD2E6AAEB94BAE8D2F9FA29C5A284C9EF7521829CF1079B080E9D74A1C10FCAB6A4243D33656DEBE4C1ED79648E856E8F9A2F58C95F0CE4B39C15BFFAD5C2DFB8BB820B6119CBA8FF88796AE5B05F280A68CED93B6B28CB0D1B358E6BAAB485565B9F49028D557D79A8A0E6451E15C705C15F173541B4438A25CF76312D4EEB3C2246879BF00B3CF8ED13ABF129A3097AD96B442D6D1BDEF4850C3F465442EB300C337A648A6C0DBDD73FC95F5C2C451859AFE80D40AA39DFB9249F40C3EE37D961445C806F58C7CF2127DFA894F9296FCF33C08409990AC970DEDB3B843120181E9376107DBDAF6C5F3C86497EE219B01DD92F19F4954F4FEA94ED9182375882B200DAADB23CFF9193F3E70384495E04C5D5ED352226D1637C2248F1D3CCC4405DD2EA1FAFAB4BF1C46964D947086207882914478BEE8C75B4309AE2B122E3FE87AC7ECF5A5370FC41B4DDB723B2AFB6C47C0B57894AAB2C5C145B797DDB9126E5CCA203112105F676414FAF6B200DAF099DBA5EEEC33624F5124BFC5F04D82388E52927810F610B0BCA11E0BE9F14F3CA695E87A5311660C7628CDBA9F5EEFB99022EF537B596A16DC8A03EC1FE7D2561711B3302479FB2FF11B7C19FECB1E1882D0E49C1A13635BCE60772BA0372C52266D08E1B7F9D8C043069DE5723B479FF72C86CEA0434229F17D2BDB7D8D1FFC7F186692BF3224D7A0C20092430EE2490918DA8936C342A4219C564686FEA59211200E0E3E1942B6DF840876DB40B967A9B706535330895749E4DEDB3CAAA2E474ECDE57E21852F2FB003540D61A6A001078F6B5C9ED6E678D669BB67BBBB47F1FFDCDB249497AFAC3133056CB329066A5F4F02E65C005355EC70BA20D9FC4F3CCE61F4BD5B90A699192270D2CB6D39D078C7824132D99B36AF72F3D7AAFD8C901C7C15B6AA4C5A537BF7F336C969C89275527D35E7320D0D576D9F77D9AD68F2BA95FD70F4C3B975EDE61A634A9271FF84625A360EFC475F433006350392FAB4DBC35E1A55D34BB34216469A5BF58EA2A7DCEEEC0023CBF4301FDC3AF24FB97083BF5B564AFC34894FF2D3897D0AC20DD1970D7798A254A8A"> : tensor<3x12x12x2xi8>} : () -> tensor<3x12x12x2xi8>
  %b = "tir.const"() {value = dense<"0x31F4DD"> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [12 : i32, 12 : i32], stride = [12 : i32, 12 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 1 : i32, nonlinear = "RELU", weight_fix_points = [7 : i32, 6 : i32], bias_fix_points = [6 : i32, 5 : i32], fix_point_channels = 2 : i32} : (tensor<2x24x36x2xi8>, tensor<3x12x12x2xi8>, tensor<3xi8>) -> tensor<2x2x3x3xi8>
  return %y : tensor<2x2x3x3xi8>
}

// Nine rows of a kernel that is three columns wide, and one patch in a row.
// CHECK-LABEL: func.func @oblong
// CHECK: %[[X:.*]] = "tir.reshape-fix"(%arg0){{.*}} -> tensor<1x6x3x3xi8>
// CHECK: "tir.conv2d-fix"(%[[X]],{{.*}}dilation = [1 : i32, 1 : i32]{{.*}}kernel = [3 : i32, 3 : i32]{{.*}}stride = [1 : i32, 3 : i32]
// CHECK-NEXT: return
func.func @oblong(%x: tensor<1x18x3x1xi8>) -> tensor<1x2x1x2xi8> {
  %w = "tir.const"() {value = dense<"0x5CC57D2FE7B6422A0248B8080A80EAC4281B6F63E206F12B8EF00B1B51C9DE126E0CD7D3DDC10755AD4B9B61D827BD6EC9D7618A47F0"> : tensor<2x9x3x1xi8>} : () -> tensor<2x9x3x1xi8>
  %b = "tir.const"() {value = dense<"0xBA92"> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 9 : i32], stride = [3 : i32, 9 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 1 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x18x3x1xi8>, tensor<2x9x3x1xi8>, tensor<2xi8>) -> tensor<1x2x1x2xi8>
  return %y : tensor<1x2x1x2xi8>
}

// What no window reads is cut off.
// CHECK-LABEL: func.func @cut
// CHECK: %[[C:.*]] = "tir.strided_slice-fix"(%arg0){{.*}} -> tensor<1x20x30x1xi8>
// CHECK: %[[X:.*]] = "tir.reshape-fix"(%[[C]]){{.*}} -> tensor<1x10x6x10xi8>
// CHECK: "tir.conv2d-fix"(%[[X]],{{.*}}dilation = [3 : i32, 1 : i32]{{.*}}kernel = [2 : i32, 5 : i32]{{.*}}stride = [1 : i32, 5 : i32]
// CHECK-NEXT: return
func.func @cut(%x: tensor<1x25x33x1xi8>) -> tensor<1x2x3x2xi8> {
  %w = "tir.const"() {value = dense<"0x013F56EA2725C312D14C6409FCA2EA45EF7927BA0F075EDB2B8843BEAB6D4D962E913836CCBF9BBCF4E37B47860806C54479F61C04076CD677789D1C7A13C5B10A98E1E6343FBD8DC7C19A5527E51C6CC73299BFD146E9B320FD016AE8151E2D3BAF49BFAE868DF7493F86800C81C6557D86E05A461AB53F04E916FD140DD23CD3E27138202F1522EB9B238B3DCF9C84E8989900A5FEEEC24F6E86A169EA2D4CB428D9E0CA596447FB56E4B0084ADE89FC6E7A56D680A096376484D9B787F92C3B38AC3134915B19"> : tensor<2x10x10x1xi8>} : () -> tensor<2x10x10x1xi8>
  %b = "tir.const"() {value = dense<"0xC458"> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [10 : i32, 10 : i32], stride = [10 : i32, 10 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 1 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x25x33x1xi8>, tensor<2x10x10x1xi8>, tensor<2xi8>) -> tensor<1x2x3x2xi8>
  return %y : tensor<1x2x3x2xi8>
}

// The target has this stride.
// CHECK-LABEL: func.func @taken
// CHECK-NOT: tir.reshape-fix
// CHECK: "tir.conv2d-fix"{{.*}}kernel = [8 : i32, 8 : i32]
// CHECK-NEXT: return
func.func @taken(%x: tensor<1x16x16x1xi8>) -> tensor<1x2x2x2xi8> {
  %w = "tir.const"() {value = dense<"0xAB8533D1A8319F2095ACD2D120219A235C1430D035ECD52473D70D9437A5B926EEC234577D3A302AC2DF3A8B9CE8DB146B44C35C62A624479C1BEE9CE282915583E9F0CE324467EA34E377447F552DE483ED53F6359880B61A3E690CACF6FA90AA1D9344D796D4BD4194631000F9519FD590D7ECAEA70751FD00F7EEBF167401"> : tensor<2x8x8x1xi8>} : () -> tensor<2x8x8x1xi8>
  %b = "tir.const"() {value = dense<"0xF53D"> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [8 : i32, 8 : i32], stride = [8 : i32, 8 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 1 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x16x16x1xi8>, tensor<2x8x8x1xi8>, tensor<2xi8>) -> tensor<1x2x2x2xi8>
  return %y : tensor<1x2x2x2xi8>
}

// Windows that overlap read blocks of pixels, of which the last ones are cut off.
// CHECK-LABEL: func.func @overlapping
// CHECK: %[[X:.*]] = "tir.tile-fix"(%arg0) {stride = 2 : i32}{{.*}} -> tensor<1x16x16x4xi8>
// CHECK: "tir.conv2d-fix"(%[[X]],{{.*}}kernel = [6 : i32, 6 : i32], {{.*}}pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]{{.*}}stride = [5 : i32, 5 : i32]
// CHECK-NEXT: return
func.func @overlapping(%x: tensor<1x32x32x1xi8>) -> tensor<1x3x3x2xi8> {
  %w = "tir.const"() {value = dense<"0x67565779CC34C5D5758C05687822BFDE9C7230BEE31F85014BD91DED0761613658EAE0F0F494260CEE680AE36721AE6633BD2D5870CA0111DB1D9960C7C8553AC4606F43CEE64BD10D8CE967882F77D8D5E36167A780176252BB30DDB949935D034CD93503EEA628F94DBC031DBDF487E7A8D357C9DAE10875F5963724F7702AA03029A6D059A4B3159E3F2A2B14F9F06EE29B4DD98EE6247C942E9A25C095D33151B1D92DAF6BB635ECA632FEA712E71D74929E87EBB12FE7D364CFDA3F4320E0A5139CBAD7375904E4499C1537182229969591DD7611DDE99752AACAEEEC135ABBF2A32D38E08BBDAE3BC7CDE687424AEAB68E5C58D204CDA182634FDFE83C92C1126363CF7CFF0D3A9C32ADACB153061764FF108BF3681772A9A071BCE908"> : tensor<2x12x12x1xi8>} : () -> tensor<2x12x12x1xi8>
  %b = "tir.const"() {value = dense<"0x103E"> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [12 : i32, 12 : i32], stride = [10 : i32, 10 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 1 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x32x32x1xi8>, tensor<2x12x12x1xi8>, tensor<2xi8>) -> tensor<1x3x3x2xi8>
  return %y : tensor<1x3x3x2xi8>
}

// Padding is padding of blocks and zeros before the kernel, and a kernel may be
// smaller than its stride.
// CHECK-LABEL: func.func @padded
// CHECK: %[[P:.*]] = "tir.pad-fix"(%arg0){{.*}} -> tensor<1x24x24x1xi8>
// CHECK: %[[X:.*]] = "tir.tile-fix"(%[[P]]) {stride = 2 : i32}{{.*}} -> tensor<1x12x12x4xi8>
// CHECK: "tir.conv2d-fix"(%[[X]],{{.*}}kernel = [6 : i32, 7 : i32], {{.*}}pad = [0 : i32, 0 : i32, 1 : i32, 0 : i32]{{.*}}stride = [6 : i32, 6 : i32]
// CHECK-NEXT: return
func.func @padded(%x: tensor<1x23x24x1xi8>) -> tensor<1x2x2x2xi8> {
  %w = "tir.const"() {value = dense<"0x62379F3D7E2138B3AC82D2568A9C21C8597BFB059CF0761C6FC43190F8128501EA4B3D297EA3BC7BF90300A4C9B4A2896E97E74C046574029A2D747969C46F904669563CF971E09C82285FEE30B1F3079A0754519FC28EF0AC4463E463340AFF5C960F658A528DCC8A28B49F397C0A758FC1E28322F5CAF84CCFF41FCB166784A959BCDC53C4761F9074D5FBF55AEFF6FBE27A79A5704B2B3EE4EF054B07F947391721DAE15E3D0AAADFAD7253FCFCA519A304FF156861818E98757BE322FEF477A8D4846EBADF00A13D4C79A19278B57F9635F5813C8916493533E0994A71A2A65E16DCD9C4013A84C82C3103A09DEE474CBA9B8E2ADFDA03E8F59EF3329D267DD8383579C762F2BB674B0F0C3DCFD305EFAC77A0FC846B74F9F78123882B95"> : tensor<2x12x12x1xi8>} : () -> tensor<2x12x12x1xi8>
  %b = "tir.const"() {value = dense<"0xDD17"> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [12 : i32, 12 : i32], stride = [12 : i32, 12 : i32], pad = [0 : i32, 0 : i32, 1 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 1 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x23x24x1xi8>, tensor<2x12x12x1xi8>, tensor<2xi8>) -> tensor<1x2x2x2xi8>
  return %y : tensor<1x2x2x2xi8>
}

// A prime number of rows that is more than the target has columns of a kernel, and
// strides that have no divisor in common.
// CHECK-LABEL: func.func @prime
// CHECK-NOT: tir.reshape-fix
// CHECK: "tir.conv2d-fix"{{.*}}kernel = [2 : i32, 17 : i32]
// CHECK-NEXT: return
func.func @prime(%x: tensor<1x34x4x1xi8>) -> tensor<1x2x2x2xi8> {
  %w = "tir.const"() {value = dense<"0xEF1B581977D94C6AB37820DB5C72E4FB44E353B9F73AEF9824ECA5B87C258FBE9D13B1BEB05773C3D2BE88D7D2705C0FAF163064DAF33ADB63BD70CA3912C1A174B250D3"> : tensor<2x17x2x1xi8>} : () -> tensor<2x17x2x1xi8>
  %b = "tir.const"() {value = dense<"0xAA8E"> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [2 : i32, 17 : i32], stride = [2 : i32, 17 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 1 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x34x4x1xi8>, tensor<2x17x2x1xi8>, tensor<2xi8>) -> tensor<1x2x2x2xi8>
  return %y : tensor<1x2x2x2xi8>
}

// What is rounded as no DPU does is the CPU's as it is.
// CHECK-LABEL: func.func @other_rounding
// CHECK-NOT: tir.reshape-fix
// CHECK: "tir.conv2d-fix"{{.*}}kernel = [12 : i32, 12 : i32]
// CHECK-NEXT: return
func.func @other_rounding(%x: tensor<1x24x24x1xi8>) -> tensor<1x2x2x2xi8> {
  %w = "tir.const"() {value = dense<3> : tensor<2x12x12x1xi8>} : () -> tensor<2x12x12x1xi8>
  %y = "tir.conv2d-fix"(%x, %w) {kernel = [12 : i32, 12 : i32], stride = [12 : i32, 12 : i32], input_fix_point = 4 : i32, output_fix_point = 1 : i32, round_mode = "PY3_ROUND", weight_fix_point = 7 : i32} : (tensor<1x24x24x1xi8>, tensor<2x12x12x1xi8>) -> tensor<1x2x2x2xi8>
  return %y : tensor<1x2x2x2xi8>
}
