//===- ColumnTiles.c - chains of layers some columns at a time ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of large images the banks do not even hold the rows that a cascade needs, and
// every layer loads what the one before has saved. Some columns at a time, the
// rows are short: the layers of a chain run for one tile of columns after the
// other, and what is between them has a buffer of its own in each tile. The
// columns that windows at the border of two tiles both read are computed twice.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "Target/DPU/CodeGen/Plan/Columns.h"
#include "Target/DPU/CodeGen/Plan/LayerKind.h"
#include "Target/DPU/CodeGen/Plan/Parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_CHAIN = 12, // units
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
// Chains
//===----------------------------------------------------------------------===//

/// A unit of a chain. Where several units divide the columns of a layer,
/// `layer` has all of them, of which the unit computes the part first..end-1.
typedef struct link {
  const xc_unit *unit;
  XcDpuLayer layer;
  xc_columns part;
  /// Whether units outside of the chain read the result, or write some of it.
  bool is_read, is_shared;
} link;

typedef struct chain {
  const xc_schedule *layers; // one by one, all images in DDR
  size_t first, count;
  link links[MAX_CHAIN];
} chain;

static bool is_inside(const chain *c, size_t u) {
  return u >= c->first && u < c->first + c->count;
}

static bool reads(const XcDpuLayer *layer, uint32_t buffer) {
  for (size_t k = 0; k < layer->numInputs; ++k)
    if (layer->inputs[k].buffer == buffer)
      return true;
  return false;
}

/// The layer of a choice, if the unit computes some of its columns.
static const XcDpuLayer *divided_layer(const xc_schedule *choices,
                                       const xc_unit *unit) {
  for (size_t i = 0; i < choices->num_choices; ++i)
    if (choices->choices[i].number == unit->number &&
        choices->choices[i].layer.output.width != unit->layer.output.width)
      return &choices->choices[i].layer;
  return NULL;
}

/// The column of an image in its rows that begin where those of `like` do.
static int32_t column_of(const XcDpuImage *image, const XcDpuImage *like) {
  return (int32_t)((image->address - like->address) % like->rowPitch /
                   like->pixelPitch);
}

static link link_of(const xc_schedule *choices, const xc_unit *unit) {
  const XcDpuLayer *whole = divided_layer(choices, unit);
  link result = {
      unit, unit->layer, {0, unit->layer.output.width}, false, false};
  if (whole) {
    int32_t first = column_of(&unit->layer.output, &whole->output);
    result.layer = xc_layer_on(unit->layer.kind, whole);
    result.part = (xc_columns){first, first + unit->layer.output.width};
  }
  return result;
}

/// Columns that one position of the window serves are no columns of an image.
static bool can_tile(const xc_unit *unit) {
  return unit->kind->can_cascade && unit->chunk_groups == 0 &&
         unit->layer.columns <= 1;
}

static void note_others(chain *c) {
  const xc_units *units = &c->layers->units;
  for (size_t i = 0; i < c->count; ++i) {
    const XcDpuImage *out = &c->links[i].layer.output;
    c->links[i].is_read =
        (int32_t)out->reg != c->layers->target->workspaceRegister;
    c->links[i].is_shared = out->buffer == 0;
    for (size_t u = 0; u < units->count && out->buffer; ++u) {
      if (is_inside(c, u))
        continue;
      c->links[i].is_read |= reads(&units->items[u].layer, out->buffer);
      c->links[i].is_shared |=
          units->items[u].layer.output.buffer == out->buffer;
    }
  }
}

/// Whether both images have the columns of one buffer.
static bool has_same_columns(const XcDpuImage *a, const XcDpuImage *b) {
  return a->reg == b->reg && a->rowPitch == b->rowPitch &&
         a->pixelPitch == b->pixelPitch && a->width == b->width &&
         (column_of(a, b) == 0 || column_of(b, a) == 0);
}

/// The order of the tiles must not show in DDR: what one unit writes there must
/// be no memory of another buffer.
static bool is_apart(const XcDpuImage *written, const XcDpuImage *other) {
  return written->buffer && written->buffer == other->buffer
             ? has_same_columns(written, other)
             : !xc_images_overlap(written, other);
}

static bool is_safe(const chain *c) {
  for (size_t i = 0; i < c->count; ++i)
    for (size_t j = 0; j < c->count; ++j) {
      const XcDpuImage *out = &c->links[i].layer.output;
      const XcDpuLayer *other = &c->links[j].layer;
      for (size_t k = 0; k < other->numInputs; ++k)
        if (!is_apart(out, &other->inputs[k]))
          return false;
      if (i != j && !is_apart(out, &other->output))
        return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static xc_columns part_of(xc_columns columns, xc_columns part, int32_t width) {
  int64_t size = columns.end - columns.first;
  return (xc_columns){columns.first + (int32_t)(size * part.first / width),
                      columns.first + (int32_t)(size * part.end / width)};
}

/// The columns of a link's result that later links of the tile read.
static xc_columns columns_read(const chain *c, size_t i,
                               const xc_columns *columns) {
  uint32_t buffer = c->links[i].layer.output.buffer;
  xc_columns read = {0, 0};
  for (size_t j = i + 1; j < c->count && buffer; ++j)
    for (size_t k = 0; k < c->links[j].layer.numInputs; ++k)
      if (c->links[j].layer.inputs[k].buffer == buffer &&
          xc_has_columns(columns[j]))
        read = xc_columns_join(
            read, xc_columns_read(&c->links[j].layer, k, columns[j]));
  return read;
}

/// The columns that each link computes in a tile: its share of what others read
/// of the chain, and what later links of the tile read. `columns` are those of
/// the tile before, from which on none is left out, be it read or not.
static void find_columns(const chain *c, int32_t tile, int32_t num_tiles,
                         xc_columns *columns) {
  for (size_t i = c->count; i-- > 0;) {
    const link *at = &c->links[i];
    const xc_columns all = {0, at->layer.output.width};
    xc_columns now = columns_read(c, i, columns);
    if (at->is_read || at->is_shared)
      now = xc_columns_join(
          now, part_of(all, (xc_columns){tile, tile + 1}, num_tiles));
    int32_t next = tile > 0 ? columns[i].end : 0;
    int32_t end = tile + 1 < num_tiles ? next : all.end;
    now = xc_columns_join(now, (xc_columns){next, xc_maximum(end, now.end)});
    columns[i] = xc_columns_computed(&at->layer, now);
  }
}

/// The number of a link's buffer in a tile: a new one if nothing outside of the
/// chain writes it.
static uint32_t buffer_of(const chain *c, uint32_t buffer, uint32_t free) {
  for (size_t i = 0; i < c->count && buffer; ++i)
    if (c->links[i].layer.output.buffer == buffer)
      return c->links[i].is_shared ? buffer : free + (uint32_t)i;
  return buffer;
}

static bool add_link(const chain *c, size_t i, xc_columns own, uint32_t free,
                     xc_units *units) {
  const link *at = &c->links[i];
  xc_unit unit = *at->unit;
  unit.layer = xc_layer_columns(&at->layer, own);
  for (size_t k = 0; k < unit.layer.numInputs; ++k) {
    unit.layer.inputs[k].buffer =
        buffer_of(c, unit.layer.inputs[k].buffer, free);
    if (unit.layer.inputs[k].width < 1)
      return false;
  }
  unit.layer.output.buffer = buffer_of(c, unit.layer.output.buffer, free);
  unit.is_read_elsewhere = at->is_read && !at->is_shared;
  if (!xc_plan_unit(c->layers->target, &unit))
    return false;
  xc_append_units(units, &unit, 1);
  return true;
}

/// Appends the units of all tiles, whose buffers have numbers from `free` on.
/// False if one cannot be planned.
static bool add_tiles(const chain *c, int32_t num_tiles, uint32_t free,
                      xc_units *units) {
  xc_columns columns[MAX_CHAIN];
  for (int32_t tile = 0; tile < num_tiles; ++tile) {
    find_columns(c, tile, num_tiles, columns);
    for (size_t i = 0; i < c->count; ++i) {
      const link *at = &c->links[i];
      xc_columns own = part_of(columns[i], at->part, at->layer.output.width);
      if (xc_has_columns(own) && !add_link(c, i, own, free, units))
        return false;
    }
    free += (uint32_t)c->count;
  }
  return true;
}

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
  bool is_forced; // whether or not that is faster
  /// Of the units of `best`, those of a cascade together; 0: the next one ends
  /// with it.
  int64_t *ends;
} tile_search;

/// The cycles of the chain in tiles without the other units, or
/// XC_CANNOT_ENCODE.
static int64_t price_tiles(const tile_search *s, const chain *c,
                           int32_t num_tiles) {
  xc_schedule tiles = {.target = c->layers->target};
  uint32_t free = xc_free_buffer(&c->layers->units);
  int64_t cycles = XC_CANNOT_ENCODE;
  if (add_tiles(c, num_tiles, free, &tiles.units)) {
    for (size_t u = 0; u < tiles.units.count; ++u)
      tiles.units.items[u].is_read_elsewhere |=
          tiles.units.items[u].layer.output.buffer < free;
    s->search->only_way = &s->best->way;
    xc_schedule found = s->strategy(&tiles, s->search);
    s->search->only_way = NULL;
    cycles = xc_search_cycles(s->search, &found);
    xc_schedule_free(&found);
  }
  xc_schedule_free(&tiles);
  return cycles;
}

/// The fewest tiles in which two bands of all that is between the units can be
/// in the banks.
static int32_t least_tiles(const chain *c) {
  const XcDpuTarget *target = c->layers->target;
  int64_t words = 0;
  for (size_t i = 0; i < c->count; ++i) {
    const XcDpuImage *out = &c->links[i].layer.output;
    int32_t rows = 0;
    for (size_t j = i + 1; j < c->count; ++j)
      if (out->buffer && reads(&c->links[j].layer, out->buffer))
        rows = xc_maximum(rows, c->links[j].layer.strideH);
    words += (int64_t)rows * xc_words_of(target, out->channels) * out->width;
  }
  int64_t tiles = xc_ceil_div64(words, target->image.depth);
  return tiles < 2 ? 2 : tiles > MAX_TILES ? MAX_TILES + 1 : (int32_t)tiles;
}

static bool is_too_narrow(const chain *c, int32_t num_tiles, int32_t least) {
  for (size_t i = 0; i < c->count; ++i)
    if (c->links[i].layer.output.width < num_tiles * least)
      return true;
  return false;
}

/// The cycles of the chain's units as they are in `best`, or -1: some of them
/// are in a cascade with others.
static int64_t cycles_apart(const tile_search *s, const chain *c) {
  int64_t begin = c->first > 0 ? s->ends[c->first - 1] : 0;
  int64_t end = s->ends[c->first + c->count - 1];
  return (c->first > 0 && begin == 0) || end == 0 ? -1 : end - begin;
}

/// Whether an engine is busy nearly all the time: tiles take as long.
static bool is_busy(const tile_search *s, const chain *c, int64_t cycles) {
  enum { PART = 12 };
  int64_t conv = 0, misc = 0;
  for (size_t i = 0; i < c->count; ++i) {
    const xc_unit_cost *cost = &s->best->units.items[c->first + i].plan.cost;
    conv += cost->conv;
    misc += cost->misc;
  }
  return (conv > misc ? conv : misc) > cycles - cycles / PART;
}

/// Compares the chain in a few numbers of tiles with the best one so far.
static void try_chain(const tile_search *s, const chain *c, tiling *best) {
  enum { TRIES = 2 };
  int64_t apart = cycles_apart(s, c);
  int32_t least = least_tiles(c);
  if (apart < 0 || is_busy(s, c, apart))
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
static void force_chain(const tile_search *s, const chain *c, tiling *best) {
  if (!is_too_narrow(c, FORCED_TILES, FORCED_WIDTH) &&
      price_tiles(s, c, FORCED_TILES) != XC_CANNOT_ENCODE)
    *best = (tiling){c->first, c->count, FORCED_TILES, (int64_t)c->count};
}

/// Whether the unit reads what the chain writes or reads.
static bool is_linked(const chain *c, const xc_unit *unit) {
  for (size_t i = 0; i < c->count; ++i) {
    const XcDpuLayer *layer = &c->links[i].unit->layer;
    if (c->links[i].unit->number == unit->number ||
        (layer->output.buffer && reads(&unit->layer, layer->output.buffer)))
      return true;
    for (size_t k = 0; k < layer->numInputs; ++k)
      if (layer->inputs[k].buffer &&
          reads(&unit->layer, layer->inputs[k].buffer))
        return true;
  }
  return false;
}

/// Whether the next unit is of the same layer.
static bool is_divided(const xc_units *units, size_t u) {
  return u + 1 < units->count &&
         units->items[u].number == units->items[u + 1].number;
}

static void add_to_chain(const tile_search *s, chain *c) {
  c->links[c->count] =
      link_of(s->choices, &s->layers->units.items[c->first + c->count]);
  ++c->count;
}

/// The chain from a unit on that gains most.
static tiling find_tiling(const tile_search *s, size_t first) {
  const xc_units *units = &s->layers->units;
  tiling best = {.gain = 0};
  chain c = {.layers = s->layers, .first = first};
  int patience = PATIENCE;
  add_to_chain(s, &c);
  for (size_t u = first + 1; u < units->count && c.count < MAX_CHAIN; ++u) {
    if (!can_tile(&units->items[u]) || !is_linked(&c, &units->items[u]))
      break;
    add_to_chain(s, &c);
    if (is_divided(units, u))
      continue;
    note_others(&c);
    if (!is_safe(&c))
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
  for (size_t v = u + 1; v < units->count && v < u + MAX_CHAIN; ++v)
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

/// Chains that gain, one after the other.
static size_t find_tilings(const tile_search *s, tiling *found, size_t most) {
  const xc_units *units = &s->best->units;
  size_t count = 0;
  for (size_t u = 0; u < units->count && count < most; ++u) {
    bool is_start =
        u == 0 || units->items[u].number != units->items[u - 1].number;
    if (!is_start || !can_tile(&s->layers->units.items[u]) ||
        !(s->is_forced || is_streamed(units, u)))
      continue;
    tiling best = find_tiling(s, u);
    if (best.gain == 0)
      continue;
    found[count++] = best;
    u = best.first + best.count - 1;
  }
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
    chain c = {.layers = s->layers, .first = tilings[i].first};
    while (c.count < tilings[i].count)
      add_to_chain(s, &c);
    note_others(&c);
    xc_append_units(&result.units, from->items + next, c.first - next);
    bool is_planned = add_tiles(&c, tilings[i].num_tiles, free, &result.units);
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
  find_ends(&s);
  size_t count = find_tilings(&s, found, MAX_TILINGS);
  free(s.ends);
  if (count == 0)
    return false;
  *tiled_layers = tile_chains(&s, found, count);
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
