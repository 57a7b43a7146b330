//===- CpuPipeline.c - from mtir to the llvm dialect ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

// Mathematical functions that math-to-llvm would write with fewer digits have
// become calls of the C library before.
static void expand(const xc_pass_run *run, xc_text *elements) {
  (void)run;
  xc_text_puts(elements,
               "convert-mtir-to-linalg,"
               "cpu-bind-memory,"
               "func.func(convert-linalg-to-loops),"
               "canonicalize,cse,"
               "convert-vector-to-scf,"
               "expand-strided-metadata,lower-affine,"
               "convert-scf-to-cf,"
               "convert-vector-to-llvm,"
               "convert-math-to-llvm,"
               "finalize-memref-to-llvm,"
               "convert-arith-to-llvm,"
               "convert-cf-to-llvm,"
               "convert-func-to-llvm{use-bare-ptr-memref-call-conv=1},"
               "convert-ub-to-llvm,"
               "reconcile-unrealized-casts,"
               "canonicalize,cse,"
               "cpu-emit-entry-points");
}

const xc_pass_info xc_pass_xc_cpu_pipeline = {
    .argument = "xc-cpu-pipeline",
    .name = "XcCpuPipeline",
    .summary = "Lower mtir to the llvm dialect (a pipeline)",
    .description =
        "Stands for `convert-mtir-to-linalg`, `cpu-bind-memory`, the upstream "
        "passes from linalg and vector to the llvm dialect, and "
        "`cpu-emit-entry-points`. Expects `global-bufferize`, "
        "`convert-tir-to-mtir` and `mtir-plan-memory` to have run; "
        "`mtir-eliminate-copies` saves time.",
    .anchor = "builtin.module",
    .expand = expand,
};
