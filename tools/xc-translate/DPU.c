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
#include "xc-c/DPUIsa.h"

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
