//===- TileTasks.c - the schedule, tile by tile ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileTasks.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void xc_steps_begin(xc_steps *steps, const XcDpuTarget *target) {
  *steps = (xc_steps){.target = target};
  xc_shadow_begin(&steps->shadow, target);
}

void xc_steps_end(xc_steps *steps) {
  xc_shadow_end(&steps->shadow);
  free(steps->items);
  free(steps->marks);
}

//===----------------------------------------------------------------------===//
// What an instruction adds to
//===----------------------------------------------------------------------===//

/// What the instruction needs and its queue has not waited for yet. False if
/// there is nothing.
static bool find_waits(xc_steps *steps, XcDpuQueue queue, uint32_t *waits) {
  bool found = false;
  const xc_needs *needs = &steps->shadow.needs[steps->shadow.count - 1];
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    bool is_new = q != queue && needs->of[q] > steps->waited[queue][q];
    waits[q] = is_new ? needs->of[q] : 0;
    if (is_new)
      steps->waited[queue][q] = needs->of[q];
    found |= is_new;
  }
  return found;
}

/// The last step of the queue, if it is of the same tile.
static xc_step *same_tile(const xc_steps *steps, XcDpuQueue queue,
                          const xc_provenance *provenance) {
  uint32_t last = steps->last[queue];
  xc_step *step = last > 0 ? &steps->items[last - 1] : NULL;
  bool is_same =
      step && memcmp(&step->provenance, provenance, sizeof *provenance) == 0;
  return is_same ? step : NULL;
}

static xc_step *add_step(xc_steps *steps, XcDpuQueue queue,
                         const xc_provenance *provenance,
                         const uint32_t *waits) {
  void *items = steps->items;
  xc_grow(&items, &steps->capacity, steps->count + 1, sizeof *steps->items);
  steps->items = items;
  xc_step *step = &steps->items[steps->count++];
  *step = (xc_step){.queue = queue, .provenance = *provenance};
  memcpy(step->waits, waits, sizeof step->waits);
  steps->last[queue] = (uint32_t)steps->count;
  return step;
}

static void add_mark(xc_steps *steps) {
  void *marks = steps->marks;
  xc_grow(&marks, &steps->marks_capacity, steps->num_marks + 1,
          sizeof *steps->marks);
  steps->marks = marks;
  ++steps->num_marks;
}

/// The last but `before` instructions end where a step ends now.
static void set_mark(xc_steps *steps, size_t before, const xc_step *step) {
  steps->marks[steps->num_marks - 1 - before] = (xc_step_mark){
      (uint32_t)(step - steps->items), xc_step_cycles(steps, step)};
}

//===----------------------------------------------------------------------===//
// What it costs
//===----------------------------------------------------------------------===//

double xc_step_cycles(const xc_steps *steps, const xc_step *step) {
  const XcDpuTiming *timing = &steps->target->timing;
  double bandwidth = xc_target_bandwidth(steps->target);
  double rate = step->queue == XcDpuQueueLoad ? timing->loadBytesPerCycle
                                              : timing->saveBytesPerCycle;
  return step->fixed + step->bytes / fmin(rate, bandwidth) +
         step->paired_bytes / fmin(2 * rate, bandwidth);
}

/// Whether a SAVE of a tile is the second one of a pair.
static bool is_second_save(const xc_steps *steps, const xc_op *op,
                           const xc_provenance *provenance) {
  return op->insn.opcode == XcDpuOpcodeSave && steps->target->savePorts > 1 &&
         steps->has_save && same_tile(steps, XcDpuQueueSave, provenance) &&
         xc_can_pair_saves(&steps->save, &op->insn.save);
}

static void add_cost(xc_steps *steps, xc_step *step, const xc_op *op,
                     const xc_cost *cost) {
  step->fixed += cost->fixed;
  step->bytes += (double)cost->bytes;
  ++step->count;
  steps->has_save = op->insn.opcode == XcDpuOpcodeSave;
  if (!steps->has_save)
    return;
  steps->save = op->insn.save;
  steps->save_cost = *cost;
}

/// It takes the other port while the first one runs, which has gone to `from`.
/// If it has to wait, both are a step of their own.
static void add_pair(xc_steps *steps, xc_step *from, xc_step *step,
                     const xc_cost *cost) {
  const xc_cost *first = &steps->save_cost;
  from->fixed -= first->fixed;
  from->bytes -= (double)first->bytes;
  --from->count;
  ++step->pairs;
  step->fixed += fmax(first->fixed, cost->fixed);
  step->paired_bytes += (double)(first->bytes + cost->bytes);
  set_mark(steps, 1, step);
  steps->has_save = false;
}

void xc_steps_add(xc_steps *steps, const xc_op *op, XcDpuQueue queue,
                  const xc_provenance *provenance) {
  uint32_t waits[XC_DPU_NUM_QUEUES];
  xc_shadow_access(&steps->shadow, op, queue);
  bool must_wait = find_waits(steps, queue, waits);
  bool is_second = is_second_save(steps, op, provenance);
  size_t before = steps->last[queue];
  xc_step *step = must_wait ? NULL : same_tile(steps, queue, provenance);
  if (!step)
    step = add_step(steps, queue, provenance, waits);
  xc_cost cost = xc_op_cost(steps->target, op);
  add_mark(steps);
  if (is_second)
    add_pair(steps, &steps->items[before - 1], step, &cost);
  else
    add_cost(steps, step, op, &cost);
  set_mark(steps, 0, step);
}
