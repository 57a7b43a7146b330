//===- Engines.c - which engine computes a depthwise layer ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The convolution engine takes twice as many rows at a time, the other one is
// free while it has pointwise layers to compute: which of them a depthwise
// layer is best on depends on its neighbours, and both at once may be best. A
// few schedules give all layers the same shares. Where units of two schedules
// end at the same layer, the time up to there can be had from the one and that
// from there on from the other: the fastest way through all of them is tried as
// a schedule of its own.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include "Target/DPU/CodeGen/Plan/Parts.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Units of a split
//===----------------------------------------------------------------------===//

static void copy_units(const xc_units *from, size_t first, size_t count,
                       xc_units *to) {
  void *items = to->items;
  xc_grow(&items, &to->capacity, to->count + count, sizeof *to->items);
  to->items = items;
  if (count > 0)
    memcpy(to->items + to->count, from->items + first,
           count * sizeof *to->items);
  to->count += count;
}

/// What one engine computes of a layer: `count` channels or columns from
/// `first` on.
static bool add_units(const xc_schedule *layers, const xc_engine_choice *choice,
                      XcDpuLayerKind kind, bool by_columns, int32_t first,
                      int32_t count, xc_units *units) {
  if (count == 0)
    return true;
  XcDpuLayer layer = xc_layer_on(kind, &choice->layer);
  xc_layer_part part = {&layer, choice->number, first, count};
  if (by_columns) {
    layer = xc_layer_columns(&layer, first, count);
    part.first = 0;
    part.count = layer.output.channels;
  }
  return xc_is_accepted(xc_add_part(layers->target, &part, NULL, units));
}

static int32_t size_of(const xc_engine_choice *choice, bool by_columns) {
  const XcDpuImage *out = &choice->layer.output;
  return by_columns ? out->width : out->channels;
}

bool xc_split_layers(const xc_schedule *layers, const xc_engine_split *splits,
                     xc_schedule *result) {
  *result = (xc_schedule){.target = layers->target};
  size_t next = 0;
  bool ok = true;
  for (size_t i = 0; i < layers->num_choices && ok; ++i) {
    const xc_engine_choice *choice = &layers->choices[i];
    const xc_engine_split *split = &splits[i];
    int32_t all = size_of(choice, split->by_columns);
    if (split->count == all) // as it is
      continue;
    copy_units(&layers->units, next, choice->first_unit - next, &result->units);
    next = choice->first_unit + choice->num_units;
    ok = add_units(layers, choice, XcDpuLayerKindDepthwise, split->by_columns,
                   0, split->count, &result->units) &&
         add_units(layers, choice, XcDpuLayerKindDiagonal, split->by_columns,
                   split->count, all - split->count, &result->units);
  }
  copy_units(&layers->units, next, layers->units.count - next, &result->units);
  if (!ok)
    xc_schedule_free(result);
  return ok;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

enum { MAX_CANDIDATES = 16, PARTS = 12 };

/// Parts of the channels that the convolution engine does not compute.
static const struct {
  XcDpuEngineChoice engines; // that ask for these
  int32_t parts;
} shares[] = {
    {XcDpuEngineChoiceDepthwise, PARTS},
    {XcDpuEngineChoiceDiagonal, 0},
    {XcDpuEngineChoiceFastest, PARTS / 3},
    {XcDpuEngineChoiceBoth, PARTS / 2},
};

enum { NUM_SHARES = sizeof shares / sizeof *shares };

typedef struct candidate {
  xc_engine_split *splits;
  xc_schedule schedule;
  /// Of the units of each layer and all before it; -1: in a cascade with later
  /// ones.
  int64_t *ends;
  int64_t cycles;
} candidate;

typedef struct engine_search {
  const xc_schedule *layers;
  xc_schedule_estimator estimate;
  xc_layer_strategy strategy;
  size_t num_layers;
  candidate candidates[MAX_CANDIDATES];
  size_t count;
} engine_search;

static void note_ends(const engine_search *search, candidate *c) {
  const xc_units *units = &c->schedule.units;
  int64_t *ends = xc_alloc_array(units->count, sizeof *ends);
  search->estimate(&c->schedule, 0, units->count - 1, ends);
  c->cycles = ends[units->count - 1];
  for (size_t u = 0; u < units->count;) {
    size_t last = u + xc_cascade_size(&units->items[u], u) - 1;
    for (; u < last; ++u)
      c->ends[units->items[u].number] = -1;
    c->ends[units->items[u].number] = ends[u];
    ++u;
  }
  free(ends);
}

static void free_candidate(candidate *c) {
  free(c->splits);
  free(c->ends);
  xc_schedule_free(&c->schedule);
}

/// Takes the splits. Whether it is the fastest one.
static bool try_splits(engine_search *search, xc_engine_split *splits) {
  xc_schedule units;
  candidate *c = &search->candidates[search->count];
  *c = (candidate){.splits = splits};
  if (search->count == MAX_CANDIDATES ||
      !xc_split_layers(search->layers, splits, &units)) {
    free(splits);
    return false;
  }
  c->schedule = search->strategy(&units, search->estimate);
  xc_schedule_free(&units);
  c->ends = xc_alloc_array(search->num_layers, sizeof *c->ends);
  note_ends(search, c);
  if (c->cycles == XC_CANNOT_ENCODE) {
    free_candidate(c);
    return false;
  }
  ++search->count;
  for (size_t i = 0; i + 1 < search->count; ++i)
    if (search->candidates[i].cycles <= c->cycles)
      return false;
  return true;
}

/// By channels, unless these are too few words for such shares.
static xc_engine_split split_by(const XcDpuTarget *target,
                                const xc_engine_choice *choice, int32_t parts) {
  enum { FEW = 4, WIDE = 16 };
  const XcDpuImage *out = &choice->layer.output;
  int32_t words = xc_words_of(target, out->channels);
  bool by_columns = words < FEW && out->width >= WIDE;
  if (by_columns)
    return (xc_engine_split){true, out->width * parts / PARTS};
  int32_t channels = words * parts / PARTS * target->channelParallel;
  return (xc_engine_split){false, xc_minimum(channels, out->channels)};
}

static void try_shares(engine_search *search) {
  const xc_schedule *layers = search->layers;
  for (size_t s = 0; s < NUM_SHARES; ++s) {
    if (layers->engines != XcDpuEngineChoiceFastest &&
        layers->engines != shares[s].engines)
      continue;
    xc_engine_split *splits =
        xc_alloc_array(layers->num_choices, sizeof *splits);
    for (size_t i = 0; i < layers->num_choices; ++i)
      splits[i] =
          split_by(layers->target, &layers->choices[i], shares[s].parts);
    try_splits(search, splits);
  }
}

//===----------------------------------------------------------------------===//
// The best of several schedules
//===----------------------------------------------------------------------===//

/// For each layer, the candidate that is fastest there. Times between ends that
/// candidates have in common are added up.
static void choose_ways(const engine_search *search, size_t *ways) {
  size_t n = search->count, num = search->num_layers;
  // Of each candidate, the least time up to an end, less that of its own
  // schedule, and the layer after that end; of each layer, where its way began.
  int64_t lead[MAX_CANDIDATES] = {0};
  size_t begins[MAX_CANDIDATES] = {0};
  size_t *from = xc_alloc_array(num, sizeof *from);
  for (size_t l = 0; l < num; ++l) {
    int64_t best = INT64_MAX;
    for (size_t c = 0; c < n; ++c) {
      int64_t end = search->candidates[c].ends[l];
      if (end < 0 || lead[c] + end >= best)
        continue;
      best = lead[c] + end;
      ways[l] = c;
      from[l] = begins[c];
    }
    for (size_t c = 0; c < n && best != INT64_MAX; ++c) {
      int64_t end = search->candidates[c].ends[l];
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
static bool try_best_ways(engine_search *search) {
  const xc_schedule *layers = search->layers;
  size_t *ways = xc_alloc_array(search->num_layers, sizeof *ways);
  choose_ways(search, ways);
  xc_engine_split *splits = xc_alloc_array(layers->num_choices, sizeof *splits);
  for (size_t i = 0; i < layers->num_choices; ++i)
    splits[i] = search->candidates[ways[layers->choices[i].number]].splits[i];
  free(ways);
  return try_splits(search, splits);
}

xc_schedule xc_choose_engines(const xc_schedule *layers,
                              xc_schedule_estimator estimate,
                              xc_layer_strategy strategy) {
  if (layers->num_choices == 0)
    return strategy(layers, estimate);
  const xc_units *units = &layers->units;
  engine_search search = {
      .layers = layers,
      .estimate = estimate,
      .strategy = strategy,
      .num_layers = (size_t)units->items[units->count - 1].number + 1};
  try_shares(&search);
  if (layers->engines == XcDpuEngineChoiceFastest)
    try_best_ways(&search);
  if (search.count == 0) // nothing but the layers as they are can be encoded
    return strategy(layers, estimate);
  size_t best = 0;
  for (size_t i = 1; i < search.count; ++i)
    if (search.candidates[i].cycles < search.candidates[best].cycles)
      best = i;
  xc_schedule result = search.candidates[best].schedule;
  search.candidates[best].schedule = (xc_schedule){0};
  for (size_t i = 0; i < search.count; ++i)
    free_candidate(&search.candidates[i]);
  return result;
}
