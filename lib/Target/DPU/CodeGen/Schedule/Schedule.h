//===- Schedule.h - a schedule as a value -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule holds everything that is decided before code is written: the units
// in their order, each with its layout (which images are in the banks, and the
// bank areas for what is loaded and saved) and its plan (tiles and loop order),
// and the cascades with their prefetch distance. Emitters only write the
// instructions of a schedule. docs/scheduling.md describes the whole.
//
// A strategy is a function that makes a schedule from the trivial one, in which
// every unit runs by itself with all its images in DDR.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_SCHEDULE_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_SCHEDULE_H

#include "Target/DPU/CodeGen/Plan/Unit.h"

#include "Support/Memory.h"

/// A depthwise layer that the convolution engine can compute, too.
typedef struct xc_engine_choice {
  XcDpuLayer layer;
  uint32_t number;
  size_t first_unit, num_units; // on the misc engine
} xc_engine_choice;

/// A piece of a transfer: the parameters of a unit, or of several units that
/// have the same ones.
typedef struct xc_parameter_piece {
  size_t transfer;
  size_t unit; // the first that has them
  /// In each bank: all words of the piece; the tail, which are the words of
  /// output channels that only some banks have; and where the other words and
  /// the tail begin.
  int32_t words, tail_words, offset, tail;
} xc_parameter_piece;

/// Pieces first..last, which one LOAD for each bank brings. Their tails come
/// last, so that banks without tails need not load them.
typedef struct xc_parameter_transfer {
  xc_parameter_bank bank;
  size_t first, last;
  int32_t lanes; // banks that it fills
  int32_t words; // in each of them, with the tails
  int32_t tail_words, tail_lanes;
  /// Bytes that are loaded as one pixel, and begin in a word of their own.
  int32_t channels;
  uint32_t address; // in DDR, once it is known
} xc_parameter_transfer;

/// How a strategy holds buffers and forms cascades: one of the ways that it
/// knows, whether buffers that are held may pass through a cascade instead, and
/// whether cascades only grow unit by unit.
typedef struct xc_schedule_way {
  size_t number;
  bool releases, only_grows;
} xc_schedule_way;

typedef struct xc_schedule {
  const XcDpuTarget *target;
  xc_units units;
  /// In a schedule of layers by themselves: what a strategy may choose.
  xc_engine_choice *choices;
  size_t num_choices, choices_capacity;
  XcDpuEngineChoice engines;
  /// If operators are in another order than in the network: for each layer
  /// number of the units, the number in the network. Null: the order is the
  /// same.
  uint32_t *numbers;
  xc_parameter_piece *pieces; // some are in no transfer, and not used
  xc_parameter_transfer *transfers;
  size_t num_pieces, num_transfers;
  /// While nothing but LOADs of parameters changes: what estimates need that
  /// does not change with these. Null otherwise.
  struct xc_fixed_needs *fixed_needs; // Order/Dependences.h
  xc_schedule_way way; // of the units; of layers: the one to be taken
  xc_arena arena;      // of the images in the banks
} xc_schedule;

/// Empties it.
void xc_schedule_free(xc_schedule *schedule);

/// Returns the units and the choices.
xc_schedule xc_copy_layers(const xc_schedule *layers);

/// Marks the inputs of units whose buffers nothing writes from then on.
void xc_find_whole_inputs(xc_units *units);

/// Puts `parts`, of which there is at least one, in the place of a unit, also
/// in a cascade.
void xc_replace_unit(xc_schedule *schedule, size_t unit, const xc_unit *parts,
                     size_t count);

/// Removes a unit that is not the first one of a cascade.
void xc_remove_unit(xc_schedule *schedule, size_t unit);

struct xc_estimate_memory;

/// The end of the last unit if instructions would not fit their encoding, or
/// rolling buffers had no room for the bands in use.
#define XC_CANNOT_ENCODE INT64_MAX

/// Estimates the units from `first` to `last`, which are whole cascades, as if
/// there were no others. Sets `ends`: for each unit, the cycle in which it and
/// all of these units before it have ended. The units of a cascade end
/// together.
typedef struct xc_schedule_estimator {
  void (*function)(struct xc_estimate_memory *memory,
                   const xc_schedule *schedule, size_t first, size_t last,
                   int64_t *ends);
  struct xc_estimate_memory *memory; // Emit/Emit.h
} xc_schedule_estimator;

static inline void xc_estimate(xc_schedule_estimator estimator,
                               const xc_schedule *schedule, size_t first,
                               size_t last, int64_t *ends) {
  estimator.function(estimator.memory, schedule, first, last, ends);
}

struct xc_search; // Search.h

/// `layers` is not changed. The caller frees the result.
typedef xc_schedule (*xc_strategy)(const xc_schedule *layers,
                                   struct xc_search *search);

/// Layer by layer, all images in DDR: `layers` as it is.
xc_schedule xc_schedule_in_ddr(const xc_schedule *layers,
                               struct xc_search *search);

/// The strategy in use. Takes the fastest of a few orders of operators. Divides
/// depthwise layers between the engines in the fastest way. Holds tensor
/// buffers in the banks where that is faster, considering one after the other;
/// what does not fit passes through the banks in cascades.
xc_schedule xc_schedule_greedy(const xc_schedule *layers,
                               struct xc_search *search);

//===----------------------------------------------------------------------===//
// Weights of several layers
//===----------------------------------------------------------------------===//

/// Lets convolutions that follow each other and have the same weights load
/// these once for all, if the banks do not hold them.
void xc_share_weights(xc_schedule *layers);

//===----------------------------------------------------------------------===//
// Layers on two engines
//===----------------------------------------------------------------------===//

/// How a choice is divided: the misc engine computes the first `count`
/// channels, or columns, and the convolution engine the others.
typedef struct xc_engine_split {
  bool by_columns;
  int32_t count;
  /// If not 0: the layer is interleaved with the convolution before it, whose
  /// result nothing else reads. Each turn computes so many channels of the
  /// convolution and then of the layer. `count` is still of all channels. It
  /// divides the channels of every turn alike, or, with `divides_last`, only
  /// those of the last turn.
  int32_t at_once;
  bool divides_last;
} xc_engine_split;

/// The layers with these splits, one for each choice. Returns false if a part
/// cannot be planned.
bool xc_split_layers(const xc_schedule *layers, const xc_engine_split *splits,
                     xc_schedule *result);

/// Layers as they are divided between the engines.
typedef struct xc_engine_result {
  xc_engine_split *splits; // null: there are no choices
  /// For each layer, when it and all layers before it have ended in the
  /// schedule, if no parameters come together; -1: later layers have units
  /// before that.
  int64_t *ends;
  xc_schedule divided; // the layers that `schedule` schedules
  xc_schedule schedule;
} xc_engine_result;

/// Returns the fastest split that is found with that strategy.
xc_engine_result xc_choose_engines(const xc_schedule *layers,
                                   struct xc_search *search,
                                   xc_strategy strategy);

/// Divides the layers otherwise between the engines in their best schedule,
/// where that is faster. Returns the end of its last unit.
int64_t xc_balance_engines(const xc_schedule *layers, xc_schedule *schedule,
                           xc_schedule_estimator estimator, XcDpuEffort effort);

/// Returns the split of a choice that gives half of the layer to each engine.
xc_engine_split xc_halve_layer(const XcDpuTarget *target,
                               const xc_engine_choice *choice);

//===----------------------------------------------------------------------===//
// Results for two strides
//===----------------------------------------------------------------------===//

/// The layers in which convolutions that take little time are computed twice,
/// where windows of two strides read the result. Returns false if there are
/// none.
bool xc_recompute(const xc_schedule *layers, xc_schedule *result);

//===----------------------------------------------------------------------===//
// Layers some channels at a time
//===----------------------------------------------------------------------===//

/// Pools that have tiles of columns in the schedule `best` of `layers` become
/// several units of fewer channels, where that strategy then finds a faster
/// schedule.
void xc_part_channels(struct xc_search *search, xc_strategy strategy,
                      xc_schedule *layers, xc_schedule *best);

/// Divides pools whose input is in the banks and is written by several units:
/// the channels that the last of these writes become a unit, and the other
/// channels become one that can begin earlier. This is done where it makes the
/// neighbours faster. Returns whether there are any. The rest of the schedule
/// stays as it is.
bool xc_part_concat_pools(struct xc_search *search, xc_schedule *schedule);

//===----------------------------------------------------------------------===//
// Chains of layers some columns at a time
//===----------------------------------------------------------------------===//

/// Tiles chains of layers by columns where layers load what the ones before
/// have saved, if that strategy then finds a faster schedule. Returns whether
/// it does; the caller then frees the schedule `tiled` and its layers
/// `tiled_layers`. `engines` says how the layers are divided between the
/// engines. Layers that are interleaved with the convolution before them are
/// divided in halves where they are in tiles.
bool xc_tile_columns(struct xc_search *search, xc_strategy strategy,
                     const xc_schedule *layers, const xc_engine_result *engines,
                     xc_schedule *tiled_layers, xc_schedule *tiled);

//===----------------------------------------------------------------------===//
// Pixels in other rows
//===----------------------------------------------------------------------===//

/// Gives convolutions with a kernel of one element the rows that fill the lanes
/// of their engine, where that is faster. The rest of the schedule stays as it
/// is.
void xc_reshape_pixels(struct xc_search *search, xc_schedule *schedule);

/// Holds buffers that go through DDR in the banks, where there is room for them
/// beside the cascades and that is better. Returns whether there are any. The
/// rest of the schedule stays as it is.
bool xc_hold_late(struct xc_search *search, xc_schedule *schedule);

/// Lets convolutions whose images are in the banks compute their last rows in
/// strips of columns, where that is faster. Returns whether there are any. The
/// rest of the schedule stays as it is.
bool xc_strip_last_rows(struct xc_search *search, xc_schedule *schedule);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_SCHEDULE_H
