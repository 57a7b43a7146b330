//===- Logic.c - comparison, choice and conversion ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

static xc_element element_of(const xc_lowering *l, size_t slot) {
  return l->shapes[slot].element;
}

//===----------------------------------------------------------------------===//
// PReLU
//===----------------------------------------------------------------------===//

static MlirValue prelu_cell(xc_lowering *l, const MlirValue *raw,
                            const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  MlirValue x = xc_element_to_real(ir, element_of(l, XC_PRELU_INPUT), raw[0]);
  MlirValue slope =
      xc_element_to_real(ir, element_of(l, XC_PRELU_SLOPE), raw[1]);
  MlirValue y = xc_ir_select(ir, xc_ir_compare(ir, XC_IR_LT, x, xc_real(l, 0)),
                             xc_ir_mul(ir, slope, x), x);
  return xc_element_of_real(ir, l->result.element, y);
}

bool xc_linalg_prelu(xc_lowering *l) {
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, 2, prelu_cell, NULL);
  return true;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static MlirValue compare_cell(xc_lowering *l, const MlirValue *raw,
                              const void *state) {
  (void)state;
  static const struct {
    xc_enum value;
    xc_ir_predicate predicate;
  } rows[] = {{XC_ENUM_EQ, XC_IR_EQ}, {XC_ENUM_NE, XC_IR_NE},
              {XC_ENUM_LT, XC_IR_LT}, {XC_ENUM_LE, XC_IR_LE},
              {XC_ENUM_GT, XC_IR_GT}, {XC_ENUM_GE, XC_IR_GE}};
  size_t row = 0;
  while (!xc_attr_is(l->op, XC_ATTR_PREDICATE, rows[row].value))
    ++row;
  const xc_ir *ir = &l->ir;
  xc_element element = element_of(l, XC_COMPARE_A);
  MlirValue a, b;
  if (xc_element_is_float(element)) {
    a = xc_element_to_real(ir, element, raw[0]);
    b = xc_element_to_real(ir, element, raw[1]);
  } else {
    a = xc_element_to_int(ir, element, raw[0]);
    b = xc_element_to_int(ir, element, raw[1]);
  }
  // Unsigned order is signed order with the top bit turned over.
  if (element == XC_ELEMENT_UI64) {
    a = xc_ir_xor(ir, a, xc_whole(l, INT64_MIN));
    b = xc_ir_xor(ir, b, xc_whole(l, INT64_MIN));
  }
  return xc_ir_uint_cast(ir, xc_ir_compare(ir, rows[row].predicate, a, b),
                         ir->i8);
}

bool xc_linalg_compare(xc_lowering *l) {
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, 2, compare_cell, NULL);
  return true;
}

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

static MlirValue logical_cell(xc_lowering *l, const MlirValue *raw,
                              const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  MlirValue a = xc_ir_comparei(ir, XC_IR_NE, raw[0], 0), result;
  if (xc_attr_is(l->op, XC_ATTR_TYPE, XC_ENUM_NOT)) {
    result = xc_ir_xor(ir, a, xc_ir_int(ir, ir->i1, 1));
  } else {
    MlirValue b = xc_ir_comparei(ir, XC_IR_NE, raw[1], 0);
    result = xc_attr_is(l->op, XC_ATTR_TYPE, XC_ENUM_AND) ? xc_ir_and(ir, a, b)
             : xc_attr_is(l->op, XC_ATTR_TYPE, XC_ENUM_OR)
                 ? xc_ir_or(ir, a, b)
                 : xc_ir_xor(ir, a, b);
  }
  return xc_ir_uint_cast(ir, result, ir->i8);
}

bool xc_linalg_logical(xc_lowering *l) {
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, xc_has_operand(l->op, XC_LOGICAL_B) ? 2 : 1,
                        logical_cell, NULL);
  return true;
}

static MlirValue bitwise_cell(xc_lowering *l, const MlirValue *raw,
                              const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  if (xc_attr_is(l->op, XC_ATTR_TYPE, XC_ENUM_AND))
    return xc_ir_and(ir, raw[0], raw[1]);
  return xc_attr_is(l->op, XC_ATTR_TYPE, XC_ENUM_OR)
             ? xc_ir_or(ir, raw[0], raw[1])
             : xc_ir_xor(ir, raw[0], raw[1]);
}

bool xc_linalg_bitwise(xc_lowering *l) {
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, 2, bitwise_cell, NULL);
  return true;
}

static MlirValue select_cell(xc_lowering *l, const MlirValue *raw,
                             const void *state) {
  (void)state;
  MlirValue condition = xc_ir_comparei(&l->ir, XC_IR_NE, raw[0], 0);
  return xc_ir_select(&l->ir, condition, raw[1], raw[2]);
}

bool xc_linalg_select(xc_lowering *l) {
  const size_t slots[] = {0, 1, 2};
  xc_linalg_elementwise(l, slots, 3, select_cell, NULL);
  return true;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

// Truncates. Numbers outside of the result type wrap; those outside of 64 bits
// become the least integer.
static MlirValue wrap_real(xc_lowering *l, MlirValue value) {
  const xc_ir *ir = &l->ir;
  MlirValue upper = xc_ir_compare(ir, XC_IR_GE, value, xc_real(l, 0x1p63));
  MlirValue beyond = xc_ir_compare(ir, XC_IR_GE, value, xc_real(l, 0x1p64));
  MlirValue below = xc_ir_compare(ir, XC_IR_LT, value, xc_real(l, -0x1p63));
  MlirValue bad =
      xc_ir_or(ir, xc_ir_or(ir, beyond, below), xc_ir_is_nan(ir, value));
  MlirValue zero = xc_real(l, 0);
  // The upper half of the unsigned numbers: 2^63 less, then the top bit.
  MlirValue lowered = xc_ir_sub(ir, value, xc_real(l, 0x1p63));
  MlirValue chosen = xc_ir_select(ir, upper, lowered, value);
  MlirValue whole =
      xc_ir_float_to_int(ir, xc_ir_select(ir, bad, zero, chosen), ir->i64);
  MlirValue least = xc_whole(l, INT64_MIN);
  whole = xc_ir_select(ir, upper, xc_ir_xor(ir, whole, least), whole);
  return xc_ir_select(ir, bad, least, whole);
}

static MlirValue cast_cell(xc_lowering *l, const MlirValue *raw,
                           const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  xc_element in = element_of(l, XC_CAST_INPUT), out = l->result.element;
  bool from_real = xc_element_is_float(in);
  bool saturate = xc_attr_bool(l->op, XC_ATTR_SATURATE);
  if (xc_element_is_float(out) ||
      (from_real && (saturate || out == XC_ELEMENT_I1)))
    return xc_element_of_real(ir, out, xc_element_to_real(ir, in, raw[0]));
  return xc_element_of_int(
      ir, out,
      from_real ? wrap_real(l, xc_element_to_real(ir, in, raw[0]))
                : xc_element_to_int(ir, in, raw[0]));
}

bool xc_linalg_cast(xc_lowering *l) {
  const size_t slot = 0;
  xc_linalg_elementwise(l, &slot, 1, cast_cell, NULL);
  return true;
}
