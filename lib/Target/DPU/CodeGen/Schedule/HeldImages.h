//===- HeldImages.h - images in the banks of a schedule -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The images that a schedule holds in the banks. Late decisions change such
// images, or need words that none of them occupies.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_HELDIMAGES_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_HELDIMAGES_H

#include "Residency.h"

/// An image, and the units from its first to its last use.
typedef struct xc_held_image {
  xc_bank_image *image;
  size_t first, last;
} xc_held_image;

typedef struct xc_held_images {
  xc_held_image *items;
  xc_bank_image *copies;
  size_t count;
} xc_held_images;

/// Where a unit says which image its k-th one is: an input, or after them the
/// output. Null: it is in DDR.
static inline const xc_bank_image **xc_image_slot(xc_unit *unit, size_t k) {
  return k < unit->layer.numInputs ? &unit->layout.inputs[k]
                                   : &unit->layout.output;
}

bool xc_unit_uses(xc_unit *unit, const xc_bank_image *image);

/// Reserves the areas through which a unit loads and saves, for units
/// first..last.
void xc_reserve_areas(xc_residency *residency, size_t u, size_t first,
                      size_t last);

/// A schedule in which layouts are changed after its cascades are known. Its
/// images are copies, which may be changed in place and live as long as the
/// schedule. Reservation i in the memory of `residency` is that of image i.
typedef struct xc_held_schedule {
  xc_residency residency;
  xc_held_images images;
  size_t *together; // for each unit, the first of those that run with it
} xc_held_schedule;

xc_held_schedule xc_held_begin(xc_search *search, xc_schedule *schedule);
void xc_held_end(xc_held_schedule *held);

static inline xc_unit *xc_held_unit(const xc_held_schedule *held, size_t u) {
  return &held->residency.units->items[u];
}

/// The last of the units that run together with one.
static inline size_t xc_held_last_together(const xc_held_schedule *held,
                                           size_t u) {
  size_t first = held->together[u];
  return first + xc_units_together(xc_held_unit(held, first), first) - 1;
}

static inline bool xc_held_is_alone(const xc_held_schedule *held, size_t u) {
  return held->together[u] == xc_held_last_together(held, u);
}

/// Prices units first..last, which begin and end with whole cascades, with the
/// layer or cascade before them and `reach` of those behind. Returns their end.
int64_t xc_held_end_around(const xc_held_schedule *held, size_t first,
                           size_t last, int reach);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_HELDIMAGES_H
