//===- LateResidency.c - buffers that are held after cascades -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Residency (Residency.c) is decided by the cost model, for which a buffer
// between two units that keep an engine busy gains nothing. In the whole
// schedule its LOADs and SAVEs delay those of other units. Once cascades are
// known, the static estimate tells: buffers that still go through DDR are held
// where there is room for them beside everything that the banks have by then.
//
//===----------------------------------------------------------------------===//

#include "HeldImages.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <stdlib.h>
#include <string.h>

enum {
  /// Units through which a buffer is held.
  MAX_UNITS = 32,
  /// Layers or cascades after them whose end counts.
  REACH = 2,
};

/// Units that a buffer is held through. They begin and end with whole cascades.
typedef struct unit_range {
  size_t first, last;
} unit_range;

/// The price of units. Of the same cycles, fewer bytes are better.
typedef struct late_price {
  int64_t cycles, bytes;
} late_price;

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

static late_price price_range(const xc_held_schedule *r, unit_range range) {
  late_price price = {
      .cycles = xc_held_end_around(r, range.first, range.last, REACH)};
  for (size_t u = range.first; u <= range.last; ++u)
    price.bytes += xc_unit_bytes(xc_held_unit(r, u));
  return price;
}

static bool is_better(late_price a, late_price b) {
  return a.cycles < b.cycles || (a.cycles == b.cycles && a.bytes < b.bytes);
}

//===----------------------------------------------------------------------===//
// Room
//===----------------------------------------------------------------------===//

/// Reserves the areas of units that run together. Units by themselves are
/// planned anew with the words that are left.
static void reserve_cascades(xc_held_schedule *r) {
  for (size_t u = 0; u < r->residency.units->count; ++u)
    if (!xc_held_is_alone(r, u))
      xc_reserve_areas(&r->residency, u, r->together[u],
                       xc_held_last_together(r, u));
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Whether all of the buffer goes through DDR, and the units that use it do not
/// share the rows that they load.
static bool is_in_ddr(const xc_held_schedule *r,
                      const xc_tensor_buffer *buffer) {
  if (!buffer->can_hold || buffer->num_writers == 0 ||
      buffer->num_writers == buffer->num_uses ||
      !xc_use_is_write(&buffer->uses[0]))
    return false;
  for (size_t i = 0; i < buffer->num_uses; ++i) {
    const xc_buffer_use *use = &buffer->uses[i];
    const xc_unit_layout *layout = &xc_held_unit(r, use->unit)->layout;
    if (xc_use_is_write(use) ? layout->output != NULL
                             : layout->inputs[use->slot] != NULL)
      return false;
    for (size_t u = r->together[use->unit];
         u <= xc_held_last_together(r, use->unit); ++u)
      if (xc_held_unit(r, u)->layout.shares_input ||
          xc_held_unit(r, u)->num_sharing)
        return false;
  }
  return true;
}

/// Plans a unit of a cascade. Returns false if its blocks would change.
static bool plan_in_cascade(const xc_held_schedule *r, size_t u) {
  xc_unit *unit = xc_held_unit(r, u);
  xc_unit now = *unit;
  bool ok = xc_plan_unit(r->residency.target, &now) &&
            now.plan.block_rows == unit->plan.block_rows &&
            now.plan.num_blocks == unit->plan.num_blocks;
  if (ok)
    *unit = now;
  return ok;
}

/// Plans the units anew, of which some use the image. Returns false if one
/// cannot be planned.
static bool plan_range(xc_held_schedule *r, unit_range range,
                       const xc_bank_image *image) {
  for (size_t u = range.first; u <= range.last; ++u) {
    xc_unit *unit = xc_held_unit(r, u);
    // Strips of the last rows are copied now, instead of being loaded.
    if (xc_held_is_alone(r, u) && xc_unit_uses(unit, image) &&
        unit->plan.tiles.strips.rows > 0)
      unit->layout.copies_strips = true;
    bool ok =
        xc_held_is_alone(r, u)
            ? xc_replan_unit(&r->residency, u) != XC_INFEASIBLE
            : !xc_unit_uses(xc_held_unit(r, u), image) || plan_in_cascade(r, u);
    if (!ok)
      return false;
  }
  return true;
}

/// Holds the buffer in one of the groups up to its reads by `last_use`. Returns
/// false if there is no room; the caller restores the units then.
static bool hold_in_group(xc_held_schedule *r, xc_tensor_buffer *buffer,
                          size_t last_use, unit_range range, int group) {
  xc_residency *residency = &r->residency;
  xc_bank_image *image =
      xc_arena_alloc(&residency->schedule->arena, 1, sizeof *image);
  *image = xc_bank_image_of(residency, buffer);
  xc_bank_reservation reservation;
  if (!xc_bank_memory_find(&residency->memory, group,
                           image->band_words * image->num_slots, range.first,
                           range.last, &reservation))
    return false;
  image->group = xc_image_group(residency->target, group);
  image->base = reservation.base;
  xc_point_uses(residency, buffer, image, last_use);
  xc_set_saves(residency, buffer, image);
  xc_bank_memory_reserve(&residency->memory, &reservation);
  return plan_range(r, range, image);
}

/// Holds the buffer up to its reads by `last_use`, if that is better. Returns
/// whether it is.
static bool try_hold(xc_held_schedule *r, xc_tensor_buffer *buffer,
                     size_t last_use) {
  unit_range range = {r->together[buffer->uses[0].unit],
                      xc_held_last_together(r, last_use)};
  size_t count = range.last - range.first + 1;
  if (count > MAX_UNITS)
    return false;
  xc_unit before[MAX_UNITS];
  memcpy(before, xc_held_unit(r, range.first), count * sizeof *before);
  size_t reservations = r->residency.memory.count;
  late_price now = price_range(r, range);
  for (int group = 0; group < XC_IMAGE_GROUPS; ++group) {
    if (hold_in_group(r, buffer, last_use, range, group) &&
        is_better(price_range(r, range), now))
      return true;
    memcpy(xc_held_unit(r, range.first), before, count * sizeof *before);
    xc_bank_memory_release(&r->residency.memory, reservations);
  }
  return false;
}

/// Holds a buffer up to the latest of its reads for which that is better.
/// Returns whether there is one.
static bool hold(xc_held_schedule *r, xc_tensor_buffer *buffer) {
  if (!is_in_ddr(r, buffer))
    return false;
  xc_bank_image image = xc_bank_image_of(&r->residency, buffer);
  if ((int64_t)image.band_words * image.num_slots > r->residency.memory.depth)
    return false;
  for (size_t i = buffer->num_uses; i-- > 0;) {
    const xc_buffer_use *use = &buffer->uses[i];
    if (xc_use_is_write(use))
      return false;
    if (xc_use_suits(r->residency.units, use, &image) &&
        try_hold(r, buffer, use->unit))
      return true;
  }
  return false;
}

bool xc_hold_late(xc_search *search, xc_schedule *schedule) {
  if (!xc_search_goes_on(search, XcDpuEffortDefault))
    return false;
  xc_held_schedule r = xc_held_begin(search, schedule);
  xc_tensor_buffers_collect(&r.residency.buffers, schedule->target,
                            &schedule->units);
  reserve_cascades(&r);
  bool is_any = false;
  for (size_t i = 0; i < r.residency.buffers.count; ++i)
    is_any |= hold(&r, &r.residency.buffers.items[i]);
  xc_held_end(&r);
  return is_any;
}
