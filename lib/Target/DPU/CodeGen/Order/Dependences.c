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

void xc_shadow_begin(xc_shadow *shadow, const XcDpuTarget *target) {
  *shadow =
      (xc_shadow){.target = target, .depth = (uint32_t)target->image.depth};
  shadow->words = xc_alloc_array(
      (size_t)target->derived.numBanks * shadow->depth, sizeof *shadow->words);
}

void xc_shadow_end(xc_shadow *shadow) {
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    free(shadow->ddr[reg].granules);
  free(shadow->words);
  free(shadow->queues);
  free(shadow->needs);
  free(shadow->last_conv);
}

static void need(xc_shadow *shadow, uint32_t number) {
  if (number == 0)
    return;
  if (number & stands_for_last)
    number = shadow->last_conv[(number & ~stands_for_last) - 1];
  unsigned queue = shadow->queues[number - 1];
  uint32_t *latest = &shadow->needs[shadow->count - 1].of[queue];
  if (number > *latest)
    *latest = number;
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

static xc_shadow_word *word_at(const xc_shadow *shadow, const xc_run *run,
                               uint32_t x, uint32_t w) {
  uint64_t address = run->address + (uint64_t)x * run->step + w;
  return &shadow->words[(size_t)run->bank * shadow->depth +
                        address % shadow->depth];
}

static uint32_t clip(const xc_shadow *shadow, uint32_t count) {
  return count < shadow->depth ? count : shadow->depth;
}

static void read_run(void *context, const xc_run *run) {
  xc_shadow *shadow = context;
  uint32_t self = (uint32_t)shadow->count;
  unsigned queue = shadow->queues[self - 1];
  if (run->role == XC_ROLE_INPUT && shadow->window_reader) {
    if (shadow->is_known)
      return;
    self |= stands_for_last;
  }
  for (uint32_t x = 0; x < clip(shadow, run->count); ++x)
    for (uint32_t w = 0; w < clip(shadow, run->words); ++w) {
      xc_shadow_word *at = word_at(shadow, run, x, w);
      need(shadow, at->writer);
      at->readers[queue] = self;
    }
}

static void write_run(void *context, const xc_run *run) {
  xc_shadow *shadow = context;
  uint32_t self = (uint32_t)shadow->count;
  for (uint32_t x = 0; x < clip(shadow, run->count); ++x)
    for (uint32_t w = 0; w < clip(shadow, run->words); ++w) {
      xc_shadow_word *at = word_at(shadow, run, x, w);
      need(shadow, at->writer);
      for (unsigned queue = 0; queue < XC_DPU_NUM_QUEUES; ++queue)
        need(shadow, at->readers[queue]);
      *at = (xc_shadow_word){.writer = self};
    }
}

//===----------------------------------------------------------------------===//
// DDR
//===----------------------------------------------------------------------===//

static void access_bytes(xc_shadow *shadow, unsigned reg, uint64_t begin,
                         uint64_t end, bool is_save) {
  xc_shadow_register *at_register = &shadow->ddr[reg];
  size_t first = (size_t)(begin / GRANULE_BYTES);
  size_t last = (size_t)((end - 1) / GRANULE_BYTES);
  if (last >= at_register->capacity) {
    size_t old = at_register->capacity;
    void *granules = at_register->granules;
    xc_grow(&granules, &at_register->capacity, last + 1,
            sizeof(xc_shadow_granule));
    at_register->granules = granules;
    memset(at_register->granules + old, 0,
           (at_register->capacity - old) * sizeof(xc_shadow_granule));
  }
  uint32_t self = (uint32_t)shadow->count;
  for (size_t i = first; i <= last; ++i) {
    xc_shadow_granule *at = &at_register->granules[i];
    need(shadow, at->saver);
    if (is_save) {
      need(shadow, at->loader);
      at->saver = self;
    } else {
      at->loader = self;
    }
  }
}

static void access_ddr(xc_shadow *shadow, const xc_op *op) {
  xc_ddr_range range;
  if (!xc_op_ddr(op, &range) || !shadow->ddr[range.reg].is_saved)
    return;
  bool is_save = op->insn.opcode == XcDpuOpcodeSave;
  if (!is_save && xc_load_is_constant(&op->insn.load))
    return;
  if (range.step < range.channel + GRANULE_BYTES) {
    access_bytes(shadow, range.reg, range.begin, range.end, is_save);
    return;
  }
  for (uint32_t x = 0; x < range.length; ++x) {
    uint64_t begin = range.begin + (uint64_t)x * range.step;
    access_bytes(shadow, range.reg, begin, begin + range.channel, is_save);
  }
}

static void add_instruction(xc_shadow *shadow, XcDpuQueue queue) {
  void *array = shadow->queues;
  xc_grow(&array, &shadow->queues_capacity, shadow->count + 1,
          sizeof *shadow->queues);
  shadow->queues = array;
  array = shadow->needs;
  xc_grow(&array, &shadow->needs_capacity, shadow->count + 1,
          sizeof *shadow->needs);
  shadow->needs = array;
  array = shadow->last_conv;
  xc_grow(&array, &shadow->last_conv_capacity, shadow->count + 1,
          sizeof *shadow->last_conv);
  shadow->last_conv = array;
  shadow->last_conv[shadow->count] = (uint32_t)shadow->count + 1;
  shadow->queues[shadow->count] = (uint8_t)queue;
  shadow->needs[shadow->count++] = (xc_needs){{0}};
}

/// Neighbours compute groups of output channels from one window; its words are
/// noted once.
static void see_window(xc_shadow *shadow, const xc_op *op) {
  uint32_t self = (uint32_t)shadow->count;
  if (op->insn.opcode != XcDpuOpcodeConv) {
    shadow->window_reader = 0;
    return;
  }
  shadow->is_known =
      shadow->window_reader != 0 &&
      memcmp(&op->window, &shadow->window, sizeof op->window) == 0;
  if (!shadow->is_known) {
    shadow->window = op->window;
    shadow->window_reader = self;
  }
  shadow->last_conv[shadow->window_reader - 1] = self;
}

void xc_shadow_access(xc_shadow *shadow, const xc_op *op, XcDpuQueue queue) {
  add_instruction(shadow, queue);
  see_window(shadow, op);
  access_ddr(shadow, op);
  xc_op_reads(shadow->target, op, read_run, shadow);
  xc_op_writes(shadow->target, op, write_run, shadow);
}
