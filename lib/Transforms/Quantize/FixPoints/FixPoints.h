//===- FixPoints.h - fix points from data -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FIXPOINTS_FIXPOINTS_H
#define XC_TRANSFORMS_QUANTIZE_FIXPOINTS_FIXPOINTS_H

#include "Interpreter/Kernel.h"
#include "Transforms/Quantize/Function/Function.h"

// Calibrate.c

/// Runs it again and sets `calibrated` of each value. A range that is far from
/// what was expected takes one more time.
bool xc_quantize_calibrate(xc_quantizer *q);
/// Returns the fix point of least squared error for constants.
int xc_quantize_search(const xc_tensor *values, XcRoundMode mode);

// Join.c

/// Leaves concatenations in floating point of which nothing but results comes
/// and that would cost an input several bits. Gives what only another one reads
/// the fix point of its result, where that is the coarser one.
void xc_quantize_join(xc_quantizer *q);

// ZeroPoint.c

/// Has the results of ReLUs use all integers, where all that reads them takes
/// the zero point into its bias; `calibrated` is the new fix point. Says
/// whether it has changed the function. Returns false after a diagnostic.
bool xc_quantize_move_zeros(xc_quantizer *q, bool *changed);

#endif // XC_TRANSFORMS_QUANTIZE_FIXPOINTS_FIXPOINTS_H
