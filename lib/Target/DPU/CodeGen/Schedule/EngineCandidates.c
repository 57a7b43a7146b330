//===- EngineCandidates.c - schedules with divided depthwise layers -------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineSearch.h"
#include "Transfers.h"

#include <stdlib.h>

/// Finds the ends of all units.
static void find_ends(const xc_engine_search *search,
                      const xc_schedule *schedule, xc_estimate_kind kind,
                      int64_t *ends) {
  size_t count = schedule->units.count;
  if (kind == XC_ESTIMATE_APART) {
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

static void note_ends(const xc_engine_search *search, xc_engine_candidate *c) {
  const xc_units *units = &c->schedule.units;
  int64_t *ends = xc_alloc_array(units->count, sizeof *ends);
  uint32_t *from = xc_alloc_array(units->count + 1, sizeof *from);
  from[units->count] = UINT32_MAX;
  for (size_t u = units->count; u-- > 0;)
    from[u] = units->items[u].number < from[u + 1] ? units->items[u].number
                                                   : from[u + 1];
  // Without a search there is nothing to compare.
  int first = search->search->effort > XcDpuEffortNone ? XC_ESTIMATE_JOINT
                                                       : XC_ESTIMATE_APART;
  for (int kind = first; kind < XC_NUM_ESTIMATE_KINDS; ++kind) {
    c->ends[kind] = xc_alloc_array(search->num_layers, sizeof **c->ends);
    for (size_t l = 0; l < search->num_layers; ++l)
      c->ends[kind][l] = -1;
    find_ends(search, &c->schedule, (xc_estimate_kind)kind, ends);
    note_layers(units, from, ends, c->ends[kind]);
    if (kind == first)
      c->cycles = ends[units->count - 1];
  }
  free(from);
  free(ends);
}

void xc_free_candidate(xc_engine_candidate *c) {
  free(c->splits);
  for (int kind = 0; kind < XC_NUM_ESTIMATE_KINDS; ++kind)
    free(c->ends[kind]);
  xc_schedule_free(&c->schedule);
}

bool xc_make_candidate(xc_engine_search *search, xc_engine_split *splits,
                       xc_engine_candidate *c) {
  xc_schedule units;
  *c = (xc_engine_candidate){.splits = splits};
  if (!xc_split_layers(search->layers, splits, &units)) {
    free(splits);
    return false;
  }
  c->schedule = search->strategy(&units, search->search);
  xc_schedule_free(&units);
  note_ends(search, c);
  if (c->cycles == XC_CANNOT_ENCODE) {
    xc_free_candidate(c);
    return false;
  }
  return true;
}

bool xc_try_splits(xc_engine_search *search, xc_engine_split *splits) {
  xc_engine_candidate *c = &search->candidates[search->count];
  if (search->count == XC_MAX_ENGINE_CANDIDATES) {
    free(splits);
    return false;
  }
  if (!xc_make_candidate(search, splits, c))
    return false;
  ++search->count;
  for (size_t i = 0; i + 1 < search->count; ++i)
    if (search->candidates[i].cycles <= c->cycles)
      return false;
  ++search->search->num_kept;
  return true;
}

int64_t xc_likely_cycles(const xc_engine_search *search,
                         const xc_engine_candidate *c) {
  enum { PART = 50 };
  bool overlaps = false;
  for (size_t i = 0; i < search->layers->num_choices; ++i)
    overlaps |= c->splits[i].divides_last;
  return c->cycles + (overlaps ? c->cycles / PART : 0);
}

size_t xc_fastest_candidate(const xc_engine_search *search) {
  size_t best = 0;
  for (size_t i = 1; i < search->count; ++i)
    if (xc_likely_cycles(search, &search->candidates[i]) <
        xc_likely_cycles(search, &search->candidates[best]))
      best = i;
  return best;
}
