//===- Strips.h - the last rows, side by side in the banks --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The convolution engine computes PP rows at a time. Where these do not divide
// the rows of the output, its last block leaves lanes idle: of 28 rows and 8
// lanes half of them. The rows that are left can be cut into strips of columns
// instead, which lie in one bank each, below each other:
//
//              bank 0          bank 1          ...
//   row 24     columns 0..3    columns 4..7    ...
//   row 25     columns 0..3    columns 4..7    ...
//
// All lanes then compute the same row, each in its own columns. A vertical
// stride of at least the height of the kernel keeps their windows apart, which
// begin at the row by their address. Columns beside the image are zeros in the
// banks, as not all strips reach beyond a side, and the last one may be too
// wide; of rows above and below the image, the kernel leaves out its own.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_STRIPS_H
#define XC_TARGET_DPU_CODEGEN_PLAN_STRIPS_H

#include "Unit.h"

/// Cuts the last rows of a plan into strips; false if that saves nothing, or
/// cannot be done. With several tiles of columns these have to be all rows.
bool xc_choose_strips(const xc_tile_request *request, xc_tile_plan *plan);

/// What LOADs of zeros read, of which they leave nothing: the input, or the
/// weights if that is in the banks, and perhaps nowhere in DDR.
XcDpuImage xc_strip_zeros(const XcDpuTarget *target, const xc_unit *unit,
                          const XcDpuImage *input);

/// Columns of a strip of the input: those at the left and right that are zeros,
/// and those of the image between them.
typedef struct xc_strip_columns {
  int32_t zeros_before, first, count, zeros_after;
} xc_strip_columns;

xc_strip_columns xc_strip_input(const xc_tile_request *request,
                                const xc_tile_plan *plan, int32_t tile,
                                int32_t strip);

/// Rows of the kernel that lie in the image, for an output row.
typedef struct xc_kernel_rows {
  int32_t first, count;
  int32_t in_row; // of the image
} xc_kernel_rows;

xc_kernel_rows xc_strip_kernel(const xc_tile_request *request,
                               const xc_tile_plan *plan, int32_t y);

/// Rows that one instruction computes: several of pixels that have been copied
/// to lie below each other. Those from DDR would seem to be mixed up.
int32_t xc_strip_rows_at_once(const xc_tile_request *request,
                              const xc_tile_plan *plan);

/// Whether the layer may have nothing but strips, with no room for rows that
/// are whole: those of a signal may be longer than a bank.
bool xc_may_be_all_strips(const xc_tile_request *request);
/// LOADs of the strips of all tiles, or of the zeros in them if the input is in
/// the banks.
xc_transfers xc_strip_loads(const xc_tile_request *request,
                            const xc_tile_plan *plan);
/// Cycles of the engine for sums, which adds a second operand, and copies from
/// and to images in the banks: for a row of a chunk of output channels, and for
/// all strips.
int64_t xc_strip_row_copies(const xc_tile_request *request,
                            const xc_tile_plan *plan);
int64_t xc_strip_copies(const xc_tile_request *request,
                        const xc_tile_plan *plan);
/// Cycles of the engine for one word of the output channels, of a tile.
int64_t xc_strip_cycles(const xc_tile_request *request,
                        const xc_tile_plan *plan);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_STRIPS_H
