//===- Verify.h - what the parts of the verifier share ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_SIMULATOR_VERIFY_VERIFY_H
#define XC_TARGET_DPU_SIMULATOR_VERIFY_VERIFY_H

#include "Order.h"
#include "Target/DPU/Machine/Program.h"

/// Last accesses to a bank word. Instructions are stored as index + 1.
typedef struct xc_bank_word {
  uint32_t writer;
  uint32_t readers[XC_NUM_LANES]; // since the write
  uint32_t source; // of a LOADed word: byte from the register on, register
  uint16_t valid;  // channels with defined values
  uint16_t torn;   // channels computed from torn weights
} xc_bank_word;

typedef struct xc_ddr_page xc_ddr_page;

/// Last accesses to the memory of one register.
typedef struct xc_ddr_shadow {
  xc_ddr_page **pages; // null: untouched
  size_t num_pages;
  bool is_saved; // some SAVE writes here
  /// Places of groups of weights that are not full.
  XcDpuByteRange *rests;
  size_t num_rests, rests_capacity;
} xc_ddr_shadow;

typedef struct xc_verifier {
  const XcDpuProgram *program;
  const XcDpuTarget *target;
  const XcDpuVerifyOptions *options;
  XcDiag *diag;
  XcDpuVerifyReport report;
  size_t reported;
  /// The instruction that had the last finding of each kind, plus one.
  size_t last[XC_DPU_NUM_FINDING_KINDS];
  xc_order order;
  uint64_t work;

  const xc_op *op;    // current
  unsigned lane;      // its lane
  uint32_t ok_before; // the last access found to be ordered before it, + 1

  xc_bank_layout layout;
  xc_bank_word *words;
  xc_ddr_shadow ddr[XC_DPU_NUM_REGISTERS];
  struct xc_operand_check *operands;
  struct xc_spacing_check *spacing;
} xc_verifier;

/// Counts a finding about an instruction and reports it, unless the kind is
/// ignored or was the last one found there.
void xc_verify_finding(xc_verifier *verifier, XcDpuFindingKind kind,
                       size_t index, const char *format, ...)
    XC_PRINTF_FORMAT(4, 5);

/// Checks one access against an earlier one (index + 1, 0: none) of the same
/// place. Returns false if no token orders them; the caller reports.
static inline bool xc_verify_ordered(xc_verifier *verifier, uint32_t earlier) {
  if (earlier == 0 || earlier == verifier->ok_before)
    return true;
  if (!xc_order_is_before(&verifier->order, earlier - 1, verifier->op->index))
    return earlier - 1 == verifier->op->index;
  verifier->ok_before = earlier;
  return true;
}

/// "instruction 12 (LOAD)" for messages; `buffer` has 64 bytes.
const char *xc_verify_name(const xc_verifier *verifier, size_t index,
                           char *buffer);

/// Adds to the work; false when the limit is passed, which is a finding.
bool xc_verify_work(xc_verifier *verifier, uint64_t amount);

static inline xc_bank_word *xc_verify_word(xc_verifier *verifier, uint32_t bank,
                                           uint64_t address) {
  return &verifier->words[xc_bank_word_index(&verifier->layout, bank, address)];
}

/// The bank accesses of the current op, in the order of hazards: reads, then
/// writes.
void xc_verify_banks(xc_verifier *verifier);

/// The values that the current op reads: defined, and of one piece.
struct xc_operand_check *xc_operand_check_create(const XcDpuTarget *target);
void xc_operand_check_destroy(struct xc_operand_check *check);
void xc_operands_begin(xc_verifier *verifier);
void xc_operands_run(xc_verifier *verifier, const xc_run *run);
/// To be called after the last run; the results serve the output.
void xc_operands_end(xc_verifier *verifier);
/// Channels of word `word` of the output that are defined, or torn.
uint16_t xc_operands_valid(const xc_verifier *verifier, uint32_t word);
uint16_t xc_operands_torn(const xc_verifier *verifier, uint32_t word);

/// Where the value of a bank word comes from.
typedef enum xc_origin {
  XC_ORIGIN_NONE, // nowhere, or a constant
  XC_ORIGIN_DDR,
  XC_ORIGIN_COMPUTED,
} xc_origin;

/// `writer` is an index + 1.
xc_origin xc_verify_origin(const xc_verifier *verifier, uint32_t writer);

/// Images of one piece: begin for each op, then the runs of its inputs.
struct xc_spacing_check *xc_spacing_check_create(void);
void xc_spacing_check_destroy(struct xc_spacing_check *check);
void xc_spacing_begin(xc_verifier *verifier);
void xc_spacing_run(xc_verifier *verifier, const xc_run *run);

/// DDR.
void xc_verify_ddr_begin(xc_verifier *verifier);
void xc_verify_ddr(xc_verifier *verifier);
void xc_verify_ddr_end(xc_verifier *verifier);

#endif // XC_TARGET_DPU_SIMULATOR_VERIFY_VERIFY_H
