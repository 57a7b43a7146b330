//===- Activation.c - activations -----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include <float.h>
#include <math.h>

static bool has_word(const xc_adaptor *adaptor, xc_attr id, xc_enum value) {
  return xc_has_attr(adaptor, id) && xc_attr_is(adaptor, id, value);
}

//===----------------------------------------------------------------------===//
// Activations that change nothing
//===----------------------------------------------------------------------===//

static bool is_float(const xc_adaptor *adaptor) {
  return xc_element_is_float(xc_value_shape(xc_result_of(adaptor)).element);
}

// The smallest integer is its own absolute value.
static bool is_negative_never(const xc_adaptor *adaptor) {
  static const xc_op_kind kinds[] = {
      XC_TIR_RELU,         XC_TIR_RELU6,    XC_TIR_SIGMOID, XC_TIR_EXP,
      XC_TIR_HARD_SIGMOID, XC_TIR_SOFTPLUS, XC_TIR_SOFTMAX};
  return XC_IS_ONE_OF(adaptor->info->kind, kinds) ||
         (adaptor->info->kind == XC_TIR_ABS && is_float(adaptor));
}

static bool is_within_0_6(const xc_adaptor *adaptor) {
  static const xc_op_kind kinds[] = {XC_TIR_RELU6, XC_TIR_SIGMOID,
                                     XC_TIR_HARD_SIGMOID, XC_TIR_SOFTMAX};
  return XC_IS_ONE_OF(adaptor->info->kind, kinds);
}

static bool is_whole(const xc_adaptor *adaptor) {
  static const xc_op_kind kinds[] = {XC_TIR_FLOOR, XC_TIR_CEIL, XC_TIR_ROUND};
  return XC_IS_ONE_OF(adaptor->info->kind, kinds);
}

// The numbers of an operator with a zero point may be negative after a RELU.
bool xc_never_negative(const xc_adaptor *adaptor) {
  return is_negative_never(adaptor) || adaptor->info->kind == XC_TIR_RELU_FIX ||
         adaptor->info->kind == XC_TIR_RELU6_FIX ||
         (!xc_has_attr(adaptor, XC_ATTR_OUTPUT_ZERO_POINT) &&
          (has_word(adaptor, XC_ATTR_NONLINEAR, XC_ENUM_RELU) ||
           has_word(adaptor, XC_ATTR_NONLINEAR, XC_ENUM_RELU6))) ||
         xc_value_shape(xc_result_of(adaptor)).element == XC_ELEMENT_UI8;
}

static bool is_unchanged(const xc_adaptor *root, const xc_adaptor *inner) {
  switch (root->info->kind) {
  case XC_TIR_RELU:
    return is_negative_never(inner);
  case XC_TIR_ABS:
    return is_negative_never(inner) || inner->info->kind == XC_TIR_ABS;
  case XC_TIR_RELU6:
    return is_within_0_6(inner);
  case XC_TIR_RELU_FIX:
    return xc_keeps_numbers(root) && xc_never_negative(inner);
  case XC_TIR_RELU6_FIX:
    return xc_keeps_numbers(root) &&
           (inner->info->kind == XC_TIR_RELU6_FIX ||
            has_word(inner, XC_ATTR_NONLINEAR, XC_ENUM_RELU6)) &&
           xc_has_attr(inner, XC_ATTR_OUTPUT_FIX_POINT) &&
           xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT) ==
               xc_attr_int(inner, XC_ATTR_OUTPUT_FIX_POINT) &&
           xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT) >= -1;
  default: // FLOOR, CEIL, ROUND
    return is_whole(inner);
  }
}

bool xc_canonicalize_activation_twice(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  xc_adaptor inner;
  MlirValue input = xc_operand(root, XC_RELU_INPUT);
  if (!xc_defining_adaptor(input, &inner))
    return false;
  if (root->info->kind == XC_TIR_RELU6 && inner.info->kind == XC_TIR_RELU) {
    input = xc_operand(&inner, XC_RELU_INPUT);
    return xc_rewrite_replace(
        rewriter, root,
        xc_rewrite_like(rewriter, root, XC_TIR_RELU6, &input, 1, NULL, 0));
  }
  return is_unchanged(root, &inner) &&
         xc_rewrite_replace(rewriter, root, input);
}

//===----------------------------------------------------------------------===//
// Clips
//===----------------------------------------------------------------------===//

typedef struct bounds {
  double low, high;
} bounds;

static bool read_bounds(const xc_adaptor *adaptor, bounds *b) {
  switch (adaptor->info->kind) {
  case XC_TIR_CLIP:
    *b = (bounds){xc_attr_float(adaptor, XC_ATTR_MIN),
                  xc_attr_float(adaptor, XC_ATTR_MAX)};
    return b->low <= b->high;
  case XC_TIR_RELU:
    *b = (bounds){0.0, (double)FLT_MAX};
    return true;
  case XC_TIR_RELU6:
    *b = (bounds){0.0, 6.0};
    return true;
  default: // no clip
    return false;
  }
}

static MlirValue build_clip(xc_rewriter *rewriter, MlirValue input, bounds b) {
  const xc_attribute limits[] = {xc_float("min", b.low),
                                 xc_float("max", b.high)};
  return xc_rewrite_build(rewriter, XC_TIR_CLIP, &input, 1, limits, 2,
                          XC_ELEMENT_NONE);
}

bool xc_canonicalize_min_max_as_clip(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  MlirValue a = xc_operand(root, XC_MIN_A), b = xc_operand(root, XC_MIN_B);
  double limit;
  if (xc_value_shape(a).element != XC_ELEMENT_F32 ||
      !xc_same_type(a, xc_result_of(root)) || !xc_is_constant(b) ||
      !xc_constant_splat(rewriter, b, &limit) || !isfinite(limit))
    return false;
  bounds clip = {-(double)FLT_MAX, (double)FLT_MAX};
  if (root->info->kind == XC_TIR_MIN)
    clip.high = limit;
  else
    clip.low = limit;
  return xc_rewrite_replace(rewriter, root, build_clip(rewriter, a, clip));
}

static double clamp(double x, bounds b) { return fmin(fmax(x, b.low), b.high); }

bool xc_canonicalize_clip_of_clip(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  xc_adaptor inner;
  bounds first, second;
  if (!is_float(root) ||
      !xc_defining_adaptor(xc_operand(root, XC_CLIP_INPUT), &inner) ||
      !read_bounds(&inner, &first) || !read_bounds(root, &second))
    return false;
  bounds both = {clamp(first.low, second), clamp(first.high, second)};
  return xc_rewrite_replace(rewriter, root,
                            build_clip(rewriter, xc_operand(&inner, 0), both));
}

bool xc_canonicalize_clip_as_relu(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  bounds b;
  MlirValue input = xc_operand(root, XC_CLIP_INPUT);
  if (!is_float(root) || !read_bounds(root, &b))
    return false;
  bool open_above = b.high >= (double)FLT_MAX;
  if (open_above && b.low <= -(double)FLT_MAX)
    return xc_rewrite_replace(rewriter, root, input);
  if (b.low != 0.0 || (!open_above && b.high != 6.0))
    return false;
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, open_above ? XC_TIR_RELU : XC_TIR_RELU6,
                      &input, 1, NULL, 0));
}

//===----------------------------------------------------------------------===//
// Compositions
//===----------------------------------------------------------------------===//

// Whether a value is `kind` of x with one number; gives x and the number.
static bool is_with_number(xc_rewriter *rewriter, MlirValue value,
                           xc_op_kind kind, MlirValue *x, double *number) {
  xc_adaptor adaptor;
  if (!xc_defined_by(value, kind, &adaptor) ||
      !xc_constant_splat(rewriter, xc_operand(&adaptor, 1), number))
    return false;
  *x = xc_operand(&adaptor, 0);
  return xc_same_type(*x, value);
}

// 1/6 of any float type.
static bool is_sixth(double number) { return fabs(6.0 * number - 1.0) < 1e-6; }

// Whether a value is relu6(x + 3).
static bool is_shifted_relu6(xc_rewriter *rewriter, MlirValue value,
                             MlirValue *x) {
  xc_adaptor relu6;
  double three;
  return xc_defined_by(value, XC_TIR_RELU6, &relu6) &&
         is_with_number(rewriter, xc_operand(&relu6, XC_RELU6_INPUT),
                        XC_TIR_ADD, x, &three) &&
         three == 3.0;
}

static bool replace_by_unary(xc_rewriter *rewriter, const xc_adaptor *root,
                             xc_op_kind kind, MlirValue x,
                             const xc_attribute *attributes, size_t count) {
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_build(rewriter, kind, &x, 1, attributes,
                                             count, XC_ELEMENT_NONE));
}

bool xc_canonicalize_hard_sigmoid_from_relu6(xc_rewriter *rewriter,
                                             const xc_adaptor *root) {
  MlirValue x, inner;
  double sixth;
  if (!is_float(root) ||
      !is_with_number(rewriter, xc_result_of(root), XC_TIR_MUL, &inner,
                      &sixth) ||
      !is_sixth(sixth) || !is_shifted_relu6(rewriter, inner, &x))
    return false;
  return replace_by_unary(rewriter, root, XC_TIR_HARD_SIGMOID, x, NULL, 0);
}

bool xc_canonicalize_hard_sigmoid_from_clip(xc_rewriter *rewriter,
                                            const xc_adaptor *root) {
  bounds b;
  MlirValue scaled, x;
  double alpha, beta;
  if (!is_float(root) || !read_bounds(root, &b) || b.low != 0.0 ||
      b.high != 1.0 ||
      !is_with_number(rewriter, xc_operand(root, XC_CLIP_INPUT), XC_TIR_ADD,
                      &scaled, &beta) ||
      !is_with_number(rewriter, scaled, XC_TIR_MUL, &x, &alpha))
    return false;
  const xc_attribute line[] = {xc_float("alpha", alpha),
                               xc_float("beta", beta)};
  return replace_by_unary(rewriter, root, XC_TIR_HARD_SIGMOID, x, line, 2);
}

bool xc_canonicalize_hard_swish_from_mul(xc_rewriter *rewriter,
                                         const xc_adaptor *root) {
  for (size_t slot = 0; slot < 2; ++slot) {
    xc_adaptor gate;
    MlirValue x = xc_operand(root, XC_MUL_B - slot);
    if (xc_defined_by(xc_operand(root, slot), XC_TIR_HARD_SIGMOID, &gate) &&
        xc_same_value(x, xc_operand(&gate, XC_HARD_SIGMOID_INPUT)) &&
        is_sixth(xc_attr_float(&gate, XC_ATTR_ALPHA)) &&
        xc_attr_float(&gate, XC_ATTR_BETA) == 0.5)
      return replace_by_unary(rewriter, root, XC_TIR_HARD_SWISH, x, NULL, 0);
  }
  return false;
}

bool xc_canonicalize_hard_swish_from_relu6(xc_rewriter *rewriter,
                                           const xc_adaptor *root) {
  MlirValue x, product;
  double sixth;
  xc_adaptor inner;
  if (!is_float(root))
    return false;
  if (is_with_number(rewriter, xc_result_of(root), XC_TIR_MUL, &product,
                     &sixth)) {
    if (!is_sixth(sixth) || !xc_defined_by(product, XC_TIR_MUL, &inner))
      return false;
    for (size_t slot = 0; slot < 2; ++slot)
      if (is_shifted_relu6(rewriter, xc_operand(&inner, slot), &x) &&
          xc_same_value(x, xc_operand(&inner, XC_MUL_B - slot)))
        return replace_by_unary(rewriter, root, XC_TIR_HARD_SWISH, x, NULL, 0);
    return false;
  }
  for (size_t slot = 0; slot < 2; ++slot) {
    MlirValue y;
    if (is_shifted_relu6(rewriter, xc_operand(root, slot), &x) &&
        is_with_number(rewriter, xc_operand(root, XC_MUL_B - slot), XC_TIR_MUL,
                       &y, &sixth) &&
        is_sixth(sixth) && xc_same_value(x, y))
      return replace_by_unary(rewriter, root, XC_TIR_HARD_SWISH, x, NULL, 0);
  }
  return false;
}

bool xc_canonicalize_sigmoid_from_exp(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  double one;
  MlirValue power;
  xc_adaptor exp, neg;
  if (!xc_constant_splat(rewriter, xc_operand(root, XC_DIV_A), &one) ||
      one != 1.0 ||
      !is_with_number(rewriter, xc_operand(root, XC_DIV_B), XC_TIR_ADD, &power,
                      &one) ||
      one != 1.0 || !xc_defined_by(power, XC_TIR_EXP, &exp) ||
      !xc_defined_by(xc_operand(&exp, XC_EXP_INPUT), XC_TIR_NEG, &neg) ||
      !xc_same_type(power, xc_result_of(root)))
    return false;
  return replace_by_unary(rewriter, root, XC_TIR_SIGMOID,
                          xc_operand(&neg, XC_NEG_INPUT), NULL, 0);
}

bool xc_canonicalize_prelu_as_leaky(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  double alpha;
  if (!xc_constant_splat(rewriter, xc_operand(root, XC_PRELU_SLOPE), &alpha))
    return false;
  xc_attribute slope = xc_float("alpha", alpha);
  return replace_by_unary(rewriter, root, XC_TIR_LEAKY_RELU,
                          xc_operand(root, XC_PRELU_INPUT), &slope, 1);
}

bool xc_canonicalize_leaky_as_relu(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  return xc_attr_float(root, XC_ATTR_ALPHA) == 0 &&
         replace_by_unary(rewriter, root, XC_TIR_RELU,
                          xc_operand(root, XC_LEAKY_RELU_INPUT), NULL, 0);
}

//===----------------------------------------------------------------------===//
// Activations before moves
//===----------------------------------------------------------------------===//

static bool is_move(const xc_adaptor *adaptor) {
  static const xc_op_kind moves[] = {XC_TIR_RESHAPE, XC_TIR_FLATTEN,
                                     XC_TIR_SQUEEZE, XC_TIR_TRANSPOSE,
                                     XC_TIR_PIXEL_SHUFFLE};
  bool repeats =
      adaptor->info->kind == XC_TIR_RESIZE &&
      xc_attr_is(adaptor, XC_ATTR_MODE, XC_ENUM_NEAREST) &&
      !xc_attr_is(adaptor, XC_ATTR_COORDINATE_MODE, XC_ENUM_TF_CROP_AND_RESIZE);
  return repeats || XC_IS_ONE_OF(adaptor->info->kind, moves);
}

// Whether a value is the only use of what an activation can be fused into, or
// made of nothing else by `depth` moves and joins at most.
static bool can_be_activated(MlirValue value, int depth) {
  static const xc_op_kind producers[] = {XC_TIR_CONV2D,
                                         XC_TIR_DEPTHWISE_CONV2D,
                                         XC_TIR_MATMUL,
                                         XC_TIR_TRANSPOSED_CONV2D,
                                         XC_TIR_INNER_PRODUCT,
                                         XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D,
                                         XC_TIR_ADD};
  xc_adaptor adaptor;
  if (!xc_defining_adaptor(value, &adaptor) || !xc_used_once(&adaptor))
    return false;
  if (XC_IS_ONE_OF(adaptor.info->kind, producers))
    return true;
  bool joins = adaptor.info->kind == XC_TIR_CONCAT;
  if (depth == 0 || (!joins && !is_move(&adaptor)))
    return false;
  for (size_t slot = 0; slot < (joins ? adaptor.info->num_operands : 1); ++slot)
    if (xc_has_operand(&adaptor, slot) &&
        !can_be_activated(xc_operand(&adaptor, slot), depth - 1))
      return false;
  return true;
}

// Returns the root's operator on another value, without its name.
static MlirValue activate(xc_rewriter *rewriter, const xc_adaptor *root,
                          MlirValue value) {
  xc_attribute nameless = xc_given("op_name", (MlirAttribute){NULL});
  return xc_rewrite_like(rewriter, root, root->info->kind, &value, 1, &nameless,
                         1);
}

bool xc_canonicalize_activation_before_move(xc_rewriter *rewriter,
                                            const xc_adaptor *root) {
  xc_adaptor move;
  if (!xc_defining_adaptor(xc_operand(root, XC_RELU_INPUT), &move) ||
      !is_move(&move) || !xc_used_once(&move) ||
      !can_be_activated(xc_operand(&move, 0), XC_PATTERN_CHAIN))
    return false;
  MlirValue value = activate(rewriter, root, xc_operand(&move, 0));
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, &move, move.info->kind, &value, 1, NULL, 0));
}

// The slopes are those of the last dimension, which has to stay what it is.
bool xc_canonicalize_prelu_before_reshape(xc_rewriter *rewriter,
                                          const xc_adaptor *root) {
  xc_adaptor reshape;
  if (!xc_defined_by(xc_operand(root, XC_PRELU_INPUT), XC_TIR_RESHAPE,
                     &reshape) ||
      !xc_used_once(&reshape) ||
      !can_be_activated(xc_operand(&reshape, 0), XC_PATTERN_CHAIN))
    return false;
  xc_shape before = xc_value_shape(xc_operand(&reshape, 0));
  xc_shape after = xc_value_shape(xc_result_of(root));
  if (before.rank == 0 || after.rank == 0 ||
      before.dims[before.rank - 1] != after.dims[after.rank - 1])
    return false;
  xc_shape line = {after.element, 1, {after.dims[after.rank - 1]}, false};
  const double *slopes = xc_constant_per_channel(
      rewriter, xc_operand(root, XC_PRELU_SLOPE), after.rank, line.dims[0]);
  if (!slopes)
    return false;
  const MlirValue operands[] = {xc_operand(&reshape, 0),
                                xc_rewrite_floats(rewriter, slopes, &line)};
  MlirValue value =
      xc_rewrite_like(rewriter, root, XC_TIR_PRELU, operands, 2, NULL, 0);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, &reshape, XC_TIR_RESHAPE, &value, 1, NULL, 0));
}

bool xc_canonicalize_activation_before_concat(xc_rewriter *rewriter,
                                              const xc_adaptor *root) {
  MlirValue values[XC_MAX_OPERANDS] = {{NULL}};
  xc_adaptor concat;
  MlirValue joined = xc_operand(root, XC_RELU_INPUT);
  if (!xc_defined_by(joined, XC_TIR_CONCAT, &concat) ||
      !can_be_activated(joined, XC_PATTERN_CHAIN))
    return false;
  size_t slots = concat.info->num_operands;
  for (size_t slot = 0; slot < slots; ++slot)
    if (xc_has_operand(&concat, slot))
      values[slot] = activate(rewriter, root, xc_operand(&concat, slot));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, &concat, XC_TIR_CONCAT,
                                            values, slots, NULL, 0));
}

//===----------------------------------------------------------------------===//
// Fixed point
//===----------------------------------------------------------------------===//

bool xc_canonicalize_relu6_beyond_range(xc_rewriter *rewriter,
                                        const xc_adaptor *root) {
  bool alone = root->info->kind == XC_TIR_RELU6_FIX;
  if (!alone && !xc_attr_is(root, XC_ATTR_NONLINEAR, XC_ENUM_RELU6))
    return false;
  // 6 * 2^5 is more than 127, 6 * 2^6 more than 255.
  xc_element element = xc_value_shape(xc_result_of(root)).element;
  int64_t least = element == XC_ELEMENT_UI8 ? 6 : 5;
  if (xc_attr_int(root, XC_ATTR_OUTPUT_FIX_POINT) < least)
    return false;
  MlirValue operands[XC_MAX_OPERANDS];
  size_t slots = root->info->num_operands;
  for (size_t slot = 0; slot < slots; ++slot)
    operands[slot] = xc_operand_or_null(root, slot);
  xc_attribute relu = xc_string("nonlinear", "RELU");
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root,
                      alone ? XC_TIR_RELU_FIX : root->info->kind, operands,
                      slots, &relu, !alone));
}

// Rounding and saturation keep order, so max(x, 0), and min(x, 6) where 6 is on
// the grid, may be applied before them.
bool xc_canonicalize_activation_into_producer(xc_rewriter *rewriter,
                                              const xc_adaptor *root) {
  static const xc_op_kind producers[] = {XC_TIR_CONV2D_FIX,
                                         XC_TIR_DEPTHWISE_CONV2D_FIX,
                                         XC_TIR_TRANSPOSED_CONV2D_FIX,
                                         XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D_FIX,
                                         XC_TIR_MATMUL_FIX,
                                         XC_TIR_ELTWISE_FIX,
                                         XC_TIR_DEPTHWISE_FIX};
  xc_adaptor producer;
  bool relu6 = root->info->kind == XC_TIR_RELU6_FIX;
  if (!xc_defining_adaptor(xc_operand(root, XC_RELU_FIX_INPUT), &producer) ||
      !XC_IS_ONE_OF(producer.info->kind, producers) ||
      !xc_used_once(&producer) || !xc_keeps_numbers(root) ||
      !xc_attr_is(&producer, XC_ATTR_NONLINEAR, XC_ENUM_NONE) ||
      xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT) !=
          xc_attr_int(&producer, XC_ATTR_OUTPUT_FIX_POINT) ||
      (relu6 && xc_attr_int(root, XC_ATTR_INPUT_FIX_POINT) < -1))
    return false;
  MlirValue operands[XC_MAX_OPERANDS];
  size_t slots = producer.info->num_operands;
  for (size_t slot = 0; slot < slots; ++slot)
    operands[slot] = xc_operand_or_null(&producer, slot);
  xc_attribute nonlinear = xc_string("nonlinear", relu6 ? "RELU6" : "RELU");
  xc_rewrite_at(rewriter, &producer);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_like(rewriter, &producer,
                                            producer.info->kind, operands,
                                            slots, &nonlinear, 1));
}
