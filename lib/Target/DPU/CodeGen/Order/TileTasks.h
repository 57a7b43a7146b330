//===- TileTasks.h - the schedule, tile by tile ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile task is what one queue does for one tile without waiting in between:
// the rows that it loads, the output channels that it computes, or the rows
// that it saves. The tasks of a queue run in order. A task begins when the
// other queues have come to certain points of their tasks. There are a few
// tasks for each tile, however many instructions these have.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_ORDER_TILETASKS_H
#define XC_TARGET_DPU_CODEGEN_ORDER_TILETASKS_H

#include "Code.h"
#include "Dependences.h"

#include "Target/DPU/Machine/Machine.h"

typedef struct xc_tile_task {
  XcDpuQueue queue;
  xc_provenance provenance;
  /// For each other queue, the number of an instruction that must have ended
  /// before the task begins, or 0.
  uint32_t waits[XC_DPU_NUM_QUEUES];
  double fixed; // cycles in which no bytes move
  /// LOADs or SAVEs one after the other, and pairs of SAVEs.
  double bytes, paired_bytes;
  uint32_t count, pairs;
} xc_tile_task;

/// Where in a task an instruction ends.
typedef struct xc_task_mark {
  uint32_t task;
  double cycles;  // of the task, when nothing slows it down
  uint64_t bytes; // that the instruction moves
} xc_task_mark;

typedef struct xc_tile_tasks {
  const XcDpuTarget *target;
  xc_dependences dependences;
  xc_tile_task *items;
  size_t count, capacity;
  xc_task_mark *marks; // of the instructions
  size_t num_marks, marks_capacity;
  uint32_t last[XC_DPU_NUM_QUEUES]; // task, counted from 1
  /// For each queue, the last instruction of each other queue that it has
  /// waited for.
  uint32_t waited[XC_DPU_NUM_QUEUES][XC_DPU_NUM_QUEUES];
  /// The last instruction, if it is a SAVE that is not one of a pair yet.
  bool has_save;
  XcDpuSave save;
  xc_cost save_cost;
} xc_tile_tasks;

/// Begins anew. The value is zero-initialised, or has been used before; its
/// memory is then used again.
void xc_tile_tasks_begin(xc_tile_tasks *tasks, const XcDpuTarget *target);
void xc_tile_tasks_end(xc_tile_tasks *tasks);

/// Adds the next instruction in program order. It has passed the encoder.
void xc_tile_tasks_add(xc_tile_tasks *tasks, const xc_op *op, XcDpuQueue queue,
                       const xc_provenance *provenance);

/// Returns the cycles of a task when nothing slows it down.
double xc_tile_task_cycles(const xc_tile_tasks *tasks,
                           const xc_tile_task *task);

/// Sets in which cycle the instructions below each of `limits` have ended, of
/// which none is less than the one before it.
void xc_estimate_tasks(const xc_tile_tasks *tasks, const size_t *limits,
                       size_t count, int64_t *ends);

#endif // XC_TARGET_DPU_CODEGEN_ORDER_TILETASKS_H
