//===- OrderSearch.h - in which order operators run ---------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_ORDERSEARCH_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_ORDERSEARCH_H

#include "OpMoves.h"

/// A strategy that also returns the cycles of the schedule that it finds, and
/// may change the layers.
typedef xc_schedule (*xc_order_strategy)(xc_schedule *layers, xc_search *search,
                                         int64_t *cycles);

/// Returns the fastest schedule that the strategy finds of a few orders of the
/// operators.
xc_schedule xc_schedule_in_orders(const xc_schedule *layers, xc_search *search,
                                  xc_order_strategy strategy,
                                  xc_layers_price price);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_ORDERSEARCH_H
