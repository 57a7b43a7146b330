//===- Cost.h - what instructions cost ----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_MACHINE_COST_H
#define XC_TARGET_DPU_MACHINE_COST_H

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

/// What an instruction costs when nothing disturbs it.
typedef struct xc_cost {
  double fixed;    // cycles before any byte moves
  uint64_t bytes;  // then these move
  double max_rate; // bytes per cycle
} xc_cost;

xc_cost xc_op_cost(const XcDpuTarget *target, const xc_op *op);

/// Bytes per cycle that ports and DDR move together.
double xc_target_bandwidth(const XcDpuTarget *target);

#endif // XC_TARGET_DPU_MACHINE_COST_H
