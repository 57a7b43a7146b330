// A kernel library is a device: annotated, merged and partitioned in one pass,
// with the function of each operator or the reason why there is none.

// RUN: rm -rf %t && mkdir %t && cd %t
// DEFINE: %{nuc} = %xc_src/examples/kernels/nuc_fpga.json
// RUN: xc-opt --tir-partition="target=%{nuc} show=operators report=report.json save-placement=saved.json" %s -o parts.mlir 2> table.txt
// RUN: FileCheck %s --input-file=parts.mlir
// RUN: FileCheck %s --input-file=table.txt --check-prefix=TABLE
// RUN: FileCheck %s --input-file=report.json --check-prefix=JSON

// CHECK:      func.func private @main_nuc_fpga_0(%arg0: tensor<1x8x8x2xi8>) -> tensor<1x8x8x3xi8> attributes {device = "nuc_fpga"} {
// CHECK:        "tir.conv2d-fix"{{.*}}device = "USER"{{.*}}op_name = "one"{{.*}}xc.kernel = "nuc_fpga_conv2d"
// CHECK:        "tir.conv2d-fix"{{.*}}op_name = "two"
// CHECK:      func.func private @main_cpu_1({{.*}}attributes {device = "CPU"} {
// CHECK:        "tir.relu-fix"{{.*}}device = "CPU"{{.*}}xc.reason = "no-kernel: no function of 'nuc_fpga' computes relu-fix"
// CHECK:        "tir.conv2d-fix"{{.*}}op_name = "wide"{{.*}}xc.reason = "kernel_width: kernel_width is 9, expected 1 to 7; fits with kernel_width 9 -> 7"
// CHECK:      func.func @main(
// CHECK:        %[[X:.*]] = call @main_nuc_fpga_0(%arg0)
// CHECK-NEXT:   %[[Y:.*]] = call @main_cpu_1(%[[X]])

// TABLE:      device operator subgraph MACs share name, reason
// TABLE-NEXT: nuc_fpga  conv2d-fix {{.*}} one  by nuc_fpga_conv2d
// TABLE-NEXT: nuc_fpga  conv2d-fix {{.*}} two  by nuc_fpga_conv2d
// TABLE-NEXT: CPU relu-fix {{.*}} no-kernel: no function of 'nuc_fpga' computes relu-fix
// TABLE-NEXT: CPU conv2d-fix {{.*}} wide  kernel_width: kernel_width is 9, expected 1 to 7; fits with kernel_width 9 -> 7
// TABLE-NEXT: nuc_fpga: 2 operators in 1 subgraph, {{.*}} of the MACs
// TABLE-NEXT: CPU: 2 operators in 1 subgraph
// TABLE-NEXT: with the changes above: 100.00% of the MACs on the nuc_fpga

// JSON: "target": "nuc_fpga"
// JSON: "name": "one"
// JSON: "device": "nuc_fpga"
// JSON: "kernel": "nuc_fpga_conv2d"
// JSON: "predicate": "kernel_width"
// JSON: "fits_with": "kernel_width 9 -> 7"

// Kinds of operators, by function.
// RUN: xc-opt --tir-partition="target=%{nuc} show=kinds" %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=KINDS
// KINDS: nuc_fpga  conv2d-fix 2 {{.*}} by nuc_fpga_conv2d

// It can be told what to leave, and a saved placement says the same again.
// RUN: xc-opt --tir-partition="target=%{nuc} placement=saved.json" %s -o again.mlir
// RUN: diff parts.mlir again.mlir
// RUN: printf '{"rules": [{"name": "one", "device": "CPU"}]}' > rules.json
// RUN: xc-opt --tir-partition="target=%{nuc} placement=rules.json" %s | FileCheck %s --check-prefix=RULE
// RULE: op_name = "one"{{.*}}xc.reason = "placement-file:
// RUN: printf '{"rules": [{"name": "wide", "device": "nuc_fpga"}]}' > force.json
// RUN: not xc-opt --tir-partition="target=%{nuc} placement=force.json" %s 2>&1 | FileCheck %s --check-prefix=FORCE
// FORCE: 'wide' is to run on the nuc_fpga by {{.*}}, but cannot: kernel_width is 9, expected 1 to 7
// RUN: printf '{"rules": [{"name": "one", "device": "DPU"}]}' > word.json
// RUN: not xc-opt --tir-partition="target=%{nuc} placement=word.json" %s 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: 'device' is neither "CPU" nor "nuc_fpga"
// RUN: not xc-opt --tir-partition="target=%{nuc} require-offload=100" %s 2>&1 | FileCheck %s --check-prefix=REQUIRE
// REQUIRE: of the model's multiply-accumulates run on the nuc_fpga, required are 100%
// RUN: printf '{"name": "l", "kernels": []}' > none.json
// RUN: not xc-opt --tir-partition=target=none.json %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: none.json{{.*}}the library has no 'kernels'

// The functions of the parts are what code generation takes.
// RUN: xcc parts.mlir --emit=c -o c -n net --kernels=%{nuc} | FileCheck %s --check-prefix=CALLS
// CALLS: 2 calls of nuc_fpga_conv2d
// RUN: FileCheck %s --input-file=c/net.c --check-prefix=CODE
// CODE: static int32_t net_main_nuc_fpga_0(

func.func @main(%x: tensor<1x8x8x2xi8>) -> tensor<1x8x8x3xi8> {
  %w = "tir.const"() {value = dense<1> : tensor<3x3x3x2xi8>} : () -> tensor<3x3x3x2xi8>
  %v = "tir.const"() {value = dense<2> : tensor<3x1x1x3xi8>} : () -> tensor<3x1x1x3xi8>
  %u = "tir.const"() {value = dense<3> : tensor<3x1x9x3xi8>} : () -> tensor<3x1x9x3xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {kernel = [3 : i32, 3 : i32], stride = [1 : i32, 1 : i32], pad = [1 : i32, 1 : i32, 1 : i32, 1 : i32], input_fix_point = 4 : i32, weight_fix_point = 4 : i32, output_fix_point = 3 : i32, bias_fix_point = 0 : i32, op_name = "one"} : (tensor<1x8x8x2xi8>, tensor<3x3x3x2xi8>) -> tensor<1x8x8x3xi8>
  %1 = "tir.conv2d-fix"(%0, %v) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 4 : i32, output_fix_point = 3 : i32, bias_fix_point = 0 : i32, op_name = "two"} : (tensor<1x8x8x3xi8>, tensor<3x1x1x3xi8>) -> tensor<1x8x8x3xi8>
  %2 = "tir.relu-fix"(%1) {input_fix_point = 3 : i32, output_fix_point = 3 : i32} : (tensor<1x8x8x3xi8>) -> tensor<1x8x8x3xi8>
  %3 = "tir.conv2d-fix"(%2, %u) {kernel = [9 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [4 : i32, 4 : i32, 0 : i32, 0 : i32], input_fix_point = 3 : i32, weight_fix_point = 4 : i32, output_fix_point = 3 : i32, bias_fix_point = 0 : i32, op_name = "wide"} : (tensor<1x8x8x3xi8>, tensor<3x1x9x3xi8>) -> tensor<1x8x8x3xi8>
  return %3 : tensor<1x8x8x3xi8>
}
