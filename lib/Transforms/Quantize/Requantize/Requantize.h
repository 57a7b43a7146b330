//===- Requantize.h - quantised models in floating point ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_REQUANTIZE_REQUANTIZE_H
#define XC_TRANSFORMS_QUANTIZE_REQUANTIZE_REQUANTIZE_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// Turns qlinear-* operators into float ones whose constants are dequantised;
/// the boundary keeps its types. Sets `changed`. Returns false after a
/// diagnostic.
bool xc_quantize_to_float(MlirOperation function, bool *changed);

#endif // XC_TRANSFORMS_QUANTIZE_REQUANTIZE_REQUANTIZE_H
