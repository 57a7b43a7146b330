//===- Fuzz.h - what the fuzz targets share -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fuzz target is one LLVMFuzzerTestOneInput. With -DXC_ENABLE_FUZZ=ON (clang)
// it is linked with libFuzzer; otherwise Replay.c runs it on the files of its
// seed corpus, so that every build checks them.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TEST_FUZZ_H
#define XC_TEST_FUZZ_H

#include "Support/Diag.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Counts errors and prints nothing.
static inline XcDiag xc_fuzz_silent_diag(void) {
  return (XcDiag){xc_ignore_error, NULL, 0};
}

/// Stops the run: the input is a finding.
#define xc_fuzz_require(condition)                                             \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);  \
      abort();                                                                 \
    }                                                                          \
  } while (0)

#endif // XC_TEST_FUZZ_H
