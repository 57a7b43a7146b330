// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize exact

// Three pieces of 11 elements, below copies that begin 16 and 5 columns before
// the signal, and 6 columns after its beginning.
// CHECK-LABEL: func.func @speech
// CHECK: %[[A:.*]] = "tir.pad-fix"({{.*}}paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 16 : i32, 0 : i32, 0 : i32, 0 : i32]{{.*}} -> tensor<1x1x50x3xi8>
// CHECK: %[[B:.*]] = "tir.pad-fix"(%arg0) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 5 : i32, 5 : i32, 0 : i32, 0 : i32]
// CHECK: %[[C:.*]] = "tir.pad-fix"({{.*}}paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 16 : i32, 0 : i32, 0 : i32]
// CHECK: %[[J:.*]] = "tir.concat-fix"(%[[A]], %[[B]], %[[C]]) {axis = 2 : i32
// CHECK: %[[R:.*]] = "tir.reshape-fix"(%[[J]]){{.*}} -> tensor<1x3x50x3xi8>
// CHECK: "tir.depthwise-conv2d-fix"(%[[R]],{{.*}}kernel = [11 : i32, 3 : i32]{{.*}}pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]{{.*}}stride = [1 : i32, 3 : i32]
func.func @speech(%x: tensor<1x1x40x3xi8>) -> tensor<1x1x40x3xi8> {
  %w = "tir.const"() {value = dense<"0x29F88512004AF0BFA30B8BFA65D33062872DD9AB2FB9D180E3306495311766B8F9630EB97DDC9BB63D2D653B899F64C2F772466B06605608AA9CBFC1C79440FA1B5ED8CB31E17D2DE4E4C227DAF19BD12B6288E7F958090B3F80B86083E7A882D2D7F8"> : tensor<1x1x33x3xi8>} : () -> tensor<1x1x33x3xi8>
  %y = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [33 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [16 : i32, 16 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 0 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32} : (tensor<1x1x40x3xi8>, tensor<1x1x33x3xi8>) -> tensor<1x1x40x3xi8>
  return %y : tensor<1x1x40x3xi8>
}

// The last piece ends with a zero.
// CHECK-LABEL: func.func @uneven
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}kernel = [10 : i32, 2 : i32]{{.*}}stride = [2 : i32, 2 : i32]
func.func @uneven(%x: tensor<1x1x40x3xi8>) -> tensor<1x1x11x3xi8> {
  %w = "tir.const"() {value = dense<"0x89F3F5FB48C1FE9CEFA5BB53C088A3CBF9509403E61D5D0F39BDB9FE1F624F8907D8FB26F07633BDB94A7CA24913313517F4EC230F412A5287"> : tensor<1x1x19x3xi8>} : () -> tensor<1x1x19x3xi8>
  %y = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [19 : i32, 1 : i32], stride = [2 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 0 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32} : (tensor<1x1x40x3xi8>, tensor<1x1x19x3xi8>) -> tensor<1x1x11x3xi8>
  return %y : tensor<1x1x11x3xi8>
}

// Several rows, where the padding is more than an engine has.
// CHECK-LABEL: func.func @rows
// CHECK: "tir.reshape-fix"{{.*}} -> tensor<1x18x52x3xi8>
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}kernel = [13 : i32, 9 : i32]{{.*}}pad = [0 : i32, 0 : i32, 0 : i32, 3 : i32]{{.*}}stride = [1 : i32, 3 : i32]
func.func @rows(%x: tensor<1x6x40x3xi8>) -> tensor<1x5x40x3xi8> {
  %w = "tir.const"() {value = dense<"0xE7FF0A4660E1F5E1E48DF42095BA92B8112A8D8F8CF2DCE3BE102B7F7A1058ACBD101A6BDDAF27503ACC45EDFD264125B30F5F4C5E904DC6727140D653A27B02C560A6C3E104CB4577BE8B5E4C5444C4261F0614F11E3A33BC101E73D073962FF1271E56E03D395B190FD99282E376676D8E0682A92F10B9BB3B730EB8AEDF1AB0470F05AC22F801ED872C8B754340D65D7CC4DBF58A8146991062E5355A3701523D4DC9F2F8F06EC64FEA05ACD580A34492BDB972029C5A2AD0762D63C2D2404B19F9BAA8C78B22854315384F3A2C2C3F6EB3AD517D595E7340F5EA3845E964BE4AAA86228C001F0FF5E9A21F058C33C4AC34BF484BBDF0CF094D35E4BF0641F58724F43DCC6557E0A982B1968BE7177F01FD825712A4076B9B614E8E1D8B9ABF6F57012EB65EB35DF471F3C4B73E2CDC1B68E089701CF78188B899DABD30D4538E1FA21D28391FE0DC2E5A86"> : tensor<1x3x37x3xi8>} : () -> tensor<1x3x37x3xi8>
  %y = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [37 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [18 : i32, 18 : i32, 0 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 0 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32} : (tensor<1x6x40x3xi8>, tensor<1x3x37x3xi8>) -> tensor<1x5x40x3xi8>
  return %y : tensor<1x5x40x3xi8>
}

// Two results of each channel.
// CHECK-LABEL: func.func @two_each
// CHECK: "tir.conv2d-fix"{{.*}}kernel = [11 : i32, 3 : i32]
func.func @two_each(%x: tensor<1x1x40x3xi8>) -> tensor<1x1x40x6xi8> {
  %w = "tir.const"() {value = dense<"0xB40020889EB1C6CE273A90FDE4839E7B071AC24E7096063686453C0FCC83FA6C238D59454E320C6FA7D6F3F9E7A5E8625A397147C872B4EE8C62730DD07CCB3D11A1BAFF81DFC09BB8BE1DD25C9C94F17B35EB52BBDBEFA724E8DDF8063721F6DE1E0DB3B9525BF524CF3A0FB1778087C5B801B0D69959FCB413086803160FF334D4F7A7F06769BF49386C197289D570B6F3BD4CBD8F611C6666CD17D90C27293C6232F6A95FE16B0470A76D974C030E9535CF6E6AD3FF2DDD57466690D799CD10E06E649877"> : tensor<2x1x33x3xi8>} : () -> tensor<2x1x33x3xi8>
  %y = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [33 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [16 : i32, 16 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 0 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32} : (tensor<1x1x40x3xi8>, tensor<2x1x33x3xi8>) -> tensor<1x1x40x6xi8>
  return %y : tensor<1x1x40x6xi8>
}

// The misc engine takes it as it is, and has rows for all lanes.
// CHECK-LABEL: func.func @taken
// CHECK-NOT: concat
// CHECK: kernel = [17 : i32, 1 : i32]
func.func @taken(%x: tensor<1x6x40x3xi8>) -> tensor<1x6x40x3xi8> {
  %w = "tir.const"() {value = dense<"0xDCB918A1B9B7CFDCB7D1924E8365EE58034C217282ED066C9C1D14FAC73FB3A54694018A4289A42CB33D007C9C6A6B23DC0DB4"> : tensor<1x1x17x3xi8>} : () -> tensor<1x1x17x3xi8>
  %y = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [17 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [8 : i32, 8 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 0 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32} : (tensor<1x6x40x3xi8>, tensor<1x1x17x3xi8>) -> tensor<1x6x40x3xi8>
  return %y : tensor<1x6x40x3xi8>
}
