//===- MtirDpu.c - translations of mtir to DPU machine code ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mlir.h"
#include "Translations.h"

#include "Target/DPU/CodeGen/Lower/XModelOutput.h"
#include "xc-c/XModelDpu.h"

#include <stdlib.h>

typedef struct compilation {
  const xc_translate_job *job;
  const XcDpuTarget *target;
  XcXModel *model; // or null
  size_t num_functions;
  bool (*write)(struct compilation *c, const xc_dpu_function *function);
} compilation;

static bool write_string(const compilation *c, char *text) {
  fputs(text, c->job->output);
  free(text);
  return true;
}

static bool write_asm(compilation *c, const xc_dpu_function *function) {
  fprintf(c->job->output, "# function %s, target %s\n", function->name,
          c->target->name);
  return xcDpuCodeGenPrint(function->gen, c->job->diag, xc_translate_write_text,
                           c->job->output);
}

static bool write_times(const compilation *c, const xc_dpu_function *function,
                        char *(*print)(const XcDpuTimeline *timeline)) {
  XcDpuTimeline *timeline =
      xcDpuTimelineCreate(c->job->diag, function->program);
  bool ok = timeline && write_string(c, print(timeline));
  xcDpuTimelineDestroy(timeline);
  return ok;
}

static bool write_table(compilation *c, const xc_dpu_function *function) {
  return write_times(c, function, xcDpuTimelineToTable);
}

static bool write_json(compilation *c, const xc_dpu_function *function) {
  return write_times(c, function, xcDpuTimelineToJson);
}

static bool write_schedule(compilation *c, const xc_dpu_function *function) {
  return write_string(c, xcDpuCodeGenScheduleToText(function->gen));
}

static bool write_schedule_json(compilation *c,
                                const xc_dpu_function *function) {
  return write_string(c, xcDpuCodeGenScheduleToJson(function->gen));
}

static bool add_subgraph(compilation *c, const xc_dpu_function *function) {
  const xc_dpu_xmodel_options options = {
      .prefix = c->num_functions ? function->name : NULL};
  xc_dpu_add_to_xmodel(c->model, c->target, function, &options);
  return true;
}

static bool compile_function(void *user_data, MlirOperation func) {
  compilation *c = user_data;
  xc_dpu_function function;
  const xc_dpu_schedule_options options = {
      .effort = (XcDpuEffort)c->job->options->effort,
      .has_byte_price = true,
      .byte_price = c->job->options->byte_price};
  bool ok = xc_dpu_compile_function(c->job->diag, c->target, func, &options,
                                    &function) &&
            c->write(c, &function);
  ++c->num_functions;
  xc_dpu_function_free(&function);
  return ok;
}

static bool compile_module(const xc_translate_job *job, MlirModule module,
                           void *data) {
  (void)job; // the compilation has it
  return xc_dpu_for_each_function(mlirModuleGetOperation(module),
                                  compile_function, data);
}

static bool compile(compilation *c) {
  const char *target = c->job->options->target;
  c->target =
      xcDpuTargetCreate(c->job->diag, target ? target : XC_DPU_DEFAULT_TARGET);
  bool ok = c->target && xc_translate_export(c->job, compile_module, c);
  xcDpuTargetDestroy(c->target);
  return ok;
}

bool xc_translate_mtir_to_dpu_asm(const xc_translate_job *job) {
  return compile(&(compilation){.job = job, .write = write_asm});
}

bool xc_translate_mtir_to_dpu_times(const xc_translate_job *job) {
  return compile(&(compilation){.job = job, .write = write_table});
}

bool xc_translate_mtir_to_dpu_json(const xc_translate_job *job) {
  return compile(&(compilation){.job = job, .write = write_json});
}

bool xc_translate_mtir_to_dpu_schedule(const xc_translate_job *job) {
  return compile(&(compilation){.job = job, .write = write_schedule});
}

bool xc_translate_mtir_to_dpu_schedule_json(const xc_translate_job *job) {
  return compile(&(compilation){.job = job, .write = write_schedule_json});
}

bool xc_translate_mtir_to_xmodel(const xc_translate_job *job) {
  compilation c = {.job = job, .write = add_subgraph};
  c.model = xcXModelCreate("model");
  xcXModelSetSource(c.model, "mtir", job->input->data, job->input->size);
  bool ok = compile(&c);
  xcXModelNameBorders(c.model);
  if (ok)
    xc_translate_write_xmodel(c.model, job->output);
  xcXModelDestroy(c.model);
  return ok;
}
