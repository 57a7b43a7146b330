//===- QLinearEltwise.c - quantised operators of two inputs ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/QuantIR.h"

// Returns an element without its zero point, as an i32.
static MlirValue centred(xc_lowering *l, size_t slot, MlirValue raw,
                         int32_t zero_point) {
  const xc_ir *ir = &l->ir;
  MlirValue value = xc_element_to_int(ir, l->shapes[slot].element, raw);
  return xc_ir_addi(ir, xc_ir_int_cast(ir, value, ir->i32), -zero_point);
}

//===----------------------------------------------------------------------===//
// ONNX
//===----------------------------------------------------------------------===//

static MlirValue real_of(const xc_ir *ir, MlirValue value, float scale) {
  MlirValue real = xc_ir_mul(ir, xc_ir_int_to_float(ir, value, ir->f32),
                             xc_ir_float(ir, ir->f32, (double)scale));
  return xc_ir_float_cast(ir, real, ir->f64);
}

static MlirValue combine_reals(const xc_ir *ir, xc_enum type, MlirValue a,
                               MlirValue b) {
  switch ((int)type) {
  case XC_ENUM_ADD:
    return xc_ir_add(ir, a, b);
  case XC_ENUM_SUB:
    return xc_ir_sub(ir, a, b);
  case XC_ENUM_MUL:
    return xc_ir_mul(ir, a, b);
  case XC_ENUM_DIV:
    return xc_ir_div(ir, a, b);
  case XC_ENUM_MIN:
    return xc_ir_min(ir, a, b);
  default:
    return xc_ir_max(ir, a, b);
  }
}

static MlirValue combine_onnx(const xc_ir *ir, const xc_qeltwise *s,
                              MlirValue a, MlirValue b) {
  MlirValue result = combine_reals(ir, s->type, real_of(ir, a, s->a.scale),
                                   real_of(ir, b, s->b.scale));
  result =
      xc_ir_div(ir, result, xc_ir_float(ir, ir->f64, (double)s->output.scale));
  return xc_ir_quantize_even(ir, xc_ir_float_cast(ir, result, ir->f32),
                             s->output.zero_point, s->range);
}

//===----------------------------------------------------------------------===//
// TFLITE
//===----------------------------------------------------------------------===//

// Both inputs come to half the larger scale with `left_shift` guard bits.
static MlirValue add_tflite(const xc_ir *ir, const xc_qeltwise *s, MlirValue a,
                            MlirValue b) {
  MlirValue x = xc_ir_multiply(ir, xc_ir_shli(ir, a, s->left_shift), s->for_a);
  MlirValue y = xc_ir_multiply(ir, xc_ir_shli(ir, b, s->left_shift), s->for_b);
  MlirValue sum =
      s->type == XC_ENUM_ADD ? xc_ir_add(ir, x, y) : xc_ir_sub(ir, x, y);
  return xc_ir_multiply(ir, sum, s->for_output);
}

static MlirValue i32(const xc_ir *ir, int64_t value) {
  return xc_ir_int(ir, ir->i32, value);
}

// Copies of the sign after the first.
static MlirValue sign_bits(const xc_ir *ir, MlirValue x) {
  MlirValue same = xc_ir_xor(ir, x, xc_ir_shri(ir, x, 31));
  return xc_ir_addi(ir, xc_ir_leading_zeros(ir, same), -1);
}

// 1 / x in 31 bits; the reference leaves 0 open, here it gives the limits.
static MlirValue divide_tflite(const xc_ir *ir, const xc_qeltwise *s,
                               MlirValue a, MlirValue b) {
  MlirValue flip = xc_ir_comparei(ir, XC_IR_LT, b, 0);
  MlirValue zero = xc_ir_comparei(ir, XC_IR_EQ, b, 0);
  MlirValue x = xc_ir_select(ir, flip, xc_ir_neg(ir, a), a);
  MlirValue y = xc_ir_select(ir, flip, xc_ir_neg(ir, b), b);
  y = xc_ir_select(ir, zero, i32(ir, 1), y);
  MlirValue headroom = xc_ir_leading_zeros(ir, y);
  MlirValue inverse = xc_ir_one_over_one_plus(
      ir, xc_ir_xor(ir, xc_ir_shl(ir, y, headroom), i32(ir, INT32_MIN)));
  MlirValue spare = sign_bits(ir, x);
  MlirValue quotient =
      xc_ir_high_multiply(ir, xc_ir_shl(ir, x, spare), inverse);
  MlirValue shift =
      xc_ir_sub(ir, xc_ir_addi(ir, headroom, s->for_output.shift - 31), spare);
  MlirValue left = xc_ir_max(ir, shift, i32(ir, 0));
  MlirValue right = xc_ir_max(ir, xc_ir_neg(ir, shift), i32(ir, 0));
  MlirValue result = xc_ir_multiply_by(
      ir, quotient, i32(ir, s->for_output.value), left, right);
  MlirValue limit = xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_LT, a, 0),
                                 i32(ir, INT32_MIN), i32(ir, INT32_MAX));
  limit =
      xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_EQ, a, 0), i32(ir, 0), limit);
  return xc_ir_select(ir, zero, limit, result);
}

static MlirValue choose_tflite(const xc_ir *ir, const xc_qeltwise *s,
                               MlirValue a, MlirValue b) {
  MlirValue x = xc_ir_multiply(ir, a, s->for_a);
  MlirValue y = xc_ir_multiply(ir, b, s->for_b);
  return s->type == XC_ENUM_MIN ? xc_ir_min(ir, x, y) : xc_ir_max(ir, x, y);
}

static MlirValue combine_tflite(const xc_ir *ir, const xc_qeltwise *s,
                                MlirValue a, MlirValue b) {
  MlirValue result;
  if (s->type == XC_ENUM_ADD || s->type == XC_ENUM_SUB)
    result = add_tflite(ir, s, a, b);
  else if (s->type == XC_ENUM_MUL)
    result = xc_ir_multiply(ir, xc_ir_mul(ir, a, b), s->for_output);
  else if (s->type == XC_ENUM_DIV)
    result = divide_tflite(ir, s, a, b);
  else
    result = choose_tflite(ir, s, a, b);
  MlirValue wide = xc_ir_int_cast(ir, result, ir->i64);
  return xc_ir_in_range(ir, xc_ir_addi(ir, wide, s->output.zero_point),
                        s->range);
}

static MlirValue eltwise_cell(xc_lowering *l, const MlirValue *raw,
                              const void *state) {
  const xc_qeltwise *s = state;
  MlirValue a = centred(l, XC_QLINEAR_ELTWISE_A, raw[0], s->a.zero_point);
  MlirValue b = centred(l, XC_QLINEAR_ELTWISE_B, raw[1], s->b.zero_point);
  return xc_element_of_int(&l->ir, l->result.element,
                           s->tflite ? combine_tflite(&l->ir, s, a, b)
                                     : combine_onnx(&l->ir, s, a, b));
}

bool xc_linalg_qlinear_eltwise(xc_lowering *l) {
  const xc_qeltwise s = xc_qeltwise_of(l->op);
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, 2, eltwise_cell, &s);
  return true;
}

//===----------------------------------------------------------------------===//
// PReLU
//===----------------------------------------------------------------------===//

static MlirValue prelu_tflite(const xc_ir *ir, const xc_qprelu *s, MlirValue x,
                              MlirValue a) {
  MlirValue y = xc_ir_select(
      ir, xc_ir_comparei(ir, XC_IR_GE, x, 0), xc_ir_multiply(ir, x, s->same),
      xc_ir_multiply(ir, xc_ir_mul(ir, x, a), s->sloped));
  MlirValue wide = xc_ir_int_cast(ir, y, ir->i64);
  return xc_ir_in_range(ir, xc_ir_addi(ir, wide, s->quant.out.zero_point),
                        s->quant.range);
}

static MlirValue prelu_onnx(const xc_ir *ir, const xc_qprelu *s, MlirValue x,
                            MlirValue a) {
  MlirValue y = xc_ir_mul(ir, xc_ir_int_to_float(ir, x, ir->f64),
                          xc_ir_float(ir, ir->f64, (double)s->quant.in.scale));
  MlirValue slope = xc_ir_mul(ir, xc_ir_int_to_float(ir, a, ir->f64),
                              xc_ir_float(ir, ir->f64, (double)s->slope.scale));
  y = xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_LT, x, 0),
                   xc_ir_mul(ir, y, slope), y);
  y = xc_ir_div(ir, y, xc_ir_float(ir, ir->f64, (double)s->quant.out.scale));
  return xc_ir_quantize_even(ir, y, s->quant.out.zero_point, s->quant.range);
}

static MlirValue prelu_cell(xc_lowering *l, const MlirValue *raw,
                            const void *state) {
  const xc_qprelu *s = state;
  MlirValue x =
      centred(l, XC_QLINEAR_PRELU_INPUT, raw[0], s->quant.in.zero_point);
  MlirValue a = centred(l, XC_QLINEAR_PRELU_SLOPE, raw[1], s->slope.zero_point);
  return xc_element_of_int(&l->ir, l->result.element,
                           s->quant.tflite ? prelu_tflite(&l->ir, s, x, a)
                                           : prelu_onnx(&l->ir, s, x, a));
}

bool xc_linalg_qlinear_prelu(xc_lowering *l) {
  const xc_qprelu s = xc_qprelu_of(l->op);
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, 2, prelu_cell, &s);
  return true;
}
