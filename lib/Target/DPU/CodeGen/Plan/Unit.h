//===- Unit.h - what is scheduled as one --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A unit is what is scheduled as one. A layer is one unit, or several where its
// channels do not fit at once. The layout of a unit says where its images are.
// The plan says how it is cut into tiles in this layout; the emitters write
// instructions from it.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_UNIT_H
#define XC_TARGET_DPU_CODEGEN_PLAN_UNIT_H

#include "Rows.h"
#include "TilePlan.h"

/// Words of the banks of an image group.
typedef struct xc_bank_area {
  uint32_t group; // first bank
  int32_t base, words;
} xc_bank_area;

/// Where the images of a unit are; null: in DDR. The image of a unit may be a
/// part of one in the banks, from a row and a word of each pixel on.
typedef struct xc_unit_layout {
  const xc_bank_image *inputs[XC_DPU_MAX_INPUTS], *output;
  int32_t input_rows[XC_DPU_MAX_INPUTS];
  int32_t input_words[XC_DPU_MAX_INPUTS], output_word;
  bool saves;         // the output goes to DDR, perhaps as well
  bool is_whole;      // no tiles of columns: in a cascade, or others read it
  bool allows_strips; // of the last rows, with images in DDR only
  bool copies_strips; // has strips, by copies from and to images in the banks
  bool parts_words;   // of the last block, to begin before all are there
  /// Pixels that the last row of all images has in common with the row before
  /// (Reshape.h).
  int32_t row_overlap;
  bool spreads_rows; // of the input, if the plan can: one LOAD, and copies
  /// For what comes from DDR or goes there.
  xc_bank_area input_area, operand_area, output_area;
  /// If not 0: the unit so many units before, in the same cascade, reads the
  /// same windows. Both have the same input area, and rows are loaded once for
  /// both.
  size_t shares_input;
} xc_unit_layout;

/// An input with kernel columns as channels (Augment.c): the bytes of a pixel,
/// of the distance of pixels, of the padding at the left, and of a row. If
/// `channels` is 0, the input is not augmented.
typedef struct xc_augmentation {
  int32_t channels, step, left, row_bytes;
} xc_augmentation;

typedef struct xc_unit_plan {
  int32_t block_rows, num_blocks;
  int32_t tile_width, num_tiles;
  xc_unit_cost cost;
  /// Words of the parameter banks for the whole unit.
  int64_t weight_words, depthwise_words, bias_words, depthwise_bias_words;
  /// Words of a band of the input and of a block of the output in DDR.
  int32_t input_band_words, window_bands, output_words;
  /// Units that read by windows.
  xc_tile_request request;
  xc_tile_plan tiles;
  XcDpuImage input; // as it is loaded
  xc_augmentation augmentation;
  /// Elementwise units: the engine computes, or data is only moved.
  bool computes;
} xc_unit_plan;

/// The banks that LOADs of parameters fill.
typedef enum xc_parameter_bank {
  XC_PARAMETERS_BIAS,
  XC_PARAMETERS_DEPTHWISE,
  XC_PARAMETERS_WEIGHTS, // one bank for each output channel of a group
  XC_NUM_PARAMETER_BANKS
} xc_parameter_bank;

typedef struct xc_unit {
  XcDpuLayer layer;
  const struct xc_layer_kind *kind;
  const struct xc_layer_engine *engine;
  uint32_t number;            // of the layer
  int32_t first_channel;      // of the layer, of which this may be a part
  int32_t parameter_channels; // that lie together, of which this has a part
  /// Output columns that a pixel of an augmented input serves; 0: the input is
  /// not augmented.
  int32_t columns;
  /// A bit for each input: the layers before also write everything that lies
  /// between its pixels.
  uint32_t whole_inputs;
  /// Whether others read the result from DDR, by another buffer's number.
  bool is_read_elsewhere;
  /// Whether the unit before has the same result in another buffer
  /// (Schedule/Recompute.c).
  bool is_recomputed;
  xc_unit_layout layout;
  xc_unit_plan plan; // of the unit in this layout
  /// The pieces of transfers that are its parameters, from 1; 0: they are
  /// loaded by themselves (Schedule.h).
  size_t pieces[XC_NUM_PARAMETER_BANKS];
  /// The number of units, from this one on, that have the same weights, which
  /// the banks do not hold all (SharedWeights.c). 0 for other units, and for
  /// those after the first of them.
  size_t num_sharing;
  /// Units that share weights, or a unit by itself (Schedule/Strips.c), run in
  /// chunks of so many groups of output channels; 0: as is best for its plan.
  int32_t chunk_groups;
  size_t cascade_last;       // last unit of the cascade that begins here, or 0
  int32_t prefetch_distance; // of this cascade, in blocks
  /// Each unit of this cascade loads its parameters before its own first block,
  /// not all of them before the first block of the cascade.
  bool has_late_parameters;
} xc_unit;

typedef struct xc_units {
  xc_unit *items;
  size_t count, capacity;
} xc_units;

void xc_append_units(xc_units *units, const xc_unit *items, size_t count);

/// Returns a number that no buffer has, nor any larger one.
uint32_t xc_free_buffer(const xc_units *units);

/// Returns the layout of a unit all of whose images are in DDR. `operands`:
/// one, or two that are loaded by windows and block by block.
xc_unit_layout xc_layout_in_ddr(const XcDpuTarget *target, size_t operands);

/// Inputs that come from DDR.
int32_t xc_unit_loaded_inputs(const xc_unit *unit);

/// Whether the windows of both units begin at the same pixels of one image in
/// DDR, so that one of them finds the rows that the other one has loaded.
bool xc_have_same_windows(const xc_unit *a, const xc_unit *b);

/// Returns the number of pixels of an input, of `count`, that are loaded with
/// what lies between them.
static inline int32_t xc_unit_wide_pixels(const XcDpuTarget *target,
                                          const xc_unit *unit, size_t input,
                                          int32_t count) {
  return unit->whole_inputs >> input & 1
             ? xc_wide_pixels(target, &unit->layer.inputs[input], count)
             : 0;
}

/// Returns the number of pixels that row `y` has in common with the row before.
static inline int32_t xc_row_overlap(const xc_unit *unit, int32_t y) {
  return y + 1 == unit->layer.output.height ? unit->layout.row_overlap : 0;
}

/// Input channels of the weights of an output channel, in each column.
static inline int32_t xc_weight_inputs(const XcDpuTarget *target,
                                       const xc_unit *unit) {
  return unit->layer.groups.words > 0
             ? unit->layer.groups.words * target->channelParallel
             : unit->plan.input.channels;
}

/// Output columns that are computed from one of the input.
static inline int32_t xc_unit_columns(const xc_unit *unit) {
  return unit->plan.augmentation.channels || unit->layer.columns > 1
             ? unit->columns
             : 1;
}

/// Returns the cycles of a unit by itself.
static inline int64_t xc_unit_cycles(const xc_unit *unit) {
  return unit->plan.cost.cycles + unit->plan.cost.start;
}

/// Returns how many bytes a unit moves between DDR and the banks.
static inline int64_t xc_unit_bytes(const xc_unit *unit) {
  return unit->plan.cost.load_bytes + unit->plan.cost.save_bytes;
}

/// Returns the number of units from `unit` on that run together, as a cascade
/// or because they share weights; 1 if it runs alone. `index` is the index of
/// the unit.
static inline size_t xc_units_together(const xc_unit *unit, size_t index) {
  if (unit->num_sharing > 0)
    return unit->num_sharing;
  return unit->cascade_last > index ? unit->cascade_last - index + 1 : 1;
}

#endif // XC_TARGET_DPU_CODEGEN_PLAN_UNIT_H
