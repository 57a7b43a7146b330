//===- Walk.h - walks over the rows of bank groups ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_MACHINE_WALK_H
#define XC_TARGET_DPU_MACHINE_WALK_H

#include "Operation.h"

/// Bank and first word (not reduced modulo the depth) of a row of a walk.
typedef struct xc_row {
  uint32_t bank;
  uint32_t address;
} xc_row;

xc_row xc_walk_row(const XcDpuTarget *target, const xc_walk *walk,
                   uint32_t row);

/// Returns a walk that begins in `bank`, one row in each bank.
xc_walk xc_row_walk(const XcDpuTarget *target, uint32_t bank);

/// Fields of an instruction that slides a window and of its INIT, whichever of
/// the two a family puts them into.
typedef struct xc_window_fields {
  uint32_t kernel_h, kernel_w, kernel_d, stride_h, stride_w;
  uint32_t bank_id_in, bank_addr_in[4], stride_offset_in;
  uint32_t jump_read, jump_read_endl;
  uint32_t bank_id_out, bank_addr_out, stride_out, stride_offset_out;
  uint32_t jump_write, jump_write_endl;
  uint32_t pad_left, pad_top, pad_right, pad_bottom;
  uint32_t channel_group, channel_offset; // of a slice of the input
  uint32_t rows, pixels, words;           // of the output
  bool is_unmasked;
} xc_window_fields;

/// Fields that all INITs have, that all instructions have, and that either has.
#define XC_WINDOW_INIT(init)                                                   \
  .kernel_h = (init)->kernel_h, .kernel_w = (init)->kernel_w,                  \
  .stride_h = (init)->stride_h, .stride_w = (init)->stride_w,                  \
  .stride_offset_in = (init)->stride_offset_in,                                \
  .jump_read = (init)->jump_read, .stride_out = (init)->stride_out,            \
  .stride_offset_out = (init)->stride_offset_out,                              \
  .jump_write = (init)->jump_write
#define XC_WINDOW_INSN(insn)                                                   \
  .bank_id_in = (insn)->bank_id_in,                                            \
  .bank_addr_in = {(insn)->bank_addr_in, (insn)->bank_addr_in_1,               \
                   (insn)->bank_addr_in_2, (insn)->bank_addr_in_3},            \
  .bank_id_out = (insn)->bank_id_out, .bank_addr_out = (insn)->bank_addr_out,  \
  .pad_left = (insn)->pad_left, .pad_top = (insn)->pad_top,                    \
  .pad_right = (insn)->pad_right, .pad_bottom = (insn)->pad_bottom
#define XC_WINDOW_ENDS(part)                                                   \
  .jump_read_endl = (part)->jump_read_endl,                                    \
  .jump_write_endl = (part)->jump_write_endl

/// Fills in the window and the output of an op.
void xc_resolve_window(const XcDpuTarget *target,
                       const xc_window_fields *fields, xc_op *op);

/// Whether two windows read the same.
bool xc_is_same_window(const xc_window *a, const xc_window *b);

/// Returns the number of words that `bytes` bytes of a pixel take.
static inline uint32_t xc_words_of_bytes(const XcDpuTarget *target,
                                         uint32_t bytes) {
  uint32_t width = (uint32_t)target->channelParallel;
  return (bytes + width - 1) / width;
}

//===----------------------------------------------------------------------===//
// Runs of bank words
//===----------------------------------------------------------------------===//

/// Calls the handler for the runs of a window that are not masked.
void xc_window_runs(const XcDpuTarget *target, const xc_window *window,
                    xc_run_handler handler, void *context);

/// Returns the cycles of an engine that spends `positions` on each word of each
/// pixel of a row of the output.
static inline double xc_window_work(const xc_op *op, uint32_t positions) {
  // Those of the input count all slices of a pixel.
  return (double)op->output.pixels * op->window.walk.pixel_words * positions;
}

/// Returns the bank that DPTWISE takes its bias from.
const XcDpuBanks *xc_depthwise_bias(const XcDpuTarget *target);

/// `words` words of parameters.
void xc_parameter_run(xc_role role, uint32_t part, int32_t bank,
                      uint64_t address, uint32_t words, xc_run_handler handler,
                      void *context);

/// Calls the handler for the runs that CONV, ALU and ELEW write.
void xc_output_runs(const XcDpuTarget *target, const xc_op *op,
                    xc_run_handler handler, void *context);

#endif // XC_TARGET_DPU_MACHINE_WALK_H
