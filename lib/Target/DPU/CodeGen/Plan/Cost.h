//===- Cost.h - the price of a planned unit -----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans are compared by one cost model. A plan counts its transfers and the
// cycles of the engines (xc_work), and xc_price turns these into cycles with
// the timing of the target. The search for tiles, the residency of tensor
// buffers and the choice of cascades all use it. The model does not see single
// instructions, as the static estimate (Order/TileTasks.h) does.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_PLAN_COST_H
#define XC_TARGET_DPU_CODEGEN_PLAN_COST_H

#include "xc-c/DPUTarget.h"

/// LOADs or SAVEs, and the bytes that they move.
typedef struct xc_transfers {
  int64_t count, bytes;
} xc_transfers;

/// The work of a unit. Bytes of weights are those of one port, where parameters
/// have ports of their own.
typedef struct xc_work {
  xc_transfers input, weights, output;
  int64_t conv, misc; // cycles of the engines
  int64_t last;       // of `misc`: after all else has been computed
  int64_t blocks;     // of all tiles; at least 1
  /// Without room for double buffering, nothing else runs meanwhile.
  bool waits_for_input, waits_for_weights, waits_for_output;
} xc_work;

typedef struct xc_unit_cost {
  /// Busy cycles of the queues, and bytes that they move through data ports.
  int64_t load, save, conv, misc;
  int64_t load_bytes, save_bytes;
  int64_t start;   // until the first block can be computed, and after the last
  int64_t weights; // of `load`: the cycles of the weights
  int64_t serial;  // cycles in which one queue runs alone
  /// The longest of the queues, or of the ports that LOAD and SAVE share, and
  /// `serial`.
  int64_t cycles;
} xc_unit_cost;

xc_unit_cost xc_price(const XcDpuTarget *target, const xc_work *work);

/// Returns the cycles of ELEW instructions with `operands` operands that
/// compute `rows` rows of `words` words each.
int64_t xc_elementwise_cycles(const XcDpuTarget *target, int64_t operands,
                              int64_t rows, int64_t words);

/// Adds up queues and start, for units that run at the same time.
void xc_unit_cost_add(xc_unit_cost *sum, const xc_unit_cost *cost);
/// Returns the cycles of such a sum.
int64_t xc_unit_cost_overlapped(const XcDpuTarget *target,
                                const xc_unit_cost *sum);

#endif // XC_TARGET_DPU_CODEGEN_PLAN_COST_H
