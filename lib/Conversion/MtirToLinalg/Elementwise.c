//===- Elementwise.c - functions of one and two inputs --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/MathIR.h"

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

typedef struct unary_row {
  xc_op_kind kind;
  MlirValue (*function)(xc_lowering *l, MlirValue x, MlirValue a, MlirValue b);
  xc_attr a, b;            // float attributes
  double fixed_a, fixed_b; // where there is no attribute
} unary_row;

static MlirValue if_negative(xc_lowering *l, MlirValue x, MlirValue yes,
                             MlirValue no) {
  return xc_ir_select(&l->ir, xc_ir_compare(&l->ir, XC_IR_LT, x, xc_real(l, 0)),
                      yes, no);
}

// Returns a function of MathIR.h on elements: f32 needs no more digits than its
// own, 16 bits are rounded once, from f64.
static MlirValue
approximate(xc_lowering *l, MlirValue (*function)(const xc_ir *ir, MlirValue x),
            MlirValue x) {
  const xc_ir *ir = &l->ir;
  if (l->result.element != XC_ELEMENT_F32)
    return function(ir, x);
  return xc_ir_float_cast(ir, function(ir, xc_ir_float_cast(ir, x, ir->f32)),
                          ir->f64);
}

#define UNARY(name)                                                            \
  static MlirValue name(xc_lowering *l, MlirValue x, MlirValue a, MlirValue b)
#define UNUSED_A (void)a
#define UNUSED_B (void)b

UNARY(relu) {
  UNUSED_A;
  UNUSED_B;
  return if_negative(l, x, xc_real(l, 0), x);
}
UNARY(leaky_relu) {
  UNUSED_B;
  return if_negative(l, x, xc_ir_mul(&l->ir, a, x), x);
}
UNARY(clip) {
  MlirValue low = xc_ir_compare(&l->ir, XC_IR_LT, x, a);
  MlirValue high = xc_ir_compare(&l->ir, XC_IR_GT, x, b);
  return xc_ir_select(&l->ir, low, a, xc_ir_select(&l->ir, high, b, x));
}
UNARY(hard_sigmoid) {
  MlirValue y = xc_ir_add(&l->ir, xc_ir_mul(&l->ir, a, x), b);
  return clip(l, y, xc_real(l, 0), xc_real(l, 1));
}
UNARY(hard_swish) {
  UNUSED_A;
  UNUSED_B;
  MlirValue y = clip(l, xc_ir_add(&l->ir, x, xc_real(l, 3)), xc_real(l, 0),
                     xc_real(l, 6));
  return xc_ir_div(&l->ir, xc_ir_mul(&l->ir, x, y), xc_real(l, 6));
}
UNARY(elu) {
  UNUSED_B;
  MlirValue e = approximate(l, xc_math_expm1, x);
  return if_negative(l, x, xc_ir_mul(&l->ir, a, e), x);
}
UNARY(reciprocal_root) {
  UNUSED_A;
  UNUSED_B;
  return xc_ir_div(&l->ir, xc_real(l, 1), xc_ir_math(&l->ir, "math.sqrt", x));
}
UNARY(negate) {
  UNUSED_A;
  UNUSED_B;
  return xc_ir_neg(&l->ir, x);
}
#define MATH(name, operation)                                                  \
  UNARY(name) {                                                                \
    UNUSED_A;                                                                  \
    UNUSED_B;                                                                  \
    return xc_ir_math(&l->ir, operation, x);                                   \
  }
MATH(absolute, "math.absf")
MATH(square_root, "math.sqrt")
MATH(round_down, "math.floor")
MATH(round_up, "math.ceil")
MATH(round_nearest, "math.roundeven")

#define APPROXIMATE(name, function)                                            \
  UNARY(name) {                                                                \
    UNUSED_A;                                                                  \
    UNUSED_B;                                                                  \
    return approximate(l, function, x);                                        \
  }
APPROXIMATE(sigmoid, xc_math_sigmoid)
APPROXIMATE(hyperbolic_tangent, xc_math_tanh)
APPROXIMATE(softplus, xc_math_softplus)
APPROXIMATE(exponential, xc_math_exp)
APPROXIMATE(logarithm, xc_math_log)

// Functions of MathIR.h on f64, as which real_cell gives the elements.
#define DOUBLE(name, function)                                                 \
  UNARY(name) {                                                                \
    UNUSED_A;                                                                  \
    UNUSED_B;                                                                  \
    return function(&l->ir, x);                                                \
  }
DOUBLE(error_function, xc_math_erf)
DOUBLE(sine, xc_math_sin)
DOUBLE(cosine, xc_math_cos)
DOUBLE(arc_tangent, xc_math_atan)

static const unary_row unary_rows[] = {
    {XC_TIR_RELU, relu, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_LEAKY_RELU, leaky_relu, XC_ATTR_ALPHA, XC_ATTR_NONE, 0, 0},
    {XC_TIR_RELU6, clip, XC_ATTR_NONE, XC_ATTR_NONE, 0, 6},
    {XC_TIR_CLIP, clip, XC_ATTR_MIN, XC_ATTR_MAX, 0, 0},
    {XC_TIR_HARD_SIGMOID, hard_sigmoid, XC_ATTR_ALPHA, XC_ATTR_BETA, 0, 0},
    {XC_TIR_HARD_SWISH, hard_swish, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_SIGMOID, sigmoid, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_TANH, hyperbolic_tangent, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_ELU, elu, XC_ATTR_ALPHA, XC_ATTR_NONE, 0, 0},
    {XC_TIR_SOFTPLUS, softplus, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_NEG, negate, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_ABS, absolute, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_EXP, exponential, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_LOG, logarithm, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_SQRT, square_root, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_RSQRT, reciprocal_root, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_ERF, error_function, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_SIN, sine, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_COS, cosine, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_ATAN, arc_tangent, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_FLOOR, round_down, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_CEIL, round_up, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
    {XC_TIR_ROUND, round_nearest, XC_ATTR_NONE, XC_ATTR_NONE, 0, 0},
};

static MlirValue real_cell(xc_lowering *l, const MlirValue *raw,
                           const void *state) {
  const unary_row *row = state;
  const xc_adaptor *op = l->op;
  xc_element element = l->result.element;
  MlirValue a = xc_real(l, row->a ? xc_attr_float(op, row->a) : row->fixed_a);
  MlirValue b = xc_real(l, row->b ? xc_attr_float(op, row->b) : row->fixed_b);
  MlirValue x = xc_element_to_real(&l->ir, element, raw[0]);
  MlirValue y = row->function(l, x, a, b);
  MlirValue result = xc_element_of_real(&l->ir, element, y);
  // An integer that a limit does not touch keeps its low bits.
  if (!xc_element_is_float(element))
    result = xc_ir_select(&l->ir, xc_ir_compare(&l->ir, XC_IR_EQ, x, y), raw[0],
                          result);
  return result;
}

// The operators on integers that wrap.
static MlirValue int_cell(xc_lowering *l, const MlirValue *raw,
                          const void *state) {
  const unary_row *row = state;
  xc_element element = l->result.element;
  MlirValue x = xc_element_to_int(&l->ir, element, raw[0]);
  MlirValue zero = xc_whole(l, 0), y = x;
  bool is_unsigned = xc_element_min(element) == 0;
  if (row->kind == XC_TIR_NEG)
    y = xc_ir_neg(&l->ir, x);
  else if (!is_unsigned && row->kind == XC_TIR_ABS)
    y = xc_ir_select(&l->ir, xc_ir_compare(&l->ir, XC_IR_LT, x, zero),
                     xc_ir_neg(&l->ir, x), x);
  else if (!is_unsigned && row->kind == XC_TIR_RELU)
    y = xc_ir_max(&l->ir, x, zero);
  return xc_element_of_int(&l->ir, element, y);
}

bool xc_linalg_unary(xc_lowering *l) {
  const unary_row *row = unary_rows;
  while (row->kind != l->op->info->kind)
    ++row;
  bool real =
      xc_element_is_float(l->result.element) || row->kind == XC_TIR_CLIP;
  const size_t slot = 0;
  xc_linalg_elementwise(l, &slot, 1, real ? real_cell : int_cell, row);
  return true;
}

// The entry of the one row, or of that of the channel.
bool xc_linalg_table(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  const xc_shape *shape = &l->result;
  size_t rank = l->shapes[XC_TABLE_TABLE].rank;
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, shape->rank, shape->dims);
  MlirValue raw =
      xc_ir_load(ir, l->buffers[XC_TABLE_INPUT], nest.at, shape->rank);
  MlirValue at[2];
  if (rank == 2)
    at[0] = nest.at[shape->rank - 1];
  at[rank - 1] = xc_index_of_bits(ir, raw);
  xc_ir_store(ir, xc_ir_load(ir, l->buffers[XC_TABLE_TABLE], at, rank),
              l->output, nest.at, shape->rank);
  xc_ir_nest_end(ir, &nest);
  return true;
}

//===----------------------------------------------------------------------===//
// Two inputs
//===----------------------------------------------------------------------===//

static MlirValue binary_real(xc_lowering *l, xc_op_kind kind, MlirValue a,
                             MlirValue b) {
  const xc_ir *ir = &l->ir;
  if (kind == XC_TIR_ADD)
    return xc_ir_add(ir, a, b);
  if (kind == XC_TIR_SUB)
    return xc_ir_sub(ir, a, b);
  if (kind == XC_TIR_MUL)
    return xc_ir_mul(ir, a, b);
  if (kind == XC_TIR_DIV)
    return xc_ir_div(ir, a, b);
  if (kind == XC_TIR_POW)
    return xc_math_pow(ir, a, b);
  MlirValue nan = xc_ir_or(ir, xc_ir_is_nan(ir, a), xc_ir_is_nan(ir, b));
  MlirValue chosen =
      kind == XC_TIR_MIN ? xc_ir_min(ir, a, b) : xc_ir_max(ir, a, b);
  return xc_ir_select(ir, nan, xc_ir_add(ir, a, b), chosen);
}

// b >= 0: the product of the squares that the bits of b choose, wrapping.
static MlirValue positive_power(xc_lowering *l, MlirValue a, MlirValue b) {
  xc_ir *ir = &l->ir;
  const MlirValue inits[] = {xc_whole(l, 1), a, b};
  xc_ir_loop loop = xc_ir_for_size(ir, 63, inits, 3);
  MlirValue result = loop.carried[0], base = loop.carried[1];
  MlirValue bit = xc_ir_and(ir, loop.carried[2], xc_whole(l, 1));
  MlirValue values[] = {xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_NE, bit, 0),
                                     xc_ir_mul(ir, result, base), result),
                        xc_ir_mul(ir, base, base),
                        xc_ir_shri(ir, loop.carried[2], 1)};
  xc_ir_end_for(ir, &loop, values);
  return loop.results[0];
}

// A negative exponent truncates towards zero as a quotient.
static MlirValue power_int(xc_lowering *l, MlirValue a, MlirValue b) {
  xc_ir *ir = &l->ir;
  MlirValue odd =
      xc_ir_comparei(ir, XC_IR_NE, xc_ir_and(ir, b, xc_whole(l, 1)), 0);
  MlirValue minus_one = xc_ir_select(ir, odd, xc_whole(l, -1), xc_whole(l, 1));
  MlirValue quotient =
      xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_EQ, a, 1), xc_whole(l, 1),
                   xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_EQ, a, -1),
                                minus_one, xc_whole(l, 0)));
  return xc_ir_select(ir, xc_ir_comparei(ir, XC_IR_LT, b, 0), quotient,
                      positive_power(l, a, b));
}

// The one quotient that overflows wraps; nothing is divided by zero.
static MlirValue divide_int(xc_lowering *l, bool is_unsigned, MlirValue a,
                            MlirValue b) {
  const xc_ir *ir = &l->ir;
  xc_lowering_fail_if(l, xc_ir_comparei(ir, XC_IR_EQ, b, 0),
                      XC_STATUS_DIVIDE_BY_ZERO);
  MlirValue zero = xc_ir_comparei(ir, XC_IR_EQ, b, 0);
  if (is_unsigned)
    return xc_ir_divu(ir, a, xc_ir_select(ir, zero, xc_whole(l, 1), b));
  MlirValue minus = xc_ir_comparei(ir, XC_IR_EQ, b, -1);
  MlirValue safe =
      xc_ir_select(ir, xc_ir_or(ir, zero, minus), xc_whole(l, 1), b);
  return xc_ir_select(ir, minus, xc_ir_neg(ir, a), xc_ir_div(ir, a, safe));
}

static MlirValue binary_int(xc_lowering *l, xc_op_kind kind, xc_element element,
                            MlirValue a, MlirValue b) {
  const xc_ir *ir = &l->ir;
  bool wide = element == XC_ELEMENT_UI64;
  if (kind == XC_TIR_ADD)
    return xc_ir_add(ir, a, b);
  if (kind == XC_TIR_SUB)
    return xc_ir_sub(ir, a, b);
  if (kind == XC_TIR_MUL)
    return xc_ir_mul(ir, a, b);
  if (kind == XC_TIR_DIV)
    return divide_int(l, wide, a, b);
  if (kind == XC_TIR_POW)
    return power_int(l, a, b);
  MlirValue less = xc_ir_compare(ir, wide ? XC_IR_ULT : XC_IR_LT, a, b);
  return kind == XC_TIR_MIN ? xc_ir_select(ir, less, a, b)
                            : xc_ir_select(ir, less, b, a);
}

MlirValue xc_combine_raw(xc_lowering *l, xc_op_kind kind, MlirValue a,
                         MlirValue b) {
  xc_element element = l->result.element;
  const xc_ir *ir = &l->ir;
  if (xc_element_is_float(element))
    return xc_element_of_real(ir, element,
                              binary_real(l, kind,
                                          xc_element_to_real(ir, element, a),
                                          xc_element_to_real(ir, element, b)));
  return xc_element_of_int(ir, element,
                           binary_int(l, kind, element,
                                      xc_element_to_int(ir, element, a),
                                      xc_element_to_int(ir, element, b)));
}

static MlirValue binary_cell(xc_lowering *l, const MlirValue *raw,
                             const void *state) {
  (void)state;
  return xc_combine_raw(l, l->op->info->kind, raw[0], raw[1]);
}

bool xc_linalg_binary(xc_lowering *l) {
  const size_t slots[] = {0, 1};
  xc_linalg_elementwise(l, slots, 2, binary_cell, NULL);
  return true;
}
