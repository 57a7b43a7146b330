//===- Quant.c - the arithmetic of quantised operators --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Multipliers
//===----------------------------------------------------------------------===//

xc_multiplier xc_multiplier_of(double real) {
  xc_multiplier result = {0, 0};
  if (real == 0)
    return result;
  if (!(real < 0x1p30))
    return (xc_multiplier){INT32_MAX, 30};
  double mantissa = frexp(real, &result.shift);
  int64_t value = llround(mantissa * (double)(INT64_C(1) << 31));
  if (value == INT64_C(1) << 31) {
    value /= 2;
    ++result.shift;
  }
  if (result.shift < -31)
    return (xc_multiplier){0, 0};
  if (result.shift > 30)
    return (xc_multiplier){INT32_MAX, 30};
  result.value = (int32_t)value;
  return result;
}

int32_t xc_high_multiply(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN)
    return INT32_MAX;
  int64_t product = (int64_t)a * b;
  int64_t nudge = product >= 0 ? INT64_C(1) << 30 : 1 - (INT64_C(1) << 30);
  return (int32_t)((product + nudge) / (INT64_C(1) << 31));
}

int32_t xc_divide_by_power(int32_t x, int exponent) {
  if (exponent > 31)
    return 0;
  int32_t mask = (int32_t)((INT64_C(1) << exponent) - 1);
  int32_t rest = x & mask;
  int32_t threshold = (mask >> 1) + (x < 0);
  return (x >> exponent) + (rest > threshold);
}

int32_t xc_shift_wrapping(int32_t x, int shift) {
  return (int32_t)((uint32_t)x << shift);
}

int32_t xc_multiply(int32_t x, xc_multiplier multiplier) {
  int left = multiplier.shift > 0 ? multiplier.shift : 0;
  int right = multiplier.shift > 0 ? 0 : -multiplier.shift;
  return xc_divide_by_power(
      xc_high_multiply(xc_shift_wrapping(x, left), multiplier.value), right);
}

int32_t xc_multiply64(int64_t x, xc_multiplier multiplier) {
  // The reference takes 48 bits.
  const int64_t limit = INT64_C(1) << 47;
  x = x < -limit ? -limit : x >= limit ? limit - 1 : x;
  int64_t reduced = multiplier.value < 0x7fff0000
                        ? (multiplier.value + (1 << 15)) >> 16
                        : 0x7fff;
  int shift = 15 - multiplier.shift;
  if (shift <= 0)
    return (int32_t)xcShiftLeftSaturated(x * reduced, -shift);
  return (int32_t)((x * reduced + (INT64_C(1) << (shift - 1))) >> shift);
}

int32_t xc_multiply_by_power(int32_t x, int exponent) {
  int64_t wide = xcShiftLeftSaturated(x, exponent);
  return wide > INT32_MAX   ? INT32_MAX
         : wide < INT32_MIN ? INT32_MIN
                            : (int32_t)wide;
}

int xc_leading_zeros(uint32_t x) {
  int count = 0;
  while (count < 32 && !(x >> (31 - count) & 1))
    ++count;
  return count;
}

//===----------------------------------------------------------------------===//
// Functions in fixed point
//===----------------------------------------------------------------------===//

// exp(a) for -1/4 <= a < 0: four terms of the series around -1/8.
static int32_t exp_near_zero(int32_t a) {
  const int32_t exp_of_minus_eighth = 1895147668, third = 715827883;
  int32_t x = a + (1 << 28);
  int32_t x2 = xc_high_multiply(x, x);
  int32_t x3 = xc_high_multiply(x2, x);
  int32_t x4 = xc_high_multiply(x2, x2);
  int32_t x4_over_4 = xc_divide_by_power(x4, 2);
  int32_t rest =
      xc_divide_by_power(xc_high_multiply(x4_over_4 + x3, third) + x2, 1);
  return exp_of_minus_eighth + xc_high_multiply(exp_of_minus_eighth, x + rest);
}

int32_t xc_exp_on_negative(int32_t a, int integer_bits) {
  // exp(-2^k) for k = -2 to 4.
  static const int32_t powers[] = {1672461947, 1302514674, 790015084, 290630308,
                                   39332535,   720401,     242};
  int fraction = 31 - integer_bits;
  const int32_t quarter = 1 << (fraction - 2);
  if (a == 0)
    return INT32_MAX;
  int32_t part = (a & (quarter - 1)) - quarter; // -1/4 <= part < 0
  int32_t result = exp_near_zero(xc_multiply_by_power(part, integer_bits));
  int32_t rest = part - a;
  for (int k = 0; k < integer_bits + 2; ++k)
    if (rest & (1 << (fraction - 2 + k)))
      result = xc_high_multiply(result, powers[k]);
  return result;
}

// 1 / d for d = (1 + a) / 2 by Newton's method, with 2 integer bits.
static int32_t invert_half(int32_t a) {
  const int32_t c48_over_17 = 1515870810, minus_32_over_17 = -1010580540;
  int64_t sum = (int64_t)a + INT32_MAX;
  int32_t half = (int32_t)((sum + (sum >= 0 ? 1 : -1)) / 2);
  int32_t x = c48_over_17 + xc_high_multiply(half, minus_32_over_17);
  for (int i = 0; i < 3; ++i) {
    int32_t error = (1 << 29) - xc_high_multiply(half, x);
    x += xc_multiply_by_power(xc_high_multiply(x, error), 2);
  }
  return x;
}

int32_t xc_one_over_one_plus(int32_t a) {
  return xc_multiply_by_power(invert_half(a), 1);
}

int32_t xc_one_minus_over_one_plus(int32_t a) {
  return xc_multiply_by_power(invert_half(a) - (1 << 29), 2);
}

int32_t xc_input_radius(int integer_bits, int left_shift) {
  double largest = (double)((INT64_C(1) << integer_bits) - 1) *
                   (double)(INT64_C(1) << (31 - integer_bits));
  double radius = floor(ldexp(largest, -left_shift));
  return radius >= (double)INT32_MAX ? INT32_MAX : (int32_t)radius;
}

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

xc_quant xc_call_quant(const xc_kernel_call *call, const char *name) {
  char attribute[64];
  xc_quant quant;
  snprintf(attribute, sizeof(attribute), "%s_scale", name);
  quant.scale = (float)xc_view_float(call->view, attribute);
  snprintf(attribute, sizeof(attribute), "%s_zero_point", name);
  quant.zero_point = (int32_t)xc_view_int(call->view, attribute);
  return quant;
}

bool xc_quant_equal(xc_quant a, xc_quant b) {
  return a.scale == b.scale && a.zero_point == b.zero_point;
}

bool xc_call_is_tflite(const xc_kernel_call *call) {
  return xc_call_is(call, "flavor", "TFLITE");
}

xc_range xc_element_range(xc_element element) {
  return (xc_range){xc_element_min(element), xc_element_max(element)};
}

int64_t xc_clamp(int64_t value, xc_range range) {
  return value < range.low    ? range.low
         : value > range.high ? range.high
                              : value;
}

static int64_t quantize_limit(float real, xc_quant quant) {
  float steps = roundf(real / quant.scale);
  // Beyond any integer type: the type's own limit holds.
  if (!(fabsf(steps) < 0x1p30f))
    return steps < 0 ? INT32_MIN : INT32_MAX;
  return quant.zero_point + (int64_t)steps;
}

xc_range xc_activation_range(const char *word, xc_element element,
                             xc_quant output) {
  static const struct {
    const char *word;
    bool has_low, has_high;
    float low, high;
  } rows[] = {{"NONE", false, false, 0, 0},
              {"RELU", true, false, 0, 0},
              {"RELU6", true, true, 0, 6},
              {"RELU_N1_TO_1", true, true, -1, 1}};
  xc_range type = xc_element_range(element), range = type;
  size_t row = 0;
  while (strcmp(rows[row].word, word) != 0)
    ++row;
  if (rows[row].has_low)
    range.low = xc_clamp(quantize_limit(rows[row].low, output), type);
  if (rows[row].has_high)
    range.high = xc_clamp(quantize_limit(rows[row].high, output), type);
  return range;
}

int64_t xc_quantize_even(double real, int32_t zero_point, xc_range range) {
  if (isnan(real))
    return xc_clamp(zero_point, range);
  double rounded = nearbyint(real);
  // Far outside every type, but safe to add to.
  const double limit = 0x1p40;
  rounded = rounded > limit ? limit : rounded < -limit ? -limit : rounded;
  return xc_clamp((int64_t)rounded + zero_point, range);
}

int64_t xc_requantize(const xc_kernel_call *call, int64_t value, xc_quant from,
                      xc_quant to, xc_range range) {
  int32_t centred = (int32_t)(value - from.zero_point);
  if (!xc_call_is_tflite(call))
    return xc_quantize_even((double)((float)centred * from.scale / to.scale),
                            to.zero_point, range);
  xc_multiplier multiplier =
      xc_multiplier_of((double)from.scale / (double)to.scale);
  return xc_clamp((int64_t)xc_multiply(centred, multiplier) + to.zero_point,
                  range);
}
