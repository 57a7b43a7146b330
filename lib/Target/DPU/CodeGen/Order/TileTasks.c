//===- TileTasks.c - the schedule, tile by tile ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileTasks.h"

#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void xc_tile_tasks_begin(xc_tile_tasks *tasks, const XcDpuTarget *target) {
  *tasks = (xc_tile_tasks){.target = target,
                           .dependences = tasks->dependences,
                           .items = tasks->items,
                           .capacity = tasks->capacity,
                           .marks = tasks->marks,
                           .marks_capacity = tasks->marks_capacity};
  xc_dependences_begin(&tasks->dependences, target);
}

void xc_tile_tasks_end(xc_tile_tasks *tasks) {
  xc_dependences_end(&tasks->dependences);
  free(tasks->items);
  free(tasks->marks);
}

//===----------------------------------------------------------------------===//
// The task of an instruction
//===----------------------------------------------------------------------===//

/// Finds what the instruction needs and its queue has not waited for yet.
/// Returns false if there is nothing.
static bool find_waits(xc_tile_tasks *tasks, XcDpuQueue queue,
                       uint32_t *waits) {
  bool found = false;
  const uint32_t *needs =
      tasks->dependences.items[tasks->dependences.count - 1].needs;
  for (unsigned q = 0; q < XC_DPU_NUM_QUEUES; ++q) {
    bool is_new = q != queue && needs[q] > tasks->waited[queue][q];
    waits[q] = is_new ? needs[q] : 0;
    if (is_new)
      tasks->waited[queue][q] = needs[q];
    found |= is_new;
  }
  return found;
}

/// Returns the last task of the queue, if it is of the same tile.
static xc_tile_task *same_tile(const xc_tile_tasks *tasks, XcDpuQueue queue,
                               const xc_provenance *provenance) {
  uint32_t last = tasks->last[queue];
  xc_tile_task *task = last > 0 ? &tasks->items[last - 1] : NULL;
  bool is_same =
      task && memcmp(&task->provenance, provenance, sizeof *provenance) == 0;
  return is_same ? task : NULL;
}

static xc_tile_task *add_task(xc_tile_tasks *tasks, XcDpuQueue queue,
                              const xc_provenance *provenance,
                              const uint32_t *waits) {
  void *items = tasks->items;
  xc_grow(&items, &tasks->capacity, tasks->count + 1, sizeof *tasks->items);
  tasks->items = items;
  xc_tile_task *task = &tasks->items[tasks->count++];
  *task = (xc_tile_task){.queue = queue, .provenance = *provenance};
  memcpy(task->waits, waits, sizeof task->waits);
  tasks->last[queue] = (uint32_t)tasks->count;
  return task;
}

static void add_mark(xc_tile_tasks *tasks, uint64_t bytes) {
  void *marks = tasks->marks;
  xc_grow(&marks, &tasks->marks_capacity, tasks->num_marks + 1,
          sizeof *tasks->marks);
  tasks->marks = marks;
  tasks->marks[tasks->num_marks++] = (xc_task_mark){.bytes = bytes};
}

/// Notes that the instruction `before` places before the last one ends where
/// the task ends now.
static void set_mark(xc_tile_tasks *tasks, size_t before,
                     const xc_tile_task *task) {
  xc_task_mark *mark = &tasks->marks[tasks->num_marks - 1 - before];
  mark->task = (uint32_t)(task - tasks->items);
  mark->cycles = xc_tile_task_cycles(tasks, task);
}

//===----------------------------------------------------------------------===//
// Costs of instructions and tasks
//===----------------------------------------------------------------------===//

double xc_tile_task_cycles(const xc_tile_tasks *tasks,
                           const xc_tile_task *task) {
  const XcDpuTiming *timing = &tasks->target->timing;
  double bandwidth = xc_target_bandwidth(tasks->target);
  double rate = task->queue == XcDpuQueueLoad ? timing->loadBytesPerCycle
                                              : timing->saveBytesPerCycle;
  return task->fixed + task->bytes / fmin(rate, bandwidth) +
         task->paired_bytes / fmin(2 * rate, bandwidth);
}

/// Whether a SAVE of a tile is the second one of a pair.
static bool is_second_save(const xc_tile_tasks *tasks, const xc_op *op,
                           const xc_provenance *provenance) {
  return op->insn.opcode == XcDpuOpcodeSave && tasks->target->savePorts > 1 &&
         tasks->has_save && same_tile(tasks, XcDpuQueueSave, provenance) &&
         xc_can_pair_saves(&tasks->save, &op->insn.save);
}

static void add_cost(xc_tile_tasks *tasks, xc_tile_task *task, const xc_op *op,
                     const xc_cost *cost) {
  task->fixed += cost->fixed;
  // Ports that nobody shares are as fast as they are.
  if (cost->is_apart)
    task->fixed += (double)cost->bytes / cost->max_rate;
  else
    task->bytes += (double)cost->bytes;
  ++task->count;
  tasks->has_save = op->insn.opcode == XcDpuOpcodeSave;
  if (!tasks->has_save)
    return;
  tasks->save = op->insn.save;
  tasks->save_cost = *cost;
}

/// Adds the second SAVE of a pair, which takes the other port while the first
/// one, which is part of task `from`, runs. If the second one has to wait, both
/// become a task of their own.
static void add_pair(xc_tile_tasks *tasks, xc_tile_task *from,
                     xc_tile_task *task, const xc_cost *cost) {
  const xc_cost *first = &tasks->save_cost;
  from->fixed -= first->fixed;
  from->bytes -= (double)first->bytes;
  --from->count;
  ++task->pairs;
  task->fixed += fmax(first->fixed, cost->fixed);
  task->paired_bytes += (double)(first->bytes + cost->bytes);
  set_mark(tasks, 1, task);
  tasks->has_save = false;
}

void xc_tile_tasks_add(xc_tile_tasks *tasks, const xc_op *op, XcDpuQueue queue,
                       const xc_provenance *provenance) {
  uint32_t waits[XC_DPU_NUM_QUEUES];
  xc_dependences_add(&tasks->dependences, op, queue);
  bool must_wait = find_waits(tasks, queue, waits);
  bool is_second = is_second_save(tasks, op, provenance);
  size_t before = tasks->last[queue];
  xc_tile_task *task = must_wait ? NULL : same_tile(tasks, queue, provenance);
  if (!task)
    task = add_task(tasks, queue, provenance, waits);
  xc_cost cost = xc_op_cost(tasks->target, op);
  add_mark(tasks, cost.traffic);
  if (is_second)
    add_pair(tasks, &tasks->items[before - 1], task, &cost);
  else
    add_cost(tasks, task, op, &cost);
  set_mark(tasks, 0, task);
}
