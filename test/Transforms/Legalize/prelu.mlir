// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=DPUCAHX8H_ISA2})' %s | FileCheck %s
// RUN: xc-opt --pass-pipeline='builtin.module(tir-legalize{target=DPUCZDX8G_ISA1_B4096})' %s | FileCheck %s --check-prefix=HAS
// RUN: RewriteEqualTest %s tir-legalize target=DPUCAHX8H_ISA2 exact

// Only some machines have an engine for PRELU.
// HAS-NOT: tir.conv2d
// HAS-COUNT-6: tir.prelu-fix
// HAS-NOT: tir.conv2d

// What is positive has what the slope lacks to 1 in addition.
// CHECK-LABEL: func.func @one_copy
// CHECK: %[[R:.*]] = "tir.relu-fix"(%arg0) {input_fix_point = 4 : i32, output_fix_point = 4 : i32}
// CHECK: %[[J:.*]] = "tir.concat-fix"(%arg0, %[[R]]){{.*}} -> tensor<1x2x9x6xi8>
// CHECK: dense<{{.*}}20, 0, 0, 44, 0, 0{{.*}}0, 33, 0, 0, 31, 0{{.*}}0, 0, 64, 0, 0, 0
// CHECK: %[[C:.*]] = "tir.conv2d-fix"(%[[J]], {{.*}}input_fix_point = 4 : i32{{.*}}output_fix_point = 3 : i32{{.*}}weight_fix_point = 6 : i32
// CHECK-NEXT: return %[[C]]
func.func @one_copy(%x: tensor<1x2x9x3xi8>) -> tensor<1x2x9x3xi8> {
  %s = "tir.const"() {value = dense<[20, 33, 64]> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "tir.prelu-fix"(%x, %s) {input_fix_point = 4 : i32, slope_fix_point = 6 : i32, output_fix_point = 3 : i32} : (tensor<1x2x9x3xi8>, tensor<3xi8>) -> tensor<1x2x9x3xi8>
  return %y : tensor<1x2x9x3xi8>
}

// Weights of 8 bits reach 1 at fix point 8 with two copies.
// CHECK-LABEL: func.func @two_copies
// CHECK: %[[R:.*]] = "tir.relu-fix"(%arg0)
// CHECK: "tir.concat-fix"(%arg0, %[[R]], %[[R]])
// CHECK: dense<{{.*}}64, 0, 127, 0, 65, 0{{.*}}0, 33, 0, 127, 0, 96
// CHECK: "tir.conv2d-fix"{{.*}}weight_fix_point = 8 : i32
// CHECK-NEXT: return
func.func @two_copies(%x: tensor<1x2x9x2xi8>) -> tensor<1x2x9x2xi8> {
  %s = "tir.const"() {value = dense<[64, 33]> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.prelu-fix"(%x, %s) {input_fix_point = 4 : i32, slope_fix_point = 8 : i32, output_fix_point = 4 : i32} : (tensor<1x2x9x2xi8>, tensor<2xi8>) -> tensor<1x2x9x2xi8>
  return %y : tensor<1x2x9x2xi8>
}

// The same slopes at a lower fix point.
// CHECK-LABEL: func.func @halved
// CHECK: dense<{{.*}}2, 0, 14, 0{{.*}}0, 1, 0, 15
// CHECK: "tir.conv2d-fix"{{.*}}weight_fix_point = 4 : i32
func.func @halved(%x: tensor<1x2x9x2xi8>) -> tensor<1x2x9x2xi8> {
  %s = "tir.const"() {value = dense<[64, 32]> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.prelu-fix"(%x, %s) {input_fix_point = 4 : i32, slope_fix_point = 9 : i32, output_fix_point = 4 : i32} : (tensor<1x2x9x2xi8>, tensor<2xi8>) -> tensor<1x2x9x2xi8>
  return %y : tensor<1x2x9x2xi8>
}

// More copies would take longer than a sum.
// CHECK-LABEL: func.func @sum
// CHECK: %[[R:.*]] = "tir.relu-fix"(%arg0)
// CHECK: %[[J:.*]] = "tir.concat-fix"(%arg0, %[[R]])
// CHECK: dense<{{.*}}51, 0, -51, 0{{.*}}0, 33, 0, -33
// CHECK: %[[C:.*]] = "tir.conv2d-fix"(%[[J]],{{.*}}output_fix_point = 2 : i32{{.*}}weight_fix_point = 9 : i32
// CHECK: "tir.eltwise-fix"(%[[R]], %[[C]]) {input_fix_point = [4 : i32, 2 : i32]{{.*}}output_fix_point = 2 : i32{{.*}}type = "ADD"
func.func @sum(%x: tensor<1x2x9x2xi8>) -> tensor<1x2x9x2xi8> {
  %s = "tir.const"() {value = dense<[51, 33]> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.prelu-fix"(%x, %s) {input_fix_point = 4 : i32, slope_fix_point = 9 : i32, output_fix_point = 2 : i32} : (tensor<1x2x9x2xi8>, tensor<2xi8>) -> tensor<1x2x9x2xi8>
  return %y : tensor<1x2x9x2xi8>
}

// Slopes of either sign, and results at a finer fix point.
// CHECK-LABEL: func.func @negative
// CHECK: dense<{{.*}}-20, 0, 0, 127, 0, 0, 21, 0, 0{{.*}}0, 127, 0, 0, 1, 0, 0, 0, 0{{.*}}0, 0, -126, 0, 0, 127, 0, 0, 127
func.func @negative(%x: tensor<1x2x9x3xi8>) -> tensor<1x2x9x3xi8> {
  %s = "tir.const"() {value = dense<[-20, 127, -126]> : tensor<3xi8>} : () -> tensor<3xi8>
  %y = "tir.prelu-fix"(%x, %s) {input_fix_point = 4 : i32, slope_fix_point = 7 : i32, output_fix_point = 5 : i32} : (tensor<1x2x9x3xi8>, tensor<3xi8>) -> tensor<1x2x9x3xi8>
  return %y : tensor<1x2x9x3xi8>
}

// A sum cuts off what lies more than two bits below the lower fix point.
// CHECK-LABEL: func.func @guarded
// CHECK-NEXT: tir.const
// CHECK-NEXT: tir.prelu-fix
// CHECK-NEXT: return
func.func @guarded(%x: tensor<1x2x9x2xi8>) -> tensor<1x2x9x2xi8> {
  %s = "tir.const"() {value = dense<[51, 33]> : tensor<2xi8>} : () -> tensor<2xi8>
  %y = "tir.prelu-fix"(%x, %s) {input_fix_point = 0 : i32, slope_fix_point = 9 : i32, output_fix_point = 3 : i32} : (tensor<1x2x9x2xi8>, tensor<2xi8>) -> tensor<1x2x9x2xi8>
  return %y : tensor<1x2x9x2xi8>
}

// Convolutions give signed integers.
// CHECK-LABEL: func.func @unsigned
// CHECK-NEXT: tir.const
// CHECK-NEXT: tir.prelu-fix
// CHECK-NEXT: return
func.func @unsigned(%x: tensor<1x1x2x1xi8>) -> tensor<1x1x2x1xui8> {
  %s = "tir.const"() {value = dense<9> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = "tir.prelu-fix"(%x, %s) {input_fix_point = 0 : i32, slope_fix_point = 0 : i32, output_fix_point = 0 : i32} : (tensor<1x1x2x1xi8>, tensor<1xi8>) -> tensor<1x1x2x1xui8>
  return %y : tensor<1x1x2x1xui8>
}
