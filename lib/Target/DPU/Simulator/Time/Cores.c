//===- Cores.c - several cores on one memory ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each core runs the program again and again, with an image of its own each
// time. Cores are equally far apart when they begin, as those of a board that
// takes images as they come, and go on until all have run it some times. The
// memory is shared equally between the cores that move bytes; none gets more
// than its ports take.
//
//===----------------------------------------------------------------------===//

#include "Events.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>

/// Runs of the program on each core that count, after the first one, in which
/// not all cores are at work from the beginning.
enum { RUNS = 3 };

typedef struct core {
  xc_timing_run run;
  double wait;            // cycles until it begins
  double share;           // of the memory, bytes per cycle
  double begun, finished; // the runs that count
  unsigned runs;
} core;

typedef struct board {
  core *cores;
  size_t count;
  double memory, ports; // bytes per cycle, of all and of a core
} board;

/// Equal parts of what is left, to all that want more.
static void share_memory(board *b) {
  double left = b->memory;
  size_t waiting = b->count;
  for (size_t i = 0; i < b->count; ++i)
    b->cores[i].share = -1;
  for (bool again = true; again && waiting > 0;) {
    double part = left / (double)waiting;
    again = false;
    for (size_t i = 0; i < b->count; ++i) {
      core *c = &b->cores[i];
      double wanted = fmin(xc_timing_demand(&c->run), b->ports);
      if (c->share >= 0 || wanted > part)
        continue;
      c->share = wanted;
      left -= wanted;
      --waiting;
      again = true;
    }
  }
  for (size_t i = 0; i < b->count; ++i)
    if (b->cores[i].share < 0)
      b->cores[i].share = left / (double)waiting;
}

/// Starts what can start; a core whose program has ended begins it again.
/// Returns false after a diagnostic.
static bool start_core(core *c, XcDiag *diag) {
  if (c->wait > 0)
    return true;
  xc_timing_start(&c->run);
  if (!xc_timing_is_idle(&c->run))
    return true;
  if (!xc_timing_has_ended(&c->run, diag))
    return false;
  if (++c->runs == 1)
    c->begun = c->run.now;
  if (c->runs == 1 + RUNS)
    c->finished = c->run.now;
  xc_timing_restart(&c->run);
  xc_timing_start(&c->run);
  return true;
}

static bool has_finished(const board *b) {
  for (size_t i = 0; i < b->count; ++i)
    if (b->cores[i].runs <= RUNS)
      return false;
  return true;
}

static void pass_time(board *b) {
  double step = INFINITY;
  for (size_t i = 0; i < b->count; ++i) {
    core *c = &b->cores[i];
    xc_timing_share(&c->run, c->share);
    step = fmin(step, c->wait > 0 ? c->wait : xc_timing_next(&c->run));
  }
  for (size_t i = 0; i < b->count; ++i) {
    core *c = &b->cores[i];
    if (c->wait > 0)
      c->wait = fmax(c->wait - step, 0);
    else
      xc_timing_pass(&c->run, step);
  }
}

static bool simulate(board *b, XcDiag *diag) {
  for (;;) {
    for (size_t i = 0; i < b->count; ++i)
      if (!start_core(&b->cores[i], diag))
        return false;
    if (has_finished(b))
      return true;
    share_memory(b);
    pass_time(b);
  }
}

bool xc_cores_share_memory(const XcDpuTarget *target) {
  return target->numCores > 0 && target->timing.weightsBytesPerCycle == 0;
}

bool xcDpuTimelineAddCores(XcDpuTimeline *timeline, XcDiag *diag,
                           size_t count) {
  const XcDpuProgram *program = timeline->program;
  const XcDpuTarget *target = program->target;
  if (program->count == 0 || count == 0)
    return true;
  board b = {.cores = xc_alloc_array(count, sizeof *b.cores),
             .count = count,
             .memory =
                 (double)target->ddrBytesPerSecond / (double)target->clockHz,
             .ports = target->derived.portBytesPerCycle};
  for (size_t i = 0; i < count; ++i) {
    core *c = &b.cores[i];
    xc_timing_begin(&c->run, program, xc_timeline_begin(program));
    c->wait = timeline->total.cycles * (double)i / (double)count;
  }
  bool ok = simulate(&b, diag);
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += (b.cores[i].finished - b.cores[i].begun) / RUNS;
    xcDpuTimelineDestroy(b.cores[i].run.timeline);
    xc_timing_end(&b.cores[i].run);
  }
  free(b.cores);
  timeline->num_cores = count;
  timeline->core_cycles = sum / (double)count;
  return ok;
}

double xcDpuTimelineGetCoreCycles(const XcDpuTimeline *timeline) {
  return timeline->core_cycles;
}
