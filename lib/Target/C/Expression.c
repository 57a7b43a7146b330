//===- Expression.c - arithmetic as expressions of C ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "IR/IR.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static bool is_int(MlirValue value) {
  return xc_c_int_width(mlirValueGetType(value)) > 0;
}

static bool is_wide(xc_c_function *f, MlirValue value) {
  return !xc_c_is_narrow(xc_c_range_of(&f->ranges, value));
}

static MlirValue operand(MlirOperation operation, intptr_t index) {
  return mlirOperationGetOperand(operation, index);
}

static void operand_text(xc_c_function *f, xc_text *text,
                         MlirOperation operation, intptr_t index,
                         xc_c_precedence least) {
  xc_c_expression(f, text, operand(operation, index), least);
}

static void int_constant(xc_text *text, int64_t value) {
  if (value == INT64_MIN)
    xc_text_puts(text, "INT64_MIN");
  else if (value == INT32_MIN)
    xc_text_puts(text, "INT32_MIN");
  else if (value >= INT32_MIN && value <= INT32_MAX)
    xc_text_printf(text, "%" PRId64, value);
  else
    xc_text_printf(text, "INT64_C(%" PRId64 ")", value);
}

// Digits that give the same number back.
static void float_constant(xc_text *text, double value, bool single) {
  if (isnan(value)) {
    xc_text_puts(text, "NAN");
  } else if (isinf(value)) {
    xc_text_puts(text, value < 0 ? "-INFINITY" : "INFINITY");
  } else {
    char digits[40];
    for (int precision = single ? 6 : 15;; ++precision) {
      snprintf(digits, sizeof(digits), "%.*g", precision, value);
      double back = strtod(digits, NULL);
      if (single ? (float)back == (float)value : back == value)
        break;
    }
    bool whole = !strpbrk(digits, ".e");
    xc_text_printf(text, "%s%s%s", digits, whole ? ".0" : "",
                   single ? "f" : "");
  }
}

static xc_c_precedence print_constant(xc_text *text, MlirOperation operation) {
  MlirValue value = mlirOperationGetResult(operation, 0);
  int64_t number = 0;
  double real = 0;
  if (xc_c_int_constant(value, &number)) {
    int_constant(text, number);
  } else {
    real = mlirFloatAttrGetValueDouble(xc_op_attribute(operation, "value"));
    float_constant(text, real, mlirTypeIsAF32(mlirValueGetType(value)));
  }
  return number < 0 || signbit(real) ? XC_C_UNARY : XC_C_PRIMARY;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

typedef struct operation_row operation_row;
typedef xc_c_precedence (*printer)(xc_c_function *f, xc_text *text,
                                   MlirOperation operation,
                                   const operation_row *row);

struct operation_row {
  const char *name;
  printer print;
  const char *token; // an operator or a function of C
  xc_c_precedence precedence;
  const char *wraps; // the helper function that wraps, without its width
};

static xc_c_precedence infix(xc_c_function *f, xc_text *text,
                             MlirOperation operation,
                             const operation_row *row) {
  operand_text(f, text, operation, 0, row->precedence);
  xc_text_printf(text, " %s ", row->token);
  operand_text(f, text, operation, 1, (xc_c_precedence)(row->precedence + 1));
  return row->precedence;
}

static xc_c_precedence call2(xc_c_function *f, xc_text *text,
                             MlirOperation operation, const char *function) {
  xc_text_printf(text, "%s(", function);
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i) {
    xc_text_puts(text, i ? ", " : "");
    operand_text(f, text, operation, i, XC_C_ANY);
  }
  xc_text_puts(text, ")");
  return XC_C_PRIMARY;
}

// "min" in the width that operands and result need.
static xc_c_precedence sized_call(xc_c_function *f, xc_text *text,
                                  MlirOperation operation, const char *stem,
                                  bool wide) {
  char name[32];
  snprintf(name, sizeof(name), "%s_i%d", stem, wide ? 64 : 32);
  return call2(f, text, operation, xc_c_helper(f, name));
}

static bool any_wide(xc_c_function *f, MlirOperation operation) {
  bool wide = is_wide(f, mlirOperationGetResult(operation, 0));
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i)
    wide = wide || is_wide(f, operand(operation, i));
  return wide;
}

// Cuts a wide expression to the type of its narrow result.
static xc_c_precedence narrow(xc_c_function *f, xc_text *text,
                              MlirOperation operation, xc_text *inner,
                              xc_c_precedence precedence, bool wide) {
  bool cut = wide && !is_wide(f, mlirOperationGetResult(operation, 0));
  xc_text_printf(text,
                 cut && precedence < XC_C_UNARY ? "(int32_t)(%s)"
                 : cut                          ? "(int32_t)%s"
                                                : "%s",
                 xc_text_str(inner));
  xc_text_free(inner);
  return cut ? XC_C_UNARY : precedence;
}

// By a helper function, which wraps at 32 or 64 bits; less is a cast.
static xc_c_precedence wrapping(xc_c_function *f, xc_text *text,
                                MlirOperation operation, const char *stem,
                                bool wide) {
  MlirValue result = mlirOperationGetResult(operation, 0);
  unsigned width = xc_c_int_width(mlirValueGetType(result));
  xc_text inner = {0};
  xc_c_precedence precedence = sized_call(f, &inner, operation, stem, wide);
  if (width >= 32)
    return narrow(f, text, operation, &inner, precedence, wide);
  xc_text_printf(text, "(int%u_t)%s", width, xc_text_str(&inner));
  xc_text_free(&inner);
  return XC_C_UNARY;
}

// + - * on integers: in 32 bits where result and operands fit, else in 64; by
// a helper function where the number of bits of the operation matters.
static xc_c_precedence arithmetic(xc_c_function *f, xc_text *text,
                                  MlirOperation operation,
                                  const operation_row *row) {
  MlirValue result = mlirOperationGetResult(operation, 0);
  unsigned width = xc_c_int_width(mlirValueGetType(result));
  bool wide = any_wide(f, operation);
  xc_text inner = {0};
  xc_c_precedence precedence = row->precedence;
  if (row->wraps && xc_c_may_wrap(&f->ranges, operation))
    return wrapping(f, text, operation, row->wraps, width > 32);
  bool lift = wide && !is_wide(f, operand(operation, 0)) &&
              !is_wide(f, operand(operation, 1));
  bool is_bits = precedence == XC_C_BITS;
  if (lift)
    xc_text_puts(&inner, "(int64_t)");
  operand_text(f, &inner, operation, 0,
               lift || is_bits ? XC_C_UNARY : precedence);
  xc_text_printf(&inner, " %s ", row->token);
  operand_text(f, &inner, operation, 1,
               is_bits ? XC_C_UNARY : (xc_c_precedence)(precedence + 1));
  return narrow(f, text, operation, &inner, precedence, wide);
}

// A constant shift to the left of any number is a product.
static xc_c_precedence shift_left(xc_c_function *f, xc_text *text,
                                  MlirOperation operation,
                                  const operation_row *row) {
  int64_t bits;
  bool wide = any_wide(f, operation);
  if (xc_c_may_wrap(&f->ranges, operation) ||
      !xc_c_int_constant(operand(operation, 1), &bits)) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
    return wrapping(f, text, operation, row->wraps,
                    wide || xc_c_int_width(type) > 32);
  }
  xc_text inner = {0};
  if (wide && !is_wide(f, operand(operation, 0)))
    xc_text_puts(&inner, "(int64_t)");
  operand_text(f, &inner, operation, 0, XC_C_UNARY);
  xc_text_puts(&inner, " * ");
  int_constant(&inner, INT64_C(1) << bits);
  return narrow(f, text, operation, &inner, XC_C_PRODUCT, wide);
}

static void cast_operand(xc_c_function *f, xc_text *text,
                         MlirOperation operation, intptr_t index,
                         const char *type) {
  xc_text_printf(text, "(%s)", type);
  operand_text(f, text, operation, index, XC_C_UNARY);
}

static const char *unsigned_type(MlirValue value) {
  switch (xc_c_int_width(mlirValueGetType(value))) {
  case 8:
    return "uint8_t";
  case 16:
    return "uint16_t";
  case 32:
    return "uint32_t";
  default:
    return "uint64_t";
  }
}

// / and % and >> of unsigned numbers.
static xc_c_precedence unsigned_infix(xc_c_function *f, xc_text *text,
                                      MlirOperation operation,
                                      const operation_row *row) {
  MlirValue result = mlirOperationGetResult(operation, 0);
  const char *type = unsigned_type(result);
  xc_text_printf(text, "(%s)(", xc_c_value_type(f, result));
  cast_operand(f, text, operation, 0, type);
  xc_text_printf(text, " %s ", row->token);
  cast_operand(f, text, operation, 1, type);
  xc_text_puts(text, ")");
  return XC_C_UNARY;
}

static xc_c_precedence extreme(xc_c_function *f, xc_text *text,
                               MlirOperation operation,
                               const operation_row *row) {
  xc_text inner = {0};
  bool wide = any_wide(f, operation);
  xc_c_precedence precedence =
      sized_call(f, &inner, operation, row->token, wide);
  return narrow(f, text, operation, &inner, precedence, wide);
}

static xc_c_precedence choose(xc_c_function *f, xc_text *text,
                              MlirOperation operation,
                              const operation_row *row) {
  (void)row;
  operand_text(f, text, operation, 0, XC_C_BITS);
  xc_text_puts(text, " ? ");
  operand_text(f, text, operation, 1, XC_C_BITS);
  xc_text_puts(text, " : ");
  operand_text(f, text, operation, 2, XC_C_CONDITIONAL);
  return XC_C_CONDITIONAL;
}

static xc_c_precedence call(xc_c_function *f, xc_text *text,
                            MlirOperation operation, const operation_row *row) {
  char name[32];
  bool single = mlirTypeIsAF32(mlirValueGetType(operand(operation, 0)));
  snprintf(name, sizeof(name), "%s%s", row->token, single ? "f" : "");
  return call2(f, text, operation, name);
}

static xc_c_precedence helper(xc_c_function *f, xc_text *text,
                              MlirOperation operation,
                              const operation_row *row) {
  return call2(f, text, operation, xc_c_helper(f, row->token));
}

static xc_c_precedence float_extreme(xc_c_function *f, xc_text *text,
                                     MlirOperation operation,
                                     const operation_row *row) {
  char name[32];
  bool single = mlirTypeIsAF32(mlirValueGetType(operand(operation, 0)));
  snprintf(name, sizeof(name), "%s_f%d", row->token, single ? 32 : 64);
  return call2(f, text, operation, xc_c_helper(f, name));
}

static xc_c_precedence multiply_add(xc_c_function *f, xc_text *text,
                                    MlirOperation operation,
                                    const operation_row *row) {
  (void)row;
  operand_text(f, text, operation, 0, XC_C_PRODUCT);
  xc_text_puts(text, " * ");
  operand_text(f, text, operation, 1, XC_C_UNARY);
  xc_text_puts(text, " + ");
  operand_text(f, text, operation, 2, XC_C_PRODUCT);
  return XC_C_SUM;
}

static xc_c_precedence negate(xc_c_function *f, xc_text *text,
                              MlirOperation operation,
                              const operation_row *row) {
  (void)row;
  xc_text_puts(text, "-");
  operand_text(f, text, operation, 0, XC_C_PRIMARY);
  return XC_C_UNARY;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static xc_c_precedence compare_ints(xc_c_function *f, xc_text *text,
                                    MlirOperation operation,
                                    const operation_row *row) {
  (void)row;
  static const char *const tokens[] = {"==", "!=", "<",  "<=", ">",
                                       ">=", "<",  "<=", ">",  ">="};
  int64_t predicate =
      mlirIntegerAttrGetValueInt(xc_op_attribute(operation, "predicate"));
  xc_c_precedence own = predicate < 2 ? XC_C_EQUALITY : XC_C_RELATION;
  const char *type =
      predicate > 5 ? unsigned_type(operand(operation, 0)) : NULL;
  for (intptr_t i = 0; i < 2; ++i) {
    if (i)
      xc_text_printf(text, " %s ", tokens[predicate]);
    if (type)
      cast_operand(f, text, operation, i, type);
    else
      operand_text(f, text, operation, i, XC_C_SUM);
  }
  return own;
}

// By predicate: a test of C, and whether it is the negated one. The unordered
// predicates are true where the opposite ordered one is false.
static xc_c_precedence compare_floats(xc_c_function *f, xc_text *text,
                                      MlirOperation operation,
                                      const operation_row *row) {
  (void)row;
  static const char *const forms[] = {"0",
                                      "A == B",
                                      "A > B",
                                      "A >= B",
                                      "A < B",
                                      "A <= B",
                                      "A < B || A > B",
                                      "A == A && B == B",
                                      "!(A < B || A > B)",
                                      "!(A <= B)",
                                      "!(A < B)",
                                      "!(A >= B)",
                                      "!(A > B)",
                                      "A != B",
                                      "A != A || B != B",
                                      "1"};
  int64_t predicate =
      mlirIntegerAttrGetValueInt(xc_op_attribute(operation, "predicate"));
  bool same = mlirValueEqual(operand(operation, 0), operand(operation, 1));
  const char *form =
      predicate == XC_C_UNORDERED && same ? "A != A" : forms[predicate];
  xc_text_puts(text, "(");
  for (const char *c = form; *c; ++c) {
    if (*c == 'A' || *c == 'B')
      operand_text(f, text, operation, *c == 'B', XC_C_SUM);
    else
      xc_text_append(text, c, 1);
  }
  xc_text_puts(text, ")");
  return XC_C_PRIMARY;
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

static xc_c_precedence cast(xc_c_function *f, xc_text *text,
                            MlirOperation operation, const operation_row *row) {
  (void)row;
  MlirValue result = mlirOperationGetResult(operation, 0);
  cast_operand(f, text, operation, 0, xc_c_value_type(f, result));
  return XC_C_UNARY;
}

static xc_c_precedence truncate(xc_c_function *f, xc_text *text,
                                MlirOperation operation,
                                const operation_row *row) {
  (void)row;
  MlirValue result = mlirOperationGetResult(operation, 0);
  unsigned width = xc_c_int_width(mlirValueGetType(result));
  if (width == 1) {
    operand_text(f, text, operation, 0, XC_C_UNARY);
    xc_text_puts(text, " & 1");
    return XC_C_BITS;
  }
  char type[16];
  snprintf(type, sizeof(type), "int%u_t", width);
  cast_operand(f, text, operation, 0, type);
  return XC_C_UNARY;
}

static xc_c_precedence extend_unsigned(xc_c_function *f, xc_text *text,
                                       MlirOperation operation,
                                       const operation_row *row) {
  (void)row;
  if (is_wide(f, mlirOperationGetResult(operation, 0)))
    xc_text_puts(text, "(int64_t)");
  cast_operand(f, text, operation, 0, unsigned_type(operand(operation, 0)));
  return XC_C_UNARY;
}

static xc_c_precedence unsigned_to_float(xc_c_function *f, xc_text *text,
                                         MlirOperation operation,
                                         const operation_row *row) {
  (void)row;
  MlirValue result = mlirOperationGetResult(operation, 0);
  xc_text_printf(text, "(%s)", xc_c_value_type(f, result));
  cast_operand(f, text, operation, 0, unsigned_type(operand(operation, 0)));
  return XC_C_UNARY;
}

static xc_c_precedence float_to_unsigned(xc_c_function *f, xc_text *text,
                                         MlirOperation operation,
                                         const operation_row *row) {
  (void)row;
  MlirValue result = mlirOperationGetResult(operation, 0);
  xc_text_printf(text, "(%s)", xc_c_value_type(f, result));
  cast_operand(f, text, operation, 0, unsigned_type(result));
  return XC_C_UNARY;
}

static xc_c_precedence bitcast(xc_c_function *f, xc_text *text,
                               MlirOperation operation,
                               const operation_row *row) {
  (void)row;
  MlirType from = mlirValueGetType(operand(operation, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(operation, 0));
  const char *name = mlirTypeIsAF32(from)   ? "bits_of_float"
                     : mlirTypeIsAF64(from) ? "bits_of_double"
                     : mlirTypeIsAF32(to)   ? "float_of_bits"
                     : mlirTypeIsAF64(to)   ? "double_of_bits"
                                            : NULL;
  if (name)
    return call2(f, text, operation, xc_c_helper(f, name));
  operand_text(f, text, operation, 0, XC_C_PRIMARY);
  return XC_C_PRIMARY;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static const operation_row rows[] = {
    {"arith.addi", arithmetic, "+", XC_C_SUM, "add"},
    {"arith.subi", arithmetic, "-", XC_C_SUM, "sub"},
    {"arith.muli", arithmetic, "*", XC_C_PRODUCT, "mul"},
    {"arith.divsi", arithmetic, "/", XC_C_PRODUCT, NULL},
    {"arith.remsi", arithmetic, "%", XC_C_PRODUCT, NULL},
    {"arith.shrsi", arithmetic, ">>", XC_C_BITS, NULL},
    {"arith.andi", arithmetic, "&", XC_C_BITS, NULL},
    {"arith.ori", arithmetic, "|", XC_C_BITS, NULL},
    {"arith.xori", arithmetic, "^", XC_C_BITS, NULL},
    {"arith.shli", shift_left, NULL, XC_C_PRODUCT, "shl"},
    {"arith.divui", unsigned_infix, "/", XC_C_PRODUCT, NULL},
    {"arith.remui", unsigned_infix, "%", XC_C_PRODUCT, NULL},
    {"arith.shrui", unsigned_infix, ">>", XC_C_BITS, NULL},
    {"arith.minsi", extreme, "min", XC_C_PRIMARY, NULL},
    {"arith.maxsi", extreme, "max", XC_C_PRIMARY, NULL},
    {"arith.select", choose, NULL, XC_C_CONDITIONAL, NULL},
    {"arith.cmpi", compare_ints, NULL, XC_C_RELATION, NULL},
    {"arith.cmpf", compare_floats, NULL, XC_C_PRIMARY, NULL},
    {"arith.extsi", cast, NULL, XC_C_UNARY, NULL},
    {"arith.extui", extend_unsigned, NULL, XC_C_UNARY, NULL},
    {"arith.trunci", truncate, NULL, XC_C_UNARY, NULL},
    {"arith.index_cast", cast, NULL, XC_C_UNARY, NULL},
    {"arith.index_castui", extend_unsigned, NULL, XC_C_UNARY, NULL},
    {"arith.sitofp", cast, NULL, XC_C_UNARY, NULL},
    {"arith.uitofp", unsigned_to_float, NULL, XC_C_UNARY, NULL},
    {"arith.fptosi", cast, NULL, XC_C_UNARY, NULL},
    {"arith.fptoui", float_to_unsigned, NULL, XC_C_UNARY, NULL},
    {"arith.extf", cast, NULL, XC_C_UNARY, NULL},
    {"arith.truncf", cast, NULL, XC_C_UNARY, NULL},
    {"arith.bitcast", bitcast, NULL, XC_C_PRIMARY, NULL},
    {"arith.addf", infix, "+", XC_C_SUM, NULL},
    {"arith.subf", infix, "-", XC_C_SUM, NULL},
    {"arith.mulf", infix, "*", XC_C_PRODUCT, NULL},
    {"arith.divf", infix, "/", XC_C_PRODUCT, NULL},
    {"arith.negf", negate, NULL, XC_C_UNARY, NULL},
    {"arith.maximumf", float_extreme, "maximum", XC_C_PRIMARY, NULL},
    {"arith.minimumf", float_extreme, "minimum", XC_C_PRIMARY, NULL},
    {"arith.remf", call, "fmod", XC_C_PRIMARY, NULL},
    {"llvm.intr.fmuladd", multiply_add, NULL, XC_C_SUM, NULL},
    {"math.fma", call, "fma", XC_C_PRIMARY, NULL},
    {"math.absf", call, "fabs", XC_C_PRIMARY, NULL},
    {"math.ceil", call, "ceil", XC_C_PRIMARY, NULL},
    {"math.copysign", call, "copysign", XC_C_PRIMARY, NULL},
    {"math.ctlz", helper, "leading_zeros", XC_C_PRIMARY, NULL},
    {"math.floor", call, "floor", XC_C_PRIMARY, NULL},
    {"math.round", call, "round", XC_C_PRIMARY, NULL},
    {"math.roundeven", call, "rint", XC_C_PRIMARY, NULL},
    {"math.sqrt", call, "sqrt", XC_C_PRIMARY, NULL},
    {"math.trunc", call, "trunc", XC_C_PRIMARY, NULL},
};

static const operation_row *find(MlirOperation operation) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (xc_op_is(operation, rows[i].name))
      return &rows[i];
  return NULL;
}

static xc_c_precedence print(xc_c_function *f, xc_text *text,
                             MlirOperation operation) {
  if (mlirOperationGetNumResults(operation) == 1)
    xc_pointer_map_set(&f->printed, mlirOperationGetResult(operation, 0).ptr,
                       f);
  if (xc_op_is(operation, "arith.constant"))
    return print_constant(text, operation);
  if (xc_op_is(operation, "memref.load")) {
    xc_c_element(f, text, operation, 0);
    return XC_C_PRIMARY;
  }
  const operation_row *row = find(operation);
  if (row)
    return row->print(f, text, operation, row);
  f->failed = true;
  xc_op_error(operation, "cannot be written as C");
  return XC_C_PRIMARY;
}

void xc_c_expression(xc_c_function *f, xc_text *text, MlirValue value,
                     xc_c_precedence least) {
  value = is_int(value) ? xc_c_source(f, value) : value;
  const char *name = xc_c_get_name(f, value);
  if (name) {
    xc_text_puts(text, name);
    return;
  }
  assert(mlirValueIsAOpResult(value) && "arguments have names");
  xc_text inner = {0};
  xc_c_precedence own = print(f, &inner, mlirOpResultGetOwner(value));
  xc_text_printf(text, own < least ? "(%s)" : "%s", xc_text_str(&inner));
  xc_text_free(&inner);
}
