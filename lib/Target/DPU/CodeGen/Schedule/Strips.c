//===- Strips.c - last rows in strips, where images are in the banks ------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If the rows of a convolution leave lanes of the engine idle, its last rows
// can be computed in strips of columns (Plan/Strips.h). This file does so for
// images in the banks: the elementwise engine copies the columns to the strips,
// and the results to their rows. That needs free words beside the images, and
// time of the elementwise engine. It is done where it lowers the estimate of
// the unit and its neighbours.
//
//===----------------------------------------------------------------------===//

#include "HeldImages.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <stdlib.h>

enum {
  /// Layers or cascades after the unit whose end counts: a pool that has to
  /// wait for the copies may be a branch that comes later.
  REACH = 6,
  /// In how many chunks of output channels a unit is tried, beside that of its
  /// plan: what reads some of them need not wait for the rows of all.
  CHUNKS = 4,
};

/// Returns the end of the neighbours of a unit.
static int64_t end_around(const xc_held_schedule *s, size_t u) {
  return xc_held_end_around(s, s->together[u], xc_held_last_together(s, u),
                            REACH);
}

/// Whether rows are left for lanes that would be idle.
static bool has_idle_lanes(const xc_held_schedule *s, const xc_unit *unit) {
  bool is_conv =
      unit->layer.kind == XcDpuLayerKindConv || unit->kind->is_diagonal;
  return is_conv && unit->plan.tiles.strips.rows == 0 &&
         unit->plan.tiles.num_tiles == 1 && unit->chunk_groups == 0 &&
         unit->layout.row_overlap == 0 &&
         (unit->layout.inputs[0] || unit->layout.output) &&
         unit->layer.output.height % s->residency.target->pixelParallel != 0;
}

static xc_bank_area widest_area(xc_held_schedule *s, int group, size_t first,
                                size_t last) {
  xc_bank_reservation gap =
      xc_bank_memory_widest(&s->residency.memory, group, first, last);
  return (xc_bank_area){xc_image_group(s->residency.target, group), gap.base,
                        gap.words};
}

/// In what the units of a cascade leave; blocks stay as they are. What a unit
/// loads has an area of just the size of its blocks, which others may share.
static bool plan_in_cascade(xc_held_schedule *s, size_t u) {
  xc_unit *unit = xc_held_unit(s, u);
  if (!unit->layout.inputs[0])
    return false;
  size_t first = s->together[u], last = xc_held_last_together(s, u);
  size_t reservations = s->residency.memory.count;
  // All of them load and save at the same time.
  for (size_t v = first; v <= last; ++v)
    xc_reserve_areas(&s->residency, v, v, v);
  xc_bank_area gaps[XC_IMAGE_GROUPS];
  for (int g = 0; g < XC_IMAGE_GROUPS; ++g)
    gaps[g] = widest_area(s, g, first, last);
  xc_bank_memory_release(&s->residency.memory, reservations);
  bool ok = false;
  for (int g = 0; g < XC_IMAGE_GROUPS && !ok; ++g) {
    xc_unit now = *unit;
    now.layout.input_area = gaps[g];
    if (now.layout.output)
      now.layout.output_area = gaps[1 - g];
    ok = xc_plan_unit(s->residency.target, &now) &&
         now.plan.tiles.strips.rows > 0 &&
         now.plan.block_rows == unit->plan.block_rows &&
         now.plan.num_blocks == unit->plan.num_blocks;
    if (ok)
      *unit = now;
  }
  return ok;
}

/// In the words that its neighbours leave.
static bool plan_strips(xc_held_schedule *s, size_t u) {
  xc_unit *unit = xc_held_unit(s, u);
  unit->layout.copies_strips = true;
  if (!xc_held_is_alone(s, u))
    return plan_in_cascade(s, u);
  bool ok = xc_replan_unit(&s->residency, u) != XC_INFEASIBLE;
  return ok && unit->plan.tiles.strips.rows > 0;
}

/// Whether the unit has strips now.
static bool try_unit(xc_held_schedule *s, size_t u) {
  xc_unit *unit = xc_held_unit(s, u);
  if (!has_idle_lanes(s, unit))
    return false;
  xc_unit before = *unit, best = before;
  bool is_apart = xc_held_is_alone(s, u);
  int64_t least = INT64_MAX;
  for (int32_t chunks = 1; chunks <= (is_apart ? CHUNKS : 1);
       chunks += CHUNKS - 1) {
    *unit = before;
    if (chunks > 1)
      unit->chunk_groups = xc_ceil_div(before.plan.request.out_groups, chunks);
    if (!plan_strips(s, u))
      continue;
    xc_unit now = *unit;
    if (least == INT64_MAX && !s->residency.search->forces_forms) {
      *unit = before;
      least = end_around(s, u);
      *unit = now;
    }
    int64_t cycles = end_around(s, u);
    if (cycles < least) {
      least = cycles;
      best = now;
    }
  }
  *unit = best;
  return best.plan.tiles.strips.rows > 0;
}

bool xc_strip_last_rows(xc_search *search, xc_schedule *schedule) {
  size_t count = schedule->units.count;
  if (!xc_search_goes_on(search, XcDpuEffortDefault))
    return false;
  xc_held_schedule s = xc_held_begin(search, schedule);
  bool has_strips = false;
  for (size_t u = 0; u < count && xc_search_goes_on(search, XcDpuEffortDefault);
       ++u)
    has_strips |= try_unit(&s, u);
  xc_held_end(&s);
  return has_strips;
}
