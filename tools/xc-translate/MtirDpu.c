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

#include <stdlib.h>

typedef struct compile_job {
  XcDiag *diag;
  const XcDpuTarget *target;
  FILE *output;
  XcXModel *model; // or null
  size_t num_functions;
  bool (*write)(struct compile_job *job, const xc_dpu_function *function);
} compile_job;

static void write_text(void *stream, const char *text, size_t length) {
  fwrite(text, 1, length, stream);
}

static bool write_asm(compile_job *job, const xc_dpu_function *function) {
  fprintf(job->output, "# function %s, target %s\n", function->name,
          job->target->name);
  return xcDpuCodeGenPrint(function->gen, job->diag, write_text, job->output);
}

static bool write_times(compile_job *job, const xc_dpu_function *function,
                        char *(*print)(const XcDpuTimeline *timeline)) {
  XcDpuTimeline *timeline = xcDpuTimelineCreate(job->diag, function->program);
  if (!timeline)
    return false;
  char *text = print(timeline);
  fputs(text, job->output);
  free(text);
  xcDpuTimelineDestroy(timeline);
  return true;
}

static bool write_table(compile_job *job, const xc_dpu_function *function) {
  return write_times(job, function, xcDpuTimelineToTable);
}

static bool write_json(compile_job *job, const xc_dpu_function *function) {
  return write_times(job, function, xcDpuTimelineToJson);
}

static bool write_string(compile_job *job, char *text) {
  fputs(text, job->output);
  free(text);
  return true;
}

static bool write_schedule(compile_job *job, const xc_dpu_function *function) {
  return write_string(job, xcDpuCodeGenScheduleToText(function->gen));
}

static bool write_schedule_json(compile_job *job,
                                const xc_dpu_function *function) {
  return write_string(job, xcDpuCodeGenScheduleToJson(function->gen));
}

static bool add_subgraph(compile_job *job, const xc_dpu_function *function) {
  xc_dpu_add_to_xmodel(job->model, job->target, function,
                       job->num_functions ? function->name : NULL);
  return true;
}

static bool compile_function(void *user_data, MlirOperation func) {
  compile_job *job = user_data;
  xc_dpu_function function;
  bool ok = xc_dpu_compile_function(job->diag, job->target, func, &function) &&
            job->write(job, &function);
  ++job->num_functions;
  xc_dpu_function_free(&function);
  return ok;
}

static bool compile_module(XcDiag *diag, MlirModule module, void *job) {
  (void)diag; // the job has it
  return xc_dpu_for_each_function(mlirModuleGetOperation(module),
                                  compile_function, job);
}

static bool translate(compile_job *job, const xc_source *input,
                      const xc_translate_options *options) {
  job->target = xcDpuTargetCreate(
      job->diag, options->target ? options->target : "DPUCZDX8G_ISA1_B4096");
  bool ok = job->target &&
            xc_translate_export(job->diag, input, options, compile_module, job);
  xcDpuTargetDestroy(job->target);
  return ok;
}

bool xc_translate_mtir_to_dpu_asm(XcDiag *diag, const xc_source *input,
                                  const xc_translate_options *options,
                                  FILE *output) {
  compile_job job = {.diag = diag, .output = output, .write = write_asm};
  return translate(&job, input, options);
}

bool xc_translate_mtir_to_dpu_times(XcDiag *diag, const xc_source *input,
                                    const xc_translate_options *options,
                                    FILE *output) {
  compile_job job = {.diag = diag, .output = output, .write = write_table};
  return translate(&job, input, options);
}

bool xc_translate_mtir_to_dpu_json(XcDiag *diag, const xc_source *input,
                                   const xc_translate_options *options,
                                   FILE *output) {
  compile_job job = {.diag = diag, .output = output, .write = write_json};
  return translate(&job, input, options);
}

bool xc_translate_mtir_to_dpu_schedule(XcDiag *diag, const xc_source *input,
                                       const xc_translate_options *options,
                                       FILE *output) {
  compile_job job = {.diag = diag, .output = output, .write = write_schedule};
  return translate(&job, input, options);
}

bool xc_translate_mtir_to_dpu_schedule_json(XcDiag *diag,
                                            const xc_source *input,
                                            const xc_translate_options *options,
                                            FILE *output) {
  compile_job job = {
      .diag = diag, .output = output, .write = write_schedule_json};
  return translate(&job, input, options);
}

bool xc_translate_mtir_to_xmodel(XcDiag *diag, const xc_source *input,
                                 const xc_translate_options *options,
                                 FILE *output) {
  compile_job job = {.diag = diag, .output = output, .write = add_subgraph};
  job.model = xcXModelCreate("model");
  bool ok = translate(&job, input, options);
  if (ok)
    xc_translate_write_xmodel(job.model, output);
  xcXModelDestroy(job.model);
  return ok;
}
