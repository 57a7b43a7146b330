//===- Schedule.c - a schedule as a value ---------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void xc_schedule_free(xc_schedule *schedule) {
  free(schedule->units.items);
  free(schedule->choices);
  free(schedule->numbers);
  free(schedule->pieces);
  free(schedule->transfers);
  xc_arena_free(&schedule->arena);
  *schedule = (xc_schedule){0};
}

xc_schedule xc_schedule_in_ddr(const xc_schedule *layers,
                               struct xc_search *search) {
  (void)search;
  size_t count = layers->units.count;
  xc_schedule copy = {.target = layers->target,
                      .units = {.count = count, .capacity = count}};
  copy.units.items = xc_alloc_array(count, sizeof *copy.units.items);
  if (count > 0)
    memcpy(copy.units.items, layers->units.items,
           count * sizeof *copy.units.items);
  return copy;
}

xc_schedule xc_copy_layers(const xc_schedule *layers) {
  xc_schedule copy = xc_schedule_in_ddr(layers, NULL);
  size_t count = layers->num_choices;
  copy.engines = layers->engines;
  copy.choices = xc_alloc_array(count, sizeof *copy.choices);
  copy.num_choices = copy.choices_capacity = count;
  if (count > 0)
    memcpy(copy.choices, layers->choices, count * sizeof *copy.choices);
  return copy;
}

void xc_find_whole_inputs(xc_units *units) {
  size_t *end = xc_alloc_array(xc_free_buffer(units), sizeof *end);
  for (size_t u = 0; u < units->count; ++u)
    end[units->items[u].layer.output.buffer] =
        units->items[u].is_recomputed ? SIZE_MAX : u + 1;
  for (size_t u = 0; u < units->count; ++u) {
    xc_unit *unit = &units->items[u];
    for (size_t k = 0; k < unit->layer.numInputs; ++k) {
      uint32_t buffer = unit->layer.inputs[k].buffer;
      // Pixels between recomputed ones are of another buffer.
      bool is_whole = buffer != 0 && end[buffer] <= u;
      unit->whole_inputs |= (uint32_t)is_whole << k;
    }
  }
  free(end);
}

void xc_replace_unit(xc_schedule *schedule, size_t unit, const xc_unit *parts,
                     size_t count) {
  xc_units *units = &schedule->units;
  size_t more = count - 1;
  for (size_t v = 0; v < units->count; ++v) {
    xc_unit *other = &units->items[v];
    if (other->cascade_last >= unit && other->cascade_last > v)
      other->cascade_last += more;
    if (v > unit && v - other->layout.shares_input < unit)
      other->layout.shares_input += more;
  }
  const xc_unit before = units->items[unit];
  xc_append_units(units, parts, more); // for the room
  memmove(units->items + unit + count, units->items + unit + 1,
          (units->count - unit - count) * sizeof *parts);
  memcpy(units->items + unit, parts, count * sizeof *parts);
  units->items[unit].cascade_last = before.cascade_last;
  units->items[unit].prefetch_distance = before.prefetch_distance;
  units->items[unit].has_late_parameters = before.has_late_parameters;
}

void xc_remove_unit(xc_schedule *schedule, size_t unit) {
  xc_units *units = &schedule->units;
  assert(units->items[unit].cascade_last <= unit &&
         "the first unit of a cascade has what belongs to all of it");
  for (size_t v = 0; v < units->count; ++v) {
    xc_unit *other = &units->items[v];
    if (other->cascade_last >= unit && other->cascade_last > v)
      --other->cascade_last;
    if (v < unit && other->cascade_last == v) // one unit is no cascade
      other->cascade_last = 0;
    if (v > unit && v - other->layout.shares_input < unit)
      --other->layout.shares_input;
  }
  --units->count;
  memmove(units->items + unit, units->items + unit + 1,
          (units->count - unit) * sizeof *units->items);
}
