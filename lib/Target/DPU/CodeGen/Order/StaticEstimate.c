//===- StaticEstimate.c - when steps end ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LOADs and SAVEs share the ports, so that it matters which of them move bytes
// at the same time. Those of one step are taken to be equally long.
//
//===----------------------------------------------------------------------===//

#include "TileTasks.h"

#include "Support/Memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/// Differences of time below this are rounding.
static const double tiny = 1e-6;

/// A step at work. Its cycles are those that it takes when nothing slows it
/// down.
typedef struct running_step {
  const xc_step *step; // or null
  double done, all;    // cycles
  double until;        // cycles up to which its speed stays as it is
  double speed;        // its cycles per cycle
  int moving;          // LOADs or SAVEs that move bytes
} running_step;

typedef struct xc_replay {
  const xc_steps *steps;
  double bandwidth, load_rate, save_rate; // bytes per cycle
  double now;
  size_t next[XC_DPU_NUM_QUEUES]; // of all steps, or their count
  running_step running[XC_DPU_NUM_QUEUES];
  double *ends; // of the steps that have ended
} xc_replay;

//===----------------------------------------------------------------------===//
// The ports
//===----------------------------------------------------------------------===//

/// Bytes per cycle.
static double rate_of(const xc_replay *replay, unsigned q) {
  return q == XcDpuQueueLoad ? replay->load_rate : replay->save_rate;
}

/// One of several equal LOADs, SAVEs or pairs, which begins with cycles in
/// which no bytes move.
static void find_phase(running_step *run, double begin, double cycles,
                       double fixed, int moving) {
  double number = floor((run->done - begin + tiny) / cycles);
  double moves = begin + number * cycles + fixed;
  bool is_moving = run->done + tiny >= moves;
  run->moving = is_moving ? moving : 0;
  run->until = is_moving ? begin + (number + 1) * cycles : moves;
}

/// Finds out how many bytes a LOAD or SAVE step moves, and for how long.
static void find_moves(xc_replay *replay, unsigned q) {
  running_step *run = &replay->running[q];
  const xc_step *step = run->step;
  double fixed = step->fixed / (step->count + step->pairs);
  double both = fmin(2 * rate_of(replay, q), replay->bandwidth);
  double paired = step->pairs * fixed + step->paired_bytes / both;
  if (run->done + tiny < paired)
    find_phase(run, 0, paired / step->pairs, fixed, 2);
  else
    find_phase(run, paired, (run->all - paired) / step->count, fixed, 1);
}

/// Each gets what the others leave to it, and all the same if that is too
/// little.
static double shared_rate(const xc_replay *replay, unsigned q, unsigned other) {
  int own = replay->running[q].moving, others = replay->running[other].moving;
  double each = replay->bandwidth / (own + others);
  double left = replay->bandwidth - others * fmin(rate_of(replay, other), each);
  return fmin(rate_of(replay, q), left / own);
}

static void set_speed(xc_replay *replay, unsigned q, unsigned other) {
  running_step *run = &replay->running[q];
  double alone = fmin(rate_of(replay, q), replay->bandwidth / run->moving);
  run->speed = shared_rate(replay, q, other) / alone;
}

static void share_ports(xc_replay *replay) {
  running_step *runs = replay->running;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    runs[q].until = runs[q].all;
    runs[q].speed = 1;
  }
  if (!runs[XcDpuQueueLoad].step || !runs[XcDpuQueueSave].step)
    return;
  find_moves(replay, XcDpuQueueLoad);
  find_moves(replay, XcDpuQueueSave);
  if (runs[XcDpuQueueLoad].moving == 0 || runs[XcDpuQueueSave].moving == 0)
    return;
  set_speed(replay, XcDpuQueueLoad, XcDpuQueueSave);
  set_speed(replay, XcDpuQueueSave, XcDpuQueueLoad);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// Cycles until an instruction has ended if the speeds stay as they are: none,
/// or infinite if its step does not run yet.
static double cycles_until(const xc_replay *replay, uint32_t instruction) {
  if (instruction == 0)
    return 0;
  const xc_step_mark *mark = &replay->steps->marks[instruction - 1];
  unsigned q = replay->steps->items[mark->step].queue;
  if (mark->step != replay->next[q])
    return mark->step < replay->next[q] ? 0 : INFINITY;
  const running_step *run = &replay->running[q];
  if (!run->step)
    return INFINITY;
  return fmax(0, (fmin(mark->cycles, run->all) - run->done) / run->speed);
}

/// Cycles until a step can start.
static double cycles_to_start(const xc_replay *replay, const xc_step *step) {
  double cycles = 0;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    cycles = fmax(cycles, cycles_until(replay, step->waits[q]));
  return cycles;
}

/// The step that a queue waits with, or null.
static const xc_step *waiting_step(const xc_replay *replay, unsigned q) {
  if (replay->running[q].step || replay->next[q] == replay->steps->count)
    return NULL;
  return &replay->steps->items[replay->next[q]];
}

static void skip_to_queue(xc_replay *replay, unsigned q) {
  const xc_steps *steps = replay->steps;
  while (replay->next[q] < steps->count &&
         steps->items[replay->next[q]].queue != q)
    ++replay->next[q];
}

static void start_steps(xc_replay *replay) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    const xc_step *step = waiting_step(replay, q);
    if (step && cycles_to_start(replay, step) <= tiny)
      replay->running[q] = (running_step){
          .step = step, .all = xc_step_cycles(replay->steps, step)};
  }
  share_ports(replay);
}

/// Cycles until a step ends, becomes slower or faster, or can start; infinite
/// if nothing runs.
static double next_event(const xc_replay *replay) {
  double cycles = INFINITY;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    const running_step *run = &replay->running[q];
    const xc_step *step = waiting_step(replay, q);
    if (run->step)
      cycles = fmin(cycles, fmax(0, (run->until - run->done) / run->speed));
    else if (step)
      cycles = fmin(cycles, cycles_to_start(replay, step));
  }
  return cycles;
}

static void pass_time(xc_replay *replay, double cycles) {
  replay->now += cycles;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    running_step *run = &replay->running[q];
    if (!run->step)
      continue;
    run->done += cycles * run->speed;
    if (run->done + tiny < run->all)
      continue;
    replay->ends[replay->next[q]++] = replay->now;
    run->step = NULL;
    skip_to_queue(replay, q);
  }
}

static void run_steps(xc_replay *replay) {
  const xc_steps *steps = replay->steps;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    skip_to_queue(replay, q);
  for (;;) {
    start_steps(replay);
    double cycles = next_event(replay);
    if (isinf(cycles))
      break;
    pass_time(replay, cycles);
  }
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    assert(replay->next[q] == steps->count && "steps wait for earlier ones");
}

void xc_steps_replay(const xc_steps *steps, const size_t *limits, size_t count,
                     int64_t *ends) {
  const XcDpuTiming *timing = &steps->target->timing;
  double bandwidth = xc_target_bandwidth(steps->target);
  xc_replay replay = {
      .steps = steps,
      .bandwidth = bandwidth,
      .load_rate = fmin(timing->loadBytesPerCycle, bandwidth),
      .save_rate = fmin(timing->saveBytesPerCycle, bandwidth),
      .ends = xc_alloc_array(steps->count, sizeof(double)),
  };
  run_steps(&replay);
  double latest = 0;
  size_t instruction = 0;
  for (size_t i = 0; i < count; ++i) {
    for (; instruction < limits[i]; ++instruction)
      latest = fmax(latest, replay.ends[steps->marks[instruction].step]);
    ends[i] = (int64_t)(latest + 0.5);
  }
  free(replay.ends);
}
