//===- QLinearEltwise.c - quantised operators of two inputs ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quant.h"

#include <math.h>
#include <string.h>

typedef enum eltwise_type { ADD, SUB, MUL, DIV, MIN, MAX } eltwise_type;

typedef struct eltwise_state {
  const xc_kernel_call *call;
  eltwise_type type;
  xc_quant a, b, output;
  xc_range range;
  int left_shift;
  xc_multiplier for_a, for_b, for_output;
} eltwise_state;

static eltwise_type type_of(const xc_kernel_call *call) {
  static const char *const words[] = {"ADD", "SUB", "MUL", "DIV", "MIN", "MAX"};
  int type = ADD;
  while (!xc_call_is(call, "type", words[type]))
    ++type;
  return (eltwise_type)type;
}

static double combine_reals(eltwise_type type, double a, double b) {
  switch (type) {
  case ADD:
    return a + b;
  case SUB:
    return a - b;
  case MUL:
    return a * b;
  case DIV:
    return a / b;
  case MIN:
    return a < b ? a : b;
  case MAX:
    return a > b ? a : b;
  }
  return 0;
}

static int64_t combine_onnx(const eltwise_state *s, int32_t a, int32_t b) {
  double x = (double)((float)a * s->a.scale);
  double y = (double)((float)b * s->b.scale);
  double result = combine_reals(s->type, x, y) / (double)s->output.scale;
  return xc_quantize_even((double)(float)result, s->output.zero_point,
                          s->range);
}

// Both inputs come to half the larger scale with `left_shift` guard bits.
static int64_t add_tflite(const eltwise_state *s, int32_t a, int32_t b) {
  int32_t x = xc_multiply(xc_shift_wrapping(a, s->left_shift), s->for_a);
  int32_t y = xc_multiply(xc_shift_wrapping(b, s->left_shift), s->for_b);
  int64_t sum = s->type == ADD ? (int64_t)x + y : (int64_t)x - y;
  return xc_multiply((int32_t)sum, s->for_output);
}

static int sign_bits(int32_t x) {
  return x >= 0 ? xc_leading_zeros((uint32_t)x) - 1
                : xc_leading_zeros(~(uint32_t)x) - 1;
}

// 1 / x in 31 bits; the reference leaves 0 open, here it gives the limits.
static int64_t divide_tflite(const eltwise_state *s, int32_t a, int32_t b) {
  if (b == 0)
    return a == 0 ? 0 : a < 0 ? INT32_MIN : INT32_MAX;
  if (b < 0) {
    a = -a;
    b = -b;
  }
  int headroom = xc_leading_zeros((uint32_t)b);
  int reciprocal_shift = 31 - headroom;
  int32_t inverse = xc_one_over_one_plus(
      (int32_t)(((uint32_t)b << headroom) - (UINT32_C(1) << 31)));
  int spare = sign_bits(a);
  int32_t quotient = xc_high_multiply(xc_shift_wrapping(a, spare), inverse);
  xc_multiplier total = {s->for_output.value,
                         s->for_output.shift - reciprocal_shift - spare};
  return xc_multiply(quotient, total);
}

static int64_t combine_tflite(const eltwise_state *s, int32_t a, int32_t b) {
  int64_t result = 0;
  switch (s->type) {
  case ADD:
  case SUB:
    result = add_tflite(s, a, b);
    break;
  case MUL:
    result = xc_multiply((int32_t)((int64_t)a * b), s->for_output);
    break;
  case DIV:
    result = divide_tflite(s, a, b);
    break;
  case MIN:
  case MAX: {
    int64_t x = xc_multiply(a, s->for_a), y = xc_multiply(b, s->for_b);
    result = (x < y) == (s->type == MIN) ? x : y;
    break;
  }
  }
  return xc_clamp(result + s->output.zero_point, s->range);
}

static void prepare(eltwise_state *s, xc_element element) {
  double a = (double)s->a.scale, b = (double)s->b.scale;
  double output = (double)s->output.scale;
  switch (s->type) {
  case ADD:
  case SUB: {
    s->left_shift = xc_element_size(element) == 2 ? 15 : 20;
    double twice = 2 * (a > b ? a : b);
    s->for_a = xc_multiplier_of(a / twice);
    s->for_b = xc_multiplier_of(b / twice);
    s->for_output =
        xc_multiplier_of(twice / ((double)(1 << s->left_shift) * output));
    return;
  }
  case MUL:
    s->for_output = xc_multiplier_of(a * b / output);
    return;
  case DIV:
    s->for_output =
        xc_multiplier_of((double)(s->a.scale / (s->b.scale * s->output.scale)));
    return;
  case MIN:
  case MAX:
    s->for_a = xc_multiplier_of(a / output);
    s->for_b = xc_multiplier_of(b / output);
    return;
  }
}

bool xc_interpret_qlinear_eltwise(xc_kernel_call *call) {
  xc_element element = call->output.shape.element;
  eltwise_state s = {.call = call,
                     .type = type_of(call),
                     .a = xc_call_quant(call, "a"),
                     .b = xc_call_quant(call, "b"),
                     .output = xc_call_quant(call, "output")};
  s.range = xc_activation_range(xc_view_word(call->view, "nonlinear"), element,
                                s.output);
  prepare(&s, element);
  bool tflite = xc_call_is_tflite(call);
  xc_walk walk = xc_walk_begin(&call->output.shape);
  xc_walk_broadcast(&walk, &call->operands[0].shape);
  xc_walk_broadcast(&walk, &call->operands[1].shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int32_t a = (int32_t)xc_get_int(&call->operands[0], walk.offset[0]) -
                s.a.zero_point;
    int32_t b = (int32_t)xc_get_int(&call->operands[1], walk.offset[1]) -
                s.b.zero_point;
    xc_set_int(&call->output, i,
               tflite ? combine_tflite(&s, a, b) : combine_onnx(&s, a, b));
  }
  return true;
}

bool xc_interpret_qlinear_prelu(xc_kernel_call *call) {
  xc_quant in = xc_call_quant(call, "input"),
           out = xc_call_quant(call, "output");
  xc_quant slope = xc_call_quant(call, "slope");
  xc_range range = xc_element_range(call->output.shape.element);
  xc_multiplier same = xc_multiplier_of((double)in.scale / (double)out.scale);
  xc_multiplier sloped = xc_multiplier_of(
      (double)in.scale * (double)slope.scale / (double)out.scale);
  bool tflite = xc_call_is_tflite(call);
  xc_walk walk = xc_walk_begin(&call->output.shape);
  xc_walk_broadcast(&walk, &call->operands[1].shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int32_t x = (int32_t)xc_get_int(&call->operands[0], i) - in.zero_point;
    int32_t a = (int32_t)xc_get_int(&call->operands[1], walk.offset[0]) -
                slope.zero_point;
    if (tflite) {
      int32_t y = x >= 0 ? xc_multiply(x, same)
                         : xc_multiply((int32_t)((int64_t)x * a), sloped);
      xc_set_int(&call->output, i,
                 xc_clamp((int64_t)y + out.zero_point, range));
      continue;
    }
    double y = (double)x * (double)in.scale;
    if (x < 0)
      y *= (double)a * (double)slope.scale;
    xc_set_int(&call->output, i,
               xc_quantize_even(y / (double)out.scale, out.zero_point, range));
  }
  return true;
}
