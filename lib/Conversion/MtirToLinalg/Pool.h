//===- Pool.h - windows that are reduced --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_POOL_H
#define XC_CONVERSION_MTIRTOLINALG_POOL_H

#include "Window.h"

/// The pool being written: what its windows count is known at compile time.
typedef struct xc_pool {
  xc_taps window;
  bool mean;        // of a float pool
  bool pad, beyond; // what an average counts besides the input
  MlirValue at[4];  // position of the output
} xc_pool;

/// A number that each window has, as a table that is read at pool->at, or as a
/// constant where all windows have the same.
typedef int64_t (*xc_pool_number)(const xc_pool *pool, int64_t y, int64_t x,
                                  const void *state);
MlirValue xc_pool_table(xc_lowering *l, const xc_pool *pool,
                        xc_pool_number number, const void *state);

/// Taps of window (y, x) that an average counts, along each axis; elements
/// inside the input.
int64_t xc_pool_rows(const xc_pool *pool, int64_t y);
int64_t xc_pool_columns(const xc_pool *pool, int64_t x);
int64_t xc_pool_hits(const xc_pool *pool, int64_t y, int64_t x);

/// Loops over the windows. `start` is what a window begins with, `add` takes
/// one raw element of the input, `end` stores the result.
typedef struct xc_pool_visitor_ir {
  MlirValue start;
  MlirValue (*add)(xc_lowering *l, MlirValue value, MlirValue raw,
                   const void *state);
  void (*end)(xc_lowering *l, const xc_pool *pool, MlirValue value,
              const void *state);
  const void *state;
} xc_pool_visitor_ir;

/// `average`: read the two count attributes.
void xc_linalg_pool(xc_lowering *l, bool average,
                    const xc_pool_visitor_ir *visitor);

/// A maximum or mean of f32 in vectors of channels; false when the buffers or
/// the channels do not allow it.
bool xc_linalg_pool_vector(xc_lowering *l, xc_pool *pool);

#endif // XC_CONVERSION_MTIRTOLINALG_POOL_H
