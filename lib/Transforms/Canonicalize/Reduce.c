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
// three dimensions is an image of one row.
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
      xc_float_kind(reshape.info->kind) != XC_TIR_RESHAPE ||
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

// What moves then is smaller. An image is reduced as one.
bool xc_canonicalize_reduction_before_transpose(xc_rewriter *rewriter,
                                                const xc_adaptor *root) {
  xc_adaptor transpose;
  bool reduced[XC_MAX_RANK], before[XC_MAX_RANK];
  int64_t order[XC_MAX_INTS], axes[XC_MAX_RANK];
  if (!xc_defining_adaptor(xc_operand(root, 0), &transpose) ||
      xc_float_kind(transpose.info->kind) != XC_TIR_TRANSPOSE ||
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
