//===- QuantIR.h - quantised arithmetic as operations -------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lib/OpParams/Quant.h in IR, bit for bit: TFLite's multipliers on i32 and
// ONNX Runtime's float factors. Works on scalars and vectors.
//
//===----------------------------------------------------------------------===//

#ifndef XC_CONVERSION_SUPPORT_QUANTIR_H
#define XC_CONVERSION_SUPPORT_QUANTIR_H

#include "IRBuilder.h"

#include "OpParams/Quant.h"

/// xc_high_multiply, xc_divide_by_power, xc_multiply of i32 by constants.
MlirValue xc_ir_high_multiply(const xc_ir *ir, MlirValue a, MlirValue b);
MlirValue xc_ir_divide_by_power(const xc_ir *ir, MlirValue x, int exponent);
MlirValue xc_ir_multiply(const xc_ir *ir, MlirValue x, xc_multiplier by);
/// xc_multiply by a multiplier of the data: the value and its shifts to the
/// left and to the right, both at least 0, all i32.
MlirValue xc_ir_multiply_by(const xc_ir *ir, MlirValue x, MlirValue value,
                            MlirValue left, MlirValue right);
/// xc_divide_by_power with an exponent of the data, 0..31; larger gives 0.
MlirValue xc_ir_divide_by_power_of(const xc_ir *ir, MlirValue x,
                                   MlirValue exponent);
/// xc_multiply64 of an i64 by a constant, as an i32.
MlirValue xc_ir_multiply64(const xc_ir *ir, MlirValue x, xc_multiplier by);
/// The same with the reduced multiplier and its shift (1..62), both i64.
MlirValue xc_ir_multiply64_by(const xc_ir *ir, MlirValue x, MlirValue reduced,
                              MlirValue shift);
/// Leading zeros of an i32.
MlirValue xc_ir_leading_zeros(const xc_ir *ir, MlirValue x);

/// xc_exp_on_negative, xc_one_over_one_plus.
MlirValue xc_ir_exp_on_negative(const xc_ir *ir, MlirValue a, int integer_bits);
MlirValue xc_ir_one_over_one_plus(const xc_ir *ir, MlirValue a);

/// Returns an i64 clamped to a range.
MlirValue xc_ir_in_range(const xc_ir *ir, MlirValue value, xc_range range);
/// xc_quantize_even: an f64 or f32 in steps, as an i64.
MlirValue xc_ir_quantize_even(const xc_ir *ir, MlirValue real,
                              int32_t zero_point, xc_range range);
/// xc_requantize: an i64 of one quantisation in another.
MlirValue xc_ir_requantize(const xc_ir *ir, const xc_requant *quant,
                           MlirValue value);

#endif // XC_CONVERSION_SUPPORT_QUANTIR_H
