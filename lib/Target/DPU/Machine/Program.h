//===- Program.h - instructions with their INIT registers ---------*- C -*-===//
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
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_MACHINE_PROGRAM_H
#define XC_TARGET_DPU_MACHINE_PROGRAM_H

#include "Support/Text.h"
#include "xc-c/DPUSim.h"

/// A walk over rows of a bank group. Row t lies `k` banks and `o` steps inside
/// a bank behind the first, k = t div stride and o = t mod stride, where
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

/// Input window of CONV and ALU.
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

typedef struct xc_op {
  size_t index;
  XcDpuInstruction insn;
  union {
    XcDpuConvInit conv_init;    // of a CONV
    XcDpuAluInit alu_init;      // of an ALU
    XcDpuElewInit elew_init[4]; // of an ELEW
  };
  xc_window window;       // CONV, ALU
  xc_walk operands[4];    // ELEW
  xc_output_block output; // CONV, ALU, ELEW
} xc_op;

typedef struct xc_program_layer {
  size_t first;
  char *name;
  uint64_t operations;
} xc_program_layer;

struct XcDpuProgram {
  const XcDpuTarget *target;
  const XcDpuIsa *isa;
  char *file; // may be null
  uint32_t *words;
  size_t num_words;
  /// Of each instruction: its first word, and where its INIT registers come
  /// from: the index of the INIT instruction, for ELEW the position in
  /// `operands`.
  uint32_t *offsets;
  uint32_t *inits;
  size_t count;
  /// The ELEWINIT instructions in order.
  uint32_t *operands;
  size_t num_operands;
  xc_program_layer *layers;
  size_t num_layers, layers_capacity;
};

/// `index` must be below the number of instructions.
void xc_program_get_op(const XcDpuProgram *program, size_t index, xc_op *op);

/// Fills in the windows, operands and output of an op of which the instruction
/// and its INIT registers are known.
void xc_op_resolve(const XcDpuTarget *target, xc_op *op);

/// Whether the engines of the target can execute it. On failure `why` says
/// what was found and what was expected.
bool xc_op_check(const XcDpuTarget *target, const xc_op *op, xc_text *why);

/// Opcode, queue and token masks of an instruction, without decoding the rest.
XcDpuOpcode xc_program_opcode(const XcDpuProgram *program, size_t index);
XcDpuQueue xc_program_queue(const XcDpuProgram *program, size_t index);
unsigned xc_program_waits(const XcDpuProgram *program, size_t index);
unsigned xc_program_posts(const XcDpuProgram *program, size_t index);

/// Bank and first word (not reduced modulo the depth) of a row of a walk.
typedef struct xc_row {
  uint32_t bank;
  uint32_t address;
} xc_row;

xc_row xc_walk_row(const XcDpuTarget *target, const xc_walk *walk,
                   uint32_t row);

/// Multiply-accumulates of the engine that computes them; 0 for the others.
uint64_t xc_op_macs(const XcDpuTarget *target, const xc_op *op);

/// Bytes in DDR from the first to behind the last one that a LOAD or SAVE
/// touches, relative to its register, and the shape of the access.
typedef struct xc_ddr_range {
  uint32_t reg;
  uint64_t begin, end;
  uint32_t length;  // pixels
  uint32_t step;    // bytes from one to the next
  uint32_t channel; // bytes of each
} xc_ddr_range;

/// Whether a LOAD takes its constant instead of reading DDR.
static inline bool xc_load_is_constant(const XcDpuLoad *load) {
  return load->broadcast == 7;
}

/// False for instructions that do not touch DDR.
bool xc_op_ddr(const xc_op *op, xc_ddr_range *range);

/// Reports an error about an instruction: index, assembly text, layer, `why`.
/// Returns false.
bool xc_program_error(XcDiag *diag, const XcDpuProgram *program, size_t index,
                      const char *why);

#endif // XC_TARGET_DPU_MACHINE_PROGRAM_H
