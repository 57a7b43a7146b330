// RUN: xc-opt %s --tir-partition | FileCheck %s
// RUN: xc-opt %s --tir-partition | xc-opt --tir-partition --xc-verify | FileCheck %s
// RUN: xc-opt %s --tir-partition=outline=false --xc-verify | FileCheck %s --check-prefix=ANNOTATED
// RUN: xc-opt %s --tir-partition='outline=false show=operators' 2>&1 >/dev/null | FileCheck %s --check-prefix=TABLE
// RUN: xc-opt %s --tir-partition='outline=false show=kinds target=DPUCAHX8H_ISA2' 2>&1 >/dev/null | FileCheck %s --check-prefix=KINDS

// A subgraph takes constants along and gets what others make as arguments.
// CHECK-LABEL: func.func private @net_cpu_0(
// CHECK-SAME:    -> tensor<1x16x16x8xi8> attributes {device = "CPU"}
// CHECK-NEXT:    "tir.float2fix"
// CHECK-SAME:    xc.reason = "boundary: real and fixed-point numbers are converted on the CPU"
// CHECK-LABEL: func.func private @net_dpu_1(%arg0: tensor<1x16x16x8xi8>) -> tensor<1x8x8x16xi8> attributes {device = "DPU"}
// CHECK-DAG:     %[[W:.*]] = "tir.const"() {value = dense<1> : tensor<16x3x3x8xi8>}
// CHECK-DAG:     %[[B:.*]] = "tir.const"() {value = dense<1> : tensor<16xi8>}
// CHECK:         "tir.conv2d-fix"(%arg0, %[[W]], %[[B]])
// CHECK-SAME:    device = "DPU"
// CHECK-NOT:     xc.reason
// CHECK-LABEL: func.func private @net_cpu_2(
// CHECK:         op_name = "conv1"
// CHECK-SAME:    xc.reason = "kernel-width: kernel width is 17, expected 1 to 16; fits with kernel width 17 -> 16, output fix point 3 -> 4"
// CHECK-LABEL: func.func private @net_dpu_3(
// CHECK:         op_name = "add"
// CHECK:         op_name = "fc"
// CHECK:         "tir.reshape-fix"
// CHECK-LABEL: func.func private @net_cpu_4(
// CHECK:         "tir.softmax"
// CHECK-SAME:    xc.reason = "dpu-form: no DPU computes this operator"
// CHECK-LABEL: func.func @net(
// CHECK-NEXT:    %[[V0:.*]] = call @net_cpu_0(%arg0)
// CHECK-NEXT:    %[[V1:.*]] = call @net_dpu_1(%[[V0]])
// CHECK-NEXT:    %[[V2:.*]] = call @net_cpu_2(%[[V1]])
// CHECK-NEXT:    %[[V3:.*]]:2 = call @net_dpu_3(%[[V1]], %[[V2]])
// CHECK-NEXT:    %[[V4:.*]]:2 = call @net_cpu_4(%[[V3]]#1, %[[V3]]#0)
// CHECK-NEXT:    return %[[V4]]#1, %[[V4]]#0

// ANNOTATED:     func.func @net(
// ANNOTATED-COUNT-4: device = "DPU"
// ANNOTATED-NOT: device = "DPU"
// ANNOTATED-NOT: call @

// TABLE:      device  operator                         subgraph      MACs    share  name, reason
// TABLE-NEXT: CPU     float2fix                               0         0    0.00%  float2fix.4  boundary: real
// TABLE-NEXT: DPU     conv2d-fix                              1    73.7 k    8.02%  conv0
// TABLE-NEXT: CPU     conv2d-fix                              2     836 k   90.87%  conv1  kernel-width: kernel width is 17, expected 1 to 16;
// TABLE:      DPU: 4 operators in 2 subgraphs, 9.13% of the MACs
// TABLE-NEXT: CPU: 5 operators in 3 subgraphs, 90.87% of the MACs
// TABLE-NEXT: with the changes above: 100.00% of the MACs on the DPU
// TABLE-NEXT: between subgraphs: 6154 bytes

// KINDS:      DPU     conv2d-fix                              2    84.0 k    9.13%
// KINDS:      CPU     conv2d-fix                              1     836 k   90.87%  kernel-width: kernel width is 17, expected 1 to 16; fits with kernel width 17 -> 16, output fix point 3 -> 4
module {
  func.func @net(%arg0: tensor<1x16x16x8xf32>) -> (tensor<1x8x8x16xf32>, tensor<1x10xf32>) {
    %w = "tir.const"() {value = dense<1> : tensor<16x3x3x8xi8>} : () -> tensor<16x3x3x8xi8>
    %b = "tir.const"() {value = dense<1> : tensor<16xi8>} : () -> tensor<16xi8>
    %w2 = "tir.const"() {value = dense<1> : tensor<16x3x17x16xi8>} : () -> tensor<16x3x17x16xi8>
    %w3 = "tir.const"() {value = dense<1> : tensor<10x8x8x16xi8>} : () -> tensor<10x8x8x16xi8>
    %0 = "tir.float2fix"(%arg0) {fix_point = 4 : i32} : (tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xi8>
    %1 = "tir.conv2d-fix"(%0, %w, %b) {op_name = "conv0", kernel = [3 : i32, 3 : i32], stride = [2 : i32, 2 : i32], pad = [0 : i32, 1 : i32, 0 : i32, 1 : i32], nonlinear = "RELU", input_fix_point = 4 : i32, weight_fix_point = 7 : i32, bias_fix_point = 5 : i32, output_fix_point = 4 : i32} : (tensor<1x16x16x8xi8>, tensor<16x3x3x8xi8>, tensor<16xi8>) -> tensor<1x8x8x16xi8>
    %2 = "tir.conv2d-fix"(%1, %w2) {op_name = "conv1", kernel = [17 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad_mode = "SAME", nonlinear = "RELU6", input_fix_point = 4 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>, tensor<16x3x17x16xi8>) -> tensor<1x8x8x16xi8>
    %3 = "tir.eltwise-fix"(%1, %2) {op_name = "add", type = "ADD", input_fix_point = [4 : i32, 3 : i32], output_fix_point = 3 : i32, operandSegmentSizes = array<i32: 1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0>} : (tensor<1x8x8x16xi8>, tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
    %4 = "tir.conv2d-fix"(%3, %w3) {op_name = "fc", kernel = [8 : i32, 8 : i32], stride = [1 : i32, 1 : i32], input_fix_point = 3 : i32, weight_fix_point = 7 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x16xi8>, tensor<10x8x8x16xi8>) -> tensor<1x1x1x10xi8>
    %5 = "tir.reshape-fix"(%4) {shape = [1 : i32, 10 : i32], input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x1x1x10xi8>) -> tensor<1x10xi8>
    %6 = "tir.fix2float"(%5) {fix_point = 3 : i32} : (tensor<1x10xi8>) -> tensor<1x10xf32>
    %7 = "tir.softmax"(%6) : (tensor<1x10xf32>) -> tensor<1x10xf32>
    %8 = "tir.fix2float"(%3) {fix_point = 3 : i32} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xf32>
    return %8, %7 : tensor<1x8x8x16xf32>, tensor<1x10xf32>
  }
}
