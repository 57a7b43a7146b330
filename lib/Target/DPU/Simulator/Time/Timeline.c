//===- Timeline.c - the timing model --------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Events.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static void add_queue_work(xc_timing_run *run, XcDpuTime *time, const xc_op *op,
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
  uint64_t macs = xc_op_macs(run->program->target, op);
  time->issuedMacs += macs;
  time->miscMultiplies |= q == XcDpuQueueMisc && macs > 0;
}

/// Returns the cycles that the data ports take for these bytes.
static double data_cycles(const xc_timing_run *run, double load, double save) {
  const XcDpuTarget *target = run->program->target;
  double saves = (double)target->timing.saveBytesPerCycle * target->savePorts;
  double alone = fmax(load / target->timing.loadBytesPerCycle, save / saves);
  return fmax(alone, (load + save) / xc_target_bandwidth(target));
}

static double compulsory_cycles(const xc_timing_run *run) {
  const XcDpuTarget *target = run->program->target;
  xc_compulsory bytes = xc_program_compulsory(run->program);
  double cycles = data_cycles(run, (double)bytes.inputs, (double)bytes.outputs);
  for (uint32_t reg = 0; reg < XC_DPU_NUM_REGISTERS; ++reg)
    if (bytes.parameters[reg])
      cycles = fmax(cycles, (double)bytes.parameters[reg] /
                                target->timing.weightsBytesPerCycle);
  return cycles;
}

/// Returns the number of multiply-accumulates of the engine that computes
/// depthwise convolutions besides CONV.
static double misc_macs_per_cycle(const XcDpuTarget *target) {
  int32_t given = target->timing.depthwisePositionsPerCycle;
  double rows = target->depthwise.rows > 0
                    ? (double)target->depthwise.rows * (given > 0 ? given : 1)
                    : target->alu.rows;
  return rows * target->channelParallel * target->batch;
}

/// Returns the fewest cycles that the multiply-accumulates take. Those of CONV
/// alone do not get faster by MISC. Both may share a depthwise convolution, for
/// which CONV alone is no bound.
static double cycles_at_peak(const XcDpuTarget *target, const XcDpuTime *time,
                             uint64_t macs, uint64_t of_conv) {
  double conv = (double)target->derived.peakMacsPerCycle;
  double both = conv + (time->miscMultiplies ? misc_macs_per_cycle(target) : 0);
  return fmax((double)of_conv / conv, (double)macs / both);
}

static void finish_time(const xc_timing_run *run, XcDpuTime *time,
                        uint64_t macs, uint64_t of_conv, double compulsory) {
  time->bounds.macs = cycles_at_peak(run->program->target, time, macs, of_conv);
  time->bounds.ddr =
      fmax(time->parameterCycles,
           data_cycles(run, (double)(time->loadBytes - time->parameterBytes),
                       (double)time->saveBytes));
  time->bounds.compulsory = compulsory;
  time->bounds.roofline = fmax(time->bounds.macs, time->bounds.compulsory);
  double busy = fmax(time->cycles, fmax(time->bounds.conv, time->bounds.misc));
  time->utilisation = busy > 0 ? time->bounds.macs / busy : 0;
}

static void summarise(xc_timing_run *run) {
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
  uint64_t given = 0, of_conv = 0;
  bool all_given = program->num_layers > 0;
  for (size_t l = 0; l < program->num_layers; ++l) {
    XcDpuTime *time = &timeline->layers[l];
    time->macsAreGiven = program->layers[l].operations != XC_DPU_WORK_UNKNOWN;
    time->macs = time->macsAreGiven ? program->layers[l].operations / 2
                                    : time->issuedMacs;
    all_given &= time->macsAreGiven || time->issuedMacs == 0;
    given += time->macs;
    // Rows of windows that lie in the padding for all lanes take no time.
    uint64_t computed =
        time->macs < time->issuedMacs ? time->macs : time->issuedMacs;
    uint64_t alone = time->miscMultiplies ? 0 : computed;
    of_conv += time->miscMultiplies ? 0 : time->macs;
    finish_time(run, time, computed, alone, 0);
  }
  timeline->total.macs = all_given ? given : timeline->total.issuedMacs;
  timeline->total.macsAreGiven = all_given;
  finish_time(run, &timeline->total, timeline->total.macs,
              all_given ? of_conv : 0, compulsory_cycles(run));
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static bool simulate(xc_timing_run *run, XcDiag *diag) {
  double bandwidth = xc_target_bandwidth(run->program->target);
  for (;;) {
    xc_timing_start(run);
    xc_timing_share(run, bandwidth);
    double step = xc_timing_next(run);
    if (isinf(step))
      break;
    xc_timing_pass(run, step);
  }
  return xc_timing_has_ended(run, diag);
}

XcDpuTimeline *xc_timeline_begin(const XcDpuProgram *program) {
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
  return timeline;
}

XcDpuTimeline *xcDpuTimelineCreate(XcDiag *diag, const XcDpuProgram *program) {
  XcDpuTimeline *timeline = xc_timeline_begin(program);
  xc_timing_run run;
  xc_timing_begin(&run, program, timeline);
  bool ok = simulate(&run, diag);
  if (ok) {
    summarise(&run);
    xc_timeline_find_groups(timeline);
    xc_timeline_find_causes(timeline);
  }
  if (ok && xc_cores_share_memory(program->target))
    ok = xcDpuTimelineAddCores(timeline, diag,
                               (size_t)program->target->derived.engines);
  xc_timing_end(&run);
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
