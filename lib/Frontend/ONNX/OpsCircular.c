//===- OpsCircular.c - hyperbolic functions, inverses of circular ones ----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulas that lose no digits: none of them subtracts numbers that are nearly
// equal and have been rounded before, and none overflows before its result.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

static const MlirValue none = {NULL};

/// The graph, and what comes in; most formulas are odd or even.
typedef struct formula {
  xc_graph *graph;
  MlirValue x;
} formula;

static MlirValue with(const formula *f, const char *part, xc_op_kind kind,
                      MlirValue a, double number) {
  return xc_graph_emit_with(f->graph, part, kind, a, number);
}

static MlirValue one(const formula *f, const char *part, xc_op_kind kind,
                     MlirValue a) {
  return xc_graph_emit_binary(f->graph, part, kind, a, none);
}

static MlirValue two(const formula *f, const char *part, xc_op_kind kind,
                     MlirValue a, MlirValue b) {
  return xc_graph_emit_binary(f->graph, part, kind, a, b);
}

// number - a
static MlirValue less(const formula *f, const char *part, double number,
                      MlirValue a) {
  return with(f, part, XC_TIR_ADD, one(f, "minus", XC_TIR_NEG, a), number);
}

// number / a
static MlirValue over(const formula *f, const char *part, double number,
                      MlirValue a) {
  if (mlirValueIsNull(a))
    return a;
  xc_element element = xc_value_shape(a).element;
  return two(f, part, XC_TIR_DIV,
             xc_graph_emit_number(f->graph, number, element), a);
}

// Returns the sign of x with a function of |x|.
static MlirValue odd(const formula *f, MlirValue y) {
  return xc_graph_emit_select(
      f->graph, xc_graph_emit_compare_with(f->graph, "LT", f->x, 0),
      one(f, "negative", XC_TIR_NEG, y), y);
}

//===----------------------------------------------------------------------===//
// Inverses of circular functions
//===----------------------------------------------------------------------===//

// atan(x / sqrt((1 - x) * (1 + x)))
static MlirValue emit_asin(const formula *f) {
  MlirValue y = two(f, "product", XC_TIR_MUL, less(f, "rest", 1, f->x),
                    with(f, "sum", XC_TIR_ADD, f->x, 1));
  y = one(f, "cosine", XC_TIR_SQRT, y);
  return one(f, NULL, XC_TIR_ATAN, two(f, "tangent", XC_TIR_DIV, f->x, y));
}

// 2 * atan(sqrt((1 - x) / (1 + x)))
static MlirValue emit_acos(const formula *f) {
  MlirValue y = two(f, "quotient", XC_TIR_DIV, less(f, "rest", 1, f->x),
                    with(f, "sum", XC_TIR_ADD, f->x, 1));
  y = one(f, NULL, XC_TIR_ATAN, one(f, "tangent", XC_TIR_SQRT, y));
  return with(f, "twice", XC_TIR_MUL, y, 2);
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

// h * h / 2 + 1 / (2 * h * h) with h = e^(|x| / 2), whose square is no larger
// than twice the result.
static MlirValue emit_cosh(const formula *f) {
  MlirValue h = one(f, "size", XC_TIR_ABS, f->x);
  h = one(f, "root", XC_TIR_EXP, with(f, "half", XC_TIR_MUL, h, 0.5));
  MlirValue large =
      two(f, "large", XC_TIR_MUL, with(f, "half", XC_TIR_MUL, h, 0.5), h);
  return two(f, "cosh", XC_TIR_ADD, large, over(f, "small", 0.25, large));
}

// tanh(x / 2) * (1 + cosh(x))
static MlirValue emit_sinh(const formula *f) {
  MlirValue y =
      one(f, NULL, XC_TIR_TANH, with(f, "half", XC_TIR_MUL, f->x, 0.5));
  return two(f, "sinh", XC_TIR_MUL, y,
             with(f, "one", XC_TIR_ADD, emit_cosh(f), 1));
}

//===----------------------------------------------------------------------===//
// Inverse hyperbolic functions
//===----------------------------------------------------------------------===//

// log(1 + u). What rounding makes of 1 + u is made good by the quotient of u
// and what was added (Kahan).
static MlirValue emit_log1p(const formula *f, MlirValue u) {
  MlirValue sum = with(f, "sum", XC_TIR_ADD, u, 1);
  if (mlirValueIsNull(sum))
    return sum;
  xc_element element = xc_value_shape(sum).element;
  MlirValue quotient =
      two(f, "share", XC_TIR_DIV, u, with(f, "added", XC_TIR_SUB, sum, 1));
  // Beyond all digits of 1 there is nothing to make good, and of infinity there
  // is no quotient.
  quotient = xc_graph_emit_select(
      f->graph, xc_graph_emit_compare(f->graph, "EQ", sum, u),
      xc_graph_emit_number(f->graph, 1, element), quotient);
  MlirValue y =
      two(f, "log1p", XC_TIR_MUL, one(f, "log", XC_TIR_LOG, sum), quotient);
  return xc_graph_emit_select(
      f->graph, xc_graph_emit_compare_with(f->graph, "EQ", sum, 1), u, y);
}

// y, or log(2 * size) from where squares of the size have no digit of 1.
static MlirValue emit_far(const formula *f, MlirValue size, MlirValue y) {
  const double far = 0x1p28, log_of_two = 0.6931471805599453;
  MlirValue log =
      with(f, "far", XC_TIR_ADD, one(f, "log", XC_TIR_LOG, size), log_of_two);
  return xc_graph_emit_select(
      f->graph, xc_graph_emit_compare_with(f->graph, "GT", size, far), log, y);
}

// log(1 + a + a^2 / (1 + sqrt(1 + a^2))) with a = |x|, by r = 1 / a.
static MlirValue emit_asinh(const formula *f) {
  MlirValue a = one(f, "size", XC_TIR_ABS, f->x);
  MlirValue r = over(f, "inverse", 1, a);
  MlirValue root =
      with(f, "sum", XC_TIR_ADD, two(f, "square", XC_TIR_MUL, r, r), 1);
  root = two(f, "divisor", XC_TIR_ADD, r, one(f, "root", XC_TIR_SQRT, root));
  MlirValue u =
      two(f, "beyond", XC_TIR_ADD, a, two(f, "more", XC_TIR_DIV, a, root));
  return odd(f, emit_far(f, a, emit_log1p(f, u)));
}

// log(1 + t + sqrt(t) * sqrt(t + 2)) with t = x - 1.
static MlirValue emit_acosh(const formula *f) {
  MlirValue t = with(f, "beyond", XC_TIR_SUB, f->x, 1);
  MlirValue u =
      two(f, "root", XC_TIR_MUL, one(f, "root", XC_TIR_SQRT, t),
          one(f, "root", XC_TIR_SQRT, with(f, "sum", XC_TIR_ADD, t, 2)));
  return emit_far(f, f->x, emit_log1p(f, two(f, "sum", XC_TIR_ADD, t, u)));
}

// log(1 + 2 * a / (1 - a)) / 2 with a = |x|.
static MlirValue emit_atanh(const formula *f) {
  MlirValue a = one(f, "size", XC_TIR_ABS, f->x);
  MlirValue u = two(f, "quotient", XC_TIR_DIV,
                    with(f, "twice", XC_TIR_MUL, a, 2), less(f, "rest", 1, a));
  return odd(f, with(f, "half", XC_TIR_MUL, emit_log1p(f, u), 0.5));
}

// detail: an xc_onnx_function. Short floats have too few digits for what comes
// between.
bool xc_onnx_circular(xc_onnx_importer *im) {
  static MlirValue (*const formulas[])(const formula *) = {
      [ONNX_ASIN] = emit_asin,   [ONNX_ACOS] = emit_acos,
      [ONNX_SINH] = emit_sinh,   [ONNX_COSH] = emit_cosh,
      [ONNX_ASINH] = emit_asinh, [ONNX_ACOSH] = emit_acosh,
      [ONNX_ATANH] = emit_atanh};
  xc_graph *graph = &im->graph;
  xc_graph_value *value;
  if (!xc_onnx_need_input(im, 0, &value))
    return false;
  xc_element element = value->shape.element;
  bool is_short = xc_element_is_float(element) && xc_element_size(element) < 4;
  xc_graph_order order = xc_graph_cheapest(value);
  formula f = {.graph = graph, .x = xc_graph_get(graph, value, &order)};
  if (is_short)
    f.x = xc_graph_emit_cast(graph, "wide", f.x, XC_ELEMENT_F32);
  MlirValue y = formulas[im->row->detail](&f);
  if (is_short)
    y = xc_graph_emit_cast(graph, "short", y, element);
  return xc_onnx_result(im, 0, y, &order);
}
