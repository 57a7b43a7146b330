//===- Walk.h - walks over the rows of bank groups ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_MACHINE_WALK_H
#define XC_TARGET_DPU_MACHINE_WALK_H

#include "Operation.h"

/// Bank and first word (not reduced modulo the depth) of a row of a walk.
typedef struct xc_row {
  uint32_t bank;
  uint32_t address;
} xc_row;

xc_row xc_walk_row(const XcDpuTarget *target, const xc_walk *walk,
                   uint32_t row);

/// A walk that begins in `bank`, one row in each bank.
xc_walk xc_row_walk(const XcDpuTarget *target, uint32_t bank);

/// The walk of an input window, whose blocks of rows have four addresses.
xc_walk xc_window_walk(const XcDpuTarget *target, uint32_t bank,
                       const uint32_t address[4]);

/// Channels at the end of a pixel that are masked: no more than it has.
uint32_t xc_clip_channels(const XcDpuTarget *target, uint32_t offset,
                          uint32_t words);

/// Words that `bytes` bytes of a pixel take.
static inline uint32_t xc_words_of_bytes(const XcDpuTarget *target,
                                         uint32_t bytes) {
  uint32_t width = (uint32_t)target->channelParallel;
  return (bytes + width - 1) / width;
}

//===----------------------------------------------------------------------===//
// Runs of bank words
//===----------------------------------------------------------------------===//

/// What a window reads that is not masked.
void xc_window_runs(const XcDpuTarget *target, const xc_window *window,
                    xc_run_handler handler, void *context);

/// `words` words of parameters.
void xc_parameter_run(xc_role role, uint32_t part, int32_t bank,
                      uint64_t address, uint32_t words, xc_run_handler handler,
                      void *context);

/// What CONV, ALU and ELEW write.
void xc_output_runs(const XcDpuTarget *target, const xc_op *op,
                    xc_run_handler handler, void *context);

#endif // XC_TARGET_DPU_MACHINE_WALK_H
