//===- Kinds.h - kinds of operators -------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Properties of operators that decide where they are computed.
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FUNCTION_KINDS_H
#define XC_TRANSFORMS_QUANTIZE_FUNCTION_KINDS_H

#include "Function.h"

/// Whether an operator of this kind has a form in fixed point.
bool xc_convert_has_form(xc_op_kind kind);
/// Whether an operator only moves numbers.
bool xc_quantize_is_move(xc_op_kind kind);
/// Whether it is a sum, difference, product or comparison of two numbers at a
/// time, or one of them with its other sign.
bool xc_quantize_is_arithmetic(xc_op_kind kind);

/// Whether an operator multiplies channels by constants and adds some.
bool xc_float_is_scale(const xc_adaptor *op);
/// Whether it multiplies numbers by themselves.
bool xc_float_is_square(const xc_adaptor *op);
/// Whether it computes square roots, or one divided by them.
bool xc_float_is_root(const xc_adaptor *op);
/// Whether it computes sums or means.
bool xc_float_is_reduction(const xc_adaptor *op);
/// Reads the operator that computes a value of floats, if it is one of tir's.
bool xc_float_read_writer(const xc_quantize_value *value, xc_adaptor *op);

#endif // XC_TRANSFORMS_QUANTIZE_FUNCTION_KINDS_H
