//===- Fold.h - quantised operators from Q and DQ pairs -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_QDQ_FOLD_H
#define XC_QDQ_FOLD_H

#include "dialects/Build.h"

/// Rewrites dequantize-linear -> operator -> quantize-linear in a block:
///
///   * into a `-fix` operator where every scale is a power of two and every
///     zero point 0, which is exact, and no shift is beyond what one can have;
///   * into a `qlinear-*` operator of flavor ONNX where there is one;
///   * else leaves the float operator between its conversions.
///
/// Conversions with such scales that remain become float2fix and fix2float.
/// With `rounds_bias`, a constant bias in floating point is no obstacle to a
/// `-fix` operator: it has the integers of the sum that it is added to. Returns
/// false after a diagnostic.
bool xc_fold_qdq(MlirBlock block, bool rounds_bias);

/// Quantises to signed bytes what is quantised to unsigned ones, before
/// folding, where all scales of a block are powers of two: exactly with a zero
/// point of 128, with steps twice as large with one of 0. Counts the latter.
/// Returns false after a diagnostic.
bool xc_sign_qdq(MlirBlock block, size_t *num_halved);

/// Erases our operators without effects whose results are unused.
void xc_remove_dead(MlirBlock block);

#endif // XC_QDQ_FOLD_H
