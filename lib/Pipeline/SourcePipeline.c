//===- SourcePipeline.c - from mtir to loops that can be written as C -----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

static void expand(const xc_pass_run *run, xc_text *elements) {
  const char *kernels = xc_pass_string(run, "kernels");
  xc_text_puts(elements, "convert-mtir-to-linalg{for-source=true");
  if (*kernels)
    xc_text_printf(elements, " kernels=%s", kernels);
  // After what allocates the scratch buffers of kernels.
  xc_text_puts(elements, "},mtir-plan-memory{print=false},"
                         "func.func(convert-linalg-to-loops),"
                         "canonicalize,cse");
}

static const xc_pass_option options[] = {
    {"kernels", XC_PASS_OPTION_STRING, "",
     "A kernel library, for convert-mtir-to-linalg"},
};

const xc_pass_info xc_pass_xc_source_pipeline = {
    .argument = "xc-source-pipeline",
    .name = "XcSourcePipeline",
    .summary = "Lower mtir to scalar loops of scf (a pipeline)",
    .description =
        "Stands for `convert-mtir-to-linalg` without vectors, "
        "`mtir-plan-memory`, and the upstream passes to loops: what the C back "
        "end "
        "writes. Expects `global-bufferize` and `convert-tir-to-mtir` to have "
        "run; `mtir-eliminate-copies` saves time.",
    .anchor = "builtin.module",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .expand = expand,
};
