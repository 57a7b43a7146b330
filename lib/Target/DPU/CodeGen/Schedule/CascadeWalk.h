//===- CascadeWalk.h - cascades, block by block -------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_CASCADEWALK_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_CASCADEWALK_H

#include "Target/DPU/CodeGen/Plan/Unit.h"

/// Rows begin..end-1.
typedef struct xc_row_range {
  int32_t begin, end;
} xc_row_range;

/// Returns the rows of an input that a block of output rows reads. If the input
/// is a part of an image in the banks, they are rows of that image.
xc_row_range xc_unit_rows_read(const xc_unit *unit, size_t input,
                               int32_t block);

/// The order of the blocks of a cascade. A block is computed as soon as the
/// rows that it reads are there. Rows are computed when a block needs them, or
/// earlier by as many blocks as the prefetch distance says.
typedef struct xc_cascade_walk {
  const xc_unit *units;
  size_t count;
  int32_t *done; // blocks of each unit
  /// Units that write one image compute a block each in turn, not one unit all
  /// of its blocks that are needed.
  bool takes_turns;
  /// Called before `done` counts the block.
  void (*visit)(struct xc_cascade_walk *walk, size_t unit, int32_t block);
  void *context;
} xc_cascade_walk;

/// `units`, `count`, `visit` and `context` are set.
void xc_walk_cascade(xc_cascade_walk *walk);

/// An image that passes through the banks, and how many of its bands are in use
/// at the same time.
typedef struct xc_rolling_image {
  const xc_bank_image *image;
  int32_t height, bands;
} xc_rolling_image;

/// Counts the bands of `num_images` images, which units of the cascade write.
void xc_count_bands(const XcDpuTarget *target, const xc_unit *units,
                    size_t count, xc_rolling_image *images, size_t num_images);

/// Whether all images that the units of a cascade write have room for the bands
/// that are in use at the same time.
bool xc_bands_fit(const XcDpuTarget *target, const xc_unit *units,
                  size_t count);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_CASCADEWALK_H
