// REQUIRES: mlir
// RUN: xc-opt %s --split-input-file --tir-approximate=bound=10 | FileCheck %s --check-prefixes=CHECK,LOW
// RUN: xc-opt %s --split-input-file --tir-approximate=bound=28 | FileCheck %s --check-prefixes=CHECK,HIGH
// RUN: xc-opt %s --split-input-file --tir-approximate=bound=31 | FileCheck %s --check-prefix=FAR
// RUN: xc-opt %s --split-input-file --tir-approximate=functions=tanh | FileCheck %s --check-prefix=TANH
// RUN: xc-opt %s --split-input-file --tir-approximate=target=DPUCAHX8H_ISA2 | FileCheck %s --check-prefix=LACKS

// TANH-NOT: tir.hard-sigmoid
// TANH: @tanh
// TANH: tir.hard-sigmoid
// LACKS-NOT: tir.hard-sigmoid-fix

// The product reads the gate at fix point 7 then, in place of 6.
// CHECK-LABEL: @silu
// LOW-SAME: by = "hard-sigmoid", function = "silu", name = "gate", sqnr_db = 2
// HIGH-SAME: by = "4 hard-sigmoids", function = "silu", name = "gate", sqnr_db = 4
// CHECK-SAME: outputs = [{name = "0", sqnr_db =
// CHECK: %[[X:.*]] = "tir.float2fix"
// LOW: %[[G:.*]] = "tir.hard-sigmoid-fix"(%[[X]]) {input_fix_point = 4 : i32, op_name = "gate", output_fix_point = 7 : i32}
// HIGH: %[[A:.*]] = "tir.hard-sigmoid-fix"(%[[X]]) {input_fix_point = 4
// HIGH: %[[B:.*]] = "tir.hard-sigmoid-fix"(%[[X]]) {input_fix_point = 3
// HIGH: %[[C:.*]] = "tir.hard-sigmoid-fix"(%[[X]]) {input_fix_point = 3
// HIGH: %[[D:.*]] = "tir.hard-sigmoid-fix"(%[[X]]) {input_fix_point = 5
// HIGH: %[[G:.*]] = "tir.eltwise-fix"(%[[A]], %[[B]], %[[C]], %[[D]]) {input_fix_point = [8 : i32, 9 : i32, 10 : i32, 10 : i32], op_name = "gate", operandSegmentSizes{{.*}}, output_fix_point = 7 : i32, type = "ADD"}
// CHECK: "tir.eltwise-fix"(%[[X]], %[[G]]) {input_fix_point = [4 : i32, 7 : i32], {{.*}}output_fix_point = 4 : i32, type = "MUL"}
func.func @silu(%x: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  %s = "tir.const"() {value = dense<4.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %l = "tir.mul"(%x, %s) : (tensor<1x8x8x16xf32>, tensor<1xf32>) -> tensor<1x8x8x16xf32>
  %0 = "tir.float2fix"(%l) {fix_point = 4 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %1 = "tir.fix2float"(%0) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %2 = "tir.sigmoid"(%1) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %3 = "tir.float2fix"(%2) {fix_point = 6 : i32, op_name = "gate"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %4 = "tir.eltwise-fix"(%0, %3) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 6 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %5 = "tir.fix2float"(%4) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  return %5 : tensor<1x8x8x16xf32>
}

// -----

// Who reads it wants fix point 6: one hard sigmoid has 7, the sum any.
// CHECK-LABEL: @sigmoid
// CHECK-SAME: by = "4 hard-sigmoids", function = "sigmoid"
// CHECK: "tir.eltwise-fix"{{.*}}output_fix_point = 6
// CHECK: "tir.reshape-fix"
func.func @sigmoid(%0: tensor<64xi8>) -> tensor<8x8xi8> {
  %x = "tir.relu-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<64xi8>) -> tensor<64xi8>
  %1 = "tir.fix2float"(%x) {fix_point = 4 : i32} : (tensor<64xi8>) -> tensor<64xf32>
  %2 = "tir.sigmoid"(%1) : (tensor<64xf32>) -> tensor<64xf32>
  %3 = "tir.float2fix"(%2) {fix_point = 6 : i32} : (tensor<64xf32>) -> tensor<64xi8>
  %4 = "tir.reshape-fix"(%3) {shape = [8 : i32, 8 : i32], input_fix_point = 6 : i32, output_fix_point = 6 : i32} : (tensor<64xi8>) -> tensor<8x8xi8>
  return %4 : tensor<8x8xi8>
}

// -----

// Fix point 0 has no room for 2 * x: the sum cannot be, and one is too coarse
// where much is asked.
// CHECK-LABEL: @large
// FAR-LABEL: @large
// FAR-SAME: layers = [{function = "sigmoid", name = "", sqnr_db = 30
// FAR-NOT: tir.hard-sigmoid-fix
// FAR: return
// LOW: "tir.hard-sigmoid-fix"
func.func @large(%0: tensor<256xi8>) -> tensor<256xi8> {
  %x = "tir.relu-fix"(%0) {input_fix_point = 4 : i32, output_fix_point = 0 : i32} : (tensor<256xi8>) -> tensor<256xi8>
  %1 = "tir.fix2float"(%x) {fix_point = 0 : i32} : (tensor<256xi8>) -> tensor<256xf32>
  %2 = "tir.sigmoid"(%1) : (tensor<256xf32>) -> tensor<256xf32>
  %3 = "tir.float2fix"(%2) {fix_point = 7 : i32} : (tensor<256xf32>) -> tensor<256xi8>
  return %3 : tensor<256xi8>
}

// -----

// 2 * sigmoid(2 * x) - 1. The sum has two fractional bits more than it needs,
// and the line after it doubles.
// CHECK-LABEL: @tanh
// CHECK-SAME: function = "tanh"
// LOW: %[[H:.*]] = "tir.hard-sigmoid-fix"(%{{.*}}) {input_fix_point = 4
// HIGH: %[[H:.*]] = "tir.eltwise-fix"
// CHECK: "tir.depthwise-conv2d-fix"(%[[H]], {{.*}}) {bias_fix_point = 6 : i32, input_fix_point = 7 : i32, {{.*}}output_fix_point = 7 : i32, {{.*}}weight_fix_point = 5
func.func @tanh(%x: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %0 = "tir.reshape-fix"(%x) {shape = [1 : i32, 8 : i32, 8 : i32, 16 : i32], input_fix_point = 5 : i32, output_fix_point = 5 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %1 = "tir.fix2float"(%0) {fix_point = 5 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %2 = "tir.tanh"(%1) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %3 = "tir.float2fix"(%2) {fix_point = 7 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  return %3 : tensor<1x8x8x16xi8>
}

// -----

// CHECK-LABEL: @mish
// CHECK-SAME: function = "mish"
// LOW: %[[L:.*]] = "tir.depthwise-conv2d-fix"{{.*}}output_fix_point = 3
// LOW: "tir.hard-sigmoid-fix"(%[[L]]) {input_fix_point = 3
// HIGH: "tir.softplus"
func.func @mish(%x: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %0 = "tir.reshape-fix"(%x) {shape = [1 : i32, 8 : i32, 8 : i32, 16 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %1 = "tir.fix2float"(%0) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %2 = "tir.softplus"(%1) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %3 = "tir.tanh"(%2) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %4 = "tir.float2fix"(%3) {fix_point = 7 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %5 = "tir.eltwise-fix"(%4, %0) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [7 : i32, 4 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %5 : tensor<1x8x8x16xi8>
}

// -----

// In floating point it is read by somebody else, too; and another rounding.
// CHECK-LABEL: @stay
// CHECK-NOT: tir.hard-sigmoid
// CHECK: return
func.func @stay(%x: tensor<1x8x8x16xi8>) -> (tensor<1x8x8x16xi8>, tensor<1x8x8x16xf32>, tensor<1x8x8x16xi8>) {
  %0 = "tir.reshape-fix"(%x) {shape = [1 : i32, 8 : i32, 8 : i32, 16 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %1 = "tir.fix2float"(%0) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %2 = "tir.sigmoid"(%1) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %3 = "tir.float2fix"(%2) {fix_point = 7 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %4 = "tir.sigmoid"(%1) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %5 = "tir.float2fix"(%4) {fix_point = 7 : i32, round_mode = "STD_ROUND"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  return %3, %2, %5 : tensor<1x8x8x16xi8>, tensor<1x8x8x16xf32>, tensor<1x8x8x16xi8>
}

// -----

// x times half of 1 + erf(0.7109 * x), in fixed point up to the function: the
// gate reads x itself. Of a function that is twice as large the product takes
// one fractional bit less.
// CHECK-LABEL: @gelu
// LOW-SAME: by = "hard-sigmoid", function = "gelu", name = "gate", sqnr_db = 2
// HIGH-SAME: by = "3 hard-sigmoids", function = "gelu", name = "gate", sqnr_db = 3
// LOW-SAME: by = "hard-sigmoid", function = "gelu", name = "twice"
// HIGH-SAME: by = "3 hard-sigmoids", function = "gelu", name = "twice"
// LOW-SAME: by = "hard-sigmoid", function = "gelu", name = "real"
// CHECK-SAME: outputs =
// CHECK: %[[X:.*]] = "tir.float2fix"
// LOW: %[[G:.*]] = "tir.hard-sigmoid-fix"(%[[X]]) {input_fix_point = 3 : i32, op_name = "gate", output_fix_point = 7 : i32}
// HIGH: %[[A:.*]] = "tir.hard-sigmoid-fix"(%[[X]]) {input_fix_point = 3
// HIGH: %[[B:.*]] = "tir.hard-sigmoid-fix"(%[[X]]) {input_fix_point = 2
// HIGH: %[[C:.*]] = "tir.hard-sigmoid-fix"(%[[X]]) {input_fix_point = 4
// HIGH: %[[G:.*]] = "tir.eltwise-fix"(%[[A]], %[[B]], %[[C]]) {input_fix_point = [8 : i32, 9 : i32, 9 : i32], op_name = "gate"
// CHECK: "tir.eltwise-fix"(%[[X]], %[[G]]) {input_fix_point = [4 : i32, 7 : i32], {{.*}}type = "MUL"}
// LOW: %[[H:.*]] = "tir.hard-sigmoid-fix"(%[[X]]) {{.*}}op_name = "twice"
// HIGH: %[[H:.*]] = "tir.eltwise-fix"{{.*}}op_name = "twice"
// CHECK: "tir.eltwise-fix"(%[[X]], %[[H]]) {input_fix_point = [4 : i32, 6 : i32], {{.*}}type = "MUL"}
// TANH-LABEL: @gelu
// TANH: tir.erf
func.func @gelu(%x: tensor<1x8x8x16xf32>) -> (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) {
  %s = "tir.const"() {value = dense<2.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %l = "tir.mul"(%x, %s) : (tensor<1x8x8x16xf32>, tensor<1xf32>) -> tensor<1x8x8x16xf32>
  %0 = "tir.float2fix"(%l) {fix_point = 4 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %root = "tir.const"() {value = dense<91> : tensor<i8>} : () -> tensor<i8>
  %1 = "tir.eltwise-fix"(%0, %root) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 7 : i32], output_fix_point = 5 : i32} : (tensor<1x8x8x16xi8>, tensor<i8>) -> tensor<1x8x8x16xi8>
  %2 = "tir.fix2float"(%1) {fix_point = 5 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %3 = "tir.erf"(%2) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %half = "tir.const"() {value = dense<0.5> : tensor<16xf32>} : () -> tensor<16xf32>
  %4 = "tir.scale"(%3, %half, %half) : (tensor<1x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32>
  %5 = "tir.float2fix"(%4) {fix_point = 7 : i32, op_name = "gate"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %6 = "tir.eltwise-fix"(%0, %5) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 7 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %7 = "tir.fix2float"(%1) {fix_point = 5 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %8 = "tir.erf"(%7) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %one = "tir.const"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %9 = "tir.add"(%8, %one) : (tensor<1x8x8x16xf32>, tensor<f32>) -> tensor<1x8x8x16xf32>
  %10 = "tir.float2fix"(%9) {fix_point = 6 : i32, op_name = "twice"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %11 = "tir.eltwise-fix"(%0, %10) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 6 : i32], output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %12 = "tir.fix2float"(%0) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %r = "tir.const"() {value = dense<0.707106769> : tensor<f32>} : () -> tensor<f32>
  %13 = "tir.mul"(%12, %r) : (tensor<1x8x8x16xf32>, tensor<f32>) -> tensor<1x8x8x16xf32>
  %14 = "tir.erf"(%13) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %15 = "tir.scale"(%14, %half, %half) : (tensor<1x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32>
  %16 = "tir.float2fix"(%15) {fix_point = 7 : i32, op_name = "real"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %17 = "tir.eltwise-fix"(%0, %16) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 7 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %6, %11, %17 : tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>
}

// -----

// Another function of erf: half a root is not there, or the offset.
// CHECK-LABEL: @no_gelu
// CHECK-NOT: tir.hard-sigmoid
// CHECK: return
func.func @no_gelu(%x: tensor<1x8x8x16xi8>) -> (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) {
  %0 = "tir.reshape-fix"(%x) {shape = [1 : i32, 8 : i32, 8 : i32, 16 : i32], input_fix_point = 4 : i32, output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %1 = "tir.fix2float"(%0) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %2 = "tir.erf"(%1) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %half = "tir.const"() {value = dense<0.5> : tensor<16xf32>} : () -> tensor<16xf32>
  %3 = "tir.scale"(%2, %half, %half) : (tensor<1x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32>
  %4 = "tir.float2fix"(%3) {fix_point = 7 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %5 = "tir.eltwise-fix"(%0, %4) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 7 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %6 = "tir.fix2float"(%0) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %r = "tir.const"() {value = dense<0.707106769> : tensor<f32>} : () -> tensor<f32>
  %7 = "tir.mul"(%6, %r) : (tensor<1x8x8x16xf32>, tensor<f32>) -> tensor<1x8x8x16xf32>
  %8 = "tir.erf"(%7) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %9 = "tir.mul"(%8, %r) : (tensor<1x8x8x16xf32>, tensor<f32>) -> tensor<1x8x8x16xf32>
  %10 = "tir.float2fix"(%9) {fix_point = 7 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %11 = "tir.eltwise-fix"(%0, %10) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 7 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  return %5, %11 : tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>
}
