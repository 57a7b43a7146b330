//===- Join.c - concats and broadcasts ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"
#include "View.h"

#include <string.h>

// The inputs of a concat while they are rearranged; `points` only counts for
// concat-fix.
typedef struct inputs {
  MlirValue values[XC_MAX_OPERANDS];
  int64_t points[XC_MAX_OPERANDS];
  size_t count;
} inputs;

enum { MOST_INPUTS = XC_MAX_OPERANDS - 1 };

static size_t axis_of(const xc_adaptor *concat) {
  int64_t axis = xc_attr_int(concat, XC_ATTR_AXIS);
  return (size_t)(axis < 0 ? axis + (int64_t)xc_operand_shape(concat, 0).rank
                           : axis);
}

// Inputs of a concat may leave slots out.
static inputs read_inputs(const xc_adaptor *concat) {
  inputs all = {.count = 0};
  int64_t points[XC_MAX_INTS];
  size_t num_points = 0;
  if (concat->info->kind == XC_TIR_CONCAT_FIX)
    num_points = xc_attr_ints(concat, XC_ATTR_INPUT_FIX_POINT, points);
  for (size_t slot = 0; slot < MOST_INPUTS; ++slot) {
    if (!xc_has_operand(concat, slot))
      continue;
    all.points[all.count] = all.count < num_points ? points[all.count] : 0;
    all.values[all.count++] = xc_operand(concat, slot);
  }
  return all;
}

static bool replace_inputs(xc_rewriter *rewriter, const xc_adaptor *root,
                           const inputs *all) {
  xc_attribute points = xc_ints("input_fix_point", all->points, all->count);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, root->info->kind, all->values, all->count,
                      &points, root->info->kind == XC_TIR_CONCAT_FIX));
}

bool xc_canonicalize_concat_of_concat(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  inputs outer = read_inputs(root);
  for (size_t i = 0; i < outer.count; ++i) {
    xc_adaptor adaptor;
    if (!xc_defining_adaptor(outer.values[i], &adaptor) ||
        adaptor.info != root->info || !xc_used_once(&adaptor) ||
        axis_of(&adaptor) != axis_of(root) || !xc_keeps_numbers(&adaptor))
      continue;
    inputs inner = read_inputs(&adaptor);
    if (outer.count + inner.count - 1 > MOST_INPUTS)
      continue;
    inputs all = {.count = outer.count + inner.count - 1};
    for (size_t j = 0; j < all.count; ++j) {
      bool within = j >= i && j < i + inner.count;
      size_t from = j < i ? j : within ? i : j + 1 - inner.count;
      all.values[j] = within ? inner.values[j - i] : outer.values[from];
      all.points[j] = outer.points[from];
    }
    return replace_inputs(rewriter, root, &all);
  }
  return false;
}

// Whether `second` starts where `first` ends along the axis.
static bool adjoin(const xc_slice *first, const xc_slice *second, size_t axis) {
  for (size_t i = 0; i < first->rank; ++i) {
    if (i == axis)
      continue;
    if (first->begin[i] != second->begin[i] ||
        first->size[i] != second->size[i] ||
        first->stride[i] != second->stride[i])
      return false;
  }
  return first->stride[axis] == 1 && second->stride[axis] == 1 &&
         first->begin[axis] + first->size[axis] == second->begin[axis];
}

bool xc_canonicalize_concat_of_slices(xc_rewriter *rewriter,
                                      const xc_adaptor *root) {
  inputs all = read_inputs(root);
  size_t axis = axis_of(root);
  for (size_t i = 0; i + 1 < all.count; ++i) {
    xc_adaptor a, b;
    xc_slice first, second;
    if (!xc_defining_adaptor(all.values[i], &a) ||
        !xc_defining_adaptor(all.values[i + 1], &b) || a.info != b.info ||
        a.info->float_kind != XC_TIR_STRIDED_SLICE || !xc_used_once(&a) ||
        !xc_used_once(&b) || !xc_keeps_numbers(&a) || !xc_keeps_numbers(&b) ||
        all.points[i] != all.points[i + 1] ||
        !xc_same_value(xc_operand(&a, 0), xc_operand(&b, 0)) ||
        !xc_slice_read(&a, &first) || !xc_slice_read(&b, &second) ||
        !adjoin(&first, &second, axis))
      continue;
    first.size[axis] += second.size[axis];
    all.values[i] = xc_slice_build(rewriter, &a, xc_operand(&a, 0), &first);
    --all.count;
    for (size_t j = i + 1; j < all.count; ++j) {
      all.values[j] = all.values[j + 1];
      all.points[j] = all.points[j + 1];
    }
    return replace_inputs(rewriter, root, &all);
  }
  return false;
}

bool xc_canonicalize_expand_into_broadcast(xc_rewriter *rewriter,
                                           const xc_adaptor *root) {
  xc_shape result = xc_value_shape(xc_result_of(root));
  for (size_t slot = 0; slot < 2; ++slot) {
    xc_adaptor expand;
    xc_shape other = xc_operand_shape(root, XC_ADD_B - slot);
    if (!xc_same_dims(&other, &result) ||
        !xc_defined_by(xc_operand(root, slot), XC_TIR_EXPAND, &expand))
      continue;
    MlirValue operands[] = {xc_operand(root, XC_ADD_A),
                            xc_operand(root, XC_ADD_B)};
    operands[slot] = xc_operand(&expand, XC_EXPAND_INPUT);
    return xc_rewrite_replace(rewriter, root,
                              xc_rewrite_like(rewriter, root, root->info->kind,
                                              operands, 2, NULL, 0));
  }
  return false;
}

bool xc_canonicalize_transpose_before_expand(xc_rewriter *rewriter,
                                             const xc_adaptor *root) {
  xc_adaptor expand;
  if (!xc_defined_by(xc_operand(root, XC_TRANSPOSE_INPUT), XC_TIR_EXPAND,
                     &expand))
    return false;
  xc_shape small = xc_operand_shape(&expand, XC_EXPAND_INPUT);
  xc_shape result = xc_value_shape(xc_result_of(root));
  // Dimensions that the expansion adds in front are ones before it.
  size_t added = result.rank - small.rank;
  xc_shape ones = small;
  ones.rank = result.rank;
  for (size_t i = 0; i < result.rank; ++i)
    ones.dims[i] = i < added ? 1 : small.dims[i - added];
  MlirValue input =
      xc_rewrite_reshape(rewriter, xc_operand(&expand, XC_EXPAND_INPUT), &ones);
  input = xc_rewrite_like(rewriter, root, root->info->kind, &input, 1, NULL, 0);
  xc_attribute shape = xc_ints("shape", result.dims, result.rank);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, &expand, XC_TIR_EXPAND, &input, 1, &shape, 1));
}

// A concat of other shapes of what root joins, in the shape of its result.
static bool replace_joined(xc_rewriter *rewriter, const xc_adaptor *root,
                           const inputs *all, int64_t axis) {
  const xc_attribute changes[] = {
      xc_int("axis", axis),
      xc_ints("input_fix_point", all->points, all->count)};
  bool is_fixed = root->info->kind == XC_TIR_CONCAT_FIX;
  MlirValue joined =
      xc_rewrite_like(rewriter, root, root->info->kind, all->values, all->count,
                      changes, is_fixed ? 2 : 1);
  const xc_shape result = xc_result_shape(root);
  return xc_rewrite_replace(rewriter, root,
                            xc_rewrite_reshape(rewriter, joined, &result));
}

bool xc_canonicalize_concat_of_signals(xc_rewriter *rewriter,
                                       const xc_adaptor *root) {
  static const int64_t axes[] = {0, 2, 3};
  inputs all = read_inputs(root);
  for (size_t i = 0; i < all.count; ++i) {
    all.values[i] = xc_image_of_signal(all.values[i]);
    if (mlirValueIsNull(all.values[i]))
      return false;
  }
  return replace_joined(rewriter, root, &all, axes[axis_of(root)]);
}

/// Returns the image of one pixel that a row of numbers was, or null.
static MlirValue pixel_of_row(MlirValue value) {
  enum { IMAGE = 4 };
  xc_adaptor reshape;
  if (!xc_defining_adaptor(value, &reshape) ||
      reshape.info->float_kind != XC_TIR_RESHAPE || !xc_keeps_numbers(&reshape))
    return (MlirValue){NULL};
  xc_shape image = xc_operand_shape(&reshape, 0), row = xc_value_shape(value);
  return image.rank == IMAGE && image.dims[0] == row.dims[0] &&
                 image.dims[IMAGE - 1] == row.dims[1]
             ? xc_operand(&reshape, 0)
             : (MlirValue){NULL};
}

bool xc_canonicalize_concat_of_rows(xc_rewriter *rewriter,
                                    const xc_adaptor *root) {
  inputs all = read_inputs(root);
  const xc_shape result = xc_result_shape(root);
  bool any = false;
  if (result.rank != 2 || axis_of(root) != 1)
    return false;
  for (size_t i = 0; i < all.count; ++i)
    any |= !mlirValueIsNull(pixel_of_row(all.values[i]));
  if (!any)
    return false;
  for (size_t i = 0; i < all.count; ++i) {
    const xc_shape row = xc_value_shape(all.values[i]);
    const xc_shape pixel = {
        row.element, 4, {row.dims[0], 1, 1, row.dims[1]}, false};
    MlirValue image = pixel_of_row(all.values[i]);
    all.values[i] = mlirValueIsNull(image)
                        ? xc_rewrite_reshape(rewriter, all.values[i], &pixel)
                        : image;
  }
  return replace_joined(rewriter, root, &all, 3);
}
