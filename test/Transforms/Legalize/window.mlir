// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize

// CHECK-LABEL: func.func @same
// CHECK: tir.conv2d"{{.*}}pad = [1 : i32, 1 : i32, 0 : i32, 1 : i32], pad_mode = "FLOOR"
func.func @same(%x: tensor<1x4x5x2xf32>) -> tensor<1x2x3x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000003F000060BF0000903F0000D0BF0000C0BF0000A0BF0000603F0000D0BF000000400000C0BE0000E0BF0000B0BF0000B03F0000A03F0000C0BF000000BE0000B0BF0000B03F0000D0BF000090BF000080BE0000D0BF0000903F0000D0BF000080BE0000E0BF000080BF0000803E0000A03F000060BF000090BF0000C03E000020BF0000A0BF000000BF0000603F0000A0BF0000C0BF0000D0BF0000C0BE0000F03F0000B03F0000003F0000D03F0000D03F0000603F0000C03E000000BE000020BF000000BE0000B0BF0000C03E0000F03F0000203F"> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %y = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "SAME"} : (tensor<1x4x5x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x2x3x3xf32>
  return %y : tensor<1x2x3x3xf32>
}

// A window smaller than its stride needs no padding.
// CHECK-LABEL: func.func @same_gaps
// CHECK: tir.depthwise-conv2d-fix"{{.*}}pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR"
func.func @same_gaps(%x: tensor<1x7x8x2xi8>) -> tensor<1x3x3x2xi8> {
  %w = "tir.const"() {value = dense<"0x74BD"> : tensor<1x1x1x2xi8>} : () -> tensor<1x1x1x2xi8>
  %y = "tir.depthwise-conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [3 : i32, 3 : i32], pad_mode = "SAME", weight_fix_point = 6 : i32} : (tensor<1x7x8x2xi8>, tensor<1x1x1x2xi8>) -> tensor<1x3x3x2xi8>
  return %y : tensor<1x3x3x2xi8>
}

// CHECK-LABEL: func.func @same_transposed
// CHECK: tir.transposed-conv2d"{{.*}}pad = [0 : i32, 1 : i32, 0 : i32, 1 : i32], pad_mode = "FLOOR"
func.func @same_transposed(%x: tensor<1x3x3x2xf32>) -> tensor<1x6x6x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000D03F0000603F0000003E000080BF000020BF000000C00000203F000000400000D03F0000B0BF0000203F0000E0BF0000803F000040BF0000C03F0000B03F000040BF000040BF000000BE0000D0BF000090BF000080BF000000400000C0BF0000803F0000A0BF0000803E0000C0BE000080BE0000A03F0000B0BF0000003E0000C0BE0000903F0000003E0000203F0000E0BF000000BF000000C00000A03F0000D0BF0000803F0000F03F000080BF0000F0BF000000BE0000B03F000090BF000000C0000090BF000000BF000000BF0000203F000000C0"> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %y = "tir.transposed-conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "SAME"} : (tensor<1x3x3x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x6x6x3xf32>
  return %y : tensor<1x6x6x3xf32>
}

// No padding makes the last row of this one.
// CHECK-LABEL: func.func @same_transposed_gaps
// CHECK: pad_mode = "SAME"
func.func @same_transposed_gaps(%x: tensor<1x3x3x2xf32>) -> tensor<1x6x6x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000E0BF0000B03F0000E03F000000C00000C0BE0000D03F"> : tensor<3x1x1x2xf32>} : () -> tensor<3x1x1x2xf32>
  %y = "tir.transposed-conv2d"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [2 : i32, 2 : i32], pad_mode = "SAME"} : (tensor<1x3x3x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x6x6x3xf32>
  return %y : tensor<1x6x6x3xf32>
}

// CHECK-LABEL: func.func @valid_and_ceil
// CHECK: tir.conv2d"{{.*}}pad = [0 : i32, 1 : i32, 0 : i32, 0 : i32], pad_mode = "FLOOR"
// CHECK: tir.conv2d"{{.*}}pad = [0 : i32, 1 : i32, 0 : i32, 1 : i32], pad_mode = "FLOOR"
func.func @valid_and_ceil(%x: tensor<1x6x6x2xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x3x3x3xf32>) {
  %w = "tir.const"() {value = dense<"0x0000C03F0000D03F0000C03F00000040000000BF000020BF000000400000E03F000020BF0000A0BF0000C03F0000C03E000060BF0000B0BF0000E0BF0000903F0000C03F000040BF000000C00000C0BF0000D0BF0000E0BF000000BF000000BE0000F0BF0000D03F0000003F0000C03F000000BF000080BE0000803E0000F03F000000C00000B0BF0000D03F0000003E0000A03F0000B0BF000000000000003F000080BE000000400000803E0000F0BF0000C0BF0000A0BF0000903F0000A0BF0000803E0000803F0000C0BF0000F0BF000000C00000C0BE"> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %y = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "VALID", pad = [0 : i32, 1 : i32, 0 : i32, 0 : i32]} : (tensor<1x6x6x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x2x3x3xf32>
  %z = "tir.conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "CEIL"} : (tensor<1x6x6x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x3x3x3xf32>
  return %y, %z : tensor<1x2x3x3xf32>, tensor<1x3x3x3xf32>
}

// CHECK-LABEL: func.func @ceil_pools
// CHECK: tir.maxpool2d"{{.*}}pad = [0 : i32, 1 : i32, 0 : i32, 1 : i32], pad_mode = "FLOOR"
// CHECK: tir.avgpool2d"{{.*}}pad = [0 : i32, 1 : i32, 0 : i32, 1 : i32], pad_mode = "FLOOR"
// CHECK: tir.pool-fix"{{.*}}pad = [0 : i32, 1 : i32, 0 : i32, 1 : i32], pad_mode = "FLOOR"
func.func @ceil_pools(%x: tensor<1x6x6x2xf32>, %q: tensor<1x6x6x2xi8>) -> (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>, tensor<1x3x3x2xi8>) {
  %a = "tir.maxpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "CEIL"} : (tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32>
  %b = "tir.avgpool2d"(%x) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "CEIL", count_include_pad = true, count_include_invalid = true} : (tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32>
  %c = "tir.pool-fix"(%q) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad_mode = "CEIL"} : (tensor<1x6x6x2xi8>) -> tensor<1x3x3x2xi8>
  return %a, %b, %c : tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>, tensor<1x3x3x2xi8>
}

// CHECK-LABEL: func.func @means
// CHECK: tir.avgpool2d"(%arg0) {kernel = [3 : i32, 4 : i32], stride = [1 : i32, 1 : i32]}
// CHECK-NEXT: tir.reshape
// CHECK: tir.avgpool2d"(%arg0) {kernel = [3 : i32, 1 : i32]
func.func @means(%x: tensor<2x4x3x5xf32>) -> (tensor<2x5xf32>, tensor<2x4x1x5xf32>) {
  %a = "tir.reduction_mean"(%x) {axis = [1 : i32, 2 : i32]} : (tensor<2x4x3x5xf32>) -> tensor<2x5xf32>
  %b = "tir.reduction_mean"(%x) {axis = [-2 : i32], keep_dims = true} : (tensor<2x4x3x5xf32>) -> tensor<2x4x1x5xf32>
  return %a, %b : tensor<2x5xf32>, tensor<2x4x1x5xf32>
}

// A quarter and an eighth are exact.
// CHECK-LABEL: func.func @means_fix
// CHECK: tir.pool-fix"(%arg0) {input_fix_point = 4 : i32, kernel = [2 : i32, 4 : i32], output_fix_point = 5 : i32,{{.*}}type = "AVG"
func.func @means_fix(%x: tensor<2x4x2x5xi8>) -> tensor<2x1x1x5xi8> {
  %a = "tir.reduction_mean-fix"(%x) {axis = [1 : i32, 2 : i32], keep_dims = true, input_fix_point = 4 : i32, output_fix_point = 5 : i32} : (tensor<2x4x2x5xi8>) -> tensor<2x1x1x5xi8>
  return %a : tensor<2x1x1x5xi8>
}

// A twelfth is not; channels are no window; three dimensions are no image.
// CHECK-LABEL: func.func @means_not
// CHECK: tir.reduction_mean-fix
// CHECK: tir.reduction_mean"
// CHECK: tir.reduction_mean"
func.func @means_not(%x: tensor<2x4x3x5xi8>, %y: tensor<2x4x3x5xf32>, %z: tensor<2x4x3xf32>) -> (tensor<2x5xi8>, tensor<2x4x3xf32>, tensor<2x3xf32>) {
  %a = "tir.reduction_mean-fix"(%x) {axis = [1 : i32, 2 : i32]} : (tensor<2x4x3x5xi8>) -> tensor<2x5xi8>
  %b = "tir.reduction_mean"(%y) {axis = [3 : i32]} : (tensor<2x4x3x5xf32>) -> tensor<2x4x3xf32>
  %c = "tir.reduction_mean"(%z) {axis = [1 : i32]} : (tensor<2x4x3xf32>) -> tensor<2x3xf32>
  return %a, %b, %c : tensor<2x5xi8>, tensor<2x4x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @maxima
// CHECK: tir.maxpool2d"(%arg0) {kernel = [3 : i32, 4 : i32]
// CHECK: %[[C:.*]] = "tir.reshape"(%arg0) {shape = [2 : i32, 4 : i32, 15 : i32, 1 : i32]}
// CHECK-NEXT: tir.maxpool2d"(%[[C]]) {kernel = [5 : i32, 1 : i32]
// CHECK: tir.reshape-fix"(%{{.*}}) {shape = [2 : i32, 2 : i32, 2 : i32, 6 : i32]}
// CHECK-NEXT: tir.pool-fix"{{.*}}input_fix_point = 3 : i32, kernel = [2 : i32, 2 : i32], output_fix_point = 2 : i32,{{.*}}type = "MAX"
func.func @maxima(%x: tensor<2x4x3x5xf32>, %q: tensor<2x4x3x2xi8>) -> (tensor<2x5xf32>, tensor<2x4x3xf32>, tensor<2x3x2xi8>) {
  %a = "tir.reduction_max"(%x) {axis = [1 : i32, 2 : i32]} : (tensor<2x4x3x5xf32>) -> tensor<2x5xf32>
  %b = "tir.reduction_max"(%x) {axis = [3 : i32]} : (tensor<2x4x3x5xf32>) -> tensor<2x4x3xf32>
  %v = "tir.reshape-fix"(%q) {shape = [2 : i32, 4 : i32, 6 : i32]} : (tensor<2x4x3x2xi8>) -> tensor<2x4x6xi8>
  %c = "tir.reduction_max-fix"(%v) {axis = [1 : i32], input_fix_point = 3 : i32, output_fix_point = 2 : i32} : (tensor<2x4x6xi8>) -> tensor<2x6xi8>
  %d = "tir.reshape-fix"(%c) {shape = [2 : i32, 3 : i32, 2 : i32]} : (tensor<2x6xi8>) -> tensor<2x3x2xi8>
  return %a, %b, %d : tensor<2x5xf32>, tensor<2x4x3xf32>, tensor<2x3x2xi8>
}

// A row that is longer than a window may be: 1026 is 27 x 38.
// CHECK-LABEL: func.func @long_row
// CHECK: %[[R:.*]] = "tir.reshape-fix"(%arg0) {shape = [1 : i32, 27 : i32, 38 : i32, 8 : i32]}
// CHECK-NEXT: tir.pool-fix"(%[[R]]) {{.*}}kernel = [38 : i32, 27 : i32]
func.func @long_row(%x: tensor<1x1x1026x8xi8>) -> tensor<1x1x8xi8> {
  %a = "tir.reduction_max-fix"(%x) {axis = [2 : i32], input_fix_point = 3 : i32, output_fix_point = 2 : i32} : (tensor<1x1x1026x8xi8>) -> tensor<1x1x8xi8>
  return %a : tensor<1x1x8xi8>
}

// The batch; two axes with channels; more than 256 values, which nothing
// divides.
// CHECK-LABEL: func.func @maxima_not
// CHECK-COUNT-3: tir.reduction_max"
func.func @maxima_not(%x: tensor<2x4x3x5xf32>, %y: tensor<1x257x2x2xf32>) -> (tensor<4x3x5xf32>, tensor<2x4xf32>, tensor<1x2x2xf32>) {
  %a = "tir.reduction_max"(%x) {axis = [0 : i32]} : (tensor<2x4x3x5xf32>) -> tensor<4x3x5xf32>
  %b = "tir.reduction_max"(%x) {axis = [2 : i32, 3 : i32]} : (tensor<2x4x3x5xf32>) -> tensor<2x4xf32>
  %c = "tir.reduction_max"(%y) {axis = [1 : i32]} : (tensor<1x257x2x2xf32>) -> tensor<1x2x2xf32>
  return %a, %b, %c : tensor<4x3x5xf32>, tensor<2x4xf32>, tensor<1x2x2xf32>
}

// CHECK-LABEL: func.func @slices
// CHECK: tir.maxpool2d"(%arg0) {kernel = [1 : i32, 1 : i32], stride = [3 : i32, 2 : i32]}
// CHECK: tir.pool-fix"(%arg1) {{.*}}stride = [2 : i32, 2 : i32], type = "MAX"
func.func @slices(%x: tensor<1x5x7x2xf32>, %q: tensor<1x4x4x2xi8>) -> (tensor<1x3x3x2xf32>, tensor<1x2x2x2xi8>) {
  %a = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 5 : i32, 7 : i32, 2 : i32], strides = [1 : i32, 2 : i32, 3 : i32, 1 : i32]} : (tensor<1x5x7x2xf32>) -> tensor<1x3x3x2xf32>
  %b = "tir.strided_slice-fix"(%q) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 3 : i32, 2 : i32], strides = [1 : i32, 2 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x2xi8>
  return %a, %b : tensor<1x3x3x2xf32>, tensor<1x2x2x2xi8>
}

// From the second row on; the last column left out, and the first channel.
// CHECK-LABEL: func.func @slices_of_slices
// CHECK: %[[A:.*]] = "tir.strided_slice"(%arg0) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 4 : i32, 7 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}
// CHECK: "tir.maxpool2d"(%[[A]]) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 2 : i32]}
// CHECK: %[[B:.*]] = "tir.strided_slice-fix"(%arg1) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 5 : i32, 4 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}
// CHECK: "tir.pool-fix"(%[[B]]) {{.*}}stride = [3 : i32, 1 : i32]
func.func @slices_of_slices(%x: tensor<1x5x7x2xf32>, %q: tensor<1x5x7x2xi8>) -> (tensor<1x2x7x2xf32>, tensor<1x5x2x1xi8>) {
  %a = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 5 : i32, 7 : i32, 2 : i32], strides = [1 : i32, 2 : i32, 1 : i32, 1 : i32]} : (tensor<1x5x7x2xf32>) -> tensor<1x2x7x2xf32>
  %b = "tir.strided_slice-fix"(%q) {begin = [0 : i32, 0 : i32, 0 : i32, 1 : i32], end = [1 : i32, 5 : i32, 6 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 3 : i32, 1 : i32]} : (tensor<1x5x7x2xi8>) -> tensor<1x5x2x1xi8>
  return %a, %b : tensor<1x2x7x2xf32>, tensor<1x5x2x1xi8>
}

// Channels; from the last row back; what may be blocks of pixels as channels.
// CHECK-LABEL: func.func @slices_not
// CHECK-NOT: tir.maxpool2d
// CHECK-COUNT-3: tir.strided_slice
// CHECK-NOT: tir.maxpool2d
// CHECK: return
func.func @slices_not(%x: tensor<1x5x7x2xf32>) -> (tensor<1x5x7x1xf32>, tensor<1x3x7x2xf32>, tensor<1x2x7x4xf32>) {
  %a = "tir.strided_slice"(%x) {begin = [0 : i32, 0 : i32, 0 : i32, 0 : i32], end = [1 : i32, 5 : i32, 7 : i32, 2 : i32], strides = [1 : i32, 1 : i32, 1 : i32, 2 : i32]} : (tensor<1x5x7x2xf32>) -> tensor<1x5x7x1xf32>
  %b = "tir.strided_slice"(%x) {begin = [0 : i32, 4 : i32, 0 : i32, 0 : i32], end = [1 : i32, -2147483648 : i32, 7 : i32, 2 : i32], strides = [1 : i32, -2 : i32, 1 : i32, 1 : i32]} : (tensor<1x5x7x2xf32>) -> tensor<1x3x7x2xf32>
  %c = "tir.strided_slice"(%x) {begin = [0 : i32, 1 : i32, 0 : i32, 0 : i32], end = [1 : i32, 5 : i32, 7 : i32, 2 : i32], strides = [1 : i32, 2 : i32, 1 : i32, 1 : i32]} : (tensor<1x5x7x2xf32>) -> tensor<1x2x7x2xf32>
  %d = "tir.concat"(%c, %c) {axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x7x2xf32>, tensor<1x2x7x2xf32>) -> tensor<1x2x7x4xf32>
  return %a, %b, %d : tensor<1x5x7x1xf32>, tensor<1x3x7x2xf32>, tensor<1x2x7x4xf32>
}

// A padding that the attribute has no room for stays SAME.
// CHECK-LABEL: @wide_padding
// CHECK: "tir.conv2d-fix"{{.*}}pad_mode = "SAME"
func.func @wide_padding(%x: tensor<1x1x1x1xi8>) -> tensor<1x1x1x1xi8> {
  %w = "tir.const"() {value = dense<-46> : tensor<1x75x1x1xi8>} : () -> tensor<1x75x1x1xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {dilation = [1 : i32, 1772 : i32], kernel = [1 : i32, 75 : i32], pad_mode = "SAME", stride = [1 : i32, 1 : i32]} : (tensor<1x1x1x1xi8>, tensor<1x75x1x1xi8>) -> tensor<1x1x1x1xi8>
  return %0 : tensor<1x1x1x1xi8>
}

// Less padding at the end gives the rows and columns that are added; where there
// is too little, zeros before the weights push the windows on.
// CHECK-LABEL: func.func @output_padding
// CHECK-NEXT: %[[W:.*]] = "tir.const"
// CHECK-NEXT: tir.transposed-conv2d"(%arg0, %[[W]]) {kernel = [3 : i32, 3 : i32], output_padding = [0 : i32, 0 : i32], pad = [1 : i32, 0 : i32, 1 : i32, 0 : i32], stride = [2 : i32, 2 : i32]}
// CHECK-NEXT: tir.const{{.*}}tensor<3x4x5x2xf32>
// CHECK-NEXT: tir.transposed-conv2d"({{.*}}kernel = [5 : i32, 4 : i32], output_padding = [0 : i32, 0 : i32], pad = [0 : i32, 0 : i32, 1 : i32, 0 : i32], stride = [3 : i32, 3 : i32]}
// CHECK-NEXT: return
func.func @output_padding(%x: tensor<1x3x4x2xf32>) -> (tensor<1x6x8x3xf32>, tensor<1x9x14x3xf32>) {
  %w = "tir.const"() {value = dense<"0x0000D03F0000603F0000003E000080BF000020BF000000C00000203F000000400000D03F0000B0BF0000203F0000E0BF0000803F000040BF0000C03F0000B03F000040BF000040BF000000BE0000D0BF000090BF000080BF000000400000C0BF0000803F0000A0BF0000803E0000C0BE000080BE0000A03F0000B0BF0000003E0000C0BE0000903F0000003E0000203F0000E0BF000000BF000000C00000A03F0000D0BF0000803F0000F03F000080BF0000F0BF000000BE0000B03F000090BF000000C0000090BF000000BF000000BF0000203F000000C0"> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %y = "tir.transposed-conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], output_padding = [1 : i32, 1 : i32]} : (tensor<1x3x4x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x6x8x3xf32>
  %z = "tir.transposed-conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [3 : i32, 3 : i32], pad = [0 : i32, 0 : i32, 1 : i32, 1 : i32], output_padding = [2 : i32, 2 : i32]} : (tensor<1x3x4x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x9x14x3xf32>
  return %y, %z : tensor<1x6x8x3xf32>, tensor<1x9x14x3xf32>
}

// CHECK-LABEL: func.func @output_padding_fix
// CHECK: tir.transposed-depthwise-conv2d-fix"({{.*}}kernel = [3 : i32, 2 : i32],{{.*}} output_padding = [0 : i32, 0 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32]
func.func @output_padding_fix(%x: tensor<1x3x4x2xi8>) -> tensor<1x6x9x2xi8> {
  %w = "tir.const"() {value = dense<[[[[1, -2], [3, 4]], [[5, 6], [-7, 8]]]]> : tensor<1x2x2x2xi8>} : () -> tensor<1x2x2x2xi8>
  %y = "tir.transposed-depthwise-conv2d-fix"(%x, %w) {kernel = [2 : i32, 2 : i32], stride = [2 : i32, 2 : i32], output_padding = [1 : i32, 0 : i32], weight_fix_point = 3 : i32} : (tensor<1x3x4x2xi8>, tensor<1x2x2x2xi8>) -> tensor<1x6x9x2xi8>
  return %y : tensor<1x6x9x2xi8>
}

// Zeros between the weights come first.
// CHECK-LABEL: func.func @output_padding_dilated
// CHECK: dilation = [1 : i32, 1 : i32], kernel = [6 : i32, 6 : i32], output_padding = [0 : i32, 0 : i32]
func.func @output_padding_dilated(%x: tensor<1x3x4x2xf32>) -> tensor<1x10x12x3xf32> {
  %w = "tir.const"() {value = dense<"0x0000D03F0000603F0000003E000080BF000020BF000000C00000203F000000400000D03F0000B0BF0000203F0000E0BF0000803F000040BF0000C03F0000B03F000040BF000040BF000000BE0000D0BF000090BF000080BF000000400000C0BF0000803F0000A0BF0000803E0000C0BE000080BE0000A03F0000B0BF0000003E0000C0BE0000903F0000003E0000203F0000E0BF000000BF000000C00000A03F0000D0BF0000803F0000F03F000080BF0000F0BF000000BE0000B03F000090BF000000C0000090BF000000BF000000BF0000203F000000C0"> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %y = "tir.transposed-conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [2 : i32, 2 : i32], output_padding = [1 : i32, 1 : i32]} : (tensor<1x3x4x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x10x12x3xf32>
  return %y : tensor<1x10x12x3xf32>
}

// Otherwise zeros would have to be as far apart as the weights.
// CHECK-LABEL: func.func @output_padding_far
// CHECK: output_padding = [1 : i32, 1 : i32]
func.func @output_padding_far(%x: tensor<1x3x4x2xf32>) -> tensor<1x24x26x3xf32> {
  %w = "tir.const"() {value = dense<0.5> : tensor<3x3x3x2xf32>} : () -> tensor<3x3x3x2xf32>
  %y = "tir.transposed-conv2d"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], dilation = [9 : i32, 9 : i32], output_padding = [1 : i32, 1 : i32]} : (tensor<1x3x4x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x24x26x3xf32>
  return %y : tensor<1x24x26x3xf32>
}
