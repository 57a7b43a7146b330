//===- DpuAsmFuzz.c - fuzzes the assembler --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: assembly text. It is refused with one error, or it assembles, and
// what the disassembler makes of the code assembles to the same bytes.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Support/Text.h"
#include "xc-c/DPUAssembly.h"

#include <stdlib.h>
#include <string.h>

static void append(void *text, const char *data, size_t length) {
  xc_text_append(text, data, length);
}

static void check(const XcDpuIsa *isa, const char *text, size_t length) {
  XcDiag diag = xc_fuzz_silent_diag();
  unsigned char *code, *again;
  size_t size, size_again;
  const XcPlace start = {"input", 1, 1};
  bool ok = xcDpuAssemble(&diag, isa, start, text, length, &code, &size);
  xc_fuzz_require(diag.numErrors == !ok);
  if (!ok)
    return;
  xc_text printed = {0};
  ok =
      xcDpuDisassemble(&diag, isa, &(XcDpuListing){"code", code, size, NULL, 0},
                       append, &printed) &&
      xcDpuAssemble(&diag, isa, start, xc_text_str(&printed), printed.length,
                    &again, &size_again);
  xc_fuzz_require(ok && size == size_again && memcmp(code, again, size) == 0);
  free(again);
  free(code);
  xc_text_free(&printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (size_t i = 0; xcDpuIsaGetAt(i); ++i)
    check(xcDpuIsaGetAt(i), (const char *)data, size);
  return 0;
}
