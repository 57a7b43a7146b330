//===- Reduce.h - dimensions that are reduced ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_REDUCE_H
#define XC_CONVERSION_MTIRTOLINALG_REDUCE_H

#include "Lowering.h"

/// Loops over the results. `add` takes one raw element in row-major order of
/// the dimensions of `axis`, `end` gives the raw result of a value.
typedef struct xc_reducer {
  MlirValue start;
  MlirValue (*add)(xc_lowering *l, MlirValue value, MlirValue raw,
                   const void *state);
  MlirValue (*end)(xc_lowering *l, MlirValue value, const void *state);
  const void *state;
} xc_reducer;

void xc_linalg_reduce(xc_lowering *l, const xc_reducer *reducer);

/// Returns the number of elements that one result sees.
int64_t xc_reduction_count(const xc_lowering *l);

/// Returns a sum of reals (f64), and the larger of two, where a NaN wins.
MlirValue xc_reduce_sum_real(xc_lowering *l, MlirValue value, MlirValue raw,
                             const void *state);
MlirValue xc_reduce_max_real(xc_lowering *l, MlirValue value, MlirValue raw,
                             const void *state);
/// Returns a sum of integers (i64), and the larger of two.
MlirValue xc_reduce_sum_int(xc_lowering *l, MlirValue value, MlirValue raw,
                            const void *state);
MlirValue xc_reduce_max_int(xc_lowering *l, MlirValue value, MlirValue raw,
                            const void *state);

#endif // XC_CONVERSION_MTIRTOLINALG_REDUCE_H
