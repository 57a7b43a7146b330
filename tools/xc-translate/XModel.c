//===- XModel.c - translations of xmodel files ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "xc-c/XModelCheck.h"
#include "xc-c/XModelDpu.h"

#include <stdlib.h>

static XcXModel *read_model(const xc_translate_job *job) {
  return xcXModelReadFromMemory(job->diag, job->input->name, job->input->data,
                                job->input->size);
}

void xc_translate_write_xmodel(const XcXModel *model, FILE *output) {
  size_t size;
  void *data = xcXModelWriteToMemory(model, &size);
  fwrite(data, 1, size, output);
  free(data);
}

static bool print_model(const xc_translate_job *job, XcXModelFormat format) {
  size_t length;
  XcXModel *model = read_model(job);
  char *text =
      model ? xcXModelToString(job->diag, model, format, &length) : NULL;
  if (text)
    fwrite(text, 1, length, job->output);
  bool ok = text;
  free(text);
  xcXModelDestroy(model);
  return ok;
}

bool xc_translate_xmodel_to_text(const xc_translate_job *job) {
  return print_model(job, XcXModelFormatText);
}

bool xc_translate_xmodel_to_dot(const xc_translate_job *job) {
  return print_model(job, XcXModelFormatDot);
}

bool xc_translate_xmodel_to_svg(const xc_translate_job *job) {
  return print_model(job, XcXModelFormatSvg);
}

bool xc_translate_xmodel_to_xmodel(const xc_translate_job *job) {
  XcXModel *model = read_model(job);
  if (model)
    xc_translate_write_xmodel(model, job->output);
  xcXModelDestroy(model);
  return model;
}

bool xc_translate_check_xmodel(const xc_translate_job *job) {
  XcXModel *model = read_model(job);
  bool ok = model && xcXModelCheck(job->diag, model);
  xcXModelDestroy(model);
  return ok;
}

bool xc_translate_board_rules_to_markdown(const xc_translate_job *job) {
  char *text = xcXModelRulesToMarkdown();
  fputs(text, job->output);
  free(text);
  return true;
}

static bool disassemble(const xc_translate_job *job, const XcXModelDpu *dpu) {
  return xcXModelDpuDisassemble(job->diag, dpu, xc_translate_write_text,
                                job->output);
}

static bool write_code(const xc_translate_job *job, const XcXModelDpu *dpu) {
  fwrite(dpu->code, 1, dpu->codeSize, job->output);
  return true;
}

static bool print_dpu(const xc_translate_job *job,
                      bool (*print)(const xc_translate_job *job,
                                    const XcXModelDpu *dpu)) {
  XcXModel *model = read_model(job);
  if (!model)
    return false;
  const XcXModelSubgraph *subgraph =
      xcXModelSelectDpuSubgraph(job->diag, model, job->options->subgraph);
  const XcXModelDpu *dpu =
      subgraph ? xcXModelDpuCreate(job->diag, model, subgraph) : NULL;
  bool ok = dpu && print(job, dpu);
  xcXModelDpuDestroy(dpu);
  xcXModelDestroy(model);
  return ok;
}

bool xc_translate_xmodel_to_dpu_bin(const xc_translate_job *job) {
  return print_dpu(job, write_code);
}

bool xc_translate_xmodel_to_dpu_asm(const xc_translate_job *job) {
  return print_dpu(job, disassemble);
}
