//===- Elementwise.c - elementwise layers and those that only move data ---===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of the operands lie in image group 0, and results in group 1. Data that
// is only moved is saved from group 0. A repeated pixel or row is saved several
// times.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include <assert.h>

enum {
  ARGMAX_INDEX = 2,
};

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static int32_t row_step(const xc_emission *gen, const xc_elementwise *e) {
  uint32_t rows[XC_DPU_MAX_INPUTS];
  size_t count = 0;
  for (size_t k = 0; k < e->num_inputs; ++k)
    if (!e->broadcasts_row[k])
      rows[count++] = e->inputs[k].bank_rows;
  return xc_elementwise_step(gen->target, e->result.bank_rows, rows, count);
}

/// Emits `count` rows: first, first + step, ...
static void emit_rows(xc_emission *gen, const xc_elementwise *e, int32_t first,
                      int32_t step, int32_t count) {
  XcDpuElewInit inits[XC_DPU_MAX_INPUTS];
  for (size_t k = 0; k < e->num_inputs; ++k) {
    xc_rows in = xc_rows_from(e->inputs[k], e->broadcasts_row[k] ? 0 : first);
    uint32_t jump = (uint32_t)step / in.bank_rows;
    inits[k] = (XcDpuElewInit){
        .bank_id_in = xc_rows_bank(&in),
        .share_pp = e->broadcasts_row[k],
        .jump_bank = jump > 0 && !e->broadcasts_row[k] ? jump : 1,
        .id = (uint32_t)k,
        .jump_read_endl = in.band_words,
        .bank_addr_in = xc_rows_address(&in),
        .shift_read = e->shift_read[k],
        .jump_read = e->broadcasts_pixel[k] ? 0 : in.pixel_words,
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
      .shift_write = e->shift_write,
      .jump_write = out.pixel_words,
  };
  xc_code_elew(&gen->code, inits, &insn);
}

void xc_emit_elementwise(xc_emission *gen, const xc_elementwise *e) {
  int32_t step = row_step(gen, e);
  int32_t most = xc_elementwise_rows(gen->target, step);
  if (step == 0) {
    for (int32_t y = 0; y < e->rows; ++y)
      emit_rows(gen, e, y, 1, 1);
    return;
  }
  for (int32_t phase = 0; phase < step && phase < e->rows; ++phase)
    for (int32_t y = phase; y < e->rows; y += step * most)
      emit_rows(gen, e, y, step,
                xc_minimum(most, (e->rows - y + step - 1) / step));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

typedef struct elew_block {
  int32_t x, columns, y, rows;
  xc_rows operands[XC_DPU_MAX_INPUTS];
  xc_rows result;
} elew_block;

static xc_rows take_slot(const xc_emitter *e, const xc_bank_area *area,
                         uint32_t *next, uint32_t count) {
  uint32_t row_words = (uint32_t)e->unit->plan.tile_width * e->elew.groups;
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

static void load_rows(xc_emitter *e, size_t input, const elew_block *block,
                      const xc_rows *rows) {
  const XcDpuImage *image = &e->unit->layer.inputs[input];
  XcDpuImage whole = *image;
  whole.channels = (int32_t)image->pixelPitch;
  int32_t wide =
      xc_unit_wide_pixels(e->gen->target, e->unit, input, block->columns);
  for (int32_t k = 0; k < block->rows; ++k) {
    xc_rows row = xc_rows_from(*rows, k);
    uint32_t bank = xc_rows_bank(&row), address = xc_rows_address(&row);
    xc_pixels first = {&whole, block->y + k, block->x, wide};
    xc_pixels rest = {image, block->y + k, block->x + wide,
                      block->columns - wide};
    xc_load_pixels(e->gen, &first, bank, address);
    xc_load_pixels(e->gen, &rest, bank, address + (uint32_t)wide);
  }
}

/// Whether the engine broadcasts the only row, or pixel, of an operand.
static bool broadcasts_row(const XcDpuLayer *layer, size_t k) {
  return layer->inputs[k].height < layer->output.height && layer->scaleH == 1;
}

static bool broadcasts_pixel(const XcDpuLayer *layer, size_t k) {
  return layer->inputs[k].width < layer->output.width && layer->scaleW == 1;
}

static void need_operands(xc_emitter *e, elew_block *block) {
  const XcDpuLayer *layer = &e->unit->layer;
  const xc_unit_layout *layout = &e->unit->layout;
  for (size_t k = 0; k < layer->numInputs; ++k) {
    elew_block part = *block;
    if (broadcasts_row(layer, k)) {
      part.y = 0;
      part.rows = 1;
    }
    if (broadcasts_pixel(layer, k)) {
      part.x = 0;
      part.columns = 1;
    }
    if (layout->inputs[k]) {
      block->operands[k] =
          rows_in_banks(e, layout->inputs[k], &part, layout->input_rows[k],
                        layout->input_words[k]);
      continue;
    }
    block->operands[k] = take_slot(e, &layout->input_area, &e->elew.next_slot,
                                   e->elew.num_slots);
    load_rows(e, k, &part, &block->operands[k]);
  }
}

static void compute(xc_emitter *e, elew_block *block) {
  const XcDpuLayer *layer = &e->unit->layer;
  const xc_unit_layout *layout = &e->unit->layout;
  if (layout->output)
    block->result =
        rows_in_banks(e, layout->output, block, 0, layout->output_word);
  else
    block->result = take_slot(e, &layout->output_area, &e->elew.next_out_slot,
                              e->elew.num_out_slots);
  xc_elementwise elementwise = {
      .kind = e->unit->kind->elementwise,
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
    elementwise.broadcasts_row[k] = broadcasts_row(layer, k);
    elementwise.broadcasts_pixel[k] = broadcasts_pixel(layer, k);
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
  const xc_rows *rows =
      e->unit->plan.computes ? &block->result : &block->operands[0];
  for (int32_t dy = 0; dy < layer->scaleH; ++dy)
    for (int32_t dx = 0; dx < layer->scaleW; ++dx) {
      // Every scaleW-th pixel of every scaleH-th row.
      XcDpuImage phase = layer->output;
      phase.address = xc_image_address(&layer->output, dy, dx);
      phase.rowPitch *= (uint32_t)layer->scaleH;
      phase.pixelPitch *= (uint32_t)layer->scaleW;
      for (int32_t k = 0; k < block->rows; ++k) {
        xc_rows row = xc_rows_from(*rows, k);
        xc_pixels pixels = {&phase, block->y + k, block->x, block->columns};
        xc_save_pixels(e->gen, &pixels, xc_rows_bank(&row),
                       xc_rows_address(&row), row.pixel_words);
      }
    }
}

static void emit_tile_block(xc_emitter *e, int32_t tile, int32_t number) {
  const XcDpuImage *all = xc_elementwise_extent(&e->unit->layer);
  int32_t x = tile * e->unit->plan.tile_width,
          y = number * e->unit->plan.block_rows;
  elew_block block = {
      .x = x,
      .columns = xc_minimum(e->unit->plan.tile_width, all->width - x),
      .y = y,
      .rows = xc_minimum(e->unit->plan.block_rows, all->height - y)};
  e->gen->code.now = (xc_provenance){.layer = e->unit->number,
                                     .tile = (uint32_t)tile,
                                     .row = (uint32_t)y,
                                     .rows = (uint32_t)block.rows};
  need_operands(e, &block);
  if (e->unit->plan.computes)
    compute(e, &block);
  if (e->unit->layer.kind == XcDpuLayerKindArgmax)
    save_argmax(e, &block);
  else if (e->unit->layout.saves)
    save_repeated(e, &block);
}

static void emit_block(xc_emitter *e, int32_t block) {
  emit_tile_block(e, 0, block);
}

static void emit_all(xc_emitter *e) {
  for (int32_t tile = 0; tile < e->unit->plan.num_tiles; ++tile)
    for (int32_t block = 0; block < e->unit->plan.num_blocks; ++block)
      emit_tile_block(e, tile, block);
}

static void begin(xc_emitter *e) {
  const xc_unit_plan *plan = &e->unit->plan;
  const xc_unit_layout *layout = &e->unit->layout;
  e->elew.groups = (uint32_t)(plan->output_words / plan->tile_width);
  e->elew.num_slots = (uint32_t)(layout->input_area.words / plan->output_words);
  e->elew.num_out_slots =
      (uint32_t)(layout->output_area.words / plan->output_words);
}

static void load_nothing(xc_emitter *e) { (void)e; }

static void end(xc_emitter *e) { (void)e; }

const xc_emitter_ops xc_elementwise_emitter = {
    begin, end, load_nothing, emit_block, emit_all, NULL};

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void fill_all(xc_emitter *e) {
  const XcDpuLayer *layer = &e->unit->layer;
  const XcDpuImage *out = &layer->output;
  int32_t most = e->gen->max_length;
  int32_t channels = XC_DPU_FIELD_MAX(e->gen->target, Save, channel);
  for (int32_t y = 0; y < out->height; ++y)
    for (int32_t x = 0; x < out->width; x += most)
      for (int32_t c = 0; c < out->channels; c += channels) {
        XcDpuSave save = {
            .bank_id = xc_image_group(e->gen->target, 0),
            .jump_write = out->pixelPitch,
            .jump_read = 1,
            .channel = (uint32_t)xc_minimum(channels, out->channels - c),
            .length = (uint32_t)xc_minimum(most, out->width - x),
            .const_en = 1,
            .const_value = layer->value,
            .reg_id = out->reg,
            .ddr_addr = xc_image_address(out, y, x) + (uint32_t)c,
        };
        xc_code_save(&e->gen->code, &save);
      }
}

static void fill_begin(xc_emitter *e) { (void)e; }

const xc_emitter_ops xc_fill_emitter = {fill_begin, end,      load_nothing,
                                        NULL,       fill_all, NULL};
