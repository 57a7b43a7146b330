//===- StaticEstimate.c - when tasks end ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the tile tasks of the four queues side by side, event by event. LOADs
// and SAVEs share the ports, so it matters which of them move bytes at the same
// time. The LOADs or SAVEs of one task are taken to be equally long.
//
//===----------------------------------------------------------------------===//

#include "TileTasks.h"

#include "Support/Memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/// A running task. Its cycles are those that it takes when nothing slows it
/// down.
typedef struct running_task {
  const xc_tile_task *task; // or null
  double done, all;         // cycles
  double until;             // cycles up to which its speed stays as it is
  double speed;             // its cycles per cycle
  int moving;               // LOADs or SAVEs that move bytes
} running_task;

typedef struct xc_replay {
  const xc_tile_tasks *tasks;
  double bandwidth, load_rate, save_rate; // bytes per cycle
  double now;
  size_t next[XC_DPU_NUM_QUEUES]; // of all tasks, or their count
  running_task running[XC_DPU_NUM_QUEUES];
  double *ends; // of the tasks that have ended
  double tiny;  // differences of time up to this are rounding
} xc_replay;

//===----------------------------------------------------------------------===//
// The ports
//===----------------------------------------------------------------------===//

/// Returns the number of bytes per cycle that one instruction of a queue moves
/// at most.
static double rate_of(const xc_replay *replay, unsigned q) {
  return q == XcDpuQueueLoad ? replay->load_rate : replay->save_rate;
}

/// Finds where in one of several equal LOADs, SAVEs or pairs a task is. Each of
/// these begins with cycles in which no bytes move.
static void find_phase(const xc_replay *replay, running_task *run, double begin,
                       double cycles, double fixed, int moving) {
  double number = floor((run->done - begin + replay->tiny) / cycles);
  double moves = begin + number * cycles + fixed;
  bool is_moving = run->done + replay->tiny >= moves;
  run->moving = is_moving ? moving : 0;
  run->until = is_moving ? begin + (number + 1) * cycles : moves;
}

/// Finds out how many bytes a LOAD or SAVE task moves, and for how long.
static void find_moves(xc_replay *replay, unsigned q) {
  running_task *run = &replay->running[q];
  const xc_tile_task *task = run->task;
  double fixed = task->fixed / (task->count + task->pairs);
  double both = fmin(2 * rate_of(replay, q), replay->bandwidth);
  double paired = task->pairs * fixed + task->paired_bytes / both;
  if (run->done + replay->tiny < paired)
    find_phase(replay, run, 0, paired / task->pairs, fixed, 2);
  else
    find_phase(replay, run, paired, (run->all - paired) / task->count, fixed,
               1);
}

/// Returns the rate of a queue that shares the bandwidth. Each transfer gets
/// what the others leave, and all get the same if there is too little.
static double shared_rate(const xc_replay *replay, unsigned q, unsigned other) {
  int own = replay->running[q].moving, others = replay->running[other].moving;
  double each = replay->bandwidth / (own + others);
  double left = replay->bandwidth - others * fmin(rate_of(replay, other), each);
  return fmin(rate_of(replay, q), left / own);
}

static void set_speed(xc_replay *replay, unsigned q, unsigned other) {
  running_task *run = &replay->running[q];
  double alone = fmin(rate_of(replay, q), replay->bandwidth / run->moving);
  run->speed = shared_rate(replay, q, other) / alone;
}

static void share_ports(xc_replay *replay) {
  running_task *runs = replay->running;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    runs[q].until = runs[q].all;
    runs[q].speed = 1;
  }
  if (!runs[XcDpuQueueLoad].task || !runs[XcDpuQueueSave].task)
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

/// Returns the cycles until an instruction has ended if the speeds stay as they
/// are; infinite if its task does not run yet.
static double cycles_until(const xc_replay *replay, uint32_t instruction) {
  if (instruction == 0)
    return 0;
  const xc_task_mark *mark = &replay->tasks->marks[instruction - 1];
  unsigned q = replay->tasks->items[mark->task].queue;
  if (mark->task != replay->next[q])
    return mark->task < replay->next[q] ? 0 : INFINITY;
  const running_task *run = &replay->running[q];
  if (!run->task)
    return INFINITY;
  return fmax(0, (fmin(mark->cycles, run->all) - run->done) / run->speed);
}

/// Returns the cycles until a task can start.
static double cycles_to_start(const xc_replay *replay,
                              const xc_tile_task *task) {
  double cycles = 0;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    cycles = fmax(cycles, cycles_until(replay, task->waits[q]));
  return cycles;
}

/// Returns the task that a queue waits with, or null.
static const xc_tile_task *waiting_task(const xc_replay *replay, unsigned q) {
  if (replay->running[q].task || replay->next[q] == replay->tasks->count)
    return NULL;
  return &replay->tasks->items[replay->next[q]];
}

static void skip_to_queue(xc_replay *replay, unsigned q) {
  const xc_tile_tasks *tasks = replay->tasks;
  while (replay->next[q] < tasks->count &&
         tasks->items[replay->next[q]].queue != q)
    ++replay->next[q];
}

static void start_tasks(xc_replay *replay) {
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    const xc_tile_task *task = waiting_task(replay, q);
    if (task && cycles_to_start(replay, task) <= replay->tiny)
      replay->running[q] = (running_task){
          .task = task, .all = xc_tile_task_cycles(replay->tasks, task)};
  }
  share_ports(replay);
}

/// Returns the cycles until a task ends, becomes slower or faster, or can
/// start; infinite if nothing runs.
static double next_event(const xc_replay *replay) {
  double cycles = INFINITY;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    const running_task *run = &replay->running[q];
    const xc_tile_task *task = waiting_task(replay, q);
    if (run->task)
      cycles = fmin(cycles, fmax(0, (run->until - run->done) / run->speed));
    else if (task)
      cycles = fmin(cycles, cycles_to_start(replay, task));
  }
  return cycles;
}

static void pass_time(xc_replay *replay, double cycles) {
  replay->now += cycles;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    running_task *run = &replay->running[q];
    if (!run->task)
      continue;
    run->done += cycles * run->speed;
    if (run->done + replay->tiny < run->all)
      continue;
    replay->ends[replay->next[q]++] = replay->now;
    run->task = NULL;
    skip_to_queue(replay, q);
  }
}

static void run_tasks(xc_replay *replay) {
  const xc_tile_tasks *tasks = replay->tasks;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    skip_to_queue(replay, q);
  for (;;) {
    start_tasks(replay);
    double cycles = next_event(replay);
    if (isinf(cycles))
      break;
    pass_time(replay, cycles);
  }
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q)
    assert(replay->next[q] == tasks->count && "tasks wait for earlier ones");
}

/// Returns a tolerance for rounding errors, relative to the longest task, for
/// memories that hardly move any bytes.
static double rounding_of(const xc_tile_tasks *tasks) {
  double tiny = 1e-6;
  for (size_t i = 0; i < tasks->count; ++i)
    tiny = fmax(tiny, 1e-13 * xc_tile_task_cycles(tasks, &tasks->items[i]));
  return tiny;
}

void xc_estimate_tasks(const xc_tile_tasks *tasks, const size_t *limits,
                       size_t count, int64_t *ends) {
  const XcDpuTiming *timing = &tasks->target->timing;
  double bandwidth = xc_target_bandwidth(tasks->target);
  xc_replay replay = {
      .tasks = tasks,
      .bandwidth = bandwidth,
      .load_rate = fmin(timing->loadBytesPerCycle, bandwidth),
      .save_rate = fmin(timing->saveBytesPerCycle, bandwidth),
      .ends = xc_alloc_array(tasks->count, sizeof(double)),
      .tiny = rounding_of(tasks),
  };
  run_tasks(&replay);
  double latest = 0;
  size_t instruction = 0;
  for (size_t i = 0; i < count; ++i) {
    for (; instruction < limits[i]; ++instruction)
      latest = fmax(latest, replay.ends[tasks->marks[instruction].task]);
    ends[i] = (int64_t)(latest + 0.5);
  }
  free(replay.ends);
}
