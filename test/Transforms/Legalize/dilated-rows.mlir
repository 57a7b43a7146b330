// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact

// Twelve phases of two rows, where the engine computes eight: three copies of the
// image, of which the outer ones begin and end with padding.
// CHECK-LABEL: func.func @square
// CHECK: %[[R:.*]] = "tir.relu-fix"
// CHECK: %[[A:.*]] = "tir.strided_slice-fix"(%[[R]]) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 8 : i32, 19 : i32, 3 : i32]{{.*}} -> tensor<1x8x19x3xi8>
// CHECK: %[[B:.*]] = "tir.pad-fix"(%[[A]]){{.*}}paddings = [0 : i32, 0 : i32, 12 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]{{.*}} -> tensor<1x20x19x3xi8>
// CHECK: %[[C:.*]] = "tir.strided_slice-fix"(%[[R]]) {begin = [0 : i32, 12 : i32,
// CHECK: %[[D:.*]] = "tir.pad-fix"(%[[C]]){{.*}}paddings = [0 : i32, 0 : i32, 0 : i32, 12 : i32
// CHECK: %[[E:.*]] = "tir.concat-fix"(%[[B]], %[[R]], %[[D]]) {axis = 2 : i32,{{.*}} -> tensor<1x20x57x3xi8>
// CHECK: %[[F:.*]] = "tir.reshape-fix"(%[[E]]){{.*}} -> tensor<1x60x19x3xi8>
// CHECK: tir.conv2d-fix"(%[[F]],{{.*}}dilation = [12 : i32, 1 : i32],{{.*}}pad = [12 : i32, 12 : i32, 0 : i32, 0 : i32]{{.*}}stride = [1 : i32, 3 : i32], weight_fix_points = [7 : i32, 6 : i32]}
// CHECK-NEXT: return
func.func @square(%x: tensor<1x20x19x3xi8>) -> tensor<1x20x19x5xi8> {
  %r = "tir.relu-fix"(%x) : (tensor<1x20x19x3xi8>) -> tensor<1x20x19x3xi8>
  %w = "tir.const"() {value = dense<"0x82B70EEE7F1A5039BEF07EC2347F066ED08F5DC7512447E3404300026B6E545594A065685D64C4980BB8D4544A8721A99A01AD219EB59CF6A15EF6F15A1D830BB7CE09D6BBC004E7175C643C7DECB0B580EC37BC9712DD2E6AAEB94BAE8D2F9FA29C5A284C9EF7521829CF1079B080E9D74A1C10FCAB6A4243D33656DEBE4C1ED79648E856E8F9"> : tensor<5x3x3x3xi8>} : () -> tensor<5x3x3x3xi8>
  %b = "tir.const"() {value = dense<"0xA2F58C95F0"> : tensor<5xi8>} : () -> tensor<5xi8>
  %y = "tir.conv2d-fix"(%r, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [12 : i32, 12 : i32], pad = [12 : i32, 12 : i32, 12 : i32, 12 : i32], input_fix_point = 4 : i32, output_fix_point = -1 : i32, nonlinear = "RELU", weight_fix_points = [7 : i32, 6 : i32], bias_fix_points = [6 : i32, 5 : i32], fix_point_channels = 3 : i32} : (tensor<1x20x19x3xi8>, tensor<5x3x3x3xi8>, tensor<5xi8>) -> tensor<1x20x19x5xi8>
  return %y : tensor<1x20x19x5xi8>
}

// Two rows that are further apart than there is padding, and steps of columns.
// CHECK-LABEL: func.func @apart
// CHECK: "tir.concat-fix"{{.*}} -> tensor<1x18x76x3xi8>
// CHECK: tir.conv2d-fix"{{.*}}dilation = [1 : i32, 1 : i32],{{.*}}kernel = [2 : i32, 2 : i32]{{.*}}pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]{{.*}}stride = [2 : i32, 2 : i32]
func.func @apart(%x: tensor<1x32x38x3xi8>) -> tensor<1x18x19x40xi8> {
  %r = "tir.relu-fix"(%x) : (tensor<1x32x38x3xi8>) -> tensor<1x32x38x3xi8>
  %w = "tir.const"() {value = dense<"0xEDBF88465F03ADED29AB14C256E7D85056791A384320C434956872D72C886BCB8FAE166602D21CC1FB470C79D939013E6567A9042A44082BFE65D723CB622F4A58151B8A4C89113ECE795216BB2CB138BBE76BCD6509C2A800DD396D71E38AA62D9D91341C0DC3DBFEB17F21D97631CDBEBD479457840F195886543D4B06181FE66AC79607B59148F68E462C973C21D7E748C4568CFDB232188D41582B537106675AF2E9C62A58F686220EDF9E21992072463433FBE81EFA1B0EBF7CEA76BEFD7C122B18D1D0232960115C2B210FB5F0F30D26AA2BA404EDE54CC5F44636B276E742627137381A3D262ABE350CEF66BD297802836507E0810B34D51D80F3A1701E8C4399135FB4CE039A300FA2E07ED5A4FBB1CCDC6A288D9AECEEE9E1C55FA8CD1EA62F57A20D606CBA462BACE4C56CAB2609D7F074A532ED019169247205A1152E4CA85331CECAC745B6B78A67A4C55D5B57049C0A8EF5DA2F8B9149E7F5765BA94BB11A8EB00D5F31E844AE6B44D86E67D80519B5FEBE1FBECCEDDF6132552BB5857EF05F06AB72580E1C66AD9142A998CA1227CF7DE8ED15A0584966C34DC210CB4792D5F65C30FF8581BFB107651EED9F34690765ED3F829E9773055BD48BBDB2A5520E446B2D186B0984E0B7B42630D1DA5A1E7C4FD7BA62B2D11152A0"> : tensor<40x2x2x3xi8>} : () -> tensor<40x2x2x3xi8>
  %b = "tir.const"() {value = dense<"0x8DEA9493DFD8351DB772D384BAE7BF21D05D203CA5D8FD099EDE28C78463F1560F7B95043C0266E1"> : tensor<40xi8>} : () -> tensor<40xi8>
  %y = "tir.conv2d-fix"(%r, %w, %b) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 1 : i32], dilation = [1 : i32, 16 : i32], pad = [0 : i32, 0 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = -1 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x32x38x3xi8>, tensor<40x2x2x3xi8>, tensor<40xi8>) -> tensor<1x18x19x40xi8>
  return %y : tensor<1x18x19x40xi8>
}

// As many rows in each phase as the engine takes.
// CHECK-LABEL: func.func @filled
// CHECK-NOT: concat
// CHECK: dilation = [2 : i32, 2 : i32]
func.func @filled(%x: tensor<1x16x19x3xi8>) -> tensor<1x16x19x5xi8> {
  %r = "tir.relu-fix"(%x) : (tensor<1x16x19x3xi8>) -> tensor<1x16x19x3xi8>
  %w = "tir.const"() {value = dense<"0x38A25CF76312D4EEB3C2246879BF00B3CF8ED13ABF129A3097AD96B442D6D1BDEF4850C3F465442EB300C337A648A6C0DBDD73FC95F5C2C451859AFE80D40AA39DFB9249F40C3EE37D961445C806F58C7CF2127DFA894F9296FCF33C08409990AC970DEDB3B843120181E9376107DBDAF6C5F3C86497EE219B01DD92F19F4954F4FEA94ED91823"> : tensor<5x3x3x3xi8>} : () -> tensor<5x3x3x3xi8>
  %b = "tir.const"() {value = dense<"0x75882B200D"> : tensor<5xi8>} : () -> tensor<5xi8>
  %y = "tir.conv2d-fix"(%r, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = -1 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x16x19x3xi8>, tensor<5x3x3x3xi8>, tensor<5xi8>) -> tensor<1x16x19x5xi8>
  return %y : tensor<1x16x19x5xi8>
}

// Rows further apart than one.
// CHECK-LABEL: func.func @stride
// CHECK-NOT: concat
// CHECK: dilation = [12 : i32, 12 : i32]
func.func @stride(%x: tensor<1x39x38x3xi8>) -> tensor<1x20x19x5xi8> {
  %r = "tir.relu-fix"(%x) : (tensor<1x39x38x3xi8>) -> tensor<1x39x38x3xi8>
  %w = "tir.const"() {value = dense<"0xAADB23CFF9193F3E70384495E04C5D5ED352226D1637C2248F1D3CCC4405DD2EA1FAFAB4BF1C46964D947086207882914478BEE8C75B4309AE2B122E3FE87AC7ECF5A5370FC41B4DDB723B2AFB6C47C0B57894AAB2C5C145B797DDB9126E5CCA203112105F676414FAF6B200DAF099DBA5EEEC33624F5124BFC5F04D82388E52927810F610B0BC"> : tensor<5x3x3x3xi8>} : () -> tensor<5x3x3x3xi8>
  %b = "tir.const"() {value = dense<"0xA11E0BE9F1"> : tensor<5xi8>} : () -> tensor<5xi8>
  %y = "tir.conv2d-fix"(%r, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [12 : i32, 12 : i32], pad = [12 : i32, 12 : i32, 12 : i32, 12 : i32], input_fix_point = 4 : i32, output_fix_point = -1 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x39x38x3xi8>, tensor<5x3x3x3xi8>, tensor<5xi8>) -> tensor<1x20x19x5xi8>
  return %y : tensor<1x20x19x5xi8>
}

// The CPU would copy its own image.
// CHECK-LABEL: func.func @input
// CHECK-NOT: concat
// CHECK: dilation = [12 : i32, 12 : i32]
func.func @input(%x: tensor<1x20x19x3xi8>) -> tensor<1x20x19x5xi8> {
  %w = "tir.const"() {value = dense<"0x82B70EEE7F1A5039BEF07EC2347F066ED08F5DC7512447E3404300026B6E545594A065685D64C4980BB8D4544A8721A99A01AD219EB59CF6A15EF6F15A1D830BB7CE09D6BBC004E7175C643C7DECB0B580EC37BC9712DD2E6AAEB94BAE8D2F9FA29C5A284C9EF7521829CF1079B080E9D74A1C10FCAB6A4243D33656DEBE4C1ED79648E856E8F9"> : tensor<5x3x3x3xi8>} : () -> tensor<5x3x3x3xi8>
  %b = "tir.const"() {value = dense<"0xA2F58C95F0"> : tensor<5xi8>} : () -> tensor<5xi8>
  %y = "tir.conv2d-fix"(%x, %w, %b) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [12 : i32, 12 : i32], pad = [12 : i32, 12 : i32, 12 : i32, 12 : i32], input_fix_point = 4 : i32, output_fix_point = -1 : i32, nonlinear = "RELU", weight_fix_points = [7 : i32, 6 : i32], bias_fix_points = [6 : i32, 5 : i32], fix_point_channels = 3 : i32} : (tensor<1x20x19x3xi8>, tensor<5x3x3x3xi8>, tensor<5xi8>) -> tensor<1x20x19x5xi8>
  return %y : tensor<1x20x19x5xi8>
}

// The upper row of each window lies above the image.
// CHECK-LABEL: func.func @corner
// CHECK-NOT: concat
// CHECK: dilation = [1 : i32, 16 : i32]
func.func @corner(%x: tensor<1x4x38x3xi8>) -> tensor<1x3x19x40xi8> {
  %r = "tir.relu-fix"(%x) : (tensor<1x4x38x3xi8>) -> tensor<1x4x38x3xi8>
  %w = "tir.const"() {value = dense<"0xEDBF88465F03ADED29AB14C256E7D85056791A384320C434956872D72C886BCB8FAE166602D21CC1FB470C79D939013E6567A9042A44082BFE65D723CB622F4A58151B8A4C89113ECE795216BB2CB138BBE76BCD6509C2A800DD396D71E38AA62D9D91341C0DC3DBFEB17F21D97631CDBEBD479457840F195886543D4B06181FE66AC79607B59148F68E462C973C21D7E748C4568CFDB232188D41582B537106675AF2E9C62A58F686220EDF9E21992072463433FBE81EFA1B0EBF7CEA76BEFD7C122B18D1D0232960115C2B210FB5F0F30D26AA2BA404EDE54CC5F44636B276E742627137381A3D262ABE350CEF66BD297802836507E0810B34D51D80F3A1701E8C4399135FB4CE039A300FA2E07ED5A4FBB1CCDC6A288D9AECEEE9E1C55FA8CD1EA62F57A20D606CBA462BACE4C56CAB2609D7F074A532ED019169247205A1152E4CA85331CECAC745B6B78A67A4C55D5B57049C0A8EF5DA2F8B9149E7F5765BA94BB11A8EB00D5F31E844AE6B44D86E67D80519B5FEBE1FBECCEDDF6132552BB5857EF05F06AB72580E1C66AD9142A998CA1227CF7DE8ED15A0584966C34DC210CB4792D5F65C30FF8581BFB107651EED9F34690765ED3F829E9773055BD48BBDB2A5520E446B2D186B0984E0B7B42630D1DA5A1E7C4FD7BA62B2D11152A0"> : tensor<40x2x2x3xi8>} : () -> tensor<40x2x2x3xi8>
  %b = "tir.const"() {value = dense<"0x8DEA9493DFD8351DB772D384BAE7BF21D05D203CA5D8FD099EDE28C78463F1560F7B95043C0266E1"> : tensor<40xi8>} : () -> tensor<40xi8>
  %y = "tir.conv2d-fix"(%r, %w, %b) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 1 : i32], dilation = [1 : i32, 16 : i32], pad = [0 : i32, 0 : i32, 15 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = -1 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32, bias_fix_point = 6 : i32} : (tensor<1x4x38x3xi8>, tensor<40x2x2x3xi8>, tensor<40xi8>) -> tensor<1x3x19x40xi8>
  return %y : tensor<1x3x19x40xi8>
}
