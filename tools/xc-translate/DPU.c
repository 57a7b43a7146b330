//===- DPU.c - translations of DPU machine code ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Target/DPU/Layers.h"
#include "Target/DPU/Reference.h"
#include "xc-c/DPUAssembly.h"
#include "xc-c/DPUSim.h"
#include "xc-c/DPUTarget.h"

#include <stdlib.h>

// The name of a target, or that of an instruction set by itself.
static const XcDpuIsa *get_isa(XcDiag *diag,
                               const xc_translate_options *options) {
  const char *name = options->target ? options->target : "DPUCZDX8G";
  const XcDpuIsa *isa = xcDpuIsaGet(name);
  if (isa)
    return isa;
  const XcDpuTarget *target = xcDpuTargetCreate(diag, name);
  if (!target)
    return NULL;
  isa = xcDpuIsaGet(target->isa);
  if (!isa)
    xc_file_error(diag, NULL,
                  "target '%s' has the instruction set '%s', of which there is "
                  "no table",
                  target->name, target->isa);
  xcDpuTargetDestroy(target);
  return isa;
}

static void write_text(void *stream, const char *text, size_t length) {
  fwrite(text, 1, length, stream);
}

static bool disassemble(XcDiag *diag, const XcDpuIsa *isa,
                        const xc_source *input, const xc_dpu_layers *layers,
                        FILE *output) {
  XcDpuLabel *labels = xc_alloc_array(layers->count, sizeof(*labels));
  for (size_t i = 0; i < layers->count; ++i) {
    labels[i].instruction = (size_t)layers->rows[i].first;
    labels[i].text = layers->rows[i].name;
  }
  bool ok = xcDpuDisassemble(diag, isa, input->name, input->data, input->size,
                             labels, layers->count, write_text, output);
  free(labels);
  return ok;
}

bool xc_translate_dpu_bin_to_asm(XcDiag *diag, const xc_source *input,
                                 const xc_translate_options *options,
                                 FILE *output) {
  const XcDpuIsa *isa = get_isa(diag, options);
  xc_dpu_layers layers = {0};
  if (!isa ||
      (options->layers && !xc_dpu_layers_read(diag, options->layers, &layers)))
    return false;
  bool ok = disassemble(diag, isa, input, &layers, output);
  xc_dpu_layers_free(&layers);
  return ok;
}

bool xc_translate_dpu_asm_to_bin(XcDiag *diag, const xc_source *input,
                                 const xc_translate_options *options,
                                 FILE *output) {
  const XcDpuIsa *isa = get_isa(diag, options);
  unsigned char *code;
  size_t size;
  if (!isa ||
      !xcDpuAssemble(diag, isa, (XcPlace){input->name, input->first_line, 1},
                     (const char *)input->data, input->size, &code, &size))
    return false;
  fwrite(code, 1, size, output);
  free(code);
  return true;
}

bool xc_translate_dpu_isa_to_markdown(XcDiag *diag, const xc_source *input,
                                      const xc_translate_options *options,
                                      FILE *output) {
  (void)input;
  const XcDpuIsa *isa = get_isa(diag, options);
  if (!isa)
    return false;
  xc_dpu_write_reference(isa, output);
  return true;
}

static bool verify(XcDiag *diag, const XcDpuTarget *target,
                   const xc_source *input, FILE *output) {
  XcDpuProgram *program =
      xcDpuProgramCreate(diag, target, input->name, input->data, input->size);
  if (!program)
    return false;
  XcDpuVerifyOptions options;
  xcDpuVerifyOptionsInit(&options, target);
  bool ok = xcDpuVerify(diag, program, &options, NULL);
  if (ok)
    fprintf(output, "%zu instructions, no findings\n",
            xcDpuProgramGetNumInstructions(program));
  xcDpuProgramDestroy(program);
  return ok;
}

bool xc_translate_dpu_verify(XcDiag *diag, const xc_source *input,
                             const xc_translate_options *options,
                             FILE *output) {
  if (!options->target)
    return xc_file_error(diag, NULL, "--dpu-verify needs --target");
  const XcDpuTarget *target = xcDpuTargetCreate(diag, options->target);
  if (!target)
    return false;
  bool ok = verify(diag, target, input, output);
  xcDpuTargetDestroy(target);
  return ok;
}
