//===- Timeline.h - when instructions run -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_SIMULATOR_TIMELINE_H
#define XC_TARGET_DPU_SIMULATOR_TIMELINE_H

#include "Program.h"

enum {
  /// hp_id has two bits.
  XC_MAX_SAVE_PORTS = 4,
  XC_LANE_LOAD = 0,
  XC_LANE_CONV,
  XC_LANE_MISC,
  XC_LANE_SAVE, // and the ports behind the first
  XC_NUM_LANES = XC_LANE_SAVE + XC_MAX_SAVE_PORTS,
};

/// The lane of an instruction: its queue, for SAVEs their port. One lane runs
/// one instruction at a time.
unsigned xc_op_lane(const XcDpuProgram *program, const XcDpuInstruction *insn);

struct XcDpuTimeline {
  const XcDpuProgram *program;
  double *starts, *ends;
  double *critical; // cycles on the critical path
  XcDpuTime total;
  XcDpuTime *layers;
  size_t *groups; // of the layers
};

/// What an instruction costs when nothing disturbs it.
typedef struct xc_cost {
  double fixed;    // cycles before any byte moves
  uint64_t bytes;  // then these move
  double max_rate; // bytes per cycle
} xc_cost;

xc_cost xc_op_cost(const XcDpuTarget *target, const xc_op *op);

/// Bytes per cycle that ports and DDR move together.
double xc_target_bandwidth(const XcDpuTarget *target);

/// Bytes of DDR that every program with the same inputs, parameters and
/// outputs must move.
uint64_t xc_program_compulsory_bytes(const XcDpuProgram *program);

/// Fills in the groups of the layers; starts and ends are known.
void xc_timeline_find_groups(XcDpuTimeline *timeline);

/// Fills in the causes of all times; starts and ends are known.
void xc_timeline_find_causes(XcDpuTimeline *timeline);

#endif // XC_TARGET_DPU_SIMULATOR_TIMELINE_H
