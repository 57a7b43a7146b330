//===- Quant.h - the arithmetic of quantised operators ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers as in the reference kernels of TFLite: a real factor is a 32-bit
// multiplier with a shift; products are rounded twice, by the doubling high
// multiplication and by the shift. Fixed-point functions (exp, 1 / (1 + x))
// work on 32-bit numbers whose integer bits the comments give.
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_QUANT_H
#define XC_INTERPRETER_QUANT_H

#include "Kernel.h"

/// value / 2^31 * 2^shift.
typedef struct xc_multiplier {
  int32_t value;
  int shift;
} xc_multiplier;

xc_multiplier xc_multiplier_of(double real);
/// x * multiplier, rounded twice.
int32_t xc_multiply(int32_t x, xc_multiplier multiplier);
/// The same for 64-bit accumulators: a 16-bit multiplier, rounded once.
int32_t xc_multiply64(int64_t x, xc_multiplier multiplier);

/// x * 2^shift, wrapping as the reference's 32-bit arithmetic does.
int32_t xc_shift_wrapping(int32_t x, int shift);
int32_t xc_high_multiply(int32_t a, int32_t b);
/// x / 2^exponent, half away from zero.
int32_t xc_divide_by_power(int32_t x, int exponent);
/// x * 2^exponent, held at the limits of int32_t.
int32_t xc_multiply_by_power(int32_t x, int exponent);
int xc_leading_zeros(uint32_t x);

/// exp(a) for a <= 0: from 4 or 5 integer bits to none.
int32_t xc_exp_on_negative(int32_t a, int integer_bits);
/// 1 / (1 + a) and (1 - a) / (1 + a) for a in [0, 1]; no integer bits.
int32_t xc_one_over_one_plus(int32_t a);
int32_t xc_one_minus_over_one_plus(int32_t a);
/// Largest input difference of a function with `integer_bits` whose input is
/// shifted by `left_shift`.
int32_t xc_input_radius(int integer_bits, int left_shift);

/// Scale and zero point of a tensor.
typedef struct xc_quant {
  float scale;
  int32_t zero_point;
} xc_quant;

/// The attributes NAME_scale and NAME_zero_point.
xc_quant xc_call_quant(const xc_kernel_call *call, const char *name);
bool xc_quant_equal(xc_quant a, xc_quant b);
bool xc_call_is_tflite(const xc_kernel_call *call);

/// The integers that a result may take.
typedef struct xc_range {
  int64_t low, high;
} xc_range;

xc_range xc_element_range(xc_element element);
/// The range of an activation at the output's quantisation: the word is that
/// of `nonlinear`.
xc_range xc_activation_range(const char *word, xc_element element,
                             xc_quant output);
int64_t xc_clamp(int64_t value, xc_range range);

/// clamp(round_half_even(real) + zero_point).
int64_t xc_quantize_even(double real, int32_t zero_point, xc_range range);
/// An integer of one quantisation in another, by the call's flavor.
int64_t xc_requantize(const xc_kernel_call *call, int64_t value, xc_quant from,
                      xc_quant to, xc_range range);

#endif // XC_INTERPRETER_QUANT_H
