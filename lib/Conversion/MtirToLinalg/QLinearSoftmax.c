//===- QLinearSoftmax.c - quantised softmax -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TFLITE with 8-bit inputs: exp with 5 integer bits, the sum with 12, then the
// reciprocal. With 16-bit inputs: tables of exp and of 1 / (1 + x). ONNX: in
// real numbers.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/MathIR.h"
#include "Conversion/Support/QuantIR.h"

#include <math.h>

typedef struct softmax {
  xc_qsoftmax q;
  size_t axis;
  int64_t length;
  MlirValue at[XC_MAX_RANK];
  MlirValue largest; // i64
  MlirValue exp_table, inverse_table;
} softmax;

static MlirValue i32(const xc_ir *ir, int64_t value) {
  return xc_ir_int(ir, ir->i32, value);
}

static MlirValue load(xc_lowering *l, softmax *s, MlirValue index) {
  s->at[s->axis] = index;
  return xc_load_int(l, XC_QLINEAR_SOFTMAX_INPUT, s->at);
}

static MlirValue difference(xc_lowering *l, softmax *s, MlirValue index) {
  MlirValue wide = xc_ir_sub(&l->ir, load(l, s, index), s->largest);
  return xc_ir_int_cast(&l->ir, wide, l->ir.i32);
}

static MlirValue find_largest(xc_lowering *l, softmax *s) {
  MlirValue start =
      xc_whole(l, xc_element_min(l->shapes[XC_QLINEAR_SOFTMAX_INPUT].element));
  xc_ir_loop loop = xc_ir_for_size(&l->ir, s->length, &start, 1);
  MlirValue next = xc_ir_max(&l->ir, loop.carried[0], load(l, s, loop.index));
  xc_ir_end_for(&l->ir, &loop, &next);
  return loop.results[0];
}

// Returns the sum of a function of the differences.
static MlirValue sum_up(xc_lowering *l, softmax *s, MlirValue zero,
                        MlirValue (*term)(xc_lowering *l, const softmax *s,
                                          MlirValue difference)) {
  xc_ir_loop loop = xc_ir_for_size(&l->ir, s->length, &zero, 1);
  MlirValue next = xc_ir_add(&l->ir, loop.carried[0],
                             term(l, s, difference(l, s, loop.index)));
  xc_ir_end_for(&l->ir, &loop, &next);
  return loop.results[0];
}

// Writes a function (i64) of the differences and what the sum gave.
static void write_line(xc_lowering *l, softmax *s, const MlirValue *parts,
                       MlirValue (*result)(xc_lowering *l, const softmax *s,
                                           MlirValue difference,
                                           const MlirValue *parts)) {
  xc_ir_loop loop = xc_ir_for_size(&l->ir, s->length, NULL, 0);
  MlirValue value = result(l, s, difference(l, s, loop.index), parts);
  xc_store_int(l, value, s->at);
  xc_ir_end_for(&l->ir, &loop, NULL);
}

//===----------------------------------------------------------------------===//
// Eight bits
//===----------------------------------------------------------------------===//

enum { SUM_INTEGER_BITS = 12 };

static MlirValue exp_8(const xc_ir *ir, const softmax *s, MlirValue x) {
  MlirValue shifted = xc_ir_shli(ir, x, s->q.multiplier.shift);
  return xc_ir_exp_on_negative(
      ir, xc_ir_high_multiply(ir, shifted, i32(ir, s->q.multiplier.value)),
      XC_SOFTMAX_INTEGER_BITS);
}

static MlirValue term_8(xc_lowering *l, const softmax *s, MlirValue x) {
  const xc_ir *ir = &l->ir;
  MlirValue term = xc_ir_divide_by_power(ir, exp_8(ir, s, x), SUM_INTEGER_BITS);
  return xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_GE, x, s->q.diff_min), term,
                      i32(ir, 0));
}

// `parts`: the reciprocal of the sum and the shift after it.
static MlirValue result_8(xc_lowering *l, const softmax *s, MlirValue x,
                          const MlirValue *parts) {
  const xc_ir *ir = &l->ir;
  MlirValue product = xc_ir_high_multiply(ir, parts[0], exp_8(ir, s, x));
  MlirValue value = xc_ir_divide_by_power_of(ir, product, parts[1]);
  value = xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_GE, x, s->q.diff_min),
                       value, i32(ir, 0));
  value = xc_ir_int_cast(ir, value, ir->i64);
  return xc_ir_in_range(ir, xc_ir_addi(ir, value, s->q.quant.range.low),
                        s->q.quant.range);
}

static void line_8(xc_lowering *l, softmax *s) {
  const xc_ir *ir = &l->ir;
  MlirValue sum = sum_up(l, s, i32(ir, 0), term_8);
  MlirValue headroom = xc_ir_leading_zeros(ir, sum);
  MlirValue none = xc_ir_comparei(ir, XC_IR_GE, headroom, 32);
  MlirValue shift = xc_ir_select(ir, none, i32(ir, 0), headroom);
  MlirValue shifted =
      xc_ir_select(ir, none, i32(ir, 0), xc_ir_shl(ir, sum, shift));
  int bits = 8 * (int)xc_element_size(l->result.element);
  const MlirValue parts[] = {
      xc_ir_one_over_one_plus(ir, xc_ir_xor(ir, shifted, i32(ir, INT32_MIN))),
      xc_ir_sub(ir, i32(ir, SUM_INTEGER_BITS + 31 - bits), headroom)};
  write_line(l, s, parts, result_8);
}

//===----------------------------------------------------------------------===//
// Sixteen bits
//===----------------------------------------------------------------------===//

static MlirValue entry(const xc_ir *ir, MlirValue table, MlirValue index) {
  MlirValue at = xc_ir_index_cast(ir, index, ir->index);
  return xc_ir_int_cast(ir, xc_ir_load(ir, table, &at, 1), ir->i32);
}

static MlirValue look_up(const xc_ir *ir, MlirValue x, MlirValue table) {
  x = xc_ir_clampi(ir, x, INT16_MIN, INT16_MAX);
  MlirValue index = xc_ir_addi(ir, xc_ir_shri(ir, x, 7), 256);
  MlirValue offset = xc_ir_and(ir, x, i32(ir, 0x7f));
  MlirValue here = entry(ir, table, index);
  MlirValue slope =
      xc_ir_sub(ir, entry(ir, table, xc_ir_addi(ir, index, 1)), here);
  MlirValue step =
      xc_ir_shri(ir, xc_ir_addi(ir, xc_ir_mul(ir, slope, offset), 64), 7);
  return xc_ir_add(ir, here, step);
}

static MlirValue exp_16(xc_lowering *l, const softmax *s, MlirValue x) {
  const xc_ir *ir = &l->ir;
  MlirValue scaled =
      xc_ir_addi(ir, xc_ir_multiply(ir, x, s->q.multiplier), 32767);
  return xc_ir_int_cast(ir, look_up(ir, scaled, s->exp_table), ir->i64);
}

// `parts`: the reciprocal of the sum and the shift after it, both i64.
static MlirValue result_16(xc_lowering *l, const softmax *s, MlirValue x,
                           const MlirValue *parts) {
  const xc_ir *ir = &l->ir;
  MlirValue product = xc_ir_mul(ir, exp_16(l, s, x), parts[0]);
  MlirValue half = xc_ir_shl(ir, xc_whole(l, 1), xc_ir_addi(ir, parts[1], -1));
  MlirValue result = xc_ir_shr(ir, xc_ir_add(ir, product, half), parts[1]);
  return xc_ir_in_range(ir, result, (xc_range){0, s->q.quant.range.high});
}

static void line_16(xc_lowering *l, softmax *s) {
  const xc_ir *ir = &l->ir;
  MlirValue sum = sum_up(l, s, xc_whole(l, 0), exp_16);
  MlirValue headroom = xc_ir_int_cast(
      ir, xc_ir_leading_zeros(ir, xc_ir_int_cast(ir, sum, ir->i32)), ir->i64);
  MlirValue left = xc_ir_max(ir, xc_ir_addi(ir, headroom, -1), xc_whole(l, 0));
  MlirValue shifted =
      xc_ir_shri(ir, xc_ir_addi(ir, xc_ir_shl(ir, sum, left), 1 << 13), 14);
  MlirValue centred = xc_ir_int_cast(
      ir, xc_ir_addi(ir, shifted, -(1 << 15) - (1 << 16)), ir->i32);
  MlirValue inverse = look_up(ir, centred, s->inverse_table);
  MlirValue right =
      xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_LT, headroom, 31),
                   xc_ir_sub(ir, xc_whole(l, 31), headroom), xc_whole(l, 1));
  const MlirValue parts[] = {xc_ir_int_cast(ir, inverse, ir->i64), right};
  write_line(l, s, parts, result_16);
}

static MlirValue make_table(xc_lowering *l, const int16_t *entries) {
  const int64_t size = XC_SOFTMAX_TABLE_SIZE;
  return xc_lowering_table(l, entries, XC_ELEMENT_I16, 1, &size);
}

//===----------------------------------------------------------------------===//
// In real numbers
//===----------------------------------------------------------------------===//

static double real_factor(const softmax *s) {
  return (double)s->q.beta * (double)s->q.quant.in.scale;
}

// `x`: what an element is below the largest.
static MlirValue exp_real(xc_lowering *l, const softmax *s, MlirValue x) {
  const xc_ir *ir = &l->ir;
  if (mlirValueIsNull(s->exp_table))
    return xc_math_exp(ir, xc_ir_mul(ir, xc_real(l, real_factor(s)),
                                     xc_ir_int_to_float(ir, x, ir->f64)));
  MlirValue index = xc_ir_index_cast(ir, xc_ir_neg(ir, x), ir->index);
  return xc_ir_load(ir, s->exp_table, &index, 1);
}

// Elements of 8 bits have 256 differences.
static void prepare_real(xc_lowering *l, softmax *s) {
  if (xc_element_size(l->shapes[XC_QLINEAR_SOFTMAX_INPUT].element) != 1)
    return;
  const int64_t size = 256;
  double table[256];
  for (int i = 0; i < 256; ++i)
    table[i] = exp(real_factor(s) * (double)-i);
  s->exp_table = xc_lowering_table(l, table, XC_ELEMENT_F64, 1, &size);
}

static MlirValue result_real(xc_lowering *l, const softmax *s, MlirValue x,
                             const MlirValue *parts) {
  const xc_ir *ir = &l->ir;
  MlirValue y = xc_ir_div(ir, exp_real(l, s, x), parts[0]);
  y = xc_ir_div(ir, y, xc_real(l, (double)s->q.quant.out.scale));
  return xc_ir_quantize_even(ir, y, s->q.quant.out.zero_point,
                             s->q.quant.range);
}

static void line_real(xc_lowering *l, softmax *s) {
  MlirValue sum = sum_up(l, s, xc_real(l, 0), exp_real);
  write_line(l, s, &sum, result_real);
}

bool xc_linalg_qlinear_softmax(xc_lowering *l) {
  const xc_shape *out = &l->result;
  softmax s = {.q = xc_qsoftmax_of(l->op), .axis = xc_axis_of(l->op)};
  s.length = out->dims[s.axis];
  void (*line)(xc_lowering *l, softmax *s) = line_real;
  if (!s.q.quant.tflite)
    prepare_real(l, &s);
  else
    line = s.q.wide ? line_16 : line_8;
  if (line == line_16) {
    s.exp_table = make_table(l, xc_softmax_exp_table(l->arena));
    s.inverse_table = make_table(l, xc_softmax_inverse_table(l->arena));
  }
  xc_ir_nest nest;
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < out->rank; ++i)
    dims[i] = i == s.axis ? s.length > 0 : out->dims[i];
  xc_ir_nest_begin(&l->ir, &nest, out->rank, dims);
  for (size_t i = 0; i < out->rank; ++i)
    s.at[i] = nest.at[i];
  s.largest = find_largest(l, &s);
  line(l, &s);
  xc_ir_nest_end(&l->ir, &nest);
  return true;
}
