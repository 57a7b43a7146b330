//===- Filter.h - convolutions with constant weights --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The filters of a function, which equalisation and sorting of channels share:
// which operators are filters and how their weights are read and replaced.
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FUNCTION_FILTER_H
#define XC_TRANSFORMS_QUANTIZE_FUNCTION_FILTER_H

#include "dialects/Adaptor.h"

/// Operands of a convolution.
enum { XC_FILTER_INPUT, XC_FILTER_WEIGHTS, XC_FILTER_BIAS };

/// Whether the operator is a float convolution of images.
bool xc_is_filter(xc_op_kind kind);
/// Returns the content of an operand, or null unless it is a constant of
/// floats. The caller frees it.
float *xc_filter_read(const xc_adaptor *op, size_t slot);
/// Puts a changed constant in the place of an operand. Returns false after a
/// diagnostic.
bool xc_filter_write(MlirOperation operation, size_t slot, const float *floats);

#endif // XC_TRANSFORMS_QUANTIZE_FUNCTION_FILTER_H
