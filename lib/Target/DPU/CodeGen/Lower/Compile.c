//===- Compile.c - machine code of a function, aligned or not -------------===//
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
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "IR/Function.h"

#include "mlir-c/Diagnostics.h"

#include <stdlib.h>
#include <string.h>

/// A variant of lowering that is tried.
typedef struct lowering_form {
  bool aligns;        // channels of concatenations
  bool moves_repeats; // of pixels, which the convolution engine could compute
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

/// Replaces `result` by the function in another form, if that is faster.
/// Returns whether it is.
static bool try_form(const XcDpuTarget *target, MlirOperation func,
                     const xc_dpu_schedule_options *options,
                     const lowering_form *form, xc_dpu_function *result) {
  xc_dpu_function other;
  bool is_faster = compile_form(target, func, options, form, &other) &&
                   estimate_of(&other) < estimate_of(result);
  xc_dpu_function slower = is_faster ? *result : other;
  if (is_faster)
    *result = other;
  xc_dpu_function_free(&slower);
  return is_faster;
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
  lowering_form form = {.aligns = true};
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
  const lowering_form aligned = {.aligns = true};
  form.aligns = try_form(target, func, options, &aligned, result);
  if (result->has_repeats) {
    form.moves_repeats = true;
    try_form(target, func, options, &form, result);
  }
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
