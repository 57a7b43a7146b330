//===- Strips.h - the last rows, side by side in the banks --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The convolution engine computes PP rows at a time, one in each lane. If PP
// does not divide the rows of the output, the last block leaves lanes idle:
// with 28 rows and 8 lanes, half of them. The rows of the last block can be cut
// into strips of columns instead. Each strip lies in a bank of its own, its
// rows below each other:
//
//              bank 0          bank 1          ...
//   row 24     columns 0..3    columns 4..7    ...
//   row 25     columns 0..3    columns 4..7    ...
//
// All lanes then compute the same row, each in its own columns. The instruction
// has a vertical stride of at least the height of the kernel, which keeps the
// windows of the lanes in their own banks, and its address selects the row.
// Padding at the sides is stored as zeros in the banks, as only some strips
// reach beyond a side, and the last strip may be too wide. Padding above and
// below is left out of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_STRIPS_H
#define XC_TARGET_DPU_CODEGEN_PLAN_STRIPS_H

#include "Unit.h"

/// Cuts the last rows of a plan into strips; false if that saves nothing, or
/// cannot be done. With several tiles of columns, all rows have to be in
/// strips.
bool xc_choose_strips(const xc_tile_request *request, xc_tile_plan *plan);

/// Returns the image that LOADs of zeros read before they clear it: the input,
/// or, if that is in the banks and perhaps not in DDR, the weights.
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

/// Returns the number of rows that one instruction computes. These are several
/// if the pixels have been copied to lie below each other. With pixels from
/// DDR, the verifier would see an operand of mixed sources.
int32_t xc_strip_rows_at_once(const xc_tile_request *request,
                              const xc_tile_plan *plan);

/// Whether the layer may have nothing but strips and no room for whole rows,
/// which may be longer than a bank in a signal.
bool xc_may_be_all_strips(const xc_tile_request *request);
/// LOADs of the strips of all tiles; of the zeros in them only, if the input is
/// in the banks.
xc_transfers xc_strip_loads(const xc_tile_request *request,
                            const xc_tile_plan *plan);
/// Returns the cycles of the elementwise engine, which adds a second operand,
/// and copies from and to images in the banks: for a row of a chunk of output
/// channels, and for all strips.
int64_t xc_strip_row_copies(const xc_tile_request *request,
                            const xc_tile_plan *plan);
int64_t xc_strip_copies(const xc_tile_request *request,
                        const xc_tile_plan *plan);
/// Returns the cycles of the convolution engine for one word of the output
/// channels of a tile.
int64_t xc_strip_cycles(const xc_tile_request *request,
                        const xc_tile_plan *plan);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_STRIPS_H
