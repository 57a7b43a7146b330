//===- ColumnTiles.c - chains of layers some columns at a time ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of large images the banks do not even hold the rows that a cascade needs, and
// every layer loads what the one before has saved; or they hold no row more,
// and engines wait for each other. Some columns at a time, the rows are short:
// the layers of a chain run for one tile of columns after the other, and what
// is between them has a buffer of its own in each tile. The columns that
// windows at the border of two tiles both read are computed twice.
//
//===----------------------------------------------------------------------===//

#include "Chain.h"
#include "Search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_TILES = 8,
  /// Columns of the narrowest image of a tile at least.
  MIN_WIDTH = 8,
  /// Of a test that wants tiles, and how many it gets.
  FORCED_WIDTH = 1,
  FORCED_TILES = 2,
  /// Units that are added to a chain without a gain.
  PATIENCE = 4,
};

//===----------------------------------------------------------------------===//
// Gains
//===----------------------------------------------------------------------===//

/// A chain in so many tiles, and the cycles that it takes less by itself.
typedef struct tiling {
  size_t first, count;
  int32_t num_tiles;
  int64_t gain;
} tiling;

typedef struct tile_search {
  xc_search *search;
  xc_strategy strategy;
  const xc_schedule *choices, *layers, *best;
  xc_tensor_buffers buffers; // of `layers`
  bool is_forced;            // whether or not that is faster
  /// Of the units of `best`, those of a cascade together; 0: the next one ends
  /// with it.
  int64_t *ends;
} tile_search;

/// The cycles of the chain in tiles without the other units, or
/// XC_CANNOT_ENCODE.
static int64_t price_tiles(const tile_search *s, const xc_chain *c,
                           int32_t num_tiles) {
  xc_schedule tiles = {.target = c->layers->target};
  uint32_t free = xc_free_buffer(&c->layers->units);
  int64_t cycles = XC_CANNOT_ENCODE;
  if (xc_chain_tile(c, num_tiles, free, &tiles.units)) {
    for (size_t u = 0; u < tiles.units.count; ++u)
      tiles.units.items[u].is_read_elsewhere |=
          tiles.units.items[u].layer.output.buffer < free;
    const xc_schedule_way *only_way = s->search->only_way;
    s->search->only_way = &s->best->way;
    xc_schedule found = s->strategy(&tiles, s->search);
    s->search->only_way = only_way;
    cycles = xc_search_cycles(s->search, &found);
    xc_schedule_free(&found);
  }
  xc_schedule_free(&tiles);
  return cycles;
}

/// The fewest tiles in which two bands of all that is between the units can be
/// in the banks.
static int32_t least_tiles(const xc_chain *c) {
  const XcDpuTarget *target = c->layers->target;
  int64_t words = 0;
  for (size_t i = 0; i < c->count; ++i) {
    const XcDpuImage *out = &c->links[i].layer.output;
    int32_t rows = 0;
    for (size_t j = i + 1; j < c->count; ++j)
      rows = xc_maximum(rows, xc_chain_stride(c, i, j));
    words += (int64_t)rows * xc_words_of(target, out->channels) * out->width;
  }
  int64_t tiles = xc_ceil_div64(words, target->image.depth);
  return tiles < 2 ? 2 : tiles > MAX_TILES ? MAX_TILES + 1 : (int32_t)tiles;
}

static bool is_too_narrow(const xc_chain *c, int32_t num_tiles, int32_t least) {
  for (size_t i = 0; i < c->count; ++i)
    if (c->links[i].layer.output.width < num_tiles * least)
      return true;
  return false;
}

/// The cycles of the chain's units as they are in `best`, or -1: some of them
/// are in a cascade with others.
static int64_t cycles_apart(const tile_search *s, const xc_chain *c) {
  int64_t begin = c->first > 0 ? s->ends[c->first - 1] : 0;
  int64_t end = s->ends[c->first + c->count - 1];
  return (c->first > 0 && begin == 0) || end == 0 ? -1 : end - begin;
}

/// Whether an engine is busy with these units nearly all the time: tiles take
/// as long.
static bool is_busy(const tile_search *s, size_t first, size_t count,
                    int64_t cycles) {
  enum { PART = 12 };
  int64_t conv = 0, misc = 0;
  for (size_t u = first; u < first + count; ++u) {
    const xc_unit_cost *cost = &s->best->units.items[u].plan.cost;
    conv += cost->conv;
    misc += cost->misc;
  }
  return (conv > misc ? conv : misc) > cycles - cycles / PART;
}

/// Compares the chain in a few numbers of tiles with the best one so far.
static void try_chain(const tile_search *s, const xc_chain *c, tiling *best) {
  enum { TRIES = 3 };
  int64_t apart = cycles_apart(s, c);
  int32_t least = least_tiles(c);
  if (apart < 0 || is_busy(s, c->first, c->count, apart))
    return;
  for (int32_t n = least; n < least + TRIES && n <= MAX_TILES; ++n) {
    if (is_too_narrow(c, n, MIN_WIDTH))
      return;
    int64_t cycles = price_tiles(s, c, n);
    if (cycles < apart && apart - cycles > best->gain)
      *best = (tiling){c->first, c->count, n, apart - cycles};
  }
}

/// A longer chain is better.
static void force_chain(const tile_search *s, const xc_chain *c, tiling *best) {
  if (!is_too_narrow(c, FORCED_TILES, FORCED_WIDTH) &&
      price_tiles(s, c, FORCED_TILES) != XC_CANNOT_ENCODE)
    *best = (tiling){c->first, c->count, FORCED_TILES, (int64_t)c->count};
}

/// Whether the next unit is of the same layer.
static bool is_divided(const xc_units *units, size_t u) {
  return u + 1 < units->count &&
         units->items[u].number == units->items[u + 1].number;
}

static xc_chain begin_chain(const tile_search *s, size_t first) {
  xc_chain c = {.layers = s->layers,
                .buffers = &s->buffers,
                .choices = s->choices,
                .first = first};
  xc_chain_grow(&c);
  return c;
}

/// The chain from a unit on that gains most.
static tiling find_tiling(const tile_search *s, size_t first) {
  const xc_units *units = &s->layers->units;
  tiling best = {.gain = 0};
  xc_chain c = begin_chain(s, first);
  int patience = PATIENCE;
  for (size_t u = first + 1; u < units->count && c.count < XC_MAX_CHAIN; ++u) {
    if (!xc_can_chain(&units->items[u]) || !xc_chain_is_linked(&c))
      break;
    xc_chain_grow(&c);
    if (is_divided(units, u))
      continue;
    if (!xc_chain_close(&c))
      break;
    int64_t gain = best.gain;
    (s->is_forced ? force_chain : try_chain)(s, &c, &best);
    patience = best.gain > gain ? PATIENCE : patience - 1;
    if (patience == 0)
      break;
  }
  return best;
}

/// Whether a unit soon loads what the unit saves.
static bool is_streamed(const xc_units *units, size_t u) {
  uint32_t buffer = units->items[u].layer.output.buffer;
  for (size_t v = u + 1; v < units->count && v < u + XC_MAX_CHAIN; ++v)
    for (size_t k = 0; k < units->items[v].layer.numInputs; ++k)
      if (buffer && units->items[v].layer.inputs[k].buffer == buffer &&
          !units->items[v].layout.inputs[k])
        return true;
  return false;
}

static void find_ends(const tile_search *s) {
  const xc_units *units = &s->best->units;
  xc_search_price(s->search, s->best, 0, units->count - 1, s->ends);
  for (size_t u = 0, size; u < units->count; u += size) {
    size = xc_units_together(&units->items[u], u);
    memset(s->ends + u, 0, (size - 1) * sizeof *s->ends);
  }
}

/// Whether that is so of a unit, or of one that runs together with it.
static bool begins_streamed(const xc_units *units, size_t u) {
  size_t end = u + xc_units_together(&units->items[u], u);
  bool found = false;
  for (; u < end && !found; ++u)
    found = is_streamed(units, u);
  return found;
}

/// Whether a cascade begins with that unit in which the engines wait.
static bool begins_idle(const tile_search *s, size_t u) {
  size_t size = xc_units_together(&s->best->units.items[u], u);
  int64_t begin = u > 0 ? s->ends[u - 1] : 0;
  return size > 1 && !is_busy(s, u, size, s->ends[u + size - 1] - begin);
}

static bool may_begin(const tile_search *s, size_t u) {
  const xc_units *units = &s->best->units;
  bool is_divided_before =
      u > 0 && units->items[u].number == units->items[u - 1].number;
  return !is_divided_before && xc_can_chain(&s->layers->units.items[u]) &&
         (s->is_forced || begins_streamed(units, u) || begins_idle(s, u));
}

/// The chains that gain most together, at most so many.
static size_t choose_tilings(const tile_search *s, tiling *chosen,
                             size_t most) {
  size_t units = s->best->units.count, count = 0;
  // Of the best chains from each unit on, the first one, if it begins there,
  // and what they gain.
  tiling *begins = xc_alloc_array(units, sizeof *begins);
  int64_t *gains = xc_alloc_array(units + 1, sizeof *gains);
  for (size_t u = units; u-- > 0;) {
    gains[u] = gains[u + 1];
    if (!may_begin(s, u))
      continue;
    tiling best = find_tiling(s, u);
    int64_t gain = best.gain + gains[u + best.count];
    if (best.gain == 0 || gain <= gains[u])
      continue;
    begins[u] = best;
    gains[u] = gain;
  }
  for (size_t u = 0; u < units && count < most; ++u) {
    if (begins[u].gain == 0)
      continue;
    chosen[count++] = begins[u];
    u += begins[u].count - 1;
  }
  free(begins);
  free(gains);
  return count;
}

//===----------------------------------------------------------------------===//
// The whole schedule
//===----------------------------------------------------------------------===//

/// The layers with these chains in tiles.
static xc_schedule tile_chains(const tile_search *s, const tiling *tilings,
                               size_t count) {
  const xc_units *from = &s->layers->units;
  xc_schedule result = {.target = s->layers->target};
  uint32_t free = xc_free_buffer(from);
  size_t next = 0;
  for (size_t i = 0; i < count; ++i) {
    xc_chain c = begin_chain(s, tilings[i].first);
    while (c.count < tilings[i].count)
      xc_chain_grow(&c);
    bool is_planned = xc_chain_close(&c);
    xc_append_units(&result.units, from->items + next, c.first - next);
    is_planned &= xc_chain_tile(&c, tilings[i].num_tiles, free, &result.units);
    assert(is_planned && "its gain is known");
    (void)is_planned;
    free += (uint32_t)((size_t)tilings[i].num_tiles * c.count);
    next = c.first + c.count;
  }
  xc_append_units(&result.units, from->items + next, from->count - next);
  return result;
}

bool xc_tile_columns(xc_search *search, xc_strategy strategy,
                     const xc_schedule *choices, const xc_schedule *layers,
                     const xc_schedule *best, xc_schedule *tiled_layers,
                     xc_schedule *tiled) {
  enum { MAX_TILINGS = 16 };
  tiling found[MAX_TILINGS];
  size_t units = best->units.count;
  bool is_forced = choices->engines == XcDpuEngineChoiceInTiles;
  if (units == 0 ||
      !(is_forced || xc_search_goes_on(search, XcDpuEffortDefault)))
    return false;
  tile_search s = {.search = search,
                   .strategy = strategy,
                   .choices = choices,
                   .layers = layers,
                   .best = best,
                   .is_forced = is_forced,
                   .ends = xc_alloc_array(units, sizeof *s.ends)};
  xc_tensor_buffers_collect(&s.buffers, layers->target, &layers->units);
  find_ends(&s);
  size_t count = choose_tilings(&s, found, MAX_TILINGS);
  if (count > 0)
    *tiled_layers = tile_chains(&s, found, count);
  xc_tensor_buffers_free(&s.buffers);
  free(s.ends);
  if (count == 0)
    return false;
  *tiled = strategy(tiled_layers, search);
  bool is_faster =
      xc_search_cycles(search, tiled) < xc_search_recall(search, best) ||
      is_forced;
  search->num_kept += is_faster;
  if (!is_faster) {
    xc_schedule_free(tiled_layers);
    xc_schedule_free(tiled);
  }
  return is_faster;
}
