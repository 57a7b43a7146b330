//===- Elementwise.c - transposes before what takes no neighbours ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models whose inputs are NHWC normalise them before the transpose to NCHW,
// which is one of NHWC here, or several that undo each other. Behind it, a
// convolution can take the normalisation in.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

/// An operator on one tensor, element by element.
typedef struct step {
  xc_adaptor op;
  size_t slot;   // of the tensor
  bool has_pair; // the other operand is a constant repeated along the tensor
  const double *scale, *shift; // of the last dimension, where there is no pair
} step;

static bool read_pair(step *s) {
  static const xc_op_kind kinds[] = {XC_TIR_ADD, XC_TIR_SUB, XC_TIR_MUL,
                                     XC_TIR_DIV};
  xc_shape result = xc_value_shape(xc_result_of(&s->op));
  if (!XC_IS_ONE_OF(s->op.info->kind, kinds))
    return false;
  for (s->slot = 0; s->slot < 2; ++s->slot) {
    xc_shape shape = xc_operand_shape(&s->op, s->slot);
    if (xc_is_constant(xc_operand(&s->op, 1 - s->slot)) &&
        xc_same_dims(&shape, &result))
      return s->has_pair = true;
  }
  return false;
}

static bool read_step(xc_rewriter *rewriter, MlirValue value, step *s) {
  *s = (step){.slot = 0};
  if (!xc_defining_adaptor(value, &s->op) || !xc_used_once(&s->op))
    return false;
  if (s->op.info->kind == XC_TIR_CAST || read_pair(s))
    return true;
  s->slot = 0;
  return xc_affine_read(rewriter, &s->op, &s->scale, &s->shift);
}

// Whether nothing but such operators stands between the value and an argument
// or another transpose. Results of layers keep their order: these take the
// operators in.
static bool comes_unchanged(xc_rewriter *rewriter, MlirValue value) {
  xc_adaptor transpose;
  for (size_t i = 0; i <= XC_PATTERN_CHAIN; ++i) {
    step s;
    if (mlirValueIsABlockArgument(value) ||
        xc_defined_by(value, XC_TIR_TRANSPOSE, &transpose))
      return true;
    if (!read_step(rewriter, value, &s))
      return false;
    value = xc_operand(&s.op, s.slot);
  }
  return false;
}

static MlirValue transpose(xc_rewriter *rewriter, const xc_adaptor *root,
                           MlirValue value) {
  int64_t order[XC_MAX_INTS];
  size_t count = xc_attr_ints(root, XC_ATTR_ORDER, order);
  const xc_attribute attribute = xc_ints("order", order, count);
  return xc_rewrite_build(rewriter, XC_TIR_TRANSPOSE, &value, 1, &attribute, 1,
                          XC_ELEMENT_NONE);
}

// Returns a constant that is repeated along the tensor before the transpose as
// one that is repeated along its result.
static MlirValue transpose_constant(xc_rewriter *rewriter,
                                    const xc_adaptor *root,
                                    MlirValue constant) {
  size_t rank = xc_value_shape(xc_result_of(root)).rank;
  xc_shape shape = xc_value_shape(constant), full = shape, one = shape;
  double number;
  bool is_float =
      shape.element == XC_ELEMENT_F32 || shape.element == XC_ELEMENT_F64;
  one.rank = 0;
  if (is_float && xc_constant_splat(rewriter, constant, &number))
    return xc_rewrite_floats(rewriter, &number, &one);
  full.rank = rank;
  for (size_t i = 0; i < rank; ++i) {
    size_t added = rank - shape.rank;
    full.dims[i] = i < added ? 1 : shape.dims[i - added];
  }
  return transpose(rewriter, root,
                   xc_rewrite_reshape(rewriter, constant, &full));
}

// One number for each entry of the last dimension before the transpose.
static MlirValue apply_numbers(xc_rewriter *rewriter, const xc_adaptor *root,
                               xc_op_kind kind, MlirValue tensor,
                               const double *numbers) {
  if (!numbers)
    return tensor;
  xc_shape input = xc_operand_shape(root, XC_TRANSPOSE_INPUT);
  xc_shape line = {input.element, 1, {input.dims[input.rank - 1]}, false};
  const MlirValue operands[] = {
      tensor, transpose_constant(rewriter, root,
                                 xc_rewrite_floats(rewriter, numbers, &line))};
  return xc_rewrite_build(rewriter, kind, operands, 2, NULL, 0,
                          XC_ELEMENT_NONE);
}

static MlirValue apply_step(xc_rewriter *rewriter, const xc_adaptor *root,
                            const step *s, MlirValue tensor) {
  MlirValue operands[2];
  operands[s->slot] = tensor;
  if (s->scale || s->shift)
    return apply_numbers(
        rewriter, root, XC_TIR_ADD,
        apply_numbers(rewriter, root, XC_TIR_MUL, tensor, s->scale), s->shift);
  if (s->has_pair)
    operands[1 - s->slot] =
        transpose_constant(rewriter, root, xc_operand(&s->op, 1 - s->slot));
  return xc_rewrite_like(rewriter, &s->op, s->op.info->kind, operands,
                         s->has_pair ? 2 : 1, NULL, 0);
}

bool xc_canonicalize_transpose_before_elementwise(xc_rewriter *rewriter,
                                                  const xc_adaptor *root) {
  step s;
  MlirValue input = xc_operand(root, XC_TRANSPOSE_INPUT);
  if (!read_step(rewriter, input, &s) || !comes_unchanged(rewriter, input))
    return false;
  MlirValue tensor = transpose(rewriter, root, xc_operand(&s.op, s.slot));
  xc_rewrite_at(rewriter, &s.op);
  return xc_rewrite_replace(rewriter, root,
                            apply_step(rewriter, root, &s, tensor));
}
