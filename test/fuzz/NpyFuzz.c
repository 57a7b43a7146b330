//===- NpyFuzz.c - fuzzes the reader of array files -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: an array in NumPy's format. It is refused with one error, or all its
// elements are within the input.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Support/Npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  XcDiag diag = xc_fuzz_silent_diag();
  xc_npy npy;
  bool ok = xc_npy_parse(&diag, "input.npy", data, size, &npy);
  xc_fuzz_require(diag.numErrors == !ok);
  if (ok)
    xc_fuzz_require((size_t)(npy.data - data) <= size &&
                    npy.count * npy.type.size <=
                        size - (size_t)(npy.data - data));
  return 0;
}
