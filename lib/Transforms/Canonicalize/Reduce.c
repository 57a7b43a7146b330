//===- Reduce.c - reductions and what stands before them ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks flatten H and W before they take the mean or maximum over both, or
// have the image in NCHW there. Over the image itself it is a pool. A signal in
// three dimensions is an image of one row. Of tensors that have been stacked,
// or of halves of the channels, a reduction is sums or maxima of elements.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"
#include "View.h"

void xc_read_reduced(const xc_adaptor *root, bool reduced[XC_MAX_RANK]) {
  int64_t axes[XC_MAX_INTS];
  size_t count = xc_attr_ints(root, XC_ATTR_AXIS, axes);
  size_t rank = xc_operand_shape(root, 0).rank;
  for (size_t i = 0; i < rank; ++i)
    reduced[i] = false;
  for (size_t i = 0; i < count; ++i)
    reduced[axes[i] < 0 ? axes[i] + (int64_t)rank : axes[i]] = true;
}

// How many dimensions of more than one element a range has that are, or are
// not, reduced.
static size_t count_dims(const xc_shape *shape, const bool *reduced,
                         const xc_dim_group *group, bool wanted) {
  size_t count = 0;
  for (size_t i = group->to; i < group->to_end; ++i)
    count += shape->dims[i] != 1 && reduced[i] == wanted;
  return count;
}

static MlirValue reduce(xc_rewriter *rewriter, const xc_adaptor *root,
                        MlirValue input, const int64_t *axes, size_t count) {
  const xc_attribute changes[] = {xc_ints("axis", axes, count),
                                  xc_bool("keep_dims", true)};
  return xc_rewrite_like(rewriter, root, root->info->kind, &input, 1, changes,
                         2);
}

bool xc_canonicalize_reduction_before_reshape(xc_rewriter *rewriter,
                                              const xc_adaptor *root) {
  xc_adaptor reshape;
  bool reduced[XC_MAX_RANK];
  enum { IMAGE = 4 };
  if (!xc_defining_adaptor(xc_operand(root, 0), &reshape) ||
      reshape.info->float_kind != XC_TIR_RESHAPE ||
      !xc_keeps_numbers(&reshape) || xc_operand_shape(&reshape, 0).rank > IMAGE)
    return false;
  xc_read_reduced(root, reduced);
  xc_shape from = xc_operand_shape(&reshape, 0), to = xc_operand_shape(root, 0);
  xc_dim_group group = {0};
  int64_t axes[XC_MAX_RANK];
  size_t count = 0;
  bool merged = false;
  while (xc_next_dim_group(&from, &to, &group)) {
    size_t own = 0, gone = count_dims(&to, reduced, &group, true);
    if (gone == 0)
      continue;
    if (count_dims(&to, reduced, &group, false) > 0)
      return false;
    for (size_t i = group.from; i < group.from_end; ++i)
      if (from.dims[i] != 1) {
        axes[count++] = (int64_t)i;
        ++own;
      }
    merged |= own > gone;
  }
  bool leaves_image = from.rank == IMAGE && to.rank < IMAGE && count > 0;
  // Only what was merged is worth it; and ones at the end are in no group.
  if (!(merged || leaves_image) || group.from_end != from.rank ||
      group.to_end != to.rank)
    return false;
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_reshape(
          rewriter,
          reduce(rewriter, root, xc_operand(&reshape, 0), axes, count),
          &result));
}

// Rows and columns of an image, NHWC, and nothing else.
static bool reduces_image(const xc_shape *shape, const bool *reduced) {
  enum { IMAGE = 4, CHANNELS = 3 };
  return shape->rank == IMAGE && (!reduced[0] || shape->dims[0] == 1) &&
         (!reduced[CHANNELS] || shape->dims[CHANNELS] == 1);
}

// Reduces before a transpose, which then moves less. An image is reduced as
// one.
bool xc_canonicalize_reduction_before_transpose(xc_rewriter *rewriter,
                                                const xc_adaptor *root) {
  xc_adaptor transpose;
  bool reduced[XC_MAX_RANK], before[XC_MAX_RANK];
  int64_t order[XC_MAX_INTS], axes[XC_MAX_RANK];
  if (!xc_defining_adaptor(xc_operand(root, 0), &transpose) ||
      transpose.info->float_kind != XC_TIR_TRANSPOSE ||
      !xc_keeps_numbers(&transpose))
    return false;
  xc_attr_ints(&transpose, XC_ATTR_ORDER, order);
  xc_read_reduced(root, reduced);
  xc_shape from = xc_operand_shape(&transpose, 0);
  xc_shape to = xc_operand_shape(root, 0);
  for (size_t i = 0; i < to.rank; ++i)
    before[order[i]] = reduced[i];
  if (reduces_image(&to, reduced) && !reduces_image(&from, before))
    return false;
  size_t count = 0;
  for (size_t i = 0; i < from.rank; ++i)
    if (before[i])
      axes[count++] = (int64_t)i;
  MlirValue value =
      reduce(rewriter, root, xc_operand(&transpose, 0), axes, count);
  // Without the fix points of the transpose: those of the reduction can differ.
  const xc_attribute attribute = xc_ints("order", order, to.rank);
  value = xc_rewrite_build(rewriter, transpose.info->kind, &value, 1,
                           &attribute, 1, XC_ELEMENT_NONE);
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

enum { MOST_PARTS = 4 };

/// An axis along which parts of a tensor stand side by side.
typedef struct part_axis {
  size_t rank, axis;
  int64_t count;
} part_axis;

static bool is_elementwise(const xc_adaptor *op) {
  xc_op_kind kind = op->info->kind;
  return kind == XC_TIR_ADD || kind == XC_TIR_SUB || kind == XC_TIR_MUL;
}

static bool has_parts(const xc_shape *shape, const part_axis *at) {
  return shape->rank == at->rank && shape->dims[at->axis] == at->count;
}

// Whether a reshape divides or merges dimensions after the axis only. `before`
// is the axis in its input then.
static bool keeps_axis(const xc_adaptor *op, const part_axis *at,
                       part_axis *before) {
  if (op->info->kind != XC_TIR_RESHAPE)
    return false;
  xc_shape from = xc_operand_shape(op, 0), to = xc_result_shape(op);
  *before = (part_axis){from.rank, at->axis, at->count};
  bool is_same = from.rank > at->axis + 1;
  for (size_t i = 0; is_same && i <= at->axis; ++i)
    is_same = from.dims[i] == to.dims[i];
  return is_same;
}

// Whether slices along the axis are tensors or channels of one: of a concat, of
// what a reshape makes of channels, or of a product or sum of such a tensor.
static bool is_of_parts(MlirValue value, const part_axis *at, int depth) {
  xc_adaptor op;
  xc_shape shape = xc_value_shape(value);
  if (depth == 0 || !has_parts(&shape, at) || !xc_defining_adaptor(value, &op))
    return false;
  if (op.info->kind == XC_TIR_CONCAT) {
    int64_t axis = xc_attr_int(&op, XC_ATTR_AXIS);
    return axis == (int64_t)at->axis &&
           mlirOperationGetNumOperands(op.operation) == at->count;
  }
  part_axis before;
  if (keeps_axis(&op, at, &before))
    return is_of_parts(xc_operand(&op, 0), &before, depth - 1);
  if (op.info->kind == XC_TIR_RESHAPE) {
    xc_shape from = xc_operand_shape(&op, 0);
    return at->axis + 2 == at->rank && from.rank > 0 &&
           from.dims[from.rank - 1] == at->count * shape.dims[at->axis + 1];
  }
  xc_adaptor user;
  return is_elementwise(&op) && xc_single_user(&op, &user) &&
         (is_of_parts(xc_operand(&op, 0), at, depth - 1) ||
          is_of_parts(xc_operand(&op, 1), at, depth - 1));
}

static MlirValue build_part(xc_rewriter *rewriter, MlirValue value,
                            const part_axis *at, int64_t i, int depth) {
  xc_adaptor op;
  part_axis before;
  xc_shape shape = xc_value_shape(value);
  if (!has_parts(&shape, at))
    return value; // the same for all
  bool is_followed =
      xc_defining_adaptor(value, &op) && is_of_parts(value, at, depth);
  if (is_followed && keeps_axis(&op, at, &before)) {
    shape.dims[at->axis] = 1;
    return xc_rewrite_reshape(
        rewriter,
        build_part(rewriter, xc_operand(&op, 0), &before, i, depth - 1),
        &shape);
  }
  if (is_followed && is_elementwise(&op)) {
    const MlirValue operands[] = {
        build_part(rewriter, xc_operand(&op, 0), at, i, depth - 1),
        build_part(rewriter, xc_operand(&op, 1), at, i, depth - 1)};
    return xc_rewrite_like(rewriter, &op, op.info->kind, operands, 2, NULL, 0);
  }
  xc_slice slice = {.rank = at->rank};
  for (size_t d = 0; d < at->rank; ++d) {
    slice.size[d] = shape.dims[d];
    slice.stride[d] = 1;
  }
  slice.begin[at->axis] = i;
  slice.size[at->axis] = 1;
  return xc_slice_new(rewriter, XC_TIR_STRIDED_SLICE, value, &slice);
}

// A broadcast may have fewer dimensions than what it is multiplied with.
static bool read_parts(const xc_adaptor *root, part_axis *at) {
  int64_t axes[XC_MAX_INTS];
  xc_shape shape = xc_operand_shape(root, 0);
  if (xc_attr_ints(root, XC_ATTR_AXIS, axes) != 1 ||
      shape.element != XC_ELEMENT_F32)
    return false;
  at->rank = shape.rank;
  at->axis = (size_t)(axes[0] < 0 ? axes[0] + (int64_t)shape.rank : axes[0]);
  at->count = shape.dims[at->axis];
  return at->axis + 1 < shape.rank && at->count > 1 &&
         at->count <= MOST_PARTS &&
         is_of_parts(xc_operand(root, 0), at, XC_PATTERN_CHAIN);
}

bool xc_canonicalize_reduction_of_parts(xc_rewriter *rewriter,
                                        const xc_adaptor *root) {
  part_axis at;
  if (!read_parts(root, &at))
    return false;
  xc_op_kind kind =
      root->info->kind == XC_TIR_REDUCTION_MAX ? XC_TIR_MAX : XC_TIR_ADD;
  MlirValue input = xc_operand(root, 0), value = {NULL};
  for (int64_t i = 0; i < at.count; ++i) {
    MlirValue part = build_part(rewriter, input, &at, i, XC_PATTERN_CHAIN);
    const MlirValue operands[] = {value, part};
    value = i == 0 ? part
                   : xc_rewrite_build(rewriter, kind, operands, 2, NULL, 0,
                                      XC_ELEMENT_NONE);
  }
  if (root->info->kind == XC_TIR_REDUCTION_MEAN) {
    const xc_shape one = {XC_ELEMENT_F32, 1, {1}, false};
    const double share = 1.0 / (double)at.count;
    const MlirValue operands[] = {value,
                                  xc_rewrite_floats(rewriter, &share, &one)};
    value = xc_rewrite_build(rewriter, XC_TIR_MUL, operands, 2, NULL, 0,
                             XC_ELEMENT_NONE);
  }
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}
