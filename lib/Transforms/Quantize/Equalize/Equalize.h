//===- Equalize.h - channels of equal range -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_EQUALIZE_EQUALIZE_H
#define XC_TRANSFORMS_QUANTIZE_EQUALIZE_EQUALIZE_H

#include "Transforms/Quantize/Function/Function.h"

// Equalize.c

/// Scales the channels between convolutions so that their ranges are alike;
/// what the function computes stays the same but for rounding. Says whether it
/// has changed any weights; the ranges of values are then those that the new
/// weights should give. Returns false after a diagnostic.
bool xc_quantize_equalize(xc_quantizer *q, bool *changed);

// FloatTies.c

/// Moves the factors of activations on the CPU so that no result of any integer
/// lies on half a step. Returns false after a diagnostic.
bool xc_quantize_avoid_ties(xc_quantizer *q);

#endif // XC_TRANSFORMS_QUANTIZE_EQUALIZE_EQUALIZE_H
