//===- Resize.h - resampling --------------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_MTIRTOLINALG_RESIZE_H
#define XC_CONVERSION_MTIRTOLINALG_RESIZE_H

#include "Lowering.h"

#include "OpParams/Resize.h"

/// The taps of one axis as tables: [outputs, taps].
typedef struct xc_resample_axis {
  int64_t taps;
  MlirValue source;  // i32
  MlirValue weight;  // f64
  MlirValue outside; // i8 per output; null: nothing is outside
} xc_resample_axis;

/// Axis 0 is W, 1 is H.
xc_resample_axis xc_resample_axis_create(xc_lowering *l, int which);

/// Returns the weighted sum of the values under the taps of position `at`.
MlirValue xc_resample_sum(xc_lowering *l, const xc_resample_axis *h,
                          const xc_resample_axis *w, const MlirValue *at,
                          MlirValue (*value)(xc_lowering *l,
                                             const MlirValue *from));

#endif // XC_CONVERSION_MTIRTOLINALG_RESIZE_H
