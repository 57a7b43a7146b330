//===- Schedule.h - units in their order, groups block by block ---*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_SCHEDULE_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_SCHEDULE_H

#include "Target/DPU/CodeGen/Emit/Emit.h"
#include "Target/DPU/CodeGen/Order/TileTasks.h"

/// Rows begin..end-1.
typedef struct xc_row_range {
  int32_t begin, end;
} xc_row_range;

/// Rows of an input that a block of output rows reads; in the banks, those of
/// the image of which the input is a part.
xc_row_range xc_unit_rows_read(const xc_unit *unit, size_t input, int32_t block,
                               int32_t block_rows);

/// The order of the blocks of a group. `visit` is called before `done` counts
/// the block.
typedef struct xc_turns {
  const xc_unit *units;
  size_t count;
  int32_t *done, *num_blocks, *block_rows; // of each unit
  int32_t ahead; // blocks that are computed before they are needed
  void (*visit)(struct xc_turns *turns, size_t unit, int32_t block);
  void *context;
} xc_turns;

/// Gives room for the numbers of the units, all 0, and takes it back.
void xc_turns_begin(xc_turns *turns, const xc_unit *units, size_t count);
void xc_turns_end(xc_turns *turns);

void xc_take_turns(xc_turns *turns);

/// Emits all units.
void xc_emit_units(XcDpuCodeGen *gen);

/// Notes what is appended from here on in `steps`, until gen->code.steps is
/// null.
void xc_begin_steps(XcDpuCodeGen *gen, xc_steps *steps);

/// The static estimate of the units from first to last as they are now, groups
/// among them: in which cycle each of them, and all before it, would have ended
/// if there were no others. Those of a group end together. There is no code
/// yet, and none is left.
void xc_forecast_units(XcDpuCodeGen *gen, size_t first, size_t last,
                       int64_t *ends);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_SCHEDULE_H
