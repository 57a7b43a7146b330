//===- QActivation.c - quantised activations of one integer ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference semantics of qlinear-activation: the interpreter applies them
// to every element, compiled code reads a table of them.
//
//===----------------------------------------------------------------------===//

#include "Quant.h"

#include "xc-c/FixedPoint.h"

#include <math.h>

// In real numbers: tables of the reference and everything of ONNX.
static double real_function(const xc_qactivation *s, double x) {
  switch ((int)s->type) {
  case XC_ENUM_RELU:
    return x < 0 ? 0 : x;
  case XC_ENUM_RELU6:
    return x < 0 ? 0 : x > 6 ? 6 : x;
  case XC_ENUM_RELU_N1_TO_1:
    return x < -1 ? -1 : x > 1 ? 1 : x;
  case XC_ENUM_LEAKYRELU:
    return x < 0 ? (double)s->alpha * x : x;
  case XC_ENUM_SIGMOID:
    return 1 / (1 + exp(-x));
  case XC_ENUM_TANH:
    return tanh(x);
  case XC_ENUM_HARDSWISH:
    return x * (x < -3 ? 0 : x > 3 ? 6 : x + 3) / 6;
  case XC_ENUM_ELU:
    return x < 0 ? expm1(x) : x;
  case XC_ENUM_EXP:
    return exp(x);
  case XC_ENUM_NEG:
    return -x;
  case XC_ENUM_ABS:
    return fabs(x);
  default:
    return 1 / sqrt(x);
  }
}

static int64_t by_table(const xc_qactivation *s, int32_t centred) {
  float x = s->quant.in.scale * (float)centred;
  float y = (float)real_function(s, (double)x);
  float inverse = 1.0f / s->quant.out.scale;
  return xc_quantize_even((double)roundf(y * inverse), s->quant.out.zero_point,
                          s->quant.range);
}

static int64_t by_onnx(const xc_qactivation *s, int32_t centred) {
  double x = (double)(s->quant.in.scale * (float)centred);
  double y = real_function(s, x);
  return xc_quantize_even(y / (double)s->quant.out.scale,
                          s->quant.out.zero_point, s->quant.range);
}

static int64_t scaled(const xc_qactivation *s, int32_t centred, double factor) {
  return xc_clamp((int64_t)xc_multiply(centred, xc_multiplier_of(factor)) +
                      s->quant.out.zero_point,
                  s->quant.range);
}

// RELU and its relatives clamp; the product of scales is a float one.
static int64_t clamped(const xc_qactivation *s, int32_t centred) {
  xc_range range = xc_activation_range(s->type, s->element, s->quant.out);
  return xc_clamp(
      scaled(s, centred, (double)(s->quant.in.scale / s->quant.out.scale)),
      range);
}

static int64_t leaky(const xc_qactivation *s, int32_t centred) {
  float factor = centred < 0 ? s->quant.in.scale * s->alpha / s->quant.out.scale
                             : s->quant.in.scale / s->quant.out.scale;
  return scaled(s, centred, (double)factor);
}

// exp(-|x|) with 4 integer bits, then a function of it without any.
static int64_t sigmoid_8(const xc_qactivation *s, int32_t centred) {
  bool tangent = s->type == XC_ENUM_TANH;
  xc_multiplier to_q4 =
      xc_multiplier_of((double)s->quant.in.scale * (double)(1 << 27));
  int32_t radius = xc_input_radius(4, to_q4.shift);
  if (centred <= -radius || centred >= radius)
    return centred < 0 ? s->quant.range.low : s->quant.range.high;
  int32_t x = xc_multiply(centred, to_q4);
  int32_t magnitude = x < 0 ? x : -x;
  // tanh takes exp(-2 |x|): the same bits with one more integer bit.
  int32_t e = xc_exp_on_negative(magnitude, tangent ? 5 : 4);
  int32_t y = tangent ? xc_one_minus_over_one_plus(e) : xc_one_over_one_plus(e);
  if (x == 0)
    y = tangent ? 0 : 1 << 30;
  else if (x < 0)
    y = tangent ? -y : INT32_MAX - y;
  int32_t q = xc_divide_by_power(y, tangent ? 24 : 23);
  bool is_signed = s->quant.range.low < 0;
  int32_t zero = tangent ? (is_signed ? 0 : 128) : is_signed ? -128 : 0;
  return xc_clamp((int64_t)q + zero, s->quant.range);
}

// sigmoid(i / 24) in 16 bits, i from 0 to 255.
static uint32_t sigmoid_entry(uint32_t i) {
  double value = floor(65536 / (1 + exp(-(double)i / 24)) + 0.5);
  return value > 65535 ? 65535 : (uint32_t)value;
}

// Interpolates that table. The input is scaled to 1 / (3 * 4096).
static int64_t sigmoid_16(const xc_qactivation *s, int32_t centred) {
  bool tangent = s->type == XC_ENUM_TANH;
  int power;
  double factor = (double)s->quant.in.scale * 4096 * 3;
  int shift = 0;
  if (frexpf(s->quant.in.scale, &power) == 0.5f && power - 1 == -12) {
    factor = 3;
  } else {
    for (; factor <= 32767.0 / 2 && shift <= 30; ++shift)
      factor *= 2;
  }
  factor = factor < 0x1p30 ? factor : 0x1p30;
  int64_t round = shift > 0 ? INT64_C(1) << (shift - 1) : 0;
  int64_t x = ((int64_t)centred * (int32_t)factor + round) >> shift;
  uint64_t magnitude = (uint64_t)(x < 0 ? -x : x);
  int bits = tangent ? 8 : 9;
  uint64_t index = magnitude >> bits;
  int64_t y;
  if (index >= 255) {
    y = tangent ? INT64_C(0xffff) << 8 : INT64_C(0x7fff) << 10;
  } else {
    uint32_t a = sigmoid_entry((uint32_t)index);
    uint32_t b = sigmoid_entry((uint32_t)index + 1);
    y = ((int64_t)a << bits) +
        (int64_t)(magnitude & ((1u << bits) - 1)) * (b - a);
  }
  if (tangent) {
    y = x >= 0 ? y - (1 << 23) + (1 << 7) : -y + (1 << 23) + (1 << 7) - 1;
    return xc_clamp(y >> 8, s->quant.range);
  }
  y = x >= 0 ? y + (1 << 9) : (1 << 25) - y + (1 << 9) - 1;
  return xc_clamp(y >> 10, s->quant.range);
}

static int64_t sigmoid(const xc_qactivation *s, int32_t centred) {
  return xc_element_size(s->element) == 2 ? sigmoid_16(s, centred)
                                          : sigmoid_8(s, centred);
}

//===----------------------------------------------------------------------===//
// Hard swish in 16-bit fixed point
//===----------------------------------------------------------------------===//

static int16_t saturate_16(int64_t x) {
  return (int16_t)(x > INT16_MAX ? INT16_MAX : x < INT16_MIN ? INT16_MIN : x);
}

static int16_t high_multiply_16(int16_t a, int16_t b) {
  int32_t product = a * b;
  int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
  return saturate_16((product + nudge) / (1 << 15));
}

static int16_t narrow_multiplier(int32_t value) {
  return value > INT32_MAX - (1 << 15) ? INT16_MAX
                                       : (int16_t)((value + (1 << 15)) >> 16);
}

static int64_t hard_swish(const xc_qactivation *s, int32_t centred) {
  float hires_scale = (1.0f / 128.0f) * s->quant.in.scale;
  xc_multiplier to_output =
      xc_multiplier_of((double)(hires_scale / s->quant.out.scale));
  xc_multiplier to_relu =
      xc_multiplier_of((double)(hires_scale / (3.0f / 32768.0f)));
  int16_t hires = (int16_t)((uint32_t)centred << 7);
  int16_t preshift =
      high_multiply_16(hires, narrow_multiplier(to_output.value));
  // min(max(x + 3, 0), 6) / 6 with 15 fractional bits.
  int16_t relu = hires;
  int exponent = to_relu.shift;
  if (exponent > 0)
    relu = saturate_16(xcShiftLeftSaturated(relu, exponent - 1));
  relu = high_multiply_16(relu, narrow_multiplier(to_relu.value));
  if (exponent > 0)
    relu = saturate_16(relu * 2);
  if (exponent < 0)
    relu = (int16_t)xc_divide_by_power(relu, -exponent);
  relu = (int16_t)((relu + (1 << 15)) >> 1);
  int16_t product = saturate_16(relu * preshift / (1 << 15));
  int32_t result = to_output.shift > 0
                       ? xc_multiply_by_power(product, to_output.shift)
                       : xc_divide_by_power(product, -to_output.shift);
  return xc_clamp((int64_t)result + s->quant.out.zero_point, s->quant.range);
}

//===----------------------------------------------------------------------===//
// 1 / sqrt(x)
//===----------------------------------------------------------------------===//

// 1 / sqrt(value) as a multiplier, by Newton's method with 3 integer bits.
static xc_multiplier inverse_root(int32_t value) {
  if (value <= 1)
    return (xc_multiplier){INT32_MAX, 0, false};
  int shift = 11;
  for (; value >= 1 << 29; ++shift)
    value /= 4;
  int pairs = (xc_leading_zeros((uint32_t)value) - 1) / 2 - 1;
  shift -= pairs;
  value <<= 2 * pairs;
  int32_t half = xc_divide_by_power(value >> 1, 1);
  int32_t x = 1 << 28;
  for (int i = 0; i < 5; ++i) {
    int32_t cube =
        xc_multiply_by_power(xc_high_multiply(xc_high_multiply(x, x), x), 6);
    x = xc_multiply_by_power(xc_high_multiply((1 << 28) + (1 << 27), x) -
                                 xc_high_multiply(half, cube),
                             3);
  }
  x = xc_high_multiply(x, 1518500250);
  if (shift < 0) {
    x = xc_multiply_by_power(x, -shift);
    shift = 0;
  }
  return (xc_multiplier){x, -shift, false};
}

static int64_t reciprocal_root(const xc_qactivation *s, int32_t centred) {
  enum { SHIFT = 20 };
  if (centred <= 0)
    return s->quant.range.high;
  xc_multiplier root = inverse_root(centred);
  root.shift += SHIFT;
  xc_multiplier out = xc_multiplier_of(
      1.0 / (double)(sqrtf(s->quant.in.scale) * s->quant.out.scale));
  out.shift -= SHIFT;
  return xc_clamp((int64_t)xc_multiply(xc_multiply(1, root), out) +
                      s->quant.out.zero_point,
                  s->quant.range);
}

static int64_t negated(const xc_qactivation *s, int32_t centred) {
  int32_t value = s->type == XC_ENUM_NEG || centred < 0 ? -centred : centred;
  return scaled(s, value, (double)(s->quant.in.scale / s->quant.out.scale));
}

xc_qactivation xc_qactivation_of(const xc_adaptor *op) {
  return (xc_qactivation){.type = xc_attr_enum(op, XC_ATTR_TYPE),
                          .quant = xc_requant_of(op),
                          .element = xc_result_shape(op).element,
                          .alpha = (float)xc_attr_float(op, XC_ATTR_ALPHA)};
}

int64_t xc_qactivation_apply(const xc_qactivation *s, int64_t value) {
  // TFLITE; the functions that are not here come from tables there.
  static const struct {
    xc_enum type;
    int64_t (*function)(const xc_qactivation *s, int32_t centred);
  } rows[] = {
      {XC_ENUM_RELU, clamped},         {XC_ENUM_RELU6, clamped},
      {XC_ENUM_RELU_N1_TO_1, clamped}, {XC_ENUM_LEAKYRELU, leaky},
      {XC_ENUM_SIGMOID, sigmoid},      {XC_ENUM_TANH, sigmoid},
      {XC_ENUM_HARDSWISH, hard_swish}, {XC_ENUM_ELU, by_table},
      {XC_ENUM_EXP, by_table},         {XC_ENUM_NEG, negated},
      {XC_ENUM_ABS, negated},          {XC_ENUM_RSQRT, reciprocal_root}};
  int32_t centred = (int32_t)value - s->quant.in.zero_point;
  if (!s->quant.tflite)
    return by_onnx(s, centred);
  size_t row = 0;
  while (rows[row].type != s->type)
    ++row;
  return rows[row].function(s, centred);
}
