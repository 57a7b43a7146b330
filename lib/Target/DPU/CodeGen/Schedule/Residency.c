//===- Residency.c - buffers that are in the banks as a whole -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers are considered in the order in which they are written. A buffer is
// held from its first write to one of its reads: the one up to which the units
// in between gain most, by estimate, if there is room. What these units still
// load and save goes between the buffers that are held. If some units read the
// buffer from DDR, it is saved as well.
//
//===----------------------------------------------------------------------===//

#include "Residency.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <stdlib.h>
#include <string.h>

enum {
  /// Units through which a buffer is held.
  MAX_UNITS = 48,
};

//===----------------------------------------------------------------------===//
// Areas
//===----------------------------------------------------------------------===//

static xc_bank_area area_of(const xc_residency *residency,
                            const xc_bank_reservation *reservation) {
  return (xc_bank_area){xc_image_group(residency->target, reservation->group),
                        reservation->base, reservation->words};
}

static xc_bank_area part_of(xc_bank_area area, int32_t part, int32_t parts) {
  int32_t words = area.words / parts;
  return (xc_bank_area){area.group, area.base + part * words, words};
}

/// Plans the unit with these areas. `best` is the fastest so far, if it has a
/// kind.
static void try_areas(const xc_residency *residency, const xc_unit *unit,
                      xc_bank_area input, xc_bank_area operand,
                      xc_bank_area output, xc_unit *best) {
  xc_unit now = *unit;
  now.layout.input_area = input;
  now.layout.operand_area = operand;
  now.layout.output_area = output;
  if (xc_plan_unit(residency->target, &now) &&
      (!best->kind || xc_unit_cycles(&now) < xc_unit_cycles(best)))
    *best = now;
}

int64_t xc_replan_unit(xc_residency *residency, size_t u) {
  xc_unit *unit = &residency->units->items[u];
  xc_unit best = {.kind = NULL};
  xc_bank_area gaps[XC_IMAGE_GROUPS];
  for (int g = 0; g < XC_IMAGE_GROUPS; ++g) {
    xc_bank_reservation reservation =
        xc_bank_memory_widest(&residency->memory, g, u, u);
    gaps[g] = area_of(residency, &reservation);
  }
  bool has_operand = unit->plan.request.adds && !unit->layout.inputs[1];
  for (int g = 0; g < XC_IMAGE_GROUPS; ++g) {
    xc_bank_area a = gaps[g], b = gaps[1 - g];
    if (has_operand) {
      try_areas(residency, unit, part_of(a, 0, 2), part_of(a, 1, 2), b, &best);
      try_areas(residency, unit, a, part_of(b, 0, 2), part_of(b, 1, 2), &best);
      try_areas(residency, unit, part_of(a, 0, 3), part_of(a, 1, 3),
                part_of(a, 2, 3), &best);
    } else {
      try_areas(residency, unit, a, b, b, &best);
      try_areas(residency, unit, part_of(a, 0, 2), b, part_of(a, 1, 2), &best);
    }
  }
  if (!best.kind)
    return XC_INFEASIBLE;
  *unit = best;
  return xc_unit_cycles(unit);
}

/// Chooses areas for what units first..last load and save between the
/// reservations and estimates them.
static int64_t replan_units(xc_residency *residency, size_t first,
                            size_t last) {
  int64_t sum = 0;
  for (size_t u = first; u <= last; ++u) {
    int64_t cycles = xc_replan_unit(residency, u);
    if (cycles == XC_INFEASIBLE)
      return XC_INFEASIBLE;
    sum += cycles;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

xc_bank_image xc_bank_image_of(const xc_residency *residency,
                               const xc_tensor_buffer *buffer) {
  const XcDpuTarget *target = residency->target;
  xc_bank_image image = {
      .bank_rows = xc_buffer_bank_rows(buffer, residency->units),
      .pixel_words = xc_words_of(target, buffer->image.channels),
  };
  int32_t band_rows = image.bank_rows * target->pixelParallel;
  image.row_words = image.pixel_words * buffer->image.width;
  image.band_words = image.row_words * image.bank_rows;
  image.num_slots = (buffer->image.height + band_rows - 1) / band_rows;
  return image;
}

bool xc_use_suits(const xc_units *units, const xc_buffer_use *use,
                  const xc_bank_image *image) {
  const xc_unit *unit = &units->items[use->unit];
  return use->can_hold && (use->slot != 0 || !unit->kind->has_window ||
                           unit->layer.output.height == 1 ||
                           unit->layer.strideH == image->bank_rows);
}

static bool is_held(const xc_residency *residency, const xc_buffer_use *use,
                    const xc_bank_image *image) {
  return residency->units->items[use->unit].layout.inputs[use->slot] == image;
}

void xc_point_uses(xc_residency *residency, const xc_tensor_buffer *buffer,
                   const xc_bank_image *image, size_t last_unit) {
  for (size_t i = 0; i < buffer->num_uses; ++i) {
    const xc_buffer_use *use = &buffer->uses[i];
    xc_unit_layout *layout = &residency->units->items[use->unit].layout;
    if (xc_use_is_write(use)) {
      layout->output = image;
      layout->output_word = use->word;
    } else if (use->unit <= last_unit &&
               xc_use_suits(residency->units, use, image)) {
      layout->inputs[use->slot] = image;
      layout->input_words[use->slot] = use->word;
      layout->input_rows[use->slot] = use->row;
    }
  }
}

void xc_set_saves(xc_residency *residency, const xc_tensor_buffer *buffer,
                  const xc_bank_image *image) {
  for (size_t i = 0; i < buffer->num_uses; ++i) {
    const xc_buffer_use *writer = &buffer->uses[i];
    if (!xc_use_is_write(writer))
      continue;
    bool is_read = false;
    for (size_t k = 0; k < buffer->num_uses; ++k) {
      const xc_buffer_use *reader = &buffer->uses[k];
      is_read |= !xc_use_is_write(reader) &&
                 !is_held(residency, reader, image) &&
                 xc_uses_overlap(buffer, residency->units, reader, writer);
    }
    residency->units->items[writer->unit].layout.saves =
        buffer->is_kept || is_read;
  }
}

/// Finds a gap for a buffer. Words that the units just before have used make an
/// engine wait that could begin earlier, so a gap that has been free for some
/// units may be better.
static bool find_gap(xc_residency *residency, int group, int32_t words,
                     size_t first, size_t last, xc_bank_reservation *result) {
  for (size_t back = residency->idle_units; back > 0; back /= 2)
    if (xc_bank_memory_find(&residency->memory, group, words,
                            first > back ? first - back : 0, last, result)) {
      result->first = first;
      return true;
    }
  return xc_bank_memory_find(&residency->memory, group, words, first, last,
                             result);
}

/// Returns the cycles that are gained, or 0, if the buffer is held up to its
/// reads by `last_unit`, in the better one of the image groups. Holds it there
/// if asked to.
static int64_t try_hold(xc_residency *residency, xc_tensor_buffer *buffer,
                        size_t last_unit, bool holds) {
  size_t first = buffer->uses[0].unit, count = last_unit - first + 1;
  xc_unit *units = &residency->units->items[first];
  xc_unit saved[MAX_UNITS], best_units[MAX_UNITS];
  memcpy(saved, units, count * sizeof *units);
  int64_t before = 0;
  for (size_t i = 0; i < count; ++i)
    before += xc_unit_cycles(&units[i]);
  xc_bank_image *image =
      xc_arena_alloc(&residency->schedule->arena, 1, sizeof *image);
  xc_bank_image best_image;
  xc_bank_reservation best_reservation;
  int64_t best = before;
  for (int group = 0; group < XC_IMAGE_GROUPS; ++group) {
    xc_bank_reservation reservation;
    *image = xc_bank_image_of(residency, buffer);
    int32_t words = image->band_words * image->num_slots;
    if (!find_gap(residency, group, words, first, last_unit, &reservation))
      continue;
    image->group = xc_image_group(residency->target, group);
    image->base = reservation.base;
    xc_point_uses(residency, buffer, image, last_unit);
    xc_set_saves(residency, buffer, image);
    size_t reservations = residency->memory.count;
    xc_bank_memory_reserve(&residency->memory, &reservation);
    int64_t cycles = replan_units(residency, first, last_unit);
    xc_bank_memory_release(&residency->memory, reservations);
    if (cycles != XC_INFEASIBLE && cycles < best) {
      best = cycles;
      best_reservation = reservation;
      best_image = *image;
      memcpy(best_units, units, count * sizeof *units);
    }
    memcpy(units, saved, count * sizeof *units);
  }
  if (best == before || !holds)
    return before - best;
  *image = best_image;
  memcpy(units, best_units, count * sizeof *units);
  buffer->reservation = residency->memory.count;
  xc_bank_memory_reserve(&residency->memory, &best_reservation);
  buffer->resident = image;
  return before - best;
}

static void hold(xc_residency *residency, xc_tensor_buffer *buffer) {
  size_t last_write = 0;
  for (size_t i = 0; i < buffer->num_uses; ++i)
    if (xc_use_is_write(&buffer->uses[i]))
      last_write = buffer->uses[i].unit;
  xc_bank_image image = xc_bank_image_of(residency, buffer);
  if ((int64_t)image.band_words * image.num_slots > residency->memory.depth)
    return;
  // Longer is not always better: a sum whose operand lies in rows for the
  // stride of another reader computes one row at a time.
  int64_t most = 0;
  size_t last = 0;
  for (size_t i = buffer->num_uses; i-- > 0;) {
    const xc_buffer_use *use = &buffer->uses[i];
    if (xc_use_is_write(use) || use->unit <= last_write ||
        use->unit - buffer->uses[0].unit >= MAX_UNITS ||
        !xc_use_suits(residency->units, use, &image))
      continue;
    int64_t gain = try_hold(residency, buffer, use->unit, false);
    if (gain > most) {
      most = gain;
      last = use->unit;
    }
  }
  if (most > 0)
    try_hold(residency, buffer, last, true);
}

static int compare_buffers(const void *a, const void *b) {
  const xc_tensor_buffer *x = *(xc_tensor_buffer *const *)a,
                         *y = *(xc_tensor_buffer *const *)b;
  if (x->uses[0].unit != y->uses[0].unit)
    return x->uses[0].unit < y->uses[0].unit ? -1 : 1;
  return x < y ? -1 : x > y;
}

void xc_hold_buffers(xc_residency *residency) {
  size_t count = 0;
  xc_tensor_buffer **order =
      xc_alloc_array(residency->buffers.count, sizeof(xc_tensor_buffer *));
  for (size_t i = 0; i < residency->buffers.count; ++i)
    if (residency->buffers.items[i].can_hold &&
        residency->buffers.items[i].num_writers > 0)
      order[count++] = &residency->buffers.items[i];
  qsort(order, count, sizeof *order, compare_buffers);
  for (size_t i = 0; i < count; ++i)
    hold(residency, order[i]);
  free(order);
}

//===----------------------------------------------------------------------===//
// Buffers that a cascade does not hold
//===----------------------------------------------------------------------===//

void xc_set_held(xc_residency *residency, xc_tensor_buffer *buffer,
                 bool is_held) {
  xc_bank_image *image = is_held ? buffer->suspended : buffer->resident;
  buffer->resident = is_held ? image : NULL;
  buffer->suspended = is_held ? NULL : image;
  residency->memory.reservations[buffer->reservation].is_suspended = !is_held;
}

void xc_hold_again(xc_residency *residency, size_t first, size_t last) {
  for (size_t i = 0; i < residency->buffers.count; ++i) {
    xc_tensor_buffer *buffer = &residency->buffers.items[i];
    if (buffer->suspended && buffer->uses[0].unit >= first &&
        buffer->uses[0].unit <= last)
      xc_set_held(residency, buffer, true);
  }
}
