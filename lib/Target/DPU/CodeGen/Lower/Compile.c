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
  double byte_price;  // cycles
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
  xcDpuCodeGenSetEffort(result->gen, options->effort);
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

static int64_t estimate_of(const xc_dpu_function *function) {
  int64_t end = 0;
  for (size_t i = 0; i < xcDpuCodeGenGetNumRows(function->gen); ++i) {
    int64_t cycles = xcDpuCodeGenGetEstimate(function->gen, i);
    end = cycles > end ? cycles : end;
  }
  return end;
}

/// Replaces `result` by `other`, or frees that.
static void take(bool takes_other, xc_dpu_function *result,
                 xc_dpu_function *other) {
  xc_dpu_function dropped = takes_other ? *result : *other;
  if (takes_other)
    *result = *other;
  xc_dpu_function_free(&dropped);
}

/// Replaces `result` by the function in another form, if that is faster.
/// Returns whether it is.
static bool try_form(const XcDpuTarget *target, MlirOperation func,
                     const xc_dpu_schedule_options *options,
                     const lowering_form *form, xc_dpu_function *result) {
  xc_dpu_function other;
  bool is_faster = compile_form(target, func, options, form, &other) &&
                   estimate_of(&other) < estimate_of(result);
  take(is_faster, result, &other);
  return is_faster;
}

/// Cycles of an image on a core that has the memory for itself, and on each
/// core while all of them are at work, or the same if there is one.
typedef struct core_times {
  double alone, together;
} core_times;

static core_times time_cores(const xc_dpu_function *function) {
  XcDiag none = {0};
  XcDpuTimeline *timeline = xcDpuTimelineCreate(&none, function->program);
  assert(timeline && "finished code has no cycle of tokens");
  double together = xcDpuTimelineGetCoreCycles(timeline);
  core_times times = {.alone = xcDpuTimelineGetTotal(timeline)->cycles};
  times.together = together > 0 ? together : times.alone;
  xcDpuTimelineDestroy(timeline);
  return times;
}

/// Replaces `result` by the function with a price of bytes, if all cores
/// together are faster with it. With the default effort, prices are tried only
/// where cores wait for each other, and as long as they help.
static void try_byte_prices(const XcDpuTarget *target, MlirOperation func,
                            const xc_dpu_schedule_options *options,
                            lowering_form form, xc_dpu_function *result) {
  static const double prices[] = {1.0 / 64, 1.0 / 32};
  enum { PART = 100 };
  bool tries_all = options->effort > XcDpuEffortDefault;
  if (!tries_all && !xcDpuTargetSharesMemory(target))
    return;
  core_times now = time_cores(result);
  bool goes_on = tries_all || now.together > now.alone + now.alone / PART;
  for (size_t i = 0; goes_on && i < sizeof prices / sizeof *prices; ++i) {
    xc_dpu_function other;
    core_times times = {0};
    form.byte_price = prices[i];
    bool is_faster = compile_form(target, func, options, &form, &other);
    if (is_faster)
      times = time_cores(&other);
    is_faster = is_faster && times.together < now.together;
    if (is_faster)
      now = times;
    take(is_faster, result, &other);
    goes_on = tries_all || is_faster;
  }
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
  lowering_form form = {.aligns = true, .byte_price = options->byte_price};
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
  const lowering_form aligned = {.aligns = true,
                                 .byte_price = options->byte_price};
  form.aligns = try_form(target, func, options, &aligned, result);
  if (result->has_repeats) {
    form.moves_repeats = true;
    form.moves_repeats = try_form(target, func, options, &form, result);
  }
  if (!options->has_byte_price)
    try_byte_prices(target, func, options, form, result);
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
