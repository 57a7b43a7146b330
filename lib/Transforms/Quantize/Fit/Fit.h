//===- Fit.h - weights fitted to samples --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FIT_FIT_H
#define XC_TRANSFORMS_QUANTIZE_FIT_FIT_H

#include "Transforms/Quantize/Function/Function.h"

/// Chooses the weights of the converted function's convolutions anew, one after
/// the other: for each the integers whose results on the inputs that the layers
/// before it really give are closest to the float function's.
bool xc_quantize_fit(xc_quantizer *q);

#endif // XC_TRANSFORMS_QUANTIZE_FIT_FIT_H
