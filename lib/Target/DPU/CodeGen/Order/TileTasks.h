//===- TileTasks.h - the schedule, tile by tile ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step is what one queue does for one tile without waiting in between: the
// rows that it loads, the output channels that it computes, the rows that it
// saves. Steps of a queue run in their order; one begins when other queues have
// come to a place in their steps. There are a few of them for each tile,
// however many instructions these have.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_ORDER_TILETASKS_H
#define XC_TARGET_DPU_CODEGEN_ORDER_TILETASKS_H

#include "Dependences.h"
#include "Target/DPU/CodeGen/Emit/Code.h"

#include "Target/DPU/Machine/Cost.h"

typedef struct xc_step {
  XcDpuQueue queue;
  xc_provenance provenance;
  /// Of each other queue: the number of an instruction that must have ended, or
  /// 0.
  uint32_t waits[XC_DPU_NUM_QUEUES];
  double fixed; // cycles in which no bytes move
  /// LOADs or SAVEs one after the other, and pairs of SAVEs.
  double bytes, paired_bytes;
  uint32_t count, pairs;
} xc_step;

/// Where in a step an instruction ends.
typedef struct xc_step_mark {
  uint32_t step;
  double cycles; // of the step, when nothing slows it down
} xc_step_mark;

typedef struct xc_steps {
  const XcDpuTarget *target;
  xc_shadow shadow;
  xc_step *items;
  size_t count, capacity;
  xc_step_mark *marks; // of the instructions
  size_t num_marks, marks_capacity;
  uint32_t last[XC_DPU_NUM_QUEUES]; // step, counted from 1
  /// What a queue has waited for, of each other one.
  uint32_t waited[XC_DPU_NUM_QUEUES][XC_DPU_NUM_QUEUES];
  /// The last instruction, if it is a SAVE that is not one of a pair yet.
  bool has_save;
  XcDpuSave save;
  xc_cost save_cost;
} xc_steps;

void xc_steps_begin(xc_steps *steps, const XcDpuTarget *target);
void xc_steps_end(xc_steps *steps);

/// The next instruction in program order. It has passed the encoder.
void xc_steps_add(xc_steps *steps, const xc_op *op, XcDpuQueue queue,
                  const xc_provenance *provenance);

/// Cycles of a step when nothing slows it down.
double xc_step_cycles(const xc_steps *steps, const xc_step *step);

/// Sets in which cycle the instructions below each of `limits` have ended, of
/// which none is less than the one before it.
void xc_steps_replay(const xc_steps *steps, const size_t *limits, size_t count,
                     int64_t *ends);

#endif // XC_TARGET_DPU_CODEGEN_ORDER_TILETASKS_H
