//===- Greedy.c - the strategy that is used -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Residency.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <stdlib.h>

enum { REST = 8 };

/// Lets units compute their last rows in strips. Whether any does.
static bool allow_strips(const XcDpuTarget *target, xc_units *units) {
  bool has_strips = false;
  for (size_t u = 0; u < units->count; ++u) {
    xc_unit now = units->items[u];
    now.layout.allows_strips = true;
    if (!now.kind->has_window || !xc_plan_unit(target, &now))
      continue;
    units->items[u] = now;
    has_strips |= now.plan.tiles.strips.rows > 0;
  }
  return has_strips;
}

static xc_schedule make_schedule(const xc_schedule *layers,
                                 xc_schedule_estimator estimate, size_t rest) {
  xc_schedule schedule = xc_schedule_in_ddr(layers, estimate);
  xc_units *units = &schedule.units;
  const XcDpuTarget *target = schedule.target;
  xc_residency residency = {.schedule = &schedule,
                            .estimate = estimate,
                            .target = target,
                            .units = units,
                            .rest = rest};
  xc_tensor_buffers_collect(&residency.buffers, target, units);
  xc_bank_memory_begin(&residency.memory, target->image.depth, units->count);
  residency.apart = xc_alloc_array(units->count, sizeof(int64_t));
  xc_hold_buffers(&residency);
  xc_form_cascades(&residency);
  xc_tensor_buffers_free(&residency.buffers);
  xc_bank_memory_end(&residency.memory);
  free(residency.apart);
  return schedule;
}

static int64_t cycles_of(const xc_schedule *schedule,
                         xc_schedule_estimator estimate) {
  size_t count = schedule->units.count;
  if (count == 0)
    return 0;
  int64_t *ends = xc_alloc_array(count, sizeof *ends);
  estimate(schedule, 0, count - 1, ends);
  int64_t cycles = ends[count - 1];
  free(ends);
  return cycles;
}

/// Takes the faster one of two schedules, and frees the other one.
static xc_schedule faster_of(xc_schedule *a, xc_schedule *b,
                             xc_schedule_estimator estimate) {
  bool is_better = cycles_of(b, estimate) < cycles_of(a, estimate);
  xc_schedule_free(is_better ? a : b);
  return is_better ? *b : *a;
}

/// Words that have been free for some units let engines overlap, words that
/// have just become free leave larger gaps: the faster one of both schedules.
static xc_schedule schedule_units(const xc_schedule *layers,
                                  xc_schedule_estimator estimate) {
  xc_schedule dense = make_schedule(layers, estimate, 0);
  xc_schedule loose = make_schedule(layers, estimate, REST);
  return faster_of(&dense, &loose, estimate);
}

/// Strips take less time of the engine, but images that are cut into them come
/// from DDR and go there: whichever schedule is the faster one.
static xc_schedule schedule_layers(const xc_schedule *layers,
                                   xc_schedule_estimator estimate) {
  xc_schedule result = schedule_units(layers, estimate);
  xc_schedule cut = xc_schedule_in_ddr(layers, estimate);
  if (allow_strips(layers->target, &cut.units)) {
    xc_schedule strips = schedule_units(&cut, estimate);
    result = faster_of(&result, &strips, estimate);
  }
  xc_schedule_free(&cut);
  return result;
}

xc_schedule xc_schedule_greedy(const xc_schedule *layers,
                               xc_schedule_estimator estimate) {
  return xc_choose_engines(layers, estimate, schedule_layers);
}
