//===- FloatActivation.h - activations on the CPU -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FLOATACTIVATION_H
#define XC_TRANSFORMS_QUANTIZE_FLOATACTIVATION_H

#include "Equalize.h"

/// The number that a constant consists of; false for other values.
bool xc_float_number(MlirValue value, double *number);

// FloatLimits.c

/// Finds how far the input of an activation counts, and cuts what the samples
/// say of it.
void xc_float_limit(xc_equalizer *e, const xc_float_activation *activation);
/// Gives these limits the factors of the channels.
void xc_float_scale_limits(xc_equalizer *e,
                           const xc_float_activation *activation);

#endif // XC_TRANSFORMS_QUANTIZE_FLOATACTIVATION_H
