//===- Softmax.h - a softmax that was written out -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_TOSATOTIR_SOFTMAX_H
#define XC_CONVERSION_TOSATOTIR_SOFTMAX_H

#include "Converter.h"

/// Returns the tir.softmax that the tosa.mul at hand ends, or null when it ends
/// none.
MlirValue xc_tosa_emit_softmax(xc_tosa_converter *c);

#endif // XC_CONVERSION_TOSATOTIR_SOFTMAX_H
