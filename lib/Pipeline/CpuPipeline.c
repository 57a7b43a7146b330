//===- CpuPipeline.c - from mtir to the llvm dialect ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

#include <inttypes.h>

// Mathematical functions that math-to-llvm would write with fewer digits have
// become calls of the C library before.
static void expand(const xc_pass_run *run, xc_text *elements) {
  // The vector code comes first: it wants every buffer to be an allocation of
  // its own, and the plan to place its scratch memory.
  int64_t threads = xc_pass_int(run, "threads");
  // Functions of the user come before our patterns.
  const char *kernels = xc_pass_string(run, "kernels");
  if (*kernels)
    xc_text_printf(elements,
                   "convert-mtir-to-linalg{kernels=%s kernels-only=true},",
                   kernels);
  xc_text_printf(elements,
                 "convert-mtir-to-vector{mcpu=%s threads=%" PRId64 "},",
                 xc_pass_string(run, "mcpu"), threads);
  xc_text_puts(elements, "mtir-plan-memory{print=false},"
                         "convert-mtir-to-linalg,"
                         "cpu-bind-memory,"
                         "func.func(convert-linalg-to-loops),"
                         "canonicalize,cse,");
  if (threads > 1)
    xc_text_printf(elements,
                   "cpu-share-loops{threads=%" PRId64
                   "},cpu-outline-shares{threads=%" PRId64 "},",
                   threads, threads);
  xc_text_puts(elements, "convert-vector-to-scf,"
                         "expand-strided-metadata,lower-affine,");
  if (threads > 1)
    xc_text_printf(elements,
                   "convert-scf-to-openmp{num-threads=%" PRId64
                   "},canonicalize,cpu-join-regions,cpu-join-calls,",
                   threads);
  xc_text_puts(elements,
               "convert-scf-to-cf,"
               "convert-vector-to-llvm,"
               "convert-math-to-llvm,"
               "finalize-memref-to-llvm,"
               "convert-arith-to-llvm,"
               "convert-cf-to-llvm,"
               "convert-func-to-llvm{use-bare-ptr-memref-call-conv=1},"
               "convert-ub-to-llvm,");
  if (threads > 1)
    xc_text_puts(elements, "convert-openmp-to-llvm,");
  xc_text_puts(elements, "reconcile-unrealized-casts,"
                         "canonicalize,cse,"
                         "cpu-emit-entry-points");
}

static const xc_pass_option options[] = {
    {"mcpu", XC_PASS_OPTION_STRING, "native",
     "Processor that the vector code is for, by LLVM's name"},
    {"threads", XC_PASS_OPTION_THREADS, "1", "Threads that one call may use"},
    {"kernels", XC_PASS_OPTION_STRING, "",
     "A kernel library, whose functions the code calls by their names"},
};

const xc_pass_info xc_pass_xc_cpu_pipeline = {
    .argument = "xc-cpu-pipeline",
    .name = "XcCpuPipeline",
    .summary = "Lower mtir to the llvm dialect (a pipeline)",
    .description =
        "Stands for `convert-mtir-to-vector`, `mtir-plan-memory`, "
        "`convert-mtir-to-linalg`, `cpu-bind-memory`, the upstream passes from "
        "linalg and vector to the llvm dialect, and `cpu-emit-entry-points`. "
        "Expects `global-bufferize` and `convert-tir-to-mtir` to have run; "
        "`mtir-eliminate-copies` saves time.",
    .anchor = "builtin.module",
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .expand = expand,
};
