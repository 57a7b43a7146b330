//===- Events.c - what happens when, of one core --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A simulation of events. Every lane runs one instruction at a time: first
// its fixed cycles, then its bytes, at a rate that depends on who else moves
// bytes. Queues are in order: instructions start in order, when their lane is
// free and their tokens are there, and post their tokens in order, when they
// and all before them in the queue have ended.
//
//===----------------------------------------------------------------------===//

#include "Events.h"

#include "Support/Memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Differences of time below this are rounding.
static const double tiny = 1e-9;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// Returns the first queue whose token is missing, or -1.
static int missing_token(const xc_timing_run *run, unsigned q, unsigned on) {
  for (int from = 0; from < XC_DPU_NUM_QUEUES; ++from)
    if ((on >> from & 1) && run->tokens[from][q] == 0)
      return from;
  return -1;
}

/// Posts what ended, in order.
static void retire(xc_timing_run *run) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    xc_queue *queue = &run->queues[q];
    while (queue->retired < queue->started &&
           run->ended[queue->indices[queue->retired]]) {
      unsigned by =
          xc_program_posts(run->program, queue->indices[queue->retired++]);
      for (unsigned to = 0; to < XC_DPU_NUM_QUEUES; ++to)
        run->tokens[q][to] += by >> to & 1;
    }
  }
}

//===----------------------------------------------------------------------===//
// Starting
//===----------------------------------------------------------------------===//

static bool start_next(xc_timing_run *run, unsigned q) {
  xc_queue *queue = &run->queues[q];
  if (queue->started == queue->count)
    return false;
  uint32_t index = queue->indices[queue->started];
  unsigned on = xc_program_waits(run->program, index);
  if (missing_token(run, q, on) >= 0)
    return false;
  xc_op op = {0};
  xc_program_get_op(run->program, index, &op);
  xc_lane *lane = &run->lanes[xc_machine_lane(run->program->machine, &op.insn)];
  if (lane->busy)
    return false;
  for (unsigned from = 0; from < XC_DPU_NUM_QUEUES; ++from)
    run->tokens[from][q] -= on >> from & 1;
  xc_cost cost = xc_op_cost(run->program->target, &op);
  lane->busy = true;
  lane->index = index;
  lane->fixed = cost.fixed;
  lane->bytes = (double)cost.bytes;
  lane->max_rate = cost.max_rate;
  lane->is_apart = cost.is_apart;
  run->timeline->starts[index] = run->now;
  run->timeline->total.queues[q].latency += cost.bytes ? cost.fixed : 0;
  ++queue->started;
  return true;
}

void xc_timing_start(xc_timing_run *run) {
  for (bool again = true; again;) {
    again = false;
    for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
      again |= start_next(run, q);
  }
}

//===----------------------------------------------------------------------===//
// Letting time pass
//===----------------------------------------------------------------------===//

static bool is_moving(const xc_lane *lane) {
  return lane->busy && lane->fixed <= 0 && lane->bytes > 0;
}

double xc_timing_demand(const xc_timing_run *run) {
  double sum = 0;
  for (int l = 0; l < XC_NUM_LANES; ++l)
    if (is_moving(&run->lanes[l]) && !run->lanes[l].is_apart)
      sum += run->lanes[l].max_rate;
  return sum;
}

void xc_timing_share(xc_timing_run *run, double bandwidth) {
  double left = bandwidth;
  unsigned waiting = 0;
  for (int l = 0; l < XC_NUM_LANES; ++l) {
    xc_lane *lane = &run->lanes[l];
    lane->rate = lane->is_apart ? lane->max_rate : 0;
    waiting += is_moving(lane) && !lane->is_apart;
  }
  for (bool again = waiting > 0; again && waiting > 0;) {
    again = false;
    double share = left / waiting;
    for (int l = 0; l < XC_NUM_LANES; ++l) {
      xc_lane *lane = &run->lanes[l];
      if (!is_moving(lane) || lane->rate > 0 || lane->max_rate > share)
        continue;
      lane->rate = lane->max_rate;
      left -= lane->rate;
      --waiting;
      again = true;
    }
  }
  for (int l = 0; l < XC_NUM_LANES; ++l)
    if (is_moving(&run->lanes[l]) && run->lanes[l].rate <= 0)
      run->lanes[l].rate = left / waiting;
}

double xc_timing_next(const xc_timing_run *run) {
  double step = INFINITY;
  for (int l = 0; l < XC_NUM_LANES; ++l) {
    const xc_lane *lane = &run->lanes[l];
    if (!lane->busy)
      continue;
    double left = lane->fixed > 0   ? lane->fixed
                  : lane->bytes > 0 ? lane->bytes / lane->rate
                                    : 0;
    step = left < step ? left : step;
  }
  return step;
}

static void advance_lane(xc_timing_run *run, xc_lane *lane, double step) {
  if (lane->fixed > 0) {
    lane->fixed -= step;
    if (lane->fixed < tiny)
      lane->fixed = 0;
  } else if (lane->bytes > 0) {
    lane->bytes -= step * lane->rate;
    if (lane->bytes < tiny * 64)
      lane->bytes = 0;
  }
  if (lane->fixed <= 0 && lane->bytes <= 0) {
    lane->busy = false;
    run->ended[lane->index] = true;
    run->timeline->ends[lane->index] = run->now;
  }
}

static bool queue_is_busy(const xc_timing_run *run, unsigned q) {
  if (q != XcDpuQueueSave)
    return run
        ->lanes[q == XcDpuQueueLoad   ? XC_LANE_LOAD
                : q == XcDpuQueueConv ? XC_LANE_CONV
                                      : XC_LANE_MISC]
        .busy;
  for (int l = XC_LANE_SAVE; l < XC_NUM_LANES; ++l)
    if (run->lanes[l].busy)
      return true;
  return false;
}

/// Cycles in which the next instruction of a queue waits count for its layer,
/// too.
static void account_stall(xc_timing_run *run, unsigned q, double step) {
  XcDpuTimeline *timeline = run->timeline;
  const xc_queue *queue = &run->queues[q];
  uint32_t index = queue->indices[queue->started];
  int from = missing_token(run, q, xc_program_waits(run->program, index));
  assert(from >= 0 && "an idle queue waits for a token");
  timeline->total.queues[q].stall[from] += step;
  size_t layer = xcDpuProgramGetLayerOf(run->program, index);
  if (layer != SIZE_MAX)
    timeline->layers[layer].queues[q].stall[from] += step;
}

/// Books the time that passes under what each queue does or waits for.
static void account(xc_timing_run *run, double step) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    XcDpuQueueTime *time = &run->timeline->total.queues[q];
    const xc_queue *queue = &run->queues[q];
    if (queue_is_busy(run, q)) {
      time->busy += step;
    } else if (queue->started == queue->count) {
      time->finished += step;
    } else {
      account_stall(run, q, step);
    }
  }
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

void xc_timing_begin(xc_timing_run *run, const XcDpuProgram *program,
                     XcDpuTimeline *timeline) {
  *run = (xc_timing_run){.program = program, .timeline = timeline};
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    run->queues[q].indices = xc_alloc_array(program->count, sizeof(uint32_t));
    run->tokens[q][q] = program->target->selfTokens;
  }
  for (size_t i = 0; i < program->count; ++i) {
    xc_queue *queue = &run->queues[xcDpuProgramGetQueue(program, i)];
    queue->indices[queue->count++] = (uint32_t)i;
  }
  run->ended = xc_alloc_array(program->count, sizeof *run->ended);
}

bool xc_timing_is_idle(const xc_timing_run *run) {
  for (int l = 0; l < XC_NUM_LANES; ++l)
    if (run->lanes[l].busy)
      return false;
  return true;
}

bool xc_timing_has_ended(const xc_timing_run *run, XcDiag *diag) {
  static const char *const names[] = {"LOAD", "SAVE", "CONV", "MISC"};
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    const xc_queue *queue = &run->queues[q];
    if (queue->started == queue->count)
      continue;
    uint32_t index = queue->indices[queue->started];
    unsigned on = xc_program_waits(run->program, index);
    int from = missing_token(run, q, on);
    assert(from >= 0 && "an idle queue waits for a token");
    char why[160];
    snprintf(why, sizeof why,
             "waits for ever for a token of queue %s (--strict tells why): no "
             "timing is possible",
             names[from]);
    return xc_program_error(diag, run->program, index, why);
  }
  return true;
}

void xc_timing_pass(xc_timing_run *run, double step) {
  account(run, step);
  run->now += step;
  for (int l = 0; l < XC_NUM_LANES; ++l)
    if (run->lanes[l].busy)
      advance_lane(run, &run->lanes[l], step);
  retire(run);
}

void xc_timing_restart(xc_timing_run *run) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    run->queues[q].started = run->queues[q].retired = 0;
  memset(run->tokens, 0, sizeof run->tokens);
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    run->tokens[q][q] = run->program->target->selfTokens;
  memset(run->ended, 0, run->program->count * sizeof *run->ended);
}

void xc_timing_end(xc_timing_run *run) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    free(run->queues[q].indices);
  free(run->ended);
}
