//===- EngineSplits.c - depthwise layers divided between engines ----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A split gives each engine some channels or columns of a depthwise layer. A
// split in turns interleaves the layer with the convolution before it.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "Target/DPU/CodeGen/Plan/Columns.h"
#include "Target/DPU/CodeGen/Plan/Parts.h"

/// The layer of a choice, and how it is divided into units.
typedef struct division {
  const XcDpuTarget *target;
  const xc_engine_choice *choice;
  const xc_engine_split *split;
  XcDpuLayer layer;
  xc_units *units;
} division;

static bool add_channels(const division *d, const XcDpuLayer *layer,
                         uint32_t number, int32_t first, int32_t count) {
  xc_layer_part part = {layer, number, first, count};
  return count == 0 ||
         xc_is_accepted(xc_add_part(d->target, &part, NULL, d->units));
}

/// `count` columns from `first` on by one engine.
static bool add_columns(const division *d, XcDpuLayerKind kind, int32_t first,
                        int32_t count) {
  if (count == 0)
    return true;
  XcDpuLayer layer = xc_layer_on(kind, &d->layer);
  layer = xc_layer_columns(&layer, (xc_columns){first, first + count});
  return add_channels(d, &layer, d->choice->number, 0, layer.output.channels);
}

/// `count` channels from `first` on. The misc engine computes the first
/// `others` of them, and the convolution engine the rest.
static bool add_both(const division *d, int32_t first, int32_t count,
                     int32_t others) {
  XcDpuLayer depthwise = xc_layer_on(XcDpuLayerKindDepthwise, &d->layer);
  XcDpuLayer diagonal = xc_layer_on(XcDpuLayerKindDiagonal, &d->layer);
  uint32_t number = d->choice->number;
  return add_channels(d, &depthwise, number, first, others) &&
         add_channels(d, &diagonal, number, first + others, count - others);
}

/// How many of the channels of a turn the misc engine computes.
static int32_t part_of(const division *d, int32_t channels, bool is_last) {
  if (d->split->divides_last && !is_last)
    return channels;
  int32_t word = d->target->channelParallel;
  int64_t all = d->layer.output.channels;
  int64_t words = xc_words_of(d->target, channels);
  int32_t part = (int32_t)((words * d->split->count + all / 2) / all) * word;
  return xc_minimum(part, channels);
}

/// The convolution before and the layer in turns of some channels, which pass
/// through a buffer of their own in each turn.
static bool add_in_turn(division *d, const xc_unit *before, uint32_t buffer) {
  XcDpuLayer conv = before->layer;
  int32_t all = conv.output.channels, at_once = d->split->at_once;
  bool ok = true;
  for (int32_t first = 0; first < all && ok; first += at_once) {
    int32_t count = xc_minimum(all - first, at_once);
    conv.output.buffer = d->layer.inputs[0].buffer = buffer++;
    ok = add_channels(d, &conv, before->number, first, count) &&
         add_both(d, first, count, part_of(d, count, first + count == all));
  }
  return ok;
}

static bool add_divided(division *d, const xc_unit *before, uint32_t buffer) {
  const xc_engine_split *split = d->split;
  if (split->at_once > 0)
    return add_in_turn(d, before, buffer);
  if (!split->by_columns)
    return add_both(d, 0, d->layer.output.channels, split->count);
  return add_columns(d, XcDpuLayerKindDepthwise, 0, split->count) &&
         add_columns(d, XcDpuLayerKindDiagonal, split->count,
                     d->layer.output.width - split->count);
}

static bool is_undivided(const xc_engine_choice *choice,
                         const xc_engine_split *split) {
  const XcDpuImage *out = &choice->layer.output;
  return split->at_once == 0 &&
         split->count == (split->by_columns ? out->width : out->channels);
}

bool xc_split_layers(const xc_schedule *layers, const xc_engine_split *splits,
                     xc_schedule *result) {
  *result = (xc_schedule){.target = layers->target};
  size_t next = 0;
  bool ok = true;
  uint32_t buffer = xc_free_buffer(&layers->units);
  for (size_t i = 0; i < layers->num_choices && ok; ++i) {
    const xc_engine_choice *choice = &layers->choices[i];
    const xc_engine_split *split = &splits[i];
    if (is_undivided(choice, split))
      continue;
    bool has_before = split->at_once > 0;
    size_t first = choice->first_unit - has_before;
    xc_append_units(&result->units, layers->units.items + next, first - next);
    next = choice->first_unit + choice->num_units;
    division d = {layers->target, choice, split, choice->layer, &result->units};
    ok = add_divided(&d, &layers->units.items[first], buffer);
    if (has_before)
      buffer +=
          (uint32_t)xc_words_of(layers->target, choice->layer.output.channels);
  }
  xc_append_units(&result->units, layers->units.items + next,
                  layers->units.count - next);
  if (!ok)
    xc_schedule_free(result);
  return ok;
}
