//===- DPUAssembly.h - assembler and disassembler -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text form of machine code. One instruction per line; the grammar is in
// docs/assembler.md:
//
//   # layer conv1
//   LOAD     0011 0001 bank_id 33 bank_addr 2 jump_read 32 ...
//   .word 0x31415926
//
// Assembling what the disassembler wrote gives the same bytes, whatever they
// were: words that are not instructions are written as raw words.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_DPUASSEMBLY_H
#define XC_C_DPUASSEMBLY_H

#include "xc-c/DPUIsa.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /// Bytes of the longest line with its terminating zero.
  XC_DPU_MAX_LINE = 1024,
};

/// Prints one instruction without indentation and newline, terminated, into
/// `buffer` of XC_DPU_MAX_LINE bytes. Returns the length. The words are those
/// of an instruction that xcDpuDecode accepts.
XC_EXPORTED size_t xcDpuPrintInstruction(const XcDpuIsa *isa,
                                         const uint32_t *words, char *buffer);

/// A comment in front of an instruction, such as the name of the layer that
/// begins there. Instructions are counted from 0, invalid ones included.
typedef struct XcDpuLabel {
  size_t instruction;
  const char *text;
} XcDpuLabel;

/// Receives the text piece by piece.
typedef void (*XcDpuTextCallback)(void *userData, const char *text,
                                  size_t length);

/// Machine code, with labels sorted by instruction.
typedef struct XcDpuListing {
  const char *name; // in messages
  const unsigned char *code;
  size_t size;
  const XcDpuLabel *labels; // may be null when there are none
  size_t numLabels;
} XcDpuListing;

/// Prints machine code. Words that are not valid instructions become `.word`
/// lines, with a warning that names them. Fails only when the size is no
/// multiple of four.
XC_EXPORTED bool xcDpuDisassemble(XcDiag *diag, const XcDpuIsa *isa,
                                  const XcDpuListing *listing,
                                  XcDpuTextCallback callback, void *userData);

/// Translates `length` bytes of text into machine code. Line numbers begin at
/// `start.line`, and `start.file` names the text in diagnostics. On success the
/// caller frees `*code` with free().
XC_EXPORTED bool xcDpuAssemble(XcDiag *diag, const XcDpuIsa *isa, XcPlace start,
                               const char *text, size_t length,
                               unsigned char **code, size_t *size);

#ifdef __cplusplus
}
#endif

#endif // XC_C_DPUASSEMBLY_H
