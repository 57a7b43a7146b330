//===- ColumnTiles.c - chains of layers some columns at a time ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of a large image may be so long that the banks do not even hold
// those that a cascade needs, so that every layer loads what the one before has
// saved. Or the banks hold just these rows, and engines wait for each other.
// Tiles of columns have shorter rows. Here all layers of a chain run for one
// tile of columns before the next one, and what is between them has a buffer of
// its own in each tile. The columns of the halo, which windows of two tiles
// read, are computed twice.
//
// Interleaving a depthwise layer with the convolution before it, some channels
// at a time (Engines.c), serves the same purpose. In a chain such a layer is
// divided in halves between the engines instead, and tiles are compared with
// what interleaving takes.
//
//===----------------------------------------------------------------------===//

#include "ChainBound.h"
#include "Search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_TILES = 8,
  /// The fewest columns that the narrowest image of a tile may have.
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

/// A chain in a number of tiles, and the cycles that it saves by itself.
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
  /// When units of `best` end. The units of a cascade end together; 0 means
  /// that a unit ends with the next one. For layers in halves, the end in the
  /// faster form.
  int64_t *ends;
  /// Whether layers that are interleaved with a convolution are divided in
  /// halves in `layers` and `best`, as chains need them.
  bool is_halved;
  xc_engine_split *splits;
  xc_schedule halved, in_halves;
} tile_search;

/// Returns the cycles of the chain in tiles without the other units, or
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

/// Returns the fewest tiles in which two bands of all that is between the units
/// can be in the banks.
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

/// Returns the cycles of the chain's units as they are in `best`, or -1: some
/// of them are in a cascade with others.
static int64_t cycles_apart(const tile_search *s, const xc_chain *c) {
  int64_t begin = c->first > 0 ? s->ends[c->first - 1] : 0;
  int64_t end = s->ends[c->first + c->count - 1];
  return (c->first > 0 && begin == 0) || end == 0 ? -1 : end - begin;
}

/// Returns the least gain of chains for which tiles are tried, as a divisor of
/// their cycles.
static int64_t worth_part(const tile_search *s, int64_t part, int64_t more) {
  return s->search->effort > XcDpuEffortDefault ? more : part;
}

/// Whether an engine is busy with these units nearly all the time, so that
/// tiles cannot be much faster.
static bool is_busy(const tile_search *s, size_t first, size_t count,
                    int64_t cycles) {
  enum { PART = 12, PART_OF_MORE = 32 };
  int64_t conv = 0, misc = 0;
  for (size_t u = first; u < first + count; ++u) {
    const xc_unit_cost *cost = &s->best->units.items[u].plan.cost;
    conv += cost->conv;
    misc += cost->misc;
  }
  return (conv > misc ? conv : misc) >
         cycles - cycles / worth_part(s, PART, PART_OF_MORE);
}

/// How many numbers of tiles are tried. Where an engine is busy nearly all the
/// time, tiles are tried once if the layers exchange much through DDR. Long
/// chains come nowhere near what they could gain at most.
static int32_t num_tries(const tile_search *s, const xc_chain *c,
                         int64_t cycles, int32_t least) {
  enum { TRIES = 3, PART = 24, PART_OF_MORE = 32, MAX_BUSY = 4 };
  if (!is_busy(s, c->first, c->count, cycles))
    return TRIES;
  if (c->count > MAX_BUSY)
    return 0;
  xc_chain_bound bound = xc_bound_chain(c, s->best);
  int64_t worth = cycles / worth_part(s, PART, PART_OF_MORE);
  return xc_chain_most_gain(&bound, cycles, least) > worth ? 1 : 0;
}

/// Compares the chain in a few numbers of tiles with the best one so far.
static void try_chain(const tile_search *s, const xc_chain *c, tiling *best) {
  int64_t apart = cycles_apart(s, c);
  int32_t least = least_tiles(c);
  if (apart < 0 || is_too_narrow(c, least, MIN_WIDTH))
    return;
  int32_t end = least + num_tries(s, c, apart, least);
  for (int32_t n = least; n < end && n <= MAX_TILES; ++n) {
    if (is_too_narrow(c, n, MIN_WIDTH))
      return;
    int64_t cycles = price_tiles(s, c, n);
    if (cycles < apart && apart - cycles > best->gain)
      *best = (tiling){c->first, c->count, n, apart - cycles};
  }
}

/// For tests: takes the chain whatever it gains. A longer chain counts as
/// better.
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

/// Returns the chain from a unit on that gains most.
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

/// Those of the layers as `engines` divides them.
static void find_layer_ends(const tile_search *s, const int64_t *layer_ends) {
  const xc_units *units = &s->layers->units;
  for (size_t u = 0; u < units->count; ++u) {
    uint32_t number = units->items[u].number;
    bool is_last =
        u + 1 == units->count || units->items[u + 1].number != number;
    s->ends[u] = is_last && layer_ends[number] > 0 ? layer_ends[number] : 0;
  }
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

/// Chooses the chains that gain most together, at most so many.
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

/// Returns the first unit of a layer, and the first one of a later layer.
static size_t find_unit(const xc_units *units, uint32_t number) {
  size_t u = 0;
  while (u < units->count && units->items[u].number < number)
    ++u;
  return u;
}

/// Returns the layers with these chains in tiles. They are chains of `s`, and
/// of the same units of `layers`.
static xc_schedule tile_chains(const tile_search *s, const xc_schedule *layers,
                               const tiling *tilings, size_t count) {
  tile_search of = *s;
  of.layers = layers;
  of.buffers = (xc_tensor_buffers){0};
  xc_tensor_buffers_collect(&of.buffers, layers->target, &layers->units);
  const xc_units *from = &layers->units;
  xc_schedule result = {.target = layers->target};
  uint32_t free = xc_free_buffer(from);
  size_t next = 0;
  for (size_t i = 0; i < count; ++i) {
    const xc_unit *first = &s->layers->units.items[tilings[i].first];
    xc_chain c = begin_chain(&of, find_unit(from, first->number));
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
  xc_tensor_buffers_free(&of.buffers);
  return result;
}

/// The layers, with interleaved ones divided in halves instead. Returns false
/// if there are none, or if that is impossible.
static bool halve_interleaved(const xc_schedule *layers,
                              const xc_engine_result *engines,
                              xc_engine_split *splits, xc_schedule *halved) {
  bool is_any = false;
  for (size_t i = 0; engines->splits && i < layers->num_choices; ++i) {
    bool is_interleaved = engines->splits[i].at_once > 0;
    splits[i] = is_interleaved
                    ? xc_halve_layer(layers->target, &layers->choices[i])
                    : engines->splits[i];
    is_any |= is_interleaved;
  }
  return is_any && xc_split_layers(layers, splits, halved);
}

/// Divides what is in no chain as `engines` does.
static void keep_interleaved(tile_search *s, const tiling *tilings,
                             size_t count, const xc_engine_result *engines) {
  const xc_units *units = &s->layers->units;
  for (size_t i = 0; i < s->choices->num_choices; ++i) {
    uint32_t number = s->choices->choices[i].number;
    bool is_tiled = false;
    for (size_t t = 0; t < count; ++t) {
      size_t last = tilings[t].first + tilings[t].count - 1;
      // The convolution before it is, too.
      is_tiled |= number >= units->items[tilings[t].first].number &&
                  number <= units->items[last].number + 1;
    }
    if (!is_tiled)
      s->splits[i] = engines->splits[i];
  }
}

/// Begins the search. Chains are made of layers that are divided in halves
/// where they were interleaved.
static void begin_search(tile_search *s, const xc_engine_result *engines) {
  s->splits = xc_alloc_array(s->choices->num_choices, sizeof *s->splits);
  s->is_halved = halve_interleaved(s->choices, engines, s->splits, &s->halved);
  s->layers = s->is_halved ? &s->halved : &engines->divided;
  s->best = &engines->schedule;
  if (s->is_halved) {
    s->in_halves = s->strategy(&s->halved, s->search);
    s->best = &s->in_halves;
  }
  s->ends = xc_alloc_array(s->best->units.count, sizeof *s->ends);
  xc_tensor_buffers_collect(&s->buffers, s->layers->target, &s->layers->units);
  if (s->is_halved)
    find_layer_ends(s, engines->ends);
  else
    find_ends(s);
}

static void end_search(tile_search *s) {
  xc_tensor_buffers_free(&s->buffers);
  free(s->ends);
  free(s->splits);
  if (!s->is_halved)
    return;
  xc_schedule_free(&s->halved);
  xc_schedule_free(&s->in_halves);
}

/// Returns the layers with these chains in tiles, and interleaved ones
/// elsewhere.
static xc_schedule tile_layers(tile_search *s, const xc_engine_result *engines,
                               const tiling *tilings, size_t count) {
  xc_schedule mixed;
  if (!s->is_halved)
    return tile_chains(s, s->layers, tilings, count);
  keep_interleaved(s, tilings, count, engines);
  if (!xc_split_layers(s->choices, s->splits, &mixed))
    return tile_chains(s, s->layers, tilings, count);
  xc_schedule result = tile_chains(s, &mixed, tilings, count);
  xc_schedule_free(&mixed);
  return result;
}

bool xc_tile_columns(xc_search *search, xc_strategy strategy,
                     const xc_schedule *layers, const xc_engine_result *engines,
                     xc_schedule *tiled_layers, xc_schedule *tiled) {
  enum { MAX_TILINGS = 16 };
  tiling found[MAX_TILINGS];
  bool is_forced = layers->engines == XcDpuEngineChoiceInTiles;
  if (engines->schedule.units.count == 0 ||
      !(is_forced || xc_search_goes_on(search, XcDpuEffortDefault)))
    return false;
  tile_search s = {.search = search,
                   .strategy = strategy,
                   .choices = layers,
                   .is_forced = is_forced};
  begin_search(&s, engines);
  size_t count = choose_tilings(&s, found, MAX_TILINGS);
  if (count > 0)
    *tiled_layers = tile_layers(&s, engines, found, count);
  end_search(&s);
  if (count == 0)
    return false;
  *tiled = strategy(tiled_layers, search);
  int64_t cycles = xc_search_cycles(search, &engines->schedule);
  bool is_faster = xc_search_cycles(search, tiled) < cycles || is_forced;
  search->num_kept += is_faster;
  if (!is_faster) {
    xc_schedule_free(tiled_layers);
    xc_schedule_free(tiled);
  }
  return is_faster;
}
