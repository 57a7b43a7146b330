//===- Reshape.c - rows and columns that fill the lanes -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution with a kernel of one element computes pixel by pixel, and may
// take its pixels as rows of any length. Here it gets the rows in which the
// fewest lanes are idle. An image in DDR can be read as any rows. The rows of
// an image in the banks are those of all its users, which change together; if
// they cannot, the image goes through DDR. All of this is done where it is
// faster by the static estimate.
//
//===----------------------------------------------------------------------===//

#include "HeldImages.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"
#include "Target/DPU/CodeGen/Plan/Reshape.h"

#include <stdlib.h>
#include <string.h>

enum {
  /// Units that change together, and the images that they have in the banks.
  MAX_MEMBERS = 32,
  MAX_IMAGES = 64,
  /// Widths that are planned, and those of them that are estimated: by default
  /// and with more effort.
  MAX_BLOCKS = 24,
  MAX_WIDTHS = 8,
  FEW_WIDTHS = 2,
};

typedef struct reshaping {
  xc_held_schedule held;
  bool *was_tried;
  size_t members[MAX_MEMBERS], num_members;
  size_t touched[MAX_IMAGES], num_touched; // images of members
  size_t begin, end;                       // the units that have these
} reshaping;

static xc_unit *unit_at(const reshaping *r, size_t u) {
  return xc_held_unit(&r->held, u);
}

static bool is_apart(const reshaping *r, size_t u) {
  return xc_held_is_alone(&r->held, u);
}

static bool is_member(const reshaping *r, size_t u) {
  for (size_t i = 0; i < r->num_members; ++i)
    if (r->members[i] == u)
      return true;
  return false;
}

static size_t number_of(const reshaping *r, const xc_bank_image *image) {
  return (size_t)(image - r->held.images.copies);
}

/// Whether a unit uses all pixels of its k-th image, each row in a bank.
static bool has_all_pixels(xc_unit *unit, size_t k) {
  const xc_bank_image *image = *xc_image_slot(unit, k);
  return !image ||
         (image->bank_rows == 1 &&
          image->row_words == image->pixel_words * unit->layer.output.width &&
          (k == unit->layer.numInputs || unit->layout.input_rows[k] == 0));
}

/// Whether the unit can have other rows, if its images have.
static bool can_change(const reshaping *r, size_t u) {
  xc_unit *unit = unit_at(r, u);
  bool ok = is_apart(r, u) && xc_can_reshape_unit(unit);
  for (size_t k = 0; ok && k <= unit->layer.numInputs; ++k)
    ok = has_all_pixels(unit, k);
  return ok;
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

static bool touch(reshaping *r, size_t image) {
  for (size_t i = 0; i < r->num_touched; ++i)
    if (r->touched[i] == image)
      return true;
  if (r->num_touched == MAX_IMAGES)
    return false;
  r->touched[r->num_touched++] = image;
  if (r->held.images.items[image].first < r->begin)
    r->begin = r->held.images.items[image].first;
  if (r->held.images.items[image].last > r->end)
    r->end = r->held.images.items[image].last;
  return true;
}

/// Adds a member and its images; false if that is not possible.
static bool add_member(reshaping *r, size_t u) {
  xc_unit *unit = unit_at(r, u);
  if (r->num_members == MAX_MEMBERS)
    return false;
  r->members[r->num_members++] = u;
  for (size_t k = 0; k <= unit->layer.numInputs; ++k) {
    const xc_bank_image *image = *xc_image_slot(unit, k);
    if (image && !touch(r, number_of(r, image)))
      return false;
  }
  return true;
}

static bool start_with(reshaping *r, size_t u) {
  r->num_members = r->num_touched = 0;
  r->begin = r->end = u;
  return add_member(r, u);
}

/// Adds the units that can change and have images of members.
static bool add_connected(reshaping *r) {
  const XcDpuImage *out = &unit_at(r, r->members[0])->layer.output;
  bool ok = true;
  for (size_t i = 0; i < r->num_touched; ++i) {
    const xc_held_image *held = &r->held.images.items[r->touched[i]];
    for (size_t v = held->first; ok && v <= held->last; ++v) {
      const XcDpuImage *other = &unit_at(r, v)->layer.output;
      if (xc_unit_uses(unit_at(r, v), held->image) && !is_member(r, v) &&
          other->height == out->height && other->width == out->width &&
          can_change(r, v))
        ok = add_member(r, v);
    }
  }
  return ok;
}

//===----------------------------------------------------------------------===//
// A change
//===----------------------------------------------------------------------===//

/// The units and images before a change.
typedef struct backup {
  xc_unit *units;
  xc_bank_image images[MAX_IMAGES];
  xc_bank_reservation reservations[MAX_IMAGES];
} backup;

static size_t span_bytes(const reshaping *r) {
  return (r->end - r->begin + 1) * sizeof(xc_unit);
}

static void save_state(const reshaping *r, backup *state) {
  memcpy(state->units, unit_at(r, r->begin), span_bytes(r));
  for (size_t i = 0; i < r->num_touched; ++i) {
    state->images[i] = r->held.images.copies[r->touched[i]];
    state->reservations[i] =
        r->held.residency.memory.reservations[r->touched[i]];
  }
}

static void restore_state(reshaping *r, const backup *state) {
  memcpy(unit_at(r, r->begin), state->units, span_bytes(r));
  for (size_t i = 0; i < r->num_touched; ++i) {
    r->held.images.copies[r->touched[i]] = state->images[i];
    r->held.residency.memory.reservations[r->touched[i]] =
        state->reservations[i];
  }
}

static bool is_internal(const reshaping *r, const xc_held_image *held) {
  for (size_t u = held->first; u <= held->last; ++u)
    if (!is_member(r, u) && xc_unit_uses(unit_at(r, u), held->image))
      return false;
  return true;
}

/// Lets an image go through DDR; false if one of its users is in a cascade.
static bool release_image(reshaping *r, size_t number) {
  const xc_held_image *held = &r->held.images.items[number];
  r->held.residency.memory.reservations[number].is_suspended = true;
  for (size_t u = held->first; u <= held->last; ++u) {
    xc_unit *unit = unit_at(r, u);
    if (!xc_unit_uses(unit, held->image))
      continue;
    if (!is_apart(r, u))
      return false;
    for (size_t k = 0; k < unit->layer.numInputs; ++k)
      if (unit->layout.inputs[k] == held->image) {
        unit->layout.inputs[k] = NULL;
        unit->layout.input_words[k] = unit->layout.input_rows[k] = 0;
      }
    if (unit->layout.output == held->image) {
      unit->layout.output = NULL;
      unit->layout.output_word = 0;
      unit->layout.saves = true;
    }
  }
  return true;
}

/// Gives an image other rows in the words that it has; false if these are too
/// few.
static bool reshape_image(reshaping *r, size_t number, int32_t height,
                          int32_t width) {
  xc_bank_image *image = &r->held.images.copies[number];
  xc_bank_reservation *words = &r->held.residency.memory.reservations[number];
  image->row_words = image->band_words = width * image->pixel_words;
  image->num_slots =
      xc_ceil_div(height, r->held.residency.target->pixelParallel);
  if ((int64_t)image->band_words * image->num_slots > words->words)
    return false;
  words->words = image->band_words * image->num_slots;
  return true;
}

/// Plans what has changed. The cycles of these units by themselves, or
/// XC_INFEASIBLE.
static int64_t replan(reshaping *r, const backup *before) {
  int64_t sum = 0;
  for (size_t u = r->begin; u <= r->end; ++u) {
    const xc_unit *was = &before->units[u - r->begin];
    bool is_changed =
        is_member(r, u) ||
        memcmp(&unit_at(r, u)->layout, &was->layout, sizeof was->layout) != 0;
    int64_t cycles = is_changed ? xc_replan_unit(&r->held.residency, u)
                                : xc_unit_cycles(was);
    if (cycles == XC_INFEASIBLE)
      return XC_INFEASIBLE;
    sum += cycles;
  }
  return sum;
}

/// Gives the members rows of that width. The cycles of all units by themselves,
/// or XC_INFEASIBLE; the caller then restores what was before.
static int64_t change(reshaping *r, const backup *before, int32_t width) {
  int32_t pixels = xc_unit_pixels(unit_at(r, r->members[0]));
  for (size_t i = 0; i < r->num_touched; ++i) {
    size_t number = r->touched[i];
    bool ok = is_internal(r, &r->held.images.items[number])
                  ? reshape_image(r, number, xc_ceil_div(pixels, width), width)
                  : release_image(r, number);
    if (!ok)
      return XC_INFEASIBLE;
  }
  for (size_t i = 0; i < r->num_members; ++i)
    xc_reshape_unit(unit_at(r, r->members[i]), width);
  return replan(r, before);
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Returns the cycles of the engine for a word of the output of the first
/// member.
static int64_t engine_cycles(const reshaping *r, int32_t blocks,
                             int32_t width) {
  const xc_tile_request *request = &unit_at(r, r->members[0])->plan.request;
  return (int64_t)blocks *
         (request->engine_start + (int64_t)width * request->engine_groups);
}

typedef struct candidate {
  int32_t width;
  int64_t cycles; // of the units by themselves
} candidate;

/// Adds one to those that take the least time, at most `most`.
static size_t insert(candidate *best, size_t count, size_t most,
                     candidate one) {
  size_t at = count;
  while (at > 0 && best[at - 1].cycles > one.cycles)
    --at;
  if (at == most)
    return count;
  count += count < most;
  memmove(best + at + 1, best + at, (count - at - 1) * sizeof *best);
  best[at] = one;
  return count;
}

/// Finds the widths with the fastest plans, of those that are no slower for the
/// engine than by a sixteenth.
static size_t find_widths(reshaping *r, const backup *before,
                          candidate best[MAX_WIDTHS]) {
  const xc_unit *unit = unit_at(r, r->members[0]);
  const XcDpuTarget *target = r->held.residency.target;
  int32_t lanes = target->pixelParallel, pixels = xc_unit_pixels(unit);
  int32_t width_now = unit->layer.output.width, last = 0;
  int32_t blocks = xc_ceil_div(unit->layer.output.height, lanes);
  int64_t cycles_now = engine_cycles(r, blocks, width_now);
  bool searches = xc_search_goes_on(r->held.residency.search, XcDpuEffortMore);
  size_t count = 0, most = searches ? MAX_WIDTHS : FEW_WIDTHS;
  for (int32_t b = 1; b <= xc_minimum(2 * blocks, MAX_BLOCKS); ++b) {
    int32_t width = xc_ceil_div(pixels, b * lanes);
    if (width == last || width > xc_max_length(target) ||
        engine_cycles(r, b, width) >= cycles_now + cycles_now / 16)
      continue;
    last = width;
    int64_t cycles = change(r, before, width);
    restore_state(r, before);
    if (cycles != XC_INFEASIBLE)
      count = insert(best, count, most, (candidate){width, cycles});
  }
  return count;
}

/// Returns the end of the units that are changed and their neighbours.
static int64_t end_of(const reshaping *r) {
  const xc_schedule *schedule = r->held.residency.schedule;
  size_t first = r->begin > 0 ? r->held.together[r->begin - 1] : 0,
         last = r->end;
  if (last + 1 < schedule->units.count)
    last += xc_units_together(unit_at(r, last + 1), last + 1);
  return xc_search_end_of(r->held.residency.search, schedule, first, last);
}

/// Gives the members the rows that are the fastest. Returns whether there are
/// any.
static bool try_members(reshaping *r) {
  backup *before = xc_alloc(sizeof *before);
  before->units = xc_alloc_array(r->end - r->begin + 1, sizeof(xc_unit));
  save_state(r, before);
  candidate candidates[MAX_WIDTHS];
  size_t count = find_widths(r, before, candidates);
  int64_t best = count > 0 ? end_of(r) : 0;
  int32_t best_width = 0;
  for (size_t i = 0; i < count; ++i) {
    change(r, before, candidates[i].width);
    int64_t cycles = end_of(r);
    restore_state(r, before);
    if (cycles < best) {
      best = cycles;
      best_width = candidates[i].width;
    }
  }
  if (best_width > 0)
    change(r, before, best_width);
  free(before->units);
  free(before);
  return best_width > 0;
}

static void try_unit(reshaping *r, size_t u) {
  if (!can_change(r, u))
    return;
  if (!r->was_tried[u] && start_with(r, u) && add_connected(r)) {
    for (size_t i = 0; i < r->num_members; ++i)
      r->was_tried[r->members[i]] = true;
    if (try_members(r) || r->num_members == 1)
      return;
  }
  if (start_with(r, u))
    try_members(r);
}

static void reshape_units(reshaping *r) {
  size_t count = r->held.residency.units->count;
  memset(r->was_tried, 0, count * sizeof *r->was_tried);
  for (size_t u = 0; u < count; ++u)
    try_unit(r, u);
}

void xc_reshape_pixels(xc_search *search, xc_schedule *schedule) {
  size_t count = schedule->units.count;
  reshaping r = {.held = xc_held_begin(search, schedule),
                 .was_tried = xc_alloc_array(count, sizeof(bool))};
  reshape_units(&r);
  // The rows that are best depend on those of the units around.
  if (xc_search_goes_on(search, XcDpuEffortMore))
    reshape_units(&r);
  xc_held_end(&r.held);
  free(r.was_tried);
}
