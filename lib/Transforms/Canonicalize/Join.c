//===- Join.c - concats and broadcasts ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include <string.h>

// The inputs of a concat while they are rearranged; `points` only counts for
// concat-fix.
typedef struct inputs {
  MlirValue values[XC_MAX_OPERANDS];
  int64_t points[XC_MAX_OPERANDS];
  size_t count;
} inputs;

enum { MOST_INPUTS = XC_MAX_OPERANDS - 1 };

static size_t axis_of(const xc_view *concat) {
  int64_t axis = xc_view_int(concat, "axis");
  return (size_t)(axis < 0 ? axis + (int64_t)xc_view_shape(concat, 0).rank
                           : axis);
}

// Inputs of a concat may leave slots out.
static inputs read_inputs(const xc_view *concat) {
  inputs all = {.count = 0};
  int64_t points[XC_MAX_INTS];
  size_t num_points = 0;
  if (concat->info->kind == XC_TIR_CONCAT_FIX)
    num_points = xc_view_ints(concat, "input_fix_point", points);
  for (size_t slot = 0; slot < MOST_INPUTS; ++slot) {
    if (!xc_view_has_operand(concat, slot))
      continue;
    all.points[all.count] = all.count < num_points ? points[all.count] : 0;
    all.values[all.count++] = xc_view_operand(concat, slot);
  }
  return all;
}

static bool replace_inputs(xc_rewriter *rewriter, const xc_view *root,
                           const inputs *all) {
  xc_attribute points = xc_ints("input_fix_point", all->points, all->count);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, root->info->kind, all->values, all->count,
                      &points, root->info->kind == XC_TIR_CONCAT_FIX));
}

bool xc_canonicalize_concat_of_concat(xc_rewriter *rewriter,
                                      const xc_view *root) {
  inputs outer = read_inputs(root);
  for (size_t i = 0; i < outer.count; ++i) {
    xc_view view;
    if (!xc_defining_view(outer.values[i], &view) || view.info != root->info ||
        !xc_used_once(&view) || axis_of(&view) != axis_of(root) ||
        !xc_keeps_numbers(&view))
      continue;
    inputs inner = read_inputs(&view);
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
                                      const xc_view *root) {
  inputs all = read_inputs(root);
  size_t axis = axis_of(root);
  for (size_t i = 0; i + 1 < all.count; ++i) {
    xc_view a, b;
    xc_slice first, second;
    if (!xc_defining_view(all.values[i], &a) ||
        !xc_defining_view(all.values[i + 1], &b) || a.info != b.info ||
        xc_float_kind(a.info->kind) != XC_TIR_STRIDED_SLICE ||
        !xc_used_once(&a) || !xc_used_once(&b) || !xc_keeps_numbers(&a) ||
        !xc_keeps_numbers(&b) || all.points[i] != all.points[i + 1] ||
        !xc_same_value(xc_view_operand(&a, 0), xc_view_operand(&b, 0)) ||
        !xc_slice_read(&a, &first) || !xc_slice_read(&b, &second) ||
        !adjoin(&first, &second, axis))
      continue;
    first.size[axis] += second.size[axis];
    all.values[i] =
        xc_slice_build(rewriter, &a, xc_view_operand(&a, 0), &first);
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
                                           const xc_view *root) {
  xc_shape result = xc_value_shape(xc_view_result(root));
  for (size_t slot = 0; slot < 2; ++slot) {
    xc_view expand;
    xc_shape other = xc_view_shape(root, 1 - slot);
    if (!xc_same_dims(&other, &result) ||
        !xc_defined_by(xc_view_operand(root, slot), XC_TIR_EXPAND, &expand))
      continue;
    MlirValue operands[] = {xc_view_operand(root, 0), xc_view_operand(root, 1)};
    operands[slot] = xc_view_operand(&expand, 0);
    return xc_rewrite_replace(rewriter, root,
                              xc_rewrite_like(rewriter, root, root->info->kind,
                                              operands, 2, NULL, 0));
  }
  return false;
}
