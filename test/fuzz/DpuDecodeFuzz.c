//===- DpuDecodeFuzz.c - fuzzes decoder, encoder and disassembler ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: machine code. Whatever the bytes are, disassembling and assembling
// gives them back, and every decoded instruction encodes to its own words.
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

static void check_instructions(const XcDpuIsa *isa, const uint8_t *data,
                               size_t num_words) {
  uint32_t again[XC_DPU_MAX_WORDS];
  for (size_t at = 0; at < num_words; ++at) {
    XcDpuInstruction insn;
    XcDpuResult result = xcDpuDecodeAt(isa, data, 4 * num_words, at, &insn);
    xc_fuzz_require(result.numWords >= 1 && result.numWords <= num_words - at);
    if (result.status == XcDpuStatusOk) {
      // A shift by 0 is written in two ways, as one to the left and one to the
      // right: what comes back is the same instruction. As text it is the same
      // bits, below.
      XcDpuInstruction same;
      XcDpuResult encoded = xcDpuEncode(isa, &insn, again);
      xc_fuzz_require(encoded.status == XcDpuStatusOk &&
                      encoded.numWords == result.numWords);
      xcDpuDecode(isa, again, encoded.numWords, &same);
      xc_fuzz_require(memcmp(&insn, &same, sizeof(insn)) == 0);
    }
  }
}

static void check_text(const XcDpuIsa *isa, const uint8_t *data, size_t size) {
  XcDiag diag = xc_fuzz_silent_diag();
  xc_text text = {0};
  bool ok = xcDpuDisassemble(
      &diag, isa, &(XcDpuListing){"input", data, size, NULL, 0}, append, &text);
  xc_fuzz_require(ok == (size % 4 == 0) && diag.numErrors == !ok);
  unsigned char *code;
  size_t assembled;
  if (ok) {
    ok = xcDpuAssemble(&diag, isa, (XcPlace){"text", 1, 1}, xc_text_str(&text),
                       text.length, &code, &assembled);
    xc_fuzz_require(ok && assembled == size && memcmp(code, data, size) == 0);
    free(code);
  }
  xc_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (size_t i = 0; xcDpuIsaGetAt(i); ++i) {
    check_instructions(xcDpuIsaGetAt(i), data, size / 4);
    check_text(xcDpuIsaGetAt(i), data, size);
  }
  return 0;
}
