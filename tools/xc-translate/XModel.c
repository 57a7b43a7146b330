//===- XModel.c - translations of xmodel files ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "Support/Diag.h"
#include "Target/XModel/Print.h"
#include "xc-c/DPUAssembly.h"
#include "xc-c/XModelDpu.h"

#include <stdlib.h>

static XcXModel *read_model(XcDiag *diag, const xc_translate_input *input) {
  return xcXModelReadFromMemory(diag, input->name, input->data, input->size);
}

typedef bool (*model_printer)(XcDiag *diag, const XcXModel *model,
                              FILE *output);

static bool print_model(XcDiag *diag, const xc_translate_input *input,
                        FILE *output, model_printer print) {
  XcXModel *model = read_model(diag, input);
  bool ok = model && print(diag, model, output);
  xcXModelDestroy(model);
  return ok;
}

bool xc_translate_xmodel_to_text(XcDiag *diag, const xc_translate_input *input,
                                 const xc_translate_options *options,
                                 FILE *output) {
  (void)options;
  return print_model(diag, input, output, xc_xmodel_print);
}

bool xc_translate_xmodel_to_dot(XcDiag *diag, const xc_translate_input *input,
                                const xc_translate_options *options,
                                FILE *output) {
  (void)options;
  return print_model(diag, input, output, xc_xmodel_print_dot);
}

bool xc_translate_xmodel_to_svg(XcDiag *diag, const xc_translate_input *input,
                                const xc_translate_options *options,
                                FILE *output) {
  (void)options;
  return print_model(diag, input, output, xc_xmodel_print_svg);
}

static bool write_model(XcDiag *diag, const XcXModel *model, FILE *output) {
  (void)diag;
  size_t size;
  void *data = xcXModelWriteToMemory(model, &size);
  fwrite(data, 1, size, output);
  free(data);
  return true;
}

bool xc_translate_xmodel_to_xmodel(XcDiag *diag,
                                   const xc_translate_input *input,
                                   const xc_translate_options *options,
                                   FILE *output) {
  (void)options;
  return print_model(diag, input, output, write_model);
}

static void write_text(void *stream, const char *text, size_t length) {
  fwrite(text, 1, length, stream);
}

static bool disassemble(XcDiag *diag, const XcXModelDpu *dpu, FILE *output) {
  const XcDpuTarget *target = xcXModelDpuCreateTarget(diag, dpu);
  if (!target)
    return false;
  const XcDpuIsa *isa = xcDpuIsaGet(target->isa);
  bool ok = isa ? xc_xmodel_disassemble(diag, dpu, isa, write_text, output)
                : xc_file_error(diag, NULL,
                                "target '%s' has the instruction set '%s', of "
                                "which there is no table",
                                target->name, target->isa);
  xcDpuTargetDestroy(target);
  return ok;
}

static bool write_code(XcDiag *diag, const XcXModelDpu *dpu, FILE *output) {
  (void)diag;
  fwrite(dpu->code, 1, dpu->codeSize, output);
  return true;
}

typedef bool (*dpu_printer)(XcDiag *diag, const XcXModelDpu *dpu, FILE *output);

static bool print_dpu(XcDiag *diag, const xc_translate_input *input,
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

bool xc_translate_xmodel_to_dpu_bin(XcDiag *diag,
                                    const xc_translate_input *input,
                                    const xc_translate_options *options,
                                    FILE *output) {
  return print_dpu(diag, input, options, output, write_code);
}

bool xc_translate_xmodel_to_dpu_asm(XcDiag *diag,
                                    const xc_translate_input *input,
                                    const xc_translate_options *options,
                                    FILE *output) {
  return print_dpu(diag, input, options, output, disassemble);
}
