//===- Volume.c - operators of more than four dimensions ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A DPU knows images of four dimensions. Networks on volumes have five, of
// which two neighbours can be one where the operator treats both alike: the
// columns and depths of [N, H, W, D, C] for a mean over the pixels or a factor
// for each channel, the depths and channels for zeros around the depth.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include <string.h>

enum { IMAGE = 4 };

// Whether the dimensions `at` and `at + 1` can be one.
typedef bool (*can_merge)(const void *context, size_t at);

/// Which dimensions of a shape begin a new one: the last ones that can be
/// merged are, until four are left.
typedef struct dim_merge {
  size_t rank, kept;
  bool begins[XC_MAX_RANK];
} dim_merge;

static bool merge_dims(size_t rank, can_merge can, const void *context,
                       dim_merge *merge) {
  *merge = (dim_merge){.rank = rank, .kept = rank};
  for (size_t i = 0; i < rank; ++i)
    merge->begins[i] = true;
  for (size_t at = rank - 1; at-- > 0 && merge->kept > IMAGE;)
    if (can(context, at)) {
      merge->begins[at + 1] = false;
      --merge->kept;
    }
  return merge->kept <= IMAGE;
}

static xc_shape merged(const xc_shape *shape, const dim_merge *merge) {
  xc_shape result = {.element = shape->element};
  for (size_t i = 0; i < merge->rank; ++i)
    if (merge->begins[i])
      result.dims[result.rank++] = shape->dims[i];
    else
      result.dims[result.rank - 1] *= shape->dims[i];
  return result;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static bool both_reduced_or_not(const void *context, size_t at) {
  const bool *reduced = context;
  return reduced[at] == reduced[at + 1];
}

bool xc_canonicalize_reduction_of_volume(xc_rewriter *rewriter,
                                         const xc_adaptor *root) {
  bool reduced[XC_MAX_RANK];
  dim_merge merge;
  int64_t axes[XC_MAX_RANK];
  size_t count = 0, at = 0;
  xc_shape shape = xc_operand_shape(root, 0);
  xc_read_reduced(root, reduced);
  if (shape.rank <= IMAGE ||
      !merge_dims(shape.rank, both_reduced_or_not, reduced, &merge))
    return false;
  for (size_t i = 0; i < shape.rank; ++i) {
    if (merge.begins[i] && reduced[i])
      axes[count++] = (int64_t)at;
    at += merge.begins[i];
  }
  xc_shape image = merged(&shape, &merge);
  xc_shape result = xc_value_shape(xc_result_of(root));
  MlirValue input = xc_rewrite_reshape(rewriter, xc_operand(root, 0), &image);
  const xc_attribute changes[] = {xc_ints("axis", axes, count),
                                  xc_bool("keep_dims", true)};
  MlirValue value =
      xc_rewrite_like(rewriter, root, root->info->kind, &input, 1, changes, 2);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}

//===----------------------------------------------------------------------===//
// Operands that are repeated
//===----------------------------------------------------------------------===//

/// The shapes of the operands of an elementwise operator, with ones before
/// those of fewer dimensions.
typedef struct operand_shapes {
  size_t count;
  xc_shape shapes[XC_MAX_OPERANDS], result;
} operand_shapes;

// Whether every operand has all of both dimensions, or one element of both.
static bool repeated_alike(const void *context, size_t at) {
  const operand_shapes *all = context;
  for (size_t i = 0; i < all->count; ++i) {
    const int64_t *dims = all->shapes[i].dims;
    bool whole = dims[at] == all->result.dims[at] &&
                 dims[at + 1] == all->result.dims[at + 1];
    if (!whole && (dims[at] != 1 || dims[at + 1] != 1))
      return false;
  }
  return true;
}

bool xc_canonicalize_broadcast_of_volume(xc_rewriter *rewriter,
                                         const xc_adaptor *root) {
  MlirValue operands[XC_MAX_OPERANDS];
  dim_merge merge;
  xc_shape result = xc_value_shape(xc_result_of(root));
  operand_shapes all = {.result = result};
  bool is_repeated = false;
  for (size_t slot = 0; slot < root->info->num_operands; ++slot) {
    MlirValue operand = xc_operand_or_null(root, slot);
    if (mlirValueIsNull(operand))
      continue;
    xc_shape shape = xc_value_shape(operand), full = result;
    full.element = shape.element;
    for (size_t i = 0; i < result.rank; ++i) {
      size_t lead = result.rank - shape.rank;
      full.dims[i] = i < lead ? 1 : shape.dims[i - lead];
    }
    is_repeated |= !xc_same_dims(&full, &result);
    operands[all.count] = operand;
    all.shapes[all.count++] = full;
  }
  if (result.rank <= IMAGE || !is_repeated ||
      !merge_dims(result.rank, repeated_alike, &all, &merge))
    return false;
  for (size_t i = 0; i < all.count; ++i) {
    xc_shape image = merged(&all.shapes[i], &merge);
    operands[i] = xc_rewrite_reshape(rewriter, operands[i], &image);
  }
  MlirValue value = xc_rewrite_like(rewriter, root, root->info->kind, operands,
                                    all.count, NULL, 0);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}

// All dimensions before the channels are alike.
static bool before_channels(const void *context, size_t at) {
  const xc_shape *shape = context;
  return at + 2 < shape->rank;
}

bool xc_canonicalize_affine_of_volume(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  xc_shape shape = xc_operand_shape(root, 0);
  xc_shape result = xc_value_shape(xc_result_of(root));
  MlirValue operands[XC_MAX_OPERANDS];
  size_t count = root->info->num_operands;
  int64_t axis = xc_attr_int(root, XC_ATTR_AXIS);
  dim_merge merge;
  if (shape.rank <= IMAGE || (axis != -1 && axis + 1 != (int64_t)shape.rank) ||
      !merge_dims(shape.rank, before_channels, &shape, &merge))
    return false;
  xc_shape image = merged(&shape, &merge);
  for (size_t i = 0; i < count; ++i)
    operands[i] = xc_operand_or_null(root, i);
  operands[0] = xc_rewrite_reshape(rewriter, operands[0], &image);
  const xc_attribute change = xc_int("axis", -1);
  MlirValue value = xc_rewrite_like(rewriter, root, root->info->kind, operands,
                                    count, &change, 1);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

// Paddings of a dimension can be as many of the next one, which has none.
static bool next_not_padded(const void *context, size_t at) {
  const int64_t *paddings = context;
  return paddings[2 * at + 2] == 0 && paddings[2 * at + 3] == 0;
}

bool xc_canonicalize_pad_of_volume(xc_rewriter *rewriter,
                                   const xc_adaptor *root) {
  int64_t paddings[XC_MAX_INTS], sides[2 * XC_MAX_RANK];
  dim_merge merge;
  xc_shape shape = xc_operand_shape(root, XC_PAD_INPUT);
  xc_attr_ints(root, XC_ATTR_PADDINGS, paddings);
  if (shape.rank <= IMAGE ||
      !xc_attr_is(root, XC_ATTR_MODE, XC_ENUM_CONSTANT) ||
      !merge_dims(shape.rank, next_not_padded, paddings, &merge))
    return false;
  size_t kept = 0;
  for (size_t i = 0; i < shape.rank; ++i) {
    if (merge.begins[i]) {
      memcpy(sides + 2 * kept++, paddings + 2 * i, 2 * sizeof(*sides));
      continue;
    }
    sides[2 * kept - 2] *= shape.dims[i];
    sides[2 * kept - 1] *= shape.dims[i];
  }
  xc_shape image = merged(&shape, &merge);
  xc_shape result = xc_value_shape(xc_result_of(root));
  MlirValue input =
      xc_rewrite_reshape(rewriter, xc_operand(root, XC_PAD_INPUT), &image);
  const xc_attribute change = xc_ints("paddings", sides, 2 * kept);
  MlirValue value =
      xc_rewrite_like(rewriter, root, root->info->kind, &input, 1, &change, 1);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, value, &result));
}
