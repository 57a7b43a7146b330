//===- Cascades.h - one cascade -----------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_CASCADES_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_CASCADES_H

#include "Residency.h"

enum {
  XC_CASCADE_UNITS = 12,
  XC_CASCADE_ROLLING = XC_CASCADE_UNITS * XC_DPU_MAX_INPUTS,
};

/// A buffer that passes through the banks.
typedef struct xc_rolling_buffer {
  xc_tensor_buffer *buffer;
  xc_bank_image *image;
  int32_t all_slots, needed_slots;
} xc_rolling_buffer;

typedef struct xc_cascade {
  xc_residency *residency;
  size_t first, last;
  xc_rolling_buffer rolling[XC_CASCADE_ROLLING];
  size_t num_rolling;
  xc_unit before[XC_CASCADE_UNITS]; // the units as they are without it
  size_t reservations_before;
  bool has_released; // buffers that are held without it
} xc_cascade;

static inline xc_unit *xc_cascade_unit(const xc_cascade *cascade, size_t u) {
  return &cascade->residency->units->items[u];
}

static inline size_t xc_cascade_size(const xc_cascade *cascade) {
  return cascade->last - cascade->first + 1;
}

/// Plans units first..last, which `before` has, as a cascade. Buffers that are
/// held may occupy the words that it needs. They are released if there is no
/// other way, and if that is allowed. Its cycles by the cost model, or
/// XC_INFEASIBLE.
int64_t xc_plan_cascade(xc_cascade *cascade);

/// Gives the units back what they had before.
void xc_dissolve_cascade(xc_cascade *cascade);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_CASCADES_H
