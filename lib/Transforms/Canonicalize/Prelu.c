//===- Prelu.c - parametric ReLUs that are written out --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks without a parametric ReLU write it in many ways:
//
//   relu(x) - a * relu(-x)         max(x, 0) + a * min(x, 0)
//   relu(x) + a * (x - |x|) / 2    (1 + a) / 2 * x + (1 - a) / 2 * |x|
//   x > 0 ? x : a * x              max(x, a * x)
//
// All parts of these are a multiple of x below zero, and another one above it.
// So instead of the forms, the slopes of the two sides are computed, from x up
// to the root. Where they come out as some numbers and 1, the root is a prelu.
//
// Floating point rounds in between. With every slope goes a bound of what that
// makes: unlike the slopes, it tells x + a * relu(-x) from
// (x + c * relu(x)) - c * relu(x), of which a large c leaves nothing.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include <float.h>
#include <math.h>

/// Operators between x and the root: x - |x| times two numbers, and relu(x).
enum { MAX_DEPTH = 6 };

/// Larger numbers make products overflow, and show what vanished in others.
static const double most_factor = 0x1p30;

enum { BELOW, ABOVE, NUM_SIDES };

/// On one side of zero a value is slope * x, computed with an error of at most
/// error * |x| * (unit of rounding).
typedef struct ray {
  double slope, error;
} ray;

typedef struct bend {
  ray side[NUM_SIDES];
} bend;

/// A value as a function of x, for every element of the constants in it. The
/// shape is theirs, without leading dimensions of size 1.
typedef struct function_of_x {
  xc_shape shape;
  size_t count;
  bend *bends;
} function_of_x;

typedef struct reader {
  xc_rewriter *rewriter;
  MlirValue x;
} reader;

static bool read_value(const reader *r, MlirValue value, int depth,
                       function_of_x *f);

//===----------------------------------------------------------------------===//
// Functions of x
//===----------------------------------------------------------------------===//

// The same multiple of x on both sides, everywhere.
static void make_line(const reader *r, double slope, function_of_x *f) {
  const ray line = {slope, 0};
  *f = (function_of_x){
      .shape = {.element = xc_value_shape(r->x).element},
      .count = 1,
      .bends = xc_rewrite_alloc(r->rewriter, 1, sizeof(bend)),
  };
  *f->bends = (bend){{line, line}};
}

static xc_shape without_leading_ones(xc_shape shape) {
  size_t ones = 0;
  while (ones < shape.rank && shape.dims[ones] == 1)
    ++ones;
  shape.rank -= ones;
  for (size_t i = 0; i < shape.rank; ++i)
    shape.dims[i] = shape.dims[i + ones];
  return shape;
}

static const bend *bend_at(const function_of_x *f, size_t i) {
  return &f->bends[f->count == 1 ? 0 : i];
}

// Makes room for a function of two others. Constants of different shapes have
// no common one here.
static bool join(const reader *r, const function_of_x *a,
                 const function_of_x *b, function_of_x *f) {
  if (a->count != 1 && b->count != 1 && !xc_same_dims(&a->shape, &b->shape))
    return false;
  const function_of_x *larger = a->count == 1 ? b : a;
  *f = *larger;
  f->bends = xc_rewrite_alloc(r->rewriter, f->count, sizeof(bend));
  return true;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// Whether a clip at zero keeps the numbers of one side; it cuts off all of the
// other one.
static bool is_kept_by_clip(const xc_adaptor *op, bool positive) {
  double limit = xc_attr_float(op, positive ? XC_ATTR_MAX : XC_ATTR_MIN);
  return limit != 0;
}

static bool is_clip_at_zero(const xc_adaptor *op) {
  double low = xc_attr_float(op, XC_ATTR_MIN);
  double high = xc_attr_float(op, XC_ATTR_MAX);
  return (low == 0 || low <= -(double)FLT_MAX) &&
         (high == 0 || high >= (double)FLT_MAX);
}

// None of these makes an error larger.
static ray apply_unary(const xc_adaptor *op, ray a, int side) {
  bool positive = side == ABOVE ? a.slope > 0 : a.slope < 0;
  switch (op->info->kind) {
  case XC_TIR_NEG:
    return (ray){-a.slope, a.error};
  case XC_TIR_ABS:
    return (ray){positive ? a.slope : -a.slope, a.error};
  case XC_TIR_RELU:
    return (ray){positive ? a.slope : 0, a.error};
  default: // CLIP
    return (ray){is_kept_by_clip(op, positive) ? a.slope : 0, a.error};
  }
}

static bool is_zero(ray a) { return a.slope == 0 && a.error == 0; }

static ray sum_of(ray a, ray b) {
  double slope = a.slope + b.slope;
  double rounding = is_zero(a) || is_zero(b) ? 0 : fabs(slope);
  return (ray){slope, a.error + b.error + rounding};
}

static ray larger_of(ray a, ray b, int side) {
  bool first = side == ABOVE ? a.slope >= b.slope : a.slope <= b.slope;
  return (ray){first ? a.slope : b.slope, fmax(a.error, b.error)};
}

static ray opposite(ray a) { return (ray){-a.slope, a.error}; }

static ray apply_binary(xc_op_kind kind, ray a, ray b, int side) {
  switch (kind) {
  case XC_TIR_ADD:
    return sum_of(a, b);
  case XC_TIR_SUB:
    return sum_of(a, opposite(b));
  case XC_TIR_MAX:
    return larger_of(a, b, side);
  default: // MIN
    return opposite(larger_of(opposite(a), opposite(b), side));
  }
}

static ray times(ray a, double factor) {
  int exponent;
  double slope = a.slope * factor;
  bool exact = fabs(frexp(factor, &exponent)) == 0.5;
  return (ray){slope, a.error * fabs(factor) + (exact ? 0 : fabs(slope))};
}

static bool read_unary(const reader *r, const xc_adaptor *op, int depth,
                       function_of_x *f) {
  if (!read_value(r, xc_operand(op, 0), depth, f))
    return false;
  for (size_t i = 0; i < f->count; ++i)
    for (int side = 0; side < NUM_SIDES; ++side)
      f->bends[i].side[side] = apply_unary(op, f->bends[i].side[side], side);
  return true;
}

static bool read_binary(const reader *r, const xc_adaptor *op, int depth,
                        function_of_x *f) {
  function_of_x a, b;
  if (!read_value(r, xc_operand(op, 0), depth, &a) ||
      !read_value(r, xc_operand(op, 1), depth, &b) || !join(r, &a, &b, f))
    return false;
  for (size_t i = 0; i < f->count; ++i)
    for (int side = 0; side < NUM_SIDES; ++side)
      f->bends[i].side[side] =
          apply_binary(op->info->kind, bend_at(&a, i)->side[side],
                       bend_at(&b, i)->side[side], side);
  return true;
}

static bool are_moderate(const double *numbers, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!(fabs(numbers[i]) <= most_factor))
      return false;
  return true;
}

static bool read_product(const reader *r, const xc_adaptor *op, int depth,
                         function_of_x *f) {
  function_of_x a, constant;
  size_t slot = xc_is_constant(xc_operand(op, XC_MUL_A)) ? XC_MUL_A : XC_MUL_B;
  MlirValue factor = xc_operand(op, slot);
  if (!xc_is_constant(factor) ||
      !read_value(r, xc_operand(op, 1 - slot), depth, &a))
    return false;
  const double *numbers =
      xc_constant_numbers(r->rewriter, factor, &constant.count);
  constant.shape = without_leading_ones(xc_value_shape(factor));
  if (!numbers || !are_moderate(numbers, constant.count) ||
      !join(r, &a, &constant, f))
    return false;
  for (size_t i = 0; i < f->count; ++i)
    for (int side = 0; side < NUM_SIDES; ++side)
      f->bends[i].side[side] = times(bend_at(&a, i)->side[side],
                                     numbers[constant.count == 1 ? 0 : i]);
  return true;
}

// Whether a condition holds above zero, or below; at zero it does not matter.
static bool read_condition(const reader *r, MlirValue condition, int *side) {
  xc_adaptor compare;
  double zero;
  if (!xc_defined_by(condition, XC_TIR_COMPARE, &compare))
    return false;
  bool first = xc_same_value(xc_operand(&compare, XC_COMPARE_A), r->x);
  size_t x = first ? XC_COMPARE_A : XC_COMPARE_B;
  bool greater = xc_attr_is(&compare, XC_ATTR_PREDICATE, XC_ENUM_GT) ||
                 xc_attr_is(&compare, XC_ATTR_PREDICATE, XC_ENUM_GE);
  bool less = xc_attr_is(&compare, XC_ATTR_PREDICATE, XC_ENUM_LT) ||
              xc_attr_is(&compare, XC_ATTR_PREDICATE, XC_ENUM_LE);
  *side = greater == first ? ABOVE : BELOW;
  return (greater || less) && xc_same_value(xc_operand(&compare, x), r->x) &&
         xc_constant_splat(r->rewriter, xc_operand(&compare, 1 - x), &zero) &&
         zero == 0;
}

static bool read_select(const reader *r, const xc_adaptor *op, int depth,
                        function_of_x *f) {
  function_of_x a, b;
  int side;
  if (!read_condition(r, xc_operand(op, XC_SELECT_CONDITION), &side) ||
      !read_value(r, xc_operand(op, XC_SELECT_A), depth, &a) ||
      !read_value(r, xc_operand(op, XC_SELECT_B), depth, &b) ||
      !join(r, &a, &b, f))
    return false;
  for (size_t i = 0; i < f->count; ++i) {
    f->bends[i].side[side] = bend_at(&a, i)->side[side];
    f->bends[i].side[1 - side] = bend_at(&b, i)->side[1 - side];
  }
  return true;
}

static bool read_operator(const reader *r, const xc_adaptor *op, int depth,
                          function_of_x *f) {
  switch (op->info->kind) {
  case XC_TIR_CLIP:
    return is_clip_at_zero(op) && read_unary(r, op, depth, f);
  case XC_TIR_RELU:
  case XC_TIR_ABS:
  case XC_TIR_NEG:
    return read_unary(r, op, depth, f);
  case XC_TIR_ADD:
  case XC_TIR_SUB:
  case XC_TIR_MAX:
  case XC_TIR_MIN:
    return read_binary(r, op, depth, f);
  case XC_TIR_MUL:
    return read_product(r, op, depth, f);
  case XC_TIR_SELECT:
    return read_select(r, op, depth, f);
  default: // no part of a prelu
    return false;
  }
}

static bool read_value(const reader *r, MlirValue value, int depth,
                       function_of_x *f) {
  xc_adaptor op;
  double number;
  if (xc_same_value(value, r->x)) {
    make_line(r, 1, f);
    return true;
  }
  if (xc_is_constant(value)) {
    make_line(r, 0, f);
    return xc_constant_splat(r->rewriter, value, &number) && number == 0;
  }
  return depth > 0 && xc_same_type(value, r->x) &&
         xc_defining_adaptor(value, &op) && read_operator(r, &op, depth - 1, f);
}

//===----------------------------------------------------------------------===//
// The pattern
//===----------------------------------------------------------------------===//

// From a value to one that it is computed from: x is on the way that goes to
// the first operands, as constants are no parts that have x in them.
static bool step_towards_x(MlirValue *value) {
  xc_adaptor op;
  if (!xc_defining_adaptor(*value, &op))
    return false;
  size_t first = op.info->kind == XC_TIR_SELECT ? XC_SELECT_A : 0;
  for (size_t slot = first; slot < op.info->num_operands; ++slot)
    if (xc_has_operand(&op, slot) && !xc_is_constant(xc_operand(&op, slot))) {
      *value = xc_operand(&op, slot);
      return true;
    }
  return false;
}

// Numbers in a model are rounded, too: (1 + a) / 2 and (1 - a) / 2 add up to
// about 1.
static bool is_about(const function_of_x *f, double slope, double number) {
  bool wide = f->shape.element == XC_ELEMENT_F64;
  return fabs(slope - number) <= (wide ? DBL_EPSILON : (double)FLT_EPSILON);
}

// Whether x above zero stays, but for the rounding of a few operators.
static bool is_prelu(const function_of_x *f) {
  const double most = 4;
  for (size_t i = 0; i < f->count; ++i) {
    ray below = f->bends[i].side[BELOW], above = f->bends[i].side[ABOVE];
    if (!is_about(f, above.slope, 1) || !(above.error <= most) ||
        !(fabs(below.slope) <= most_factor) ||
        !(below.error <= most * fmax(1, fabs(below.slope))))
      return false;
  }
  return true;
}

// x by itself, which needs no operator, or |x|, which has one: tir-legalize
// makes max(x, -x) of it.
static bool is_plain(const function_of_x *f) {
  bool same = true, opposite = true;
  for (size_t i = 0; i < f->count; ++i) {
    same &= is_about(f, f->bends[i].side[BELOW].slope, 1);
    opposite &= is_about(f, f->bends[i].side[BELOW].slope, -1);
  }
  return same || opposite;
}

static bool is_relu(const function_of_x *f) {
  for (size_t i = 0; i < f->count; ++i)
    if (f->bends[i].side[BELOW].slope != 0)
      return false;
  return true;
}

static MlirValue build(const reader *r, const function_of_x *f) {
  if (is_relu(f))
    return xc_rewrite_build(r->rewriter, XC_TIR_RELU, &r->x, 1, NULL, 0,
                            XC_ELEMENT_NONE);
  double *slopes = xc_rewrite_alloc(r->rewriter, f->count, sizeof(double));
  for (size_t i = 0; i < f->count; ++i)
    slopes[i] = f->bends[i].side[BELOW].slope;
  const MlirValue operands[] = {
      r->x, xc_rewrite_floats(r->rewriter, slopes, &f->shape)};
  return xc_rewrite_build(r->rewriter, XC_TIR_PRELU, operands, 2, NULL, 0,
                          XC_ELEMENT_NONE);
}

bool xc_canonicalize_prelu_from_parts(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  reader r = {rewriter, xc_result_of(root)};
  function_of_x f;
  xc_element element = xc_value_shape(r.x).element;
  if (element != XC_ELEMENT_F32 && element != XC_ELEMENT_F64)
    return false;
  for (int step = 0; step < MAX_DEPTH && step_towards_x(&r.x); ++step)
    if (read_operator(&r, root, MAX_DEPTH, &f) && is_prelu(&f))
      return !is_plain(&f) && xc_rewrite_replace(rewriter, root, build(&r, &f));
  return false;
}
