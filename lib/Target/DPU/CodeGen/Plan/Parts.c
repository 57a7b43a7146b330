//===- Parts.c - a layer as units -----------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "Windows.h"

#include "Target/DPU/CodeGen/Family.h"

XcDpuLayer xc_layer_on(XcDpuLayerKind kind, const XcDpuLayer *layer) {
  XcDpuLayer result = *layer;
  result.kind = kind;
  return result;
}

XcDpuLayer xc_layer_channels(const XcDpuTarget *target, const XcDpuLayer *layer,
                             int32_t first, int32_t count) {
  XcDpuLayer part = *layer;
  if (count == layer->output.channels) // the whole layer
    return part;
  if (layer->wordShifts)
    part.wordShifts += first / target->channelParallel;
  part.output = xc_image_channels(&layer->output, first, count);
  uint32_t bias = layer->canJoinBias ? 0 : (uint32_t)first;
  if (layer->kind == XcDpuLayerKindConv) {
    part.bias += bias;
    return part;
  }
  for (size_t k = 0; k < layer->numInputs; ++k)
    part.inputs[k] = xc_image_channels(&layer->inputs[k], first, count);
  const xc_layer_kind *kind = xc_layer_kind_of(layer);
  if (kind->is_per_channel && !xcDpuPlacesWeights(layer))
    part.weights += (uint32_t)first;
  if (kind->is_per_channel || kind->is_diagonal)
    part.bias += bias;
  if (layer->kind == XcDpuLayerKindAveragePool16)
    part.weights += (uint32_t)xcDpuFactorBytes(target, first);
  return part;
}

/// Latency of the LOADs of weights: one for each bank that whole words fill,
/// and one for each channel of a last word that is not whole.
static int64_t weight_starts(const XcDpuTarget *target, const XcDpuLayer *layer,
                             int32_t columns) {
  int32_t lanes = target->weights.numBanks, channels = layer->output.channels;
  bool has_full = columns > 1 || channels >= lanes;
  return (int64_t)((has_full ? lanes : 0) + channels % lanes) *
         target->timing.loadStart;
}

/// Returns the number of output columns a pixel with which the whole layer is
/// fastest. All parts of the layer get the same number, so that they load the
/// same pixels.
static int32_t choose_columns(const XcDpuTarget *target,
                              const XcDpuLayer *layer) {
  xc_unit unit = {.layer = *layer,
                  .kind = xc_layer_kind_of(layer),
                  .engine = xc_layer_engine_of(target, layer),
                  .layout = xc_layout_in_ddr(target, layer->numInputs),
                  .columns = 1};
  int32_t best = 1, most = xc_max_augmented_columns(target, layer);
  int64_t least = INT64_MAX;
  if (layer->columns > 1)
    return layer->columns;
  if (most == 1)
    return 1;
  for (; unit.columns <= most; ++unit.columns) {
    if (!xc_plan_unit(target, &unit))
      continue;
    // Nothing before a first layer lets its weights come early.
    int64_t cycles = xc_unit_cycles(&unit) + unit.plan.cost.weights +
                     weight_starts(target, layer, unit.columns);
    if (cycles < least)
      best = unit.columns;
    least = cycles < least ? cycles : least;
  }
  return best;
}

/// Whether a layer is a signal of enough columns for strips. Strips decide
/// about idle lanes, and so which engine is the fastest.
static bool is_signal(const XcDpuTarget *target, const XcDpuLayer *layer) {
  enum { COLUMNS = 8 };
  return layer->output.height == 1 &&
         layer->output.width >= COLUMNS * target->pixelParallel;
}

/// Returns a unit with all its images in DDR, which is not planned yet.
static xc_unit make_unit(const XcDpuTarget *target, const xc_layer_part *part) {
  xc_unit unit = {
      .layer = xc_layer_channels(target, part->layer, part->first, part->count),
      .kind = xc_layer_kind_of(part->layer),
      .engine = xc_layer_engine_of(target, part->layer),
      .number = part->number,
      .first_channel = part->first,
      .parameter_channels = xcDpuPlacesWeights(part->layer)
                                ? part->count
                                : part->layer->output.channels,
      .columns = choose_columns(target, part->layer),
  };
  unit.layout = xc_layout_in_ddr(
      target, unit.kind->has_window ? unit.layer.numInputs : 1);
  unit.layout.allows_strips = is_signal(target, &unit.layer);
  return unit;
}

/// Plans a unit, and adds it if that can be done.
static XcDpuRefusal add_unit(const XcDpuTarget *target,
                             const xc_layer_part *part, xc_unit_check check,
                             xc_units *units) {
  xc_unit unit = make_unit(target, part);
  XcDpuRefusal refusal = unit.engine->plan(target, &unit, &unit.plan);
  if (xc_is_accepted(refusal) && check)
    refusal = check(target, &unit);
  if (xc_is_accepted(refusal))
    xc_append_units(units, &unit, 1);
  return refusal;
}

xc_unit xc_unit_channels(const XcDpuTarget *target, const xc_unit *unit,
                         int32_t first, int32_t count) {
  xc_layer_part part = {&unit->layer, unit->number, first, count};
  xc_unit result = make_unit(target, &part);
  result.first_channel += unit->first_channel;
  return result;
}

XcDpuRefusal xc_add_part(const XcDpuTarget *target, const xc_layer_part *part,
                         xc_unit_check check, xc_units *units) {
  const xc_layer_engine *engine = xc_layer_engine_of(target, part->layer);
  if (!engine->split)
    return add_unit(target, part, check, units);
  int32_t most = 0, word = target->channelParallel;
  int32_t end = part->first + part->count;
  XcDpuRefusal refusal = engine->split(target, part->layer, &most);
  xc_layer_part now = *part;
  while (now.first < end && xc_is_accepted(refusal)) {
    now.count = xc_minimum(end - now.first, most);
    refusal = add_unit(target, &now, check, units);
    if (xc_is_accepted(refusal)) {
      now.first += now.count;
    } else if (most > word) {
      most = (most / word + 1) / 2 * word;
      refusal = xc_accepted;
    }
  }
  return refusal;
}
