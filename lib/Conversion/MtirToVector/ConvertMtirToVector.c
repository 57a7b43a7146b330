//===- ConvertMtirToVector.c - hot operators as vector code ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "Conversion/Support/Kernel.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Support/Memory.h"
#include "dialects/Adaptor.h"
#include "dialects/Emit.h"

#include <stdlib.h>

static bool is_hot(xc_op_kind kind) {
  switch (kind) {
  case XC_TIR_CONV2D:
  case XC_TIR_CONV2D_FIX:
  case XC_TIR_QLINEAR_CONV2D:
  case XC_TIR_DEPTHWISE_CONV2D:
  case XC_TIR_DEPTHWISE_CONV2D_FIX:
  case XC_TIR_QLINEAR_DEPTHWISE_CONV2D:
  case XC_TIR_TRANSPOSED_CONV2D:
  case XC_TIR_TRANSPOSED_CONV2D_FIX:
  case XC_TIR_QLINEAR_TRANSPOSED_CONV2D:
  case XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D:
  case XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX:
  case XC_TIR_MATMUL:
  case XC_TIR_MATMUL_FIX:
  case XC_TIR_QLINEAR_MATMUL:
  case XC_TIR_INNER_PRODUCT:
    return true;
  default:
    return false;
  }
}

static MlirWalkResult collect(MlirOperation operation, void *user_data) {
  xc_op_list *work = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info || info->dialect != XC_DIALECT_MTIR || !is_hot(info->kind))
    return MlirWalkResultAdvance;
  xc_op_list_add(work, operation);
  return MlirWalkResultAdvance;
}

static bool lower(xc_vec_target *target, MlirOperation operation) {
  xc_vec_fusion fusion = xc_vec_find_fusion(operation);
  if (!xc_vec_lower_conv(target, operation, &fusion))
    return false;
  for (int i = 0; i < fusion.epilogue.count; ++i)
    mlirOperationDestroy(fusion.fused[i]);
  mlirOperationDestroy(operation);
  return true;
}

static bool run(xc_pass_run *run) {
  xc_vec_target target = {.threads = (int)xc_pass_int(run, "threads")};
  if (!xc_machine_find(xc_pass_string(run, "mcpu"), &target.machine))
    return xc_option_error(run->root, run->info->argument, "mcpu",
                           "is empty, expected the name of a processor");
  xc_op_list work = {0};
  xc_note_num_inputs(run->root);
  mlirOperationWalk(run->root, collect, &work, MlirWalkPreOrder);
  target.outliner = xc_outliner_begin(run->root);
  for (size_t i = 0; i < work.count; ++i)
    if (lower(&target, work.items[i]))
      xc_pass_count(run, "num-operators", 1);
  xc_pass_count(run, "num-functions", (int64_t)target.outliner.functions.count);
  xc_outliner_end(&target.outliner);
  free(work.items);
  return true;
}

static const xc_pass_option options[] = {
    {"mcpu", XC_PASS_OPTION_STRING, "native",
     "Processor by LLVM's name; native is the one that runs the compiler"},
    {"threads", XC_PASS_OPTION_THREADS, "1",
     "Threads; with more than one, outer loops become scf.parallel"},
};
static const xc_pass_statistic statistics[] = {
    {"num-operators", "Operators converted"},
    {"num-functions", "Functions written for them"},
};

const xc_pass_info xc_pass_convert_mtir_to_vector = {
    .argument = "convert-mtir-to-vector",
    .name = "ConvertMtirToVector",
    .summary = "Convert the operators that take the time to vector code",
    .description =
        "Convolutions, matrix products and fully connected layers with "
        "constant weights become calls of private functions in `scf` and "
        "`vector`, with tiles of sums in registers and packed weights. "
        "A transposed convolution is a call for each phase of its strides. "
        "Integers use the dot products of the processor that `mcpu` names "
        "(`vpdpbusd`, `pmaddwd`, or plain ones) and give the same bits on all. "
        "A float convolution does an addition and an activation after it as "
        "well. Run it while every buffer is an allocation of its own, before "
        "`mtir-plan-memory`. Operators it has no code for stay as they are.",
    .anchor = "builtin.module",
    .builds_upstream = true,
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
