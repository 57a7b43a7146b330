//===- ConvertMtirToLinalg.c - every operator as loops --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "UserKernel.h"

#include "Conversion/Support/EntryNames.h"
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
  xc_text report;             // what its functions compute, and what not
} conversion;

// Of joined names the first, so that a line stays readable.
static MlirStringRef layer_name(MlirOperation operation) {
  MlirAttribute name = xc_op_attribute(operation, "op_name");
  if (mlirAttributeIsNull(name))
    return xc_ref("(no name)");
  MlirStringRef text = mlirStringAttrGetValue(name);
  const char *end = memchr(text.data, ';', text.length);
  return mlirStringRefCreate(text.data,
                             end ? (size_t)(end - text.data) : text.length);
}

static void report_kernel(conversion *c, MlirOperation operation,
                          const xc_kernel_row *row, const char *reason) {
  MlirStringRef name = layer_name(operation);
  xc_text_printf(&c->report, "%-18s %-18s ",
                 row ? row->function : "(plain loops)",
                 xc_op_info_of(operation)->mnemonic);
  xc_text_printable(&c->report, name.data, name.length, false);
  xc_text_printf(&c->report, "%s%s\n", row ? "" : ": ", row ? "" : reason);
}

// Chooses a function of the library, which gets constants as it wants them.
static void choose_kernel(conversion *c, MlirOperation operation) {
  xc_text reason = {0};
  const xc_kernel_row *row =
      c->library ? xc_user_kernel_find(c->library, operation, &reason) : NULL;
  if (row || reason.length)
    report_kernel(c, operation, row, xc_text_str(&reason));
  xc_text_free(&reason);
  if (row)
    xc_user_kernel_prepare(row, operation);
  c->outliner.kernel = row;
  c->outliner.kernel_name = row ? row->function : NULL;
}

static bool lower_operation(conversion *c, MlirOperation operation) {
  xc_lowering_function lower = xc_lowering_find(xc_op_info_of(operation)->kind);
  if (!lower)
    return xc_op_error(operation, "has no lowering for the CPU");
  choose_kernel(c, operation);
  return xc_kernel_lower(&c->outliner, operation, lower);
}

static void report_at_module(void *user_data, XcSeverity severity,
                             XcPlace place, const char *message) {
  const MlirOperation *module = user_data;
  (void)severity;
  MlirLocation location = mlirOperationGetLocation(*module);
  if (place.file)
    location = mlirLocationFileLineColGet(mlirOperationGetContext(*module),
                                          xc_ref(place.file), place.line,
                                          place.column);
  xc_emit_error((MlirOperation){NULL}, location, message);
}

static bool open_library(xc_pass_run *run, conversion *c) {
  const char *path = xc_pass_string(run, "kernels");
  XcDiag diag = {.handler = report_at_module, .userData = &run->root};
  if (!*path)
    return true;
  c->library = xc_kernel_library_create(&diag, path);
  return c->library != NULL;
}

// What a back end for C includes, and the report.
static bool close_library(xc_pass_run *run, conversion *c) {
  if (!c->library)
    return true;
  if (c->library->header)
    xc_op_set_string(run->root, "xc.kernel_header", c->library->header);
  xc_op_set_string(run->root, "xc.kernel_report", xc_text_str(&c->report));
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
  for (size_t i = 0; i < work.count && ok; ++i)
    ok = lower_operation(&c, work.items[i]);
  xc_pass_count(run, "num-operators", (int64_t)work.count);
  xc_pass_count(run, "num-functions", (int64_t)c.outliner.functions.count);
  ok = ok && close_library(run, &c);
  xc_outliner_end(&c.outliner);
  xc_kernel_library_destroy(c.library);
  xc_text_free(&c.report);
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
