// The pixels of a row of a block are moved together where they have no gaps, else
// one by one.
// RUN: xc-opt %s --global-bufferize --convert-tir-to-mtir --mtir-eliminate-copies -o %t.mlir
// RUN: xc-translate --mtir-to-dpu-schedule %t.mlir | FileCheck %s
// RUN: xc-translate --mtir-to-xmodel %t.mlir -o %t.xmodel
// RUN: xc-translate --check-xmodel %t.xmodel
// RUN: xc-translate --xmodel-to-text %t.xmodel | FileCheck %s --check-prefix=TEXT

// CHECK-LABEL: layer 0: conv
// CHECK: copy shuffle
// CHECK: input      8x10x3, held
// CHECK: output     8x10x3, DDR register 3 at 0,
// CHECK: copy shuffle
// CHECK: input      8x10x3, DDR register 1 at 3,
// CHECK: output     8x10x3, DDR register 3 at 30,
// CHECK: copy shuffle
// CHECK: input      8x10x3, DDR register 1 at 6,
// CHECK: output     8x10x3, DDR register 3 at 60,
// CHECK-NOT: copy shuffle
// The board's library wants the direction by the name that a reorg has for it.
// TEXT: : pixel-shuffle-fix
// TEXT: reverse : bool = true
// TEXT: upscale : bool = true
func.func @shuffle(%x: tensor<1x8x10x8xi8>) -> tensor<1x24x30x1xi8> attributes {device = "DPU"} {
  %w = "tir.const"() {value = dense<1> : tensor<9x1x1x8xi8>} : () -> tensor<9x1x1x8xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {op_name = "conv", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x8x10x8xi8>, tensor<9x1x1x8xi8>) -> tensor<1x8x10x9xi8>
  %1 = "tir.pixel-shuffle-fix"(%0) {op_name = "shuffle", scale = 3 : i32, upscale = true, mode = "CRD"} : (tensor<1x8x10x9xi8>) -> tensor<1x24x30x1xi8>
  return %1 : tensor<1x24x30x1xi8>
}

// CHECK-LABEL: schedule for
// CHECK-COUNT-4: {{^}}layer {{[0-9]}}: shuffle
func.func @joined(%x: tensor<1x8x10x16xi8>, %y: tensor<1x16x20x8xi8>) -> tensor<1x16x20x12xi8> attributes {device = "DPU"} {
  %0 = "tir.pixel-shuffle-fix"(%x) {op_name = "shuffle", scale = 2 : i32, upscale = true, mode = "DCR"} : (tensor<1x8x10x16xi8>) -> tensor<1x16x20x4xi8>
  %1 = "tir.concat-fix"(%0, %y) {op_name = "joined", axis = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x16x20x4xi8>, tensor<1x16x20x8xi8>) -> tensor<1x16x20x12xi8>
  return %1 : tensor<1x16x20x12xi8>
}
