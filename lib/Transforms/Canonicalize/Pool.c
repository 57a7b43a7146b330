//===- Pool.c - maxima of one tensor --------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spatial pyramids take maxima of one tensor with windows of 5, 9 and 13
// pixels. Each window is made up of those of the next smaller one, 275
// comparisons an element become 75.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include "OpParams/Window.h"

// Reads a window around each pixel of the input, which padding never wins in.
static bool read_maximum(const xc_adaptor *op, xc_window *window) {
  if (op->info->kind == XC_TIR_POOL_FIX &&
      (!xc_attr_is(op, XC_ATTR_TYPE, XC_ENUM_MAX) || !xc_keeps_numbers(op)))
    return false;
  *window = xc_window_of(op);
  const xc_window_axis *axes[] = {&window->w, &window->h};
  for (size_t i = 0; i < 2; ++i)
    if (axes[i]->stride != 1 || axes[i]->dilation != 1 ||
        axes[i]->before + axes[i]->after != axes[i]->kernel - 1 ||
        axes[i]->outputs != axes[i]->inputs)
      return false;
  return true;
}

static bool is_within(const xc_window_axis *inner,
                      const xc_window_axis *outer) {
  return inner->before <= outer->before && inner->after <= outer->after;
}

// Finds the largest window within that of `root` among the maxima of its input;
// of equal ones the first.
static bool find_inner(const xc_adaptor *root, const xc_window *window,
                       xc_adaptor *inner, xc_window *found) {
  int64_t most = 1;
  MlirValue input = xc_operand(root, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(input);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    xc_adaptor op;
    xc_window other;
    if (!xc_adaptor_of_tir(mlirOpOperandGetOwner(use), &op) ||
        op.info->kind != root->info->kind || !read_maximum(&op, &other) ||
        !mlirBlockEqual(mlirOperationGetBlock(op.operation),
                        mlirOperationGetBlock(root->operation)) ||
        !is_within(&other.w, &window->w) || !is_within(&other.h, &window->h))
      continue;
    int64_t area = other.w.kernel * other.h.kernel;
    if (area >= window->w.kernel * window->h.kernel || area < most ||
        (area == most && most > 1 &&
         mlirOperationIsBeforeInBlock(inner->operation, op.operation)))
      continue;
    most = area;
    *inner = op;
    *found = other;
  }
  return most > 1;
}

bool xc_canonicalize_pool_of_pool(xc_rewriter *rewriter,
                                  const xc_adaptor *root) {
  xc_window window, within;
  xc_adaptor inner;
  if (!read_maximum(root, &window) ||
      !find_inner(root, &window, &inner, &within))
    return false;
  // It reads what the root reads.
  if (mlirOperationIsBeforeInBlock(root->operation, inner.operation))
    mlirOperationMoveBefore(inner.operation, root->operation);
  const int64_t kernel[] = {window.w.kernel - within.w.kernel + 1,
                            window.h.kernel - within.h.kernel + 1};
  const int64_t pad[] = {
      window.w.before - within.w.before, window.w.after - within.w.after,
      window.h.before - within.h.before, window.h.after - within.h.after};
  const xc_attribute changes[] = {xc_ints("kernel", kernel, 2),
                                  xc_ints("pad", pad, 4),
                                  xc_string("pad_mode", "FLOOR")};
  MlirValue input = xc_result_of(&inner);
  return xc_rewrite_replace(
      rewriter, root,
      xc_rewrite_like(rewriter, root, root->info->kind, &input, 1, changes, 3));
}
