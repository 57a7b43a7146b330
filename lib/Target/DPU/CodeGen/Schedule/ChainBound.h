//===- ChainBound.h - what tiles of a chain gain at most ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_CHAINBOUND_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_CHAINBOUND_H

#include "Chain.h"

/// A bound on the gain of tiling a chain, from a schedule that has the same
/// units.
typedef struct xc_chain_bound {
  const xc_chain *chain;
  const xc_unit *units; // of the schedule, the first one of the chain
  int64_t engine;       // cycles of the engine that is busy for longest
  int64_t exchanged;    // bytes that pass between the links through DDR
} xc_chain_bound;

/// The chain has been closed.
xc_chain_bound xc_bound_chain(const xc_chain *chain,
                              const xc_schedule *schedule);

/// Returns the most that so many tiles can be expected to gain of the cycles of
/// the chain: engines do not wait for each other, nor for what is exchanged
/// through DDR, and compute the halo in addition.
int64_t xc_chain_most_gain(const xc_chain_bound *bound, int64_t cycles,
                           int32_t num_tiles);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_CHAINBOUND_H
