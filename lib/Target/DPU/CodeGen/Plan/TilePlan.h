//===- TilePlan.h - how a layer is cut into tiles -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer that reads by windows (convolution, depthwise, pool) is cut in three
// ways: the columns of the output into tiles, its rows into blocks of at most
// PP, and its output channels into chunks whose weights are loaded together.
//
// Input rows lie in the banks of image group 0. Rows are counted from the first
// row of padding; S = vertical stride. Row v lies in bank v div S mod PP, and
// S * PP rows form a band, which has the same first word in every bank:
//
//              bank 0        bank 1        ...   bank PP-1
//   band 0     v = 0..S-1    v = S..2S-1   ...
//   band 1     v = PP*S ..
//
// A band takes `band_words` words. There are `num_slots` slots for bands, and
// band b lies in slot b mod num_slots. As a window starts at v = y * S for
// output row y, it always begins with the first row of a bank.
//
// With `keeps_halo`, bands are counted through a column tile, so that the rows
// which two blocks share are loaded once. A window that would then reach into
// more bands than an instruction has addresses for gets bands of its own.
//
// An input that is in the banks already, and a result that stays there, have a
// layout of their own (Rows.h). There is only one tile of columns then.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_TILEPLAN_H
#define XC_TARGET_DPU_CODEGEN_PLAN_TILEPLAN_H

#include "Cost.h"
#include "Images.h"

#include "Target/DPU/Window.h"

enum {
  /// Depth of something that needs room in the banks where there is none.
  XC_NO_ROOM = -1,
};

/// The request for a plan: all that it depends on. All sizes are at least 1.
typedef struct xc_tile_request {
  const XcDpuTarget *target;
  int32_t height, width; // of the input
  int32_t out_height, out_width;
  int32_t kernel_h, kernel_w, stride_h, stride_w;
  int32_t pad_top, pad_left;
  int32_t in_groups;     // words of an input pixel
  int32_t engine_groups; // words of it that one instruction reads
  int32_t out_groups;    // words of an output pixel
  int32_t engine_rows;   // of one instruction
  int32_t engine_start;  // cycles of one instruction beside its work
  /// CONV: columns of the output that are computed from one column of the
  /// input; `out_width` then counts the latter. Otherwise 1.
  int32_t columns;
  int64_t window_cycles; // for each word of the result, or of the input (CONV)
  int32_t max_row_step;  // of rows in a bank, in words
  /// CONV: words of weights of one output channel in all `columns`, which
  /// limit the chunks; 0 if all output channels are computed together.
  int32_t weight_words;
  /// Groups of output channels of a chunk, each of which goes over all tiles
  /// and blocks; 0: the planner chooses.
  int32_t chunk_groups;
  /// Words of a bank for three things:
  /// * in_depth: bands of the input; 0: it is in the banks already, with
  ///   in_bank_rows rows of a band in a bank.
  /// * operand_depth: blocks of a second operand, of the size of the output; 0:
  ///   there is none, or it is in the banks.
  /// * out_depth: blocks of the output; 0: it stays in the banks.
  int32_t in_depth, in_bank_rows, operand_depth, out_depth;
  int32_t in_first_row; // of the image in the banks
  /// The output goes to DDR.
  bool saves;
  /// Instructions have windows, so that they may step over rows.
  bool has_window;
  /// There must be one tile of columns, and blocks that divide the rows of the
  /// engine.
  bool is_whole;
  /// Rows of the input follow each other in DDR: one LOAD can bring those of a
  /// bank.
  bool has_dense_rows;
  /// ELEW adds a second operand to the result.
  bool adds;
  /// The last rows may, or must, be computed in strips of columns (Strips.h).
  /// For these, there are so many words for the input and for the output.
  bool allows_strips, has_strips;
  int32_t strip_in_depth, strip_out_depth;
  /// If not 0: all of the input comes to one bank first, in so many words
  /// before the slots, and its rows are copied from there. 0: rows are loaded
  /// one by one.
  int32_t source_words;
  int32_t zero_run; // words that a LOAD fills with zeros; 0: it cannot
  /// For the cost: bytes of a pixel of the input, of the second operand and of
  /// the output, and of the weights of one group.
  int64_t in_bytes, operand_bytes, out_bytes, weight_bytes;
} xc_tile_request;

/// Strips of columns of the last rows of a tile, a bank for each (Strips.h).
typedef struct xc_strips {
  int32_t rows;  // of the output; 0: there are no strips
  bool are_all;  // all rows of each tile of columns are in strips
  int32_t width; // columns of the output
  int32_t count;
  int32_t in_row, in_rows, in_columns; // of the input
  int32_t row_words, words;            // of a row, and all of a strip
  int32_t out_words;                   // of a strip of the output
} xc_strips;

typedef struct xc_tile_plan {
  int32_t stride_h, stride_w; // 1 where there is one window only
  int32_t tile_width, num_tiles;
  int32_t block_rows, num_blocks;
  int32_t chunk_groups, num_chunks;
  /// Every chunk goes over all tiles and blocks; otherwise every block goes
  /// over all chunks.
  bool chunks_outside;
  bool keeps_halo;
  /// Columns that no window reads, between windows and after the last one, are
  /// not loaded, for want of room.
  bool skips_gaps;
  int32_t row_words, band_words, num_slots;
  int32_t window_bands; // of a block
  int32_t tile_bands;   // of a column tile
  int32_t out_row_words, num_out_slots;
  /// Strips of the rows of the last block, which lie after the slots.
  xc_strips strips;
  xc_unit_cost cost;
} xc_tile_plan;

/// Input columns from the first window of a tile to the end of its last one, or
/// to where the next one would begin if that is farther and not skipped.
int32_t xc_tile_input_columns(const xc_tile_request *request,
                              const xc_tile_plan *plan, int32_t columns);

/// Returns the number of rows of a bank that one LOAD brings.
int32_t xc_rows_at_once(const xc_tile_request *request,
                        const xc_tile_plan *plan);

/// Finds the cheapest plan, or says why there is none.
XcDpuRefusal xc_plan_tiles(const xc_tile_request *request, xc_tile_plan *plan);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_TILEPLAN_H
