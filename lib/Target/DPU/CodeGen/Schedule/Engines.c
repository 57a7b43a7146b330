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
// shares. Where units of two schedules end at the same layer, the part up to
// there can be taken from the one and the rest from the other. The fastest path
// through all schedules is tried as a schedule of its own.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "Target/DPU/CodeGen/Plan/Columns.h"
#include "Target/DPU/CodeGen/Plan/Parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Candidates
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
  MAX_CANDIDATES = 32,
  MAX_ROUNDS = 4,
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

/// How times are estimated: with parameters that come together, as they will in
/// the end, or with the parameters of each unit by themselves. The loads of the
/// convolution engine for a depthwise layer may take longer by themselves than
/// the engine.
typedef enum estimate_kind {
  JOINT,
  APART,
  NUM_KINDS,
} estimate_kind;

typedef struct candidate {
  xc_engine_split *splits;
  xc_schedule schedule;
  /// For each layer, when its units and those of all layers before it have
  /// ended; -1: some of them are after units of later layers, or in a cascade
  /// with these.
  int64_t *ends[NUM_KINDS];
  int64_t cycles; // with joint parameters
} candidate;

typedef struct engine_search {
  const xc_schedule *layers;
  xc_search *search;
  xc_strategy strategy;
  size_t num_layers;
  candidate candidates[MAX_CANDIDATES];
  size_t count;
} engine_search;

/// Finds the ends of all units.
static void find_ends(const engine_search *search, const xc_schedule *schedule,
                      estimate_kind kind, int64_t *ends) {
  size_t count = schedule->units.count;
  if (kind == APART) {
    xc_search_price(search->search, schedule, 0, count - 1, ends);
    return;
  }
  int64_t cycles = xc_search_cycles(search->search, schedule);
  xc_schedule joint = xc_schedule_in_ddr(schedule, search->search);
  xc_join_parameters(&joint, search->search->estimator, cycles,
                     XC_JOIN_AT_SIZES);
  xc_estimate(search->search->estimator, &joint, 0, count - 1, ends);
  xc_schedule_free(&joint);
}

/// Notes when layers end. For each unit, `from` is the first layer of this and
/// all later units.
static void note_layers(const xc_units *units, const uint32_t *from,
                        const int64_t *unit_ends, int64_t *ends) {
  uint32_t most = 0;
  for (size_t u = 0; u < units->count;) {
    for (size_t end = u + xc_units_together(&units->items[u], u); u < end; ++u)
      most = units->items[u].number > most ? units->items[u].number : most;
    if (most < from[u])
      ends[most] = unit_ends[u - 1];
  }
}

static void note_ends(const engine_search *search, candidate *c) {
  const xc_units *units = &c->schedule.units;
  int64_t *ends = xc_alloc_array(units->count, sizeof *ends);
  uint32_t *from = xc_alloc_array(units->count + 1, sizeof *from);
  from[units->count] = UINT32_MAX;
  for (size_t u = units->count; u-- > 0;)
    from[u] = units->items[u].number < from[u + 1] ? units->items[u].number
                                                   : from[u + 1];
  // Without a search there is nothing to compare.
  int first = search->search->effort > XcDpuEffortNone ? JOINT : APART;
  for (int kind = first; kind < NUM_KINDS; ++kind) {
    c->ends[kind] = xc_alloc_array(search->num_layers, sizeof **c->ends);
    for (size_t l = 0; l < search->num_layers; ++l)
      c->ends[kind][l] = -1;
    find_ends(search, &c->schedule, (estimate_kind)kind, ends);
    note_layers(units, from, ends, c->ends[kind]);
    if (kind == first)
      c->cycles = ends[units->count - 1];
  }
  free(from);
  free(ends);
}

static void free_candidate(candidate *c) {
  free(c->splits);
  for (int kind = 0; kind < NUM_KINDS; ++kind)
    free(c->ends[kind]);
  xc_schedule_free(&c->schedule);
}

/// Makes the schedule of the splits, and takes ownership of these. Returns
/// false if there is none.
static bool make_candidate(engine_search *search, xc_engine_split *splits,
                           candidate *c) {
  xc_schedule units;
  *c = (candidate){.splits = splits};
  if (!xc_split_layers(search->layers, splits, &units)) {
    free(splits);
    return false;
  }
  c->schedule = search->strategy(&units, search->search);
  xc_schedule_free(&units);
  note_ends(search, c);
  if (c->cycles == XC_CANNOT_ENCODE) {
    free_candidate(c);
    return false;
  }
  return true;
}

/// Tries the splits, and takes ownership of them. Returns whether their
/// schedule is the fastest one.
static bool try_splits(engine_search *search, xc_engine_split *splits) {
  candidate *c = &search->candidates[search->count];
  if (search->count == MAX_CANDIDATES) {
    free(splits);
    return false;
  }
  if (!make_candidate(search, splits, c))
    return false;
  ++search->count;
  for (size_t i = 0; i + 1 < search->count; ++i)
    if (search->candidates[i].cycles <= c->cycles)
      return false;
  ++search->search->num_kept;
  return true;
}

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
static void try_share(engine_search *search, const share *of) {
  const xc_schedule *layers = search->layers;
  xc_engine_split *splits = xc_alloc_array(layers->num_choices, sizeof *splits);
  bool is_new = false;
  for (size_t i = 0; i < layers->num_choices; ++i)
    is_new |= split_layer(layers, &layers->choices[i], of, &splits[i]);
  if (is_new || layers->engines != XcDpuEngineChoiceFastest)
    try_splits(search, splits);
  else
    free(splits);
}

/// Tries the shares of an effort.
static void try_shares(engine_search *search, XcDpuEffort effort) {
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
// The best of several schedules
//===----------------------------------------------------------------------===//

/// For each layer, the candidate that is on the fastest path there. Times
/// between ends that candidates have in common are added up.
static void choose_ways(const engine_search *search, estimate_kind kind,
                        size_t *ways) {
  size_t n = search->count, num = search->num_layers;
  // Of each candidate, the least time up to an end, less that of its own
  // schedule, and the layer after that end; of each layer, where its way began.
  int64_t lead[MAX_CANDIDATES] = {0};
  size_t begins[MAX_CANDIDATES] = {0};
  size_t *from = xc_alloc_array(num, sizeof *from);
  for (size_t l = 0; l < num; ++l) {
    int64_t best = INT64_MAX;
    for (size_t c = 0; c < n; ++c) {
      int64_t end = search->candidates[c].ends[kind][l];
      if (end < 0 || lead[c] + end >= best)
        continue;
      best = lead[c] + end;
      ways[l] = c;
      from[l] = begins[c];
    }
    for (size_t c = 0; c < n && best != INT64_MAX; ++c) {
      int64_t end = search->candidates[c].ends[kind][l];
      if (end < 0 || best - end >= lead[c])
        continue;
      lead[c] = best - end;
      begins[c] = l + 1;
    }
  }
  for (size_t end = num; end > 0;) {
    size_t begin = from[end - 1];
    for (size_t l = begin; l + 1 < end; ++l)
      ways[l] = ways[end - 1];
    end = begin;
  }
  free(from);
}

/// Whether that is the fastest one.
static bool try_best_ways(engine_search *search, estimate_kind kind) {
  const xc_schedule *layers = search->layers;
  size_t *ways = xc_alloc_array(search->num_layers, sizeof *ways);
  choose_ways(search, kind, ways);
  xc_engine_split *splits = xc_alloc_array(layers->num_choices, sizeof *splits);
  for (size_t i = 0; i < layers->num_choices; ++i)
    splits[i] = search->candidates[ways[layers->choices[i].number]].splits[i];
  free(ways);
  return try_splits(search, splits);
}

/// Returns the cycles for comparisons. Later decisions gain less where a
/// convolution already runs beside a depthwise layer.
static int64_t likely_cycles(const engine_search *search, const candidate *c) {
  enum { PART = 50 };
  bool overlaps = false;
  for (size_t i = 0; i < search->layers->num_choices; ++i)
    overlaps |= c->splits[i].divides_last;
  return c->cycles + (overlaps ? c->cycles / PART : 0);
}

static size_t fastest(const engine_search *search) {
  size_t best = 0;
  for (size_t i = 1; i < search->count; ++i)
    if (likely_cycles(search, &search->candidates[i]) <
        likely_cycles(search, &search->candidates[best]))
      best = i;
  return best;
}

static bool is_same_split(const xc_engine_split *a, const xc_engine_split *b) {
  return a->by_columns == b->by_columns && a->count == b->count &&
         a->at_once == b->at_once && a->divides_last == b->divides_last;
}

/// Whether a candidate is the first one that has such a split of a layer.
static bool has_new_split(const engine_search *search, size_t c, size_t i) {
  const xc_engine_split *split = &search->candidates[c].splits[i];
  for (size_t k = 0; k < c; ++k)
    if (is_same_split(&search->candidates[k].splits[i], split))
      return false;
  return true;
}

/// Whether layer `i` may be faster with the split of candidate `c`.
static bool is_other_split(const engine_search *search, size_t best, size_t c,
                           size_t i) {
  return has_new_split(search, c, i) &&
         !is_same_split(&search->candidates[c].splits[i],
                        &search->candidates[best].splits[i]);
}

/// Gives layer `i` another split in candidate `best`, if that is faster with
/// buffers and cascades chosen in the same way.
static void try_other_split(engine_search *search, size_t best, size_t i,
                            const xc_engine_split *split) {
  size_t num = search->layers->num_choices;
  xc_engine_split *splits = xc_alloc_array(num, sizeof *splits);
  memcpy(splits, search->candidates[best].splits, num * sizeof *splits);
  splits[i] = *split;
  candidate other;
  const xc_schedule_way *only_way = search->search->only_way;
  search->search->only_way = &search->candidates[best].schedule.way;
  bool is_possible = make_candidate(search, splits, &other);
  search->search->only_way = only_way;
  if (!is_possible)
    return;
  bool is_better =
      xc_is_clearly_faster(likely_cycles(search, &other),
                           likely_cycles(search, &search->candidates[best]));
  search->search->num_kept += is_better;
  free_candidate(is_better ? &search->candidates[best] : &other);
  if (is_better)
    search->candidates[best] = other;
}

/// Gives one layer after the other the split of any candidate that makes the
/// schedule fastest while the other layers stay as they are.
static void improve_layers(engine_search *search) {
  xc_search *prices = search->search;
  XcDpuEffort effort = prices->effort;
  size_t best = fastest(search);
  prices->effort = XcDpuEffortDefault; // for each of them
  for (size_t i = 0; i < search->layers->num_choices; ++i)
    for (size_t c = 0; c < search->count; ++c)
      if (xc_search_goes_on(prices, XcDpuEffortDefault) &&
          is_other_split(search, best, c, i))
        try_other_split(search, best, i, &search->candidates[c].splits[i]);
  prices->effort = effort;
}

/// Returns the cycles that candidate `c` saves around a layer, compared with
/// the best one: from the last common end before the layer to the first common
/// end after the layer that follows it.
static int64_t gain_around(const engine_search *search, size_t best, size_t c,
                           uint32_t layer) {
  const int64_t *p = search->candidates[best].ends[JOINT];
  const int64_t *q = search->candidates[c].ends[JOINT];
  int64_t before = 0;
  for (size_t l = 0; l < layer; ++l)
    if (p[l] >= 0 && q[l] >= 0)
      before = p[l] - q[l];
  for (size_t l = (size_t)layer + 1; l < search->num_layers; ++l)
    if (p[l] >= 0 && q[l] >= 0)
      return p[l] - q[l] - before;
  return 0;
}

/// Another candidate may be faster around a layer although the fastest path
/// does not pass through it there. The largest of these gains are tried by
/// themselves.
static void try_largest_gains(engine_search *search) {
  enum { TRIES = 6 };
  size_t num = search->layers->num_choices, best = fastest(search);
  bool *is_tried = xc_alloc_array(num * search->count, sizeof *is_tried);
  int64_t most = 1;
  for (int n = 0; n < TRIES && most > 0; ++n) {
    size_t from = 0, layer = 0;
    most = 0;
    for (size_t i = 0; i < num; ++i)
      for (size_t c = 0; c < search->count; ++c) {
        if (is_tried[i * search->count + c] ||
            !is_other_split(search, best, c, i))
          continue;
        int64_t gain =
            gain_around(search, best, c, search->layers->choices[i].number);
        if (gain <= most)
          continue;
        most = gain;
        from = c;
        layer = i;
      }
    is_tried[layer * search->count + from] = true;
    if (most > 0)
      try_other_split(search, best, layer,
                      &search->candidates[from].splits[layer]);
  }
  free(is_tried);
}

static void try_ways(engine_search *search, XcDpuEffort effort) {
  if (!xc_search_goes_on(search->search, effort))
    return;
  for (int kind = 0; kind < NUM_KINDS; ++kind)
    for (int round = 0;
         round < MAX_ROUNDS && try_best_ways(search, (estimate_kind)kind);
         ++round)
      ;
}

/// Combines what is fastest in each part of the network.
static void join_candidates(engine_search *search) {
  try_ways(search, XcDpuEffortDefault);
  if (search->count > 0 &&
      xc_search_goes_on(search->search, XcDpuEffortDefault))
    try_largest_gains(search);
}

static void search_splits(engine_search *search) {
  const xc_schedule *layers = search->layers;
  bool is_free = layers->engines == XcDpuEngineChoiceFastest;
  try_shares(search, XcDpuEffortNone);
  if (!is_free)
    return;
  try_shares(search, XcDpuEffortDefault);
  if (is_large(layers))
    return;
  join_candidates(search);
  // The result with one candidate more may be slower, as times of parts of
  // different schedules do not add up exactly.
  size_t count = search->count;
  if (xc_search_goes_on(search->search, XcDpuEffortDefault))
    try_share(search, &overlapping);
  if (search->count > count)
    join_candidates(search);
  try_shares(search, XcDpuEffortMore);
  try_shares(search, XcDpuEffortMost);
  try_ways(search, XcDpuEffortMore);
  if (search->count > 0 && xc_search_goes_on(search->search, XcDpuEffortMore))
    improve_layers(search);
}

xc_engine_split xc_halve_layer(const XcDpuTarget *target,
                               const xc_engine_choice *choice) {
  return split_by(target, choice, PARTS / 2);
}

xc_engine_result xc_choose_engines(const xc_schedule *layers, xc_search *prices,
                                   xc_strategy strategy) {
  const xc_units *units = &layers->units;
  engine_search search = {
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
  candidate *best = &search.candidates[fastest(&search)];
  bool is_split = xc_split_layers(layers, best->splits, &result.divided);
  assert(is_split && "the candidate was made of it");
  (void)is_split;
  result.splits = best->splits;
  result.ends = best->ends[APART];
  result.schedule = best->schedule;
  best->splits = NULL;
  best->ends[APART] = NULL;
  best->schedule = (xc_schedule){0};
  for (size_t i = 0; i < search.count; ++i)
    free_candidate(&search.candidates[i]);
  return result;
}
