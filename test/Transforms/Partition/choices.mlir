// Advice is for those who make the model: sizes and settings, but not what the
// network computes of what. Work that only such changes would bring to the DPU
// is not counted.
// RUN: xc-opt %s --split-input-file --tir-partition='outline=false show=operators' -o /dev/null 2>&1 | FileCheck %s
// RUN: xc-opt %s --split-input-file --tir-partition='report=%t.json' -o /dev/null
// RUN: grep repairable_macs %t.json | FileCheck %s --check-prefix=JSON

// CHECK:      CPU conv2d-fix {{.*}} computed constant-parameters: a parameter is not constant{{$}}
// CHECK-NEXT: CPU reshape-fix {{.*}} flat follows-dpu: the CPU computes what it moves{{$}}
// CHECK-NEXT: DPU:
// CHECK-NEXT: CPU: 2 operators in 1 subgraph, 100.00% of the MACs
// CHECK-NEXT: between subgraphs:
func.func @none(%a: tensor<1x4x4x16xi8>, %w: tensor<16x1x1x16xi8>) -> tensor<1x256xi8> {
  %0 = "tir.conv2d-fix"(%a, %w) {op_name = "computed", kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32]} : (tensor<1x4x4x16xi8>, tensor<16x1x1x16xi8>) -> tensor<1x4x4x16xi8>
  %1 = "tir.reshape-fix"(%0) {op_name = "flat", shape = [1 : i32, 256 : i32]} : (tensor<1x4x4x16xi8>) -> tensor<1x256xi8>
  return %1 : tensor<1x256xi8>
}

// -----

// A kernel is a choice, computed weights are none; of a list that has both no
// part helps.
// CHECK:      CPU conv2d-fix {{.*}} wide kernel-width: {{.*}}; fits with kernel width 17 -> 16{{$}}
// CHECK-NEXT: CPU conv2d-fix {{.*}} both constant-parameters: a parameter is not constant{{$}}
// CHECK-NEXT: DPU:
// CHECK-NEXT: CPU: 2 operators
// CHECK-NEXT: with the changes above: 50.00% of the MACs on the DPU
// JSON: "repairable_macs": 208896,
func.func @some(%a: tensor<1x4x4x16xi8>, %v: tensor<16x3x17x16xi8>) -> tensor<1x4x4x16xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<16x3x17x16xi8>} : () -> tensor<16x3x17x16xi8>
  %0 = "tir.conv2d-fix"(%a, %w) {op_name = "wide", kernel = [17 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x4x4x16xi8>, tensor<16x3x17x16xi8>) -> tensor<1x4x4x16xi8>
  %1 = "tir.conv2d-fix"(%0, %v) {op_name = "both", kernel = [17 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME"} : (tensor<1x4x4x16xi8>, tensor<16x3x17x16xi8>) -> tensor<1x4x4x16xi8>
  return %1 : tensor<1x4x4x16xi8>
}
