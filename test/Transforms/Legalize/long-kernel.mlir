// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact

// Blocks of 16 samples, five of which are a kernel. Several results would share
// groups of fix points.
// CHECK-LABEL: func.func @stride_into_channels
// CHECK: %[[X:.*]] = "tir.reshape-fix"(%arg0){{.*}} -> tensor<1x1x12x16xi8>
// CHECK: tir.conv2d-fix"(%[[X]],{{.*}}kernel = [5 : i32, 1 : i32]{{.*}}pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]{{.*}}stride = [1 : i32, 1 : i32]{{.*}}weight_fix_points = [7 : i32, 6 : i32]}
// CHECK-NEXT: return
func.func @stride_into_channels(%x: tensor<1x1x192x1xi8>) -> tensor<1x1x8x3xi8> {
  %w = "tir.const"() {value = dense<"0xA54DCA182530BB1D6D132CDED6237B2ED91E3F721FCB1971174494D6493C9D5C3460BE31201E69FEDAA0EEE8B9997F5C7C2999FDAFE593253CD654AF4DFAD71427A0AEB3FEE9232F8AF2211F9EE491C5B10BECB5563BFC1E6F93427ECBC8FE2955E5CD8E46DC8ED4B7C2764D2A5A4D767706F85D8690024AD6BDA3401BE9C8CBCCC935F6CD1F61226AE15338AE1A34004D33BA0D246AC04C81B1BAF23E3BF9EEF5F79F2B4934AF87F5520B69B94B0D982E85BB55B672A872637ACD7466FCB60E0E8FF18463B0E4B2BA29703474F064AC68F700F5B02B3DC666F45BDEAA2CCAEDCD2B5157410E4DEE4AF2B34F430A0734"> : tensor<3x1x80x1xi8>} : () -> tensor<3x1x80x1xi8>
  %b = "tir.const"() {value = dense<"0x47DE63"> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [80 : i32, 1 : i32], stride = [16 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_points = [7 : i32, 6 : i32], bias_fix_points = [6 : i32, 5 : i32], fix_point_channels = 2 : i32} : (tensor<1x1x192x1xi8>, tensor<3x1x80x1xi8>, tensor<3xi8>) -> tensor<1x1x8x3xi8>
  return %y : tensor<1x1x8x3xi8>
}

// A block of 16 samples begins four results.
// CHECK-LABEL: func.func @several_results
// CHECK: "tir.reshape-fix"(%arg0){{.*}} -> tensor<1x1x10x16xi8>
// CHECK: tir.conv2d-fix"{{.*}}kernel = [7 : i32, 1 : i32]{{.*}}pad = [3 : i32, 3 : i32, 0 : i32, 0 : i32]{{.*}}stride = [1 : i32, 1 : i32]{{.*}} -> tensor<1x1x10x12xi8>
// CHECK-NEXT: tir.reshape-fix"{{.*}} -> tensor<1x1x40x3xi8>
// CHECK-NEXT: return
func.func @several_results(%x: tensor<1x1x160x1xi8>) -> tensor<1x1x40x3xi8> {
  %w = "tir.const"() {value = dense<"0x6C0E806C957BA684D6431FB5EAD7424D09E15D024C5848F23D1FA6F7361D7F618D1532E70E20E2A6668DE7F47E8467E546D53EC8E2A1257BDB256C9B3E4FBB498146EF7030CBF9537252DCCEADD764B6A32FBB09ADEAE109C4A997203975352B878B145C8A42D884CF4CFDA72D8E1D5DD92589082D852A7122873EE805ADD58942167A385286195C679F9C6994E45B8AB1098012070961F37DE436DDFDC99D6E75AF6547CFB11B42072482DC531C2BC3907C9617EB5E5089E40186BAA8A57D119E6FB65D00ABC32AF38E667F022E872D49CC15C90B999B772B4FC7A6FD4C914A16DB4708752B0F1544B835C0E719097D"> : tensor<3x1x80x1xi8>} : () -> tensor<3x1x80x1xi8>
  %b = "tir.const"() {value = dense<"0xFA8701"> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [80 : i32, 1 : i32], stride = [4 : i32, 1 : i32], pad = [38 : i32, 38 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x1x160x1xi8>, tensor<3x1x80x1xi8>, tensor<3xi8>) -> tensor<1x1x40x3xi8>
  return %y : tensor<1x1x40x3xi8>
}

// Each result has the fix points of its channels.
// CHECK-LABEL: func.func @points_of_results
// CHECK: bias_fix_points = [6 : i32, 5 : i32, 6 : i32, 5 : i32{{.*}}weight_fix_points = [7 : i32, 6 : i32, 7 : i32, 6 : i32
// CHECK: return
func.func @points_of_results(%x: tensor<1x1x64x1xi8>) -> tensor<1x1x45x4xi8> {
  %w = "tir.const"() {value = dense<"0xE9232F21F2812687786976EBFCC327F5931765274BA9829B4406F61FF889326FFA9492EDEEEE3C669F2BF20894EA27E689C66B6B262E4886B8438F39BA76FEF8C90C5101FBE6CF9A48D5B0C0A13DA900"> : tensor<4x1x20x1xi8>} : () -> tensor<4x1x20x1xi8>
  %b = "tir.const"() {value = dense<"0xA6ADCB3D"> : tensor<4xi8>} : () -> tensor<4xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [20 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_points = [7 : i32, 6 : i32], bias_fix_points = [6 : i32, 5 : i32], fix_point_channels = 2 : i32} : (tensor<1x1x64x1xi8>, tensor<4x1x20x1xi8>, tensor<4xi8>) -> tensor<1x1x45x4xi8>
  return %y : tensor<1x1x45x4xi8>
}

// Kernels of two rows, in two images.
// CHECK-LABEL: func.func @two_rows
// CHECK: tir.conv2d-fix"{{.*}}kernel = [4 : i32, 2 : i32]
// CHECK: return
func.func @two_rows(%x: tensor<2x3x64x2xi8>) -> tensor<2x3x15x2xi8> {
  %w = "tir.const"() {value = dense<"0x64069481BE21C9C727B8DB8C188F341A924C7F88DFA161BFDB0ECC682919D2E64692F8194157F1D4AF90988285CF7A9AF7C93D5552266AFE70E7AAE6DA47627C2E59AF2EA37ABC84670AD3C4D36BC08AAD1FFF8EB8406E2F8A7FC4CCE4DD9F0B4110D9F2FA0025C8EFE57F37724F4D37EA2B14004077139B4180DF3932249962C6857200059AEB8EA17CF3787E0ED29D1C0B63FFD7298374D9BD74FC11ADD7B9CA6503952269FD669F6376EE71879737FD5F72F8D51C4AC91B6D0C48D41A1E5E"> : tensor<2x2x24x2xi8>} : () -> tensor<2x2x24x2xi8>
  %b = "tir.const"() {value = dense<"0xC9E6"> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [24 : i32, 2 : i32], stride = [4 : i32, 1 : i32], pad = [8 : i32, 8 : i32, 0 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<2x3x64x2xi8>, tensor<2x2x24x2xi8>, tensor<2xi8>) -> tensor<2x3x15x2xi8>
  return %y : tensor<2x3x15x2xi8>
}

// What is behind the last kernel is cut off.
// CHECK-LABEL: func.func @more_than_read
// CHECK: tir.strided_slice-fix"(%arg0){{.*}} -> tensor<1x1x54x2xi8>
// CHECK: tir.conv2d-fix"{{.*}}kernel = [3 : i32, 1 : i32]
// CHECK-NEXT: return
func.func @more_than_read(%x: tensor<1x1x61x2xi8>) -> tensor<1x1x4x3xi8> {
  %w = "tir.const"() {value = dense<"0xA0392854A8615EEF109FC1BFA9E2563701288F29B3D73F6AC2B69EDD2C19F264BEE462A5BAF20FD27ECF14C011ED201F836320ADB98BAB1686A28D9801210C7736F3EEC580DCFC43FE5D049B4D78A7A3EBB92865C8517ED02111F6A652DA3524872B6A31D7FF"> : tensor<3x1x17x2xi8>} : () -> tensor<3x1x17x2xi8>
  %b = "tir.const"() {value = dense<"0xE45877"> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [17 : i32, 1 : i32], stride = [12 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_points = [7 : i32, 6 : i32], bias_fix_points = [6 : i32, 5 : i32], fix_point_channels = 2 : i32} : (tensor<1x1x61x2xi8>, tensor<3x1x17x2xi8>, tensor<3xi8>) -> tensor<1x1x4x3xi8>
  return %y : tensor<1x1x4x3xi8>
}

// Zeros make the last block whole, and results beyond the last one are cut off.
// CHECK-LABEL: func.func @part_of_block
// CHECK: tir.pad-fix"(%arg0){{.*}} -> tensor<1x1x64x1xi8>
// CHECK: tir.conv2d-fix
// CHECK: tir.strided_slice-fix
// CHECK-NEXT: return
func.func @part_of_block(%x: tensor<1x1x61x1xi8>) -> tensor<1x1x13x2xi8> {
  %w = "tir.const"() {value = dense<"0x44D5EB783E96968F89BE828565E07E5F7D784E9060A721CA807D7633ED123402F376E5BF1496773D"> : tensor<2x1x20x1xi8>} : () -> tensor<2x1x20x1xi8>
  %b = "tir.const"() {value = dense<"0x1961"> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [20 : i32, 1 : i32], stride = [4 : i32, 1 : i32], pad = [0 : i32, 10 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x1x61x1xi8>, tensor<2x1x20x1xi8>, tensor<2xi8>) -> tensor<1x1x13x2xi8>
  return %y : tensor<1x1x13x2xi8>
}

// Dilation goes into the blocks.
// CHECK-LABEL: func.func @dilated
// CHECK: tir.conv2d-fix"{{.*}}dilation = [1 : i32, 1 : i32]{{.*}}kernel = [3 : i32, 1 : i32]
// CHECK: return
func.func @dilated(%x: tensor<1x1x96x1xi8>) -> tensor<1x1x48x2xi8> {
  %w = "tir.const"() {value = dense<"0x6326BE5BE5850336B36F13BCAE48166882136805A7D1BE5E9F276810FDF720D033CA"> : tensor<2x1x17x1xi8>} : () -> tensor<2x1x17x1xi8>
  %y = "tir.conv2d-fix"(%x, %w) {kernel = [17 : i32, 1 : i32], stride = [2 : i32, 1 : i32], pad = [16 : i32, 16 : i32, 0 : i32, 0 : i32], dilation = [2 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x1x96x1xi8>, tensor<2x1x17x1xi8>) -> tensor<1x1x48x2xi8>
  return %y : tensor<1x1x48x2xi8>
}

// Rows are as good, if they are of one pixel.
// CHECK-LABEL: func.func @rows_of_one
// CHECK: "tir.reshape-fix"(%arg0){{.*}} -> tensor<1x10x1x16xi8>
// CHECK: tir.conv2d-fix"{{.*}}kernel = [1 : i32, 5 : i32]
// CHECK-NEXT: return
func.func @rows_of_one(%x: tensor<1x160x1x1xi8>) -> tensor<1x6x1x3xi8> {
  %w = "tir.const"() {value = dense<"0x4F2E53CB8AD1919DD51A9FB6D4D509BA64C8CF6803DE50D83A2ECFBAEB5342071A48CB2DBD574AB29152572237C4FB659A4016F7A11BC62C5271CF64F25D6F15CC50C4B73F4C7E621513A53CC7E99CD79D7FD9C7BCE4E05B0B01FAEE78E4EA5BF2CC362241B7DCBB2EE21414422AA0281BC1450D21386343FB93547121B38151A58CE94982F56A8679A3BE12655DCE528EA7C056873A18B8E73581C9BE87C0BC4AB8A929E2755A1897819EA00011714C94DDD5BA1843FA74170B1B01B59B36B672D39A4468BBF35144077C4CE631204A8ACD87051CB3E3FC7F5400161F0CCF5F79511D35066448D366D4599E209918F4"> : tensor<3x80x1x1xi8>} : () -> tensor<3x80x1x1xi8>
  %b = "tir.const"() {value = dense<"0x03C0DF"> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [1 : i32, 80 : i32], stride = [1 : i32, 16 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_points = [7 : i32, 6 : i32], bias_fix_points = [6 : i32, 5 : i32], fix_point_channels = 2 : i32} : (tensor<1x160x1x1xi8>, tensor<3x80x1x1xi8>, tensor<3xi8>) -> tensor<1x6x1x3xi8>
  return %y : tensor<1x6x1x3xi8>
}

// The target lacks the stride only.
// CHECK-LABEL: func.func @stride_alone
// CHECK: "tir.reshape-fix"(%arg0)
// CHECK: tir.conv2d-fix"{{.*}}kernel = [1 : i32, 1 : i32]
// CHECK: return
func.func @stride_alone(%x: tensor<1x1x120x1xi8>) -> tensor<1x1x10x2xi8> {
  %w = "tir.const"() {value = dense<"0xEE29E7597335"> : tensor<2x1x3x1xi8>} : () -> tensor<2x1x3x1xi8>
  %b = "tir.const"() {value = dense<"0x8576"> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 1 : i32], stride = [12 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x1x120x1xi8>, tensor<2x1x3x1xi8>, tensor<2xi8>) -> tensor<1x1x10x2xi8>
  return %y : tensor<1x1x10x2xi8>
}

// Rows of two pixels do not lie next to each other: copies of them are channels.
// CHECK-LABEL: func.func @rows_of_two
// CHECK-NOT: tir.reshape
// CHECK: kernel = [2 : i32, 14 : i32]
// CHECK: return
func.func @rows_of_two(%x: tensor<1x80x2x1xi8>) -> tensor<1x11x1x1xi8> {
  %w = "tir.const"() {value = dense<"0x133FAB861A88DF87976F2B075685786751A762C7A87AC2F0F1030DDF779D6CC827574A100D393652B0480E0F154615221721BA6621C4367E69683911112C93F43343326896A3ACD8850AB3839018BCA4"> : tensor<1x40x2x1xi8>} : () -> tensor<1x40x2x1xi8>
  %b = "tir.const"() {value = dense<"0xF3"> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [2 : i32, 40 : i32], stride = [1 : i32, 4 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x80x2x1xi8>, tensor<1x40x2x1xi8>, tensor<1xi8>) -> tensor<1x11x1x1xi8>
  return %y : tensor<1x11x1x1xi8>
}

// Neither does a stride of rows go away so: it becomes one of blocks (patches.mlir).
// CHECK-LABEL: func.func @both_strides
// CHECK-NOT: tir.reshape
// CHECK: "tir.tile-fix"{{.*}}stride = 3 : i32
// CHECK: stride = [3 : i32, 3 : i32]
// CHECK: return
func.func @both_strides(%x: tensor<1x20x18x1xi8>) -> tensor<1x3x2x1xi8> {
  %w = "tir.const"() {value = dense<"0x930FD30F"> : tensor<1x2x2x1xi8>} : () -> tensor<1x2x2x1xi8>
  %b = "tir.const"() {value = dense<"0xDF"> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [2 : i32, 2 : i32], stride = [9 : i32, 9 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x20x18x1xi8>, tensor<1x2x2x1xi8>, tensor<1xi8>) -> tensor<1x3x2x1xi8>
  return %y : tensor<1x3x2x1xi8>
}

// The target has this one.
// CHECK-LABEL: func.func @fits
// CHECK-NOT: tir.reshape
// CHECK: kernel = [16 : i32, 1 : i32]
// CHECK: return
func.func @fits(%x: tensor<1x1x64x1xi8>) -> tensor<1x1x13x1xi8> {
  %w = "tir.const"() {value = dense<"0x32B1F0186E2E9357DF0067931B02B2FB"> : tensor<1x1x16x1xi8>} : () -> tensor<1x1x16x1xi8>
  %b = "tir.const"() {value = dense<"0x30"> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [16 : i32, 1 : i32], stride = [4 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x1x64x1xi8>, tensor<1x1x16x1xi8>, tensor<1xi8>) -> tensor<1x1x13x1xi8>
  return %y : tensor<1x1x13x1xi8>
}

// No size of block divides the stride, and results would share fix points:
// pieces of the kernel are its rows.
// CHECK-LABEL: func.func @shared_points
// CHECK: kernel = [10 : i32, 2 : i32]
// CHECK: return
func.func @shared_points(%x: tensor<1x1x64x1xi8>) -> tensor<1x1x45x3xi8> {
  %w = "tir.const"() {value = dense<"0xFB5EFDB18551916D76FF543829FB35A7B630CDCA2CD80CBE699B86DB57C277EB4011B2A74FE6A556EDE0837640ABEC7962889A4F4F7EA7B25278A760"> : tensor<3x1x20x1xi8>} : () -> tensor<3x1x20x1xi8>
  %b = "tir.const"() {value = dense<"0x843454"> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [20 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_points = [7 : i32, 6 : i32], bias_fix_points = [6 : i32, 5 : i32], fix_point_channels = 2 : i32} : (tensor<1x1x64x1xi8>, tensor<3x1x20x1xi8>, tensor<3xi8>) -> tensor<1x1x45x3xi8>
  return %y : tensor<1x1x45x3xi8>
}

// No DPU rounds like this.
// CHECK-LABEL: func.func @other_rounding
// CHECK-NOT: tir.reshape
// CHECK: kernel = [20 : i32, 1 : i32]
// CHECK: return
func.func @other_rounding(%x: tensor<1x1x64x1xi8>) -> tensor<1x1x12x1xi8> {
  %w = "tir.const"() {value = dense<"0x3464C44D4B9A98DE8C6437368F69C6ED1106CCDF"> : tensor<1x1x20x1xi8>} : () -> tensor<1x1x20x1xi8>
  %b = "tir.const"() {value = dense<"0x71"> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [20 : i32, 1 : i32], stride = [4 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], round_mode = "STD_ROUND", input_fix_point = 4 : i32, output_fix_point = 2 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x1x64x1xi8>, tensor<1x1x20x1xi8>, tensor<1xi8>) -> tensor<1x1x12x1xi8>
  return %y : tensor<1x1x12x1xi8>
}

// Floats are left to quantisation, and to CPUs.
// CHECK-LABEL: func.func @in_float
// CHECK-NOT: tir.reshape
// CHECK: kernel = [20 : i32, 1 : i32]
// CHECK: return
func.func @in_float(%x: tensor<1x1x64x1xf32>) -> tensor<1x1x12x2xf32> {
  %w = "tir.const"() {value = dense<"0x000000400000803E0000D03F0000F0BF000060BF000000000000903F000000C0000000BE0000B03F0000A03F000080BE000080BE000020BF000090BF0000D03F0000B03F0000003F000000000000A0BF0000A03F000000BE0000903F000040BF000000000000B03F0000E03F0000D03F0000F0BF0000A03F000020BF0000003F000000C00000803F0000F03F0000A0BF0000E0BF000000000000C0BE000040BF"> : tensor<2x1x20x1xf32>} : () -> tensor<2x1x20x1xf32>
  %b = "tir.const"() {value = dense<"0x000000BF0000403F"> : tensor<2xf32>} : () -> tensor<2xf32>
  %y = "tir.conv2d"(%x, %w, %b) {kernel = [20 : i32, 1 : i32], stride = [4 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]} : (tensor<1x1x64x1xf32>, tensor<2x1x20x1xf32>, tensor<2xf32>) -> tensor<1x1x12x2xf32>
  return %y : tensor<1x1x12x2xf32>
}
