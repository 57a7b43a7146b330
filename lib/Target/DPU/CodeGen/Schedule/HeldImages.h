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
  xc_held_image *items; // of the caller
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

/// Gives the units of a schedule copies of their images, which may be changed
/// in place and live as long as the schedule, and reserves the words of each:
/// reservation i, of none before, is that of image i.
xc_held_images xc_hold_images(xc_residency *residency);

/// Reserves the areas through which a unit loads and saves, for units
/// first..last.
void xc_reserve_areas(xc_residency *residency, size_t u, size_t first,
                      size_t last);

/// For each unit, the first of those that run together with it. The caller
/// frees it.
size_t *xc_first_together(const xc_units *units);

/// The last unit that runs together with one; `together` is that list.
static inline size_t xc_last_together(const xc_units *units,
                                      const size_t *together, size_t u) {
  size_t first = together[u];
  return first + xc_units_together(&units->items[first], first) - 1;
}

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_HELDIMAGES_H
