//===- Reduce.c - reductions and what stands before them ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks flatten H and W before they take the mean or maximum over both. Over
// the image itself it is a pool.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"
#include "View.h"

// Marks the dimensions that a reduction leaves out.
static void read_reduced(const xc_adaptor *root, bool reduced[XC_MAX_RANK]) {
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
  if (!xc_defining_adaptor(xc_operand(root, 0), &reshape) ||
      xc_float_kind(reshape.info->kind) != XC_TIR_RESHAPE ||
      !xc_keeps_numbers(&reshape))
    return false;
  read_reduced(root, reduced);
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
  // Only what was merged is worth it; and ones at the end are in no group.
  if (!merged || group.from_end != from.rank || group.to_end != to.rank)
    return false;
  xc_shape result = xc_value_shape(xc_result_of(root));
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_reshape(
          rewriter,
          reduce(rewriter, root, xc_operand(&reshape, 0), axes, count),
          &result));
}
