//===- Chain.c - layers that follow each other ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"
#include "Target/DPU/CodeGen/Plan/Parts.h"

#include <string.h>

static bool is_inside(const xc_chain *c, size_t u) {
  return u >= c->first && u < c->first + c->count;
}

static bool reads(const XcDpuLayer *layer, uint32_t buffer) {
  for (size_t k = 0; k < layer->numInputs; ++k)
    if (layer->inputs[k].buffer == buffer)
      return true;
  return false;
}

/// Returns the layer of a choice, if the unit computes some of its columns.
static const XcDpuLayer *divided_layer(const xc_schedule *choices,
                                       const xc_unit *unit) {
  for (size_t i = 0; i < choices->num_choices; ++i)
    if (choices->choices[i].number == unit->number &&
        choices->choices[i].layer.output.width != unit->layer.output.width)
      return &choices->choices[i].layer;
  return NULL;
}

/// Returns the column of an image in its rows that begin where those of `like`
/// do.
static int32_t column_of(const XcDpuImage *image, const XcDpuImage *like) {
  return (int32_t)((image->address - like->address) % like->rowPitch /
                   like->pixelPitch);
}

static xc_chain_link link_of(const xc_schedule *choices, const xc_unit *unit) {
  const XcDpuLayer *whole = divided_layer(choices, unit);
  xc_chain_link result = {
      unit, unit->layer, {0, unit->layer.output.width}, false, false};
  if (whole) {
    int32_t first = column_of(&unit->layer.output, &whole->output);
    XcDpuLayer on = xc_layer_on(unit->layer.kind, whole);
    result.layer = xc_layer_channels(choices->target, &on, unit->first_channel,
                                     unit->layer.output.channels);
    result.part = (xc_columns){first, first + unit->layer.output.width};
  }
  return result;
}

/// Columns that one position of the window serves are no columns of an image.
bool xc_can_chain(const xc_unit *unit) {
  return unit->kind->can_cascade && unit->chunk_groups == 0 &&
         unit->layer.columns <= 1;
}

bool xc_chain_is_linked(const xc_chain *c) {
  const xc_unit *unit = &c->layers->units.items[c->first + c->count];
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

void xc_chain_grow(xc_chain *c) {
  c->links[c->count] =
      link_of(c->choices, &c->layers->units.items[c->first + c->count]);
  ++c->count;
}

static void note_others(xc_chain *c) {
  for (size_t i = 0; i < c->count; ++i) {
    const XcDpuImage *out = &c->links[i].layer.output;
    const xc_tensor_buffer *buffer = c->buffers->items + out->buffer;
    c->links[i].is_read =
        (int32_t)out->reg != c->layers->target->workspaceRegister;
    c->links[i].is_shared = out->buffer == 0;
    for (size_t k = 0; out->buffer && k < buffer->num_uses; ++k)
      if (!is_inside(c, buffer->uses[k].unit))
        *(xc_use_is_write(&buffer->uses[k]) ? &c->links[i].is_shared
                                            : &c->links[i].is_read) = true;
  }
}

/// Whether both images have the columns of one buffer.
static bool has_same_columns(const XcDpuImage *a, const XcDpuImage *b) {
  return a->reg == b->reg && a->rowPitch == b->rowPitch &&
         a->pixelPitch == b->pixelPitch && a->width == b->width &&
         (column_of(a, b) == 0 || column_of(b, a) == 0);
}

/// The order of the tiles must not be visible in DDR, so what one unit writes
/// there must not be memory of another buffer.
static bool is_apart(const XcDpuImage *written, const XcDpuImage *other) {
  return written->buffer && written->buffer == other->buffer
             ? has_same_columns(written, other)
             : !xc_images_overlap(written, other);
}

static bool is_safe(const xc_chain *c) {
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

bool xc_chain_close(xc_chain *c) {
  note_others(c);
  return is_safe(c);
}

int32_t xc_chain_stride(const xc_chain *c, size_t writer, size_t reader) {
  uint32_t buffer = c->links[writer].layer.output.buffer;
  const XcDpuLayer *layer = &c->links[reader].layer;
  return buffer && reads(layer, buffer) ? layer->strideH : 0;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static xc_columns part_of(xc_columns columns, xc_columns part, int32_t width) {
  int64_t size = columns.end - columns.first;
  return (xc_columns){columns.first + (int32_t)(size * part.first / width),
                      columns.first + (int32_t)(size * part.end / width)};
}

/// Returns the columns of a link's result that later links of the tile read.
static xc_columns columns_read(const xc_chain *c, size_t i,
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

/// Units that divide the columns of a layer divide the same columns in each
/// tile, even if later links read only those of one unit.
static void join_parts(const xc_chain *c, size_t i, xc_columns *columns) {
  const xc_chain_link *at = &c->links[i];
  size_t end = i + 1;
  if (at->part.end - at->part.first == at->layer.output.width)
    return;
  for (; end < c->count && c->links[end].unit->number == at->unit->number;
       ++end)
    columns[i] = xc_columns_join(columns[i], columns[end]);
  for (size_t j = i + 1; j < end; ++j)
    columns[j] = columns[i];
}

/// Finds the columns that each link computes in a tile: the tile's share of a
/// result that units outside of the chain read or write, and the columns that
/// later links read in this tile. On entry, `columns` are those of the tile
/// before. The new ones begin no later than where these end, so that all
/// columns are computed, even those that nothing reads.
static void find_columns(const xc_chain *c, int32_t tile, int32_t num_tiles,
                         xc_columns *columns) {
  for (size_t i = c->count; i-- > 0;) {
    const xc_chain_link *at = &c->links[i];
    const xc_columns all = {0, at->layer.output.width};
    xc_columns now = columns_read(c, i, columns);
    if (at->is_read || at->is_shared)
      now = xc_columns_join(
          now, part_of(all, (xc_columns){tile, tile + 1}, num_tiles));
    int32_t next = tile > 0 ? columns[i].end : 0;
    int32_t end = tile + 1 < num_tiles ? next : all.end;
    now = xc_columns_join(now, (xc_columns){next, xc_maximum(end, now.end)});
    columns[i] = xc_columns_computed(&at->layer, now);
    join_parts(c, i, columns);
  }
}

void xc_chain_columns(const xc_chain *c, int32_t num_tiles,
                      int64_t sums[XC_MAX_CHAIN]) {
  xc_columns columns[XC_MAX_CHAIN];
  memset(sums, 0, c->count * sizeof *sums);
  for (int32_t tile = 0; tile < num_tiles; ++tile) {
    find_columns(c, tile, num_tiles, columns);
    for (size_t i = 0; i < c->count; ++i)
      if (xc_has_columns(columns[i]))
        sums[i] += columns[i].end - columns[i].first;
  }
}

/// Returns the number of a link's buffer in a tile: a new one if nothing
/// outside of the chain writes it.
static uint32_t buffer_of(const xc_chain *c, uint32_t buffer, uint32_t free) {
  for (size_t i = 0; i < c->count && buffer; ++i)
    if (c->links[i].layer.output.buffer == buffer)
      return c->links[i].is_shared ? buffer : free + (uint32_t)i;
  return buffer;
}

static bool add_link(const xc_chain *c, size_t i, xc_columns own, uint32_t free,
                     xc_units *units) {
  const xc_chain_link *at = &c->links[i];
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

bool xc_chain_tile(const xc_chain *c, int32_t num_tiles, uint32_t free,
                   xc_units *units) {
  xc_columns columns[XC_MAX_CHAIN];
  for (int32_t tile = 0; tile < num_tiles; ++tile) {
    find_columns(c, tile, num_tiles, columns);
    for (size_t i = 0; i < c->count; ++i) {
      const xc_chain_link *at = &c->links[i];
      xc_columns own = part_of(columns[i], at->part, at->layer.output.width);
      if (xc_has_columns(own) && !add_link(c, i, own, free, units))
        return false;
    }
    free += (uint32_t)c->count;
  }
  return true;
}
