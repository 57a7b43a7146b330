//===- Order.c - happens-before order of tokens ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Order.h"

#include "Support/Memory.h"

#include <stdlib.h>
#include <string.h>

/// Posts of one channel in order: the instructions that posted.
typedef struct token_channel {
  uint32_t *posters;
  size_t posted, taken, capacity;
  size_t initial; // tokens at the start, served first
} token_channel;

typedef struct queue_state {
  uint32_t *indices;
  size_t count, done;
  /// Of the instructions before: their start, and the end of all of them.
  xc_clock started, retired;
} queue_state;

typedef struct token_run {
  const XcDpuProgram *program;
  xc_order *order;
  queue_state queues[XC_DPU_NUM_QUEUES];
  token_channel channels[XC_DPU_NUM_QUEUES][XC_DPU_NUM_QUEUES];
  /// When an instruction's tokens are posted.
  xc_clock *posts;
  xc_clock ended[XC_NUM_LANES]; // of the last instruction of each lane
} token_run;

static void join(xc_clock *into, const xc_clock *other) {
  for (int l = 0; l < XC_NUM_LANES; ++l)
    if (other->lanes[l] > into->lanes[l])
      into->lanes[l] = other->lanes[l];
}

static bool has_token(const token_channel *channel) {
  return channel->taken < channel->posted + channel->initial;
}

static int missing_token(const token_run *run, unsigned q, unsigned on) {
  for (unsigned from = 0; from < XC_DPU_NUM_QUEUES; ++from)
    if ((on >> from & 1) && !has_token(&run->channels[from][q]))
      return (int)from;
  return -1;
}

static void take_token(token_run *run, token_channel *channel,
                       xc_clock *start) {
  size_t k = channel->taken++;
  if (k >= channel->initial)
    join(start, &run->posts[channel->posters[k - channel->initial]]);
}

static void post_token(token_channel *channel, uint32_t index) {
  void *posters = channel->posters;
  xc_grow(&posters, &channel->capacity, channel->posted + 1,
          sizeof *channel->posters);
  channel->posters = posters;
  channel->posters[channel->posted++] = index;
}

static bool start_next(token_run *run, unsigned q) {
  queue_state *queue = &run->queues[q];
  if (queue->done == queue->count)
    return false;
  uint32_t index = queue->indices[queue->done];
  unsigned on = xc_program_waits(run->program, index),
           by = xc_program_posts(run->program, index);
  if (missing_token(run, q, on) >= 0)
    return false;
  ++queue->done;
  xc_order *order = run->order;
  unsigned lane = order->lanes[index];
  xc_clock *start = &order->starts[index];
  *start = queue->started;
  join(start, &run->ended[lane]);
  for (unsigned from = 0; from < XC_DPU_NUM_QUEUES; ++from)
    if (on >> from & 1)
      take_token(run, &run->channels[from][q], start);
  queue->started = *start;
  run->ended[lane] = *start;
  run->ended[lane].lanes[lane] = order->numbers[index];
  join(&queue->retired, &run->ended[lane]);
  run->posts[index] = queue->retired;
  for (unsigned to = 0; to < XC_DPU_NUM_QUEUES; ++to)
    if (by >> to & 1)
      post_token(&run->channels[q][to], index);
  order->is_started[index] = true;
  return true;
}

static void fill(token_run *run) {
  const XcDpuProgram *program = run->program;
  xc_order *order = run->order;
  uint32_t numbers[XC_NUM_LANES] = {0};
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    run->queues[q].indices = xc_alloc_array(program->count, sizeof(uint32_t));
    run->channels[q][q].initial = (size_t)program->target->selfTokens;
  }
  for (size_t i = 0; i < program->count; ++i) {
    XcDpuInstruction insn;
    xcDpuProgramGetInstruction(program, i, &insn);
    queue_state *queue = &run->queues[xcDpuProgramGetQueue(program, i)];
    queue->indices[queue->count++] = (uint32_t)i;
    order->lanes[i] = (uint8_t)xc_machine_lane(program->machine, &insn);
    order->numbers[i] = ++numbers[order->lanes[i]];
  }
}

/// Whether some instruction that has not started posts from -> to.
static bool will_post(const token_run *run, unsigned from, unsigned to) {
  const queue_state *queue = &run->queues[from];
  for (size_t i = queue->done; i < queue->count; ++i)
    if (xc_program_posts(run->program, queue->indices[i]) >> to & 1)
      return true;
  return false;
}

static void conclude(token_run *run) {
  xc_order *order = run->order;
  order->all_started = true;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    const queue_state *queue = &run->queues[q];
    order->stuck[q] = SIZE_MAX;
    if (queue->done < queue->count) {
      uint32_t index = queue->indices[queue->done];
      unsigned from = (unsigned)missing_token(
          run, q, xc_program_waits(run->program, index));
      order->all_started = false;
      order->stuck[q] = index;
      order->stuck_on[q] = from;
      order->is_underflow[q] = !will_post(run, from, q);
    }
    for (unsigned to = 0; to < XC_DPU_NUM_QUEUES; ++to) {
      const token_channel *channel = &run->channels[q][to];
      order->leftover[q][to] =
          (int64_t)channel->posted - (int64_t)channel->taken;
    }
  }
}

void xc_order_init(xc_order *order, const XcDpuProgram *program) {
  size_t count = program->count;
  *order = (xc_order){
      .count = count,
      .lanes = xc_alloc_array(count, sizeof *order->lanes),
      .numbers = xc_alloc_array(count, sizeof *order->numbers),
      .starts = xc_alloc_array(count, sizeof *order->starts),
      .is_started = xc_alloc_array(count, sizeof *order->is_started),
  };
  token_run run = {.program = program, .order = order};
  run.posts = xc_alloc_array(count, sizeof *run.posts);
  fill(&run);
  for (bool again = true; again;) {
    again = false;
    for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
      while (start_next(&run, q))
        again = true;
  }
  conclude(&run);
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    free(run.queues[q].indices);
    for (unsigned to = 0; to < XC_DPU_NUM_QUEUES; ++to)
      free(run.channels[q][to].posters);
  }
  free(run.posts);
}

void xc_order_free(xc_order *order) {
  free(order->lanes);
  free(order->numbers);
  free(order->starts);
  free(order->is_started);
}
