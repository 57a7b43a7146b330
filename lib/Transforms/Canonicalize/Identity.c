//===- Identity.c - operators that change nothing -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include <math.h>

bool xc_canonicalize_no_op_arithmetic(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  double number;
  bool neutral_zero =
      root->info->kind == XC_TIR_ADD || root->info->kind == XC_TIR_SUB;
  MlirValue a = xc_operand(root, XC_ADD_A), b = xc_operand(root, XC_ADD_B);
  if (!xc_same_type(a, xc_result_of(root)) || !xc_is_constant(b) ||
      !xc_constant_splat(rewriter, b, &number) ||
      number != (neutral_zero ? 0.0 : 1.0))
    return false;
  return xc_rewrite_replace(rewriter, root, a);
}

//===----------------------------------------------------------------------===//
// Data movements: each predicate may rely on equal types
//===----------------------------------------------------------------------===//

static bool always(const xc_adaptor *adaptor) {
  (void)adaptor;
  return true;
}

static bool in_order(const xc_adaptor *adaptor) {
  int64_t order[XC_MAX_INTS];
  size_t rank = xc_attr_ints(adaptor, XC_ATTR_ORDER, order);
  for (size_t i = 0; i < rank; ++i)
    if (order[i] != (int64_t)i)
      return false;
  return true;
}

// A slice as large as its input is all of it, unless it runs backwards.
static bool runs_forward(const xc_adaptor *adaptor) {
  int64_t strides[XC_MAX_INTS];
  xc_shape shape = xc_operand_shape(adaptor, 0);
  xc_attr_ints(adaptor, XC_ATTR_STRIDES, strides);
  for (size_t i = 0; i < shape.rank; ++i)
    if (shape.dims[i] > 1 && strides[i] != 1)
      return false;
  return true;
}

static bool no_paddings(const xc_adaptor *adaptor) {
  return xc_attr_all(adaptor, XC_ATTR_PADDINGS, 0);
}
static bool unit_blocks(const xc_adaptor *adaptor) {
  return xc_attr_all(adaptor, XC_ATTR_BLOCK_SHAPE, 1) &&
         xc_attr_all(adaptor,
                     xc_has_attr(adaptor, XC_ATTR_CROPS) ? XC_ATTR_CROPS
                                                         : XC_ATTR_PADDINGS,
                     0);
}
static bool unit_scale(const xc_adaptor *adaptor) {
  return xc_attr_int(adaptor, XC_ATTR_SCALE) == 1;
}
static bool unit_scales(const xc_adaptor *adaptor) {
  return xc_attr_all(adaptor, XC_ATTR_SCALE, 1);
}
static bool unit_stride(const xc_adaptor *adaptor) {
  return xc_attr_int(adaptor, XC_ATTR_STRIDE) == 1;
}
static bool one_input(const xc_adaptor *adaptor) {
  return xc_num_inputs(adaptor) == 1;
}

// At scale 1 every coordinate formula but the cropping one hits the elements
// themselves, which all three modes return.
static bool keeps_size(const xc_adaptor *adaptor) {
  double scale[2];
  size_t count = xc_attr_floats(adaptor, XC_ATTR_SCALE, scale, 2);
  return !xc_attr_is(adaptor, XC_ATTR_COORDINATE_MODE,
                     XC_ENUM_TF_CROP_AND_RESIZE) &&
         (count == 0 || (scale[0] == 1.0 && scale[1] == 1.0));
}

bool xc_canonicalize_no_op_move(xc_rewriter *rewriter, const xc_adaptor *root) {
  // clang-format off
  static const struct {
    xc_op_kind kind;
    bool (*is_no_op)(const xc_adaptor *adaptor);
  } rows[] = {
      {XC_TIR_RESHAPE, always},
      {XC_TIR_FLATTEN, always},
      {XC_TIR_SQUEEZE, always},
      {XC_TIR_EXPAND, always},
      {XC_TIR_CAST, always},
      {XC_TIR_TRANSPOSE, in_order},
      {XC_TIR_STRIDED_SLICE, runs_forward},
      {XC_TIR_PAD, no_paddings},
      {XC_TIR_PIXEL_SHUFFLE, unit_scale},
      {XC_TIR_REORG, unit_scale},
      {XC_TIR_GSTILING, unit_stride},
      {XC_TIR_SPACE_TO_BATCH, unit_blocks},
      {XC_TIR_BATCH_TO_SPACE, unit_blocks},
      {XC_TIR_CONCAT, one_input},
      {XC_TIR_RESIZE, keeps_size},
      {XC_TIR_UPSAMPLE_FIX, unit_scales},
      {XC_TIR_DOWNSAMPLE_FIX, unit_scales},
  };
  // clang-format on
  MlirValue input = xc_operand(root, XC_RESHAPE_INPUT);
  if (!xc_same_type(input, xc_result_of(root)) || !xc_keeps_numbers(root))
    return false;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].kind == root->info->float_kind)
      return rows[i].is_no_op(root) &&
             xc_rewrite_replace(rewriter, root, input);
  return false;
}

// Whether every number of one type is one of the other.
static bool holds(xc_element wide, xc_element narrow) {
  return wide == XC_ELEMENT_F64
             ? xc_element_is_float(narrow)
             : wide == XC_ELEMENT_F32 &&
                   (narrow == XC_ELEMENT_F16 || narrow == XC_ELEMENT_BF16);
}

bool xc_canonicalize_cast_and_back(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  xc_adaptor inner;
  if (!xc_defined_by(xc_operand(root, XC_CAST_INPUT), XC_TIR_CAST, &inner))
    return false;
  MlirValue input = xc_operand(&inner, XC_CAST_INPUT);
  return holds(xc_value_shape(xc_result_of(&inner)).element,
               xc_value_shape(input).element) &&
         xc_rewrite_replace(
             rewriter, root,
             xc_rewrite_like(rewriter, root, XC_TIR_CAST, &input, 1, NULL, 0));
}

bool xc_canonicalize_no_op_window(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  MlirValue input = xc_operand(root, XC_MAXPOOL2D_INPUT);
  if (!xc_same_type(input, xc_result_of(root)) || !xc_keeps_numbers(root))
    return false;
  // A global pool that keeps its shape has a 1x1 input.
  bool unit = xc_attr_bool(root, XC_ATTR_GLOBAL) ||
              (xc_attr_all(root, XC_ATTR_KERNEL, 1) &&
               xc_attr_all(root, XC_ATTR_STRIDE, 1) &&
               xc_attr_all(root, XC_ATTR_PAD, 0));
  return unit && xc_rewrite_replace(rewriter, root, input);
}

bool xc_canonicalize_no_op_reduction(xc_rewriter *rewriter,
                                     const xc_adaptor *root) {
  int64_t axes[XC_MAX_INTS];
  size_t count = xc_attr_ints(root, XC_ATTR_AXIS, axes);
  xc_shape input = xc_operand_shape(root, XC_REDUCTION_SUM_INPUT);
  if (!xc_keeps_numbers(root))
    return false;
  for (size_t i = 0; i < count; ++i)
    if (input.dims[axes[i] < 0 ? axes[i] + (int64_t)input.rank : axes[i]] != 1)
      return false;
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_reshape(rewriter, xc_operand(root, XC_REDUCTION_SUM_INPUT),
                         &result));
}
