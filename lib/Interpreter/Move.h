//===- Move.h - moving elements without computing -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_INTERPRETER_MOVE_H
#define XC_INTERPRETER_MOVE_H

#include "Kernel.h"

/// Moves elements where the source position splits by dimension: the result
/// element (i0, i1, ...) comes from `offsets[0][i0] + offsets[1][i1] + ...`,
/// or is `fill` when one of them is negative.
typedef struct xc_move_map {
  size_t rank;
  int64_t dims[XC_MAX_RANK];
  int64_t *offsets[XC_MAX_RANK];
} xc_move_map;

/// Returns a map whose offsets step by `strides`, from 0.
xc_move_map xc_move_map_create(xc_kernel_call *call, size_t rank,
                               const int64_t *dims, const int64_t *strides);
/// `fill` points to one element (null when no offset is negative).
void xc_move(const void *from, void *to, size_t element_size,
             const xc_move_map *map, const void *fill);

/// Copies `shape` (dense) into a tensor along `axis` from index `first` on.
void xc_move_into(xc_tensor *to, size_t axis, int64_t first,
                  const xc_tensor *from);

#endif // XC_INTERPRETER_MOVE_H
