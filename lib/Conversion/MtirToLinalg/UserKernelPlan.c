//===- UserKernelPlan.c - which kernels compute a module ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserKernelPlan.h"

#include "Support/Names.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

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

static void report_line(xc_kernel_plan *plan, MlirOperation operation,
                        const char *function) {
  MlirStringRef name = layer_name(operation);
  xc_text_printf(&plan->report, "%-18s %-18s ", function,
                 xc_op_info_of(operation)->mnemonic);
  xc_text_printable(&plan->report, name.data, name.length, false);
}

static void report_reason(xc_kernel_plan *plan, MlirOperation operation,
                          const xc_kernel_reason *reason) {
  report_line(plan, operation, "(plain loops)");
  xc_text_printf(&plan->report, ": %s", xc_text_str(&reason->text));
  if (reason->change.length)
    xc_text_printf(&plan->report, "; fits with %s",
                   xc_text_str(&reason->change));
  xc_text_puts(&plan->report, "\n");
}

static void report_calls(xc_kernel_plan *plan, const xc_kernel_library *library,
                         const size_t *calls) {
  for (size_t i = 0; i < library->num_rows; ++i)
    if (calls[i] > 0)
      xc_text_printf(&plan->report, "%zu %s of %s\n", calls[i],
                     calls[i] == 1 ? "call" : "calls",
                     library->rows[i].function);
}

//===----------------------------------------------------------------------===//
// Relus
//===----------------------------------------------------------------------===//

// An operator writes where the relu after it would, which goes.
static void absorb_relu(xc_kernel_plan *plan, MlirOperation operation,
                        MlirOperation relu, const char *function) {
  report_line(plan, relu, function);
  xc_text_puts(&plan->report, ": part of the call before\n");
  MlirValue output = mlirOperationGetOperand(relu, 1);
  if (mlirValueIsAOpResult(output))
    mlirOperationMoveBefore(mlirOpResultGetOwner(output), operation);
  mlirOperationSetOperand(operation, mlirOperationGetNumOperands(operation) - 1,
                          output);
}

static void take_out(xc_op_list *list, const xc_pointer_map *gone) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; ++i)
    if (xc_pointer_map_has(gone, list->items[i].ptr))
      mlirOperationDestroy(list->items[i]);
    else
      list->items[kept++] = list->items[i];
  list->count = kept;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static bool choose(xc_kernel_plan *plan, const xc_kernel_library *library,
                   MlirOperation operation, xc_pointer_map *gone,
                   size_t *calls) {
  xc_kernel_reason reason;
  const xc_kernel_row *row = xc_kernel_find(library, operation, &reason);
  if (!row) {
    if (reason.predicate)
      report_reason(plan, operation, &reason);
    xc_kernel_reason_free(&reason);
    return true;
  }
  report_line(plan, operation, row->function);
  xc_text_puts(&plan->report, "\n");
  ++calls[row - library->rows];
  xc_kernel_use *use = xc_arena_alloc(&plan->arena, 1, sizeof(*use));
  *use = (xc_kernel_use){.row = row};
  xc_pointer_map_set(&plan->uses, operation.ptr, use);
  if (row->relu && row->is_float) {
    MlirOperation relu = xc_kernel_relu_of(operation);
    absorb_relu(plan, operation, relu, row->function);
    xc_pointer_map_set(gone, relu.ptr, use);
  }
  return xc_kernel_prepare(row, operation);
}

bool xc_kernel_plan_make(xc_kernel_plan *plan, const xc_kernel_library *library,
                         xc_op_list *operators) {
  xc_pointer_map gone = {0};
  size_t *calls =
      xc_arena_alloc(&plan->arena, library->num_rows, sizeof(*calls));
  memset(calls, 0, library->num_rows * sizeof(*calls));
  bool ok = true;
  for (size_t i = 0; ok && i < operators->count; ++i)
    if (!xc_pointer_map_has(&gone, operators->items[i].ptr))
      ok = choose(plan, library, operators->items[i], &gone, calls);
  report_calls(plan, library, calls);
  take_out(operators, &gone);
  xc_pointer_map_free(&gone);
  if (ok)
    xc_kernel_plan_layouts(plan, operators);
  return ok;
}

void xc_kernel_plan_free(xc_kernel_plan *plan) {
  xc_pointer_map_free(&plan->uses);
  xc_text_free(&plan->report);
  xc_arena_free(&plan->arena);
}
