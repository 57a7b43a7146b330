//===- Dependences.c - who touched the memories last ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dependences.h"

#include "Support/Memory.h"
#include "Target/DPU/Machine/Walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { GRANULE_BYTES = 64, QUEUE_BITS = 2 };

/// A bit of a reader: it stands for the last CONV with the same window.
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

void xc_dependences_begin(xc_dependences *dependences,
                          const XcDpuTarget *target) {
  const xc_dependences old = *dependences;
  *dependences = (xc_dependences){
      .target = target,
      .layout = xc_bank_layout_of(target),
      .words = old.words,
      .items = old.items,
      .capacity = old.capacity,
      .fixed_numbers = old.fixed_numbers,
      .fixed_numbers_capacity = old.fixed_numbers_capacity,
      .numbers = old.numbers,
      .numbers_capacity = old.numbers_capacity,
  };
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg) {
    dependences->saved[reg].granules = old.saved[reg].granules;
    dependences->saved[reg].granules.count = 0;
  }
  const size_t *first = dependences->layout.first;
  int32_t num_banks = target->derived.numBanks;
  xc_stretches_begin(&dependences->words, first[num_banks]);
  for (int32_t b = 0; b < num_banks; ++b) {
    xc_start_stretch(&dependences->words, first[b], 1);
    dependences->words.units[first[b]] = (xc_last_accesses){0};
  }
}

void xc_dependences_save(xc_dependences *dependences, uint32_t reg,
                         uint64_t begin, uint64_t end) {
  xc_saved_bytes *saved = &dependences->saved[reg];
  bool is_first = saved->begin == saved->end;
  saved->begin = is_first || begin < saved->begin ? begin : saved->begin;
  saved->end = is_first || end > saved->end ? end : saved->end;
}

void xc_dependences_end(xc_dependences *dependences) {
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    xc_stretches_end(&dependences->saved[reg].granules);
  xc_stretches_end(&dependences->words);
  free(dependences->items);
  free(dependences->fixed_numbers);
  free(dependences->numbers);
}

void xc_fixed_needs_free(xc_fixed_needs *fixed) {
  free(fixed->items);
  *fixed = (xc_fixed_needs){0};
}

/// Notes that the next instruction needs the accessor. No accessor compares
/// lower than any of its queue.
static void need(xc_dependences *dependences, xc_accessor accessor) {
  xc_accessor *latest = &dependences->latest[queue_of(accessor)];
  if (accessor > *latest)
    *latest = accessor;
}

/// Does the same for a reader. Words of one window have the same reader one
/// after the other, which is found once.
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

static void need_all(xc_dependences *dependences, const xc_last_accesses *at) {
  need(dependences, at->writer);
  for (unsigned reader = 0; reader < XC_DPU_NUM_QUEUES - 1; ++reader)
    if (at->readers[reader])
      need_reader(dependences, at->readers[reader]);
}

/// Reads units whose accesses are stored.
static void read_stored(xc_dependences *dependences, xc_last_accesses *at,
                        size_t count, xc_accessor self, unsigned reader) {
  for (const xc_last_accesses *end = at + count; at < end; ++at) {
    need(dependences, at->writer);
    at->readers[reader] = self;
  }
}

/// Reads each stretch of units begin..end-1. The bits of many stretches are
/// looked at together, as finding one start from the one before takes longer
/// than the rest.
static void read_units(xc_dependences *dependences, xc_stretches *s,
                       size_t begin, size_t end, xc_accessor self,
                       unsigned reader) {
  xc_split(s, begin);
  xc_split(s, end);
  while (begin < end) {
    size_t last = xc_last_beside(begin, end);
    size_t base = begin / XC_STRETCH_BITS * XC_STRETCH_BITS;
    uint64_t bits =
        s->starts[begin / XC_STRETCH_BITS] & xc_bits_between(begin, last);
    for (; bits; bits &= bits - 1) {
      size_t at = base + (size_t)__builtin_ctzll(bits);
      read_stored(dependences, &s->units[at], xc_num_stored(s, at), self,
                  reader);
    }
    begin = last + 1;
  }
}

static void write_units(xc_dependences *dependences, xc_stretches *s,
                        size_t begin, size_t end, xc_accessor self) {
  xc_split(s, begin);
  xc_split(s, end);
  for (size_t from = begin; from < end;) {
    size_t last = xc_last_beside(from, end);
    size_t base = from / XC_STRETCH_BITS * XC_STRETCH_BITS;
    uint64_t bits =
        s->starts[from / XC_STRETCH_BITS] & xc_bits_between(from, last);
    for (; bits; bits &= bits - 1) {
      size_t at = base + (size_t)__builtin_ctzll(bits);
      for (size_t i = xc_num_stored(s, at); i-- > 0;)
        need_all(dependences, &s->units[at + i]);
    }
    from = last + 1;
  }
  xc_merge(s, begin, end);
  xc_start_stretch(s, begin, 1);
  s->units[begin] = (xc_last_accesses){.writer = self};
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

static void access_stretch(xc_dependences *dependences, size_t begin,
                           size_t end, xc_accessor self, bool is_write) {
  if (is_write)
    write_units(dependences, &dependences->words, begin, end, self);
  else
    read_units(dependences, &dependences->words, begin, end, self,
               queue_of(self) - 1);
}

/// Accesses `count` words of a bank from `begin` on; addresses wrap.
static void access_words(xc_dependences *dependences, uint32_t bank,
                         uint32_t begin, uint64_t count, xc_accessor self,
                         bool is_write) {
  uint32_t depth = dependences->layout.depth[bank];
  size_t first = dependences->layout.first[bank];
  size_t end = begin + (size_t)(count < depth ? count : depth);
  size_t beyond = end > depth ? end - depth : 0;
  if (beyond)
    access_stretch(dependences, first, first + beyond, self, is_write);
  access_stretch(dependences, first + begin, first + end - beyond, self,
                 is_write);
}

/// Words that are a distance apart, in one bank and without a wrap.
typedef struct spaced_words {
  size_t begin;
  size_t words, step; // words that follow each other, fewer than a step
  size_t count;       // steps
} spaced_words;

/// Accesses the words of the stretch begin..end-1, whose period their step
/// divides.
static void access_spaced(xc_dependences *dependences, const spaced_words *run,
                          size_t begin, size_t end, xc_accessor self,
                          bool is_write) {
  xc_stretches *s = &dependences->words;
  size_t stored = begin + xc_divide_period(s, begin, end, run->step);
  for (size_t at = run->begin; at < stored; at += run->step)
    for (size_t i = at; i < at + run->words; ++i) {
      if (is_write) {
        need_all(dependences, &s->units[i]);
        s->units[i] = (xc_last_accesses){.writer = self};
      } else {
        read_stored(dependences, &s->units[i], 1, self, queue_of(self) - 1);
      }
    }
}

/// Accesses words stretch by stretch. What is accessed of a stretch becomes one
/// by itself, of which no other words are at the distances of the step.
static void access_pixels(xc_dependences *dependences, spaced_words run,
                          xc_accessor self, bool is_write) {
  xc_stretches *s = &dependences->words;
  while (run.count > 0) {
    size_t begin = xc_start_of(s, run.begin), end = xc_end_of(s, run.begin);
    spaced_words now = run;
    now.count = run.begin + run.words < end
                    ? (end - run.begin - run.words) / run.step + 1
                    : 1;
    now.count = now.count < run.count ? now.count : run.count;
    run.begin += now.count * run.step;
    run.count -= now.count;
    if (now.count == 1) {
      access_stretch(dependences, now.begin, now.begin + now.words, self,
                     is_write);
      continue;
    }
    if (now.begin + now.words > begin + now.step) {
      xc_split(s, now.begin);
      begin = now.begin;
    }
    if (run.begin < end) {
      xc_split(s, run.begin);
      end = run.begin;
    }
    access_spaced(dependences, &now, begin, end, self, is_write);
  }
}

static void access_run(xc_dependences *dependences, const xc_run *run,
                       xc_accessor self, bool is_write) {
  if (run->count == 0 || run->words == 0)
    return;
  uint32_t depth = dependences->layout.depth[run->bank];
  uint32_t begin = (uint32_t)(run->address % depth), step = run->step % depth;
  if (step <= run->words) {
    access_words(dependences, run->bank, begin,
                 (uint64_t)(run->count - 1) * step + run->words, self,
                 is_write);
    return;
  }
  uint32_t left = run->count < depth ? run->count : depth;
  while (left > 0) {
    bool wraps = begin + run->words > depth;
    uint32_t fit = wraps ? 1 : (depth - run->words - begin) / step + 1;
    fit = fit < left ? fit : left;
    if (fit == 1)
      access_words(dependences, run->bank, begin, run->words, self, is_write);
    else
      access_pixels(dependences,
                    (spaced_words){dependences->layout.first[run->bank] + begin,
                                   run->words, step, fit},
                    self, is_write);
    left -= fit;
    begin += fit * step;
    begin -= begin >= depth ? depth : 0;
  }
}

/// A CONV reads the same words of all weight banks, so it waits for the last
/// LOAD to any of them. The first LOAD to a word of any of them waits for all
/// earlier reads, and so do the LOADs behind it in its queue. All weight banks
/// are therefore treated as one: the first of them.
static bool is_weights(const xc_dependences *dependences, uint32_t bank) {
  const XcDpuBanks *weights = &dependences->target->weights;
  return weights->firstBank >= 0 &&
         bank - (uint32_t)weights->firstBank < (uint32_t)weights->numBanks;
}

static void read_run(void *context, const xc_run *run) {
  xc_dependences *dependences = context;
  xc_accessor self = dependences->self;
  if (run->role == XC_ROLE_WEIGHTS && run->part > 0)
    return;
  if (run->role == XC_ROLE_INPUT && dependences->window_reader) {
    if (dependences->is_known)
      return;
    self |= stands_for_last;
  }
  access_run(dependences, run, self, false);
}

static void write_run(void *context, const xc_run *run) {
  xc_dependences *dependences = context;
  if (!is_weights(dependences, run->bank)) {
    access_run(dependences, run, dependences->self, true);
    return;
  }
  xc_run first = *run;
  first.bank = (uint32_t)dependences->target->weights.firstBank;
  access_run(dependences, &first, dependences->self, true);
}

//===----------------------------------------------------------------------===//
// DDR
//===----------------------------------------------------------------------===//

/// Only LOADs read DDR, so one slot for readers is enough.
enum { DDR_READER };

/// Accesses bytes begin..end-1 of a register. Bytes outside the range that is
/// ever saved are ignored.
static void access_bytes(xc_dependences *dependences, xc_saved_bytes *saved,
                         uint64_t begin, uint64_t end, bool is_save) {
  assert((!is_save || (begin >= saved->begin && end <= saved->end)) &&
         "xc_dependences_save was told");
  begin = begin > saved->begin ? begin : saved->begin;
  end = end < saved->end ? end : saved->end;
  if (begin >= end)
    return;
  size_t base = (size_t)(saved->begin / GRANULE_BYTES);
  if (saved->granules.count == 0)
    xc_stretches_begin(&saved->granules,
                       (size_t)((saved->end - 1) / GRANULE_BYTES) + 1 - base);
  size_t first = (size_t)(begin / GRANULE_BYTES) - base;
  size_t beyond = (size_t)((end - 1) / GRANULE_BYTES) + 1 - base;
  if (is_save)
    write_units(dependences, &saved->granules, first, beyond,
                dependences->self);
  else
    read_units(dependences, &saved->granules, first, beyond, dependences->self,
               DDR_READER);
}

static void access_ddr(xc_dependences *dependences, const xc_op *op) {
  xc_ddr_range range;
  if (!xc_op_ddr(dependences->target, op, 0, &range))
    return;
  xc_saved_bytes *saved = &dependences->saved[range.reg];
  bool is_save = op->insn.opcode == XcDpuOpcodeSave;
  if (!is_save && xc_load_is_constant(&op->insn.load))
    return;
  if (range.step < range.channel + GRANULE_BYTES) {
    access_bytes(dependences, saved, range.begin, range.end, is_save);
    return;
  }
  for (uint32_t x = 0; x < range.length; ++x) {
    uint64_t begin = range.begin + (uint64_t)x * range.step;
    access_bytes(dependences, saved, begin, begin + range.channel, is_save);
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

/// CONVs that follow each other may compute groups of output channels from one
/// window, whose words are noted once.
static void see_window(xc_dependences *dependences, const xc_op *op) {
  uint32_t self = (uint32_t)dependences->count;
  if (op->insn.opcode != XcDpuOpcodeConv) {
    dependences->window_reader = 0;
    return;
  }
  dependences->is_known = dependences->window_reader != 0 &&
                          xc_is_same_window(&op->window, &dependences->window);
  if (!dependences->is_known) {
    dependences->window = op->window;
    dependences->window_reader = self;
  }
  dependences->items[dependences->window_reader - 1].last_conv = self;
}

static void access_all(xc_dependences *dependences, const xc_op *op) {
  see_window(dependences, op);
  access_ddr(dependences, op);
  xc_op_reads(dependences->target, op, read_run, dependences);
  xc_op_writes(dependences->target, op, write_run, dependences);
}

//===----------------------------------------------------------------------===//
// Needs that are known
//===----------------------------------------------------------------------===//

static bool is_parameter(const xc_run *run) {
  return run->role == XC_ROLE_WEIGHTS || run->role == XC_ROLE_BIAS;
}

static void read_parameter(void *context, const xc_run *run) {
  if (is_parameter(run))
    read_run(context, run);
}

static void read_other(void *context, const xc_run *run) {
  if (!is_parameter(run))
    read_run(context, run);
}

/// Whether an instruction is no LOAD of parameters, but accesses something.
static bool has_fixed_needs(const xc_dependences *dependences,
                            const xc_op *op) {
  const XcDpuBanks *image = &dependences->target->image;
  if (op->insn.opcode != XcDpuOpcodeLoad)
    return op->kind->reads || op->kind->writes;
  return !xc_load_is_broadcast(dependences->target, &op->insn.load) &&
         op->insn.load.bank_id - (uint32_t)image->firstBank <
             (uint32_t)(image->numGroups * image->numBanks);
}

static void add_number(uint32_t **numbers, size_t *capacity, size_t at,
                       uint32_t number) {
  void *array = *numbers;
  xc_grow(&array, capacity, at + 1, sizeof **numbers);
  *numbers = array;
  (*numbers)[at] = number;
}

static void recall_needs(xc_dependences *dependences) {
  assert(dependences->num_fixed <= dependences->fixed->count &&
         "only LOADs of parameters change");
  const uint32_t *needs = dependences->fixed->items[dependences->num_fixed - 1];
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    if (needs[q])
      need(dependences, accessor_of(dependences->numbers[needs[q] - 1], q));
}

static void note_needs(xc_dependences *dependences) {
  xc_fixed_needs *fixed = dependences->fixed;
  void *items = fixed->items;
  xc_grow(&items, &fixed->capacity, fixed->count + 1, sizeof *fixed->items);
  fixed->items = items;
  uint32_t *needs = fixed->items[fixed->count++];
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    uint32_t number = number_of(dependences->latest[q]);
    needs[q] = number ? dependences->fixed_numbers[number - 1] : 0;
  }
}

/// Accesses data that is no parameter first, so that its needs can be told from
/// those of parameters.
static void access_apart(xc_dependences *dependences, const xc_op *op) {
  bool is_fixed = has_fixed_needs(dependences, op);
  uint32_t number = (uint32_t)dependences->count;
  dependences->num_fixed += is_fixed;
  add_number(&dependences->fixed_numbers, &dependences->fixed_numbers_capacity,
             number - 1, is_fixed ? (uint32_t)dependences->num_fixed : 0);
  if (!is_fixed) {
    access_all(dependences, op);
    return;
  }
  add_number(&dependences->numbers, &dependences->numbers_capacity,
             dependences->num_fixed - 1, number);
  if (dependences->fixed->is_complete) {
    recall_needs(dependences);
  } else {
    see_window(dependences, op);
    access_ddr(dependences, op);
    xc_op_reads(dependences->target, op, read_other, dependences);
    xc_op_writes(dependences->target, op, write_run, dependences);
    note_needs(dependences);
  }
  xc_op_reads(dependences->target, op, read_parameter, dependences);
}

void xc_dependences_add(xc_dependences *dependences, const xc_op *op,
                        XcDpuQueue queue) {
  add_instruction(dependences, queue);
  if (dependences->fixed)
    access_apart(dependences, op);
  else
    access_all(dependences, op);
  uint32_t *needs = dependences->items[dependences->count - 1].needs;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    needs[q] = number_of(dependences->latest[q]);
}
