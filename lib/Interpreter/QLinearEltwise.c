//===- QLinearEltwise.c - quantised operators of two inputs ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "OpParams/Quant.h"

static double combine_reals(xc_enum type, double a, double b) {
  switch ((int)type) {
  case XC_ENUM_ADD:
    return a + b;
  case XC_ENUM_SUB:
    return a - b;
  case XC_ENUM_MUL:
    return a * b;
  case XC_ENUM_DIV:
    return a / b;
  case XC_ENUM_MIN:
    return a < b ? a : b;
  default:
    return a > b ? a : b;
  }
}

static int64_t combine_onnx(const xc_qeltwise *s, int32_t a, int32_t b) {
  double x = (double)((float)a * s->a.scale);
  double y = (double)((float)b * s->b.scale);
  double result = combine_reals(s->type, x, y) / (double)s->output.scale;
  return xc_quantize_even((double)(float)result, s->output.zero_point,
                          s->range);
}

// Both inputs come to half the larger scale with `left_shift` guard bits.
static int64_t add_tflite(const xc_qeltwise *s, int32_t a, int32_t b) {
  int32_t x = xc_multiply(xc_shift_wrapping(a, s->left_shift), s->for_a);
  int32_t y = xc_multiply(xc_shift_wrapping(b, s->left_shift), s->for_b);
  int64_t sum = s->type == XC_ENUM_ADD ? (int64_t)x + y : (int64_t)x - y;
  return xc_multiply((int32_t)sum, s->for_output);
}

static int sign_bits(int32_t x) {
  return x >= 0 ? xc_leading_zeros((uint32_t)x) - 1
                : xc_leading_zeros(~(uint32_t)x) - 1;
}

// 1 / x in 31 bits; the reference leaves 0 open, here it gives the limits.
static int64_t divide_tflite(const xc_qeltwise *s, int32_t a, int32_t b) {
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
                         s->for_output.shift - reciprocal_shift - spare, false};
  return xc_multiply(quotient, total);
}

static int64_t choose_tflite(const xc_qeltwise *s, int32_t a, int32_t b) {
  int64_t x = xc_multiply(a, s->for_a), y = xc_multiply(b, s->for_b);
  return (x < y) == (s->type == XC_ENUM_MIN) ? x : y;
}

static int64_t combine_tflite(const xc_qeltwise *s, int32_t a, int32_t b) {
  int64_t result;
  if (s->type == XC_ENUM_ADD || s->type == XC_ENUM_SUB)
    result = add_tflite(s, a, b);
  else if (s->type == XC_ENUM_MUL)
    result = xc_multiply((int32_t)((int64_t)a * b), s->for_output);
  else if (s->type == XC_ENUM_DIV)
    result = divide_tflite(s, a, b);
  else
    result = choose_tflite(s, a, b);
  return xc_clamp(result + s->output.zero_point, s->range);
}

bool xc_interpret_qlinear_eltwise(xc_kernel_call *call) {
  xc_qeltwise s = xc_qeltwise_of(call->op);
  xc_walk walk = xc_walk_begin(&call->output.shape);
  xc_walk_broadcast(&walk, &call->operands[XC_QLINEAR_ELTWISE_A].shape);
  xc_walk_broadcast(&walk, &call->operands[XC_QLINEAR_ELTWISE_B].shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int32_t a = (int32_t)xc_get_int(&call->operands[XC_QLINEAR_ELTWISE_A],
                                    walk.offset[0]) -
                s.a.zero_point;
    int32_t b = (int32_t)xc_get_int(&call->operands[XC_QLINEAR_ELTWISE_B],
                                    walk.offset[1]) -
                s.b.zero_point;
    xc_set_int(&call->output, i,
               s.tflite ? combine_tflite(&s, a, b) : combine_onnx(&s, a, b));
  }
  return true;
}

bool xc_interpret_qlinear_prelu(xc_kernel_call *call) {
  xc_qprelu q = xc_qprelu_of(call->op);
  xc_quant in = q.quant.in, out = q.quant.out;
  xc_walk walk = xc_walk_begin(&call->output.shape);
  xc_walk_broadcast(&walk, &call->operands[XC_QLINEAR_PRELU_SLOPE].shape);
  for (int64_t i = 0; walk.left > 0; xc_walk_next(&walk), ++i) {
    int32_t x =
        (int32_t)xc_get_int(&call->operands[XC_QLINEAR_PRELU_INPUT], i) -
        in.zero_point;
    int32_t a = (int32_t)xc_get_int(&call->operands[XC_QLINEAR_PRELU_SLOPE],
                                    walk.offset[0]) -
                q.slope.zero_point;
    if (q.quant.tflite) {
      int32_t y = x >= 0 ? xc_multiply(x, q.same)
                         : xc_multiply((int32_t)((int64_t)x * a), q.sloped);
      xc_set_int(&call->output, i,
                 xc_clamp((int64_t)y + out.zero_point, q.quant.range));
      continue;
    }
    double y = (double)x * (double)in.scale;
    if (x < 0)
      y *= (double)a * (double)q.slope.scale;
    xc_set_int(
        &call->output, i,
        xc_quantize_even(y / (double)out.scale, out.zero_point, q.quant.range));
  }
  return true;
}
