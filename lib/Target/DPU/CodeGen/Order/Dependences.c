//===- Dependences.c - who touched the memories last ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dependences.h"

#include "Support/Memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { GRANULE_BYTES = 64, BITS = 64, QUEUE_BITS = 2 };

/// Of a reader: it stands for the last CONV with its window.
static const xc_accessor stands_for_last = UINT32_C(1) << 31;

static xc_accessor accessor_of(uint32_t number, XcDpuQueue queue) {
  return number << QUEUE_BITS | queue;
}

static uint32_t number_of(xc_accessor accessor) {
  return accessor >> QUEUE_BITS;
}

static XcDpuQueue queue_of(xc_accessor accessor) {
  return accessor & ((1u << QUEUE_BITS) - 1);
}

//===----------------------------------------------------------------------===//
// Stretches
//===----------------------------------------------------------------------===//

static size_t num_words(const xc_dependences *dependences) {
  return dependences->layout.first[dependences->target->derived.numBanks];
}

static bool is_start(const xc_dependences *dependences, size_t at) {
  return dependences->starts[at / BITS] >> at % BITS & 1;
}

static void set_start(xc_dependences *dependences, size_t at) {
  dependences->starts[at / BITS] |= UINT64_C(1) << at % BITS;
}

/// The last start up to a word.
static size_t start_of(const xc_dependences *dependences, size_t at) {
  size_t i = at / BITS;
  uint64_t bits = dependences->starts[i] << (BITS - 1 - at % BITS);
  if (bits)
    return at - (size_t)__builtin_clzll(bits);
  while (!dependences->starts[--i])
    ;
  return i * BITS + BITS - 1 - (size_t)__builtin_clzll(dependences->starts[i]);
}

/// The first start after a word. There is one after the last word.
static size_t next_start(const xc_dependences *dependences, size_t at) {
  size_t i = ++at / BITS;
  uint64_t bits = dependences->starts[i] >> at % BITS;
  if (bits)
    return at + (size_t)__builtin_ctzll(bits);
  while (!dependences->starts[++i])
    ;
  return i * BITS + (size_t)__builtin_ctzll(dependences->starts[i]);
}

/// A stretch begins at a word, or nothing does where there is none.
static void split(xc_dependences *dependences, size_t at) {
  if (is_start(dependences, at))
    return;
  dependences->words[at] = dependences->words[start_of(dependences, at)];
  set_start(dependences, at);
}

/// Words begin..end-1 become one stretch.
static void merge(xc_dependences *dependences, size_t begin, size_t end) {
  for (size_t at = begin + 1; at < end;) {
    size_t last = at / BITS < (end - 1) / BITS ? BITS - 1 : (end - 1) % BITS;
    uint64_t bits = UINT64_MAX >> (BITS - 1 - (last - at % BITS)) << at % BITS;
    dependences->starts[at / BITS] &= ~bits;
    at += last - at % BITS + 1;
  }
}

void xc_dependences_begin(xc_dependences *dependences,
                          const XcDpuTarget *target) {
  *dependences =
      (xc_dependences){.target = target, .layout = xc_bank_layout_of(target)};
  size_t count = num_words(dependences);
  // Only the first word of a stretch is looked at.
  dependences->words =
      xc_realloc_array(NULL, count, sizeof *dependences->words);
  dependences->starts =
      xc_alloc_array(count / BITS + 1, sizeof *dependences->starts);
  for (int32_t b = 0; b <= target->derived.numBanks; ++b) {
    size_t first = dependences->layout.first[b];
    set_start(dependences, first);
    if (first < count)
      dependences->words[first] = (xc_last_accesses){0};
  }
}

void xc_dependences_end(xc_dependences *dependences) {
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    free(dependences->ddr[reg].granules);
  free(dependences->words);
  free(dependences->starts);
  free(dependences->items);
}

/// None is the least of its queue.
static void need(xc_dependences *dependences, xc_accessor accessor) {
  xc_accessor *latest = &dependences->latest[queue_of(accessor)];
  if (accessor > *latest)
    *latest = accessor;
}

/// Words of a window have the same reader, one after the other.
static void need_reader(xc_dependences *dependences, xc_accessor reader) {
  if (!(reader & stands_for_last)) {
    need(dependences, reader);
    return;
  }
  if (reader == dependences->window_seen)
    return;
  dependences->window_seen = reader;
  uint32_t first = number_of(reader & ~stands_for_last);
  need(dependences,
       accessor_of(dependences->items[first - 1].last_conv, queue_of(reader)));
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

typedef void (*words_handler)(xc_dependences *dependences, size_t begin,
                              size_t end, xc_accessor self);

/// Of each stretch of words begin..end-1.
static void read_words(xc_dependences *dependences, size_t begin, size_t end,
                       xc_accessor self) {
  unsigned reader = queue_of(self) - 1;
  split(dependences, begin);
  split(dependences, end);
  for (; begin < end; begin = next_start(dependences, begin)) {
    xc_last_accesses *at = &dependences->words[begin];
    need(dependences, at->writer);
    at->readers[reader] = self;
  }
}

static void write_words(xc_dependences *dependences, size_t begin, size_t end,
                        xc_accessor self) {
  split(dependences, begin);
  split(dependences, end);
  for (size_t i = begin; i < end; i = next_start(dependences, i)) {
    const xc_last_accesses *at = &dependences->words[i];
    need(dependences, at->writer);
    for (unsigned reader = 0; reader < XC_DPU_NUM_QUEUES - 1; ++reader)
      need_reader(dependences, at->readers[reader]);
  }
  merge(dependences, begin, end);
  dependences->words[begin] = (xc_last_accesses){.writer = self};
}

/// From a word of the bank on; addresses wrap.
static void access_words(xc_dependences *dependences, uint32_t bank,
                         uint32_t begin, uint64_t count, xc_accessor self,
                         words_handler handler) {
  uint32_t depth = dependences->layout.depth[bank];
  size_t first = dependences->layout.first[bank];
  size_t end = begin + (size_t)(count < depth ? count : depth);
  if (end > depth) {
    handler(dependences, first, first + end - depth, self);
    end = depth;
  }
  handler(dependences, first + begin, first + end, self);
}

static void access_run(xc_dependences *dependences, const xc_run *run,
                       xc_accessor self, words_handler handler) {
  if (run->count == 0 || run->words == 0)
    return;
  uint32_t depth = dependences->layout.depth[run->bank];
  uint32_t begin = (uint32_t)(run->address % depth);
  if (run->step == run->words) {
    access_words(dependences, run->bank, begin,
                 (uint64_t)run->count * run->words, self, handler);
    return;
  }
  uint32_t step = run->step % depth;
  for (uint32_t x = 0; x < run->count && x < depth; ++x) {
    access_words(dependences, run->bank, begin, run->words, self, handler);
    begin += step;
    begin -= begin >= depth ? depth : 0;
  }
}

static void read_run(void *context, const xc_run *run) {
  xc_dependences *dependences = context;
  xc_accessor self = dependences->self;
  if (run->role == XC_ROLE_INPUT && dependences->window_reader) {
    if (dependences->is_known)
      return;
    self |= stands_for_last;
  }
  access_run(dependences, run, self, read_words);
}

static void write_run(void *context, const xc_run *run) {
  xc_dependences *dependences = context;
  access_run(dependences, run, dependences->self, write_words);
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
  xc_accessor self = dependences->self;
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
  uint32_t number = (uint32_t)++dependences->count;
  assert(number < stands_for_last >> QUEUE_BITS && "numbers of 29 bits");
  dependences->items[number - 1] = (xc_dependence){.last_conv = number};
  dependences->self = accessor_of(number, queue);
  memset(dependences->latest, 0, sizeof dependences->latest);
  dependences->window_seen = 0;
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
  uint32_t *needs = dependences->items[dependences->count - 1].needs;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    needs[q] = number_of(dependences->latest[q]);
}
