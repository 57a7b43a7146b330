//===- ElementwisePlan.c - elementwise layers and those that move data ----===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerKind.h"

enum {
  /// Channels among which SAVE can find the largest.
  MAX_ARGMAX_CHANNELS = 128,
};

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static XcDpuRefusal check(const XcDpuTarget *target, const XcDpuLayer *layer,
                          bool computes) {
  const xc_layer_kind *kind = xc_layer_kind_of(layer);
  XcDpuRefusal refusal = xc_accepted;
  for (size_t k = 0; k < layer->numInputs; ++k) {
    const XcDpuImage *in = &layer->inputs[k], *out = &layer->output;
    bool broadcasts = kind->broadcasts && target->elementwiseBroadcast;
    if (!broadcasts || in->height != 1)
      xc_require(&refusal, XcDpuRefusalReasonShape,
                 (int64_t)in->height * layer->scaleH, out->height, out->height);
    if (!broadcasts || in->width != 1)
      xc_require(&refusal, XcDpuRefusalReasonShape,
                 (int64_t)in->width * layer->scaleW, out->width, out->width);
    if (layer->kind != XcDpuLayerKindArgmax)
      xc_require(&refusal, XcDpuRefusalReasonShape, in->channels, out->channels,
                 out->channels);
    xc_require_range(&refusal, XcDpuRefusalReasonShiftRead, layer->shiftRead[k],
                     target->elementwiseShiftRead);
  }
  if (!computes)
    return refusal;
  if (!xcDpuSetHas(target->elementwiseKinds, kind->elementwise))
    xc_require(&refusal, XcDpuRefusalReasonEngine, layer->kind, 0, -1);
  xc_require(&refusal, XcDpuRefusalReasonInputs, (int64_t)layer->numInputs, 1,
             target->elementwiseOperands);
  if (!xcDpuSetHas(target->elementwiseActivations, layer->activation))
    xc_require(&refusal, XcDpuRefusalReasonActivation, layer->activation, 0,
               -1);
  xc_require_range(&refusal, XcDpuRefusalReasonShiftWrite, layer->shiftWrite,
                   target->elementwiseShiftWrite);
  return refusal;
}

/// Whether the engine computes. A copy that changes no value and does not stay
/// in the banks is only loaded and saved.
static bool is_computed(const XcDpuLayer *layer, bool stays) {
  const xc_layer_kind *kind = xc_layer_kind_of(layer);
  return kind->stays_in_banks &&
         (!kind->scales || layer->shiftWrite != 0 ||
          layer->activation != XcActivationNone || stays);
}

static XcDpuRefusal check_argmax(const XcDpuTarget *target,
                                 const XcDpuLayer *layer) {
  XcDpuRefusal refusal = check(target, layer, false);
  if (!target->argmax)
    xc_require(&refusal, XcDpuRefusalReasonEngine, layer->kind, 0, -1);
  xc_require(&refusal, XcDpuRefusalReasonChannels, layer->inputs[0].channels, 1,
             MAX_ARGMAX_CHANNELS);
  xc_require(&refusal, XcDpuRefusalReasonShape, layer->output.channels, 1, 1);
  return refusal;
}

XcDpuRefusal xc_elementwise_check(const XcDpuTarget *target,
                                  const XcDpuLayer *layer) {
  if (layer->kind == XcDpuLayerKindArgmax)
    return check_argmax(target, layer);
  return check(target, layer, is_computed(layer, false));
}

XcDpuRefusal xc_fill_check(const XcDpuTarget *target, const XcDpuLayer *layer) {
  (void)target, (void)layer;
  return xc_accepted;
}

XcDpuRefusal xc_elementwise_split(const XcDpuTarget *target,
                                  const XcDpuLayer *layer, int32_t *channels) {
  int32_t most = target->elementwiseMaxGroups;
  most = xc_minimum(most, XC_DPU_FIELD_MAX(target, Save, channel) /
                              target->channelParallel);
  // A pixel of each operand lies in a bank.
  most = xc_minimum(most, target->image.depth / (int32_t)layer->numInputs);
  *channels = most * target->channelParallel;
  return xc_accepted;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

const XcDpuImage *xc_elementwise_extent(const XcDpuLayer *layer) {
  return xc_layer_kind_of(layer)->scales ? &layer->inputs[0] : &layer->output;
}

int32_t xc_elementwise_step(const XcDpuTarget *target, uint32_t result_rows,
                            const uint32_t *input_rows, size_t num_inputs) {
  int32_t jump = XC_DPU_FIELD_MAX(target, ElewInit, jump_bank);
  uint32_t most =
      (uint32_t)xc_minimum(xc_maximum(jump, 1), target->pixelParallel);
  for (size_t k = 0; k < num_inputs; ++k)
    if (result_rows % input_rows[k] != 0 || result_rows / input_rows[k] > most)
      return 0;
  return (int32_t)result_rows;
}

int32_t xc_elementwise_rows(const XcDpuTarget *target, int32_t step) {
  if (step == 0)
    return 1;
  return xc_minimum(target->elementwiseRows,
                    xc_maximum(target->pixelParallel / step, 1));
}

/// Returns the number of rows that an instruction of a unit computes.
static int32_t rows_at_once(const XcDpuTarget *target, const xc_unit *unit) {
  const xc_unit_layout *layout = &unit->layout;
  const XcDpuLayer *layer = &unit->layer;
  uint32_t rows[XC_DPU_MAX_INPUTS];
  size_t count = 0;
  for (size_t k = 0; k < layer->numInputs; ++k)
    if (layer->inputs[k].height == layer->output.height)
      rows[count++] =
          layout->inputs[k] ? (uint32_t)layout->inputs[k]->bank_rows : 1;
  uint32_t result = layout->output ? (uint32_t)layout->output->bank_rows : 1;
  return xc_elementwise_rows(target,
                             xc_elementwise_step(target, result, rows, count));
}

static int32_t widest(const xc_bank_area *area, int32_t groups, int32_t count) {
  int32_t pixels = area->words / groups;
  return pixels / (2 * count) > 0 ? pixels / (2 * count) : pixels / count;
}

/// Returns the widest tile whose operands all fit, twice if possible; 0: none.
static int32_t choose_tiles(const XcDpuTarget *target, const xc_unit *unit,
                            int32_t groups, bool computes) {
  int32_t all = xc_elementwise_extent(&unit->layer)->width;
  const xc_unit_layout *layout = &unit->layout;
  int32_t count = xc_unit_loaded_inputs(unit);
  int32_t width = xc_minimum(all, computes ? xc_max_elementwise_length(target)
                                           : xc_max_length(target));
  if (count > 0)
    width = xc_minimum(width, widest(&layout->input_area, groups, count));
  if (computes && !layout->output)
    width = xc_minimum(width, widest(&layout->output_area, groups, 1));
  if (width == 0 || (layout->is_whole && width < all))
    return 0;
  int32_t tiles = (all + width - 1) / width;
  return (all + tiles - 1) / tiles;
}

/// Returns the cost of whole images, row by row of each tile.
static xc_work work_of(const XcDpuTarget *target, const xc_unit *unit,
                       const xc_unit_plan *plan) {
  const XcDpuLayer *layer = &unit->layer;
  int64_t height = xc_elementwise_extent(layer)->height;
  int64_t rows = plan->num_tiles * height;
  // The tiles of a block of rows begin together.
  xc_work work = {.blocks = plan->num_blocks};
  for (size_t k = 0; k < layer->numInputs; ++k) {
    const XcDpuImage *in = &layer->inputs[k];
    if (unit->layout.inputs[k])
      continue;
    int32_t tile = xc_minimum(in->width, plan->tile_width);
    int32_t wide = xc_unit_wide_pixels(target, unit, k, tile);
    int64_t bytes = (int64_t)wide * in->pixelPitch +
                    (tile - wide) * xc_pixel_bytes(target, in);
    work.input.count += wide > 0 ? 2 * rows : rows;
    work.input.bytes += bytes * in->width / tile * in->height;
  }
  if (unit->layout.saves) {
    const XcDpuImage *out = &layer->output;
    work.output.count = rows * layer->scaleH * layer->scaleW;
    work.output.bytes = xc_pixel_bytes(target, out) * out->width * out->height;
  }
  if (plan->computes)
    work.misc = plan->num_tiles *
                xc_elementwise_cycles(
                    target, (int64_t)layer->numInputs,
                    xc_ceil_div((int32_t)height, rows_at_once(target, unit)) *
                        target->elementwiseRows,
                    plan->output_words);
  return work;
}

XcDpuRefusal xc_elementwise_plan(const XcDpuTarget *target, const xc_unit *unit,
                                 xc_unit_plan *plan) {
  const XcDpuLayer *layer = &unit->layer;
  *plan = (xc_unit_plan){.computes = is_computed(layer, unit->layout.output)};
  if (plan->computes) {
    XcDpuRefusal refusal = check(target, layer, true);
    if (!xc_is_accepted(refusal))
      return refusal;
  }
  int32_t groups = xc_words_of(target, layer->inputs[0].channels);
  const XcDpuImage *all = xc_elementwise_extent(layer);
  plan->tile_width = choose_tiles(target, unit, groups, plan->computes);
  if (plan->tile_width == 0)
    return (XcDpuRefusal){XcDpuRefusalReasonBankWords,
                          groups * (int32_t)layer->numInputs, 1,
                          target->image.depth};
  plan->block_rows = target->pixelParallel;
  plan->num_blocks = (all->height + plan->block_rows - 1) / plan->block_rows;
  plan->num_tiles = (all->width + plan->tile_width - 1) / plan->tile_width;
  plan->window_bands = 1;
  plan->input_band_words = plan->output_words = plan->tile_width * groups;
  xc_work work = work_of(target, unit, plan);
  plan->cost = xc_price(target, &work);
  return xc_accepted;
}

XcDpuRefusal xc_fill_plan(const XcDpuTarget *target, const xc_unit *unit,
                          xc_unit_plan *plan) {
  const XcDpuImage *out = &unit->layer.output;
  *plan = (xc_unit_plan){.block_rows = out->height,
                         .num_blocks = 1,
                         .tile_width = out->width,
                         .num_tiles = 1};
  xc_work work = {.output = {out->height, xc_pixel_bytes(target, out) *
                                              out->width * out->height},
                  .blocks = 1};
  plan->cost = xc_price(target, &work);
  return xc_accepted;
}
