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

/// Where the value of a bank word comes from.
typedef enum xc_origin {
  XC_ORIGIN_NONE, // nowhere, or a constant
  XC_ORIGIN_DDR,
  XC_ORIGIN_COMPUTED,
} xc_origin;

/// The last write of a bank word, and who has read it since. An instruction
/// touches thousands: they must be small.
typedef struct xc_bank_word {
  uint32_t writer; // index + 1
  uint32_t source; // of a LOADed word: byte from the register on, register
  uint16_t valid;  // channels with defined values
  uint16_t torn;   // channels computed from torn weights
  uint8_t readers; // a bit for each that has read it since the write
  uint8_t origin;  // xc_origin
} xc_bank_word;

/// CONVs that follow each other often read one window, each for other output
/// channels. As long as nothing writes there, all of them find what the first
/// one has found, and its words have that one as their reader, which stands for
/// all.
typedef struct xc_shared_window {
  xc_window window;
  uint32_t reader; // the first CONV, index + 1, or 0
  bool is_known;   // the op at hand finds what those before have found
  /// Of each instruction that is such a reader: the last one that it stands
  /// for, index + 1.
  uint32_t *lasts;
} xc_shared_window;

/// Who has read a word: a lane, or CONVs their window.
enum { XC_READER_WINDOW = XC_NUM_LANES, XC_NUM_READERS };

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
  bool has_finding; // the current op, maybe of an ignored kind
  /// The instruction that had the last finding of each kind, plus one.
  size_t last[XC_DPU_NUM_FINDING_KINDS];
  xc_order order;
  uint64_t work;

  const xc_op *op;    // current
  unsigned lane;      // its lane
  uint32_t ok_before; // the last access found to be ordered before it, + 1

  xc_bank_layout layout;
  xc_bank_word *words;
  uint32_t *readers[XC_NUM_READERS]; // of the words: the last one, index + 1
  xc_shared_window shared;
  xc_ddr_shadow ddr[XC_DPU_NUM_REGISTERS];
  struct xc_operand_check *operands;
  struct xc_spacing_check *spacing;
} xc_verifier;

/// Counts a finding about an instruction and reports it, unless the kind is
/// ignored or was the last one found there.
void xc_verify_finding(xc_verifier *verifier, XcDpuFindingKind kind,
                       size_t index, const char *format, ...)
    XC_PRINTF_FORMAT(4, 5);

/// Notes that the current op has a finding. Returns whether it is to be
/// counted: one of its kind may be known, which thousands of words may have.
static inline bool xc_verify_counts(xc_verifier *verifier,
                                    XcDpuFindingKind kind) {
  verifier->has_finding = true;
  return !(verifier->options->ignored >> kind & 1) &&
         verifier->last[kind] != verifier->op->index + 1;
}

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

/// The words of a run: piece by piece, from each word to the next. Addresses
/// wrap at the end of the bank.
typedef struct xc_bank_walk {
  size_t first; // word of the bank
  uint32_t depth, step;
  uint32_t piece; // where the piece at hand begins
} xc_bank_walk;

static inline xc_bank_walk xc_bank_walk_begin(const xc_verifier *verifier,
                                              const xc_run *run) {
  uint32_t depth = verifier->layout.depth[run->bank];
  return (xc_bank_walk){.first = verifier->layout.first[run->bank],
                        .depth = depth,
                        .step = run->step % depth,
                        .piece = (uint32_t)(run->address % depth)};
}

static inline void xc_bank_walk_next_piece(xc_bank_walk *walk) {
  walk->piece += walk->step;
  walk->piece -= walk->piece >= walk->depth ? walk->depth : 0;
}

/// `at` is the word of the bank.
static inline uint32_t xc_bank_walk_next(const xc_bank_walk *walk,
                                         uint32_t at) {
  return at + 1 == walk->depth ? 0 : at + 1;
}

/// Checks the bank accesses of the current op, in the order of hazards: reads,
/// then writes.
void xc_verify_banks(xc_verifier *verifier);

/// Returns the values that the current op reads: defined, and of one piece.
struct xc_operand_check *xc_operand_check_create(const XcDpuTarget *target);
void xc_operand_check_destroy(struct xc_operand_check *check);
void xc_operands_begin(xc_verifier *verifier);
void xc_operands_run(xc_verifier *verifier, const xc_run *run);
/// To be called after the last run; the results serve the output.
void xc_operands_end(xc_verifier *verifier);
/// Returns the channels of word `word` of the output that are defined, or torn.
uint16_t xc_operands_valid(const xc_verifier *verifier, uint32_t word);
uint16_t xc_operands_torn(const xc_verifier *verifier, uint32_t word);

/// Images of one piece: begin for each op, then the runs of its inputs.
struct xc_spacing_check *xc_spacing_check_create(void);
void xc_spacing_check_destroy(struct xc_spacing_check *check);
void xc_spacing_begin(xc_verifier *verifier);
void xc_spacing_run(xc_verifier *verifier, const xc_run *run);
/// Whether the CONV at hand begins with what the one before it in its queue
/// began with. It has read the same words then, and its runs can be left out.
bool xc_spacing_repeats(xc_verifier *verifier);

/// DDR.
void xc_verify_ddr_begin(xc_verifier *verifier);
void xc_verify_ddr(xc_verifier *verifier);
void xc_verify_ddr_end(xc_verifier *verifier);

#endif // XC_TARGET_DPU_SIMULATOR_VERIFY_VERIFY_H
