// RUN: xc-opt --tir-legalize %s | FileCheck %s
// RUN: RewriteEqualTest %s tir-legalize
// RUN: xc-opt --tir-legalize='target=DPUCAHX8H_ISA2' %s | FileCheck %s --check-prefix=NO-PRODUCTS

// The image beside its ramp, a kernel for each half of the rows, and the same
// for the columns of each half.
// CHECK-LABEL: func.func @twice
// CHECK: %[[P:.*]] = "tir.mul"(%arg0,{{.*}}tensor<1x4x1x2xf32>
// CHECK: %[[J:.*]] = "tir.concat"(%arg0, %[[P]]) {axis = 3 : i32
// CHECK: %[[A:.*]] = "tir.reshape"(%[[J]]){{.*}} -> tensor<1x4x6x2xf32>
// CHECK: %[[E:.*]] = "tir.depthwise-conv2d"(%[[A]],{{.*}}kernel = [2 : i32, 3 : i32]{{.*}}pad = [0 : i32, 0 : i32, 1 : i32, 1 : i32]{{.*}}stride = [2 : i32, 1 : i32]{{.*}} -> tensor<1x4x3x2xf32>
// CHECK: %[[O:.*]] = "tir.depthwise-conv2d"(%[[A]],{{.*}} -> tensor<1x4x3x2xf32>
// CHECK: "tir.mul"(%[[E]],{{.*}}tensor<1x1x3x2xf32>
// CHECK: %[[EE:.*]] = "tir.depthwise-conv2d"{{.*}}kernel = [6 : i32, 1 : i32]{{.*}}pad = [2 : i32, 2 : i32, 0 : i32, 0 : i32]
// CHECK: %[[EO:.*]] = "tir.depthwise-conv2d"
// CHECK: %[[F:.*]] = "tir.concat"(%[[EE]], %[[EO]]) {axis = 3 : i32
// CHECK: "tir.mul"(%[[O]],
// CHECK: %[[G:.*]] = "tir.concat"{{.*}}axis = 3 : i32
// CHECK: %[[H:.*]] = "tir.concat"{{.*}}axis = 3 : i32
// CHECK: %[[R:.*]] = "tir.concat"(%[[F]], %[[H]]) {axis = 2 : i32
// CHECK: %[[Y:.*]] = "tir.reshape"(%[[R]]){{.*}} -> tensor<1x8x6x2xf32>
// CHECK-NOT: tir.resize
// CHECK: "tir.relu"(%[[Y]])
// NO-PRODUCTS-LABEL: func.func @twice
// NO-PRODUCTS: tir.resize
func.func @twice(%x: tensor<1x4x3x2xf32>) -> tensor<1x8x6x2xf32> {
  %y = "tir.resize"(%x) {size = [6 : i32, 8 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x4x3x2xf32>) -> tensor<1x8x6x2xf32>
  %z = "tir.relu"(%y) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  return %z : tensor<1x8x6x2xf32>
}

// Images of a batch, and columns alone.
// CHECK-LABEL: func.func @columns
// CHECK-COUNT-1: tir.mul
// CHECK: "tir.concat"{{.*}}axis = 3 : i32
// CHECK-NOT: tir.resize
// CHECK: return
func.func @columns(%x: tensor<2x3x7x3xf32>) -> tensor<2x3x14x3xf32> {
  %y = "tir.resize"(%x) {size = [14 : i32, 3 : i32], mode = "BILINEAR", align_corners = true} : (tensor<2x3x7x3xf32>) -> tensor<2x3x14x3xf32>
  %z = "tir.relu"(%y) : (tensor<2x3x14x3xf32>) -> tensor<2x3x14x3xf32>
  return %z : tensor<2x3x14x3xf32>
}

// Twice as many rows, and three times as many columns by slopes.
// CHECK-LABEL: func.func @both
// CHECK: "tir.depthwise-conv2d"{{.*}}kernel = [2 : i32, 3 : i32]
// CHECK: tir.pad
// CHECK: "tir.depthwise-conv2d"{{.*}}kernel = [2 : i32, 1 : i32]
// CHECK-NOT: tir.resize
// CHECK: return
func.func @both(%x: tensor<1x4x5x2xf32>) -> tensor<1x8x15x2xf32> {
  %y = "tir.resize"(%x) {size = [15 : i32, 8 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x4x5x2xf32>) -> tensor<1x8x15x2xf32>
  %z = "tir.relu"(%y) : (tensor<1x8x15x2xf32>) -> tensor<1x8x15x2xf32>
  return %z : tensor<1x8x15x2xf32>
}

// Slopes. Between a third and two thirds some results of row k lie before it and others
// after it. Two images; columns stay.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-4: tir.mul
// CHECK: "tir.concat"{{.*}}axis = 2 : i32
// CHECK-NOT: axis = 3 : i32
// CHECK: return
func.func @rows(%x: tensor<2x5x3x1xf32>) -> tensor<2x15x3x1xf32> {
  %y = "tir.resize"(%x) {size = [3 : i32, 15 : i32], scale = [1.0 : f32, 3.0 : f32], mode = "BILINEAR", align_corners = true} : (tensor<2x5x3x1xf32>) -> tensor<2x15x3x1xf32>
  %z = "tir.relu"(%y) : (tensor<2x15x3x1xf32>) -> tensor<2x15x3x1xf32>
  return %z : tensor<2x15x3x1xf32>
}

// A signal of one row, and numbers of 64 bits.
// CHECK-LABEL: func.func @signal
// CHECK: tir.mul
// CHECK-NOT: tir.resize
// CHECK: return
func.func @signal(%x: tensor<1x1x6x3xf64>) -> tensor<1x1x24x3xf64> {
  %y = "tir.resize"(%x) {size = [24 : i32, 1 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x1x6x3xf64>) -> tensor<1x1x24x3xf64>
  %z = "tir.relu"(%y) : (tensor<1x1x24x3xf64>) -> tensor<1x1x24x3xf64>
  return %z : tensor<1x1x24x3xf64>
}

// Pixels that are two apart are a kernel's; nine times, a scale that speaks of
// another size, what is rounded once, and results, also as probabilities, stay.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: tir.mul
// CHECK: tir.transposed-depthwise-conv2d
// CHECK-NOT: tir.mul
// CHECK-LABEL: func.func @nine_times
// CHECK: tir.resize
// CHECK-LABEL: func.func @other_scale
// CHECK: tir.resize
// CHECK-LABEL: func.func @rounded
// CHECK: tir.resize
// CHECK-LABEL: func.func @result
// CHECK: tir.resize
func.func @apart(%x: tensor<1x4x3x2xf32>) -> tensor<1x7x5x2xf32> {
  %y = "tir.resize"(%x) {size = [5 : i32, 7 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x4x3x2xf32>) -> tensor<1x7x5x2xf32>
  return %y : tensor<1x7x5x2xf32>
}
func.func @nine_times(%x: tensor<1x4x3x2xf32>) -> tensor<1x36x27x2xf32> {
  %y = "tir.resize"(%x) {size = [27 : i32, 36 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x4x3x2xf32>) -> tensor<1x36x27x2xf32>
  %z = "tir.relu"(%y) : (tensor<1x36x27x2xf32>) -> tensor<1x36x27x2xf32>
  return %z : tensor<1x36x27x2xf32>
}
func.func @other_scale(%x: tensor<1x4x3x2xf32>) -> tensor<1x8x6x2xf32> {
  %y = "tir.resize"(%x) {size = [6 : i32, 8 : i32], scale = [2.1 : f32, 2.0 : f32], mode = "BILINEAR", align_corners = true} : (tensor<1x4x3x2xf32>) -> tensor<1x8x6x2xf32>
  %z = "tir.relu"(%y) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  return %z : tensor<1x8x6x2xf32>
}
func.func @rounded(%x: tensor<1x4x3x2xi8>) -> tensor<1x8x6x2xi8> {
  %0 = "tir.fix2float"(%x) {fix_point = 4 : i32, bit_width = 8 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x4x3x2xi8>) -> tensor<1x4x3x2xf32>
  %1 = "tir.resize"(%0) {size = [6 : i32, 8 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x4x3x2xf32>) -> tensor<1x8x6x2xf32>
  %2 = "tir.float2fix"(%1) {fix_point = 4 : i32, bit_width = 8 : i32, if_signed = true, round_mode = "DPU_ROUND"} : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xi8>
  return %2 : tensor<1x8x6x2xi8>
}
func.func @result(%x: tensor<1x4x3x2xf32>) -> (tensor<1x2x8x6xf32>, tensor<1x8x6x2xf32>) {
  %0 = "tir.resize"(%x) {size = [6 : i32, 8 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x4x3x2xf32>) -> tensor<1x8x6x2xf32>
  %1 = "tir.transpose"(%0) {order = [0 : i32, 3 : i32, 1 : i32, 2 : i32]} : (tensor<1x8x6x2xf32>) -> tensor<1x2x8x6xf32>
  %2 = "tir.softmax"(%0) {axis = 3 : i32} : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  return %1, %2 : tensor<1x2x8x6xf32>, tensor<1x8x6x2xf32>
}

// Behind more operators than are looked through it counts as read by a DPU.
// CHECK-LABEL: func.func @four_behind
// CHECK: tir.resize
// CHECK-LABEL: func.func @five_behind
// CHECK: tir.mul
func.func @four_behind(%x: tensor<1x4x3x2xf32>) -> tensor<1x8x6x2xf32> {
  %0 = "tir.resize"(%x) {size = [6 : i32, 8 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x4x3x2xf32>) -> tensor<1x8x6x2xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  %2 = "tir.sigmoid"(%1) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  %3 = "tir.sigmoid"(%2) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  %4 = "tir.sigmoid"(%3) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  return %4 : tensor<1x8x6x2xf32>
}
func.func @five_behind(%x: tensor<1x4x3x2xf32>) -> tensor<1x8x6x2xf32> {
  %0 = "tir.resize"(%x) {size = [6 : i32, 8 : i32], mode = "BILINEAR", align_corners = true} : (tensor<1x4x3x2xf32>) -> tensor<1x8x6x2xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  %2 = "tir.sigmoid"(%1) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  %3 = "tir.sigmoid"(%2) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  %4 = "tir.sigmoid"(%3) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  %5 = "tir.sigmoid"(%4) : (tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  return %5 : tensor<1x8x6x2xf32>
}
