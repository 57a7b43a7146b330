//===- BinaryGuard.c - files that are no MLIR -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models in other formats are binary. What the parser would say of them is
// about some bracket deep inside.
//
//===----------------------------------------------------------------------===//

#include "IRReader.h"

#include "Support/Diag.h"

#include <stdbool.h>
#include <string.h>

// Characters that text has no use for: every format of models begins with some.
static bool is_binary(const xc_source *input) {
  static const char spaces[] = {'\t', '\n', '\v', '\f', '\r'};
  enum { MOST = 256 };
  for (size_t i = 0; i < input->size && i < MOST; ++i)
    if (input->data[i] < ' ' && !memchr(spaces, input->data[i], sizeof(spaces)))
      return true;
  return false;
}

bool xc_check_text(XcDiag *diag, const xc_source *input) {
  return !is_binary(input) ||
         xc_file_error(diag, input->name,
                       "expected MLIR, got a binary file: models of other "
                       "formats are read by xcc, xc-run and xc-translate");
}
