//===- Greedy.c - the strategy that is used -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Residency.h"

#include <stdlib.h>

xc_schedule xc_schedule_greedy(const xc_schedule *layers,
                               xc_schedule_estimator estimate) {
  xc_schedule schedule = xc_schedule_in_ddr(layers, estimate);
  xc_units *units = &schedule.units;
  const XcDpuTarget *target = schedule.target;
  xc_residency residency = {.schedule = &schedule,
                            .estimate = estimate,
                            .target = target,
                            .units = units};
  xc_tensor_buffers_collect(&residency.buffers, target, units);
  xc_bank_memory_begin(&residency.memory, target->image.depth, units->count);
  residency.apart = xc_alloc_array(units->count, sizeof(int64_t));
  xc_hold_buffers(&residency);
  xc_form_cascades(&residency);
  xc_tensor_buffers_free(&residency.buffers);
  xc_bank_memory_end(&residency.memory);
  free(residency.apart);
  return schedule;
}
