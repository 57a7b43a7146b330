//===- Compile.c - machine code of a function, in the fastest form --------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Padding between the inputs of concatenations (AlignChannels.h) lets images
// stay in the banks, but computes some words for nothing. Only finished
// schedules tell whether that pays, so a function is compiled with and without
// padding.
//
// Where several cores share the memory of a board, a schedule that moves fewer
// bytes lets the others wait less. There a function is compiled with a price of
// bytes as well, and what counts is the time with all cores at work.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "IR/Function.h"
#include "xc-c/DPUSim.h"

#include "mlir-c/Diagnostics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// A variant of lowering that is tried.
typedef struct lowering_form {
  bool aligns;        // channels of concatenations
  bool moves_repeats; // of pixels, which the convolution engine could compute
  XcDpuEffort effort;
  double byte_price; // cycles
} lowering_form;

static bool compile(XcDiag *diag, const XcDpuTarget *target, MlirOperation func,
                    const xc_dpu_schedule_options *options,
                    const lowering_form *form, xc_dpu_function *result) {
  *result = (xc_dpu_function){.gen = xcDpuCodeGenCreate(target)};
  if (!xcDpuCodeGenSupports(diag, target))
    return false;
  MlirStringRef name = xc_function_name(func);
  result->name = xc_arena_string(&result->arena, name.data, name.length);
  xc_lowering lowering = {.target = target,
                          .gen = result->gen,
                          .engines = options->engines,
                          .moves_repeats = form->moves_repeats};
  xcDpuCodeGenSetEngines(result->gen, options->engines);
  xcDpuCodeGenSetEffort(result->gen, form->effort);
  xcDpuCodeGenSetBytePrice(result->gen, form->byte_price);
  xcDpuCodeGenSetProgress(result->gen, &options->progress);
  xcDpuCodeGenSetPlacement(result->gen, xc_place_parameters, &lowering);
  const XcDpuMemoryPlacement memory = {(unsigned)target->workspaceRegister,
                                       xc_workspace_place, xc_workspace_address,
                                       &lowering};
  xcDpuCodeGenSetMemory(result->gen, &memory);
  bool ok = xc_lower_function(&lowering, func, form->aligns);
  result->has_repeats = lowering.has_repeats;
  if (ok) {
    xc_list_tensors(&lowering, func, result);
    result->operations = lowering.operations;
    result->program = xcDpuCodeGenFinish(result->gen, diag);
    result->search = xcDpuCodeGenGetSearch(result->gen);
    ok = result->program != NULL;
    if (ok) {
      xc_list_operators(&lowering, result);
      xc_list_buffers(&lowering, result);
    }
    result->workspace_bound = lowering.workspace_bound;
    memcpy(result->register_sizes, lowering.register_sizes,
           sizeof result->register_sizes);
  }
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    result->parameters[reg] = lowering.parameters[reg].bytes;
  xc_pointer_map_free(&lowering.allocations);
  for (size_t i = 0; i < lowering.num_allocations; ++i)
    free(lowering.list[i]->recipe);
  xc_arena_free(&lowering.arena);
  free(lowering.frame_parameters);
  xc_channel_kernels_free(&lowering);
  free(lowering.list);
  free(lowering.ops);
  return ok;
}

static MlirLogicalResult drop_diagnostic(MlirDiagnostic diagnostic,
                                         void *user_data) {
  (void)diagnostic;
  (void)user_data;
  return mlirLogicalResultSuccess();
}

/// Compiles in another form. Returns false if there is nothing of the kind, or
/// if the DPU cannot run the function in that form.
static bool compile_form(const XcDpuTarget *target, MlirOperation func,
                         const xc_dpu_schedule_options *options,
                         const lowering_form *form, xc_dpu_function *result) {
  XcDiag none = {0};
  MlirContext context = mlirOperationGetContext(func);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, drop_diagnostic, NULL, NULL);
  bool ok = compile(&none, target, func, options, form, result);
  mlirContextDetachDiagnosticHandler(context, handler);
  return ok;
}

/// Cycles of an image on a core that has the memory for itself, and on each
/// core while all of them are at work, or the same if there is one. Both have
/// the price of bytes that the user gives.
typedef struct function_times {
  double alone, together;
} function_times;

static function_times time_function(const xc_dpu_function *function,
                                    double byte_price) {
  XcDiag none = {0};
  XcDpuTimeline *timeline = xcDpuTimelineCreate(&none, function->program);
  assert(timeline && "finished code has no cycle of tokens");
  const XcDpuTime *total = xcDpuTimelineGetTotal(timeline);
  double together = xcDpuTimelineGetCoreCycles(timeline);
  double price = byte_price * (double)(total->loadBytes + total->saveBytes);
  function_times times = {
      total->cycles + price,
      (together > 0 ? together : total->cycles) + price,
  };
  xcDpuTimelineDestroy(timeline);
  return times;
}

/// The function in its best form so far.
typedef struct best_form {
  const XcDpuTarget *target;
  MlirOperation func;
  const xc_dpu_schedule_options *options;
  xc_dpu_function *result;
  function_times times;
} best_form;

/// Adds what another search has spent.
static void add_search(XcDpuSearchReport *search,
                       const XcDpuSearchReport *other) {
  search->effort =
      search->effort > other->effort ? search->effort : other->effort;
  search->priced += other->priced;
  search->kept += other->kept;
  search->budget += other->budget;
}

/// Takes the function in another form, if that is faster. Returns whether it
/// is.
static bool try_form(best_form *best, const lowering_form *form) {
  xc_dpu_function *result = best->result, other;
  function_times times = {0};
  bool ok = compile_form(best->target, best->func, best->options, form, &other);
  if (ok)
    times = time_function(&other, best->options->byte_price);
  bool is_faster = ok && times.together < best->times.together;
  if (is_faster) {
    xc_dpu_function before = *result;
    *result = other;
    other = before;
    best->times = times;
  }
  if (ok)
    add_search(&result->search, &other.search);
  xc_dpu_function_free(&other);
  return is_faster;
}

/// Tries prices of bytes. With the default effort, prices are tried only where
/// cores wait for each other, and as long as they help.
static void try_byte_prices(best_form *best, lowering_form form) {
  static const double prices[] = {1.0 / 64, 1.0 / 32};
  enum { PART = 100 };
  double alone = best->times.alone;
  bool tries_all = form.effort > XcDpuEffortDefault;
  bool goes_on = tries_all || best->times.together > alone + alone / PART;
  for (size_t i = 0; goes_on && i < sizeof prices / sizeof *prices; ++i) {
    form.byte_price = prices[i];
    goes_on = try_form(best, &form) || tries_all;
  }
}

/// Tries other forms than that of the result, with the default effort first:
/// more effort is not always faster.
static void try_forms(best_form *best, lowering_form form) {
  form.aligns = true;
  form.aligns = try_form(best, &form);
  if (best->result->has_repeats) {
    form.moves_repeats = true;
    form.moves_repeats = try_form(best, &form);
  }
  if (best->options->effort > form.effort) {
    form.effort = best->options->effort;
    try_form(best, &form);
  }
  if (!best->options->has_byte_price)
    try_byte_prices(best, form);
}

/// Whether a test wants padding wherever it can be.
static bool forces_alignment(XcDpuEngineChoice engines) {
  return engines == XcDpuEngineChoiceInStrips ||
         engines == XcDpuEngineChoiceInTiles;
}

bool xc_dpu_compile_function(XcDiag *diag, const XcDpuTarget *target,
                             MlirOperation func,
                             const xc_dpu_schedule_options *options,
                             xc_dpu_function *result) {
  lowering_form form = {.aligns = true,
                        .effort = options->effort < XcDpuEffortDefault
                                      ? options->effort
                                      : XcDpuEffortDefault,
                        .byte_price = options->byte_price};
  if (forces_alignment(options->engines)) {
    if (compile_form(target, func, options, &form, result))
      return true;
    xc_dpu_function_free(result);
  }
  form.aligns = false;
  if (!compile(diag, target, func, options, &form, result))
    return false;
  if (options->engines != XcDpuEngineChoiceFastest || options->effort == 0)
    return true;
  best_form best = {target, func, options, result,
                    time_function(result, options->byte_price)};
  try_forms(&best, form);
  return true;
}

void xc_dpu_function_free(xc_dpu_function *function) {
  xcDpuProgramDestroy(function->program);
  xcDpuCodeGenDestroy(function->gen);
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    free(function->parameters[reg]);
  xc_pointer_map_free(&function->value_map);
  xc_arena_free(&function->arena);
}
