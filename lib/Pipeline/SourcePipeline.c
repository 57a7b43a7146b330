//===- SourcePipeline.c - from mtir to loops that can be written as C -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

static void expand(const xc_pass_run *run, xc_text *elements) {
  (void)run;
  xc_text_puts(elements, "mtir-plan-memory{print=false},"
                         "convert-mtir-to-linalg{for-source=true},"
                         "func.func(convert-linalg-to-loops),"
                         "canonicalize,cse");
}

const xc_pass_info xc_pass_xc_source_pipeline = {
    .argument = "xc-source-pipeline",
    .name = "XcSourcePipeline",
    .summary = "Lower mtir to scalar loops of scf (a pipeline)",
    .description =
        "Stands for `mtir-plan-memory`, `convert-mtir-to-linalg` without "
        "vectors, and the upstream passes to loops: what the C back end "
        "writes. Expects `global-bufferize` and `convert-tir-to-mtir` to have "
        "run; `mtir-eliminate-copies` saves time.",
    .anchor = "builtin.module",
    .expand = expand,
};
