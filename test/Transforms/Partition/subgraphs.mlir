// RUN: xc-opt %s --split-input-file --tir-partition --xc-verify | FileCheck %s

// The operator of the CPU that nothing needs early waits: two subgraphs do.
// CHECK-LABEL: func.func private @late_dpu_0(
// CHECK-LABEL: func.func private @late_cpu_1(
// CHECK:         "tir.tanh"
// CHECK:         "tir.fix2float"
// CHECK:         "tir.add"
// CHECK-LABEL: func.func @late(
// CHECK-COUNT-2: call
// CHECK-NOT:     call
func.func @late(%a: tensor<1x4x4x16xf32>, %b: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xf32> {
  %0 = "tir.tanh"(%a) : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %1 = "tir.relu-fix"(%b) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  %2 = "tir.fix2float"(%1) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xf32>
  %3 = "tir.add"(%0, %2) : (tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  return %3 : tensor<1x4x4x16xf32>
}

// -----

// Two parts without a connection are one subgraph: they are started together.
// CHECK-LABEL: func.func private @apart_dpu_0(%arg0: tensor<1x4x4x16xi8>, %arg1: tensor<1x4x4x16xi8>)
// CHECK-COUNT-2: "tir.relu-fix"
// CHECK-LABEL: func.func @apart(
// CHECK-NEXT:    call
// CHECK-NEXT:    return
func.func @apart(%a: tensor<1x4x4x16xi8>, %b: tensor<1x4x4x16xi8>) -> (tensor<1x4x4x16xi8>, tensor<1x4x4x16xi8>) {
  %0 = "tir.relu-fix"(%a) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  %1 = "tir.relu-fix"(%b) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  return %0, %1 : tensor<1x4x4x16xi8>, tensor<1x4x4x16xi8>
}

// -----

// The upsampled image need not cross a border: upsampling waits for its user.
// CHECK-LABEL: func.func private @bytes_dpu_0(
// CHECK-NOT:     tir.upsample-fix
// CHECK-LABEL: func.func private @bytes_cpu_1(
// CHECK-LABEL: func.func private @bytes_dpu_2(
// CHECK:         "tir.upsample-fix"
// CHECK:         "tir.eltwise-fix"
func.func @bytes(%a: tensor<1x4x4x16xi8>) -> tensor<1x32x32x16xi8> {
  %0 = "tir.relu-fix"(%a) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  %1 = "tir.upsample-fix"(%0) {scale = [8 : i32, 8 : i32]} : (tensor<1x4x4x16xi8>) -> tensor<1x32x32x16xi8>
  %2 = "tir.fix2float"(%0) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xf32>
  %3 = "tir.tanh"(%2) : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %4 = "tir.float2fix"(%3) : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xi8>
  %5 = "tir.upsample-fix"(%4) {scale = [8 : i32, 8 : i32]} : (tensor<1x4x4x16xi8>) -> tensor<1x32x32x16xi8>
  %6 = "tir.eltwise-fix"(%1, %5) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x32x32x16xi8>, tensor<1x32x32x16xi8>) -> tensor<1x32x32x16xi8>
  return %6 : tensor<1x32x32x16xi8>
}

// -----

// A DPU subgraph must not depend on itself through the CPU.
// CHECK-LABEL: func.func private @convex_dpu_0(
// CHECK-COUNT-1: "tir.relu-fix"
// CHECK-NOT:     "tir.eltwise-fix"
// CHECK-LABEL: func.func private @convex_cpu_1(
// CHECK-LABEL: func.func private @convex_dpu_2(
// CHECK:         "tir.eltwise-fix"
func.func @convex(%a: tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8> {
  %0 = "tir.relu-fix"(%a) : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %1 = "tir.transpose-fix"(%0) {order = [0 : i32, 3 : i32, 2 : i32, 1 : i32]} : (tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  %2 = "tir.eltwise-fix"(%0, %1) {type = "ADD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x4x4x4xi8>, tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8>
  return %2 : tensor<1x4x4x4xi8>
}

// -----

// Arguments and constants that are returned stay where they are; a value that
// is returned twice leaves its subgraph once; taken names are left alone.
// CHECK-LABEL: func.func private @odd_cpu_0()
// CHECK-LABEL: func.func private @odd__dpu_0(%arg0: tensor<1x2x2x16xi8>) -> tensor<1x2x2x16xi8>
// CHECK-LABEL: func.func @odd(
// CHECK-NEXT:    %[[C:.*]] = "tir.const"
// CHECK-NEXT:    %[[R:.*]] = call @odd__dpu_0(%arg0)
// CHECK-NEXT:    return %arg0, %[[C]], %[[R]], %[[R]]
func.func private @odd_cpu_0()
func.func @odd(%a: tensor<1x2x2x16xi8>) -> (tensor<1x2x2x16xi8>, tensor<2xi8>, tensor<1x2x2x16xi8>, tensor<1x2x2x16xi8>) {
  %c = "tir.const"() {value = dense<7> : tensor<2xi8>} : () -> tensor<2xi8>
  %0 = "tir.relu-fix"(%a) : (tensor<1x2x2x16xi8>) -> tensor<1x2x2x16xi8>
  return %a, %c, %0, %0 : tensor<1x2x2x16xi8>, tensor<2xi8>, tensor<1x2x2x16xi8>, tensor<1x2x2x16xi8>
}

// -----

// Each function has its own subgraphs; one without our operators is left.
// CHECK-LABEL: func.func private @first_dpu_0(
// CHECK-LABEL: func.func @first(
// CHECK-LABEL: func.func private @second_cpu_0(
// CHECK-LABEL: func.func private @second_dpu_1(
// CHECK-LABEL: func.func @second(
// CHECK-NEXT:    call @second_cpu_0(
// CHECK-NEXT:    call @second_dpu_1(
// CHECK-LABEL: func.func @third(
// CHECK-NEXT:    return
func.func @first(%a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  %0 = "tir.relu-fix"(%a) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  return %0 : tensor<1x4x4x16xi8>
}
func.func @second(%a: tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xi8> {
  %0 = "tir.float2fix"(%a) : (tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xi8>
  %1 = "tir.relu-fix"(%0) : (tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8>
  return %1 : tensor<1x4x4x16xi8>
}
func.func @third(%a: tensor<1x4x4x16xi8>) -> tensor<1x4x4x16xi8> {
  return %a : tensor<1x4x4x16xi8>
}
