//===- Machine.h - the instructions that a family executes --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_MACHINE_MACHINE_H
#define XC_TARGET_DPU_MACHINE_MACHINE_H

#include "Operation.h"
#include "Target/DPU/Families.h"

struct xc_support;

/// A family as simulator, verifier and code generator see it.
typedef struct xc_machine {
  const XcDpuIsa *isa;
  /// The modes and sizes that a target may list (Supports.h).
  const struct xc_support *supports;
  size_t num_supports;
  int32_t weights_registers; // that weights are split over, at most
  bool has_code_generator;
  /// Every instruction takes and returns the token of its queue; else each
  /// queue is in order by itself.
  bool takes_self_tokens;
  /// A LOAD never masks a whole pixel, and operands of an ELEW are numbered in
  /// their order.
  bool checks_masks, checks_operand_ids;
  /// Left shifts of a bias that CONV and depthwise convolutions have.
  XcDpuRange bias_shift;
  /// By opcode. A family of which only the instruction set is known has none.
  const xc_operation *operations[XC_DPU_NUM_OPCODES];
} xc_machine;

#define FAMILY(Name) extern const xc_machine xc_machine_##Name;
XC_DPU_FAMILIES(FAMILY)
#undef FAMILY

/// Returns the machine of a target, or null when it is not known how its
/// instructions are executed.
const xc_machine *xc_machine_of(const XcDpuTarget *target);

/// "'A', 'B'": the instruction sets that have a machine.
void xc_machine_list(xc_text *text);

enum {
  /// hp_id has two bits.
  XC_MAX_SAVE_PORTS = 4,
  XC_LANE_LOAD = 0,
  XC_LANE_CONV,
  XC_LANE_MISC,
  XC_LANE_SAVE, // and the ports after the first
  XC_NUM_LANES = XC_LANE_SAVE + XC_MAX_SAVE_PORTS,
};

/// Returns the lane of an instruction: its queue, for SAVEs their port. One
/// lane runs one instruction at a time.
unsigned xc_machine_lane(const xc_machine *machine,
                         const XcDpuInstruction *insn);

enum { XC_NUM_BANK_IDS = 64 };

/// Words of each bank, and those of all banks before it. Ids between the banks
/// of a target count as image banks.
typedef struct xc_bank_layout {
  uint32_t depth[XC_NUM_BANK_IDS];
  size_t first[XC_NUM_BANK_IDS + 1];
} xc_bank_layout;

xc_bank_layout xc_bank_layout_of(const XcDpuTarget *target);

/// Returns the place of a word among those of all banks; addresses wrap.
static inline size_t xc_bank_word_index(const xc_bank_layout *layout,
                                        uint32_t bank, uint64_t address) {
  return layout->first[bank] + (size_t)(address % layout->depth[bank]);
}

/// Whether a register is reached through a port that only parameters use.
bool xc_register_is_apart(const XcDpuTarget *target, uint32_t reg);

/// Returns the number of bytes per cycle that data ports and DDR move together.
double xc_target_bandwidth(const XcDpuTarget *target);

#endif // XC_TARGET_DPU_MACHINE_MACHINE_H
