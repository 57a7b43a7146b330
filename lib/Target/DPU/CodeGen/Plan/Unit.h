//===- Unit.h - what is scheduled as one --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer is one unit, or several where its channels do not fit at once. Units
// run in their order; those of a group take turns block by block.
//
// Images with the same nonzero `buffer` are parts of one buffer, which no other
// layer touches. If all of them have one geometry, the buffer can be held in
// the banks.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_UNIT_H
#define XC_TARGET_DPU_CODEGEN_PLAN_UNIT_H

#include "Rows.h"
#include "TilePlan.h"

#include "xc-c/DPUCodeGen.h"

/// Words of the banks of an image group.
typedef struct xc_area {
  uint32_t group; // first bank
  int32_t base, words;
} xc_area;

/// Where the images of a unit are; null: in DDR. An image is the part of the
/// one in the banks that begins at a row and at a word.
typedef struct xc_places {
  const xc_bank_image *inputs[XC_DPU_MAX_INPUTS], *output;
  int32_t input_rows[XC_DPU_MAX_INPUTS];
  int32_t input_words[XC_DPU_MAX_INPUTS], output_word;
  bool saves;    // the output goes to DDR, perhaps as well
  bool is_whole; // no tiles of columns: it takes turns, or others read it
  /// For what comes from DDR or goes there.
  xc_area input_area, operand_area, output_area;
} xc_places;

typedef struct xc_estimate {
  int64_t cycles;
  xc_queue_cost cost;
  int32_t block_rows, num_blocks;
  /// Words of the parameter banks for the whole unit.
  int64_t weight_words, depthwise_words, bias_words;
  int64_t weight_cycles; // to load them
  /// Words of a band of the input and of a block of the output in DDR.
  int32_t input_band_words, window_bands, output_words;
} xc_estimate;

typedef struct xc_unit {
  XcDpuLayer layer;
  uint32_t number;            // of the layer
  int32_t parameter_channels; // of the layer, of which this may be a part
  xc_places places;
  size_t group_last; // last unit of the group that begins here, or 0
  int32_t ahead;     // blocks by which the units of this group run ahead
} xc_unit;

typedef struct xc_units {
  xc_unit *items;
  size_t count, capacity;
} xc_units;

/// The places of a unit all of whose images are in DDR.
xc_places xc_places_in_ddr(const XcDpuTarget *target, size_t num_inputs);

/// Whether the first input is read by windows.
bool xc_unit_has_window(const xc_unit *unit);

/// Inputs that come from DDR.
int32_t xc_unit_loaded_inputs(const xc_unit *unit);

bool xc_estimate_unit(const XcDpuTarget *target, const xc_unit *unit,
                      xc_estimate *result);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_UNIT_H
