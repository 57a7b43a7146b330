//===- QuantIR.c - quantised arithmetic as operations ---------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantIR.h"

#include "mlir-c/BuiltinTypes.h"

#include <assert.h>

static MlirValue like(const xc_ir *ir, MlirValue value, int64_t constant) {
  return xc_ir_int(ir, mlirValueGetType(value), constant);
}

static MlirValue to_i64(const xc_ir *ir, MlirValue value) {
  return xc_ir_int_cast(ir, value,
                        xc_ir_with_element(mlirValueGetType(value), ir->i64));
}

static MlirValue to_i32(const xc_ir *ir, MlirValue value) {
  return xc_ir_int_cast(ir, value,
                        xc_ir_with_element(mlirValueGetType(value), ir->i32));
}

static MlirValue as_number(const xc_ir *ir, MlirValue truth, MlirValue of) {
  return xc_ir_uint_cast(ir, truth, mlirValueGetType(of));
}

//===----------------------------------------------------------------------===//
// Multipliers
//===----------------------------------------------------------------------===//

// (product + nudge) / 2^31, towards zero, is a shift of what is rounded half
// away from zero. Two smallest numbers would give 2^31, which is held.
MlirValue xc_ir_high_multiply(const xc_ir *ir, MlirValue a, MlirValue b) {
  MlirValue product = xc_ir_mul(ir, to_i64(ir, a), to_i64(ir, b));
  MlirValue negative = xc_ir_comparei(ir, XC_IR_LT, product, 0);
  MlirValue nudge =
      xc_ir_select(ir, negative, like(ir, product, 1 - (INT64_C(1) << 30)),
                   like(ir, product, INT64_C(1) << 30));
  // Towards zero: a negative number gets what a shift would lose.
  MlirValue sum = xc_ir_add(ir, product, nudge);
  MlirValue below = xc_ir_comparei(ir, XC_IR_LT, sum, 0);
  MlirValue lost = xc_ir_select(
      ir, below, like(ir, sum, (INT64_C(1) << 31) - 1), like(ir, sum, 0));
  MlirValue high = xc_ir_shri(ir, xc_ir_add(ir, sum, lost), 31);
  return to_i32(ir, xc_ir_min(ir, high, like(ir, high, INT32_MAX)));
}

static MlirValue divide_by_mask(const xc_ir *ir, MlirValue x, MlirValue mask,
                                MlirValue exponent) {
  MlirValue rest = xc_ir_and(ir, x, mask);
  MlirValue negative = xc_ir_comparei(ir, XC_IR_LT, x, 0);
  MlirValue threshold =
      xc_ir_add(ir, xc_ir_shri(ir, mask, 1), as_number(ir, negative, x));
  MlirValue up = xc_ir_compare(ir, XC_IR_GT, rest, threshold);
  return xc_ir_add(ir, xc_ir_shr(ir, x, exponent), as_number(ir, up, x));
}

MlirValue xc_ir_divide_by_power(const xc_ir *ir, MlirValue x, int exponent) {
  if (exponent == 0)
    return x;
  if (exponent > 31)
    return like(ir, x, 0);
  return divide_by_mask(ir, x, like(ir, x, (INT64_C(1) << exponent) - 1),
                        like(ir, x, exponent));
}

MlirValue xc_ir_divide_by_power_of(const xc_ir *ir, MlirValue x,
                                   MlirValue exponent) {
  MlirValue large = xc_ir_comparei(ir, XC_IR_GT, exponent, 31);
  MlirValue safe = xc_ir_select(ir, large, like(ir, exponent, 31), exponent);
  // 2^31 - 1 too comes out right: the difference wraps.
  MlirValue mask = xc_ir_addi(ir, xc_ir_shl(ir, like(ir, x, 1), safe), -1);
  return xc_ir_select(ir, large, like(ir, x, 0),
                      divide_by_mask(ir, x, mask, safe));
}

static MlirValue multiply_once(const xc_ir *ir, MlirValue x, xc_multiplier by) {
  int shift = 31 - by.shift;
  MlirValue product = xc_ir_muli(ir, to_i64(ir, x), by.value);
  return to_i32(
      ir, xc_ir_shri(ir, xc_ir_addi(ir, product, INT64_C(1) << (shift - 1)),
                     shift));
}

MlirValue xc_ir_multiply(const xc_ir *ir, MlirValue x, xc_multiplier by) {
  if (by.once)
    return multiply_once(ir, x, by);
  int left = by.shift > 0 ? by.shift : 0, right = by.shift > 0 ? 0 : -by.shift;
  MlirValue shifted = xc_ir_shli(ir, x, left);
  return xc_ir_divide_by_power(
      ir, xc_ir_high_multiply(ir, shifted, like(ir, x, by.value)), right);
}

MlirValue xc_ir_multiply_by(const xc_ir *ir, MlirValue x, MlirValue value,
                            MlirValue left, MlirValue right) {
  MlirValue product = xc_ir_high_multiply(ir, xc_ir_shl(ir, x, left), value);
  return xc_ir_divide_by_power_of(ir, product, right);
}

MlirValue xc_ir_multiply64_by(const xc_ir *ir, MlirValue x, MlirValue reduced,
                              MlirValue shift) {
  // The reference takes 48 bits.
  const int64_t limit = INT64_C(1) << 47;
  MlirValue held = xc_ir_clampi(ir, x, -limit, limit - 1);
  MlirValue half = xc_ir_shl(ir, like(ir, x, 1), xc_ir_addi(ir, shift, -1));
  MlirValue sum = xc_ir_add(ir, xc_ir_mul(ir, held, reduced), half);
  return to_i32(ir, xc_ir_shr(ir, sum, shift));
}

MlirValue xc_ir_multiply64(const xc_ir *ir, MlirValue x, xc_multiplier by) {
  int64_t reduced =
      by.value < 0x7fff0000 ? (by.value + (1 << 15)) >> 16 : 0x7fff;
  int shift = 15 - by.shift;
  if (shift > 0)
    return xc_ir_multiply64_by(ir, x, like(ir, x, reduced), like(ir, x, shift));
  // 2^15 and more: the factor goes into the multiplication, which wraps.
  const int64_t limit = INT64_C(1) << 47;
  MlirValue held = xc_ir_clampi(ir, x, -limit, limit - 1);
  return to_i32(ir, xc_ir_shli(ir, xc_ir_muli(ir, held, reduced), -shift));
}

/// xc_multiply_by_power: saturated at i32.
static MlirValue multiply_by_power(const xc_ir *ir, MlirValue x, int exponent) {
  MlirValue wide = xc_ir_shli(ir, to_i64(ir, x), exponent);
  return to_i32(ir, xc_ir_clampi(ir, wide, INT32_MIN, INT32_MAX));
}

MlirValue xc_ir_leading_zeros(const xc_ir *ir, MlirValue x) {
  return xc_ir_math(ir, "math.ctlz", x);
}

//===----------------------------------------------------------------------===//
// Functions in fixed point
//===----------------------------------------------------------------------===//

static MlirValue times(const xc_ir *ir, MlirValue a, int32_t b) {
  return xc_ir_high_multiply(ir, a, like(ir, a, b));
}

// exp(a) for -1/4 <= a < 0: four terms of the series around -1/8.
static MlirValue exp_near_zero(const xc_ir *ir, MlirValue a) {
  const int32_t exp_of_minus_eighth = 1895147668, third = 715827883;
  MlirValue x = xc_ir_addi(ir, a, 1 << 28);
  MlirValue x2 = xc_ir_high_multiply(ir, x, x);
  MlirValue x3 = xc_ir_high_multiply(ir, x2, x);
  MlirValue x4 = xc_ir_high_multiply(ir, x2, x2);
  MlirValue sum = xc_ir_add(ir, xc_ir_divide_by_power(ir, x4, 2), x3);
  MlirValue rest =
      xc_ir_divide_by_power(ir, xc_ir_add(ir, times(ir, sum, third), x2), 1);
  return xc_ir_addi(ir, times(ir, xc_ir_add(ir, x, rest), exp_of_minus_eighth),
                    exp_of_minus_eighth);
}

MlirValue xc_ir_exp_on_negative(const xc_ir *ir, MlirValue a,
                                int integer_bits) {
  // exp(-2^k) for k = -2 to 4.
  static const int32_t powers[] = {1672461947, 1302514674, 790015084, 290630308,
                                   39332535,   720401,     242};
  int fraction = 31 - integer_bits;
  const int32_t quarter = 1 << (fraction - 2);
  MlirValue part =
      xc_ir_addi(ir, xc_ir_and(ir, a, like(ir, a, quarter - 1)), -quarter);
  MlirValue result =
      exp_near_zero(ir, multiply_by_power(ir, part, integer_bits));
  MlirValue rest = xc_ir_sub(ir, part, a);
  for (int k = 0; k < integer_bits + 2; ++k) {
    MlirValue bit =
        xc_ir_and(ir, rest, like(ir, rest, INT64_C(1) << (fraction - 2 + k)));
    result = xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_NE, bit, 0),
                          times(ir, result, powers[k]), result);
  }
  return xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_EQ, a, 0),
                      like(ir, a, INT32_MAX), result);
}

// 1 / d for d = (1 + a) / 2 by Newton's method, with 2 integer bits.
static MlirValue invert_half(const xc_ir *ir, MlirValue a) {
  const int32_t c48_over_17 = 1515870810, minus_32_over_17 = -1010580540;
  MlirValue sum = xc_ir_addi(ir, to_i64(ir, a), INT32_MAX);
  MlirValue below = xc_ir_comparei(ir, XC_IR_LT, sum, 0);
  MlirValue away = xc_ir_select(ir, below, like(ir, sum, -1), like(ir, sum, 1));
  MlirValue half =
      to_i32(ir, xc_ir_div(ir, xc_ir_add(ir, sum, away), like(ir, sum, 2)));
  MlirValue x = xc_ir_addi(ir, times(ir, half, minus_32_over_17), c48_over_17);
  for (int i = 0; i < 3; ++i) {
    MlirValue error =
        xc_ir_sub(ir, like(ir, x, 1 << 29), xc_ir_high_multiply(ir, half, x));
    x = xc_ir_add(ir, x,
                  multiply_by_power(ir, xc_ir_high_multiply(ir, x, error), 2));
  }
  return x;
}

MlirValue xc_ir_one_over_one_plus(const xc_ir *ir, MlirValue a) {
  return multiply_by_power(ir, invert_half(ir, a), 1);
}

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

MlirValue xc_ir_in_range(const xc_ir *ir, MlirValue value, xc_range range) {
  return xc_ir_clampi(ir, value, range.low, range.high);
}

MlirValue xc_ir_quantize_even(const xc_ir *ir, MlirValue real,
                              int32_t zero_point, xc_range range) {
  MlirType type = mlirValueGetType(real);
  // Far outside every type, but safe to convert; a NaN counts 0.
  const double limit = 0x1p40;
  MlirValue rounded = xc_ir_math(ir, "math.roundeven", real);
  MlirValue held = xc_ir_clamp(ir, rounded, xc_ir_float(ir, type, -limit),
                               xc_ir_float(ir, type, limit));
  held =
      xc_ir_select(ir, xc_ir_is_nan(ir, real), xc_ir_float(ir, type, 0), held);
  MlirValue whole = xc_ir_float_to_int(
      ir, held, xc_ir_with_element(mlirValueGetType(real), ir->i64));
  return xc_ir_in_range(ir, xc_ir_addi(ir, whole, zero_point), range);
}

MlirValue xc_ir_requantize(const xc_ir *ir, const xc_requant *quant,
                           MlirValue value) {
  xc_quant from = quant->in, to = quant->out;
  MlirValue centred = to_i32(ir, xc_ir_addi(ir, value, -from.zero_point));
  if (quant->tflite) {
    MlirValue scaled =
        to_i64(ir, xc_ir_multiply(ir, centred, quant->multiplier));
    return xc_ir_in_range(ir, xc_ir_addi(ir, scaled, to.zero_point),
                          quant->range);
  }
  MlirType type = xc_ir_with_element(mlirValueGetType(centred), ir->f32);
  MlirValue real = xc_ir_int_to_float(ir, centred, type);
  real = xc_ir_mul(ir, real, xc_ir_float(ir, type, (double)from.scale));
  real = xc_ir_div(ir, real, xc_ir_float(ir, type, (double)to.scale));
  return xc_ir_quantize_even(ir, real, to.zero_point, quant->range);
}
