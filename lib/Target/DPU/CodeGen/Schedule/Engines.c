//===- Engines.c - which engine computes a depthwise layer ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two engines can compute a depthwise layer. The convolution engine computes
// twice as many rows at a time; the misc engine is free while the convolution
// engine computes pointwise layers. Which one is best depends on the neighbours
// of the layer, and both at once may be best.
//
// The candidates are a few schedules that give all depthwise layers the same
// shares, and combinations of these (EngineJoin.c).
//
//===----------------------------------------------------------------------===//

#include "EngineSearch.h"

#include "Target/DPU/CodeGen/Plan/Columns.h"
#include "Target/DPU/CodeGen/Plan/Parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Shares
//===----------------------------------------------------------------------===//

/// Whether the unit before a choice is a convolution whose result only the
/// choice reads, and whose input is not overwritten when channels of the
/// layer's result are saved.
static bool has_convolution(const xc_schedule *layers,
                            const xc_engine_choice *choice) {
  size_t at = choice->first_unit;
  const xc_unit *units = layers->units.items;
  if (at == 0 || units[at - 1].layer.kind != XcDpuLayerKindConv ||
      units[at - 1].layer.numInputs != 1 || units[at - 1].layer.columns > 1 ||
      units[at - 1].number + 1 != choice->number)
    return false;
  const XcDpuImage *between = &units[at - 1].layer.output;
  if (between->buffer == 0 ||
      (int32_t)between->reg != layers->target->workspaceRegister ||
      memcmp(between, &choice->layer.inputs[0], sizeof *between) != 0 ||
      xc_images_overlap(&units[at - 1].layer.inputs[0], &choice->layer.output))
    return false;
  for (size_t u = 0; u < layers->units.count; ++u) {
    const XcDpuLayer *layer = &units[u].layer;
    bool is_used = u != at - 1 && layer->output.buffer == between->buffer;
    for (size_t k = 0; k < layer->numInputs; ++k)
      is_used |= layer->inputs[k].buffer == between->buffer &&
                 units[u].number != choice->number;
    if (is_used)
      return false;
  }
  return true;
}

enum {
  PARTS = 12,
  /// Layers, with each frame of a batch. If there are more, layers are not
  /// divided.
  MAX_SHARED_LAYERS = 512
};

/// How all layers are divided alike: parts of the channels, of PARTS, that the
/// misc engine computes.
typedef struct share {
  XcDpuEngineChoice engines; // that ask for these
  int32_t parts;
  int32_t turns;      // of a convolution and the layer, some channels each time
  XcDpuEffort effort; // from which on they are tried
} share;

static const share shares[] = {
    {XcDpuEngineChoiceDepthwise, PARTS, 1, XcDpuEffortNone},
    {XcDpuEngineChoiceDiagonal, 0, 1, XcDpuEffortDefault},
    {XcDpuEngineChoiceFastest, PARTS / 3, 1, XcDpuEffortDefault},
    {XcDpuEngineChoiceBoth, PARTS / 2, 1, XcDpuEffortDefault},
    {XcDpuEngineChoiceInTurn, PARTS / 2, 3, XcDpuEffortDefault},
    {XcDpuEngineChoiceFastest, PARTS / 2, 2, XcDpuEffortDefault},
    {XcDpuEngineChoiceFastest, 5 * PARTS / 12, 1, XcDpuEffortDefault},
    {XcDpuEngineChoiceFastest, 2 * PARTS / 3, 1, XcDpuEffortDefault},
    {XcDpuEngineChoiceFastest, PARTS / 4, 1, XcDpuEffortMore},
    {XcDpuEngineChoiceFastest, PARTS / 3, 2, XcDpuEffortMore},
    {XcDpuEngineChoiceFastest, PARTS / 2, 4, XcDpuEffortMost},
    {XcDpuEngineChoiceFastest, PARTS / 3, 3, XcDpuEffortMost},
    {XcDpuEngineChoiceFastest, PARTS / 6, 1, XcDpuEffortMost},
};

enum { NUM_SHARES = sizeof shares / sizeof *shares };

/// Only the last turn is divided between the engines. In all others the
/// convolution goes on beside the layer. There are so many turns that the banks
/// hold the results of two of them.
static const share overlapping = {XcDpuEngineChoiceFastest, PARTS / 2, 3,
                                  XcDpuEffortDefault};

/// Splits by channels, unless these are too few words for such shares.
static xc_engine_split split_by(const XcDpuTarget *target,
                                const xc_engine_choice *choice, int32_t parts) {
  enum { FEW = 4, WIDE = 16 };
  const XcDpuImage *out = &choice->layer.output;
  int32_t words = xc_words_of(target, out->channels);
  bool by_columns = words < FEW && out->width >= WIDE;
  if (by_columns)
    return (xc_engine_split){.by_columns = true,
                             .count = out->width * parts / PARTS};
  int32_t channels = words * parts / PARTS * target->channelParallel;
  return (xc_engine_split){.count = xc_minimum(channels, out->channels)};
}

/// Whether the layer can be computed in turns. Each turn should have something
/// for both engines.
static bool can_take_turns(const xc_schedule *layers,
                           const xc_engine_choice *choice, int32_t turns) {
  int32_t words = xc_words_of(layers->target, choice->layer.output.channels);
  bool is_forced = layers->engines != XcDpuEngineChoiceFastest;
  return (is_forced || words >= 2 * turns) && has_convolution(layers, choice);
}

/// So many turns that the inputs of the layer in two of them take half of the
/// banks.
static int32_t overlapping_turns(const XcDpuTarget *target,
                                 const XcDpuImage *in) {
  int32_t band = xc_ceil_div(in->height, target->pixelParallel) * in->width;
  int32_t words = xc_maximum(target->image.depth / 2 / band, 1);
  int32_t turns = xc_ceil_div(xc_words_of(target, in->channels), words);
  return xc_maximum(turns, overlapping.turns);
}

static xc_engine_split take_turns(const XcDpuTarget *target,
                                  const xc_engine_choice *choice, int32_t parts,
                                  int32_t turns) {
  int32_t channels = choice->layer.output.channels;
  int32_t words = xc_words_of(target, channels);
  return (xc_engine_split){.count = channels * parts / PARTS,
                           .at_once = xc_ceil_div(words, turns) *
                                      target->channelParallel};
}

/// Whether the search would take too long.
static bool is_large(const xc_schedule *layers) {
  return layers->engines == XcDpuEngineChoiceFastest &&
         layers->num_choices > MAX_SHARED_LAYERS;
}

/// Whether shares are those that a test asks for: chains in tiles have layers
/// on both engines.
static bool is_asked_for(const xc_schedule *layers, size_t s) {
  XcDpuEngineChoice engines = layers->engines;
  return shares[s].engines == (engines == XcDpuEngineChoiceInTiles
                                   ? XcDpuEngineChoiceBoth
                                   : engines);
}

/// The split of a choice for a share. Returns false if it should be interleaved
/// and cannot be.
static bool split_layer(const xc_schedule *layers,
                        const xc_engine_choice *choice, const share *of,
                        xc_engine_split *split) {
  const XcDpuTarget *target = layers->target;
  bool overlaps = of == &overlapping;
  int32_t turns = overlaps ? overlapping_turns(target, &choice->layer.inputs[0])
                           : of->turns;
  *split = split_by(target, choice, of->parts);
  if (turns == 1)
    return true;
  if (!can_take_turns(layers, choice, turns))
    return false;
  *split = take_turns(target, choice, of->parts, turns);
  split->divides_last = overlaps;
  return true;
}

/// Tries one share for all layers, if that is something new.
static void try_share(xc_engine_search *search, const share *of) {
  const xc_schedule *layers = search->layers;
  xc_engine_split *splits = xc_alloc_array(layers->num_choices, sizeof *splits);
  bool is_new = false;
  for (size_t i = 0; i < layers->num_choices; ++i)
    is_new |= split_layer(layers, &layers->choices[i], of, &splits[i]);
  if (is_new || layers->engines != XcDpuEngineChoiceFastest)
    xc_try_splits(search, splits);
  else
    free(splits);
}

/// Tries the shares of an effort.
static void try_shares(xc_engine_search *search, XcDpuEffort effort) {
  const xc_schedule *layers = search->layers;
  for (size_t s = 0; s < NUM_SHARES; ++s) {
    if (layers->engines != XcDpuEngineChoiceFastest && !is_asked_for(layers, s))
      continue;
    if (is_large(layers) && shares[s].parts % PARTS != 0)
      continue;
    if (layers->engines == XcDpuEngineChoiceFastest &&
        (shares[s].effort != effort ||
         !xc_search_goes_on(search->search, effort)))
      continue;
    try_share(search, &shares[s]);
  }
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

static void search_splits(xc_engine_search *search) {
  const xc_schedule *layers = search->layers;
  bool is_free = layers->engines == XcDpuEngineChoiceFastest;
  try_shares(search, XcDpuEffortNone);
  if (!is_free)
    return;
  try_shares(search, XcDpuEffortDefault);
  if (is_large(layers))
    return;
  xc_join_candidates(search);
  // The result with one candidate more may be slower, as times of parts of
  // different schedules do not add up exactly.
  size_t count = search->count;
  if (xc_search_goes_on(search->search, XcDpuEffortDefault))
    try_share(search, &overlapping);
  if (search->count > count)
    xc_join_candidates(search);
  try_shares(search, XcDpuEffortMore);
  try_shares(search, XcDpuEffortMost);
  xc_try_ways(search, XcDpuEffortMore);
  if (search->count > 0 && xc_search_goes_on(search->search, XcDpuEffortMore))
    xc_improve_layers(search);
}

xc_engine_split xc_halve_layer(const XcDpuTarget *target,
                               const xc_engine_choice *choice) {
  return split_by(target, choice, PARTS / 2);
}

xc_engine_result xc_choose_engines(const xc_schedule *layers, xc_search *prices,
                                   xc_strategy strategy) {
  const xc_units *units = &layers->units;
  xc_engine_search search = {
      .layers = layers, .search = prices, .strategy = strategy};
  xc_engine_result result = {.splits = NULL};
  if (layers->num_choices > 0) {
    search.num_layers = (size_t)units->items[units->count - 1].number + 1;
    search_splits(&search);
  }
  // Nothing but the layers as they are can be chosen, or encoded.
  if (search.count == 0) {
    result.divided = xc_schedule_in_ddr(layers, prices);
    result.schedule = strategy(layers, prices);
    return result;
  }
  xc_engine_candidate *best = &search.candidates[xc_fastest_candidate(&search)];
  bool is_split = xc_split_layers(layers, best->splits, &result.divided);
  assert(is_split && "the candidate was made of it");
  (void)is_split;
  result.splits = best->splits;
  result.ends = best->ends[XC_ESTIMATE_APART];
  result.schedule = best->schedule;
  best->splits = NULL;
  best->ends[XC_ESTIMATE_APART] = NULL;
  best->schedule = (xc_schedule){0};
  for (size_t i = 0; i < search.count; ++i)
    xc_free_candidate(&search.candidates[i]);
  return result;
}
