//===- Loop.h - loops that may be parallel --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOVECTOR_LOOP_H
#define XC_CONVERSION_MTIRTOVECTOR_LOOP_H

#include "Conversion/Support/IRBuilder.h"

/// A loop from 0 to `size`: scf.parallel, scf.for, or, for one iteration, none.
typedef struct xc_counted {
  xc_ir_loop loop;
  MlirValue index;
  bool unrolled, parallel;
} xc_counted;

xc_counted xc_counted_begin(xc_ir *ir, int64_t size, bool parallel);
void xc_counted_end(xc_ir *ir, xc_counted *counted);

/// A loop that carries values; one iteration needs no loop.
typedef struct xc_carrying {
  xc_ir_loop loop;
  MlirValue index;
  bool unrolled;
} xc_carrying;

/// Replaces `values` by those of an iteration; xc_carrying_end by the results.
xc_carrying xc_carrying_begin(xc_ir *ir, int64_t size, MlirValue *values,
                              size_t count);
void xc_carrying_end(xc_ir *ir, xc_carrying *carrying, MlirValue *values,
                     size_t count);

#endif // XC_CONVERSION_MTIRTOVECTOR_LOOP_H
