//===- NpyFuzz.c - fuzzes the reader of array files -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: an array in NumPy's format. It is refused with one error, or all its
// elements are within the input, also when they are brought into C's order.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "Support/Memory.h"
#include "Support/Npy.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  XcDiag diag = xc_fuzz_silent_diag();
  xc_npy npy;
  bool ok = xc_npy_parse(&diag, "input.npy", data, size, &npy);
  xc_fuzz_require(diag.numErrors == !ok);
  if (ok)
    xc_fuzz_require((size_t)(npy.data - data) <= size &&
                    npy.count * npy.type.size <=
                        size - (size_t)(npy.data - data));
  // The input may not be changed.
  xc_buffer copy = {xc_alloc(size + 1), size};
  if (size)
    memcpy(copy.data, data, size);
  xc_fuzz_require(xc_npy_parse_buffer(&diag, "input.npy", &copy, &npy) == ok);
  if (ok)
    xc_fuzz_require(!npy.fortran_order && npy.data >= copy.data);
  for (uint64_t i = 0; ok && npy.type.kind == 'f' && i < npy.count; ++i)
    xc_npy_real(npy.type, npy.data + i * npy.type.size);
  xc_buffer_free(&copy);
  return 0;
}
