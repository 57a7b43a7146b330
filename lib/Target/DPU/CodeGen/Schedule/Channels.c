//===- Channels.c - layers some channels at a time ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the banks do not hold the rows of a window, a unit is tiled by columns.
// Each row of each tile is then a LOAD, neighbouring tiles load the columns of
// the halo twice, and the result cannot be held. Rows of fewer channels fit as
// a whole. This file divides such units by channels instead. The gain beyond
// the unit itself, whose readers no longer load its result, only shows in a
// whole schedule.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"
#include "Target/DPU/CodeGen/Plan/Parts.h"

#include <stdlib.h>
#include <string.h>

enum {
  /// Units that a unit is divided into at most, and such divisions of it that
  /// are scheduled: those with the fastest plans.
  MAX_PARTS = 8,
  MAX_DIVISIONS = 2,
  /// Units that are tried: frames of a batch have the same again and again.
  MAX_TRIED = 16,
};

/// Appends the unit as units of that many channels, all of whose rows are
/// whole. Their cycles, or -1: they cannot be planned.
static int64_t add_parts(const XcDpuTarget *target, const xc_unit *unit,
                         int32_t at_once, xc_units *units) {
  int32_t all = unit->layer.output.channels;
  int64_t cycles = 0;
  for (int32_t first = 0; first < all; first += at_once) {
    xc_unit part =
        xc_unit_channels(target, unit, first, xc_minimum(all - first, at_once));
    if (!xc_plan_unit(target, &part) || part.plan.num_tiles > 1)
      return -1;
    cycles += xc_unit_cycles(&part);
    xc_append_units(units, &part, 1);
  }
  return cycles;
}

typedef struct division {
  int32_t at_once; // channels
  int64_t cycles;
} division;

/// Divisions with the fastest plans, the fastest one first.
static size_t find_divisions(const XcDpuTarget *target, const xc_unit *unit,
                             division best[MAX_DIVISIONS]) {
  int32_t words = xc_words_of(target, unit->layer.output.channels);
  int32_t last = words;
  size_t count = 0;
  for (int32_t parts = 2; parts <= MAX_PARTS; ++parts) {
    xc_units units = {0};
    int32_t now = xc_ceil_div(words, parts);
    if (now == last)
      continue;
    last = now;
    division one = {.at_once = now * target->channelParallel};
    one.cycles = add_parts(target, unit, one.at_once, &units);
    free(units.items);
    if (one.cycles < 0)
      continue;
    size_t at = count;
    while (at > 0 && best[at - 1].cycles > one.cycles)
      --at;
    if (at == MAX_DIVISIONS)
      continue;
    count += count < MAX_DIVISIONS;
    memmove(best + at + 1, best + at, (count - at - 1) * sizeof *best);
    best[at] = one;
  }
  return count;
}

/// Returns the layers with unit `u` divided.
static xc_schedule divide(const xc_schedule *layers, size_t u,
                          int32_t at_once) {
  const xc_units *from = &layers->units;
  xc_schedule result = {.target = layers->target};
  xc_append_units(&result.units, from->items, u);
  add_parts(layers->target, &from->items[u], at_once, &result.units);
  xc_append_units(&result.units, from->items + u + 1, from->count - u - 1);
  return result;
}

/// Returns the number of units that unit `u` has become; 1 if it stays as it
/// is.
static size_t try_unit(xc_search *search, xc_strategy strategy,
                       xc_schedule *layers, xc_schedule *best, size_t u) {
  division divisions[MAX_DIVISIONS];
  size_t num =
      find_divisions(layers->target, &layers->units.items[u], divisions);
  xc_schedule fastest = {0};
  for (size_t i = 0; i < num; ++i) {
    xc_schedule divided = divide(layers, u, divisions[i].at_once);
    xc_schedule other = strategy(&divided, search);
    bool is_faster =
        xc_search_cycles(search, &other) < xc_search_cycles(search, best);
    *best = xc_search_faster(search, best, &other);
    xc_schedule_free(is_faster ? &fastest : &divided);
    if (is_faster)
      fastest = divided;
  }
  if (fastest.units.count == 0)
    return 1;
  size_t count = fastest.units.count - layers->units.count + 1;
  xc_schedule_free(layers);
  *layers = fastest;
  return count;
}

void xc_part_channels(xc_search *search, xc_strategy strategy,
                      xc_schedule *layers, xc_schedule *best) {
  size_t tried = 0;
  for (size_t u = 0; u < best->units.count && tried < MAX_TRIED &&
                     xc_search_goes_on(search, XcDpuEffortDefault);) {
    const xc_unit *unit = &best->units.items[u];
    // Layers with weights for each channel are divided between the engines
    // instead (Engines.c).
    bool has_tiles = xc_has_free_channels(unit) && unit->plan.num_tiles > 1;
    tried += has_tiles;
    u += has_tiles ? try_unit(search, strategy, layers, best, u) : 1;
  }
}
