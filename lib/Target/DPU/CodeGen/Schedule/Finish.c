//===- Finish.c - decisions that depend on the whole schedule -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finish.h"
#include "Transfers.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Alternating groups
//===----------------------------------------------------------------------===//

/// Whether the loads of a unit have one image group to themselves, and its
/// saves the other one.
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

/// Exchanges the image groups of layers where that is faster. Rows of a layer
/// cannot be loaded to words that the layer before still reads, but perhaps to
/// the group from which that layer has saved most of its result.
static void alternate_groups(xc_search *search, xc_schedule *schedule) {
  xc_units *units = &schedule->units;
  size_t before = 0, size;
  for (size_t u = 0; u < units->count; before = u, u += size) {
    xc_unit *unit = &units->items[u];
    size = xc_units_together(unit, u);
    if (u == 0 || size > 1 || !has_groups(schedule->target, unit))
      continue;
    size_t last = u;
    if (u + 1 < units->count)
      last += xc_units_together(unit + 1, u + 1);
    int64_t cycles = xc_search_end_of(search, schedule, before, last);
    xc_unit_layout as_it_was = unit->layout;
    exchange_groups(&unit->layout);
    if (xc_search_end_of(search, schedule, before, last) >= cycles)
      unit->layout = as_it_was;
  }
}

//===----------------------------------------------------------------------===//
// Words of the last block
//===----------------------------------------------------------------------===//

bool xc_can_part_words(const xc_unit *unit) {
  return unit->kind->has_window && unit->layer.kind != XcDpuLayerKindConv &&
         !unit->kind->is_diagonal && unit->layout.inputs[0];
}

/// Lets units compute their last block word by word where that is faster. This
/// takes more instructions, but the block need not wait for all channels of the
/// layer before.
static void part_words(xc_search *search, xc_schedule *schedule) {
  xc_units *units = &schedule->units;
  size_t before = 0, start = 0, size;
  for (size_t u = 0; u < units->count; u += size) {
    size = xc_units_together(&units->items[u], u);
    if (u > 0 && units->items[u].number != units->items[u - 1].number)
      before = start;
    start = u;
    size_t last = u + size - 1;
    if (last + 1 < units->count)
      last += xc_units_together(&units->items[last + 1], last + 1);
    for (size_t v = u; v < u + size; ++v) {
      if (!xc_can_part_words(&units->items[v]))
        continue;
      int64_t cycles = xc_search_end_of(search, schedule, before, last);
      units->items[v].layout.parts_words = true;
      units->items[v].layout.parts_words =
          xc_search_end_of(search, schedule, before, last) < cycles;
    }
  }
}

//===----------------------------------------------------------------------===//
// Parameters of cascades
//===----------------------------------------------------------------------===//

/// Lets cascades load the parameters of all units but the first one late, where
/// that is faster: the first unit begins before they are there, and they come
/// between rows that it waits for.
static void load_late(xc_search *search, xc_schedule *schedule) {
  xc_units *units = &schedule->units;
  size_t before = 0, size;
  for (size_t u = 0; u < units->count; before = u, u += size) {
    xc_unit *unit = &units->items[u];
    size = xc_units_together(unit, u);
    if (unit->cascade_last <= u)
      continue;
    size_t last = u + size - 1;
    if (last + 1 < units->count)
      last += xc_units_together(unit + size, last + 1);
    int64_t cycles = xc_search_end_of(search, schedule, before, last);
    unit->has_late_parameters = true;
    unit->has_late_parameters =
        xc_search_end_of(search, schedule, before, last) < cycles;
  }
}

//===----------------------------------------------------------------------===//
// Finishing
//===----------------------------------------------------------------------===//

/// Decides in which order bytes come from DDR. Returns the cycles of the
/// schedule, which has been priced.
static int64_t finish_transfers(xc_search *search, xc_schedule *schedule) {
  alternate_groups(search, schedule);
  load_late(search, schedule);
  return xc_join_parameters(schedule, search->estimator,
                            xc_search_recall(search, schedule), XC_JOIN_BEST);
}

/// Exchanges a schedule with an alternative that is kept in its place.
static void exchange(xc_search *search, xc_schedule *schedule,
                     xc_schedule *other) {
  xc_schedule before = *schedule;
  *schedule = *other;
  *other = before;
  ++search->num_kept;
}

/// Finishes a schedule, or the one with its last rows in strips, and returns
/// the cycles of the faster one, which is then in `schedule`. Both are finished
/// if transfers of parameters could change which of them is faster.
static int64_t finish_faster(xc_search *search, xc_schedule *schedule,
                             xc_schedule *striped) {
  enum { PART = 200 };
  int64_t before = xc_search_recall(search, schedule);
  int64_t after = xc_search_cycles(search, striped);
  bool takes = after < before - before / PART ||
               (search->forces_forms && after < XC_CANNOT_ENCODE);
  int64_t cycles = takes ? INT64_MAX : finish_transfers(search, schedule);
  if (!takes && after >= before)
    return cycles;
  int64_t now = finish_transfers(search, striped);
  if (now >= cycles)
    return cycles;
  exchange(search, schedule, striped);
  return now;
}

/// Finishes a schedule with the pools as they are.
static xc_finished finish_units(xc_search *search, xc_schedule *schedule) {
  size_t priced = search->num_priced;
  xc_finished result = {.key = xc_schedule_key(schedule)};
  part_words(search, schedule);
  xc_reshape_pixels(search, schedule);
  xc_schedule striped = xc_schedule_in_ddr(schedule, search);
  striped.way = schedule->way;
  result.cycles = xc_strip_last_rows(search, &striped)
                      ? finish_faster(search, schedule, &striped)
                      : finish_transfers(search, schedule);
  xc_schedule_free(&striped);
  result.num_priced = search->num_priced - priced;
  return result;
}

// The schedule with divided pools shares the images of the other one until it
// is finished.
xc_finished xc_finish_schedule(xc_search *search, xc_schedule *schedule) {
  xc_schedule parted = xc_schedule_in_ddr(schedule, search);
  parted.way = schedule->way;
  xc_finished of_parts = {.cycles = INT64_MAX};
  if (xc_part_concat_pools(search, &parted))
    of_parts = finish_units(search, &parted);
  xc_finished result = finish_units(search, schedule);
  result.num_priced += of_parts.num_priced;
  if (of_parts.cycles < result.cycles) {
    exchange(search, schedule, &parted);
    result.cycles = of_parts.cycles;
  }
  xc_schedule_free(&parted);
  return result;
}

int64_t xc_finish_residency(xc_search *search, xc_schedule *schedule,
                            int64_t cycles) {
  xc_schedule held = xc_schedule_in_ddr(schedule, search);
  held.way = schedule->way;
  for (size_t u = 0; u < held.units.count; ++u)
    memset(held.units.items[u].pieces, 0, sizeof held.units.items[u].pieces);
  int64_t now =
      xc_hold_late(search, &held) ? finish_transfers(search, &held) : INT64_MAX;
  if (now < cycles) {
    exchange(search, schedule, &held);
    cycles = now;
  }
  xc_schedule_free(&held);
  return cycles;
}
