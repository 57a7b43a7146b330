//===- Order.h - happens-before order of tokens -------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the tokens of a program without time and computes, for every
// instruction, what must have ended before it starts: a vector clock with one
// component per lane. Because the instructions of a lane run one after the
// other, one number per lane says it all.
//
//   * An instruction starts after the one before it in its lane has ended, and
//     after the one before it in its queue has started.
//   * Its tokens are posted when it and all before it in its queue have ended.
//   * The k-th wait on a channel is served by the k-th post.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_SIMULATOR_VERIFY_ORDER_H
#define XC_TARGET_DPU_SIMULATOR_VERIFY_ORDER_H

#include "Target/DPU/Machine/Program.h"

/// Instructions of each lane, counted from 1, that have ended.
typedef struct xc_clock {
  uint32_t lanes[XC_NUM_LANES];
} xc_clock;

typedef struct xc_order {
  size_t count;
  uint8_t *lanes;    // of each instruction
  uint32_t *numbers; // its position in the lane, from 1
  /// The instructions that have ended when an instruction starts. Valid for
  /// instructions that start at all.
  xc_clock *starts;
  bool *is_started;
  bool all_started;
  /// For each queue, the instruction that never starts, or SIZE_MAX, and the
  /// queue whose token it lacks.
  size_t stuck[XC_DPU_NUM_QUEUES];
  unsigned stuck_on[XC_DPU_NUM_QUEUES];
  /// Nobody posts that token any more.
  bool is_underflow[XC_DPU_NUM_QUEUES];
  /// tokens[from][to] at the end, minus those at the start.
  int64_t leftover[XC_DPU_NUM_QUEUES][XC_DPU_NUM_QUEUES];
} xc_order;

void xc_order_init(xc_order *order, const XcDpuProgram *program);
void xc_order_free(xc_order *order);

/// Whether `first` has always ended when `second` starts.
static inline bool xc_order_is_before(const xc_order *order, size_t first,
                                      size_t second) {
  return order->starts[second].lanes[order->lanes[first]] >=
         order->numbers[first];
}

#endif // XC_TARGET_DPU_SIMULATOR_VERIFY_ORDER_H
