//===- QLinearEltwise.c - quantised operators of two inputs ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/QuantIR.h"

typedef enum eltwise_type { ADD, SUB, MUL, DIV, MIN, MAX } eltwise_type;

typedef struct eltwise_state {
  eltwise_type type;
  bool tflite;
  xc_quant a, b, output;
  xc_range range;
  int left_shift;
  xc_multiplier for_a, for_b, for_output;
} eltwise_state;

static eltwise_type type_of(const xc_lowering *l) {
  static const char *const words[] = {"ADD", "SUB", "MUL", "DIV", "MIN", "MAX"};
  int type = ADD;
  while (!xc_call_is(&l->call, "type", words[type]))
    ++type;
  return (eltwise_type)type;
}

// An element without its zero point, as an i32.
static MlirValue centred(xc_lowering *l, size_t slot, MlirValue raw,
                         int32_t zero_point) {
  const xc_ir *ir = &l->ir;
  MlirValue value =
      xc_element_to_int(ir, l->call.operands[slot].shape.element, raw);
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

static MlirValue combine_reals(const xc_ir *ir, eltwise_type type, MlirValue a,
                               MlirValue b) {
  switch (type) {
  case ADD:
    return xc_ir_add(ir, a, b);
  case SUB:
    return xc_ir_sub(ir, a, b);
  case MUL:
    return xc_ir_mul(ir, a, b);
  case DIV:
    return xc_ir_div(ir, a, b);
  case MIN:
    return xc_ir_min(ir, a, b);
  case MAX:
    return xc_ir_max(ir, a, b);
  }
  return a;
}

static MlirValue combine_onnx(const xc_ir *ir, const eltwise_state *s,
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
static MlirValue add_tflite(const xc_ir *ir, const eltwise_state *s,
                            MlirValue a, MlirValue b) {
  MlirValue x = xc_ir_multiply(ir, xc_ir_shli(ir, a, s->left_shift), s->for_a);
  MlirValue y = xc_ir_multiply(ir, xc_ir_shli(ir, b, s->left_shift), s->for_b);
  MlirValue sum = s->type == ADD ? xc_ir_add(ir, x, y) : xc_ir_sub(ir, x, y);
  return xc_ir_multiply(ir, sum, s->for_output);
}

static MlirValue i32(const xc_ir *ir, int64_t value) {
  return xc_ir_int(ir, ir->i32, value);
}

// Copies of the sign behind the first.
static MlirValue sign_bits(const xc_ir *ir, MlirValue x) {
  MlirValue same = xc_ir_xor(ir, x, xc_ir_shri(ir, x, 31));
  return xc_ir_addi(ir, xc_ir_leading_zeros(ir, same), -1);
}

// 1 / x in 31 bits; the reference leaves 0 open, here it gives the limits.
static MlirValue divide_tflite(const xc_ir *ir, const eltwise_state *s,
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

static MlirValue choose_tflite(const xc_ir *ir, const eltwise_state *s,
                               MlirValue a, MlirValue b) {
  MlirValue x = xc_ir_multiply(ir, a, s->for_a);
  MlirValue y = xc_ir_multiply(ir, b, s->for_b);
  return s->type == MIN ? xc_ir_min(ir, x, y) : xc_ir_max(ir, x, y);
}

static MlirValue combine_tflite(const xc_ir *ir, const eltwise_state *s,
                                MlirValue a, MlirValue b) {
  MlirValue result = a;
  switch (s->type) {
  case ADD:
  case SUB:
    result = add_tflite(ir, s, a, b);
    break;
  case MUL:
    result = xc_ir_multiply(ir, xc_ir_mul(ir, a, b), s->for_output);
    break;
  case DIV:
    result = divide_tflite(ir, s, a, b);
    break;
  case MIN:
  case MAX:
    result = choose_tflite(ir, s, a, b);
    break;
  }
  MlirValue wide = xc_ir_int_cast(ir, result, ir->i64);
  return xc_ir_in_range(ir, xc_ir_addi(ir, wide, s->output.zero_point),
                        s->range);
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

static MlirValue eltwise_cell(xc_lowering *l, const MlirValue *raw,
                              const void *state) {
  const eltwise_state *s = state;
  MlirValue a = centred(l, 0, raw[0], s->a.zero_point);
  MlirValue b = centred(l, 1, raw[1], s->b.zero_point);
  return xc_element_of_int(&l->ir, l->call.output.shape.element,
                           s->tflite ? combine_tflite(&l->ir, s, a, b)
                                     : combine_onnx(&l->ir, s, a, b));
}

bool xc_linalg_qlinear_eltwise(xc_lowering *l) {
  xc_element element = l->call.output.shape.element;
  eltwise_state s = {.type = type_of(l),
                     .tflite = xc_call_is_tflite(&l->call),
                     .a = xc_call_quant(&l->call, "a"),
                     .b = xc_call_quant(&l->call, "b"),
                     .output = xc_call_quant(&l->call, "output")};
  s.range = xc_activation_range(xc_view_word(l->call.view, "nonlinear"),
                                element, s.output);
  prepare(&s, element);
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, 2, eltwise_cell, &s);
  return true;
}

//===----------------------------------------------------------------------===//
// PReLU
//===----------------------------------------------------------------------===//

typedef struct prelu_state {
  xc_quant in, slope, out;
  xc_range range;
} prelu_state;

static MlirValue prelu_tflite(const xc_ir *ir, const prelu_state *s,
                              MlirValue x, MlirValue a) {
  xc_multiplier same =
      xc_multiplier_of((double)s->in.scale / (double)s->out.scale);
  xc_multiplier sloped = xc_multiplier_of(
      (double)s->in.scale * (double)s->slope.scale / (double)s->out.scale);
  MlirValue y = xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_GE, x, 0),
                             xc_ir_multiply(ir, x, same),
                             xc_ir_multiply(ir, xc_ir_mul(ir, x, a), sloped));
  MlirValue wide = xc_ir_int_cast(ir, y, ir->i64);
  return xc_ir_in_range(ir, xc_ir_addi(ir, wide, s->out.zero_point), s->range);
}

static MlirValue prelu_onnx(const xc_ir *ir, const prelu_state *s, MlirValue x,
                            MlirValue a) {
  MlirValue y = xc_ir_mul(ir, xc_ir_int_to_float(ir, x, ir->f64),
                          xc_ir_float(ir, ir->f64, (double)s->in.scale));
  MlirValue slope = xc_ir_mul(ir, xc_ir_int_to_float(ir, a, ir->f64),
                              xc_ir_float(ir, ir->f64, (double)s->slope.scale));
  y = xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_LT, x, 0),
                   xc_ir_mul(ir, y, slope), y);
  y = xc_ir_div(ir, y, xc_ir_float(ir, ir->f64, (double)s->out.scale));
  return xc_ir_quantize_even(ir, y, s->out.zero_point, s->range);
}

static MlirValue prelu_cell(xc_lowering *l, const MlirValue *raw,
                            const void *state) {
  const prelu_state *s = state;
  MlirValue x = centred(l, 0, raw[0], s->in.zero_point);
  MlirValue a = centred(l, 1, raw[1], s->slope.zero_point);
  return xc_element_of_int(&l->ir, l->call.output.shape.element,
                           xc_call_is_tflite(&l->call)
                               ? prelu_tflite(&l->ir, s, x, a)
                               : prelu_onnx(&l->ir, s, x, a));
}

bool xc_linalg_qlinear_prelu(xc_lowering *l) {
  const prelu_state s = {xc_call_quant(&l->call, "input"),
                         xc_call_quant(&l->call, "slope"),
                         xc_call_quant(&l->call, "output"),
                         xc_element_range(l->call.output.shape.element)};
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, 2, prelu_cell, &s);
  return true;
}
