//===- Timeline.h - when instructions run -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_SIMULATOR_TIME_TIMELINE_H
#define XC_TARGET_DPU_SIMULATOR_TIME_TIMELINE_H

#include "Target/DPU/Machine/Program.h"

struct XcDpuTimeline {
  const XcDpuProgram *program;
  double *starts, *ends;
  double *critical; // cycles on the critical path
  XcDpuTime total;
  XcDpuTime *layers;
  size_t *groups; // of the layers
  /// Of several cores on one memory, or none: how many they are, and cycles of
  /// a run of the program on one of them.
  size_t num_cores;
  double core_cycles;
};

/// Returns a timeline in which nothing has happened.
XcDpuTimeline *xc_timeline_begin(const XcDpuProgram *program);

/// Bytes of DDR that every program with the same inputs, parameters and
/// outputs must move: through the data ports and, of each register, through
/// ports of parameters.
typedef struct xc_compulsory {
  uint64_t inputs, outputs;
  uint64_t parameters[XC_DPU_NUM_REGISTERS];
} xc_compulsory;

xc_compulsory xc_program_compulsory(const XcDpuProgram *program);

/// Whether the target has several cores whose LOADs and SAVEs share a memory.
bool xc_cores_share_memory(const XcDpuTarget *target);

/// Fills in the groups of the layers; starts and ends are known.
void xc_timeline_find_groups(XcDpuTimeline *timeline);

/// Fills in the causes of all times; starts and ends are known.
void xc_timeline_find_causes(XcDpuTimeline *timeline);

#endif // XC_TARGET_DPU_SIMULATOR_TIME_TIMELINE_H
