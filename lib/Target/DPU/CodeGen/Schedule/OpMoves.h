//===- OpMoves.h - operators before or behind others --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_OPMOVES_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_OPMOVES_H

#include "OpGraph.h"
#include "Search.h"

/// About the cycles of layers in their order and in their way, without the
/// effort of a whole schedule.
typedef int64_t (*xc_layers_price)(const xc_schedule *layers,
                                   xc_search *search);

/// How moves are priced.
typedef struct xc_move_price {
  xc_layers_price cycles_of;
  xc_schedule_way way;
  size_t context; // operators before and after those that change places
} xc_move_price;

/// Moves chains of operators before or behind others where that makes a window
/// faster. An order has each node of the graph once, none before one that it
/// depends on. By how much all windows together are faster.
int64_t xc_move_operators(const xc_op_graph *graph, xc_search *search,
                          const xc_move_price *price, size_t *order);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_OPMOVES_H
