//===- Operation.h - what an instruction means --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An xc_op is an instruction together with everything it depends on: the INIT
// instructions before it and the address walks that they define. There are no
// jumps in DPU code, so that all of this is known without running it.
//
// An xc_operation says what one kind of instruction means: an entry of the
// table of a machine (Machine.h).
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_MACHINE_OPERATION_H
#define XC_TARGET_DPU_MACHINE_OPERATION_H

#include "Support/Text.h"
#include "xc-c/DPUIsa.h"
#include "xc-c/DPUTarget.h"

/// A walk over rows of a bank group. Row t lies `k` banks and `o` steps inside
/// a bank after the first, k = t div stride and o = t mod stride, where
/// t = offset + row.
typedef struct xc_walk {
  uint32_t group;    // first bank of the group
  uint32_t position; // first row's bank inside the group
  uint32_t stride;   // rows that share a bank
  uint32_t offset;
  uint32_t bank_step; // banks per k; 0 keeps every row in one bank
  uint32_t row_step;  // words from one row of a bank to the next
  /// First word; each time the bank index wraps, windows go on with the next
  /// of the four addresses, the others `wrap_step` words further.
  uint32_t address[4];
  uint32_t wrap_step;
  bool is_window;
  uint32_t pixel_step;  // words
  uint32_t pixel_words; // words of a pixel
} xc_walk;

/// Input window of CONV, ALU, POOL and DPTWISE.
typedef struct xc_window {
  xc_walk walk;
  uint32_t rows, columns;
  uint32_t kernel_h, kernel_w, kernel_d, stride_h, stride_w;
  uint32_t pad_left, pad_top;
  /// The last column and row that are not masked.
  uint32_t last_column, last_row;
  /// Channels at the end of each slice that are masked.
  uint32_t channel_offset;
  bool masked; // false: no masking at all
} xc_window;

typedef struct xc_output_block {
  xc_walk walk;
  uint32_t rows, pixels;
} xc_output_block;

enum {
  /// Operands of an ELEW at most.
  XC_MAX_OPERANDS = 4,
  /// LOADs of larger pixels are never masked.
  XC_MAX_MASKED_CHANNELS = 64,
};

typedef struct xc_op {
  size_t index; // in its program
  const struct xc_operation *kind;
  XcDpuInstruction insn;
  union {
    XcDpuConvInit conv_init;                  // of a CONV
    XcDpuAluInit alu_init;                    // of an ALU
    XcDpuPoolInit pool_init;                  // of a POOL
    XcDpuDwInit dw_init;                      // of a DPTWISE
    XcDpuElewInit elew_init[XC_MAX_OPERANDS]; // of an ELEW
    uint32_t init_fields[XC_DPU_MAX_FIELDS];  // of any but ELEW
  };
  xc_window window;                  // of those that have one
  xc_walk operands[XC_MAX_OPERANDS]; // ELEW
  xc_output_block output;            // of those that compute
} xc_op;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Bytes in DDR from the first to past the last one that a LOAD or SAVE
/// touches, relative to its register, and the shape of the access.
typedef struct xc_ddr_range {
  uint32_t reg;
  uint64_t begin, end;
  uint32_t length;   // pixels
  uint32_t step;     // bytes from one to the next
  uint32_t channel;  // bytes of each
  uint32_t rows;     // of so many pixels
  uint32_t row_step; // bytes from one to the next
} xc_ddr_range;

typedef enum xc_role {
  XC_ROLE_OUTPUT,
  XC_ROLE_INPUT,
  XC_ROLE_OPERAND, // of ELEW; `part` is its number
  XC_ROLE_WEIGHTS, // `part` is the output channel, or 0 in the misc engine
  XC_ROLE_BIAS,
} xc_role;

/// `count` pieces of `words` words, `step` words apart. Addresses are not
/// reduced modulo the depth of the bank.
typedef struct xc_run {
  xc_role role;
  uint32_t part;
  uint32_t row;    // of the window or of the output
  uint32_t column; // of the first piece
  uint32_t column_step;
  uint32_t bank;
  uint64_t address;
  uint32_t step, count, words;
  /// Of a LOAD: the source of the first piece, and the distance of the next
  /// ones from it in bytes.
  uint32_t source_reg, source, source_step;
} xc_run;

typedef void (*xc_run_handler)(void *context, const xc_run *run);

//===----------------------------------------------------------------------===//
// Kinds of instructions
//===----------------------------------------------------------------------===//

/// The cost of an instruction when nothing disturbs it.
typedef struct xc_cost {
  double fixed;     // cycles before any byte moves
  uint64_t bytes;   // then these move, through each of the ports that it uses
  double max_rate;  // bytes per cycle
  bool is_apart;    // the ports are no data ports and shared with nobody
  uint64_t traffic; // bytes through all ports
} xc_cost;

typedef enum xc_op_class {
  XC_OP_LOAD,
  XC_OP_SAVE,
  XC_OP_INIT, // sets registers
  XC_OP_CONV,
  XC_OP_MISC, // computes in the other engine
  XC_OP_END,
} xc_op_class;

typedef void (*xc_accesses)(const XcDpuTarget *target, const xc_op *op,
                            xc_run_handler handler, void *context);

/// Functions that are null do nothing, or find nothing wrong.
typedef struct xc_operation {
  xc_op_class class;
  /// The INIT instruction whose registers it takes, if `has_init`: the last one
  /// before it or, if `takes_operands`, one for each operand in their order.
  XcDpuOpcode init;
  bool has_init, takes_operands;
  /// Fills in the windows, operands and output of an op of which the
  /// instruction and its INIT registers are known.
  void (*resolve)(const XcDpuTarget *target, xc_op *op);
  /// Whether the engines of the target can execute it. On failure `why` says
  /// what was found and what was expected.
  bool (*check)(const XcDpuTarget *target, const xc_op *op, xc_text *why);
  /// Calls a handler for every run of bank words that it reads, or writes.
  /// Masked rows and columns and those between windows have no influence on the
  /// result and are left out. The op has passed `check`.
  xc_accesses reads, writes;
  /// The ranges of DDR that it touches, counted from 0; false if there is none
  /// of that number.
  bool (*ddr)(const XcDpuTarget *target, const xc_op *op, unsigned number,
              xc_ddr_range *range);
  xc_cost (*cost)(const XcDpuTarget *target, const xc_op *op);
  /// Multiply-accumulates of the engine that computes them.
  uint64_t (*macs)(const XcDpuTarget *target, const xc_op *op);
  /// Whether two of this kind compute the same, on whatever they read.
  bool (*computes_same)(const xc_op *a, const xc_op *b);
} xc_operation;

extern const xc_operation xc_operation_load, xc_operation_save,
    xc_operation_init, xc_operation_conv, xc_operation_alu, xc_operation_pool,
    xc_operation_dptwise, xc_operation_elew, xc_operation_end;

static inline bool xc_op_check(const XcDpuTarget *target, const xc_op *op,
                               xc_text *why) {
  return !op->kind->check || op->kind->check(target, op, why);
}

static inline void xc_op_resolve(const XcDpuTarget *target, xc_op *op) {
  if (op->kind->resolve)
    op->kind->resolve(target, op);
}

static inline void xc_op_reads(const XcDpuTarget *target, const xc_op *op,
                               xc_run_handler handler, void *context) {
  if (op->kind->reads)
    op->kind->reads(target, op, handler, context);
}

static inline void xc_op_writes(const XcDpuTarget *target, const xc_op *op,
                                xc_run_handler handler, void *context) {
  if (op->kind->writes)
    op->kind->writes(target, op, handler, context);
}

static inline bool xc_op_ddr(const XcDpuTarget *target, const xc_op *op,
                             unsigned number, xc_ddr_range *range) {
  return op->kind->ddr && op->kind->ddr(target, op, number, range);
}

static inline xc_cost xc_op_cost(const XcDpuTarget *target, const xc_op *op) {
  return op->kind->cost(target, op);
}

static inline uint64_t xc_op_macs(const XcDpuTarget *target, const xc_op *op) {
  return op->kind->macs ? op->kind->macs(target, op) : 0;
}

/// Whether it computes on images.
static inline bool xc_op_computes(const xc_op *op) {
  return op->kind->class == XC_OP_CONV || op->kind->class == XC_OP_MISC;
}

/// Whether a LOAD takes its constant instead of reading DDR.
static inline bool xc_load_is_constant(const XcDpuLoad *load) {
  return load->broadcast == 7;
}

/// Whether the padding fields of a LOAD to one bank mask bytes of its pixels.
static inline bool xc_load_is_masked(const XcDpuLoad *load) {
  return load->channel >= load->jump_read &&
         load->channel <= XC_MAX_MASKED_CHANNELS;
}

/// Finds the bytes from the first one on that a masked LOAD to one bank does
/// not mask; its pixels touch or overlap, so that what is masked lies at both
/// ends.
void xc_load_unmasked(const XcDpuTarget *target, const XcDpuLoad *load,
                      int64_t *begin, int64_t *end);

/// Whether a LOAD to one bank masks all bytes, which are zeros then.
bool xc_load_is_all_masked(const XcDpuTarget *target, const XcDpuLoad *load);

/// Returns the end of the bytes of a range that matter: what lies behind is
/// masked, and need not be there.
uint64_t xc_op_ddr_end(const XcDpuTarget *target, const xc_op *op,
                       const xc_ddr_range *range);

/// Whether a LOAD goes to all weight banks at once.
static inline bool xc_load_is_broadcast(const XcDpuTarget *target,
                                        const XcDpuLoad *load) {
  return target->weightsBroadcastBank >= 0 &&
         load->bank_id == (uint32_t)target->weightsBroadcastBank;
}

#endif // XC_TARGET_DPU_MACHINE_OPERATION_H
