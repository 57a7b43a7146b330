// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize

// CHECK-LABEL: func.func @rows
// CHECK: %[[X:.*]] = "tir.reshape"(%arg0) {shape = [2 : i32, 1 : i32, 1 : i32, 4 : i32]}
// CHECK: "tir.const"{{.*}} tensor<3x1x1x4xf32>
// CHECK: %[[C:.*]] = "tir.conv2d"(%[[X]], {{.*}}kernel = [1 : i32, 1 : i32]
// CHECK: tir.reshape"(%[[C]]) {shape = [2 : i32, 3 : i32]}
func.func @rows(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000003F000060BF0000903F0000D0BF0000C0BF0000A0BF0000603F0000D0BF000000400000C0BE0000E0BF0000B0BF"> : tensor<4x3xf32>} : () -> tensor<4x3xf32>
  %b = "tir.const"() {value = dense<"0x000080BE0000603F0000803F"> : tensor<3xf32>} : () -> tensor<3xf32>
  %y = "tir.matmul"(%x, %w, %b) : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// Rows of a batch are pixels.
// CHECK-LABEL: func.func @pixels
// CHECK: tir.reshape"(%arg0) {shape = [2 : i32, 1 : i32, 5 : i32, 4 : i32]}
// CHECK: tir.conv2d"
func.func @pixels(%x: tensor<2x5x4xf32>) -> tensor<2x5x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000D03F0000603F0000003E000080BF000020BF000000C00000203F000000400000D03F0000B0BF0000203F0000E0BF"> : tensor<3x4xf32>} : () -> tensor<3x4xf32>
  %y = "tir.matmul"(%x, %w) {transpose_b = true} : (tensor<2x5x4xf32>, tensor<3x4xf32>) -> tensor<2x5x3xf32>
  return %y : tensor<2x5x3xf32>
}

// CHECK-LABEL: func.func @feature_map
// CHECK-NOT: tir.flatten
// CHECK: tir.conv2d"(%arg0, {{.*}}kernel = [3 : i32, 2 : i32]
func.func @feature_map(%x: tensor<2x2x3x4xf32>) -> tensor<2x5xf32> {
  %w = "tir.const"() {value = dense<"0x0000E0BF0000B03F0000E03F000000C00000C0BE0000D03F0000F03F0000003E000040BF0000E0BF0000F03F0000003F0000C0BF000000BE0000603F0000E0BF0000A03F000080BF0000403F0000803F0000A03F0000803E000000000000D03F000020BF0000C03E0000603F000080BF0000D03F000000BE0000C03F0000803F0000E0BF000000C0000000BE000080BF000000BF0000C03E0000603F000000BE0000003F0000C03F0000B03F0000E03F0000C0BF0000003F00000040000040BF000080BE0000A03F000000BE0000E0BF0000E0BF0000F03F0000C03E0000C0BF0000B0BF000060BF0000803F0000603F000060BF000090BF0000A0BF0000C03F000040BF000000BF0000403F0000B03F0000A03F0000C03F000000BE0000003E000060BF000020BF000090BF0000003E0000D03F0000C03E000040BF000020BF000020BF0000E03F0000403F0000003F0000B03F000080BE000000C00000E0BF0000203F0000003F000000BE0000B0BF000000000000C03F0000903F000040BF0000803F0000F03F000000BE0000003E0000E03F0000F03F0000C0BF000040BF0000F03F0000D03F0000903F000080BF0000A03F0000403F0000803F0000F03F000040BF0000C03F0000A0BF0000A03F0000E0BF000000C00000C03F0000C0BF"> : tensor<24x5xf32>} : () -> tensor<24x5xf32>
  %f = "tir.flatten"(%x) : (tensor<2x2x3x4xf32>) -> tensor<2x24xf32>
  %y = "tir.matmul"(%f, %w) : (tensor<2x24xf32>, tensor<24x5xf32>) -> tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @inner_product
// CHECK: tir.conv2d"(%arg0, {{.*}}kernel = [3 : i32, 2 : i32]
func.func @inner_product(%x: tensor<2x2x3x4xf32>) -> tensor<2x5xf32> {
  %w = "tir.const"() {value = dense<"0x0000C03F0000D03F0000C03F00000040000000BF000020BF000000400000E03F000020BF0000A0BF0000C03F0000C03E000060BF0000B0BF0000E0BF0000903F0000C03F000040BF000000C00000C0BF0000D0BF0000E0BF000000BF000000BE0000F0BF0000D03F0000003F0000C03F000000BF000080BE0000803E0000F03F000000C00000B0BF0000D03F0000003E0000A03F0000B0BF000000000000003F000080BE000000400000803E0000F0BF0000C0BF0000A0BF0000903F0000A0BF0000803E0000803F0000C0BF0000F0BF000000C00000C0BE0000C0BE0000D0BF0000E03F0000803F0000903F0000A03F0000C0BF000000BF0000003E0000203F0000B0BF0000C03E0000203F000000C00000A03F000090BF000080BF000000BE0000A0BF000000C00000D0BF0000D03F0000F03F000020BF000000BF0000C03F00000040000000BF000080BF0000A03F0000803F000090BF0000903F0000A03F0000C0BE000000C00000003E0000C03E0000F0BF0000C0BE000020BF0000903F0000A0BF0000E0BF000060BF0000C0BE0000C03F00000000000000C00000203F0000803E0000803F0000C0BF0000C0BF0000B0BF0000C0BE000000BE000000C00000603F0000603F0000D03F000080BF0000E03F000080BF0000803F000020BF"> : tensor<5x24xf32>} : () -> tensor<5x24xf32>
  %b = "tir.const"() {value = dense<"0x0000E03F0000003E0000403F000060BF0000803F"> : tensor<5xf32>} : () -> tensor<5xf32>
  %y = "tir.inner-product"(%x, %w, %b) : (tensor<2x2x3x4xf32>, tensor<5x24xf32>, tensor<5xf32>) -> tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @inner_product_of_rows
// CHECK: tir.reshape"(%arg0) {shape = [2 : i32, 1 : i32, 2 : i32, 12 : i32]}
// CHECK: tir.conv2d"
func.func @inner_product_of_rows(%x: tensor<2x2x3x4xf32>) -> tensor<2x2x5xf32> {
  %w = "tir.const"() {value = dense<"0x000000000000803E000020BF000080BE000060BF000080BE000020BF000080BF0000C0BF0000C0BE0000803E0000F0BF0000B03F000080BF000000C00000003E000060BF0000B0BF000000000000C03F0000B03F000080BF000000000000403F000080BE0000F03F0000B03F0000603F0000B03F0000003F000090BF0000403F000000000000C03F000080BF0000C03F0000C03F000020BF0000803E000000BF000020BF0000403F000000000000603F0000D03F000000000000003E0000903F000080BF0000F03F000000BE000000BE000000BF0000603F000080BF0000C0BF0000B03F0000D03F0000803F000000C0"> : tensor<5x12xf32>} : () -> tensor<5x12xf32>
  %y = "tir.inner-product"(%x, %w) {axis = -2 : i32} : (tensor<2x2x3x4xf32>, tensor<5x12xf32>) -> tensor<2x2x5xf32>
  return %y : tensor<2x2x5xf32>
}

// CHECK-LABEL: func.func @fixed
// CHECK: tir.conv2d-fix"(%arg0, {{.*}}bias_fix_point = 6 : i32, input_fix_point = 4 : i32, kernel = [2 : i32, 2 : i32], nonlinear = "RELU", output_fix_point = 2 : i32,{{.*}} weight_fix_point = 7 : i32
// CHECK: tir.reshape-fix
func.func @fixed(%x: tensor<1x2x2x4xi8>) -> tensor<1x5xi8> {
  %w = "tir.const"() {value = dense<"0x367E8A829525E69BEECBC93C8672A1B785B84C528C5405233EAC0E2A8C68C3CEE03039BA5C30F9638AE76FF89082343E2D8E8F3C0E52D23A2FD9F556C5E99EF8EBDFD53083F2C978E6FA2249FA88E109"> : tensor<16x5xi8>} : () -> tensor<16x5xi8>
  %b = "tir.const"() {value = dense<"0x6A0512507A"> : tensor<5xi8>} : () -> tensor<5xi8>
  %f = "tir.reshape-fix"(%x) {shape = [1 : i32, 16 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x2x2x4xi8>) -> tensor<1x16xi8>
  %y = "tir.matmul-fix"(%f, %w, %b) {nonlinear = "RELU", input_fix_point = [4 : i32, 7 : i32], bias_fix_point = 6 : i32, output_fix_point = 2 : i32} : (tensor<1x16xi8>, tensor<16x5xi8>, tensor<5xi8>) -> tensor<1x5xi8>
  return %y : tensor<1x5xi8>
}

// More than 256 * 16 values: the smallest kernel that takes them.
// CHECK-LABEL: func.func @folded
// CHECK: tir.reshape-fix"(%arg0) {shape = [1 : i32, 1 : i32, 2 : i32, 2100 : i32]}
// CHECK: tir.conv2d-fix"{{.*}}kernel = [2 : i32, 1 : i32]
func.func @folded(%x: tensor<1x4200xi8>) -> tensor<1x2xi8> {
  %w = "tir.const"() {value = dense<3> : tensor<4200x2xi8>} : () -> tensor<4200x2xi8>
  %y = "tir.matmul-fix"(%x, %w) {input_fix_point = [4 : i32, 7 : i32], output_fix_point = -2 : i32} : (tensor<1x4200xi8>, tensor<4200x2xi8>) -> tensor<1x2xi8>
  return %y : tensor<1x2xi8>
}

// An unknown matrix; one that changes with the batch; the rows transposed; a
// prime number of values.
// CHECK-LABEL: func.func @not
// CHECK-NOT: conv2d
// CHECK: return
func.func @not(%x: tensor<2x4xf32>, %v: tensor<4x3xf32>, %z: tensor<2x2x4xf32>, %t: tensor<4x2xf32>, %p: tensor<1x4099xf32>) -> (tensor<2x3xf32>, tensor<2x2x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>) {
  %w = "tir.const"() {value = dense<"0x0000603F0000E03F0000E03F0000803E0000A03F000080BE0000C03F000000C00000A03F00000000000000BE000080BE000000C00000803E0000C03E0000203F000060BF0000C03E0000F0BF000080BE000000000000F0BF000060BF0000F0BF"> : tensor<2x4x3xf32>} : () -> tensor<2x4x3xf32>
  %u = "tir.const"() {value = dense<"0x0000A03F0000C03E0000603F0000803E000020BF0000003E000090BF0000F0BF000000BE0000803F0000A03F00000000"> : tensor<4x3xf32>} : () -> tensor<4x3xf32>
  %q = "tir.const"() {value = dense<0.125> : tensor<4099x2xf32>} : () -> tensor<4099x2xf32>
  %a = "tir.matmul"(%x, %v) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %b = "tir.matmul"(%z, %w) : (tensor<2x2x4xf32>, tensor<2x4x3xf32>) -> tensor<2x2x3xf32>
  %c = "tir.matmul"(%t, %u) {transpose_a = true} : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %d = "tir.matmul"(%p, %q) : (tensor<1x4099xf32>, tensor<4099x2xf32>) -> tensor<1x2xf32>
  return %a, %b, %c, %d : tensor<2x3xf32>, tensor<2x2x3xf32>, tensor<2x3xf32>, tensor<1x2xf32>
}

// The weight of a product follows the image that was flattened plane by plane.
// CHECK-LABEL: func.func @planes
// CHECK-NOT: tir.transpose"(%arg
// CHECK: tir.conv2d"(%arg0, {{.*}}kernel = [3 : i32, 2 : i32]
func.func @planes(%x: tensor<2x2x3x4xf32>) -> tensor<2x5xf32> {
  %w = "tir.const"() {value = dense<"0x0000003D0000583F0000E4BF0000DC3F000000BD0000CCBF000040BF000090BF0000783F0000E03F000000BD0000843F000098BF000000BD0000F4BF000090BE0000A03F0000603E000010BF00008C3F000040BF0000B8BF000068BF0000C43F000080BF000078BF000000C00000FCBF0000B0BE000090BE000030BF000030BF0000A03E0000003F0000E0BE0000C0BE000010BF0000E0BE0000883F0000C03E0000ECBF0000603F0000A83F000030BF000058BF0000C03D0000C0BF0000203F0000D03E000000C00000303F0000C0BF0000F03E0000503F0000E03E0000EC3F0000003F000008BF0000EC3F0000E03F000018BF0000C8BF0000003D0000ECBF0000583F00009C3F0000F0BF0000AC3F0000683F0000803F0000F8BF0000CC3F0000D4BF000010BF0000E0BE000088BF000080BD0000D83F0000403F0000503F000000000000D83F000094BF0000703F0000B03E0000DCBF0000B83F0000A4BF0000B0BE0000383F0000603F000058BF0000383F0000403E0000A4BF0000F03E0000083F0000E03E000018BF0000B0BF000050BF0000F03E0000EC3F000038BF0000D0BF0000B0BF00009C3F0000E0BF000000BE0000403F000000000000D03F0000AC3F000058BF0000C8BF0000E0BF0000F83F0000283F0000B0BE000078BF"> : tensor<24x5xf32>} : () -> tensor<24x5xf32>
  %0 = "tir.transpose"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<2x2x3x4xf32>) -> tensor<2x4x2x3xf32>
  %1 = "tir.reshape"(%0) {shape = [2 : i32, 24 : i32]} : (tensor<2x4x2x3xf32>) -> tensor<2x24xf32>
  %y = "tir.matmul"(%1, %w) : (tensor<2x24xf32>, tensor<24x5xf32>) -> tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @planes_fix
// CHECK: tir.conv2d-fix"(%arg0, {{.*}}kernel = [3 : i32, 2 : i32]
func.func @planes_fix(%x: tensor<2x2x3x4xi8>) -> tensor<2x5xi8> {
  %w = "tir.const"() {value = dense<"0x43D33656DEBE4C1ED79648E856E8F9A2F58C95F0CE4B39C15BFFAD5C2DFB8BB820B6119CBA8FF88796AE5B05F280A68CED93B6B28CB0D1B358E6BAAB485565B9F49028D557D79A8A0E6451E15C705C15F173541B4438A25CF76312D4EEB3C2246879BF00B3CF8ED13ABF129A3097AD96B442D6D1BDEF4850"> : tensor<5x24xi8>} : () -> tensor<5x24xi8>
  %0 = "tir.transpose-fix"(%x) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<2x2x3x4xi8>) -> tensor<2x4x2x3xi8>
  %1 = "tir.reshape-fix"(%0) {shape = [2 : i32, 24 : i32]} : (tensor<2x4x2x3xi8>) -> tensor<2x24xi8>
  %y = "tir.matmul-fix"(%1, %w) {input_fix_point = [4 : i32, 5 : i32], output_fix_point = 2 : i32, transpose_b = true} : (tensor<2x24xi8>, tensor<5x24xi8>) -> tensor<2x5xi8>
  return %y : tensor<2x5xi8>
}
