//===- CodeGen.h - the state of a code generator ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_CODEGEN_H
#define XC_TARGET_DPU_CODEGEN_CODEGEN_H

#include "Emit/Emit.h"
#include "Order/Dependences.h"

/// The layers of a cascade, or one layer: a row of reports.
typedef struct xc_report_entry {
  size_t first_layer, last_layer;
  size_t first_unit, last_unit;
  size_t first; // instruction
  /// The INIT instructions in force before it, as in xc_code.
  uint32_t inits[XC_DPU_NUM_OPCODES];
  int64_t estimate; // cycles until its end
  /// Bytes of its LOADs and SAVEs, as the ports move them.
  uint64_t load_bytes, save_bytes;
} xc_report_entry;

struct XcDpuCodeGen {
  const XcDpuTarget *target;
  XcDpuLayer *layers; // with their own strings
  size_t num_layers, layers_capacity;
  xc_arena arena; // of their shifts
  /// The layers as units by themselves, in DDR; and, after finishing, the
  /// schedule that the strategy has made of them.
  xc_schedule planned, schedule;
  xc_strategy strategy;
  XcDpuEffort effort;
  double byte_price;
  XcProgress progress;
  /// The effort that the strategy took, after finishing.
  XcDpuSearchReport search;
  XcDpuPlaceWeights place_weights; // or null
  void *place_context;
  XcDpuMemoryPlacement memory; // or null functions
  xc_emission emission;
  xc_report_entry *entries;
  size_t num_entries, entries_capacity;
  xc_dependence *dependences; // of the instructions, after finishing
  unsigned char *bytes;       // after finishing
  size_t num_bytes;
};

// Place.c

/// Lets buffers share memory in the order of the schedule.
void xc_place_memory(XcDpuCodeGen *gen);
/// Places the parameters of units whose channels are known only now.
void xc_place_unit_parameters(XcDpuCodeGen *gen);

#endif // XC_TARGET_DPU_CODEGEN_CODEGEN_H
