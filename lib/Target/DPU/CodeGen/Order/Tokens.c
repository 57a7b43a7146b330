//===- Tokens.c - tokens from dependences ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dependences of an instruction follow from what it touches
// (Dependences.h). It waits for the latest instruction of each queue that it
// depends on, unless its own queue has waited for that already, directly or by
// way of a third queue.
//
// A channel leads from one queue to another and counts tokens. The instructions
// that a queue waits for on a channel only move forward, and each instruction
// posts at most once, so the k-th wait meets the k-th post.
//
//===----------------------------------------------------------------------===//

#include "Tokens.h"

#include "Support/Memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Instructions of each queue, counted from 1, that are known to have ended.
typedef struct token_clock {
  uint32_t ended[XC_DPU_NUM_QUEUES];
} token_clock;

typedef struct token_state {
  xc_code *code;
  uint32_t *positions; // of each instruction in its queue, from 1
  uint8_t *queues;
  uint8_t *on, *by;
  token_clock *ends; // what is known once an instruction has ended
  token_clock clocks[XC_DPU_NUM_QUEUES];
} token_state;

static void join(token_clock *into, const token_clock *other) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    if (other->ended[q] > into->ended[q])
      into->ended[q] = other->ended[q];
}

/// Turns the needs of an instruction into tokens, the latest first, as that one
/// may have waited for the others.
static void wait_for_needs(token_state *state, size_t index,
                           const uint32_t *needs) {
  unsigned queue = state->queues[index];
  token_clock *clock = &state->clocks[queue];
  for (;;) {
    unsigned from = XC_DPU_NUM_QUEUES;
    uint32_t latest = 0;
    for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
      if (q != queue && needs[q] > latest &&
          state->positions[needs[q] - 1] > clock->ended[q]) {
        from = q;
        latest = needs[q];
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

static XcDpuInstruction decode(const xc_code *code, size_t index) {
  XcDpuInstruction insn;
  const uint32_t *words = code->words + code->offsets[index];
  size_t left = code->num_words - code->offsets[index];
  XcDpuResult result = xcDpuDecode(code->machine->isa, words, left, &insn);
  assert(result.status == XcDpuStatusOk && "what was encoded can be decoded");
  (void)result;
  return insn;
}

static void set_port(xc_code *code, size_t index, uint32_t port) {
  XcDpuInstruction insn = decode(code, index);
  insn.save.hp_id = port;
  XcDpuResult result = xcDpuEncode(code->machine->isa, &insn,
                                   code->words + code->offsets[index]);
  assert(result.status == XcDpuStatusOk && "a port fits its field");
  (void)result;
}

static bool is_pair(const xc_code *code, size_t first, size_t second) {
  const xc_provenance *a = &code->provenances[first];
  const xc_provenance *b = &code->provenances[second];
  if (memcmp(a, b, sizeof *a) != 0)
    return false;
  XcDpuInstruction one = decode(code, first), other = decode(code, second);
  return xc_can_pair_saves(&one.save, &other.save);
}

/// Sets the tokens of each queue to itself. Instructions run one at a time, but
/// SAVEs in pairs: the first takes the queue's own token, and the second
/// returns it.
static void set_own_tokens(token_state *state) {
  for (size_t i = 0; i < state->code->count; ++i) {
    uint8_t own = (uint8_t)(1u << state->queues[i]);
    state->on[i] |= own;
    state->by[i] |= own;
  }
}

static void pair_saves(token_state *state) {
  uint8_t own = 1u << XcDpuQueueSave;
  size_t first = SIZE_MAX;
  for (size_t i = 0; i < state->code->count; ++i) {
    if (xc_code_opcode(state->code, i) != XcDpuOpcodeSave)
      continue;
    if (first == SIZE_MAX || !is_pair(state->code, first, i)) {
      first = i;
      continue;
    }
    set_port(state->code, i, 1);
    state->by[first] &= (uint8_t)~own;
    state->on[i] &= (uint8_t)~own;
    first = SIZE_MAX;
  }
}

/// Lets END follow the last SAVE, from which it takes a token.
static void end_after_last(token_state *state) {
  const uint8_t own = 1u << XcDpuQueueSave;
  size_t last = state->code->count - 1;
  for (size_t i = last; i-- > 0;)
    if (state->queues[i] == XcDpuQueueSave) {
      state->by[i] |= own;
      state->on[last] |= own;
      return;
    }
}

void xc_assign_tokens(xc_code *code, const xc_dependence *dependences) {
  size_t count = code->count;
  token_state state = {
      .code = code,
      .positions = xc_alloc_array(count, sizeof *state.positions),
      .queues = xc_alloc_array(count, sizeof *state.queues),
      .on = xc_alloc_array(count, sizeof *state.on),
      .by = xc_alloc_array(count, sizeof *state.by),
      .ends = xc_alloc_array(count, sizeof *state.ends),
  };
  uint32_t positions[XC_DPU_NUM_QUEUES] = {0};
  for (size_t i = 0; i < count; ++i) {
    state.queues[i] = (uint8_t)xc_code_queue(code, i);
    state.positions[i] = ++positions[state.queues[i]];
  }
  if (code->machine->takes_self_tokens)
    set_own_tokens(&state);
  else
    end_after_last(&state);
  if (code->target->savePorts > 1)
    pair_saves(&state);
  for (size_t i = 0; i < count; ++i)
    wait_for_needs(&state, i, dependences[i].needs);
  for (size_t i = 0; i < count; ++i)
    xc_code_set_tokens(code, i, state.on[i], state.by[i]);
  free(state.positions);
  free(state.queues);
  free(state.on);
  free(state.by);
  free(state.ends);
}
