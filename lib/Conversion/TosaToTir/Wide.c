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

/// Returns the value in 64 bits.
static MlirValue emit_wide(xc_tosa_converter *c, MlirValue x) {
  return xc_tosa_emit_cast(c, x, XC_ELEMENT_I64);
}

// tir.div truncates towards zero: one less where that went up.
MlirValue xc_tosa_emit_floor_quotient(xc_tosa_converter *c, MlirValue x,
                                      MlirValue divisor) {
  MlirValue quotient = xc_tosa_emit_binary(c, XC_TIR_DIV, x, divisor);
  const MlirValue sides[] = {
      xc_tosa_emit_binary(c, XC_TIR_MUL, quotient, divisor), x};
  const xc_attribute above = xc_string("predicate", "GT");
  MlirValue is_above =
      xc_tosa_emit(c, XC_TIR_COMPARE, sides, 2, &above, 1, XC_ELEMENT_I1);
  return xc_tosa_emit_binary(c, XC_TIR_SUB, quotient, emit_wide(c, is_above));
}

//===----------------------------------------------------------------------===//
// Powers of two
//===----------------------------------------------------------------------===//

// table[shift] for each element; a table entry for each shift up to 62.
static MlirValue look_up(xc_tosa_converter *c, const int64_t *table,
                         MlirValue shift) {
  const xc_shape shape = {
      .element = XC_ELEMENT_I64, .rank = 1, .dims = {MOST_SHIFT + 1}};
  const MlirValue operands[] = {xc_tosa_emit_const(c, table, &shape),
                                xc_tosa_emit_cast(c, shift, XC_ELEMENT_I32)};
  const xc_attribute axis = xc_int("axis", 0);
  return xc_tosa_emit(c, XC_TIR_GATHER, operands, 2, &axis, 1, XC_ELEMENT_NONE);
}

// 2^shift.
static MlirValue emit_power(xc_tosa_converter *c, MlirValue shift) {
  int64_t table[MOST_SHIFT + 1];
  for (int i = 0; i <= MOST_SHIFT; ++i)
    table[i] = INT64_C(1) << i;
  return look_up(c, table, shift);
}

// 2^(shift - 1), 0 where nothing is shifted.
static MlirValue emit_half(xc_tosa_converter *c, MlirValue shift) {
  int64_t table[MOST_SHIFT + 1];
  for (int i = 0; i <= MOST_SHIFT; ++i)
    table[i] = (INT64_C(1) << i) / 2;
  return look_up(c, table, shift);
}

//===----------------------------------------------------------------------===//
// Products and shifts
//===----------------------------------------------------------------------===//

MlirValue xc_tosa_emit_shifted_product(xc_tosa_converter *c, MlirValue x,
                                       MlirValue y, MlirValue shift,
                                       xc_element element) {
  const int64_t no_dims[1] = {0};
  shift = xc_tosa_emit_reshape(c, shift, no_dims, 0);
  MlirValue product =
      xc_tosa_emit_binary(c, XC_TIR_MUL, emit_wide(c, x), emit_wide(c, y));
  product = xc_tosa_emit_binary(c, XC_TIR_ADD, product, emit_half(c, shift));
  return xc_tosa_emit_cast(
      c, xc_tosa_emit_floor_quotient(c, product, emit_power(c, shift)),
      element);
}

bool xc_tosa_arithmetic_right_shift(xc_tosa_converter *c) {
  MlirValue x = emit_wide(c, xc_tosa_operand(c, 0));
  MlirValue shift = xc_tosa_operand(c, 1);
  if (xc_tosa_bool(c->op, "round"))
    x = xc_tosa_emit_binary(c, XC_TIR_ADD, x, emit_half(c, shift));
  x = xc_tosa_emit_floor_quotient(c, x, emit_power(c, shift));
  return xc_tosa_done(c,
                      xc_tosa_emit_cast(c, x, xc_tosa_result_shape(c).element));
}

// The same bits as a number that is not negative.
static MlirValue emit_unsigned(xc_tosa_converter *c, MlirValue x) {
  if (mlirValueIsNull(x))
    return x;
  return emit_wide(
      c, xc_tosa_emit_cast(c, x, xc_tosa_unsigned(xc_tosa_shape(x).element)));
}

bool xc_tosa_logical_shift(xc_tosa_converter *c) {
  MlirValue x = emit_unsigned(c, xc_tosa_operand(c, 0));
  MlirValue power = emit_power(c, xc_tosa_operand(c, 1));
  bool is_left = xc_tosa_is(c->op, "logical_left_shift");
  x = xc_tosa_emit_binary(c, is_left ? XC_TIR_MUL : XC_TIR_DIV, x, power);
  return xc_tosa_done(c,
                      xc_tosa_emit_cast(c, x, xc_tosa_result_shape(c).element));
}

// 32 less the number of powers of two that are not above the bits.
bool xc_tosa_clz(xc_tosa_converter *c) {
  enum { BITS = 32 };
  xc_shape result = xc_tosa_result_shape(c);
  const int64_t column[] = {xc_shape_num_elements(&result), 1}, axis = 1;
  if (result.element != XC_ELEMENT_I32)
    return xc_tosa_error(c, "has integers of another size than 32 bits");
  int64_t table[BITS];
  for (int i = 0; i < BITS; ++i)
    table[i] = INT64_C(1) << i;
  const xc_shape row = {
      .element = XC_ELEMENT_I64, .rank = 2, .dims = {1, BITS}};
  const MlirValue sides[] = {
      xc_tosa_emit_reshape(c, emit_unsigned(c, xc_tosa_operand(c, 0)), column,
                           2),
      xc_tosa_emit_const(c, table, &row)};
  const xc_attribute reaches = xc_string("predicate", "GE");
  MlirValue x =
      xc_tosa_emit(c, XC_TIR_COMPARE, sides, 2, &reaches, 1, XC_ELEMENT_I1);
  const xc_attribute sum[] = {xc_ints("axis", &axis, 1),
                              xc_bool("keep_dims", true)};
  x = xc_tosa_emit_cast(c, x, XC_ELEMENT_I32);
  x = xc_tosa_emit(c, XC_TIR_REDUCTION_SUM, &x, 1, sum, 2, XC_ELEMENT_NONE);
  x = xc_tosa_emit_binary(c, XC_TIR_SUB,
                          xc_tosa_emit_int(c, BITS, XC_ELEMENT_I32), x);
  return xc_tosa_done(c, xc_tosa_emit_reshape(c, x, result.dims, result.rank));
}

//===----------------------------------------------------------------------===//
// Rescaling
//===----------------------------------------------------------------------===//

typedef enum scale_part { MULTIPLIER, NUDGE, EXTRA, DIVISOR } scale_part;

// Returns the numbers of 64 bits, one or one per channel.
static MlirValue emit_part(xc_tosa_converter *c, const xc_tosa_scale *scale,
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
  return xc_tosa_emit_const(c, numbers, &shape);
}

// Emits the summand of DOUBLE_ROUND, which has the sign of x.
static MlirValue emit_extra(xc_tosa_converter *c, MlirValue x,
                            const xc_tosa_scale *scale) {
  MlirValue extra = emit_part(c, scale, EXTRA);
  MlirValue zero = xc_tosa_emit_int(c, 0, XC_ELEMENT_I64);
  const MlirValue sides[] = {x, zero};
  const xc_attribute reaches = xc_string("predicate", "GE");
  const MlirValue either[] = {
      xc_tosa_emit(c, XC_TIR_COMPARE, sides, 2, &reaches, 1, XC_ELEMENT_I1),
      extra, xc_tosa_emit_binary(c, XC_TIR_SUB, zero, extra)};
  return xc_tosa_emit(c, XC_TIR_SELECT, either, 3, NULL, 0, XC_ELEMENT_I64);
}

MlirValue xc_tosa_emit_wide_rescale(xc_tosa_converter *c, MlirValue x,
                                    const xc_tosa_scale *scale,
                                    xc_element element) {
  if (mlirValueIsNull(x))
    return null_value;
  x = xc_tosa_emit_binary(
      c, XC_TIR_SUB, emit_wide(c, x),
      xc_tosa_emit_int(c, scale->input_zero, XC_ELEMENT_I64));
  MlirValue sum =
      xc_tosa_emit_binary(c, XC_TIR_MUL, x, emit_part(c, scale, MULTIPLIER));
  sum = xc_tosa_emit_binary(c, XC_TIR_ADD, sum, emit_part(c, scale, NUDGE));
  if (!scale->single_round)
    sum = xc_tosa_emit_binary(c, XC_TIR_ADD, sum, emit_extra(c, x, scale));
  x = xc_tosa_emit_floor_quotient(c, sum, emit_part(c, scale, DIVISOR));
  x = xc_tosa_emit_binary(
      c, XC_TIR_ADD, x,
      xc_tosa_emit_int(c, scale->output_zero, XC_ELEMENT_I64));
  x = xc_tosa_emit_binary(
      c, XC_TIR_MAX, x,
      xc_tosa_emit_int(c, xc_element_min(element), XC_ELEMENT_I64));
  x = xc_tosa_emit_binary(
      c, XC_TIR_MIN, x,
      xc_tosa_emit_int(c, xc_element_max(element), XC_ELEMENT_I64));
  return xc_tosa_emit_cast(c, x, element);
}
