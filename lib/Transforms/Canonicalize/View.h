//===- View.h - what chains of movements do to elements -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_CANONICALIZE_VIEW_H
#define XC_TRANSFORMS_CANONICALIZE_VIEW_H

#include "Transforms/Patterns/Pattern.h"

/// Elements in row-major order of their dimensions; a dimension of the source
/// may have been split. Neighbours that are one progression are one part, so
/// that equal views have equal parts.
enum { XC_VIEW_PARTS = 2 * XC_MAX_RANK };
typedef struct xc_view {
  struct {
    int64_t size, stride; // stride: in the source
  } parts[XC_VIEW_PARTS];
  size_t count;
} xc_view;

/// Appends a dimension, the fastest one so far. Returns false when there are
/// too many.
bool xc_view_add(xc_view *v, int64_t size, int64_t stride);

/// Returns the chain of reshapes and transposes that ends at the root, the root
/// first: how many there are.
size_t xc_read_moves(const xc_adaptor *root,
                     xc_adaptor chain[XC_PATTERN_CHAIN]);
/// Reads the first `count` moves of a chain as one view. Returns false when
/// they are none.
bool xc_view_of_moves(const xc_adaptor *chain, size_t count, xc_view *v);

// BeforeMoves.c

/// Dimensions of two shapes with equally many elements.
typedef struct xc_dim_group {
  size_t from, from_end, to, to_end;
} xc_dim_group;

/// Returns the image [N, 1, W, C] that a value has in three dimensions, [N, W,
/// C]; or null.
MlirValue xc_image_of_signal(MlirValue value);

/// Goes on to the next group, the first one from a zeroed one. Returns false at
/// the end; ones at the end of a shape are in no group.
bool xc_next_dim_group(const xc_shape *from, const xc_shape *to,
                       xc_dim_group *group);

/// Returns the one dimension of more than one element, of those from `begin` to
/// `end`, or the first one; -1 when there are several.
int64_t xc_only_dimension(const xc_shape *shape, size_t begin, size_t end);

#endif // XC_TRANSFORMS_CANONICALIZE_VIEW_H
