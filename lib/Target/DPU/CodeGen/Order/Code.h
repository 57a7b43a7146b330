//===- Code.h - a growing list of instructions --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emitters append instructions without tokens; Tokens.c adds the tokens at the
// end. Each instruction knows the layer and the tile that it belongs to. INIT
// instructions are appended only where a register changes.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_EMIT_CODE_H
#define XC_TARGET_DPU_CODEGEN_EMIT_CODE_H

#include "Target/DPU/Machine/Machine.h"
#include "xc-c/DPUCodeGen.h"

/// Where an instruction comes from.
typedef struct xc_provenance {
  uint32_t layer;
  uint32_t tile;      // column tile
  uint32_t row, rows; // output rows
} xc_provenance;

typedef struct xc_code {
  const XcDpuTarget *target;
  const xc_machine *machine;
  uint32_t *words;
  size_t num_words, words_capacity;
  uint32_t *offsets; // first word of each instruction
  size_t count, offsets_capacity;
  xc_provenance *provenances;
  size_t provenances_capacity;
  xc_provenance now; // of what is appended next
  /// The registers as the last INIT instructions left them, by opcode.
  XcDpuInstruction inits[XC_DPU_NUM_OPCODES];
  bool has_init[XC_DPU_NUM_OPCODES];
  /// Which instructions these are, counted from 1; 0: not known.
  uint32_t last_init[XC_DPU_NUM_OPCODES];
  /// The first instruction that does not fit its encoding.
  XcDpuResult misfit;
  struct xc_tile_tasks *tasks; // that what is appended is noted in, or null
  /// Instructions are only counted and noted, for an estimate.
  bool keeps_no_words;
} xc_code;

void xc_code_free(xc_code *code);

void xc_code_load(xc_code *code, const XcDpuLoad *load);
void xc_code_save(xc_code *code, const XcDpuSave *save);
/// Appends an instruction that computes windows with the registers of `init`.
void xc_code_window(xc_code *code, const XcDpuInstruction *init,
                    const XcDpuInstruction *insn);
void xc_code_elew(xc_code *code, const XcDpuElewInit *inits,
                  const XcDpuElew *elew);
void xc_code_end(xc_code *code);
/// Appends an instruction of other code of the same machine.
void xc_code_copy(xc_code *code, const xc_code *from, size_t index);

/// Returns the machine code in bytes. The caller frees it.
unsigned char *xc_code_bytes(const xc_code *code, size_t *size);

unsigned xc_code_opcode(const xc_code *code, size_t index);
XcDpuQueue xc_code_queue(const xc_code *code, size_t index);
/// Whether two SAVEs of one tile that follow each other can use both ports.
bool xc_can_pair_saves(const XcDpuSave *first, const XcDpuSave *second);
void xc_code_set_tokens(xc_code *code, size_t index, unsigned on, unsigned by);

#endif // XC_TARGET_DPU_CODEGEN_EMIT_CODE_H
