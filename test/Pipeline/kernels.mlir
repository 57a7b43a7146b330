// A kernel library given to the pipelines: code calls its function by its name,
// source by a declaration that keeps it.
// REQUIRES: mlir
// DEFINE: %{nuc} = %xc_src/examples/kernels/nuc_fpga.json
// DEFINE: %{to_mtir} = global-bufferize,convert-tir-to-mtir,mtir-eliminate-copies

// RUN: xc-opt %s --pass-pipeline="builtin.module(%{to_mtir},xc-cpu-pipeline{mcpu=x86-64 kernels=%{nuc}})" | FileCheck %s --check-prefix=CPU
// CPU: xc.kernel_report = "nuc_fpga_conv2d conv2d-fix one\0A1 call of nuc_fpga_conv2d\0A"
// CPU: llvm.func @nuc_fpga_conv2d(i64, i64,
// CPU: llvm.func internal @xc.nuc_fpga_conv2d.0(
// CPU: llvm.call @nuc_fpga_conv2d(
// CPU: llvm.call @xc.nuc_fpga_conv2d.0(

// RUN: xc-opt %s --pass-pipeline="builtin.module(%{to_mtir},xc-source-pipeline{kernels=%{nuc}})" | FileCheck %s --check-prefix=SOURCE
// SOURCE: xc.kernel_report = "nuc_fpga_conv2d conv2d-fix one\0A1 call of nuc_fpga_conv2d\0A"
// SOURCE: func.func private @xc.nuc_fpga_conv2d.0(memref<1x2x2x1xi8>,
// SOURCE: call @xc.nuc_fpga_conv2d.0({{.*}}xc.function = "nuc_fpga_conv2d"

// RUN: not xc-opt %s --pass-pipeline="builtin.module(%{to_mtir},xc-cpu-pipeline{kernels=%t.none})" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not xc-opt %s --pass-pipeline="builtin.module(%{to_mtir},xc-source-pipeline{kernels=%t.none})" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: cannot open input file '{{.*}}.none'

// RUN: sed 's/dense<2>/dense_resource<__elided__>/' %s > %t.mlir
// RUN: not xc-opt %t.mlir --pass-pipeline="builtin.module(%{to_mtir},xc-source-pipeline{kernels=%{nuc}})" 2>&1 | FileCheck %s --check-prefix=ELIDED
// ELIDED: error: 'mtir.conv2d-fix' op has weights without contents

func.func @one(%x: tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi8> {
  %w = "tir.const"() {value = dense<2> : tensor<1x1x1x1xi8>} : () -> tensor<1x1x1x1xi8>
  %0 = "tir.conv2d-fix"(%x, %w) {kernel = [1 : i32, 1 : i32], stride = [1 : i32, 1 : i32], pad = [0 : i32, 0 : i32, 0 : i32, 0 : i32], input_fix_point = 0 : i32, weight_fix_point = 0 : i32, output_fix_point = 0 : i32, bias_fix_point = 0 : i32, op_name = "one"} : (tensor<1x2x2x1xi8>, tensor<1x1x1x1xi8>) -> tensor<1x2x2x1xi8>
  %1 = "tir.relu-fix"(%0) {input_fix_point = 0 : i32, output_fix_point = 0 : i32} : (tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi8>
  return %1 : tensor<1x2x2x1xi8>
}
