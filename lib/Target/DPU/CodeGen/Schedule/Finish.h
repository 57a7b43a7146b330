//===- Finish.h - decisions that depend on the whole schedule -----*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is finished when residency and cascades are decided. The remaining
// decisions depend on everything that is held, and change neither: divided
// pools, rows and strips of images in the banks, which image group loads use,
// and the transfers of parameters.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_FINISH_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_FINISH_H

#include "Search.h"

/// A finished schedule, and how it came about.
typedef struct xc_finished {
  xc_price_key key; // of the schedule before it was finished
  int64_t cycles;
  size_t num_priced; // schedules and parts of them, for finishing it
} xc_finished;

/// Makes the remaining decisions. The rest of the schedule stays as it is.
xc_finished xc_finish_schedule(xc_search *search, xc_schedule *schedule);

/// Holds buffers of a finished schedule that go through DDR, if it is faster
/// then. Returns the end of its last unit, which was `cycles` before.
int64_t xc_finish_residency(xc_search *search, xc_schedule *schedule,
                            int64_t cycles);

/// Whether an engine that computes each channel by itself finds all channels of
/// the unit in the banks, so that it can compute the last block word by word.
bool xc_can_part_words(const xc_unit *unit);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_FINISH_H
