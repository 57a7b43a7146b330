//===- HeldImages.c - images in the banks of a schedule -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeldImages.h"

#include "Target/DPU/CodeGen/Plan/LayerKind.h"

#include <stdlib.h>

bool xc_unit_uses(xc_unit *unit, const xc_bank_image *image) {
  bool found = false;
  for (size_t k = 0; k <= unit->layer.numInputs; ++k)
    found |= *xc_image_slot(unit, k) == image;
  return found;
}

typedef struct image_use {
  const xc_bank_image **slot;
  size_t unit;
} image_use;

static int compare_uses(const void *a, const void *b) {
  const image_use *x = a, *y = b;
  if (*x->slot != *y->slot)
    return *x->slot < *y->slot ? -1 : 1;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static size_t find_uses(const xc_units *units, image_use *result) {
  size_t count = 0;
  for (size_t u = 0; u < units->count; ++u)
    for (size_t k = 0; k <= units->items[u].layer.numInputs; ++k) {
      const xc_bank_image **slot = xc_image_slot(&units->items[u], k);
      if (!*slot)
        continue;
      if (result)
        result[count] = (image_use){slot, u};
      ++count;
    }
  return count;
}

static void reserve(xc_residency *residency, const xc_held_image *held) {
  const xc_bank_image *image = held->image;
  xc_bank_reservation one = {.group = image->group !=
                                      xc_image_group(residency->target, 0),
                             .base = image->base,
                             .words = image->band_words * image->num_slots,
                             .first = held->first,
                             .last = held->last};
  xc_bank_memory_reserve(&residency->memory, &one);
}

/// Gives the units copies of their images, and reserves the words of each.
static xc_held_images hold_images(xc_residency *residency) {
  xc_units *units = residency->units;
  size_t count = find_uses(units, NULL);
  image_use *all = xc_alloc_array(count, sizeof *all);
  xc_held_images images = {.items = xc_alloc_array(count, sizeof *images.items),
                           .copies =
                               xc_arena_alloc(&residency->schedule->arena,
                                              count, sizeof *images.copies)};
  find_uses(units, all);
  qsort(all, count, sizeof *all, compare_uses);
  const xc_bank_image *before = NULL;
  for (size_t i = 0; i < count; ++i) {
    if (*all[i].slot != before) {
      before = *all[i].slot;
      images.items[images.count] = (xc_held_image){.first = all[i].unit};
      images.copies[images.count++] = *before;
    }
    xc_held_image *held = &images.items[images.count - 1];
    held->last = all[i].unit;
    *all[i].slot = held->image = &images.copies[images.count - 1];
  }
  for (size_t i = 0; i < images.count; ++i)
    reserve(residency, &images.items[i]);
  free(all);
  return images;
}

static bool loads_input(const xc_unit *unit) {
  return unit->kind->has_window ? !unit->layout.inputs[0]
                                : xc_unit_loaded_inputs(unit) > 0;
}

static bool loads_operand(const xc_unit *unit) {
  return unit->kind->has_window && unit->layer.numInputs == 2 &&
         !unit->layout.inputs[1];
}

static void reserve_area(xc_residency *residency, const xc_bank_area *area,
                         size_t first, size_t last) {
  xc_bank_reservation one = {.group = area->group !=
                                      xc_image_group(residency->target, 0),
                             .base = area->base,
                             .words = area->words,
                             .first = first,
                             .last = last};
  xc_bank_memory_reserve(&residency->memory, &one);
}

void xc_reserve_areas(xc_residency *residency, size_t u, size_t first,
                      size_t last) {
  const xc_unit *unit = &residency->units->items[u];
  if (loads_input(unit))
    reserve_area(residency, &unit->layout.input_area, first, last);
  if (loads_operand(unit))
    reserve_area(residency, &unit->layout.operand_area, first, last);
  if (!unit->layout.output)
    reserve_area(residency, &unit->layout.output_area, first, last);
}

static size_t *first_together(const xc_units *units) {
  size_t *result = xc_alloc_array(units->count, sizeof *result);
  for (size_t u = 0, size; u < units->count; u += size) {
    size = xc_units_together(&units->items[u], u);
    for (size_t v = u; v < u + size; ++v)
      result[v] = u;
  }
  return result;
}

xc_held_schedule xc_held_begin(xc_search *search, xc_schedule *schedule) {
  xc_held_schedule held = {.residency = {.schedule = schedule,
                                         .search = search,
                                         .target = schedule->target,
                                         .units = &schedule->units},
                           .together = first_together(&schedule->units)};
  xc_bank_memory_begin(&held.residency.memory, schedule->target->image.depth,
                       schedule->units.count);
  held.images = hold_images(&held.residency);
  return held;
}

void xc_held_end(xc_held_schedule *held) {
  xc_tensor_buffers_free(&held->residency.buffers);
  xc_bank_memory_end(&held->residency.memory);
  free(held->images.items);
  free(held->together);
}

int64_t xc_held_end_around(const xc_held_schedule *held, size_t first,
                           size_t last, int reach) {
  const xc_residency *residency = &held->residency;
  size_t before = first > 0 ? held->together[first - 1] : 0;
  for (int i = 0; i < reach && last + 1 < residency->units->count; ++i)
    last = xc_held_last_together(held, last + 1);
  return xc_search_end_of(residency->search, residency->schedule, before, last);
}
