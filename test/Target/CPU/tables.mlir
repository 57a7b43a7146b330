// REQUIRES: mlir
// RUN: xc-translate --mtir-to-llvmir --mcpu=x86-64 %s | FileCheck %s
// RUN: xc-translate --mtir-to-c %s | FileCheck %s --check-prefix=SOURCE
// RUN: xc-translate --mtir-to-c --kernels=%xc_src/examples/kernels/nuc_fpga.json %s | FileCheck %s --check-prefix=KERNELS --implicit-check-not=table
// RUN: xc-translate --mtir-to-llvmir --mcpu=x86-64 --kernels=%xc_src/examples/kernels/nuc_fpga.json %s | FileCheck %s --check-prefix=KERNELS --implicit-check-not=xc.table

// What is a function of one byte is looked up. C has no tables for channels, for
// the sake of small memories.

// CHECK: define internal {{.*}}void @xc.table.0(
// CHECK: define internal {{.*}}void @xc.table.1(
// CHECK-NOT: fdiv
// SOURCE: static void {{.*}}table{{.*}}(
// SOURCE: static void {{.*}}sigmoid{{.*}}(
// The functions of the user are for operators, which a table would take.
// KERNELS-COUNT-3: sigmoid
func.func @scores(%x: tensor<1x16x16x2xi8>) -> (tensor<1x16x16x2xi8>, tensor<1x16x16x2xf32>) {
  %c = "tir.const"() {value = dense<[0.75, 1.5]> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "tir.fix2float"(%x) {fix_point = 2 : i32} : (tensor<1x16x16x2xi8>) -> tensor<1x16x16x2xf32>
  %1 = "tir.sigmoid"(%0) : (tensor<1x16x16x2xf32>) -> tensor<1x16x16x2xf32>
  %2 = "tir.float2fix"(%1) {fix_point = 7 : i32} : (tensor<1x16x16x2xf32>) -> tensor<1x16x16x2xi8>
  %3 = "tir.mul"(%0, %c) : (tensor<1x16x16x2xf32>, tensor<2xf32>) -> tensor<1x16x16x2xf32>
  %4 = "tir.sigmoid"(%3) : (tensor<1x16x16x2xf32>) -> tensor<1x16x16x2xf32>
  return %2, %4 : tensor<1x16x16x2xi8>, tensor<1x16x16x2xf32>
}
