//===- IRReader.h - MLIR text and bytecode from untrusted input ---*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's readers trust their input: deep nesting overflows the stack, mutated
// bytecode corrupts memory or never ends. Here text is scanned and bytecode is
// decoded before MLIR reads it.
//
//===----------------------------------------------------------------------===//

#ifndef XC_IRREADER_IRREADER_H
#define XC_IRREADER_IRREADER_H

#include "Support/CommandLine.h"
#include "Support/Source.h"
#include "xc-c/Support.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

enum {
  /// Brackets of all kinds that may enclose each other.
  XC_MAX_NESTING = 1000
};

typedef struct xc_read_options {
  /// Bytecode may hold operations of `builtin`, `func`, `memref` and of xc
  /// alone. The code of other dialects believes what it reads: an xc-opt of its
  /// own turns their bytecode into text first.
  bool only_models;
  bool with_tosa;                   // and TOSA, by that xc-opt
  const xc_string_list *irdl_files; // for that xc-opt; may be null
  bool allow_unregistered;
  bool no_implicit_module;
  /// The byte after the input is there and zero: text is read where it is.
  bool is_terminated;
} xc_read_options;

/// Returns a context with every dialect and translation of MLIR, and ours.
/// `threads` false keeps it to one thread.
MlirContext xc_context_create(bool threads);

/// Reads text or bytecode (told apart by its first bytes), verifies it with
/// MLIR's verifier and ours, and returns the top-level operation, a module
/// unless no_implicit_module is set. Diagnostics go to the context's handlers;
/// what this reader finds by itself goes to `diag`. Returns null on failure.
MlirOperation xc_read_ir(MlirContext context, XcDiag *diag,
                         const xc_source *input,
                         const xc_read_options *options);

bool xc_is_bytecode(const xc_source *input);

/// Limits the time and memory of a process that reads `size` bytes of bytecode
/// that is unchecked, and nothing else.
void xc_bytecode_limit_process(size_t size);

/// Reports a binary file, which may be a model of another format.
bool xc_check_text(XcDiag *diag, const xc_source *input);

/// The scan alone: reports the place where text nests too deeply.
bool xc_check_nesting(XcDiag *diag, const xc_source *input);

/// Sends a context's diagnostics to an XcDiag while attached.
typedef struct xc_diagnostic_bridge {
  MlirContext context;
  MlirDiagnosticHandlerID id;
  XcDiag *diag;
  const xc_source *input; // being read; for its name and lines
  bool show_operation;    // "see current operation" below errors
  bool hide_notes;
} xc_diagnostic_bridge;

void xc_bridge_attach(xc_diagnostic_bridge *bridge, MlirContext context,
                      XcDiag *diag);
void xc_bridge_detach(xc_diagnostic_bridge *bridge);

#endif // XC_IRREADER_IRREADER_H
