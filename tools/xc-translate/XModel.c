//===- XModel.c - translations of xmodel files ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "xc-c/XModelDpu.h"

#include <stdlib.h>

static XcXModel *read_model(XcDiag *diag, const xc_source *input) {
  return xcXModelReadFromMemory(diag, input->name, input->data, input->size);
}

void xc_translate_write_xmodel(const XcXModel *model, FILE *output) {
  size_t size;
  void *data = xcXModelWriteToMemory(model, &size);
  fwrite(data, 1, size, output);
  free(data);
}

static bool print_model(XcDiag *diag, const xc_source *input,
                        XcXModelFormat format, FILE *output) {
  size_t length;
  XcXModel *model = read_model(diag, input);
  char *text = model ? xcXModelToString(diag, model, format, &length) : NULL;
  if (text)
    fwrite(text, 1, length, output);
  bool ok = text;
  free(text);
  xcXModelDestroy(model);
  return ok;
}

bool xc_translate_xmodel_to_text(XcDiag *diag, const xc_source *input,
                                 const xc_translate_options *options,
                                 FILE *output) {
  (void)options;
  return print_model(diag, input, XcXModelFormatText, output);
}

bool xc_translate_xmodel_to_dot(XcDiag *diag, const xc_source *input,
                                const xc_translate_options *options,
                                FILE *output) {
  (void)options;
  return print_model(diag, input, XcXModelFormatDot, output);
}

bool xc_translate_xmodel_to_svg(XcDiag *diag, const xc_source *input,
                                const xc_translate_options *options,
                                FILE *output) {
  (void)options;
  return print_model(diag, input, XcXModelFormatSvg, output);
}

bool xc_translate_xmodel_to_xmodel(XcDiag *diag, const xc_source *input,
                                   const xc_translate_options *options,
                                   FILE *output) {
  (void)options;
  XcXModel *model = read_model(diag, input);
  if (!model)
    return false;
  xc_translate_write_xmodel(model, output);
  xcXModelDestroy(model);
  return true;
}

static void write_text(void *stream, const char *text, size_t length) {
  fwrite(text, 1, length, stream);
}

static bool disassemble(XcDiag *diag, const XcXModelDpu *dpu, FILE *output) {
  return xcXModelDpuDisassemble(diag, dpu, write_text, output);
}

static bool write_code(XcDiag *diag, const XcXModelDpu *dpu, FILE *output) {
  (void)diag;
  fwrite(dpu->code, 1, dpu->codeSize, output);
  return true;
}

typedef bool (*dpu_printer)(XcDiag *diag, const XcXModelDpu *dpu, FILE *output);

static bool print_dpu(XcDiag *diag, const xc_source *input,
                      const xc_translate_options *options, FILE *output,
                      dpu_printer print) {
  XcXModel *model = read_model(diag, input);
  if (!model)
    return false;
  const XcXModelSubgraph *subgraph =
      xcXModelSelectDpuSubgraph(diag, model, options->subgraph);
  const XcXModelDpu *dpu =
      subgraph ? xcXModelDpuCreate(diag, model, subgraph) : NULL;
  bool ok = dpu && print(diag, dpu, output);
  xcXModelDpuDestroy(dpu);
  xcXModelDestroy(model);
  return ok;
}

bool xc_translate_xmodel_to_dpu_bin(XcDiag *diag, const xc_source *input,
                                    const xc_translate_options *options,
                                    FILE *output) {
  return print_dpu(diag, input, options, output, write_code);
}

bool xc_translate_xmodel_to_dpu_asm(XcDiag *diag, const xc_source *input,
                                    const xc_translate_options *options,
                                    FILE *output) {
  return print_dpu(diag, input, options, output, disassemble);
}
