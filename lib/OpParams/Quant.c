//===- Quant.c - parameters of operators with scales ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quant.h"

#include "xc-c/FixedPoint.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// Multipliers
//===----------------------------------------------------------------------===//

double xc_multiplier_real(xc_multiplier multiplier) {
  return ldexp((double)multiplier.value, multiplier.shift - 31);
}

xc_multiplier xc_multiplier_of(double real) {
  xc_multiplier result = {0, 0, false};
  if (real == 0)
    return result;
  if (!(real < 0x1p30))
    return (xc_multiplier){INT32_MAX, 30, false};
  double mantissa = frexp(real, &result.shift);
  int64_t value = llround(mantissa * (double)(INT64_C(1) << 31));
  if (value == INT64_C(1) << 31) {
    value /= 2;
    ++result.shift;
  }
  if (result.shift < -31)
    return (xc_multiplier){0, 0, false};
  if (result.shift > 30)
    return (xc_multiplier){INT32_MAX, 30, false};
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

static int32_t multiply_once(int32_t x, xc_multiplier multiplier) {
  int shift = 31 - multiplier.shift;
  return (
      int32_t)(((int64_t)x * multiplier.value + (INT64_C(1) << (shift - 1))) >>
               shift);
}

int32_t xc_multiply(int32_t x, xc_multiplier multiplier) {
  if (multiplier.once)
    return multiply_once(x, multiplier);
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

xc_quant xc_quant_of(const xc_adaptor *op, xc_attr scale, xc_attr zero_point) {
  return (xc_quant){(float)xc_attr_float(op, scale),
                    (int32_t)xc_attr_int(op, zero_point)};
}

xc_quant xc_input_quant(const xc_adaptor *op) {
  return xc_quant_of(op, XC_ATTR_INPUT_SCALE, XC_ATTR_INPUT_ZERO_POINT);
}

xc_quant xc_output_quant(const xc_adaptor *op) {
  return xc_quant_of(op, XC_ATTR_OUTPUT_SCALE, XC_ATTR_OUTPUT_ZERO_POINT);
}

bool xc_quant_equal(xc_quant a, xc_quant b) {
  return a.scale == b.scale && a.zero_point == b.zero_point;
}

bool xc_is_tflite(const xc_adaptor *op) {
  return xc_attr_is(op, XC_ATTR_FLAVOR, XC_ENUM_TFLITE);
}

bool xc_has_multipliers(const xc_adaptor *op) {
  return xc_has_attr(op, XC_ATTR_MULTIPLIER) &&
         !mlirAttributeIsNull(xc_attr_get(op, XC_ATTR_MULTIPLIER));
}

xc_multiplier xc_given_multiplier(const xc_adaptor *op, size_t index) {
  int shift = (int)xc_attr_int_at(op, XC_ATTR_SHIFT, index);
  return (xc_multiplier){(int32_t)xc_attr_int_at(op, XC_ATTR_MULTIPLIER, index),
                         31 - shift,
                         shift < 31 || xc_attr_bool(op, XC_ATTR_SINGLE_ROUND)};
}

static double *read_floats(const xc_adaptor *op, xc_attr id, xc_arena *arena,
                           size_t *count) {
  *count = xc_attr_floats(op, id, NULL, 0);
  double *values = xc_arena_alloc(arena, *count, sizeof(*values));
  xc_attr_floats(op, id, values, *count);
  return values;
}

static int guard_bits(const xc_adaptor *op) {
  return xc_element_size(xc_result_shape(op).element) == 2 ? 15 : 20;
}

double xc_eltwise_factor(const xc_adaptor *op, size_t slot) {
  enum { RESULT = 2 };
  return ldexp(xc_multiplier_real(xc_given_multiplier(op, slot)) *
                   xc_multiplier_real(xc_given_multiplier(op, RESULT)),
               guard_bits(op));
}

// Scales are floats; a channel multiplied by 0 has weights of next to none.
static bool agrees(double scales, double multiplier) {
  return fabs(scales - multiplier) <= 1e-5 * multiplier + 1e-20;
}

static double scale_at(const xc_adaptor *op, xc_attr id) {
  return (double)(float)xc_attr_float(op, id);
}

static bool eltwise_agrees(const xc_adaptor *op) {
  static const xc_attr names[] = {XC_ATTR_A_SCALE, XC_ATTR_B_SCALE};
  enum { RESULT = 2 };
  double output = scale_at(op, XC_ATTR_OUTPUT_SCALE);
  double a = scale_at(op, names[0]), b = scale_at(op, names[1]);
  if (!xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_ADD) &&
      !xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_SUB))
    return agrees(a * b / output,
                  xc_multiplier_real(xc_given_multiplier(op, RESULT)));
  return agrees(a / output, xc_eltwise_factor(op, 0)) &&
         agrees(b / output, xc_eltwise_factor(op, 1));
}

bool xc_scales_agree(const xc_adaptor *op) {
  if (!xc_has_multipliers(op))
    return true;
  if (op->info->kind == XC_TIR_QLINEAR_ELTWISE)
    return eltwise_agrees(op);
  double factor =
      scale_at(op, XC_ATTR_INPUT_SCALE) / scale_at(op, XC_ATTR_OUTPUT_SCALE);
  if (op->info->kind == XC_TIR_QLINEAR_REQUANTIZE)
    return agrees(factor, xc_multiplier_real(xc_given_multiplier(op, 0)));
  xc_arena arena = {0};
  size_t count;
  const double *weights = read_floats(op, XC_ATTR_WEIGHT_SCALE, &arena, &count);
  bool ok = true;
  for (size_t i = 0; i < count; ++i)
    ok = ok && agrees(factor * weights[i],
                      xc_multiplier_real(xc_given_multiplier(op, i)));
  xc_arena_free(&arena);
  return ok;
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

xc_range xc_activation_range(xc_enum activation, xc_element element,
                             xc_quant output) {
  xc_range type = xc_element_range(element), range = type;
  if (activation == XC_ENUM_NONE)
    return range;
  float low = activation == XC_ENUM_RELU_N1_TO_1 ? -1 : 0;
  range.low = xc_clamp(quantize_limit(low, output), type);
  if (activation == XC_ENUM_RELU)
    return range;
  float high = activation == XC_ENUM_RELU_N1_TO_1 ? 1 : 6;
  range.high = xc_clamp(quantize_limit(high, output), type);
  return range;
}

xc_range xc_nonlinear_range(const xc_adaptor *op) {
  return xc_activation_range(xc_attr_enum(op, XC_ATTR_NONLINEAR),
                             xc_result_shape(op).element, xc_output_quant(op));
}

xc_requant xc_requant_of(const xc_adaptor *op) {
  xc_quant in = xc_input_quant(op), out = xc_output_quant(op);
  return (xc_requant){.in = in,
                      .out = out,
                      .range = xc_element_range(xc_result_shape(op).element),
                      .tflite = xc_is_tflite(op),
                      .multiplier = xc_has_multipliers(op)
                                        ? xc_given_multiplier(op, 0)
                                        : xc_multiplier_of((double)in.scale /
                                                           (double)out.scale)};
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

int64_t xc_requantize(const xc_requant *quant, int64_t value) {
  xc_quant from = quant->in, to = quant->out;
  int32_t centred = (int32_t)(value - from.zero_point);
  if (!quant->tflite)
    return xc_quantize_even((double)((float)centred * from.scale / to.scale),
                            to.zero_point, quant->range);
  return xc_clamp((int64_t)xc_multiply(centred, quant->multiplier) +
                      to.zero_point,
                  quant->range);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static void read_weight_zeros(const xc_adaptor *op, xc_qconv *q,
                              xc_arena *arena) {
  int64_t ints[XC_MAX_INTS];
  q->num_zeros = xc_attr_ints(op, XC_ATTR_WEIGHT_ZERO_POINT, ints);
  q->zeros = xc_arena_alloc(arena, q->num_zeros, sizeof(*q->zeros));
  for (size_t i = 0; i < q->num_zeros; ++i)
    q->zeros[i] = (int32_t)xc_attr_int_at(op, XC_ATTR_WEIGHT_ZERO_POINT, i);
}

xc_qconv xc_qconv_of(const xc_adaptor *op, xc_arena *arena) {
  xc_element element = xc_result_shape(op).element;
  xc_qconv q = {.input = xc_input_quant(op),
                .output = xc_output_quant(op),
                .range = xc_nonlinear_range(op),
                .tflite = xc_is_tflite(op)};
  bool float_product =
      op->info->rule == XC_RULE_MATMUL ||
      xc_element_min(xc_operand_shape(op, XC_QLINEAR_CONV2D_INPUT).element) ==
          0;
  // Sixteen-bit activations accumulate in 64 bits unless the bias has 32.
  q.wide = xc_has_operand(op, XC_QLINEAR_CONV2D_BIAS)
               ? xc_operand_shape(op, XC_QLINEAR_CONV2D_BIAS).element ==
                     XC_ELEMENT_I64
               : xc_element_size(element) == 2;
  double *weights = read_floats(op, XC_ATTR_WEIGHT_SCALE, arena, &q.scales);
  q.multipliers = xc_arena_alloc(arena, q.scales, sizeof(*q.multipliers));
  q.factors = xc_arena_alloc(arena, q.scales, sizeof(*q.factors));
  for (size_t i = 0; i < q.scales; ++i) {
    float product = q.input.scale * (float)weights[i];
    double exact = (double)q.input.scale * weights[i];
    q.factors[i] = product / q.output.scale;
    q.multipliers[i] =
        xc_has_multipliers(op)
            ? xc_given_multiplier(op, i)
            : xc_multiplier_of((float_product ? (double)product : exact) /
                               (double)q.output.scale);
  }
  read_weight_zeros(op, &q, arena);
  return q;
}

xc_qeltwise xc_qeltwise_of(const xc_adaptor *op) {
  xc_qeltwise q = {.type = xc_attr_enum(op, XC_ATTR_TYPE),
                   .a = xc_quant_of(op, XC_ATTR_A_SCALE, XC_ATTR_A_ZERO_POINT),
                   .b = xc_quant_of(op, XC_ATTR_B_SCALE, XC_ATTR_B_ZERO_POINT),
                   .output = xc_output_quant(op),
                   .range = xc_nonlinear_range(op),
                   .tflite = xc_is_tflite(op)};
  double a = (double)q.a.scale, b = (double)q.b.scale;
  double output = (double)q.output.scale;
  if (q.type == XC_ENUM_ADD || q.type == XC_ENUM_SUB) {
    q.left_shift = guard_bits(op);
    double twice = 2 * (a > b ? a : b);
    q.for_a = xc_multiplier_of(a / twice);
    q.for_b = xc_multiplier_of(b / twice);
    q.for_output =
        xc_multiplier_of(twice / ((double)(1 << q.left_shift) * output));
  } else if (q.type == XC_ENUM_MUL) {
    q.for_output = xc_multiplier_of(a * b / output);
  } else if (q.type == XC_ENUM_DIV) {
    q.for_output =
        xc_multiplier_of((double)(q.a.scale / (q.b.scale * q.output.scale)));
  } else {
    q.for_a = xc_multiplier_of(a / output);
    q.for_b = xc_multiplier_of(b / output);
  }
  if (xc_has_multipliers(op)) {
    q.for_a = xc_given_multiplier(op, 0);
    q.for_b = xc_given_multiplier(op, 1);
    q.for_output = xc_given_multiplier(op, 2);
  }
  return q;
}

xc_qprelu xc_qprelu_of(const xc_adaptor *op) {
  xc_qprelu q = {
      .quant = xc_requant_of(op),
      .slope = xc_quant_of(op, XC_ATTR_SLOPE_SCALE, XC_ATTR_SLOPE_ZERO_POINT)};
  double in = (double)q.quant.in.scale, out = (double)q.quant.out.scale;
  q.same = xc_multiplier_of(in / out);
  q.sloped = xc_multiplier_of(in * (double)q.slope.scale / out);
  return q;
}

xc_multiplier xc_sum_multiplier(xc_quant in, xc_quant out, int64_t count) {
  xc_multiplier m = xc_multiplier_of((double)in.scale / (double)out.scale);
  if (count == 0)
    return m;
  int shift = 63;
  while (shift > 0 && !(count >> shift & 1))
    --shift;
  if (shift > 32)
    shift = 32;
  if (shift > 31 + m.shift)
    shift = 31 + m.shift;
  m.value = (int32_t)(((int64_t)m.value << shift) / count);
  m.shift -= shift;
  return m;
}

xc_qlinear xc_qlinear_of(const xc_adaptor *op, xc_arena *arena) {
  xc_qlinear q;
  q.scales = read_floats(op, XC_ATTR_SCALE, arena, &q.count);
  q.zeros = xc_arena_alloc(arena, q.count, sizeof(*q.zeros));
  for (size_t i = 0; i < q.count; ++i)
    q.zeros[i] = xc_attr_int_at(op, XC_ATTR_ZERO_POINT, i);
  return q;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

xc_qsoftmax xc_qsoftmax_of(const xc_adaptor *op) {
  xc_element element = xc_operand_shape(op, XC_QLINEAR_SOFTMAX_INPUT).element;
  xc_qsoftmax q = {.quant = xc_requant_of(op),
                   .beta = (float)xc_attr_float(op, XC_ATTR_BETA),
                   .wide = xc_element_size(element) == 2};
  double scale = (double)q.quant.in.scale, beta = (double)q.beta;
  if (q.wide) {
    q.multiplier = xc_multiplier_of(scale * beta / (10.0 / 65535.0));
    return q;
  }
  double real = beta * scale * (double)(1 << (31 - XC_SOFTMAX_INTEGER_BITS));
  const double most = (double)(INT64_C(1) << 31) - 1;
  q.multiplier = xc_multiplier_of(real > most ? most : real);
  if (q.multiplier.shift < 0)
    q.multiplier.shift = 0;
  q.diff_min = -xc_input_radius(XC_SOFTMAX_INTEGER_BITS, q.multiplier.shift);
  return q;
}

static double exponential(double x) { return exp(x); }
static double inverse_of_successor(double x) { return 1 / (1 + x); }

static int16_t saturate_16(double x) {
  return (int16_t)(x > 32767 ? 32767 : x < -32768 ? -32768 : x);
}

// Each entry is moved by half the error that interpolation makes after it.
static int16_t *make_table(xc_arena *arena, double (*function)(double),
                           float low, float high) {
  int16_t *table = xc_arena_alloc(arena, XC_SOFTMAX_TABLE_SIZE, sizeof(*table));
  float step = (high - low) / (XC_SOFTMAX_TABLE_SIZE - 1), half = step / 2;
  for (int i = 0; i < XC_SOFTMAX_TABLE_SIZE - 1; ++i) {
    float x = low + (float)i * step;
    float here = roundf((float)function((double)x) * 32768.0f);
    float next = (float)function((double)(low + (float)(i + 1) * step));
    float middle = roundf((next * 32768.0f + here) / 2.0f);
    float wanted = roundf((float)function((double)(x + half)) * 32768.0f);
    table[i] = saturate_16((double)(here - roundf((middle - wanted) / 2.0f)));
  }
  table[XC_SOFTMAX_TABLE_SIZE - 1] =
      saturate_16((double)roundf((float)function((double)high) * 32768.0f));
  return table;
}

int16_t *xc_softmax_exp_table(xc_arena *arena) {
  return make_table(arena, exponential, -10.0f, 0.0f);
}

int16_t *xc_softmax_inverse_table(xc_arena *arena) {
  return make_table(arena, inverse_of_successor, 0.0f, 1.0f);
}
