// RUN: xc-opt %s --tir-legalize | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize

// A kernel of 3 with two apart reaches 4 beyond: less the padding that is cut
// off, and a row more at the end.
// CHECK-LABEL: func.func @unit(
// CHECK: tir.conv2d-fix"{{.*}}dilation = [2 : i32, 3 : i32]{{.*}}pad = [3 : i32, 4 : i32, 4 : i32, 6 : i32]
// CHECK-NOT: transposed
func.func @unit(%x: tensor<1x5x6x4xi8>) -> tensor<1x9x9x3xi8> {
  %w = "tir.const"() {value = dense<"0x703A1281BFD66AA7A5439251CCE4897C226AC56FF9A73A8F87DE5BAB08C33E2BEDCD16AE11B8B64C3F1B3C7463FBC706888645C4F9769C8487EC56F7F81D9CFA9345318A186166B4BF3D0D47411AD5A7659CEC47B2193F51C66933A07D81EA68959EADBB2FC93F2E060D77C9"> : tensor<3x3x3x4xi8>} : () -> tensor<3x3x3x4xi8>
  %y = "tir.transposed-conv2d-fix"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 3 : i32], pad = [1 : i32, 0 : i32, 2 : i32, 0 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 1 : i32} : (tensor<1x5x6x4xi8>, tensor<3x3x3x4xi8>) -> tensor<1x9x9x3xi8>
  return %y : tensor<1x9x9x3xi8>
}

// CHECK-LABEL: func.func @depthwise(
// CHECK: tir.depthwise-conv2d"{{.*}}dilation = [2 : i32, 2 : i32]
func.func @depthwise(%x: tensor<1x5x6x4xf32>) -> tensor<1x9x10x4xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<1x3x3x4xf32>} : () -> tensor<1x3x3x4xf32>
  %y = "tir.transposed-depthwise-conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 2 : i32]} : (tensor<1x5x6x4xf32>, tensor<1x3x3x4xf32>) -> tensor<1x9x10x4xf32>
  return %y : tensor<1x9x10x4xf32>
}

// Zeros between the taps, where strides are not 1.
// CHECK-LABEL: func.func @strided(
// CHECK: dense<{{\[\[\[\[}}112], [0], [58], [0], [18]], {{\[\[}}0], [0], [0], [0], [0]], {{\[\[}}-127], [0]
// CHECK: tir.transposed-conv2d-fix"{{.*}}dilation = [1 : i32, 1 : i32]{{.*}}kernel = [5 : i32, 5 : i32]
func.func @strided(%x: tensor<1x5x6x1xi8>) -> tensor<1x13x15x1xi8> {
  %w = "tir.const"() {value = dense<"0x703A1281BFD66AA7A5"> : tensor<1x3x3x1xi8>} : () -> tensor<1x3x3x1xi8>
  %y = "tir.transposed-conv2d-fix"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [2 : i32, 2 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 1 : i32} : (tensor<1x5x6x1xi8>, tensor<1x3x3x1xi8>) -> tensor<1x13x15x1xi8>
  return %y : tensor<1x13x15x1xi8>
}

// Rows that are added to the output are as many as the stride, which a dilation
// allows: they come from zeros above the taps.
// CHECK-LABEL: func.func @rows_of_output(
// CHECK: dense<{{\[\[\[\[}}0], [0], [0]], {{\[\[}}112], [58], [18]], {{\[\[}}0], [0], [0]], {{\[\[}}-127], [-65], [-42]]]]>
// CHECK: tir.transposed-conv2d-fix"{{.*}}dilation = [1 : i32, 1 : i32]{{.*}}kernel = [3 : i32, 4 : i32]{{.*}}output_padding = [0 : i32, 0 : i32]
func.func @rows_of_output(%x: tensor<1x5x6x1xi8>) -> tensor<1x8x13x1xi8> {
  %w = "tir.const"() {value = dense<"0x703A1281BFD6"> : tensor<1x2x3x1xi8>} : () -> tensor<1x2x3x1xi8>
  %y = "tir.transposed-conv2d-fix"(%x, %w) {kernel = [3 : i32, 2 : i32], stride = [2 : i32, 1 : i32], dilation = [1 : i32, 2 : i32], output_padding = [0 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 1 : i32} : (tensor<1x5x6x1xi8>, tensor<1x2x3x1xi8>) -> tensor<1x8x13x1xi8>
  return %y : tensor<1x8x13x1xi8>
}

// What would be larger than an engine takes stays, and so do variable weights.
// CHECK-LABEL: func.func @others(
// CHECK: dilation = [9 : i32, 9 : i32]
// CHECK: dilation = [2 : i32, 2 : i32]
func.func @others(%x: tensor<1x4x4x2xf32>, %v: tensor<2x3x3x2xf32>) -> (tensor<1x25x25x2xf32>, tensor<1x11x11x2xf32>) {
  %w = "tir.const"() {value = dense<0.5> : tensor<2x3x3x2xf32>} : () -> tensor<2x3x3x2xf32>
  %0 = "tir.transposed-conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [9 : i32, 9 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>) -> tensor<1x25x25x2xf32>
  %1 = "tir.transposed-conv2d"(%x, %v) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [2 : i32, 2 : i32]} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2xf32>) -> tensor<1x11x11x2xf32>
  return %0, %1 : tensor<1x25x25x2xf32>, tensor<1x11x11x2xf32>
}
