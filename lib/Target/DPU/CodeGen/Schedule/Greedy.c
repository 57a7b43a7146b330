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

/// How residency and cascades are decided.
typedef struct schedule_way {
  XcDpuEffort effort; // from which on it is tried
  size_t rest;
  xc_cascade_limits cascades;
} schedule_way;

/// Words that have been free for some units let engines overlap, words that
/// have just become free leave larger gaps. A gain of less than a fortieth is
/// not worth reports that show the layers together, unless one asks for it.
static const schedule_way ways[] = {
    {XcDpuEffortDefault, 0, {.patience = 4, .worth = 40}},
    {XcDpuEffortDefault, 8, {.patience = 4, .worth = 40}},
    {XcDpuEffortMore, 0, {.patience = 8, .worth = 400}},
    {XcDpuEffortMore, 8, {.patience = 8, .worth = 400}},
    {XcDpuEffortMost, 2, {.patience = 8, .worth = 400}},
    {XcDpuEffortMost, 32, {.patience = 8, .worth = 400}},
    {XcDpuEffortMost, 0, {.patience = 12, .worth = 20}},
    {XcDpuEffortMost, 8, {.patience = 12, .worth = 20}},
};

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

/// A search for cascades looks at all uses of a buffer for each unit: layers
/// that are thousands of moves have none worth that.
enum { MAX_CASCADED = 2048 };

static xc_schedule make_schedule(const xc_schedule *layers, xc_search *search,
                                 const schedule_way *way) {
  xc_schedule schedule = xc_schedule_in_ddr(layers, search);
  xc_units *units = &schedule.units;
  const XcDpuTarget *target = schedule.target;
  xc_residency residency = {.schedule = &schedule,
                            .search = search,
                            .target = target,
                            .units = units,
                            .rest = way->rest,
                            .limits = way->cascades};
  xc_tensor_buffers_collect(&residency.buffers, target, units);
  xc_bank_memory_begin(&residency.memory, target->image.depth, units->count);
  residency.apart = xc_alloc_array(units->count, sizeof(int64_t));
  xc_hold_buffers(&residency);
  if (search->effort > XcDpuEffortNone && units->count <= MAX_CASCADED)
    xc_form_cascades(&residency);
  xc_tensor_buffers_free(&residency.buffers);
  xc_bank_memory_end(&residency.memory);
  free(residency.apart);
  return schedule;
}

/// In the way that is fastest.
static xc_schedule schedule_units(const xc_schedule *layers,
                                  xc_search *search) {
  xc_schedule best = make_schedule(layers, search, &ways[0]);
  for (size_t i = 1; i < sizeof ways / sizeof *ways; ++i)
    if (xc_search_goes_on(search, ways[i].effort)) {
      xc_schedule other = make_schedule(layers, search, &ways[i]);
      best = ways[i].effort > XcDpuEffortDefault
                 ? xc_search_clearly_faster(search, &best, &other)
                 : xc_search_faster(search, &best, &other);
    }
  return best;
}

/// Strips take less time of the engine, but images that are cut into them come
/// from DDR and go there: whichever schedule is the faster one.
static xc_schedule schedule_layers(const xc_schedule *layers,
                                   xc_search *search) {
  xc_schedule result = schedule_units(layers, search);
  xc_schedule cut = xc_schedule_in_ddr(layers, search);
  if (xc_search_goes_on(search, XcDpuEffortDefault) &&
      allow_strips(layers->target, &cut.units)) {
    xc_schedule strips = schedule_units(&cut, search);
    result = xc_search_faster(search, &result, &strips);
  }
  xc_schedule_free(&cut);
  return result;
}

//===----------------------------------------------------------------------===//
// Alternating groups
//===----------------------------------------------------------------------===//

/// Whether what a unit loads has one image group to itself, and what it saves
/// the other one.
static bool has_groups(const XcDpuTarget *target, const xc_unit *unit) {
  const xc_unit_layout *layout = &unit->layout;
  int32_t depth = target->image.depth, loaded = layout->input_area.words;
  if (layout->operand_area.group == layout->input_area.group && loaded < depth)
    loaded += layout->operand_area.words;
  bool is_held = layout->output;
  for (size_t k = 0; k < unit->layer.numInputs; ++k)
    is_held |= layout->inputs[k] != NULL;
  return !is_held && loaded == depth && layout->output_area.words == depth &&
         layout->output_area.group != layout->input_area.group;
}

static void exchange_groups(xc_unit_layout *layout) {
  uint32_t group = layout->input_area.group;
  layout->input_area.group = layout->output_area.group;
  layout->operand_area.group = layout->output_area.group;
  layout->output_area.group = group;
}

/// The end of the units from `first` to `last`.
static int64_t end_of(xc_search *search, const xc_schedule *schedule,
                      size_t first, size_t last) {
  int64_t *ends = xc_alloc_array(last - first + 1, sizeof *ends);
  xc_search_price(search, schedule, first, last, ends);
  int64_t end = ends[last - first];
  free(ends);
  return end;
}

/// Rows of a layer cannot be loaded where the layer before still reads its own,
/// but perhaps where that one has saved most of its result.
static void alternate_groups(xc_search *search, xc_schedule *schedule) {
  xc_units *units = &schedule->units;
  size_t before = 0, size;
  for (size_t u = 0; u < units->count; before = u, u += size) {
    xc_unit *unit = &units->items[u];
    size = xc_cascade_size(unit, u);
    if (u == 0 || size > 1 || !has_groups(schedule->target, unit))
      continue;
    size_t last = u;
    if (u + 1 < units->count)
      last += xc_cascade_size(unit + 1, u + 1);
    int64_t cycles = end_of(search, schedule, before, last);
    xc_unit_layout as_it_was = unit->layout;
    exchange_groups(&unit->layout);
    if (end_of(search, schedule, before, last) >= cycles)
      unit->layout = as_it_was;
  }
}

xc_schedule xc_schedule_greedy(const xc_schedule *layers, xc_search *search) {
  xc_schedule schedule = xc_choose_engines(layers, search, schedule_layers);
  if (search->effort > XcDpuEffortNone) {
    alternate_groups(search, &schedule);
    // With weights in several registers only biases could join.
    if (schedule.target->numWeightsRegisters == 1)
      xc_join_parameters(&schedule, search->estimate);
  }
  return schedule;
}
