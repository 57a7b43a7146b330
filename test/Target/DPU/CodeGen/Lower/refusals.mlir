// REQUIRES: mlir
// What cannot be scheduled is refused at the operator, with the reason.
// RUN: xc-translate --mtir-to-dpu-asm --split-input-file --verify-diagnostics %s

func.func @shift(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x8xi8>) {
  %w = "memtx.const"() {value = dense<1> : tensor<8x1x1x8xi8>} : () -> memref<8x1x1x8xi8>
  // expected-error@+1 {{'mtir.conv2d-fix' op cannot run on the DPU: the result is shifted by 30 bits, expected 0 to 16}}
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 15 : i32, weight_fix_point = 15 : i32} : (memref<1x4x4x8xi8>, memref<8x1x1x8xi8>, memref<1x4x4x8xi8>) -> ()
  return
}

// -----

func.func @kernel(%x: memref<1x20x20x8xi8>, %y: memref<1x1x1x8xi8>) {
  %w = "memtx.const"() {value = dense<1> : tensor<8x20x20x8xi8>} : () -> memref<8x20x20x8xi8>
  // expected-error@+1 {{cannot run on the DPU: a kernel side is 20, expected 1 to 16}}
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [20 : i32, 20 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x20x20x8xi8>, memref<8x20x20x8xi8>, memref<1x1x1x8xi8>) -> ()
  return
}

// -----

func.func @weights(%x: memref<1x16x16x200xi8>, %y: memref<1x1x1x8xi8>) {
  %w = "memtx.const"() {value = dense<1> : tensor<8x16x16x200xi8>} : () -> memref<8x16x16x200xi8>
  // expected-error@+1 {{cannot run on the DPU: the weights of one channel take 3328 words, expected 1 to 2048}}
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [16 : i32, 16 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x16x16x200xi8>, memref<8x16x16x200xi8>, memref<1x1x1x8xi8>) -> ()
  return
}

// -----

func.func @relu6(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x8xi8>) {
  // expected-error@+1 {{cannot run on the DPU: RELU6 needs an output fix point of 4 or more, found 3}}
  "mtir.relu6-fix"(%x, %y) {input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (memref<1x4x4x8xi8>, memref<1x4x4x8xi8>) -> ()
  return
}

// -----

func.func @rounding(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x8xi8>) {
  // expected-error@+1 {{cannot run on the DPU: 'round_mode' is STD_ROUND, expected DPU_ROUND}}
  "mtir.relu-fix"(%x, %y) {round_mode = "STD_ROUND"} : (memref<1x4x4x8xi8>, memref<1x4x4x8xi8>) -> ()
  return
}

// -----

func.func @unsigned(%x: memref<1x4x4x8xui8>, %y: memref<1x4x4x8xui8>) {
  // expected-error@+1 {{cannot run on the DPU: operand 'input' has elements of type ui8, expected i8}}
  "mtir.relu-fix"(%x, %y) : (memref<1x4x4x8xui8>, memref<1x4x4x8xui8>) -> ()
  return
}

// -----

func.func @border(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x8xi8>) {
  // expected-error@+1 {{windows reach into a border that does not count}}
  "mtir.pool-fix"(%x, %y) {type = "AVG", kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], count_include_pad = false} : (memref<1x4x4x8xi8>, memref<1x4x4x8xi8>) -> ()
  return
}

// -----

func.func @bias(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x2xi8>) {
  %w = "memtx.const"() {value = dense<1> : tensor<2x1x1x8xi8>} : () -> memref<2x1x1x8xi8>
  %b = "memtx.const"() {value = dense<[7, -300]> : tensor<2xi32>} : () -> memref<2xi32>
  // expected-error@+1 {{cannot run on the DPU: bias 1 is -300, expected -128 to 127}}
  "mtir.conv2d-fix"(%x, %w, %b, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xi8>, memref<2x1x1x8xi8>, memref<2xi32>, memref<1x4x4x2xi8>) -> ()
  return
}

// -----

func.func @engine(%x: memref<1x4x4x8xi8>, %y: memref<1x8xi8>) {
  // expected-error@+1 {{'mtir.reduction_sum-fix' op cannot run on the DPU: there is no engine for it}}
  "mtir.reduction_sum-fix"(%x, %y) {axis = [1 : i32, 2 : i32]} : (memref<1x4x4x8xi8>, memref<1x8xi8>) -> ()
  return
}

// -----

func.func @scattered(%x: memref<1x4x4x8xi8>, %y: memref<1x8x8x2xi8>) {
  // expected-error@+1 {{cannot run on the DPU: the channels of a block are not consecutive}}
  "mtir.pixel-shuffle-fix"(%x, %y) {scale = 2 : i32} : (memref<1x4x4x8xi8>, memref<1x8x8x2xi8>) -> ()
  return
}

// -----

func.func @channel_broadcast(%x: memref<1x4x4x8xi8>, %z: memref<1x4x4x1xi8>, %y: memref<1x4x4x8xi8>) {
  // expected-error@+1 {{cannot run on the DPU: input 1 is repeated along its channels}}
  "mtir.eltwise-fix"(%x, %z, %y) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1>} : (memref<1x4x4x8xi8>, memref<1x4x4x1xi8>, memref<1x4x4x8xi8>) -> ()
  return
}

// -----

func.func @exact(%x: memref<1x6x6x8xi8>, %y: memref<1x1x1x8xi8>) {
  // expected-error@+1 {{cannot run on the DPU: no factor gives the exact quotient by 36}}
  "mtir.pool-fix"(%x, %y) {type = "AVG", global = true, exact = true} : (memref<1x6x6x8xi8>, memref<1x1x1x8xi8>) -> ()
  return
}

// -----

func.func @argmax(%x: memref<1x6x6x8xi8>, %y: memref<1x6x8xi8>) {
  // expected-error@+1 {{cannot run on the DPU: the axis is not the last one}}
  "mtir.argmax-fix"(%x, %y) {axis = 1 : i32} : (memref<1x6x6x8xi8>, memref<1x6x8xi8>) -> ()
  return
}

// -----

func.func @weights_are_data(%x: memref<1x4x4x8xi8>, %w: memref<8x1x1x8xi8>, %y: memref<1x4x4x8xi8>) {
  // expected-error@+1 {{cannot run on the DPU: operand 'weight' is not a constant}}
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xi8>, memref<8x1x1x8xi8>, memref<1x4x4x8xi8>) -> ()
  return
}

// -----

func.func @reversed(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x8xi8>) {
  // expected-error@+1 {{cannot run on the DPU: dimension 2 cannot be sliced in memory}}
  "mtir.strided_slice-fix"(%x, %y) {begin = [0 : i32, 0 : i32, 3 : i32, 0 : i32], end = [1 : i32, 4 : i32, -5 : i32, 8 : i32], strides = [1 : i32, 1 : i32, -1 : i32, 1 : i32]} : (memref<1x4x4x8xi8>, memref<1x4x4x8xi8>) -> ()
  return
}

// -----

func.func @prelu(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x8xi8>) {
  %w = "memtx.const"() {value = dense<1> : tensor<8x1x1x8xi8>} : () -> memref<8x1x1x8xi8>
  // expected-error@+1 {{cannot run on the DPU: the engine has no PRELU}}
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], nonlinear = "PRELU", prelu_in = 1 : i32} : (memref<1x4x4x8xi8>, memref<8x1x1x8xi8>, memref<1x4x4x8xi8>) -> ()
  return
}

// -----

func.func @group(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x8xi8>) {
  %w = "memtx.const"() {value = dense<1> : tensor<8x1x1x4xi8>} : () -> memref<8x1x1x4xi8>
  // expected-error@+1 {{cannot run on the DPU: 'group' is not 1}}
  "mtir.conv2d-fix"(%x, %w, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], group = 2 : i32} : (memref<1x4x4x8xi8>, memref<8x1x1x4xi8>, memref<1x4x4x8xi8>) -> ()
  return
}

// -----

func.func @several(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x16xi8>) {
  %w = "memtx.const"() {value = dense<1> : tensor<2x1x1x8xi8>} : () -> memref<2x1x1x8xi8>
  // expected-error@+1 {{cannot run on the DPU: every channel has several outputs}}
  "mtir.depthwise-conv2d-fix"(%x, %w, %y) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (memref<1x4x4x8xi8>, memref<2x1x1x8xi8>, memref<1x4x4x16xi8>) -> ()
  return
}

// -----

func.func @dilated(%x: memref<1x8x8x8xi8>, %y: memref<1x6x6x8xi8>) {
  // expected-error@+1 {{cannot run on the DPU: the window is dilated}}
  "mtir.pool-fix"(%x, %y) {type = "MAX", kernel = [2 : i32, 2 : i32], stride = [1 : i32, 1 : i32], dilation = [2 : i32, 2 : i32]} : (memref<1x8x8x8xi8>, memref<1x6x6x8xi8>) -> ()
  return
}

// -----

func.func @axis(%x: memref<1x4x4x8xi8>, %y: memref<1x4x4x1xi8>) {
  // expected-error@+1 {{cannot run on the DPU: axis 3 is neither height nor width}}
  "mtir.reduction_max-fix"(%x, %y) {axis = [3 : i32], keep_dims = true} : (memref<1x4x4x8xi8>, memref<1x4x4x1xi8>) -> ()
  return
}

// -----

func.func @pad(%x: memref<1x4x4x8xi8>, %y: memref<1x3x4x8xi8>) {
  // expected-error@+1 {{cannot run on the DPU: dimension 1 is cropped or has others before it}}
  "mtir.pad-fix"(%x, %y) {paddings = [0 : i32, 0 : i32, -1 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], mode = "CONSTANT"} : (memref<1x4x4x8xi8>, memref<1x3x4x8xi8>) -> ()
  return
}
