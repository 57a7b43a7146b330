//===- Dependences.c - who touched the memories last ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dependences.h"

#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULE_BYTES = 64 };

/// Of a reader: it stands for the last CONV with its window.
static const uint32_t stands_for_last = UINT32_C(1) << 31;

void xc_dependences_begin(xc_dependences *dependences,
                          const XcDpuTarget *target) {
  *dependences =
      (xc_dependences){.target = target, .layout = xc_bank_layout_of(target)};
  dependences->words =
      xc_alloc_array(dependences->layout.first[target->derived.numBanks],
                     sizeof *dependences->words);
}

void xc_dependences_end(xc_dependences *dependences) {
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    free(dependences->ddr[reg].granules);
  free(dependences->words);
  free(dependences->items);
}

static void need(xc_dependences *dependences, uint32_t number) {
  if (number == 0)
    return;
  if (number & stands_for_last)
    number = dependences->items[(number & ~stands_for_last) - 1].last_conv;
  unsigned queue = dependences->items[number - 1].queue;
  uint32_t *latest = &dependences->items[dependences->count - 1].needs[queue];
  if (number > *latest)
    *latest = number;
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

static xc_last_accesses *word_at(const xc_dependences *dependences,
                                 const xc_run *run, uint32_t x, uint32_t w) {
  uint64_t address = run->address + (uint64_t)x * run->step + w;
  return &dependences->words[xc_bank_word_index(&dependences->layout, run->bank,
                                                address)];
}

static uint32_t clip(const xc_dependences *dependences, const xc_run *run,
                     uint32_t count) {
  uint32_t depth = dependences->layout.depth[run->bank];
  return count < depth ? count : depth;
}

static void read_run(void *context, const xc_run *run) {
  xc_dependences *dependences = context;
  uint32_t self = (uint32_t)dependences->count;
  unsigned queue = dependences->items[self - 1].queue;
  if (run->role == XC_ROLE_INPUT && dependences->window_reader) {
    if (dependences->is_known)
      return;
    self |= stands_for_last;
  }
  for (uint32_t x = 0; x < clip(dependences, run, run->count); ++x)
    for (uint32_t w = 0; w < clip(dependences, run, run->words); ++w) {
      xc_last_accesses *at = word_at(dependences, run, x, w);
      need(dependences, at->writer);
      at->readers[queue] = self;
    }
}

static void write_run(void *context, const xc_run *run) {
  xc_dependences *dependences = context;
  uint32_t self = (uint32_t)dependences->count;
  for (uint32_t x = 0; x < clip(dependences, run, run->count); ++x)
    for (uint32_t w = 0; w < clip(dependences, run, run->words); ++w) {
      xc_last_accesses *at = word_at(dependences, run, x, w);
      need(dependences, at->writer);
      for (unsigned queue = 0; queue < XC_DPU_NUM_QUEUES; ++queue)
        need(dependences, at->readers[queue]);
      *at = (xc_last_accesses){.writer = self};
    }
}

//===----------------------------------------------------------------------===//
// DDR
//===----------------------------------------------------------------------===//

static void access_bytes(xc_dependences *dependences, unsigned reg,
                         uint64_t begin, uint64_t end, bool is_save) {
  xc_register_transfers *at_register = &dependences->ddr[reg];
  size_t first = (size_t)(begin / GRANULE_BYTES);
  size_t last = (size_t)((end - 1) / GRANULE_BYTES);
  if (last >= at_register->capacity) {
    size_t old = at_register->capacity;
    void *granules = at_register->granules;
    xc_grow(&granules, &at_register->capacity, last + 1,
            sizeof(xc_last_transfers));
    at_register->granules = granules;
    memset(at_register->granules + old, 0,
           (at_register->capacity - old) * sizeof(xc_last_transfers));
  }
  uint32_t self = (uint32_t)dependences->count;
  for (size_t i = first; i <= last; ++i) {
    xc_last_transfers *at = &at_register->granules[i];
    need(dependences, at->saver);
    if (is_save) {
      need(dependences, at->loader);
      at->saver = self;
    } else {
      at->loader = self;
    }
  }
}

static void access_ddr(xc_dependences *dependences, const xc_op *op) {
  xc_ddr_range range;
  if (!xc_op_ddr(dependences->target, op, 0, &range) ||
      !dependences->ddr[range.reg].is_saved)
    return;
  bool is_save = op->insn.opcode == XcDpuOpcodeSave;
  if (!is_save && xc_load_is_constant(&op->insn.load))
    return;
  if (range.step < range.channel + GRANULE_BYTES) {
    access_bytes(dependences, range.reg, range.begin, range.end, is_save);
    return;
  }
  for (uint32_t x = 0; x < range.length; ++x) {
    uint64_t begin = range.begin + (uint64_t)x * range.step;
    access_bytes(dependences, range.reg, begin, begin + range.channel, is_save);
  }
}

static void add_instruction(xc_dependences *dependences, XcDpuQueue queue) {
  void *items = dependences->items;
  xc_grow(&items, &dependences->capacity, dependences->count + 1,
          sizeof *dependences->items);
  dependences->items = items;
  xc_dependence *item = &dependences->items[dependences->count++];
  *item = (xc_dependence){.last_conv = (uint32_t)dependences->count,
                          .queue = queue};
}

/// Neighbours compute groups of output channels from one window; its words are
/// noted once.
static void see_window(xc_dependences *dependences, const xc_op *op) {
  uint32_t self = (uint32_t)dependences->count;
  if (op->insn.opcode != XcDpuOpcodeConv) {
    dependences->window_reader = 0;
    return;
  }
  dependences->is_known =
      dependences->window_reader != 0 &&
      memcmp(&op->window, &dependences->window, sizeof op->window) == 0;
  if (!dependences->is_known) {
    dependences->window = op->window;
    dependences->window_reader = self;
  }
  dependences->items[dependences->window_reader - 1].last_conv = self;
}

void xc_dependences_add(xc_dependences *dependences, const xc_op *op,
                        XcDpuQueue queue) {
  add_instruction(dependences, queue);
  see_window(dependences, op);
  access_ddr(dependences, op);
  xc_op_reads(dependences->target, op, read_run, dependences);
  xc_op_writes(dependences->target, op, write_run, dependences);
}
