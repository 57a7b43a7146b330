//===- Dependences.h - who touched the memories last ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emitters' code is right in program order. To keep its meaning, an
// instruction must wait for the last write of every word that it reads, and for
// the last write and all later reads of every word that it writes. Only
// instructions of other queues matter, as each queue is in order, and of each
// other queue only the latest one.
//
// A search estimates code many times in which only LOADs of parameters change.
// The dependences of all other accesses stay the same then, and are found once.
//
// In DDR the unit is a granule. Two images that interleave in one granule cause
// more waiting than needed, never less.
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_ORDER_DEPENDENCES_H
#define XC_TARGET_DPU_CODEGEN_ORDER_DEPENDENCES_H

#include "Stretches.h"

#include "Target/DPU/Machine/Machine.h"

/// Of an instruction.
typedef struct xc_dependence {
  /// The numbers of the instructions that must have ended, in each queue, or 0.
  uint32_t needs[XC_DPU_NUM_QUEUES];
  uint32_t last_conv; // of those that read the same window as this one
} xc_dependence;

/// Dependences of instructions other than LOADs of parameters through data that
/// is no parameter. These instructions have numbers of their own, from 1, which
/// do not change with the LOADs.
typedef struct xc_fixed_needs {
  uint32_t (*items)[XC_DPU_NUM_QUEUES];
  size_t count, capacity;
  bool is_complete; // set by the user: the code has been walked over once
} xc_fixed_needs;

/// The range of bytes of a register that contains all bytes that are saved.
typedef struct xc_saved_bytes {
  uint64_t begin, end;
  xc_stretches granules; // from the first access on
} xc_saved_bytes;

typedef struct xc_dependences {
  const XcDpuTarget *target;
  xc_stretches words; // of all banks
  xc_bank_layout layout;
  xc_saved_bytes saved[XC_DPU_NUM_REGISTERS];
  xc_dependence *items; // of the instructions
  size_t count, capacity;
  /// The last instruction, the latest of each queue that it needs, and the
  /// reader that was last found among these.
  xc_accessor self, latest[XC_DPU_NUM_QUEUES], window_seen;
  xc_window window;       // of the last instruction, if that is a CONV
  uint32_t window_reader; // the first that reads it, 0: it is no CONV
  bool is_known;          // the window at hand is the same
  /// Set by the user, before the first instruction; or null. Once it is
  /// complete, the banks of images and DDR are not looked at.
  xc_fixed_needs *fixed;
  uint32_t *fixed_numbers; // by number of an instruction
  uint32_t *numbers;       // by number among those of `fixed`
  size_t num_fixed, fixed_numbers_capacity, numbers_capacity;
} xc_dependences;

/// Begins anew. The value is zero-initialised, or has been used before; its
/// memory is then used again.
void xc_dependences_begin(xc_dependences *dependences,
                          const XcDpuTarget *target);
/// Bytes begin..end-1 of a register may be saved. To be called before the first
/// instruction.
void xc_dependences_save(xc_dependences *dependences, uint32_t reg,
                         uint64_t begin, uint64_t end);
void xc_dependences_end(xc_dependences *dependences);
void xc_fixed_needs_free(xc_fixed_needs *fixed);

/// Finds out what the next instruction in program order has to wait for. The
/// first one has the number 1.
void xc_dependences_add(xc_dependences *dependences, const xc_op *op,
                        XcDpuQueue queue);

#endif // XC_TARGET_DPU_CODEGEN_ORDER_DEPENDENCES_H
