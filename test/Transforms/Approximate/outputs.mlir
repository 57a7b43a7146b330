// REQUIRES: mlir
// RUN: xc-opt %s --tir-approximate=bound=10 | FileCheck %s
// RUN: xc-opt %s --tir-approximate=bound=5 | FileCheck %s --check-prefix=LESS
// RUN: xc-opt %s --tir-approximate=bound=26 | FileCheck %s --check-prefix=MORE

// Functions that lose little each lose much together: the one that counts most
// gets a better form, so that the output keeps the bound. Where less is asked
// none does, and where more is asked it stays.
// CHECK-LABEL: @chain
// CHECK-SAME: layers = [{by = "4 hard-sigmoids", {{.*}}name = "gate0"
// CHECK-SAME: {by = "hard-sigmoid", {{.*}}name = "gate1"
// CHECK-SAME: {by = "hard-sigmoid", {{.*}}name = "gate4", sqnr_db = 23
// CHECK-SAME: outputs = [{name = "0", sqnr_db = 1{{[0-9]}}.
// LESS-LABEL: @chain
// LESS-NOT: "4 hard-sigmoids"
// LESS: outputs = [{name = "0", sqnr_db = {{[5-9]}}.
// MORE-LABEL: @chain
// MORE-SAME: layers = [{function = "silu", name = "gate0"
// MORE-SAME: {by = "4 hard-sigmoids", {{.*}}name = "gate4"
// MORE-SAME: outputs = [{name = "0", sqnr_db = {{2[6-9]|[3-9][0-9]}}.
func.func @chain(%x: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  %s = "tir.const"() {value = dense<3.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %l = "tir.mul"(%x, %s) : (tensor<1x8x8x16xf32>, tensor<1xf32>) -> tensor<1x8x8x16xf32>
  %y0 = "tir.float2fix"(%l) {fix_point = 4 : i32} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %r0 = "tir.fix2float"(%y0) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %s0 = "tir.sigmoid"(%r0) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %g0 = "tir.float2fix"(%s0) {fix_point = 7 : i32, op_name = "gate0"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %y1 = "tir.eltwise-fix"(%y0, %g0) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 7 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %r1 = "tir.fix2float"(%y1) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %s1 = "tir.sigmoid"(%r1) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %g1 = "tir.float2fix"(%s1) {fix_point = 7 : i32, op_name = "gate1"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %y2 = "tir.eltwise-fix"(%y1, %g1) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 7 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %r2 = "tir.fix2float"(%y2) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %s2 = "tir.sigmoid"(%r2) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %g2 = "tir.float2fix"(%s2) {fix_point = 7 : i32, op_name = "gate2"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %y3 = "tir.eltwise-fix"(%y2, %g2) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 7 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %r3 = "tir.fix2float"(%y3) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %s3 = "tir.sigmoid"(%r3) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %g3 = "tir.float2fix"(%s3) {fix_point = 7 : i32, op_name = "gate3"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %y4 = "tir.eltwise-fix"(%y3, %g3) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 7 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %r4 = "tir.fix2float"(%y4) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  %s4 = "tir.sigmoid"(%r4) : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %g4 = "tir.float2fix"(%s4) {fix_point = 7 : i32, op_name = "gate4"} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xi8>
  %y5 = "tir.eltwise-fix"(%y4, %g4) {type = "MUL", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>, input_fix_point = [4 : i32, 7 : i32], output_fix_point = 4 : i32} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
  %z = "tir.fix2float"(%y5) {fix_point = 4 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
  return %z : tensor<1x8x8x16xf32>
}
