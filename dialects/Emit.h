//===- Emit.h - errors at operations ------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_EMIT_H
#define XC_DIALECTS_EMIT_H

#include "xc-c/Support.h"

#include "mlir-c/IR.h"

/// Emits an error at a location on behalf of an operation (may be null).
void xc_emit_error(MlirOperation operation, MlirLocation location,
                   const char *message);

/// Emits `'tir.x' op message` at the operation. Returns false.
bool xc_op_error(MlirOperation operation, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

/// Emits `option 'x' of PASS message` where the operation is that the pass runs
/// on. Returns false.
bool xc_option_error(MlirOperation root, const char *pass, const char *option,
                     const char *format, ...) XC_PRINTF_FORMAT(4, 5);

/// Calls nest in a stack of the process, so that there is an end to it. Returns
/// false after an error at a call by which they nest so deep.
bool xc_check_call_depth(MlirOperation call, size_t depth);

/// Returns where library calls report to: diagnostics of the module's context,
/// at the place in the file that they name, or else at the module. `module` is
/// borrowed.
XcDiag xc_context_diag(MlirOperation *module);

struct xc_text;

/// Appends the operation whose error a diagnostic handler has been given, in
/// generic form. The C API cannot attach notes to a diagnostic, so the handler
/// asks here for what it shows as "see current operation". Returns false for
/// errors that are not one of xc.
bool xc_emitted_operation(MlirLocation location, const char *message,
                          struct xc_text *text);

#endif // XC_DIALECTS_EMIT_H
