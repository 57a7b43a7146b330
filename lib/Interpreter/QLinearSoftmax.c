//===- QLinearSoftmax.c - quantised softmax -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TFLITE with 8-bit inputs: exp with 5 integer bits, the sum with 12, then the
// reciprocal. With 16-bit inputs: tables of 513 entries for exp on [-10, 0] and
// 1 / (1 + x) on [0, 1], interpolated.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "OpParams/Quant.h"

#include <math.h>

typedef struct softmax_state {
  xc_kernel_call *call;
  xc_qsoftmax q;
  int64_t length, stride;
  int16_t *exp_table, *inverse_table;
} softmax_state;

static int64_t value_at(const softmax_state *s, int64_t at, int64_t i) {
  return xc_get_int(&s->call->operands[XC_QLINEAR_SOFTMAX_INPUT],
                    at + i * s->stride);
}

static int64_t largest_of(const softmax_state *s, int64_t at) {
  int64_t largest = value_at(s, at, 0);
  for (int64_t i = 1; i < s->length; ++i)
    if (value_at(s, at, i) > largest)
      largest = value_at(s, at, i);
  return largest;
}

//===----------------------------------------------------------------------===//
// Eight bits
//===----------------------------------------------------------------------===//

static int32_t exp_of_difference(const softmax_state *s, int32_t difference) {
  int32_t shifted = xc_shift_wrapping(difference, s->q.multiplier.shift);
  return xc_exp_on_negative(xc_high_multiply(shifted, s->q.multiplier.value),
                            XC_SOFTMAX_INTEGER_BITS);
}

static void softmax_8(const softmax_state *s, int64_t at) {
  enum { SUM_INTEGER_BITS = 12 };
  int64_t largest = largest_of(s, at);
  uint32_t sum = 0;
  for (int64_t i = 0; i < s->length; ++i) {
    int32_t difference = (int32_t)(value_at(s, at, i) - largest);
    if (difference >= s->q.diff_min)
      sum += (uint32_t)xc_divide_by_power(exp_of_difference(s, difference),
                                          SUM_INTEGER_BITS);
  }
  int headroom = xc_leading_zeros(sum);
  int over_unit = SUM_INTEGER_BITS - headroom;
  int32_t scale = xc_one_over_one_plus(
      (int32_t)((headroom < 32 ? sum << headroom : 0) - (UINT32_C(1) << 31)));
  int bits = 8 * (int)xc_element_size(s->call->output.shape.element);
  for (int64_t i = 0; i < s->length; ++i) {
    int32_t difference = (int32_t)(value_at(s, at, i) - largest);
    int64_t result = s->q.quant.range.low;
    if (difference >= s->q.diff_min)
      result += xc_divide_by_power(
          xc_high_multiply(scale, exp_of_difference(s, difference)),
          over_unit + 31 - bits);
    xc_set_int(&s->call->output, at + i * s->stride,
               xc_clamp(result, s->q.quant.range));
  }
}

//===----------------------------------------------------------------------===//
// Sixteen bits
//===----------------------------------------------------------------------===//

static int32_t look_up(int32_t x, const int16_t *table) {
  x = x < INT16_MIN ? INT16_MIN : x > INT16_MAX ? INT16_MAX : x;
  int32_t index = 256 + (x >> 7), offset = x & 0x7f;
  int32_t slope = table[index + 1] - table[index];
  return table[index] + ((slope * offset + 64) >> 7);
}

static void softmax_16(const softmax_state *s, int64_t at) {
  int64_t largest = largest_of(s, at);
  int64_t sum = 0;
  for (int64_t i = 0; i < s->length; ++i) {
    int32_t difference = (int32_t)(value_at(s, at, i) - largest);
    sum +=
        look_up(xc_multiply(difference, s->q.multiplier) + 32767, s->exp_table);
  }
  int headroom = xc_leading_zeros((uint32_t)sum);
  int64_t shifted =
      ((sum << (headroom > 0 ? headroom - 1 : 0)) + (1 << 13)) >> 14;
  int32_t inverse =
      look_up((int32_t)(shifted - (1 << 15) - (1 << 16)), s->inverse_table);
  int right = headroom < 31 ? 31 - headroom : 1;
  for (int64_t i = 0; i < s->length; ++i) {
    int32_t difference = (int32_t)(value_at(s, at, i) - largest);
    int64_t e =
        look_up(xc_multiply(difference, s->q.multiplier) + 32767, s->exp_table);
    int64_t result = (e * inverse + (INT64_C(1) << (right - 1))) >> right;
    xc_set_int(&s->call->output, at + i * s->stride,
               xc_clamp(result, (xc_range){0, s->q.quant.range.high}));
  }
}

//===----------------------------------------------------------------------===//
// In real numbers
//===----------------------------------------------------------------------===//

static void softmax_real(const softmax_state *s, int64_t at) {
  int64_t largest = largest_of(s, at);
  double factor = (double)s->q.beta * (double)s->q.quant.in.scale, sum = 0;
  for (int64_t i = 0; i < s->length; ++i)
    sum += exp(factor * (double)(value_at(s, at, i) - largest));
  for (int64_t i = 0; i < s->length; ++i) {
    double y = exp(factor * (double)(value_at(s, at, i) - largest)) / sum;
    xc_set_int(&s->call->output, at + i * s->stride,
               xc_quantize_even(y / (double)s->q.quant.out.scale,
                                s->q.quant.out.zero_point, s->q.quant.range));
  }
}

bool xc_interpret_qlinear_softmax(xc_kernel_call *call) {
  size_t axis = xc_axis_of(call->op);
  softmax_state s = {.call = call,
                     .q = xc_qsoftmax_of(call->op),
                     .length = call->output.shape.dims[axis],
                     .stride = xc_shape_inner(&call->output.shape, axis)};
  void (*line)(const softmax_state *, int64_t) = softmax_real;
  if (s.q.quant.tflite) {
    line = s.q.wide ? softmax_16 : softmax_8;
    s.exp_table = s.q.wide ? xc_softmax_exp_table(call->arena) : NULL;
    s.inverse_table = s.q.wide ? xc_softmax_inverse_table(call->arena) : NULL;
  }
  int64_t outer = xc_shape_outer(&call->output.shape, axis);
  for (int64_t o = 0; s.length > 0 && o < outer; ++o)
    for (int64_t i = 0; i < s.stride; ++i)
      line(&s, o * s.length * s.stride + i);
  return true;
}
