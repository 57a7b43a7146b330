//===- Channels.c - code of engines that take channels apart --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits units of an engine that computes each channel by itself, block of rows
// by block of rows. The instructions are those of a family (Family.h).
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Target/DPU/CodeGen/Family.h"

static const xc_channel_engine *engine_of(const xc_emitter *e) {
  return (const xc_channel_engine *)(const void *)e->unit->engine;
}

void xc_load_channel_words(xc_emitter *e, const XcDpuBanks *banks,
                           uint32_t bank_address, uint32_t address,
                           uint32_t count, xc_words words) {
  xc_emission *gen = e->gen;
  int32_t width = gen->target->channelParallel;
  int32_t left = e->unit->plan.input.channels - words.first * width;
  uint32_t step = e->unit->layer.weightsLayout.step;
  uint32_t stride = step ? step : (uint32_t)e->unit->parameter_channels;
  uint32_t most = (uint32_t)gen->max_length;
  for (uint32_t done = 0; done < count; done += most) {
    XcDpuLoad load = {
        .bank_id = (uint32_t)banks->firstBank,
        .bank_addr = (bank_address + done * (uint32_t)words.count) %
                     (uint32_t)banks->depth,
        .jump_read = stride,
        .jump_write = (uint32_t)words.count,
        .pad_idx = 1,
        .channel = (uint32_t)xc_minimum(left, words.count * width),
        .length = count - done < most ? count - done : most,
        .reg_id = (uint32_t)gen->target->parametersRegister,
        .ddr_addr = address + (uint32_t)(words.first * width) + done * stride,
    };
    xc_code_load(&gen->code, &load);
  }
}

void xc_load_channel_values(xc_emitter *e, const XcDpuBanks *banks,
                            uint32_t bank_address, uint32_t address,
                            uint32_t count) {
  xc_load_channel_words(e, banks, bank_address, address, count,
                        (xc_words){0, (int32_t)e->channels.groups});
}

static void load_parameters(xc_emitter *e) { engine_of(e)->load_parameters(e); }

/// Computes rows y..y+rows-1 of the block whose rows begin at `block_rows`.
static void emit_rows(xc_emitter *e, int32_t tile, int32_t block, int32_t y,
                      int32_t rows, const xc_rows *block_rows) {
  xc_windows *windows = &e->windows;
  xc_window_start start = xc_windows_start(windows, tile, block, y, rows,
                                           windows->request->kernel_w - 1,
                                           windows->request->kernel_h - 1);
  xc_rows out =
      xc_rows_from(*block_rows, y - block * windows->plan->block_rows);
  engine_of(e)->emit_rows(e, &start, &out, rows);
}

/// Returns the number of words that one instruction computes. These are fewer
/// in the last block if the layer before may still be writing the next words.
static int32_t words_at_once(const xc_emitter *e, int32_t block) {
  enum { CYCLES = 512 }; // to which the start of one instruction is little
  int32_t groups = (int32_t)e->channels.groups;
  if (!engine_of(e)->parts_words || !e->unit->layout.parts_words ||
      block + 1 < e->windows.plan->num_blocks)
    return groups;
  int64_t cycles =
      (int64_t)e->windows.plan->tile_width * e->windows.request->window_cycles;
  return cycles < CYCLES ? xc_minimum(groups, (int32_t)(CYCLES / cycles)) : 1;
}

/// Computes the words of all rows of a block.
static void emit_words(xc_emitter *e, int32_t tile, int32_t block,
                       const xc_rows *out) {
  int32_t engine_rows = e->windows.request->engine_rows;
  int32_t first = block * e->windows.plan->block_rows;
  int32_t rows = xc_windows_rows(&e->windows, block);
  for (int32_t done = 0; done < rows; done += engine_rows)
    emit_rows(e, tile, block, first + done,
              xc_minimum(rows - done, engine_rows), out);
}

static void emit_tile_block(xc_emitter *e, int32_t tile, int32_t block) {
  xc_windows *windows = &e->windows;
  int32_t groups = (int32_t)e->channels.groups;
  int32_t at_once = words_at_once(e, block);
  e->gen->code.now =
      (xc_provenance){.layer = e->unit->number,
                      .tile = (uint32_t)tile,
                      .row = (uint32_t)(block * windows->plan->block_rows),
                      .rows = (uint32_t)xc_windows_rows(windows, block)};
  xc_windows_load(windows, tile, block);
  xc_rows out = xc_windows_out_rows(windows, block, 0, e->channels.groups);
  for (int32_t first = 0; first < groups; first += at_once) {
    e->channels.words = (xc_words){first, xc_minimum(groups - first, at_once)};
    emit_words(e, tile, block, &out);
  }
  xc_windows_save(windows, tile, block, &out, 0,
                  windows->unit->layer.output.channels);
}

static void emit_block(xc_emitter *e, int32_t block) {
  emit_tile_block(e, 0, block);
}

static void emit_all(xc_emitter *e) {
  const xc_tile_plan *plan = e->windows.plan;
  load_parameters(e);
  for (int32_t tile = 0; tile < plan->num_tiles; ++tile)
    for (int32_t block = 0; block < plan->num_blocks; ++block)
      emit_tile_block(e, tile, block);
}

static void begin(xc_emitter *e) {
  xc_windows_begin(&e->windows, e->gen, e->unit);
  e->channels.groups = (uint32_t)e->windows.request->in_groups;
}

static void end(xc_emitter *e) { xc_windows_end(&e->windows); }

const xc_emitter_ops xc_channel_emitter = {
    begin, end, load_parameters, emit_block, emit_all, NULL};
