// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize

// As in a pyramid of dilated convolutions on a small map: the middle is left.
// CHECK-LABEL: func.func @middle
// CHECK: tir.conv2d"(%arg0, {{.*}}dilation = [1 : i32, 1 : i32], kernel = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]
func.func @middle(%x: tensor<1x4x5x2xf32>) -> tensor<1x4x5x3xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]], [[13.0, 14.0], [15.0, 16.0], [17.0, 18.0]]], [[[1.5, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.5, 8.0], [9.5, 10.0], [11.0, 12.0]], [[13.0, 14.0], [15.0, 16.0], [17.0, 18.0]]], [[[1.0, 2.5], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.5], [9.0, 10.5], [11.0, 12.0]], [[13.0, 14.0], [15.0, 16.0], [17.0, 18.0]]]]> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %y = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [6 : i32, 6 : i32], pad = [6 : i32, 6 : i32, 6 : i32, 6 : i32]} : (tensor<1x4x5x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x4x5x3xf32>
  return %y : tensor<1x4x5x3xf32>
}

// Along one axis; and what only the first positions miss stays.
// CHECK-LABEL: func.func @rows
// CHECK: tir.depthwise-conv2d-fix"(%arg0, {{.*}}dilation = [2 : i32, 1 : i32], {{.*}}kernel = [3 : i32, 1 : i32]{{.*}}pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32]
func.func @rows(%x: tensor<1x2x5x2xi8>) -> tensor<1x2x5x2xi8> {
  %w = "tir.const"() {value = dense<[[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]], [[13, 14], [15, 16], [17, 18]]]]> : tensor<1x3x3x2xi8>} : () -> tensor<1x3x3x2xi8>
  %y = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 2 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 2 : i32], weight_fix_point = 4 : i32} : (tensor<1x2x5x2xi8>, tensor<1x3x3x2xi8>) -> tensor<1x2x5x2xi8>
  return %y : tensor<1x2x5x2xi8>
}

// Windows of a stride: element 0 meets the image at the last position.
// CHECK-LABEL: func.func @stride
// CHECK: kernel = [2 : i32, 2 : i32]
func.func @stride(%x: tensor<1x4x4x1xf32>) -> tensor<1x3x3x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %y = "tir.conv2d"(%x, %w) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], dilation = [3 : i32, 3 : i32], pad = [3 : i32, 1 : i32, 3 : i32, 1 : i32]} : (tensor<1x4x4x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x3x3x1xf32>
  return %y : tensor<1x3x3x1xf32>
}

// Its first window would meet padding alone, which no engine takes.
// CHECK-LABEL: func.func @corner
// CHECK: kernel = [2 : i32, 2 : i32]
func.func @corner(%x: tensor<1x3x3x1xf32>) -> tensor<1x2x2x1xf32> {
  %w = "tir.const"() {value = dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>} : () -> tensor<1x2x2x1xf32>
  %y = "tir.conv2d"(%x, %w) {kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [3 : i32, 3 : i32], pad = [2 : i32, 0 : i32, 2 : i32, 0 : i32]} : (tensor<1x3x3x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  return %y : tensor<1x2x2x1xf32>
}

// More than the engine has, and a last window that meets padding alone.
// CHECK-LABEL: func.func @beyond
// CHECK: %[[X:.*]] = "tir.pad-fix"(%arg0) {paddings = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 16 : i32, 16 : i32, 0 : i32, 0 : i32]
// CHECK: "tir.conv2d-fix"(%[[X]], {{.*}}pad = [0 : i32, 0 : i32, 1 : i32, 1 : i32]
func.func @beyond(%x: tensor<1x4x12x3xi8>) -> tensor<1x4x29x5xi8> {
  %w = "tir.const"() {value = dense<"0xFE70BC86BA47C5704E4A3AFF7DB7225046C0CB8360837C8310041DB73C8DA46715B52BBCD826284E40C3D377786E16BC6F8C47663080677A2B8D14676A063CA249F77FE616AC9D78A27AA2370CBCEEF23E79ED8E747553C64781EDC7906E736EEC579689AE1814403AB121CFD07F3CF9B21BB82971BEC6AB687BC2E97BC77207BD2C5E2F7498D2E7FF9ADE9C3A5555B0E6A05E12E5C2E66D90BD99B13F27537C99198DD3F3D8FBB2FBAD00A00688CB815C1F45E7672AD3A5DF18788E8226BFB193B037ABD26DEB9258C9DDF1D3894549AB3AA05BEE0CD49D9F6D7EEA694E9AAC58CBD1D7E89680E39DD0532A59D8819697C3AF34DB25B2A3E35AB691CB4E92F2A6AF4D3A07E93A13A63C3353C519A0FAAA9693C35018B0A3227BA1D1C2E65EE9618356133AB25AB1E3F6BF4CA588713938C9896EE159CB831B0565EAAF50EF464D7B6552AF5602AB24D834DC5770FFA50469E9823261D284A3EE3ED557FB4C8087F457D74FFE0776A1F2C0A5DC44800F8CB1595CD4E10A514BF11B34A57FCF7CB333EF4BCF7B3EB33D52DDA19A3B1A166AE4CC373C99E916836F1E76A58E573D3153F894A33BA937ACAB7A207CCDFFEABB193EC9006DA2153ECB5A1ED2B5597D2464A2F1F6327201DB9A8693A8937F86E13D67B11405CDA79369B98584B1455D31328B3E81F1B7A989FD02B93340CABCDCFFBD89F1EACCFD6BD3558AEEED6EB5862EC4FB72522A86C4410FA0F93DC979C1A2CF5724BCBCDDB0591FFC92342C7712B1FFAF4560BC45F6D23E4CC0E14C2C256BCF27FE6D6355C03EC6FE308F80FA3C7519A101E32E226359445555D293B78A28DB60F722845018784295BB105AA322B7CE6CB9786CB6E73C85C869487F6F4FBBBA1DAE455BA927F7B10151BE80E70B2045D78AED7D5E6F17E7D794A2AAB757FBD07CC7F30BDE5A4DF53DF65899734EAFD5A05B82589900DB8D9165D4226E19B6E26A6A651C627665BB4645A3D2C257B6E4E12D7A8AA58A39D51C82C300E6"> : tensor<5x3x16x3xi8>} : () -> tensor<5x3x16x3xi8>
  %y = "tir.conv2d-fix"(%x, %w) {kernel = [16 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [16 : i32, 16 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 0 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32} : (tensor<1x4x12x3xi8>, tensor<5x3x16x3xi8>) -> tensor<1x4x29x5xi8>
  return %y : tensor<1x4x29x5xi8>
}

// CHECK-LABEL: func.func @last_row
// CHECK: "tir.pad-fix"(%arg0) {paddings = [0 : i32, 0 : i32, 0 : i32, 2 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32]
// CHECK: "tir.depthwise-conv2d-fix"{{.*}}pad = [1 : i32, 1 : i32, 0 : i32, 0 : i32]
func.func @last_row(%x: tensor<1x4x5x3xi8>) -> tensor<1x5x5x3xi8> {
  %w = "tir.const"() {value = dense<"0xE8539A6911C604201CA070FFE0487A6DAD96"> : tensor<1x2x3x3xi8>} : () -> tensor<1x2x3x3xi8>
  %y = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [3 : i32, 2 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 0 : i32, 2 : i32], input_fix_point = 4 : i32, output_fix_point = 0 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32} : (tensor<1x4x5x3xi8>, tensor<1x2x3x3xi8>) -> tensor<1x5x5x3xi8>
  return %y : tensor<1x5x5x3xi8>
}

// As much as the engine has.
// CHECK-LABEL: func.func @within
// CHECK-NOT: pad-fix
// CHECK: pad = [15 : i32, 15 : i32, 0 : i32, 0 : i32]
func.func @within(%x: tensor<1x1x20x3xi8>) -> tensor<1x1x35x5xi8> {
  %w = "tir.const"() {value = dense<"0xEBAF59E9B6A75F3998BD64955F0361953B4EE93423FA697AA44F711A965C07E132B9CF75D3CA2834440B37DCEE8A03E7185ACE2FBC1BFC98135432F9D0282E459108E5D234921B2DFB152194D0F21C7866FAEB65895DA8502E2325B679AFFEA7BF4C1884EDB94134AC0BA0319A6EFAE7D214EA3784A975CAFEDDF2F49D31AFFF86FF91B875E23ACEA1360F08B20074C228F1817C2F3120BA970CD5085C9966DCC317E9A2DD636B47E32F49DC7327D7D15AD54E9821202DCD54CD73CA0907DD73B35AC15F9BA8BB14747133B85DE6E8646979BCCEFD5139E1A4043EDA3A4A1FD2716EEAFFBD2FB0CB6A426C28E91C6CE1"> : tensor<5x1x16x3xi8>} : () -> tensor<5x1x16x3xi8>
  %y = "tir.conv2d-fix"(%x, %w) {kernel = [16 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [15 : i32, 15 : i32, 0 : i32, 0 : i32], input_fix_point = 4 : i32, output_fix_point = 0 : i32, nonlinear = "RELU", weight_fix_point = 7 : i32} : (tensor<1x1x20x3xi8>, tensor<5x1x16x3xi8>) -> tensor<1x1x35x5xi8>
  return %y : tensor<1x1x35x5xi8>
}
