//===- Events.h - what happens when, of one core ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_SIMULATOR_TIME_EVENTS_H
#define XC_TARGET_DPU_SIMULATOR_TIME_EVENTS_H

#include "Timeline.h"

typedef struct xc_lane {
  bool busy;
  uint32_t index;
  double fixed; // cycles left
  double bytes; // left, after the fixed cycles
  double max_rate, rate;
  bool is_apart; // its ports are no data ports
} xc_lane;

/// One queue: its instructions, and how far each stage has come.
typedef struct xc_queue {
  uint32_t *indices;
  size_t count;
  size_t started;
  size_t retired;
} xc_queue;

typedef struct xc_timing_run {
  const XcDpuProgram *program;
  XcDpuTimeline *timeline; // of the last run of the program
  double now;
  xc_queue queues[XC_DPU_NUM_QUEUES];
  xc_lane lanes[XC_NUM_LANES];
  bool *ended;
  /// tokens[from][to]
  int64_t tokens[XC_DPU_NUM_QUEUES][XC_DPU_NUM_QUEUES];
} xc_timing_run;

void xc_timing_begin(xc_timing_run *run, const XcDpuProgram *program,
                     XcDpuTimeline *timeline);
void xc_timing_end(xc_timing_run *run);
/// The program once more; it has ended.
void xc_timing_restart(xc_timing_run *run);

/// Starts what can start now.
void xc_timing_start(xc_timing_run *run);
/// Returns the number of bytes per cycle that the lanes of the data ports could
/// move now.
double xc_timing_demand(const xc_timing_run *run);
/// Shares the bandwidth equally, but gives no lane more than it can take.
void xc_timing_share(xc_timing_run *run, double bandwidth);
/// Returns the cycles to the next end of a phase at these rates; infinite when
/// nothing runs.
double xc_timing_next(const xc_timing_run *run);
/// Lets time pass, up to that.
void xc_timing_pass(xc_timing_run *run, double cycles);

/// Whether nothing runs.
bool xc_timing_is_idle(const xc_timing_run *run);
/// When nothing runs: false after a diagnostic if instructions wait for ever.
bool xc_timing_has_ended(const xc_timing_run *run, XcDiag *diag);

#endif // XC_TARGET_DPU_SIMULATOR_TIME_EVENTS_H
