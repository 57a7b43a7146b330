//===- Tokens.c - what waits for what -------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Program order is what the emitters mean. An instruction must wait for the
// last write of every word that it reads, and for the last write and all reads
// since of every word that it writes, as far as these are in other queues: a
// queue is in order by itself. Of each other queue only the latest of them
// counts, and none if the instructions of this queue have waited for it
// already, directly or by way of a third queue.
//
// Channels count tokens. As what a queue waits for on a channel only moves
// forward, and each instruction posts at most once, the k-th wait meets the
// k-th post.
//
// In DDR the unit is a granule. Two images that interleave in one granule
// cause more waiting than needed, never less.
//
//===----------------------------------------------------------------------===//

#include "Tokens.h"

#include "Support/Memory.h"
#include "Target/DPU/Simulator/Runs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { GRANULE_BYTES = 64, BROADCAST_CONSTANT = 7 };

/// Instructions of each queue, counted from 1, that are known to have ended.
typedef struct token_clock {
  uint32_t ended[XC_DPU_NUM_QUEUES];
} token_clock;

/// The last accesses of a place, as positions in the queues.
typedef struct place {
  uint32_t writer; // index + 1 of an instruction
  uint32_t readers[XC_DPU_NUM_QUEUES];
} place;

typedef struct granule {
  uint32_t saver, loader; // index + 1
} granule;

typedef struct ddr_shadow {
  bool is_saved;
  granule *granules;
  size_t capacity;
} ddr_shadow;

typedef struct token_state {
  xc_code *code;
  const XcDpuTarget *target;
  place *places; // numBanks * depth
  uint32_t depth;
  ddr_shadow ddr[XC_DPU_NUM_REGISTERS];
  uint32_t *positions; // of each instruction in its queue, from 1
  uint8_t *queues;
  uint8_t *on, *by;
  token_clock *ends; // what is known once an instruction has ended
  token_clock clocks[XC_DPU_NUM_QUEUES];
  // Of the current instruction.
  size_t index;
  uint32_t needs[XC_DPU_NUM_QUEUES]; // index + 1
} token_state;

static void need(token_state *state, uint32_t index) {
  if (index == 0)
    return;
  unsigned queue = state->queues[index - 1];
  if (index > state->needs[queue])
    state->needs[queue] = index;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static place *place_at(const token_state *state, const xc_run *run, uint32_t x,
                       uint32_t w) {
  uint64_t address = run->address + (uint64_t)x * run->step + w;
  return &state->places[(size_t)run->bank * state->depth +
                        address % state->depth];
}

static uint32_t clip(const token_state *state, uint32_t count) {
  return count < state->depth ? count : state->depth;
}

static void read_run(void *context, const xc_run *run) {
  token_state *state = context;
  uint32_t self = (uint32_t)state->index + 1;
  unsigned queue = state->queues[state->index];
  for (uint32_t x = 0; x < clip(state, run->count); ++x)
    for (uint32_t w = 0; w < clip(state, run->words); ++w) {
      place *at = place_at(state, run, x, w);
      need(state, at->writer);
      at->readers[queue] = self;
    }
}

static void write_run(void *context, const xc_run *run) {
  token_state *state = context;
  uint32_t self = (uint32_t)state->index + 1;
  for (uint32_t x = 0; x < clip(state, run->count); ++x)
    for (uint32_t w = 0; w < clip(state, run->words); ++w) {
      place *at = place_at(state, run, x, w);
      need(state, at->writer);
      for (unsigned queue = 0; queue < XC_DPU_NUM_QUEUES; ++queue)
        need(state, at->readers[queue]);
      *at = (place){.writer = self};
    }
}

static void access_bytes(token_state *state, unsigned reg, uint64_t begin,
                         uint64_t end, bool is_save) {
  ddr_shadow *shadow = &state->ddr[reg];
  size_t first = (size_t)(begin / GRANULE_BYTES);
  size_t last = (size_t)((end - 1) / GRANULE_BYTES);
  if (last >= shadow->capacity) {
    size_t old = shadow->capacity;
    void *granules = shadow->granules;
    xc_grow(&granules, &shadow->capacity, last + 1, sizeof(granule));
    shadow->granules = granules;
    memset(shadow->granules + old, 0,
           (shadow->capacity - old) * sizeof(granule));
  }
  uint32_t self = (uint32_t)state->index + 1;
  for (size_t i = first; i <= last; ++i) {
    granule *at = &shadow->granules[i];
    need(state, at->saver);
    if (is_save) {
      need(state, at->loader);
      at->saver = self;
    } else {
      at->loader = self;
    }
  }
}

static void access_ddr(token_state *state, const xc_op *op) {
  xc_ddr_range range;
  if (!xc_op_ddr(op, &range) || !state->ddr[range.reg].is_saved)
    return;
  bool is_save = op->insn.opcode == XcDpuOpcodeSave;
  if (!is_save && op->insn.load.broadcast == BROADCAST_CONSTANT)
    return;
  if (range.step < range.channel + GRANULE_BYTES) {
    access_bytes(state, range.reg, range.begin, range.end, is_save);
    return;
  }
  for (uint32_t x = 0; x < range.length; ++x) {
    uint64_t begin = range.begin + (uint64_t)x * range.step;
    access_bytes(state, range.reg, begin, begin + range.channel, is_save);
  }
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static void join(token_clock *into, const token_clock *other) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    if (other->ended[q] > into->ended[q])
      into->ended[q] = other->ended[q];
}

/// Turns the needs of the current instruction into tokens, the latest first:
/// it may have waited for the others.
static void wait_for_needs(token_state *state) {
  size_t index = state->index;
  unsigned queue = state->queues[index];
  token_clock *clock = &state->clocks[queue];
  for (;;) {
    unsigned from = XC_DPU_NUM_QUEUES;
    uint32_t latest = 0;
    for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
      if (q != queue && state->needs[q] > latest &&
          state->positions[state->needs[q] - 1] > clock->ended[q]) {
        from = q;
        latest = state->needs[q];
      }
    if (from == XC_DPU_NUM_QUEUES)
      break;
    state->by[latest - 1] |= (uint8_t)(1u << queue);
    state->on[index] |= (uint8_t)(1u << from);
    join(clock, &state->ends[latest - 1]);
  }
  state->ends[index] = *clock;
  // The queue is in order, so that all before have ended as well.
  state->ends[index].ended[queue] = state->positions[index];
}

/// One at a time in each queue, but SAVEs in pairs: the first takes the
/// queue's own token, the second returns it.
static void set_own_tokens(token_state *state, const XcDpuProgram *program) {
  for (size_t i = 0; i < program->count; ++i) {
    uint8_t own = (uint8_t)(1u << state->queues[i]);
    state->on[i] |= own;
    state->by[i] |= own;
  }
}

static void set_port(xc_code *code, size_t index, uint32_t port) {
  XcDpuInstruction insn;
  uint32_t *words = code->words + code->offsets[index];
  size_t left = code->num_words - code->offsets[index];
  XcDpuResult result = xcDpuDecode(code->isa, words, left, &insn);
  assert(result.status == XcDpuStatusOk && "what was encoded can be decoded");
  insn.save.hp_id = port;
  result = xcDpuEncode(code->isa, &insn, words);
  assert(result.status == XcDpuStatusOk && "a port fits its field");
  (void)result;
}

static bool is_pair(const xc_code *code, const XcDpuProgram *program,
                    size_t first, size_t second) {
  const xc_provenance *a = &code->provenances[first];
  const xc_provenance *b = &code->provenances[second];
  if (memcmp(a, b, sizeof *a) != 0)
    return false;
  XcDpuInstruction saves[2];
  xcDpuProgramGetInstruction(program, first, &saves[0]);
  xcDpuProgramGetInstruction(program, second, &saves[1]);
  return saves[0].save.bank_id != saves[1].save.bank_id &&
         !saves[0].save.const_en && !saves[1].save.const_en;
}

static void pair_saves(token_state *state, const XcDpuProgram *program) {
  uint8_t own = 1u << XcDpuQueueSave;
  size_t first = SIZE_MAX;
  for (size_t i = 0; i < program->count; ++i) {
    if (xc_code_opcode(state->code, i) != XcDpuOpcodeSave)
      continue;
    if (first == SIZE_MAX || !is_pair(state->code, program, first, i)) {
      first = i;
      continue;
    }
    set_port(state->code, i, 1);
    state->by[first] &= (uint8_t)~own;
    state->on[i] &= (uint8_t)~own;
    first = SIZE_MAX;
  }
}

static void derive(token_state *state, const XcDpuProgram *program) {
  for (size_t i = 0; i < program->count; ++i) {
    xc_op op = {0};
    xc_program_get_op(program, i, &op);
    state->index = i;
    memset(state->needs, 0, sizeof state->needs);
    access_ddr(state, &op);
    xc_op_reads(program->target, &op, read_run, state);
    xc_op_writes(program->target, &op, write_run, state);
    wait_for_needs(state);
  }
}

void xc_assign_tokens(xc_code *code, const XcDpuProgram *program) {
  const XcDpuTarget *target = code->target;
  size_t count = program->count;
  token_state state = {
      .code = code,
      .target = target,
      .depth = (uint32_t)target->image.depth,
      .positions = xc_alloc_array(count, sizeof *state.positions),
      .queues = xc_alloc_array(count, sizeof *state.queues),
      .on = xc_alloc_array(count, sizeof *state.on),
      .by = xc_alloc_array(count, sizeof *state.by),
      .ends = xc_alloc_array(count, sizeof *state.ends),
  };
  state.places = xc_alloc_array((size_t)target->derived.numBanks * state.depth,
                                sizeof *state.places);
  uint32_t positions[XC_DPU_NUM_QUEUES] = {0};
  for (size_t i = 0; i < count; ++i) {
    XcDpuInstruction insn;
    xcDpuProgramGetInstruction(program, i, &insn);
    if (insn.opcode == XcDpuOpcodeSave)
      state.ddr[insn.save.reg_id].is_saved = true;
    state.queues[i] = (uint8_t)xc_code_queue(code, i);
    state.positions[i] = ++positions[state.queues[i]];
  }
  set_own_tokens(&state, program);
  if (target->savePorts > 1)
    pair_saves(&state, program);
  derive(&state, program);
  for (size_t i = 0; i < count; ++i)
    xc_code_set_tokens(code, i, state.on[i], state.by[i]);
  for (unsigned reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    free(state.ddr[reg].granules);
  free(state.places);
  free(state.positions);
  free(state.queues);
  free(state.on);
  free(state.by);
  free(state.ends);
}
