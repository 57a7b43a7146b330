//===- Elementwise.c - elementwise layers and those that only move data ---===//
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

static int32_t minimum(int32_t a, int32_t b) { return a < b ? a : b; }

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// The instruction goes from bank to bank. Rows that are `step` apart lie in
/// neighbouring banks of the result, and in banks that are `step / bank_rows`
/// apart of an input.
static int32_t row_step(const xc_elementwise *e, int32_t pp) {
  uint32_t step = e->result.bank_rows;
  for (size_t k = 0; k < e->num_inputs; ++k)
    if (!e->repeats_row[k] && (step % e->inputs[k].bank_rows != 0 ||
                               step / e->inputs[k].bank_rows > (uint32_t)pp))
      return 0;
  return (int32_t)step;
}

/// Rows first, first + step, ..., of which there are `count`.
static void emit_rows(XcDpuCodeGen *gen, const xc_elementwise *e, int32_t first,
                      int32_t step, int32_t count) {
  XcDpuElewInit inits[XC_DPU_MAX_INPUTS];
  for (size_t k = 0; k < e->num_inputs; ++k) {
    xc_rows in = xc_rows_from(e->inputs[k], e->repeats_row[k] ? 0 : first);
    uint32_t jump = (uint32_t)step / in.bank_rows;
    inits[k] = (XcDpuElewInit){
        .bank_id_in = xc_rows_bank(&in),
        .share_pp = e->repeats_row[k],
        .jump_bank = jump > 0 && !e->repeats_row[k] ? jump : 1,
        .id = (uint32_t)k,
        .jump_read_endl = in.band_words,
        .bank_addr_in = xc_rows_address(&in),
        .shift_read = (uint32_t)e->shift_read[k],
        .jump_read = e->repeats_pixel[k] ? 0 : in.pixel_words,
    };
  }
  xc_rows out = xc_rows_from(e->result, first);
  XcDpuElew insn = {
      .bank_id_out = xc_rows_bank(&out),
      .elew_type = e->kind,
      .act_type = (uint32_t)e->activation,
      .length = e->length,
      .valid_pixel_parallel = (uint32_t)count,
      .num = (uint32_t)e->num_inputs,
      .jump_write_endl = 1,
      .bank_addr_out = xc_rows_address(&out),
      .channel_group = e->groups,
      .shift_write = xc_shift_write_field(e->shift_write),
      .jump_write = out.pixel_words,
  };
  xc_code_elew(&gen->code, inits, &insn);
}

void xc_emit_elementwise(XcDpuCodeGen *gen, const xc_elementwise *e) {
  int32_t pp = gen->target->pixelParallel;
  int32_t step = row_step(e, pp), most = gen->target->elementwiseRows;
  if (step == 0) {
    for (int32_t y = 0; y < e->rows; ++y)
      emit_rows(gen, e, y, 1, 1);
    return;
  }
  most = minimum(most, pp / step > 0 ? pp / step : 1);
  for (int32_t phase = 0; phase < step && phase < e->rows; ++phase)
    for (int32_t y = phase; y < e->rows; y += step * most)
      emit_rows(gen, e, y, step,
                minimum(most, (e->rows - y + step - 1) / step));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

typedef struct elew_block {
  int32_t x, columns, y, rows;
  xc_rows operands[XC_DPU_MAX_INPUTS];
  xc_rows result;
} elew_block;

static xc_rows take_slot(const xc_emitter *e, const xc_area *area,
                         uint32_t *next, uint32_t count) {
  uint32_t row_words = (uint32_t)e->elew.tile_width * e->elew.groups;
  return xc_block_rows(e->gen->target, area->group,
                       (uint32_t)area->base + (*next)++ % count * row_words,
                       e->elew.groups);
}

static xc_rows rows_in_banks(const xc_emitter *e, const xc_bank_image *image,
                             const elew_block *block, int32_t first_row,
                             int32_t first_word) {
  return xc_bank_image_rows(e->gen->target, image, block->y + first_row,
                            first_word + block->x * image->pixel_words);
}

static void load_rows(xc_emitter *e, const XcDpuImage *image,
                      const elew_block *block, const xc_rows *rows) {
  for (int32_t k = 0; k < block->rows; ++k) {
    xc_rows row = xc_rows_from(*rows, k);
    xc_load_pixels(e->gen, image, block->y + k, block->x, block->columns,
                   xc_rows_bank(&row), xc_rows_address(&row));
  }
}

/// Whether the engine reads the only row, or pixel, of an operand for all those
/// of the result.
static bool repeats_row(const XcDpuLayer *layer, size_t k) {
  return layer->inputs[k].height < layer->output.height && layer->scaleH == 1;
}

static bool repeats_pixel(const XcDpuLayer *layer, size_t k) {
  return layer->inputs[k].width < layer->output.width && layer->scaleW == 1;
}

static void need_operands(xc_emitter *e, elew_block *block) {
  const XcDpuLayer *layer = &e->unit->layer;
  const xc_places *places = &e->unit->places;
  for (size_t k = 0; k < layer->numInputs; ++k) {
    elew_block part = *block;
    if (repeats_row(layer, k)) {
      part.y = 0;
      part.rows = 1;
    }
    if (repeats_pixel(layer, k)) {
      part.x = 0;
      part.columns = 1;
    }
    if (places->inputs[k]) {
      block->operands[k] =
          rows_in_banks(e, places->inputs[k], &part, places->input_rows[k],
                        places->input_words[k]);
      continue;
    }
    block->operands[k] = take_slot(e, &places->input_area, &e->elew.next_slot,
                                   e->elew.num_slots);
    load_rows(e, &layer->inputs[k], &part, &block->operands[k]);
  }
}

static void compute(xc_emitter *e, elew_block *block) {
  const XcDpuLayer *layer = &e->unit->layer;
  const xc_places *places = &e->unit->places;
  if (places->output)
    block->result =
        rows_in_banks(e, places->output, block, 0, places->output_word);
  else
    block->result = take_slot(e, &places->output_area, &e->elew.next_out_slot,
                              e->elew.num_out_slots);
  xc_elementwise elementwise = {
      .kind = layer->kind == XcDpuLayerKindMul ? XcDpuElementwiseKindMul
                                               : XcDpuElementwiseKindAdd,
      .activation = layer->activation,
      .num_inputs = layer->numInputs,
      .shift_write = layer->shiftWrite,
      .result = block->result,
      .length = (uint32_t)block->columns,
      .groups = e->elew.groups,
      .rows = block->rows,
  };
  for (size_t k = 0; k < layer->numInputs; ++k) {
    elementwise.inputs[k] = block->operands[k];
    elementwise.shift_read[k] = layer->shiftRead[k];
    elementwise.repeats_row[k] = repeats_row(layer, k);
    elementwise.repeats_pixel[k] = repeats_pixel(layer, k);
  }
  xc_emit_elementwise(e->gen, &elementwise);
}

static void save_argmax(xc_emitter *e, const elew_block *block) {
  const XcDpuImage *out = &e->unit->layer.output;
  for (int32_t k = 0; k < block->rows; ++k) {
    xc_rows row = xc_rows_from(block->operands[0], k);
    XcDpuSave save = {
        .bank_id = xc_rows_bank(&row),
        .bank_addr = xc_rows_address(&row),
        .argmax = ARGMAX_INDEX,
        .jump_write = out->pixelPitch,
        .jump_read = row.pixel_words,
        .channel = (uint32_t)e->unit->layer.inputs[0].channels,
        .length = (uint32_t)block->columns,
        .reg_id = out->reg,
        .ddr_addr = xc_image_address(out, block->y + k, block->x),
    };
    xc_code_save(&e->gen->code, &save);
  }
}

static void save_repeated(xc_emitter *e, const elew_block *block) {
  const XcDpuLayer *layer = &e->unit->layer;
  const xc_rows *rows = e->elew.computes ? &block->result : &block->operands[0];
  for (int32_t dy = 0; dy < layer->scaleH; ++dy)
    for (int32_t dx = 0; dx < layer->scaleW; ++dx) {
      // Every scaleW-th pixel of every scaleH-th row.
      XcDpuImage phase = layer->output;
      phase.address = xc_image_address(&layer->output, dy, dx);
      phase.rowPitch *= (uint32_t)layer->scaleH;
      phase.pixelPitch *= (uint32_t)layer->scaleW;
      for (int32_t k = 0; k < block->rows; ++k) {
        xc_rows row = xc_rows_from(*rows, k);
        xc_save_pixels(e->gen, &phase, block->y + k, block->x, block->columns,
                       xc_rows_bank(&row), xc_rows_address(&row),
                       row.pixel_words);
      }
    }
}

/// Pixels that the engines see: those of the result, before they are repeated.
static const XcDpuImage *extent(const XcDpuLayer *layer) {
  return layer->kind == XcDpuLayerKindCopy ? &layer->inputs[0] : &layer->output;
}

static void emit_tile_block(xc_emitter *e, int32_t tile, int32_t number) {
  const XcDpuImage *all = extent(&e->unit->layer);
  int32_t x = tile * e->elew.tile_width, y = number * e->block_rows;
  elew_block block = {.x = x,
                      .columns = minimum(e->elew.tile_width, all->width - x),
                      .y = y,
                      .rows = minimum(e->block_rows, all->height - y)};
  e->gen->code.now = (xc_provenance){.layer = e->unit->number,
                                     .tile = (uint32_t)tile,
                                     .row = (uint32_t)y,
                                     .rows = (uint32_t)block.rows};
  need_operands(e, &block);
  if (e->elew.computes)
    compute(e, &block);
  if (e->unit->layer.kind == XcDpuLayerKindArgmax)
    save_argmax(e, &block);
  else if (e->unit->places.saves)
    save_repeated(e, &block);
}

static void emit_block(xc_emitter *e, int32_t block) {
  emit_tile_block(e, 0, block);
}

static void emit_all(xc_emitter *e) {
  for (int32_t tile = 0; tile < e->num_tiles; ++tile)
    for (int32_t block = 0; block < e->num_blocks; ++block)
      emit_tile_block(e, tile, block);
}

static void load_parameters(xc_emitter *e) { (void)e; }

static void end(xc_emitter *e) { (void)e; }

static const xc_emitter_kind elew_kind = {load_parameters, emit_block, emit_all,
                                          end};

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

static int32_t widest(const xc_area *area, int32_t groups, int32_t count) {
  int32_t places = area->words / groups;
  return places / (2 * count) > 0 ? places / (2 * count) : places / count;
}

/// The widest tile of which all operands fit, twice if possible; 0: none.
static int32_t choose_tiles(const xc_unit *unit, int32_t groups,
                            bool computes) {
  int32_t all = extent(&unit->layer)->width;
  const xc_places *places = &unit->places;
  int32_t count = xc_unit_loaded_inputs(unit);
  int32_t width = minimum(XC_MAX_LENGTH, all);
  if (count > 0)
    width = minimum(width, widest(&places->input_area, groups, count));
  if (computes && !places->output)
    width = minimum(width, widest(&places->output_area, groups, 1));
  if (width == 0 || (places->is_whole && width < all))
    return 0;
  int32_t tiles = (all + width - 1) / width;
  return (all + tiles - 1) / tiles;
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

static bool is_computed(const xc_unit *unit) {
  const XcDpuLayer *layer = &unit->layer;
  return layer->kind != XcDpuLayerKindArgmax &&
         (layer->kind != XcDpuLayerKindCopy || layer->shiftWrite != 0 ||
          layer->activation != XcActivationNone || unit->places.output);
}

static XcDpuRefusal check_unit(const XcDpuTarget *target, const xc_unit *unit) {
  const XcDpuLayer *layer = &unit->layer;
  XcDpuRefusal refusal = check(target, layer, is_computed(unit));
  if (layer->kind == XcDpuLayerKindArgmax) {
    if (!target->argmax)
      xc_require(&refusal, XcDpuRefusalReasonEngine, layer->kind, 0, -1);
    xc_require(&refusal, XcDpuRefusalReasonChannels, layer->inputs[0].channels,
               1, MAX_ARGMAX_CHANNELS);
    xc_require(&refusal, XcDpuRefusalReasonShape, layer->output.channels, 1, 1);
  }
  return refusal;
}

XcDpuRefusal xc_elew_begin(xc_emitter *e) {
  const XcDpuTarget *target = e->gen->target;
  const xc_unit *unit = e->unit;
  const XcDpuLayer *layer = &unit->layer;
  XcDpuRefusal refusal = check_unit(target, unit);
  if (refusal.reason != XcDpuRefusalReasonNone)
    return refusal;
  e->kind = &elew_kind;
  int32_t groups = xc_words_of(target, layer->inputs[0].channels);
  e->elew.groups = (uint32_t)groups;
  e->elew.computes = is_computed(unit);
  e->elew.tile_width = choose_tiles(unit, groups, e->elew.computes);
  if (e->elew.tile_width == 0)
    return (XcDpuRefusal){XcDpuRefusalReasonBankWords,
                          groups * (int32_t)layer->numInputs, 1,
                          target->image.depth};
  int32_t words = e->elew.tile_width * groups;
  e->elew.num_slots = (uint32_t)(unit->places.input_area.words / words);
  e->elew.num_out_slots = (uint32_t)(unit->places.output_area.words / words);
  e->block_rows = target->pixelParallel;
  const XcDpuImage *all = extent(layer);
  e->num_blocks = (all->height + e->block_rows - 1) / e->block_rows;
  e->num_tiles = (all->width + e->elew.tile_width - 1) / e->elew.tile_width;
  return xc_accepted;
}

/// Bytes as LOAD and SAVE count them.
static int64_t moved_bytes(const XcDpuImage *image) {
  enum { BURST = 16 };
  bool is_dense = image->pixelPitch == (uint32_t)image->channels;
  int64_t pixel = is_dense ? image->channels
                           : (image->channels + BURST - 1) / BURST * BURST;
  return pixel * image->width * image->height;
}

bool xc_estimate_elew(const XcDpuTarget *target, const xc_unit *unit,
                      xc_estimate *result) {
  const XcDpuLayer *layer = &unit->layer;
  const XcDpuImage *in = extent(layer);
  int32_t groups = xc_words_of(target, layer->inputs[0].channels);
  bool computes = is_computed(unit);
  int32_t width = choose_tiles(unit, groups, computes);
  if (width == 0)
    return false;
  int64_t tiles = (in->width + width - 1) / width;
  int32_t pp = target->pixelParallel;
  *result = (xc_estimate){
      .block_rows = pp,
      .num_blocks = (in->height + pp - 1) / pp,
      .window_bands = 1,
      .input_band_words = width * groups,
      .output_words = width * groups,
  };
  xc_queue_cost *cost = &result->cost;
  int64_t rows = tiles * in->height;
  for (size_t k = 0; k < layer->numInputs; ++k)
    if (!unit->places.inputs[k]) {
      int64_t bytes = moved_bytes(&layer->inputs[k]);
      cost->load_bytes += bytes;
      cost->load += rows * target->timing.loadStart +
                    bytes / target->timing.loadBytesPerCycle;
    }
  if (unit->places.saves) {
    cost->save_bytes = moved_bytes(&layer->output);
    cost->save =
        (rows * layer->scaleH * layer->scaleW * target->timing.saveStart +
         cost->save_bytes / target->timing.saveBytesPerCycle) /
        target->savePorts;
  }
  if (computes)
    cost->misc =
        tiles *
        ((in->height + target->elementwiseRows - 1) / target->elementwiseRows) *
        (target->timing.elementwiseStart +
         (int64_t)layer->numInputs * target->timing.initCycles +
         (int64_t)width * groups * (int64_t)layer->numInputs);
  cost->start =
      cost->load / result->num_blocks + cost->save / result->num_blocks;
  result->cycles = xc_queue_cost_cycles(target, cost);
  return true;
}

XcDpuRefusal xc_split_elew(XcDpuCodeGen *gen, const XcDpuLayer *layer) {
  const XcDpuTarget *target = gen->target;
  XcDpuLayer whole = *layer;
  if (layer->kind != XcDpuLayerKindCopy)
    whole.scaleH = whole.scaleW = 1;
  int32_t channels = layer->inputs[0].channels;
  if (layer->kind == XcDpuLayerKindArgmax)
    return xc_units_add(gen, &whole, channels);
  int32_t most = target->elementwiseMaxGroups;
  while (most * target->channelParallel > MAX_SAVE_CHANNELS)
    --most;
  // A pixel of each operand lies in a bank.
  if (layer->numInputs)
    most = minimum(most, target->image.depth / (int32_t)layer->numInputs);
  int32_t part = most * target->channelParallel;
  for (int32_t first = 0; first < channels; first += part) {
    XcDpuLayer now = whole;
    int32_t count = minimum(part, channels - first);
    for (size_t k = 0; k < layer->numInputs; ++k)
      now.inputs[k] = xc_image_channels(&whole.inputs[k], first, count);
    now.output = xc_image_channels(&whole.output, first, count);
    XcDpuRefusal refusal = xc_units_add(gen, &now, channels);
    if (refusal.reason != XcDpuRefusalReasonNone)
      return refusal;
  }
  return xc_accepted;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void fill_all(xc_emitter *e) {
  const XcDpuLayer *layer = &e->unit->layer;
  const XcDpuImage *out = &layer->output;
  for (int32_t y = 0; y < out->height; ++y)
    for (int32_t x = 0; x < out->width; x += XC_MAX_LENGTH)
      for (int32_t c = 0; c < out->channels; c += MAX_SAVE_CHANNELS) {
        XcDpuSave save = {
            .bank_id = xc_image_group(e->gen->target, 0),
            .jump_write = out->pixelPitch,
            .jump_read = 1,
            .channel = (uint32_t)minimum(MAX_SAVE_CHANNELS, out->channels - c),
            .length = (uint32_t)minimum(XC_MAX_LENGTH, out->width - x),
            .const_en = 1,
            .const_value = (uint8_t)layer->value,
            .reg_id = out->reg,
            .ddr_addr = xc_image_address(out, y, x) + (uint32_t)c,
        };
        xc_code_save(&e->gen->code, &save);
      }
}

static const xc_emitter_kind fill_kind = {load_parameters, NULL, fill_all, end};

XcDpuRefusal xc_fill_begin(xc_emitter *e) {
  e->kind = &fill_kind;
  e->num_blocks = e->num_tiles = 1;
  e->block_rows = e->unit->layer.output.height;
  return xc_accepted;
}
