//===- Timeline.c - the timing model --------------------------------------===//
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

#include "Timeline.h"

#include "Support/Memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Differences of time below this are rounding.
static const double tiny = 1e-9;

typedef struct lane_state {
  bool busy;
  uint32_t index;
  double fixed; // cycles left
  double bytes; // left, after the fixed cycles
  double max_rate, rate;
  bool is_apart; // its ports are no data ports
} lane_state;

/// One queue: its instructions, and how far each stage has come.
typedef struct queue_state {
  uint32_t *indices;
  size_t count;
  size_t started;
  size_t retired;
} queue_state;

typedef struct timing_run {
  const XcDpuProgram *program;
  XcDpuTimeline *timeline;
  double now;
  double bandwidth;
  queue_state queues[XC_DPU_NUM_QUEUES];
  lane_state lanes[XC_NUM_LANES];
  bool *ended;
  /// tokens[from][to]
  int64_t tokens[XC_DPU_NUM_QUEUES][XC_DPU_NUM_QUEUES];
} timing_run;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// The first queue whose token is missing, or -1.
static int missing_token(const timing_run *run, unsigned q, unsigned on) {
  for (int from = 0; from < XC_DPU_NUM_QUEUES; ++from)
    if ((on >> from & 1) && run->tokens[from][q] == 0)
      return from;
  return -1;
}

/// Posts what ended, in order.
static void retire(timing_run *run) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    queue_state *queue = &run->queues[q];
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

static bool start_next(timing_run *run, unsigned q) {
  queue_state *queue = &run->queues[q];
  if (queue->started == queue->count)
    return false;
  uint32_t index = queue->indices[queue->started];
  unsigned on = xc_program_waits(run->program, index);
  xc_op op = {0};
  xc_program_get_op(run->program, index, &op);
  lane_state *lane =
      &run->lanes[xc_machine_lane(run->program->machine, &op.insn)];
  if (lane->busy || missing_token(run, q, on) >= 0)
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

static void start_all(timing_run *run) {
  for (bool again = true; again;) {
    again = false;
    for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
      again |= start_next(run, q);
  }
}

//===----------------------------------------------------------------------===//
// Letting time pass
//===----------------------------------------------------------------------===//

static bool is_moving(const lane_state *lane) {
  return lane->busy && lane->fixed <= 0 && lane->bytes > 0;
}

/// Shares the bandwidth equally, but gives none more than it can take.
static void share_bandwidth(timing_run *run) {
  double left = run->bandwidth;
  unsigned waiting = 0;
  for (int l = 0; l < XC_NUM_LANES; ++l) {
    lane_state *lane = &run->lanes[l];
    lane->rate = lane->is_apart ? lane->max_rate : 0;
    waiting += is_moving(lane) && !lane->is_apart;
  }
  for (bool again = waiting > 0; again && waiting > 0;) {
    again = false;
    double share = left / waiting;
    for (int l = 0; l < XC_NUM_LANES; ++l) {
      lane_state *lane = &run->lanes[l];
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

/// Cycles to the next end of a phase; infinite when nothing runs.
static double next_event(const timing_run *run) {
  double step = INFINITY;
  for (int l = 0; l < XC_NUM_LANES; ++l) {
    const lane_state *lane = &run->lanes[l];
    if (!lane->busy)
      continue;
    double left = lane->fixed > 0   ? lane->fixed
                  : lane->bytes > 0 ? lane->bytes / lane->rate
                                    : 0;
    step = left < step ? left : step;
  }
  return step;
}

static void advance_lane(timing_run *run, lane_state *lane, double step) {
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

static bool queue_is_busy(const timing_run *run, unsigned q) {
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
static void account_stall(timing_run *run, unsigned q, double step) {
  XcDpuTimeline *timeline = run->timeline;
  const queue_state *queue = &run->queues[q];
  uint32_t index = queue->indices[queue->started];
  int from = missing_token(run, q, xc_program_waits(run->program, index));
  assert(from >= 0 && "an idle queue waits for a token");
  timeline->total.queues[q].stall[from] += step;
  size_t layer = xcDpuProgramGetLayerOf(run->program, index);
  if (layer != SIZE_MAX)
    timeline->layers[layer].queues[q].stall[from] += step;
}

/// Books the time that passes under what each queue does or waits for.
static void account(timing_run *run, double step) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    XcDpuQueueTime *time = &run->timeline->total.queues[q];
    const queue_state *queue = &run->queues[q];
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
// Results
//===----------------------------------------------------------------------===//

static void add_queue_work(timing_run *run, XcDpuTime *time, const xc_op *op,
                           unsigned q) {
  const XcDpuTimeline *timeline = run->timeline;
  XcDpuQueueTime *queue = &time->queues[q];
  ++queue->numInstructions;
  // The queues of the whole program have been booked while it ran.
  double duration = timeline->ends[op->index] - timeline->starts[op->index];
  if (time != &run->timeline->total)
    queue->busy += duration;
  if (q == XcDpuQueueConv)
    time->bounds.conv += duration;
  if (q == XcDpuQueueMisc)
    time->bounds.misc += duration;
  xc_cost cost = xc_op_cost(run->program->target, op);
  if (q == XcDpuQueueLoad)
    time->loadBytes += cost.traffic;
  if (q == XcDpuQueueSave)
    time->saveBytes += cost.traffic;
  if (cost.is_apart) {
    time->parameterBytes += cost.traffic;
    time->parameterCycles += (double)cost.bytes / cost.max_rate;
  }
  time->issuedMacs += xc_op_macs(run->program->target, op);
}

/// Cycles that the data ports take for these bytes.
static double data_cycles(const timing_run *run, double load, double save) {
  const XcDpuTarget *target = run->program->target;
  double saves = (double)target->timing.saveBytesPerCycle * target->savePorts;
  double alone = fmax(load / target->timing.loadBytesPerCycle, save / saves);
  return fmax(alone, (load + save) / run->bandwidth);
}

static double compulsory_cycles(const timing_run *run) {
  const XcDpuTarget *target = run->program->target;
  xc_compulsory bytes = xc_program_compulsory(run->program);
  double cycles = data_cycles(run, (double)bytes.inputs, (double)bytes.outputs);
  for (uint32_t reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    if (bytes.parameters[reg])
      cycles = fmax(cycles, (double)bytes.parameters[reg] /
                                target->timing.weightsBytesPerCycle);
  return cycles;
}

static void finish_time(const timing_run *run, XcDpuTime *time,
                        double compulsory) {
  double peak = (double)run->program->target->derived.peakMacsPerCycle;
  time->bounds.macs = (double)time->macs / peak;
  time->bounds.ddr =
      fmax(time->parameterCycles,
           data_cycles(run, (double)(time->loadBytes - time->parameterBytes),
                       (double)time->saveBytes));
  time->bounds.compulsory = compulsory;
  time->bounds.roofline = fmax(time->bounds.macs, time->bounds.compulsory);
  double busy = fmax(time->cycles, fmax(time->bounds.conv, time->bounds.misc));
  time->utilisation = busy > 0 ? (double)time->macs / (busy * peak) : 0;
}

static void summarise(timing_run *run) {
  const XcDpuProgram *program = run->program;
  XcDpuTimeline *timeline = run->timeline;
  timeline->total.cycles = run->now;
  double latest = 0;
  size_t layer = SIZE_MAX;
  for (size_t i = 0; i < program->count; ++i) {
    xc_op op = {0};
    xc_program_get_op(program, i, &op);
    unsigned q = xcDpuProgramGetQueue(program, i);
    add_queue_work(run, &timeline->total, &op, q);
    if (layer + 1 < program->num_layers &&
        program->layers[layer + 1].first == i)
      ++layer;
    if (layer != SIZE_MAX) {
      add_queue_work(run, &timeline->layers[layer], &op, q);
      if (timeline->ends[i] > latest)
        timeline->layers[layer].cycles += timeline->ends[i] - latest;
    }
    latest = fmax(latest, timeline->ends[i]);
  }
  uint64_t given = 0;
  bool all_given = program->num_layers > 0;
  for (size_t l = 0; l < program->num_layers; ++l) {
    XcDpuTime *time = &timeline->layers[l];
    time->macsAreGiven = program->layers[l].operations != XC_DPU_WORK_UNKNOWN;
    time->macs = time->macsAreGiven ? program->layers[l].operations / 2
                                    : time->issuedMacs;
    all_given &= time->macsAreGiven || time->issuedMacs == 0;
    given += time->macs;
    finish_time(run, time, 0);
  }
  timeline->total.macs = all_given ? given : timeline->total.issuedMacs;
  timeline->total.macsAreGiven = all_given;
  finish_time(run, &timeline->total, compulsory_cycles(run));
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static void fill_queues(timing_run *run) {
  const XcDpuProgram *program = run->program;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    run->queues[q].indices = xc_alloc_array(program->count, sizeof(uint32_t));
    run->tokens[q][q] = program->target->selfTokens;
  }
  for (size_t i = 0; i < program->count; ++i) {
    queue_state *queue = &run->queues[xcDpuProgramGetQueue(program, i)];
    queue->indices[queue->count++] = (uint32_t)i;
  }
  run->ended = xc_alloc_array(program->count, sizeof *run->ended);
}

static bool report_stop(XcDiag *diag, const timing_run *run) {
  static const char *const names[] = {"LOAD", "SAVE", "CONV", "MISC"};
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    const queue_state *queue = &run->queues[q];
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

static bool simulate(timing_run *run, XcDiag *diag) {
  for (;;) {
    start_all(run);
    share_bandwidth(run);
    double step = next_event(run);
    if (isinf(step))
      break;
    account(run, step);
    run->now += step;
    for (int l = 0; l < XC_NUM_LANES; ++l)
      if (run->lanes[l].busy)
        advance_lane(run, &run->lanes[l], step);
    retire(run);
  }
  return report_stop(diag, run);
}

XcDpuTimeline *xcDpuTimelineCreate(XcDiag *diag, const XcDpuProgram *program) {
  XcDpuTimeline *timeline = xc_alloc(sizeof *timeline);
  timeline->program = program;
  timeline->starts = xc_alloc_array(program->count, sizeof *timeline->starts);
  timeline->ends = xc_alloc_array(program->count, sizeof *timeline->ends);
  timeline->critical =
      xc_alloc_array(program->count, sizeof *timeline->critical);
  timeline->layers =
      xc_alloc_array(program->num_layers, sizeof *timeline->layers);
  timeline->groups =
      xc_alloc_array(program->num_layers, sizeof *timeline->groups);
  timing_run run = {.program = program,
                    .timeline = timeline,
                    .bandwidth = xc_target_bandwidth(program->target)};
  fill_queues(&run);
  bool ok = simulate(&run, diag);
  if (ok) {
    summarise(&run);
    xc_timeline_find_groups(timeline);
    xc_timeline_find_causes(timeline);
  }
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    free(run.queues[q].indices);
  free(run.ended);
  if (ok)
    return timeline;
  xcDpuTimelineDestroy(timeline);
  return NULL;
}

void xcDpuTimelineDestroy(XcDpuTimeline *timeline) {
  if (!timeline)
    return;
  free(timeline->starts);
  free(timeline->ends);
  free(timeline->critical);
  free(timeline->layers);
  free(timeline->groups);
  free(timeline);
}

const XcDpuTime *xcDpuTimelineGetTotal(const XcDpuTimeline *timeline) {
  return &timeline->total;
}

const XcDpuTime *xcDpuTimelineGetLayer(const XcDpuTimeline *timeline,
                                       size_t layer) {
  return &timeline->layers[layer];
}

void xcDpuTimelineGetInstruction(const XcDpuTimeline *timeline, size_t index,
                                 double *start, double *end) {
  *start = timeline->starts[index];
  *end = timeline->ends[index];
}

double xcDpuTimelineGetCritical(const XcDpuTimeline *timeline, size_t index) {
  return timeline->critical[index];
}
