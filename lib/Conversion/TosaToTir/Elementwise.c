//===- Elementwise.c - operators on single elements -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"
#include "Wide.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const MlirValue null_value = {NULL};

static bool result_is_float(const xc_tosa_converter *c) {
  return xc_element_is_float(xc_tosa_result_shape(c).element);
}

//===----------------------------------------------------------------------===//
// One operator of tir
//===----------------------------------------------------------------------===//

typedef struct same_row {
  const char *name;
  xc_op_kind kind;
} same_row;

static xc_op_kind find_kind(const xc_tosa_converter *c, const same_row *rows) {
  while (!xc_tosa_is(c->op, rows->name))
    ++rows;
  return rows->kind;
}

bool xc_tosa_unary(xc_tosa_converter *c) {
  static const same_row rows[] = {
      {"abs", XC_TIR_ABS}, {"ceil", XC_TIR_CEIL},   {"cos", XC_TIR_COS},
      {"erf", XC_TIR_ERF}, {"exp", XC_TIR_EXP},     {"floor", XC_TIR_FLOOR},
      {"log", XC_TIR_LOG}, {"rsqrt", XC_TIR_RSQRT}, {"sigmoid", XC_TIR_SIGMOID},
      {"sin", XC_TIR_SIN}, {"tanh", XC_TIR_TANH},
  };
  xc_op_kind kind = find_kind(c, rows);
  if (!result_is_float(c) && kind != XC_TIR_ABS)
    return xc_tosa_error(c, "has integers, for which tir has no such function");
  return xc_tosa_done(c, xc_tosa_emit_unary(c, kind, xc_tosa_operand(c, 0)));
}

bool xc_tosa_binary(xc_tosa_converter *c) {
  static const same_row rows[] = {
      {"add", XC_TIR_ADD},     {"intdiv", XC_TIR_DIV}, {"maximum", XC_TIR_MAX},
      {"minimum", XC_TIR_MIN}, {"pow", XC_TIR_POW},    {"sub", XC_TIR_SUB},
  };
  MlirValue a = xc_tosa_operand(c, 0);
  return xc_tosa_done(
      c, xc_tosa_emit_binary(c, find_kind(c, rows), a, xc_tosa_operand(c, 1)));
}

// The shift of integers, which is mostly a constant 0.
static bool is_shifted(xc_tosa_converter *c) {
  size_t count;
  const int64_t *shift = xc_tosa_ints(c, xc_tosa_operand(c, 2), &count);
  return !shift || count != 1 || shift[0] != 0;
}

// Products are as wide as the result before they are rounded.
bool xc_tosa_mul(xc_tosa_converter *c) {
  MlirValue a = xc_tosa_operand(c, 0), b = xc_tosa_operand(c, 1);
  xc_element element = xc_tosa_result_shape(c).element;
  if (xc_element_is_float(element)) {
    MlirValue softmax = xc_tosa_emit_softmax(c);
    if (!mlirValueIsNull(softmax))
      return xc_tosa_done(c, softmax);
  } else if (is_shifted(c)) {
    return xc_tosa_done(c, xc_tosa_emit_shifted_product(
                               c, a, b, xc_tosa_operand(c, 2), element));
  }
  a = xc_tosa_emit_cast(c, a, element);
  return xc_tosa_done(c, xc_tosa_emit_binary(c, XC_TIR_MUL, a,
                                             xc_tosa_emit_cast(c, b, element)));
}

bool xc_tosa_identity(xc_tosa_converter *c) {
  return xc_tosa_done(c, xc_tosa_operand(c, 0));
}

bool xc_tosa_reciprocal(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  if (mlirValueIsNull(x))
    return false;
  MlirValue one = xc_tosa_emit_number(c, 1, xc_tosa_shape(x).element);
  return xc_tosa_done(c, xc_tosa_emit_binary(c, XC_TIR_DIV, one, x));
}

// -1 - x.
bool xc_tosa_bitwise_not(xc_tosa_converter *c) {
  MlirValue ones = xc_tosa_emit_int(c, -1, xc_tosa_result_shape(c).element);
  return xc_tosa_done(
      c, xc_tosa_emit_binary(c, XC_TIR_SUB, ones, xc_tosa_operand(c, 0)));
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

static MlirValue emit_clip(xc_tosa_converter *c, MlirValue x, double low,
                           double high) {
  const xc_attribute limits[] = {xc_float("min", low), xc_float("max", high)};
  return xc_tosa_emit(c, XC_TIR_CLIP, &x, 1, limits, 2, XC_ELEMENT_NONE);
}

static MlirValue clamp_float(xc_tosa_converter *c, MlirValue x, double low,
                             double high) {
  if (isnan(low) || isnan(high) || !(low <= high)) {
    xc_tosa_error(c, "has limits %g and %g, expected numbers in order", low,
                  high);
    return null_value;
  }
  if (low == 0 && high >= FLT_MAX)
    return xc_tosa_emit_unary(c, XC_TIR_RELU, x);
  if (low == 0 && high == 6)
    return xc_tosa_emit_unary(c, XC_TIR_RELU6, x);
  return emit_clip(c, x, low, high);
}

// The limits of tir.clip are floats of 32 bits.
static MlirValue clamp_int(xc_tosa_converter *c, MlirValue x, int64_t low,
                           int64_t high) {
  xc_element element = xc_tosa_shape(x).element;
  bool holds = low > xc_element_min(element);
  bool caps = high < xc_element_max(element);
  if (!holds && !caps)
    return x;
  if (low == 0 && !caps)
    return xc_tosa_emit_unary(c, XC_TIR_RELU, x);
  if (xc_element_size(element) <= 2)
    return emit_clip(c, x, (double)low, (double)high);
  if (holds)
    x = xc_tosa_emit_binary(c, XC_TIR_MAX, x,
                            xc_tosa_emit_int(c, low, element));
  if (caps)
    x = xc_tosa_emit_binary(c, XC_TIR_MIN, x,
                            xc_tosa_emit_int(c, high, element));
  return x;
}

static bool is_integer(MlirAttribute number) {
  return mlirAttributeIsAInteger(number) &&
         mlirTypeIsAInteger(mlirAttributeGetType(number));
}

static int64_t read_integer(MlirAttribute number) {
  MlirType type = mlirAttributeGetType(number);
  return mlirIntegerTypeIsUnsigned(type)
             ? (int64_t)mlirIntegerAttrGetValueUInt(number)
         : mlirIntegerTypeIsSigned(type) ? mlirIntegerAttrGetValueSInt(number)
                                         : mlirIntegerAttrGetValueInt(number);
}

bool xc_tosa_clamp(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  MlirAttribute low = xc_op_attribute(c->op, "min_val");
  MlirAttribute high = xc_op_attribute(c->op, "max_val");
  if (mlirValueIsNull(x))
    return false;
  if (xc_pointer_map_has(&c->absorbed, c->op.ptr))
    return xc_tosa_done(c, x);
  if (mlirAttributeIsNull(low) || mlirAttributeIsNull(high))
    return xc_tosa_error(c, "has no limits");
  if (mlirAttributeIsAFloat(low) && mlirAttributeIsAFloat(high) &&
      result_is_float(c))
    return xc_tosa_done(c, clamp_float(c, x, mlirFloatAttrGetValueDouble(low),
                                       mlirFloatAttrGetValueDouble(high)));
  xc_element element = xc_tosa_result_shape(c).element;
  if (!is_integer(low) || !is_integer(high) || result_is_float(c) ||
      element == XC_ELEMENT_I1)
    return xc_tosa_error(c, "has limits of another type than its elements");
  return xc_tosa_done(c,
                      clamp_int(c, x, read_integer(low), read_integer(high)));
}

// Integers are negated about their zero points and held in their type.
static MlirValue negate_ints(xc_tosa_converter *c, MlirValue x, int64_t zeros) {
  xc_element element = xc_tosa_shape(x).element;
  if (xc_element_size(element) > 2)
    return zeros == 0
               ? xc_tosa_emit_unary(c, XC_TIR_NEG, x)
               : xc_tosa_emit_binary(c, XC_TIR_SUB,
                                     xc_tosa_emit_int(c, zeros, element), x);
  MlirValue wide = xc_tosa_emit_cast(c, x, XC_ELEMENT_I32);
  wide = xc_tosa_emit_binary(c, XC_TIR_SUB,
                             xc_tosa_emit_int(c, zeros, XC_ELEMENT_I32), wide);
  wide = emit_clip(c, wide, (double)xc_element_min(element),
                   (double)xc_element_max(element));
  return xc_tosa_emit_cast(c, wide, element);
}

bool xc_tosa_negate(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  int64_t in, out;
  if (mlirValueIsNull(x) || !xc_tosa_scalar(c, 1, "zero point", &in) ||
      !xc_tosa_scalar(c, 2, "zero point", &out))
    return false;
  return xc_tosa_done(c, result_is_float(c)
                             ? xc_tosa_emit_unary(c, XC_TIR_NEG, x)
                             : negate_ints(c, x, in + out));
}

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

bool xc_tosa_compare(xc_tosa_converter *c) {
  const MlirValue operands[] = {xc_tosa_operand(c, 0), xc_tosa_operand(c, 1)};
  const xc_attribute predicate =
      xc_string("predicate", xc_tosa_is(c->op, "equal")     ? "EQ"
                             : xc_tosa_is(c->op, "greater") ? "GT"
                                                            : "GE");
  return xc_tosa_done(c, xc_tosa_emit(c, XC_TIR_COMPARE, operands, 2,
                                      &predicate, 1, XC_ELEMENT_I1));
}

bool xc_tosa_logical(xc_tosa_converter *c) {
  static const char *const words[][2] = {{"logical_and", "AND"},
                                         {"logical_or", "OR"},
                                         {"logical_xor", "XOR"},
                                         {"logical_not", "NOT"}};
  size_t i = 0;
  while (!xc_tosa_is(c->op, words[i][0]))
    ++i;
  size_t count = (size_t)mlirOperationGetNumOperands(c->op);
  MlirValue operands[2];
  for (size_t k = 0; k < count && k < 2; ++k)
    operands[k] = xc_tosa_operand(c, (intptr_t)k);
  const xc_attribute type = xc_string("type", words[i][1]);
  return xc_tosa_done(c, xc_tosa_emit(c, XC_TIR_LOGICAL, operands, count, &type,
                                      1, XC_ELEMENT_I1));
}

bool xc_tosa_select(xc_tosa_converter *c) {
  const MlirValue operands[] = {xc_tosa_operand(c, 0), xc_tosa_operand(c, 1),
                                xc_tosa_operand(c, 2)};
  return xc_tosa_done(c, xc_tosa_emit(c, XC_TIR_SELECT, operands, 3, NULL, 0,
                                      xc_tosa_result_shape(c).element));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// Floats are rounded half to even, then held in the type; integers wrap.
bool xc_tosa_cast(xc_tosa_converter *c) {
  MlirValue x = xc_tosa_operand(c, 0);
  if (mlirValueIsNull(x))
    return false;
  xc_element from = xc_tosa_shape(x).element;
  xc_element to = xc_tosa_result_shape(c).element;
  if (to == XC_ELEMENT_NONE)
    return xc_tosa_error(c, "has elements that tir does not have");
  if (!xc_element_is_float(from) || xc_element_is_float(to) ||
      to == XC_ELEMENT_I1)
    return xc_tosa_done(c, xc_tosa_emit_cast(c, x, to));
  x = xc_tosa_emit_unary(c, XC_TIR_ROUND, x);
  const xc_attribute saturate = xc_bool("saturate", true);
  return xc_tosa_done(c, xc_tosa_emit(c, XC_TIR_CAST, &x, 1, &saturate, 1, to));
}

// As many operands as the operator of the host takes.
bool xc_tosa_custom(xc_tosa_converter *c) {
  enum { MOST = 8 };
  size_t count = (size_t)mlirOperationGetNumOperands(c->op);
  MlirValue operands[MOST];
  xc_shape shape = xc_tosa_result_shape(c);
  MlirAttribute name = xc_op_attribute(c->op, "operator_name");
  if (count < 1 || count > MOST)
    return xc_tosa_error(c, "has %zu operands, expected 1 to %d", count, MOST);
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name) ||
      shape.element == XC_ELEMENT_NONE)
    return xc_tosa_error(c, "has no name, or elements that tir does not have");
  for (size_t i = 0; i < count; ++i)
    operands[i] = xc_tosa_operand(c, (intptr_t)i);
  const char *const keys[] = {"domain_name", "implementation_attrs"};
  MlirNamedAttribute payload[2];
  intptr_t given = 0;
  for (size_t i = 0; i < 2; ++i) {
    MlirAttribute value = xc_op_attribute(c->op, keys[i]);
    if (!mlirAttributeIsNull(value))
      payload[given++] = xc_named(c->context, keys[i], value);
  }
  const xc_attribute attributes[] = {
      xc_given("op_type", name),
      xc_given("payload", mlirDictionaryAttrGet(c->context, given, payload))};
  if (c->op_failed)
    return false;
  MlirValue value = xc_build_shaped(&c->builder, XC_TIR_CUSTOM, operands, count,
                                    attributes, 2, &shape);
  if (!mlirValueIsNull(value))
    xc_op_list_add(&c->built, mlirOpResultGetOwner(value));
  return xc_tosa_done(c, value);
}
