//===- Columns.h - columns of a layer -----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_COLUMNS_H
#define XC_TARGET_DPU_CODEGEN_PLAN_COLUMNS_H

#include "Images.h"

/// Columns first..end-1 of an image.
typedef struct xc_columns {
  int32_t first, end;
} xc_columns;

static inline bool xc_has_columns(xc_columns columns) {
  return columns.first < columns.end;
}

/// Those of both, and what is between them; one of them may be empty.
static inline xc_columns xc_columns_join(xc_columns a, xc_columns b) {
  if (!xc_has_columns(a) || !xc_has_columns(b))
    return xc_has_columns(a) ? a : b;
  return (xc_columns){xc_minimum(a.first, b.first), xc_maximum(a.end, b.end)};
}

/// Returns the columns of an input that columns of the output read; none if
/// these see padding only.
xc_columns xc_columns_read(const XcDpuLayer *layer, size_t input,
                           xc_columns output);

/// Returns the columns that are computed for these: a scaled pixel is so as a
/// whole.
xc_columns xc_columns_computed(const XcDpuLayer *layer, xc_columns wanted);

/// Such columns of the output of a layer, from what they read.
XcDpuLayer xc_layer_columns(const XcDpuLayer *layer, xc_columns columns);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_COLUMNS_H
