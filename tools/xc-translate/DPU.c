//===- DPU.c - translations of DPU machine code ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "Support/Diag.h"
#include "Support/Text.h"
#include "Target/DPU/Reference.h"
#include "xc-c/DPUAssembly.h"

#include <stdlib.h>
#include <string.h>

static const XcDpuIsa *get_isa(XcDiag *diag,
                               const xc_translate_options *options) {
  if (!options->target)
    return xcDpuIsaGetAt(0);
  const XcDpuIsa *isa = xcDpuIsaGet(options->target);
  if (isa)
    return isa;
  xc_near_miss miss =
      xc_near_miss_begin(options->target, strcspn(options->target, "_"));
  for (size_t i = 0; xcDpuIsaGetAt(i); ++i)
    xc_near_miss_offer(&miss, xcDpuIsaGetAt(i)->name);
  const char *near = xc_near_miss_get(&miss);
  xc_file_error(diag, NULL, "no instruction set is known for target '%s'%s%s%s",
                options->target, near ? ", did you mean '" : "",
                near ? near : "", near ? "'?" : "");
  return NULL;
}

static void write_text(void *stream, const char *text, size_t length) {
  fwrite(text, 1, length, stream);
}

bool xc_translate_dpu_bin_to_asm(XcDiag *diag, const xc_translate_input *input,
                                 const xc_translate_options *options,
                                 FILE *output) {
  const XcDpuIsa *isa = get_isa(diag, options);
  return isa && xcDpuDisassemble(diag, isa, input->name, input->data,
                                 input->size, NULL, 0, write_text, output);
}

bool xc_translate_dpu_asm_to_bin(XcDiag *diag, const xc_translate_input *input,
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

bool xc_translate_dpu_isa_to_markdown(XcDiag *diag,
                                      const xc_translate_input *input,
                                      const xc_translate_options *options,
                                      FILE *output) {
  (void)input;
  const XcDpuIsa *isa = get_isa(diag, options);
  if (!isa)
    return false;
  xc_dpu_write_reference(isa, output);
  return true;
}
