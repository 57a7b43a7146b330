//===- EngineJoin.c - the fastest parts of several schedules --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where units of two schedules end at the same layer, the part up to there can
// be taken from the one and the rest from the other. The fastest path through
// all schedules is tried as a schedule of its own.
//
//===----------------------------------------------------------------------===//

#include "EngineSearch.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 4 };

//===----------------------------------------------------------------------===//
// The fastest path
//===----------------------------------------------------------------------===//

/// For each layer, the candidate that is on the fastest path there. Times
/// between ends that candidates have in common are added up.
static void choose_ways(const xc_engine_search *search, xc_estimate_kind kind,
                        size_t *ways) {
  size_t n = search->count, num = search->num_layers;
  // Of each candidate, the least time up to an end, less that of its own
  // schedule, and the layer after that end; of each layer, where its way began.
  int64_t lead[XC_MAX_ENGINE_CANDIDATES] = {0};
  size_t begins[XC_MAX_ENGINE_CANDIDATES] = {0};
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
static bool try_best_ways(xc_engine_search *search, xc_estimate_kind kind) {
  const xc_schedule *layers = search->layers;
  size_t *ways = xc_alloc_array(search->num_layers, sizeof *ways);
  choose_ways(search, kind, ways);
  xc_engine_split *splits = xc_alloc_array(layers->num_choices, sizeof *splits);
  for (size_t i = 0; i < layers->num_choices; ++i)
    splits[i] = search->candidates[ways[layers->choices[i].number]].splits[i];
  free(ways);
  return xc_try_splits(search, splits);
}

static bool is_same_split(const xc_engine_split *a, const xc_engine_split *b) {
  return a->by_columns == b->by_columns && a->count == b->count &&
         a->at_once == b->at_once && a->divides_last == b->divides_last;
}

/// Whether a candidate is the first one that has such a split of a layer.
static bool has_new_split(const xc_engine_search *search, size_t c, size_t i) {
  const xc_engine_split *split = &search->candidates[c].splits[i];
  for (size_t k = 0; k < c; ++k)
    if (is_same_split(&search->candidates[k].splits[i], split))
      return false;
  return true;
}

/// Whether layer `i` may be faster with the split of candidate `c`.
static bool is_other_split(const xc_engine_search *search, size_t best,
                           size_t c, size_t i) {
  return has_new_split(search, c, i) &&
         !is_same_split(&search->candidates[c].splits[i],
                        &search->candidates[best].splits[i]);
}

/// Gives layer `i` another split in candidate `best`, if that is faster with
/// buffers and cascades chosen in the same way.
static void try_other_split(xc_engine_search *search, size_t best, size_t i,
                            const xc_engine_split *split) {
  size_t num = search->layers->num_choices;
  xc_engine_split *splits = xc_alloc_array(num, sizeof *splits);
  memcpy(splits, search->candidates[best].splits, num * sizeof *splits);
  splits[i] = *split;
  xc_engine_candidate other;
  const xc_schedule_way *only_way = search->search->only_way;
  search->search->only_way = &search->candidates[best].schedule.way;
  bool is_possible = xc_make_candidate(search, splits, &other);
  search->search->only_way = only_way;
  if (!is_possible)
    return;
  bool is_better =
      xc_is_clearly_faster(xc_likely_cycles(search, &other),
                           xc_likely_cycles(search, &search->candidates[best]));
  search->search->num_kept += is_better;
  xc_free_candidate(is_better ? &search->candidates[best] : &other);
  if (is_better)
    search->candidates[best] = other;
}

void xc_improve_layers(xc_engine_search *search) {
  xc_search *prices = search->search;
  XcDpuEffort effort = prices->effort;
  size_t best = xc_fastest_candidate(search);
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
static int64_t gain_around(const xc_engine_search *search, size_t best,
                           size_t c, uint32_t layer) {
  const int64_t *p = search->candidates[best].ends[XC_ESTIMATE_JOINT];
  const int64_t *q = search->candidates[c].ends[XC_ESTIMATE_JOINT];
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
static void try_largest_gains(xc_engine_search *search) {
  enum { TRIES = 6 };
  size_t num = search->layers->num_choices, best = xc_fastest_candidate(search);
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

void xc_try_ways(xc_engine_search *search, XcDpuEffort effort) {
  if (!xc_search_goes_on(search->search, effort))
    return;
  for (int kind = 0; kind < XC_NUM_ESTIMATE_KINDS; ++kind)
    for (int round = 0;
         round < MAX_ROUNDS && try_best_ways(search, (xc_estimate_kind)kind);
         ++round)
      ;
}

void xc_join_candidates(xc_engine_search *search) {
  xc_try_ways(search, XcDpuEffortDefault);
  if (search->count > 0 &&
      xc_search_goes_on(search->search, XcDpuEffortDefault))
    try_largest_gains(search);
}
