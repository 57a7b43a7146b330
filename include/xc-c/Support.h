//===- Support.h - visibility, diagnostics ------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The needs of every public header of xc: the export macro and the way errors
// come back from code that works on files instead of MLIR operations.
//
// Errors. A function that can fail on its input returns false (or a null
// handle) after reporting at least one diagnostic of severity XcSeverityError
// to the XcDiag it was given: one, unless its comment says otherwise, as for
// importers that report every operator they do not know. Callers only forward
// the failure. Notes belong to the diagnostic before them.
//
//===----------------------------------------------------------------------===//

#ifndef XC_C_SUPPORT_H
#define XC_C_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define XC_EXPORTED
#else
#define XC_EXPORTED __attribute__((visibility("default")))
#endif

#if defined(__GNUC__)
#define XC_PRINTF_FORMAT(index, first)                                         \
  __attribute__((format(printf, index, first)))
#else
#define XC_PRINTF_FORMAT(index, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The most threads that a call or a tool shares its work between.
enum { XC_MAX_THREADS = 1024 };

typedef enum XcSeverity {
  XcSeverityError,
  XcSeverityWarning,
  XcSeverityRemark,
  XcSeverityNote,
} XcSeverity;

/// A place in an input. `file` is borrowed and may be null when the input has
/// no name. Text inputs set `line` and `column`, both counted from 1; a line
/// of 0 means that the diagnostic concerns the input as a whole.
typedef struct XcPlace {
  const char *file;
  unsigned line;
  unsigned column;
} XcPlace;

/// Receives how far a long piece of work has come: `done` of `total` things. A
/// `total` of 0 means that it is unknown. `work` names them, as "fitting
/// weights" and "schedules priced" do.
typedef void (*XcProgressHandler)(void *userData, const char *work, size_t done,
                                  size_t total);

/// A handler, or null, and its data. It is called from the thread that called
/// the function of xc.
typedef struct XcProgress {
  XcProgressHandler handler;
  void *userData;
} XcProgress;

/// Receives one diagnostic. `message` is one line without a trailing newline
/// and lives only during the call.
typedef void (*XcDiagHandler)(void *userData, XcSeverity severity,
                              XcPlace place, const char *message);

/// Where a library call reports to. The caller owns it and may keep it on the
/// stack; a null handler prints `file:line:column: error: message` to stderr.
typedef struct XcDiag {
  XcDiagHandler handler;
  void *userData;
  /// Errors reported so far.
  unsigned numErrors;
} XcDiag;

/// Reports one diagnostic. The text is formatted as by printf.
XC_EXPORTED void xcDiagReport(XcDiag *diag, XcSeverity severity, XcPlace place,
                              const char *format, ...) XC_PRINTF_FORMAT(4, 5);

/// The most memory, in bytes, that one file, one tensor or all tensors of one
/// function may take; 0, as at first, stands for the memory of the machine. An
/// input that asks for more is refused with a diagnostic. The limit is one for
/// the whole process, as memory is; any thread may set it.
XC_EXPORTED void xcSetMaxMemory(uint64_t bytes);
/// Returns the limit that was set; 0 if none was.
XC_EXPORTED uint64_t xcGetMaxMemory(void);

/// MLIR's bytecode reader crashes on some files. xc therefore decodes bytecode
/// by itself first, and refuses what would harm the process. Bytecode of
/// dialects that no model uses is read in another process, by the xc-opt beside
/// the running program, if there is one. A host that only reads its own files
/// may switch these checks off, for the whole process.
XC_EXPORTED void xcSetTrustBytecode(bool trust);
/// Whether it was set; false if nothing was.
XC_EXPORTED bool xcGetTrustBytecode(void);

/// Returns the version of xc, for example "0.1.0".
XC_EXPORTED const char *xcVersion(void);

#ifdef __cplusplus
}
#endif

#endif // XC_C_SUPPORT_H
