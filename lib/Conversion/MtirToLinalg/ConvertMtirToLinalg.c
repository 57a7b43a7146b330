//===- ConvertMtirToLinalg.c - every operator as loops --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/EntryNames.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "dialects/Adaptor.h"
#include "dialects/Emit.h"

#include <stdlib.h>

static MlirWalkResult collect(MlirOperation operation, void *user_data) {
  xc_op_list *work = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info ||
      !(info->dialect == XC_DIALECT_MTIR || info->kind == XC_MEMTX_COPY))
    return MlirWalkResultAdvance;
  xc_op_list_add(work, operation);
  return MlirWalkResultAdvance;
}

static bool lower_operation(xc_outliner *outliner, MlirOperation operation) {
  xc_lowering_function lower = xc_lowering_find(xc_op_info_of(operation)->kind);
  if (!lower)
    return xc_op_error(operation, "has no lowering for the CPU");
  return xc_kernel_lower(outliner, operation, lower);
}

static bool run(xc_pass_run *run) {
  // Calls of library functions come in here, under their own names.
  if (!xc_check_entry_names(run->root))
    return false;
  xc_op_list work = {0};
  mlirOperationWalk(run->root, collect, &work, MlirWalkPreOrder);
  xc_note_num_inputs(run->root);
  xc_outliner outliner = xc_outliner_begin(run->root);
  outliner.for_source = xc_pass_bool(run, "for-source");
  bool ok = true;
  for (size_t i = 0; i < work.count && ok; ++i)
    ok = lower_operation(&outliner, work.items[i]);
  xc_pass_count(run, "num-operators", (int64_t)work.count);
  xc_pass_count(run, "num-functions", (int64_t)outliner.functions.count);
  xc_outliner_end(&outliner);
  free(work.items);
  return ok;
}

static const xc_pass_statistic statistics[] = {
    {"num-operators", "Operators lowered"},
    {"num-functions", "Functions written for them"},
};

static const xc_pass_option options[] = {
    {"for-source", XC_PASS_OPTION_BOOL, "false",
     "Loops of scalars only, with names of operators and operands as "
     "attributes, for a back end that writes source code"},
};

const xc_pass_info xc_pass_convert_mtir_to_linalg = {
    .argument = "convert-mtir-to-linalg",
    .name = "ConvertMtirToLinalg",
    .summary = "Convert mtir operators to linalg and scf on buffers",
    .description =
        "Every operator, and every `memtx.copy`, becomes a call of a private "
        "function that computes it with `linalg.generic` and loops of `scf`, "
        "exactly as the reference interpreter does. Operators that differ in "
        "their buffers only share a function. Elements lose their sign: "
        "functions take `ui8` and `i1` buffers as `i8`. What fails at run time "
        "(an integer divided by zero, an index outside) is noted in a buffer "
        "`xc.status`. Functions must have names that can become different "
        "symbols of C, other than those of the functions that the code calls.",
    .anchor = "builtin.module",
    .builds_upstream = true,
    .options = options,
    .num_options = sizeof(options) / sizeof(*options),
    .statistics = statistics,
    .num_statistics = sizeof(statistics) / sizeof(*statistics),
    .run = run,
};
