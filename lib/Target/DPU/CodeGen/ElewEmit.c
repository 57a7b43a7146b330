//===- ElewEmit.c - elementwise layers and those that only move data ------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of the operands lie in image group 0, results in group 1. What is only
// moved is saved from group 0. A repeated pixel or row is saved several times.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include <assert.h>

enum {
  /// The field channel of SAVE.
  MAX_SAVE_CHANNELS = 4096,
  /// Channels among which SAVE can find the largest.
  MAX_ARGMAX_CHANNELS = 128,
  ARGMAX_INDEX = 2,
};

typedef struct elew_emitter {
  XcDpuCodeGen *gen;
  const XcDpuLayer *layer;
  bool computes; // or only moves
  uint32_t groups;
  int32_t tile_width;
  uint32_t row_words; // of a tile
  uint32_t num_slots, next_slot;
  uint32_t num_out_slots, next_out_slot;
} elew_emitter;

static int32_t minimum(int32_t a, int32_t b) { return a < b ? a : b; }

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

typedef struct elew_block {
  int32_t x, columns, y, rows;
  uint32_t operands[XC_DPU_MAX_INPUTS];
  uint32_t result;
} elew_block;

static uint32_t take_slot(const elew_emitter *elew, uint32_t *next,
                          uint32_t count) {
  return (*next)++ % count * elew->row_words;
}

/// Whether the engine reads the only row, or pixel, of an operand for all those
/// of the result.
static bool repeats_row(const XcDpuLayer *layer, size_t k) {
  return layer->inputs[k].height < layer->output.height && layer->scaleH == 1;
}

static bool repeats_pixel(const XcDpuLayer *layer, size_t k) {
  return layer->inputs[k].width < layer->output.width && layer->scaleW == 1;
}

static void load_operands(elew_emitter *elew, elew_block *block) {
  const XcDpuLayer *layer = elew->layer;
  uint32_t bank = xc_image_group(elew->gen->target, 0);
  for (size_t k = 0; k < layer->numInputs; ++k) {
    block->operands[k] = take_slot(elew, &elew->next_slot, elew->num_slots);
    bool one_row = repeats_row(layer, k), one_pixel = repeats_pixel(layer, k);
    for (int32_t y = 0; y < (one_row ? 1 : block->rows); ++y)
      xc_load_pixels(elew->gen, &layer->inputs[k], one_row ? 0 : block->y + y,
                     one_pixel ? 0 : block->x, one_pixel ? 1 : block->columns,
                     bank + (uint32_t)y, block->operands[k]);
  }
}

static void compute(elew_emitter *elew, elew_block *block) {
  const XcDpuLayer *layer = elew->layer;
  const XcDpuTarget *target = elew->gen->target;
  block->result = take_slot(elew, &elew->next_out_slot, elew->num_out_slots);
  for (int32_t y = 0; y < block->rows; y += target->elementwiseRows) {
    XcDpuElewInit inits[XC_DPU_MAX_INPUTS];
    for (size_t k = 0; k < layer->numInputs; ++k)
      inits[k] = (XcDpuElewInit){
          .bank_id_in = xc_image_group(target, 0) +
                        (repeats_row(layer, k) ? 0 : (uint32_t)y),
          .share_pp = repeats_row(layer, k),
          .jump_bank = 1,
          .id = (uint32_t)k,
          .jump_read_endl = 1,
          .bank_addr_in = block->operands[k],
          .shift_read = (uint32_t)layer->shiftRead[k],
          .jump_read = repeats_pixel(layer, k) ? 0 : elew->groups,
      };
    XcDpuElew insn = {
        .bank_id_out = xc_image_group(target, 1) + (uint32_t)y,
        .elew_type = layer->kind == XcDpuLayerKindMul ? XcDpuElementwiseKindMul
                                                      : XcDpuElementwiseKindAdd,
        .act_type = (uint32_t)layer->activation,
        .length = (uint32_t)block->columns,
        .valid_pixel_parallel =
            (uint32_t)minimum(block->rows - y, target->elementwiseRows),
        .num = (uint32_t)layer->numInputs,
        .jump_write_endl = 1,
        .bank_addr_out = block->result,
        .channel_group = elew->groups,
        .shift_write = xc_shift_write_field(layer->shiftWrite),
        .jump_write = elew->groups,
    };
    xc_code_elew(&elew->gen->code, inits, &insn);
  }
}

static void save_argmax(elew_emitter *elew, const elew_block *block) {
  const XcDpuImage *out = &elew->layer->output;
  for (int32_t y = 0; y < block->rows; ++y) {
    XcDpuSave save = {
        .bank_id = xc_image_group(elew->gen->target, 0) + (uint32_t)y,
        .bank_addr = block->operands[0],
        .argmax = ARGMAX_INDEX,
        .jump_write = out->pixelPitch,
        .jump_read = elew->groups,
        .channel = (uint32_t)elew->layer->inputs[0].channels,
        .length = (uint32_t)block->columns,
        .reg_id = out->reg,
        .ddr_addr = xc_image_address(out, block->y + y, block->x),
    };
    xc_code_save(&elew->gen->code, &save);
  }
}

static void save_repeated(elew_emitter *elew, const elew_block *block) {
  const XcDpuLayer *layer = elew->layer;
  uint32_t bank = xc_image_group(elew->gen->target, elew->computes ? 1 : 0);
  uint32_t address = elew->computes ? block->result : block->operands[0];
  for (int32_t dy = 0; dy < layer->scaleH; ++dy)
    for (int32_t dx = 0; dx < layer->scaleW; ++dx) {
      // Every scaleW-th pixel of every scaleH-th row.
      XcDpuImage phase = layer->output;
      phase.address = xc_image_address(&layer->output, dy, dx);
      phase.rowPitch *= (uint32_t)layer->scaleH;
      phase.pixelPitch *= (uint32_t)layer->scaleW;
      for (int32_t y = 0; y < block->rows; ++y)
        xc_save_pixels(elew->gen, &phase, block->y + y, block->x,
                       block->columns, bank + (uint32_t)y, address,
                       elew->groups);
    }
}

static void emit_block(elew_emitter *elew, elew_block *block) {
  xc_provenance *now = &elew->gen->code.now;
  now->tile = (uint32_t)(block->x / elew->tile_width);
  now->row = (uint32_t)block->y;
  now->rows = (uint32_t)block->rows;
  load_operands(elew, block);
  if (elew->computes)
    compute(elew, block);
  if (elew->layer->kind == XcDpuLayerKindArgmax)
    save_argmax(elew, block);
  else
    save_repeated(elew, block);
}

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

/// Pixels that the engines see: those of the result, before they are repeated.
static const XcDpuImage *extent(const XcDpuLayer *layer) {
  return layer->kind == XcDpuLayerKindCopy ? &layer->inputs[0] : &layer->output;
}

/// The widest tile of which all operands fit, twice if possible.
static bool choose_tiles(elew_emitter *elew) {
  const XcDpuTarget *target = elew->gen->target;
  int32_t all = extent(elew->layer)->width;
  int32_t places = target->image.depth / (int32_t)elew->groups;
  int32_t count = (int32_t)elew->layer->numInputs;
  int32_t width = places / (2 * count);
  if (width == 0)
    width = places / count;
  if (width == 0)
    return false;
  width = minimum(minimum(width, XC_MAX_LENGTH), all);
  int32_t tiles = (all + width - 1) / width;
  elew->tile_width = (all + tiles - 1) / tiles;
  elew->row_words = (uint32_t)elew->tile_width * elew->groups;
  elew->num_slots = (uint32_t)target->image.depth / elew->row_words;
  elew->num_out_slots = elew->num_slots;
  return true;
}

static XcDpuRefusal check(const XcDpuTarget *target, const XcDpuLayer *layer,
                          bool computes) {
  XcDpuRefusal refusal = xc_accepted;
  for (size_t k = 0; k < layer->numInputs; ++k) {
    const XcDpuImage *in = &layer->inputs[k], *out = &layer->output;
    bool repeats =
        layer->kind == XcDpuLayerKindAdd || layer->kind == XcDpuLayerKindMul;
    if (!repeats || in->height != 1)
      xc_require(&refusal, XcDpuRefusalReasonShape,
                 (int64_t)in->height * layer->scaleH, out->height, out->height);
    if (!repeats || in->width != 1)
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
  XcDpuElementwiseKind kind = layer->kind == XcDpuLayerKindMul
                                  ? XcDpuElementwiseKindMul
                                  : XcDpuElementwiseKindAdd;
  if (!xcDpuSetHas(target->elementwiseKinds, kind))
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

static void emit_part(elew_emitter *elew) {
  const XcDpuImage *all = extent(elew->layer);
  int32_t pp = elew->gen->target->pixelParallel;
  for (int32_t x = 0; x < all->width; x += elew->tile_width)
    for (int32_t y = 0; y < all->height; y += pp) {
      elew_block block = {.x = x,
                          .columns = minimum(elew->tile_width, all->width - x),
                          .y = y,
                          .rows = minimum(pp, all->height - y)};
      emit_block(elew, &block);
    }
}

XcDpuRefusal xc_emit_elew(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  const XcDpuTarget *target = gen->target;
  XcDpuLayer whole = *layer;
  if (layer->kind != XcDpuLayerKindCopy)
    whole.scaleH = whole.scaleW = 1;
  bool is_argmax = layer->kind == XcDpuLayerKindArgmax;
  bool computes = !is_argmax && (layer->kind != XcDpuLayerKindCopy ||
                                 layer->shiftWrite != 0 ||
                                 layer->activation != XcActivationNone);
  XcDpuRefusal refusal = check(target, &whole, computes);
  int32_t channels = layer->inputs[0].channels;
  if (is_argmax) {
    if (!target->argmax)
      xc_require(&refusal, XcDpuRefusalReasonEngine, layer->kind, 0, -1);
    xc_require(&refusal, XcDpuRefusalReasonChannels, channels, 1,
               MAX_ARGMAX_CHANNELS);
    xc_require(&refusal, XcDpuRefusalReasonShape, layer->output.channels, 1, 1);
  }
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  int32_t most = target->elementwiseMaxGroups;
  while (!is_argmax && most * target->channelParallel > MAX_SAVE_CHANNELS)
    --most;
  int32_t part = most * target->channelParallel;
  for (int32_t first = 0; first < channels; first += part) {
    XcDpuLayer now = whole;
    int32_t count = minimum(part, channels - first);
    for (size_t k = 0; k < layer->numInputs; ++k)
      now.inputs[k] = xc_image_channels(&whole.inputs[k], first, count);
    if (!is_argmax)
      now.output = xc_image_channels(&whole.output, first, count);
    elew_emitter elew = {.gen = gen,
                         .layer = &now,
                         .computes = computes,
                         .groups = (uint32_t)xc_words_of(target, count)};
    if (!choose_tiles(&elew))
      return (XcDpuRefusal){XcDpuRefusalReasonBankWords,
                            (int32_t)(elew.groups * now.numInputs), 1,
                            target->image.depth};
    emit_part(&elew);
  }
  return xc_accepted;
}

XcDpuRefusal xc_emit_fill(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  const XcDpuImage *out = &layer->output;
  for (int32_t y = 0; y < out->height; ++y)
    for (int32_t x = 0; x < out->width; x += XC_MAX_LENGTH)
      for (int32_t c = 0; c < out->channels; c += MAX_SAVE_CHANNELS) {
        XcDpuSave save = {
            .bank_id = xc_image_group(gen->target, 0),
            .jump_write = out->pixelPitch,
            .jump_read = 1,
            .channel = (uint32_t)minimum(MAX_SAVE_CHANNELS, out->channels - c),
            .length = (uint32_t)minimum(XC_MAX_LENGTH, out->width - x),
            .const_en = 1,
            .const_value = (uint8_t)layer->value,
            .reg_id = out->reg,
            .ddr_addr = xc_image_address(out, y, x) + (uint32_t)c,
        };
        xc_code_save(&gen->code, &save);
      }
  return xc_accepted;
}
