//===- ConvertMtirToLinalg.c - every operator as loops --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "UserKernelPlan.h"

#include "Conversion/Support/EntryNames.h"
#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Pass/Pass.h"
#include "Support/Names.h"
#include "dialects/Adaptor.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

static MlirWalkResult collect(MlirOperation operation, void *user_data) {
  xc_op_list *work = user_data;
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info ||
      !(info->dialect == XC_DIALECT_MTIR || info->kind == XC_MEMTX_COPY))
    return MlirWalkResultAdvance;
  xc_op_list_add(work, operation);
  return MlirWalkResultAdvance;
}

typedef struct conversion {
  xc_outliner outliner;
  xc_kernel_library *library; // or null
  xc_kernel_plan plan;        // of its kernels
} conversion;

// Sets the kernel of an operator, or none.
static void set_kernel(conversion *c, MlirOperation operation, xc_text *key) {
  const xc_kernel_use *use = xc_pointer_map_get(&c->plan.uses, operation.ptr);
  c->outliner.kernel = use;
  if (use)
    xc_text_printf(key, "%s %d %d", use->row->function, use->input_first,
                   use->output_first);
  c->outliner.kernel_key = xc_text_str(key);
  // Where it is linked, another run of the pass makes functions of operators.
  c->outliner.kernel_name =
      use && !c->outliner.for_source ? use->row->function : NULL;
}

static bool lower_operation(conversion *c, MlirOperation operation) {
  xc_lowering_function lower = xc_lowering_find(xc_op_info_of(operation)->kind);
  if (!lower)
    return xc_op_error(operation, "has no lowering for the CPU");
  xc_text key = {0};
  set_kernel(c, operation, &key);
  bool ok = xc_kernel_lower(&c->outliner, operation, lower);
  xc_text_free(&key);
  return ok;
}

static bool open_library(xc_pass_run *run, conversion *c) {
  const char *path = xc_pass_string(run, "kernels");
  XcDiag diag = xc_context_diag(&run->root);
  if (!*path)
    return true;
  c->library = xc_kernel_library_create(&diag, path);
  return c->library &&
         (c->outliner.for_source ||
          xc_kernel_library_check_linked(&diag, path, c->library));
}

// Adds the header that a back end for C includes, and the report.
static bool close_library(xc_pass_run *run, conversion *c) {
  if (!c->library)
    return true;
  if (c->library->header)
    xc_op_set_string(run->root, XC_NAME_KERNEL_HEADER, c->library->header);
  xc_op_set_string(run->root, XC_NAME_KERNEL_REPORT,
                   xc_text_str(&c->plan.report));
  return true;
}

static bool run(xc_pass_run *run) {
  // Calls of library functions come in here, under their own names.
  if (!xc_check_entry_names(run->root))
    return false;
  xc_op_list work = {0};
  mlirOperationWalk(run->root, collect, &work, MlirWalkPreOrder);
  xc_note_num_inputs(run->root);
  conversion c = {.outliner = xc_outliner_begin(run->root)};
  c.outliner.for_source = xc_pass_bool(run, "for-source");
  bool ok = open_library(run, &c);
  ok = ok && (!c.library || xc_kernel_plan_make(&c.plan, c.library, &work));
  bool kernels_only = xc_pass_bool(run, "kernels-only");
  for (size_t i = 0; i < work.count && ok; ++i)
    if (!kernels_only || xc_pointer_map_has(&c.plan.uses, work.items[i].ptr))
      ok = lower_operation(&c, work.items[i]);
  xc_pass_count(run, "num-operators", (int64_t)work.count);
  xc_pass_count(run, "num-functions", (int64_t)c.outliner.functions.count);
  ok = ok && close_library(run, &c);
  xc_outliner_end(&c.outliner);
  xc_kernel_library_destroy(c.library);
  xc_kernel_plan_free(&c.plan);
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
    {"kernels", XC_PASS_OPTION_STRING, "",
     "A kernel library: functions of the user that compute convolutions and "
     "products (docs/own-kernels.md); what they take, and why not the rest, "
     "becomes the attribute `xc.kernel_report` of the module"},
    {"kernels-only", XC_PASS_OPTION_BOOL, "false",
     "Leave operators that no function of the library computes as they are"},
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
