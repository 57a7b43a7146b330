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
  %w = "tir.const"() {value = dense<"0x0000003F000060BF0000903F0000D0BF0000C0BF0000A0BF0000603F0000D0BF000000400000C0BE0000E0BF0000B0BF0000B03F0000A03F0000C0BF000000BE0000B0BF0000B03F0000D0BF000090BF000080BE0000D0BF0000903F0000D0BF"> : tensor<12x1x1x2xf32>} : () -> tensor<12x1x1x2xf32>
  %b = "tir.const"() {value = dense<"0x000080BE0000603F0000803F000080BF000000BF0000E0BF0000B0BF000080BF000000BE000000400000C0BE0000903F"> : tensor<12xf32>} : () -> tensor<12xf32>
  %c = "tir.conv2d"(%x, %w, %b) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<12x1x1x2xf32>, tensor<12xf32>) -> tensor<1x3x3x12xf32>
  %y = "tir.pixel-shuffle"(%c) {scale = 2 : i32} : (tensor<1x3x3x12xf32>) -> tensor<1x6x6x3xf32>
  return %y : tensor<1x6x6x3xf32>
}

// CHECK-LABEL: func.func @shuffle_after_conv_fix
// CHECK-NOT: pixel-shuffle
// CHECK: tir.tile-fix"{{.*}}input_fix_point = 4 : i32, output_fix_point = 3 : i32, reverse = true
func.func @shuffle_after_conv_fix(%x: tensor<1x3x3x2xi8>) -> tensor<1x9x9x2xi8> {
  %w = "tir.const"() {value = dense<"0xEDBF88465F03ADED29AB14C256E7D85056791A384320C434956872D72C886BCB8FAE166602D21CC1FB470C79D939013E6567A9042A44082BFE65D723CB622F4A58151B8A4C89113ECE795216BB2CB138BBE76BCD6509C2A800DD396D71E38AA62D9D91341C0DC3DBFEB17F21D97631CDBEBD479457840F195886543D4B06181FE66AC79607B59148F68E462C973C21D7E748C4568CFDB232188D41582B537106675AF2E9C62A58F686220EDF9E21992072463433FBE81EFA1B0EBF7CEA76BEFD7C122B18D1D0232960115C2B210FB5F0F30D26AA2BA404EDE54CC5F44636B276E742627137381A3D262ABE350CEF66BD297802836507E0810B34D51D80F3A1701E8C4399135FB4CE039A300FA2E07ED5A4FBB1CCDC6A288D9AECEEE9E1C55FA8CD1EA62F57A20D606CBA462BACE4C56CAB2609D7F074A532ED019169247205A1152E4CA8"> : tensor<18x3x3x2xi8>} : () -> tensor<18x3x3x2xi8>
  %b = "tir.const"() {value = dense<"0x10DBF70769ECFB8E5211FAA7267FB816D747"> : tensor<18xi8>} : () -> tensor<18xi8>
  %c = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 7 : i32, bias_fix_point = 6 : i32, output_fix_point = 0 : i32} : (tensor<1x3x3x2xi8>, tensor<18x3x3x2xi8>, tensor<18xi8>) -> tensor<1x3x3x18xi8>
  %y = "tir.pixel-shuffle-fix"(%c) {scale = 3 : i32, input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x3x3x18xi8>) -> tensor<1x9x9x2xi8>
  return %y : tensor<1x9x9x2xi8>
}

// The convolution is used twice.
// CHECK-LABEL: func.func @shuffle_of_shared
// CHECK: tir.pixel-shuffle
func.func @shuffle_of_shared(%x: tensor<1x3x3x2xf32>) -> (tensor<1x6x6x3xf32>, tensor<1x3x3x12xf32>) {
  %w = "tir.const"() {value = dense<"0x0000C03F0000D03F0000C03F00000040000000BF000020BF000000400000E03F000020BF0000A0BF0000C03F0000C03E000060BF0000B0BF0000E0BF0000903F0000C03F000040BF000000C00000C0BF0000D0BF0000E0BF000000BF000000BE"> : tensor<12x1x1x2xf32>} : () -> tensor<12x1x1x2xf32>
  %c = "tir.conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x3x3x2xf32>, tensor<12x1x1x2xf32>) -> tensor<1x3x3x12xf32>
  %y = "tir.pixel-shuffle"(%c) {scale = 2 : i32} : (tensor<1x3x3x12xf32>) -> tensor<1x6x6x3xf32>
  return %y, %c : tensor<1x6x6x3xf32>, tensor<1x3x3x12xf32>
}

// CHECK-LABEL: func.func @blocks_into_conv
// CHECK: tir.conv2d-fix"(%arg0,{{.*}}kernel = [6 : i32, 6 : i32]{{.*}}pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], stride = [2 : i32, 2 : i32]
// CHECK-NEXT: return
func.func @blocks_into_conv(%x: tensor<1x8x8x2xi8>) -> tensor<1x4x4x3xi8> {
  %w = "tir.const"() {value = dense<"0xF289B349C305BFF78CEB74004AE1BC53AD6B1E6626ACCF2C091F722ED8E339D845A0531A572ACDD6F0F4C40F2A6285B6B9C59E3A8178ABBABE5B0EC3DC100D71DA16C66834705B278C12DD8DFFB01AEBBC6AAD90E9F3F67A55EDBA5D60700389AE5B7B04147E3BB84F0CA58F3C75F4FAB586E353E595178EA8E36D91820E010D4388D7467B66DEF11E8414D5DC2FCF65B1BCC552084F0F1325D466C232B4609F8AFB3F6CC97D24D0B6A52AAA482E9F9F5CDFBB5A0F6BF9E3F85B1DAEE97AA7317203B8BB8F67DD97704BAA53EDC77FEBEB1974D0CAE11A36"> : tensor<3x3x3x8xi8>} : () -> tensor<3x3x3x8xi8>
  %a = "tir.tile-fix"(%x) {stride = 2 : i32} : (tensor<1x8x8x2xi8>) -> tensor<1x4x4x8xi8>
  %c = "tir.conv2d-fix"(%a, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 7 : i32} : (tensor<1x4x4x8xi8>, tensor<3x3x3x8xi8>) -> tensor<1x4x4x3xi8>
  return %c : tensor<1x4x4x3xi8>
}

// CHECK-LABEL: func.func @crd_blocks_into_conv
// CHECK: tir.conv2d-fix"(%arg0,{{.*}}kernel = [4 : i32, 4 : i32]{{.*}}stride = [4 : i32, 4 : i32]
// CHECK-NEXT: return
func.func @crd_blocks_into_conv(%x: tensor<1x8x8x2xi8>) -> tensor<1x2x2x3xi8> {
  %w = "tir.const"() {value = dense<"0x84945F764B735F42246D960FDC40078D4B2B86E6DF4783B677F9DBBADCA03CB186E545E1E35A96675BB681BEEB868FCA42FB787863BB4325DCEDC701D9167348FEE38151D380B367BF4679FE6C1513B7AE5D97625439735523DB13E1AF2F0140"> : tensor<3x2x2x8xi8>} : () -> tensor<3x2x2x8xi8>
  %a = "tir.pixel-shuffle-fix"(%x) {scale = 2 : i32, upscale = false} : (tensor<1x8x8x2xi8>) -> tensor<1x4x4x8xi8>
  %c = "tir.conv2d-fix"(%a, %w) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], weight_fix_point = 7 : i32} : (tensor<1x4x4x8xi8>, tensor<3x2x2x8xi8>) -> tensor<1x2x2x3xi8>
  return %c : tensor<1x2x2x3xi8>
}

// Kernel 18 is more than 16; stride 10 is more than 8.
// CHECK-LABEL: func.func @blocks_too_large
// CHECK-COUNT-2: tir.tile-fix
func.func @blocks_too_large(%x: tensor<1x12x12x1xi8>, %z: tensor<1x20x20x1xi8>) -> (tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>) {
  %w = "tir.const"() {value = dense<"0x367E8A829525E69BEECBC93C8672A1B785B84C528C5405233EAC0E2A8C68C3CEE03039BA5C30F9638AE76FF89082343E2D8E8F3C0E52D23A2FD9F556C5E99EF8EBDFD53083F2C978E6FA2249FA88E109CFD80AB1BCF186B69A6015F08330C63211629F0C0090B7803A114A65007580875D7F6AA995BC105165BBFBC47DC6A0F9107EDBF0AD2D863442661B486C84F9E540C21A3683BCD9D641E3712E4B584B0871B417D0EF88F0A527BB1F3123DA3A1A5722009C1645C24C02E6EFFD0A97298A7F90007803B7393FCBC3E496B1AA0E8146909F6EE20D23E0AEC4D880D6660FC0F37DC63D71786382267E2EE8190E6190D9EB7322265EBEEB67C436BAF26FB2AAFE9F1959EB448CF39C184E1C0F9DF8BA97BC59430C6B2243749ECEF3B35AB37EB4ABDD3807149C8B579965663A73C690E239C539E0277B1E69C0632943BAF43C292E7673"> : tensor<1x3x3x36xi8>} : () -> tensor<1x3x3x36xi8>
  %v = "tir.const"() {value = dense<"0x6A0512507A081C4BBC7A3BADEEB68FC886B07569B5A0729CD7"> : tensor<1x1x1x25xi8>} : () -> tensor<1x1x1x25xi8>
  %a = "tir.tile-fix"(%x) {stride = 6 : i32} : (tensor<1x12x12x1xi8>) -> tensor<1x2x2x36xi8>
  %c = "tir.conv2d-fix"(%a, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], weight_fix_point = 7 : i32} : (tensor<1x2x2x36xi8>, tensor<1x3x3x36xi8>) -> tensor<1x2x2x1xi8>
  %b = "tir.tile-fix"(%z) {stride = 5 : i32} : (tensor<1x20x20x1xi8>) -> tensor<1x4x4x25xi8>
  %d = "tir.conv2d-fix"(%b, %v) {kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], weight_fix_point = 7 : i32} : (tensor<1x4x4x25xi8>, tensor<1x1x1x25xi8>) -> tensor<1x2x2x1xi8>
  return %c, %d : tensor<1x2x2x1xi8>, tensor<1x2x2x1xi8>
}
