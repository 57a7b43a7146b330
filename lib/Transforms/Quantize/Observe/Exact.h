//===- Exact.h - results of the float function that are kept ----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fitting weights asks what the float function's convolutions give on some of
// the samples, which calibration has run just before. Where they do not take
// too much memory they are kept.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_OBSERVE_EXACT_H
#define XC_TRANSFORMS_QUANTIZE_OBSERVE_EXACT_H

#include "Transforms/Quantize/Function/Function.h"

/// Chooses what is kept: nothing, or the convolutions' results on as many
/// samples, spread evenly, as fitting is likely to take.
void xc_exact_begin(xc_quantizer *q);
/// Keeps the result, if it is one of these.
void xc_exact_keep(const xc_quantizer *q, const xc_quantize_value *value,
                   size_t sample, const void *data);
/// Null where none is kept.
const float *xc_exact_find(const xc_quantizer *q,
                           const xc_quantize_value *value, size_t sample);
/// Multiplies the results of a value and adds a number.
void xc_exact_move(const xc_quantizer *q, const xc_quantize_value *value,
                   double factor, double amount);
void xc_exact_end(xc_quantizer *q);

#endif // XC_TRANSFORMS_QUANTIZE_OBSERVE_EXACT_H
