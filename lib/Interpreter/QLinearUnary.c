//===- QLinearUnary.c - quantised operators of one input ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quant.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Between real numbers and integers
//===----------------------------------------------------------------------===//

static int64_t quantize(float real, float scale, int64_t zero_point,
                        bool half_even, xc_range range) {
  float steps = real / scale;
  if (half_even)
    return xc_quantize_even((double)steps, (int32_t)zero_point, range);
  return xc_quantize_even((double)roundf(steps), (int32_t)zero_point, range);
}

// Scale and zero point per element: one, or one per entry of the axis.
typedef struct linear_state {
  size_t count;
  int64_t inner;
  double *scales;
} linear_state;

static linear_state read_linear(xc_kernel_call *call) {
  linear_state state = {.count = xc_view_floats(call->view, "scale", NULL, 0)};
  state.scales =
      xc_call_alloc(call, (int64_t)state.count, sizeof(*state.scales));
  xc_view_floats(call->view, "scale", state.scales, state.count);
  if (state.count > 1)
    state.inner =
        xc_shape_inner(&call->output.shape, xc_call_axis(call, "axis"));
  return state;
}

static size_t linear_index(const linear_state *state, int64_t i) {
  return state->count == 1 ? 0
                           : (size_t)(i / state->inner % (int64_t)state->count);
}

bool xc_interpret_quantize_linear(xc_kernel_call *call) {
  linear_state state = read_linear(call);
  bool half_even = !xc_call_is_tflite(call);
  xc_range range = xc_element_range(call->output.shape.element);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    size_t at = linear_index(&state, i);
    xc_set_int(&call->output, i,
               quantize((float)xc_get_real(&call->operands[0], i),
                        (float)state.scales[at],
                        xc_view_int_at(call->view, "zero_point", at), half_even,
                        range));
  }
  return true;
}

bool xc_interpret_dequantize_linear(xc_kernel_call *call) {
  linear_state state = read_linear(call);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    size_t at = linear_index(&state, i);
    double zero = (double)xc_view_int_at(call->view, "zero_point", at);
    xc_set_real(&call->output, i,
                (xc_get_real(&call->operands[0], i) - zero) * state.scales[at]);
  }
  return true;
}

bool xc_interpret_qlinear_requantize(xc_kernel_call *call) {
  xc_quant in = xc_call_quant(call, "input");
  xc_quant out = xc_call_quant(call, "output");
  xc_range range = xc_element_range(call->output.shape.element);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i)
    xc_set_int(
        &call->output, i,
        xc_requantize(call, xc_get_int(&call->operands[0], i), in, out, range));
  return true;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

typedef struct activation_state {
  xc_quant in, out;
  xc_element element;
  xc_range range;
  float alpha;
} activation_state;

// In real numbers: tables of the reference and everything of ONNX.
static double real_function(const char *type, double x, double alpha) {
  if (strcmp(type, "RELU") == 0)
    return x < 0 ? 0 : x;
  if (strcmp(type, "RELU6") == 0)
    return x < 0 ? 0 : x > 6 ? 6 : x;
  if (strcmp(type, "RELU_N1_TO_1") == 0)
    return x < -1 ? -1 : x > 1 ? 1 : x;
  if (strcmp(type, "LEAKYRELU") == 0)
    return x < 0 ? alpha * x : x;
  if (strcmp(type, "SIGMOID") == 0)
    return 1 / (1 + exp(-x));
  if (strcmp(type, "TANH") == 0)
    return tanh(x);
  if (strcmp(type, "HARDSWISH") == 0)
    return x * (x < -3 ? 0 : x > 3 ? 6 : x + 3) / 6;
  if (strcmp(type, "ELU") == 0)
    return x < 0 ? expm1(x) : x;
  if (strcmp(type, "EXP") == 0)
    return exp(x);
  if (strcmp(type, "NEG") == 0)
    return -x;
  if (strcmp(type, "ABS") == 0)
    return fabs(x);
  return 1 / sqrt(x);
}

static int64_t by_table(const activation_state *s, const char *type,
                        int32_t centred) {
  float x = s->in.scale * (float)centred;
  float y = (float)real_function(type, (double)x, (double)s->alpha);
  float inverse = 1.0f / s->out.scale;
  return xc_quantize_even((double)roundf(y * inverse), s->out.zero_point,
                          s->range);
}

static int64_t by_onnx(const activation_state *s, const char *type,
                       int32_t centred) {
  double x = (double)(s->in.scale * (float)centred);
  double y = real_function(type, x, (double)s->alpha);
  return xc_quantize_even(y / (double)s->out.scale, s->out.zero_point,
                          s->range);
}

static int64_t scaled(const activation_state *s, int32_t centred,
                      double factor) {
  return xc_clamp((int64_t)xc_multiply(centred, xc_multiplier_of(factor)) +
                      s->out.zero_point,
                  s->range);
}

// RELU and its relatives clamp; the product of scales is a float one.
static int64_t clamped(const activation_state *s, const char *type,
                       int32_t centred) {
  xc_range range = xc_activation_range(type, s->element, s->out);
  return xc_clamp(scaled(s, centred, (double)(s->in.scale / s->out.scale)),
                  range);
}

static int64_t leaky(const activation_state *s, const char *type,
                     int32_t centred) {
  (void)type;
  float factor = centred < 0 ? s->in.scale * s->alpha / s->out.scale
                             : s->in.scale / s->out.scale;
  return scaled(s, centred, (double)factor);
}

// exp(-|x|) with 4 integer bits, then a function of it without any.
static int64_t sigmoid_8(const activation_state *s, const char *type,
                         int32_t centred) {
  bool tangent = strcmp(type, "TANH") == 0;
  xc_multiplier to_q4 =
      xc_multiplier_of((double)s->in.scale * (double)(1 << 27));
  int32_t radius = xc_input_radius(4, to_q4.shift);
  if (centred <= -radius || centred >= radius)
    return centred < 0 ? s->range.low : s->range.high;
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
  bool is_signed = s->range.low < 0;
  int32_t zero = tangent ? (is_signed ? 0 : 128) : is_signed ? -128 : 0;
  return xc_clamp((int64_t)q + zero, s->range);
}

// sigmoid(i / 24) in 16 bits, i from 0 to 255.
static uint32_t sigmoid_entry(uint32_t i) {
  double value = floor(65536 / (1 + exp(-(double)i / 24)) + 0.5);
  return value > 65535 ? 65535 : (uint32_t)value;
}

// Interpolates that table. The input is scaled to 1 / (3 * 4096).
static int64_t sigmoid_16(const activation_state *s, const char *type,
                          int32_t centred) {
  bool tangent = strcmp(type, "TANH") == 0;
  int power;
  double factor = (double)s->in.scale * 4096 * 3;
  int shift = 0;
  if (frexpf(s->in.scale, &power) == 0.5f && power - 1 == -12) {
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
    return xc_clamp(y >> 8, s->range);
  }
  y = x >= 0 ? y + (1 << 9) : (1 << 25) - y + (1 << 9) - 1;
  return xc_clamp(y >> 10, s->range);
}

static int64_t sigmoid(const activation_state *s, const char *type,
                       int32_t centred) {
  return xc_element_size(s->element) == 2 ? sigmoid_16(s, type, centred)
                                          : sigmoid_8(s, type, centred);
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

static int64_t hard_swish(const activation_state *s, const char *type,
                          int32_t centred) {
  (void)type;
  float hires_scale = (1.0f / 128.0f) * s->in.scale;
  xc_multiplier to_output =
      xc_multiplier_of((double)(hires_scale / s->out.scale));
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
  return xc_clamp((int64_t)result + s->out.zero_point, s->range);
}

//===----------------------------------------------------------------------===//
// 1 / sqrt(x)
//===----------------------------------------------------------------------===//

// 1 / sqrt(value) as a multiplier, by Newton's method with 3 integer bits.
static xc_multiplier inverse_root(int32_t value) {
  if (value <= 1)
    return (xc_multiplier){INT32_MAX, 0};
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
  return (xc_multiplier){x, -shift};
}

static int64_t reciprocal_root(const activation_state *s, const char *type,
                               int32_t centred) {
  enum { SHIFT = 20 };
  (void)type;
  if (centred <= 0)
    return s->range.high;
  xc_multiplier root = inverse_root(centred);
  root.shift += SHIFT;
  xc_multiplier out =
      xc_multiplier_of(1.0 / (double)(sqrtf(s->in.scale) * s->out.scale));
  out.shift -= SHIFT;
  return xc_clamp((int64_t)xc_multiply(xc_multiply(1, root), out) +
                      s->out.zero_point,
                  s->range);
}

static int64_t negated(const activation_state *s, const char *type,
                       int32_t centred) {
  int32_t value = strcmp(type, "NEG") == 0 || centred < 0 ? -centred : centred;
  return scaled(s, value, (double)(s->in.scale / s->out.scale));
}

bool xc_interpret_qlinear_activation(xc_kernel_call *call) {
  // TFLITE; the functions that are not here come from tables there.
  static const struct {
    const char *type;
    int64_t (*function)(const activation_state *s, const char *type,
                        int32_t centred);
  } rows[] = {{"RELU", clamped},         {"RELU6", clamped},
              {"RELU_N1_TO_1", clamped}, {"LEAKYRELU", leaky},
              {"SIGMOID", sigmoid},      {"TANH", sigmoid},
              {"HARDSWISH", hard_swish}, {"ELU", by_table},
              {"EXP", by_table},         {"NEG", negated},
              {"ABS", negated},          {"RSQRT", reciprocal_root}};
  const char *type = xc_view_word(call->view, "type");
  size_t row = 0;
  while (strcmp(rows[row].type, type) != 0)
    ++row;
  activation_state s = {.in = xc_call_quant(call, "input"),
                        .out = xc_call_quant(call, "output"),
                        .element = call->output.shape.element,
                        .alpha = (float)xc_view_float(call->view, "alpha")};
  s.range = xc_element_range(s.element);
  bool tflite = xc_call_is_tflite(call);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    int32_t centred =
        (int32_t)xc_get_int(&call->operands[0], i) - s.in.zero_point;
    xc_set_int(&call->output, i,
               tflite ? rows[row].function(&s, type, centred)
                      : by_onnx(&s, type, centred));
  }
  return true;
}
