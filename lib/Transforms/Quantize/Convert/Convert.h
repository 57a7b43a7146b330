//===- Convert.h - from float operators to their -fix forms -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_CONVERT_CONVERT_H
#define XC_TRANSFORMS_QUANTIZE_CONVERT_CONVERT_H

#include "Transforms/Quantize/Function/Function.h"

/// Replaces operators by their -fix forms. Returns false after a diagnostic.
bool xc_quantize_convert(xc_quantizer *q);

#endif // XC_TRANSFORMS_QUANTIZE_CONVERT_CONVERT_H
