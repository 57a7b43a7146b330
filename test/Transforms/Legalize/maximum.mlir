// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=DPUCAHX8H_ISA2})' %s | FileCheck %s
// RUN: xc-opt --tir-legalize %s | FileCheck %s --check-prefix=ALU
// RUN: RewriteEqualTest %s tir-legalize target=DPUCAHX8H_ISA2 exact
// RUN: RewriteEqualTest %s tir-legalize exact

// A hundred is five times five times four. The last pool, of one element, has
// the fix point of the result.
// CHECK-LABEL: func.func @columns
// CHECK: tir.pool-fix"{{.*}}kernel = [5 : i32, 1 : i32], output_fix_point = 4 : i32, {{.*}}stride = [5 : i32, 1 : i32]
// CHECK-SAME: -> tensor<1x7x20x6xi8>
// CHECK: -> tensor<1x7x4x6xi8>
// CHECK: kernel = [4 : i32, 1 : i32]{{.*}} -> tensor<1x7x1x6xi8>
// CHECK: kernel = [1 : i32, 1 : i32]{{.*}}output_fix_point = 3 : i32
// CHECK-NOT: reduction_max
// ALU-LABEL: func.func @columns
// ALU: kernel = [100 : i32, 1 : i32]
func.func @columns(%x: tensor<1x7x100x6xi8>) -> tensor<1x7x6xi8> {
  %0 = "tir.reduction_max-fix"(%x) {axis = [2 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x7x100x6xi8>) -> tensor<1x7x6xi8>
  return %0 : tensor<1x7x6xi8>
}

// Columns, then rows; padding fills up what is left of a window.
// CHECK-LABEL: func.func @both
// CHECK: tir.pool-fix"{{.*}}kernel = [4 : i32, 1 : i32]{{.*}}pad = [0 : i32, 3 : i32, 0 : i32, 0 : i32]
// CHECK: kernel = [4 : i32, 1 : i32]
// CHECK: kernel = [1 : i32, 4 : i32]{{.*}}pad = [0 : i32, 0 : i32, 0 : i32, 1 : i32]
// CHECK: kernel = [1 : i32, 3 : i32]
// CHECK-NOT: reduction_max
func.func @both(%x: tensor<2x11x13x5xi8>) -> tensor<2x1x1x5xi8> {
  %0 = "tir.reduction_max-fix"(%x) {axis = [1 : i32, 2 : i32], keep_dims = true, input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<2x11x13x5xi8>) -> tensor<2x1x1x5xi8>
  return %0 : tensor<2x1x1x5xi8>
}

// What the banks do not hold is saved for the CPU; of that the engine finds the
// maximum of as many columns as it has time for.
// CHECK-LABEL: func.func @large
// CHECK: %[[A:.*]] = "tir.conv2d-fix"{{.*}} -> tensor<1x1000x45x40xi8>
// CHECK: %[[B:.*]] = "tir.pool-fix"(%[[A]]){{.*}} -> tensor<1x1000x7x40xi8>
// CHECK: %[[C:.*]] = "tir.pool-fix"(%[[B]]){{.*}} -> tensor<1x1000x1x40xi8>
// CHECK: %[[D:.*]] = "tir.conv2d-fix"{{.*}} -> tensor<1x1000x55x40xi8>
// CHECK: %[[E:.*]] = "tir.concat-fix"(%[[C]], %[[D]])
// CHECK: "tir.reduction_max-fix"(%[[E]])
// CHECK-NOT: tir.
// CHECK: return
// ALU-LABEL: func.func @large
// ALU-NOT: concat
func.func @large(%x: tensor<1x1000x100x4xi8>) -> tensor<1x1000x40xi8> {
  %w = "tir.const"() {value = dense<3> : tensor<40x1x1x4xi8>} : () -> tensor<40x1x1x4xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 6 : i32, output_fix_point = 5 : i32} : (tensor<1x1000x100x4xi8>, tensor<40x1x1x4xi8>) -> tensor<1x1000x100x40xi8>
  %1 = "tir.reduction_max-fix"(%0) {axis = [2 : i32], input_fix_point = 5 : i32, output_fix_point = 3 : i32} : (tensor<1x1000x100x40xi8>) -> tensor<1x1000x40xi8>
  return %1 : tensor<1x1000x40xi8>
}

// The batch is neither rows nor columns.
// CHECK-LABEL: func.func @batch
// CHECK: tir.reduction_max-fix"
func.func @batch(%x: tensor<3x4x12x5xi8>) -> tensor<4x12x5xi8> {
  %0 = "tir.reduction_max-fix"(%x) {axis = [0 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<3x4x12x5xi8>) -> tensor<4x12x5xi8>
  return %0 : tensor<4x12x5xi8>
}

// A stage saturates, before the last pool shifts: bytes without a sign stay.
// CHECK-LABEL: func.func @unsigned
// CHECK: tir.reduction_max-fix"
func.func @unsigned(%x: tensor<1x1x11x1xui8>) -> tensor<1x1x1xi8> {
  %0 = "tir.reduction_max-fix"(%x) {axis = [2 : i32], input_fix_point = 1 : i32, output_fix_point = 0 : i32} : (tensor<1x1x11x1xui8>) -> tensor<1x1x1xi8>
  return %0 : tensor<1x1x1xi8>
}

// The second machine finds no index.
// CHECK-LABEL: func.func @index
// CHECK-COUNT-3: tir.argmax"
// ALU-LABEL: func.func @index
// ALU: tir.argmax-fix"(%arg0) {axis = 3 : i32, keep_dims = false} : (tensor<1x2x3x5xi8>) -> tensor<1x2x3xi8>
// ALU-NEXT: tir.cast"({{.*}} -> tensor<1x2x3xi64>
// ALU-COUNT-2: tir.argmax"
// ALU: return
func.func @index(%x: tensor<1x2x3x5xi8>) -> (tensor<1x2x3xi64>, tensor<1x2x3xi64>, tensor<1x2x5xi64>) {
  %a = "tir.fix2float"(%x) {fix_point = 3 : i32} : (tensor<1x2x3x5xi8>) -> tensor<1x2x3x5xf32>
  %b = "tir.argmax"(%a) {axis = -1 : i32, keep_dims = false} : (tensor<1x2x3x5xf32>) -> tensor<1x2x3xi64>
  %c = "tir.argmax"(%a) {axis = 3 : i32, keep_dims = false, select_last = true} : (tensor<1x2x3x5xf32>) -> tensor<1x2x3xi64>
  %d = "tir.argmax"(%a) {axis = 2 : i32, keep_dims = false} : (tensor<1x2x3x5xf32>) -> tensor<1x2x5xi64>
  return %b, %c, %d : tensor<1x2x3xi64>, tensor<1x2x3xi64>, tensor<1x2x5xi64>
}

// Of 48 channels first three words, of which an engine compares sixteen channels
// at once; then the channels, of so many pixels in a row as leave the banks room
// for the next rows: a LOAD for each row.
// ALU-LABEL: func.func @channels
// ALU: %[[W:.*]] = "tir.reshape-fix"(%arg0) {{.*}}shape = [1 : i32, 4 : i32, 180 : i32, 16 : i32]
// ALU-NEXT: %[[P:.*]] = "tir.pool-fix"(%[[W]]) {{.*}}kernel = [3 : i32, 1 : i32], output_fix_point = 4 : i32,{{.*}}stride = [3 : i32, 1 : i32], type = "MAX"
// ALU-NEXT: %[[E:.*]] = "tir.reshape-fix"(%[[P]]) {{.*}}shape = [1 : i32, 4 : i32, 960 : i32, 1 : i32]
// ALU-NEXT: %[[M:.*]] = "tir.pool-fix"(%[[E]]) {{.*}}kernel = [16 : i32, 1 : i32], output_fix_point = 3 : i32,{{.*}}stride = [16 : i32, 1 : i32], type = "MAX"
// ALU-NEXT: "tir.reshape-fix"(%[[M]]) {{.*}}shape = [1 : i32, 12 : i32, 20 : i32]
// A pool engine would take more stages than these, and its rows one by one.
// CHECK-LABEL: func.func @channels
// CHECK: tir.reduction_max-fix
func.func @channels(%x: tensor<1x12x20x48xi8>) -> tensor<1x12x20xi8> {
  %0 = "tir.reduction_max-fix"(%x) {axis = [3 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x12x20x48xi8>) -> tensor<1x12x20xi8>
  return %0 : tensor<1x12x20xi8>
}

// No whole words; the last dimension counted from the end, and kept.
// ALU-LABEL: func.func @odd_channels
// ALU: tir.reshape"(%arg0) {shape = [2 : i32, 7 : i32, 171 : i32, 1 : i32]}
// ALU-NEXT: tir.maxpool2d"({{.*}}) {kernel = [19 : i32, 1 : i32], stride = [19 : i32, 1 : i32]}
// ALU-NEXT: tir.reshape"({{.*}}) {shape = [2 : i32, 63 : i32, 1 : i32]}
func.func @odd_channels(%x: tensor<2x63x19xf32>) -> tensor<2x63x1xf32> {
  %0 = "tir.reduction_max"(%x) {axis = [-1 : i32], keep_dims = true} : (tensor<2x63x19xf32>) -> tensor<2x63x1xf32>
  return %0 : tensor<2x63x1xf32>
}

// More channels than a window has columns.
// ALU-LABEL: func.func @many_channels
// ALU: tir.reduction_max"
func.func @many_channels(%x: tensor<1x2x2x257xf32>) -> tensor<1x2x2xf32> {
  %0 = "tir.reduction_max"(%x) {axis = [3 : i32]} : (tensor<1x2x2x257xf32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

// A window of 25 is five columns of the largest of five, with or without a
// stride; the first pool keeps the fix point of the input. Three by three reads
// no less by axes than a layer more costs, and strides leave little to read once
// only; nor does an engine of its own gain.
// ALU-LABEL: func.func @window
// ALU: %[[A:.*]] = "tir.pool-fix"(%arg0){{.*}}kernel = [1 : i32, 5 : i32], output_fix_point = 4 : i32, {{.*}}pad = [0 : i32, 0 : i32, 2 : i32, 1 : i32], {{.*}}stride = [1 : i32, 1 : i32]
// ALU: "tir.pool-fix"(%[[A]]){{.*}}kernel = [5 : i32, 1 : i32], output_fix_point = 3 : i32, {{.*}}pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32]
// ALU-LABEL: func.func @strided_window
// ALU: %[[A:.*]] = "tir.pool-fix"(%arg0){{.*}}kernel = [1 : i32, 9 : i32]{{.*}}stride = [1 : i32, 2 : i32]{{.*}} -> tensor<1x7x13x6xi8>
// ALU: "tir.pool-fix"(%[[A]]){{.*}}kernel = [9 : i32, 1 : i32]{{.*}}stride = [1 : i32, 1 : i32]
// ALU-LABEL: func.func @small_windows
// ALU: kernel = [3 : i32, 3 : i32]
// ALU: kernel = [4 : i32, 4 : i32]
// ALU: type = "AVG"
// CHECK-LABEL: func.func @window
// CHECK: kernel = [5 : i32, 5 : i32]
func.func @window(%x: tensor<1x12x13x6xi8>) -> tensor<1x11x13x6xi8> {
  %0 = "tir.pool-fix"(%x) {type = "MAX", kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], pad = [2 : i32, 2 : i32, 2 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 3 : i32} : (tensor<1x12x13x6xi8>) -> tensor<1x11x13x6xi8>
  return %0 : tensor<1x11x13x6xi8>
}
func.func @strided_window(%x: tensor<1x13x13x6xi8>) -> tensor<1x7x13x6xi8> {
  %0 = "tir.pool-fix"(%x) {type = "MAX", kernel = [9 : i32, 9 : i32], stride = [1 : i32, 2 : i32], pad = [4 : i32, 4 : i32, 4 : i32, 4 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x13x13x6xi8>) -> tensor<1x7x13x6xi8>
  return %0 : tensor<1x7x13x6xi8>
}
func.func @small_windows(%x: tensor<1x12x12x6xi8>) -> (tensor<1x12x12x6xi8>, tensor<1x3x3x6xi8>, tensor<1x8x8x6xi8>) {
  %0 = "tir.pool-fix"(%x) {type = "MAX", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x12x12x6xi8>) -> tensor<1x12x12x6xi8>
  %1 = "tir.pool-fix"(%x) {type = "MAX", kernel = [4 : i32, 4 : i32], stride = [4 : i32, 4 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x12x12x6xi8>) -> tensor<1x3x3x6xi8>
  %2 = "tir.pool-fix"(%x) {type = "AVG", kernel = [5 : i32, 5 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x12x12x6xi8>) -> tensor<1x8x8x6xi8>
  return %0, %1, %2 : tensor<1x12x12x6xi8>, tensor<1x3x3x6xi8>, tensor<1x8x8x6xi8>
}
