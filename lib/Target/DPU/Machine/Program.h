//===- Program.h - machine code, decoded --------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_MACHINE_PROGRAM_H
#define XC_TARGET_DPU_MACHINE_PROGRAM_H

#include "Machine.h"
#include "xc-c/DPUSim.h"

typedef struct xc_program_layer {
  size_t first;
  char *name;
  uint64_t operations;
} xc_program_layer;

struct XcDpuProgram {
  const XcDpuTarget *target;
  const xc_machine *machine;
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

/// Kind, name and token masks of an instruction, without decoding the
/// rest.
const xc_operation *xc_program_kind(const XcDpuProgram *program, size_t index);
const char *xc_program_name(const XcDpuProgram *program, size_t index);
unsigned xc_program_waits(const XcDpuProgram *program, size_t index);
unsigned xc_program_posts(const XcDpuProgram *program, size_t index);

/// Reports an error about an instruction: index, assembly text, layer, `why`.
/// Returns false.
bool xc_program_error(XcDiag *diag, const XcDpuProgram *program, size_t index,
                      const char *why);

#endif // XC_TARGET_DPU_MACHINE_PROGRAM_H
