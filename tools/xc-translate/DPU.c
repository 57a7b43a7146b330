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

void xc_translate_write_text(void *stream, const char *text, size_t length) {
  fwrite(text, 1, length, stream);
}

// Returns the name of a target, or that of an instruction set by itself.
static const XcDpuIsa *get_isa(const xc_translate_job *job) {
  const char *name =
      job->options->target ? job->options->target : XC_DPU_DEFAULT_TARGET;
  const XcDpuIsa *isa = xcDpuIsaGet(name);
  if (isa)
    return isa;
  const XcDpuTarget *target = xcDpuTargetCreate(job->diag, name);
  if (!target)
    return NULL;
  isa = xcDpuIsaGet(target->isa);
  if (!isa)
    xc_file_error(job->diag, NULL,
                  "target '%s' has the instruction set '%s', of which there is "
                  "no table",
                  target->name, target->isa);
  xcDpuTargetDestroy(target);
  return isa;
}

static bool disassemble(const xc_translate_job *job, const XcDpuIsa *isa,
                        const xc_dpu_layers *layers) {
  const xc_source *input = job->input;
  XcDpuLabel *labels = xc_alloc_array(layers->count, sizeof(*labels));
  for (size_t i = 0; i < layers->count; ++i) {
    labels[i].instruction = (size_t)layers->rows[i].first;
    labels[i].text = layers->rows[i].name;
  }
  bool ok =
      xcDpuDisassemble(job->diag, isa,
                       &(XcDpuListing){input->name, input->data, input->size,
                                       labels, layers->count},
                       xc_translate_write_text, job->output);
  free(labels);
  return ok;
}

bool xc_translate_dpu_bin_to_asm(const xc_translate_job *job) {
  const XcDpuIsa *isa = get_isa(job);
  const char *path = job->options->layers;
  xc_dpu_layers layers = {0};
  if (!isa || (path && !xc_dpu_layers_read(job->diag, path, &layers)))
    return false;
  bool ok = disassemble(job, isa, &layers);
  xc_dpu_layers_free(&layers);
  return ok;
}

bool xc_translate_dpu_asm_to_bin(const xc_translate_job *job) {
  const xc_source *input = job->input;
  const XcDpuIsa *isa = get_isa(job);
  unsigned char *code;
  size_t size;
  if (!isa || !xcDpuAssemble(
                  job->diag, isa, (XcPlace){input->name, input->first_line, 1},
                  (const char *)input->data, input->size, &code, &size))
    return false;
  fwrite(code, 1, size, job->output);
  free(code);
  return true;
}

bool xc_translate_dpu_isa_to_markdown(const xc_translate_job *job) {
  const XcDpuIsa *isa = get_isa(job);
  if (isa)
    xc_dpu_write_reference(isa, job->output);
  return isa;
}

static bool verify(const xc_translate_job *job, const XcDpuTarget *target) {
  const xc_source *input = job->input;
  XcDpuProgram *program = xcDpuProgramCreate(job->diag, target, input->name,
                                             input->data, input->size);
  if (!program)
    return false;
  XcDpuVerifyOptions options;
  xcDpuVerifyOptionsInit(&options, target);
  bool ok = xcDpuVerify(job->diag, program, &options, NULL);
  if (ok)
    fprintf(job->output, "%zu instructions, no findings\n",
            xcDpuProgramGetNumInstructions(program));
  xcDpuProgramDestroy(program);
  return ok;
}

bool xc_translate_dpu_verify(const xc_translate_job *job) {
  if (!job->options->target)
    return xc_file_error(job->diag, NULL, "--dpu-verify needs --target");
  const XcDpuTarget *target =
      xcDpuTargetCreate(job->diag, job->options->target);
  bool ok = target && verify(job, target);
  xcDpuTargetDestroy(target);
  return ok;
}
