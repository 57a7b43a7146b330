//===- Memory.c - banks, registers, LOAD and SAVE -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim.h"

#include "Support/Diag.h"
#include "Support/Memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void *xc_scratch_get(xc_scratch *scratch, size_t size) {
  if (size > scratch->capacity) {
    free(scratch->data);
    scratch->data = xc_alloc_uninitialized(size, 1);
    scratch->capacity = size;
  }
  return scratch->data;
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

void xc_sim_read(const XcDpuSim *sim, uint32_t bank, uint64_t address,
                 int8_t *bytes, size_t count) {
  const int8_t *data = xc_sim_bank(sim, bank);
  size_t size = xc_sim_bank_bytes(sim, bank);
  for (size_t offset = xc_sim_offset(sim, bank, address); count > 0;
       offset = 0) {
    size_t left = size - offset;
    size_t part = count < left ? count : left;
    memcpy(bytes, data + offset, part);
    bytes += part;
    count -= part;
  }
}

void xc_sim_write(XcDpuSim *sim, uint32_t bank, uint64_t address,
                  const int8_t *bytes, size_t count) {
  int8_t *data = xc_sim_bank(sim, bank);
  size_t size = xc_sim_bank_bytes(sim, bank);
  size_t offset = xc_sim_offset(sim, bank, address);
  // Rounding up to a word never passes the end of the bank.
  size_t tail = (sim->word_bytes - count % sim->word_bytes) % sim->word_bytes;
  while (count > 0) {
    size_t left = size - offset;
    size_t part = count < left ? count : left;
    memcpy(data + offset, bytes, part);
    bytes += part;
    count -= part;
    offset = (offset + part) % size;
  }
  memset(data + offset, 0, tail);
}

const int8_t *xc_sim_view(const XcDpuSim *sim, uint32_t bank, uint64_t address,
                          int8_t *buffer, size_t count) {
  size_t offset = xc_sim_offset(sim, bank, address);
  if (count <= xc_sim_bank_bytes(sim, bank) - offset)
    return xc_sim_bank(sim, bank) + offset;
  xc_sim_read(sim, bank, address, buffer, count);
  return buffer;
}

void xc_sim_write_block(XcDpuSim *sim, const xc_output_block *block,
                        const int8_t *bytes) {
  const xc_walk *walk = &block->walk;
  size_t count = walk->pixel_words * sim->word_bytes;
  for (uint32_t y = 0; y < block->rows; ++y) {
    xc_row row = xc_walk_row(sim->target, walk, y);
    if (walk->pixel_step == walk->pixel_words) {
      xc_sim_write(sim, row.bank, row.address, bytes, count * block->pixels);
      bytes += count * block->pixels;
      continue;
    }
    for (uint32_t x = 0; x < block->pixels; ++x, bytes += count)
      xc_sim_write(sim, row.bank, row.address + (uint64_t)x * walk->pixel_step,
                   bytes, count);
  }
}

//===----------------------------------------------------------------------===//
// LOAD and SAVE
//===----------------------------------------------------------------------===//

enum {
  ARGMAX_ENABLE = 2,
  ARGMAX_VALUE = 1,
};

/// Clears the bytes of a pixel that lie in the padding of the first layer.
static void mask_pixel(const XcDpuSim *sim, const XcDpuLoad *load, uint32_t x,
                       int8_t *bytes) {
  int64_t words =
      (int64_t)((load->channel + sim->word_bytes - 1) / sim->word_bytes);
  int64_t start = (int64_t)load->pad_start - (int64_t)x * load->jump_read;
  int64_t k = (int64_t)x - (int64_t)load->length + load->pad_idx;
  int64_t end = INT64_MAX;
  if (k >= 0)
    end = words * (int64_t)sim->word_bytes - load->pad_end -
          k * (int64_t)load->jump_read;
  for (int64_t c = 0; c < (int64_t)load->channel; ++c)
    if (c < start || c >= end)
      bytes[c] = 0;
}

/// A pixel that may end in masked bytes behind the end of the register.
static void copy_pixel(const XcDpuSim *sim, const XcDpuLoad *load, uint32_t x,
                       int8_t *pixel) {
  size_t begin = load->ddr_addr + (size_t)x * load->jump_read;
  size_t size = sim->registers[load->reg_id].size;
  size_t there = begin < size ? size - begin : 0;
  size_t count = there < load->channel ? there : load->channel;
  if (count)
    memcpy(pixel, sim->registers[load->reg_id].data + begin, count);
  memset(pixel + count, 0, load->channel - count);
}

static bool is_weight_bank(const XcDpuTarget *target, uint32_t bank) {
  uint32_t first = (uint32_t)target->weights.firstBank;
  return bank >= first && bank < first + (uint32_t)target->weights.numBanks;
}

/// A row of pixels into one bank.
static void load_row(XcDpuSim *sim, const XcDpuLoad *load, uint32_t bank,
                     const int8_t *source, bool masked) {
  bool constant = xc_load_is_constant(load);
  int8_t *pixel = masked || constant
                      ? xc_scratch_get(&sim->lane_bytes, load->channel)
                      : NULL;
  bool dense = !pixel && load->jump_read == load->channel &&
               load->channel == load->jump_write * sim->word_bytes;
  if (dense) {
    xc_sim_write(sim, bank, load->bank_addr, source,
                 (size_t)load->channel * load->length);
    return;
  }
  for (uint32_t x = 0; x < load->length; ++x) {
    const int8_t *bytes = pixel;
    if (constant)
      memset(pixel, load->const_value, load->channel);
    else if (masked)
      copy_pixel(sim, load, x, pixel);
    else
      bytes = source + (size_t)x * load->jump_read;
    if (masked)
      mask_pixel(sim, load, x, pixel);
    xc_sim_write(sim, bank, load->bank_addr + (uint64_t)x * load->jump_write,
                 bytes, load->channel);
  }
}

/// One weight bank after the other; nothing is masked.
static void load_weights(XcDpuSim *sim, const xc_op *op) {
  uint32_t bank = (uint32_t)sim->target->weights.firstBank;
  xc_ddr_range range;
  for (unsigned i = 0; xc_op_ddr(sim->target, op, i, &range); ++i) {
    const int8_t *source = sim->registers[range.reg].data + range.begin;
    for (uint32_t o = 0; o < range.rows; ++o)
      load_row(sim, &op->insn.load, bank++, source + (size_t)o * range.row_step,
               false);
  }
}

void xc_sim_load(XcDpuSim *sim, const xc_op *op) {
  const XcDpuLoad *load = &op->insn.load;
  bool broadcast = xc_load_is_broadcast(sim->target, load);
  sim->weights_generation +=
      broadcast || is_weight_bank(sim->target, load->bank_id);
  if (broadcast) {
    load_weights(sim, op);
    return;
  }
  const int8_t *source =
      xc_load_is_constant(load)
          ? NULL
          : sim->registers[load->reg_id].data + load->ddr_addr;
  load_row(sim, load, load->bank_id, source, xc_load_is_masked(load));
}

static int8_t arg_max(const int8_t *bytes, size_t count, bool want_value) {
  size_t best = 0;
  for (size_t c = 1; c < count; ++c)
    if (bytes[c] > bytes[best])
      best = c;
  return want_value ? bytes[best] : (int8_t)(uint8_t)(best & 0xff);
}

void xc_sim_save(XcDpuSim *sim, const xc_op *op) {
  const XcDpuSave *save = &op->insn.save;
  int8_t *target = sim->registers[save->reg_id].data + save->ddr_addr;
  int8_t *buffer = xc_scratch_get(&sim->lane_bytes, save->channel);
  for (uint32_t x = 0; x < save->length; ++x, target += save->jump_write) {
    uint64_t address = save->bank_addr + (uint64_t)x * save->jump_read;
    if (save->const_en)
      memset(target, save->const_value, save->channel);
    else if ((save->argmax & ARGMAX_ENABLE) == 0)
      xc_sim_read(sim, save->bank_id, address, target, save->channel);
    else
      *target = arg_max(
          xc_sim_view(sim, save->bank_id, address, buffer, save->channel),
          save->channel, (save->argmax & ARGMAX_VALUE) != 0);
  }
}
