//===- Wide.c - exact arithmetic on integers of 64 bits -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wide.h"

static const MlirValue null_value = {NULL};

enum { MOST_SHIFT = 62 };

MlirValue tosa_emit_wide(tosa_converter *c, MlirValue x) {
  return tosa_emit_cast(c, x, XC_ELEMENT_I64);
}

// tir.div truncates towards zero: one less where that went up.
MlirValue tosa_emit_floor_quotient(tosa_converter *c, MlirValue x,
                                   MlirValue divisor) {
  MlirValue quotient = tosa_emit_binary(c, XC_TIR_DIV, x, divisor);
  const MlirValue sides[] = {tosa_emit_binary(c, XC_TIR_MUL, quotient, divisor),
                             x};
  const xc_attribute above = xc_string("predicate", "GT");
  MlirValue is_above =
      tosa_emit(c, XC_TIR_COMPARE, sides, 2, &above, 1, XC_ELEMENT_I1);
  return tosa_emit_binary(c, XC_TIR_SUB, quotient, tosa_emit_wide(c, is_above));
}

//===----------------------------------------------------------------------===//
// Powers of two
//===----------------------------------------------------------------------===//

// table[shift] for each element; a table entry for each shift up to 62.
static MlirValue look_up(tosa_converter *c, const int64_t *table,
                         MlirValue shift) {
  const xc_shape shape = {
      .element = XC_ELEMENT_I64, .rank = 1, .dims = {MOST_SHIFT + 1}};
  const MlirValue operands[] = {tosa_emit_const(c, table, &shape),
                                tosa_emit_cast(c, shift, XC_ELEMENT_I32)};
  const xc_attribute axis = xc_int("axis", 0);
  return tosa_emit(c, XC_TIR_GATHER, operands, 2, &axis, 1, XC_ELEMENT_NONE);
}

// 2^shift.
static MlirValue emit_power(tosa_converter *c, MlirValue shift) {
  int64_t table[MOST_SHIFT + 1];
  for (int i = 0; i <= MOST_SHIFT; ++i)
    table[i] = INT64_C(1) << i;
  return look_up(c, table, shift);
}

// 2^(shift - 1), 0 where nothing is shifted.
static MlirValue emit_half(tosa_converter *c, MlirValue shift) {
  int64_t table[MOST_SHIFT + 1];
  for (int i = 0; i <= MOST_SHIFT; ++i)
    table[i] = (INT64_C(1) << i) / 2;
  return look_up(c, table, shift);
}

//===----------------------------------------------------------------------===//
// Products and shifts
//===----------------------------------------------------------------------===//

MlirValue tosa_emit_shifted_product(tosa_converter *c, MlirValue x, MlirValue y,
                                    MlirValue shift, xc_element element) {
  const int64_t no_dims[1] = {0};
  shift = tosa_emit_reshape(c, shift, no_dims, 0);
  MlirValue product = tosa_emit_binary(c, XC_TIR_MUL, tosa_emit_wide(c, x),
                                       tosa_emit_wide(c, y));
  product = tosa_emit_binary(c, XC_TIR_ADD, product, emit_half(c, shift));
  return tosa_emit_cast(
      c, tosa_emit_floor_quotient(c, product, emit_power(c, shift)), element);
}

bool tosa_arithmetic_right_shift(tosa_converter *c) {
  MlirValue x = tosa_emit_wide(c, tosa_operand(c, 0));
  MlirValue shift = tosa_operand(c, 1);
  if (tosa_bool(c->op, "round"))
    x = tosa_emit_binary(c, XC_TIR_ADD, x, emit_half(c, shift));
  x = tosa_emit_floor_quotient(c, x, emit_power(c, shift));
  return tosa_done(c, tosa_emit_cast(c, x, tosa_result_shape(c).element));
}

// The same bits as a number that is not negative.
static MlirValue emit_unsigned(tosa_converter *c, MlirValue x) {
  if (mlirValueIsNull(x))
    return x;
  return tosa_emit_wide(
      c, tosa_emit_cast(c, x, tosa_unsigned(tosa_shape(x).element)));
}

bool tosa_logical_shift(tosa_converter *c) {
  MlirValue x = emit_unsigned(c, tosa_operand(c, 0));
  MlirValue power = emit_power(c, tosa_operand(c, 1));
  bool is_left = tosa_is(c->op, "logical_left_shift");
  x = tosa_emit_binary(c, is_left ? XC_TIR_MUL : XC_TIR_DIV, x, power);
  return tosa_done(c, tosa_emit_cast(c, x, tosa_result_shape(c).element));
}

// 32 less the number of powers of two that are not above the bits.
bool tosa_clz(tosa_converter *c) {
  enum { BITS = 32 };
  xc_shape result = tosa_result_shape(c);
  const int64_t column[] = {xc_shape_num_elements(&result), 1}, axis = 1;
  if (result.element != XC_ELEMENT_I32)
    return tosa_error(c, "has integers of another size than 32 bits");
  int64_t table[BITS];
  for (int i = 0; i < BITS; ++i)
    table[i] = INT64_C(1) << i;
  const xc_shape row = {
      .element = XC_ELEMENT_I64, .rank = 2, .dims = {1, BITS}};
  const MlirValue sides[] = {
      tosa_emit_reshape(c, emit_unsigned(c, tosa_operand(c, 0)), column, 2),
      tosa_emit_const(c, table, &row)};
  const xc_attribute reaches = xc_string("predicate", "GE");
  MlirValue x =
      tosa_emit(c, XC_TIR_COMPARE, sides, 2, &reaches, 1, XC_ELEMENT_I1);
  const xc_attribute sum[] = {xc_ints("axis", &axis, 1),
                              xc_bool("keep_dims", true)};
  x = tosa_emit_cast(c, x, XC_ELEMENT_I32);
  x = tosa_emit(c, XC_TIR_REDUCTION_SUM, &x, 1, sum, 2, XC_ELEMENT_NONE);
  x = tosa_emit_binary(c, XC_TIR_SUB, tosa_emit_int(c, BITS, XC_ELEMENT_I32),
                       x);
  return tosa_done(c, tosa_emit_reshape(c, x, result.dims, result.rank));
}

//===----------------------------------------------------------------------===//
// Rescaling
//===----------------------------------------------------------------------===//

typedef enum scale_part { MULTIPLIER, NUDGE, EXTRA, DIVISOR } scale_part;

// Numbers of 64 bits, one or one per channel.
static MlirValue emit_part(tosa_converter *c, const tosa_scale *scale,
                           scale_part part) {
  int64_t *numbers = xc_arena_alloc(&c->arena, scale->count, sizeof(*numbers));
  for (size_t i = 0; i < scale->count; ++i) {
    int64_t divisor = INT64_C(1) << scale->shifts[i];
    bool twice = !scale->single_round && scale->shifts[i] > 31;
    numbers[i] = part == MULTIPLIER ? scale->multipliers[i]
                 : part == NUDGE    ? divisor / 2
                 : part == EXTRA    ? (twice ? INT64_C(1) << 30 : 0)
                                    : divisor;
  }
  const xc_shape shape = {.element = XC_ELEMENT_I64,
                          .rank = scale->count == 1 ? 0 : 1,
                          .dims = {(int64_t)scale->count}};
  return tosa_emit_const(c, numbers, &shape);
}

// What DOUBLE_ROUND adds, with the sign of x.
static MlirValue emit_extra(tosa_converter *c, MlirValue x,
                            const tosa_scale *scale) {
  MlirValue extra = emit_part(c, scale, EXTRA);
  MlirValue zero = tosa_emit_int(c, 0, XC_ELEMENT_I64);
  const MlirValue sides[] = {x, zero};
  const xc_attribute reaches = xc_string("predicate", "GE");
  const MlirValue either[] = {
      tosa_emit(c, XC_TIR_COMPARE, sides, 2, &reaches, 1, XC_ELEMENT_I1), extra,
      tosa_emit_binary(c, XC_TIR_SUB, zero, extra)};
  return tosa_emit(c, XC_TIR_SELECT, either, 3, NULL, 0, XC_ELEMENT_I64);
}

MlirValue tosa_emit_wide_rescale(tosa_converter *c, MlirValue x,
                                 const tosa_scale *scale, xc_element element) {
  if (mlirValueIsNull(x))
    return null_value;
  x = tosa_emit_binary(c, XC_TIR_SUB, tosa_emit_wide(c, x),
                       tosa_emit_int(c, scale->input_zero, XC_ELEMENT_I64));
  MlirValue sum =
      tosa_emit_binary(c, XC_TIR_MUL, x, emit_part(c, scale, MULTIPLIER));
  sum = tosa_emit_binary(c, XC_TIR_ADD, sum, emit_part(c, scale, NUDGE));
  if (!scale->single_round)
    sum = tosa_emit_binary(c, XC_TIR_ADD, sum, emit_extra(c, x, scale));
  x = tosa_emit_floor_quotient(c, sum, emit_part(c, scale, DIVISOR));
  x = tosa_emit_binary(c, XC_TIR_ADD, x,
                       tosa_emit_int(c, scale->output_zero, XC_ELEMENT_I64));
  x = tosa_emit_binary(
      c, XC_TIR_MAX, x,
      tosa_emit_int(c, xc_element_min(element), XC_ELEMENT_I64));
  x = tosa_emit_binary(
      c, XC_TIR_MIN, x,
      tosa_emit_int(c, xc_element_max(element), XC_ELEMENT_I64));
  return tosa_emit_cast(c, x, element);
}
