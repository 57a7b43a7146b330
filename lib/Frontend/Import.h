//===- Import.h - what the importers share ------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shell of an imported module and the way errors leave an importer:
//
//   xc_import import;
//   xc_import_begin(&import, diag, context, file, options);
//   ... xc_import_argument, xc_build with xc_import_builder ...
//   return xc_import_end(&import, ok);
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_IMPORT_H
#define XC_FRONTEND_IMPORT_H

#include "Support/Text.h"
#include "dialects/Build.h"
#include "xc-c/Import.h"

#include "mlir-c/Diagnostics.h"

typedef struct xc_import {
  XcDiag *diag;
  const char *file;
  XcImportOptions options;
  MlirContext context;
  MlirModule module;
  MlirOperation function;
  MlirBlock block;
  xc_builder builder; // at the end of the function
  /// The operator being imported, before its messages; the importer sets it.
  xc_text what;
  MlirAttribute *input_names;
  size_t num_inputs, input_capacity;
  MlirDiagnosticHandlerID handler;
  unsigned errors_before; // of `diag`
} xc_import;

/// Registers the dialects, makes an empty function and sends what MLIR reports
/// in `context` to `diag`. Only the first error gets through.
void xc_import_begin(xc_import *import, XcDiag *diag, MlirContext context,
                     const char *file, const XcImportOptions *options);

/// Reports `file: error: [what: ]message` unless an error was reported before.
/// Returns false.
bool xc_import_error(xc_import *import, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

/// Whether an error was reported.
bool xc_import_failed(const xc_import *import);

/// Reads the --input-shape of an input into rank and dims of `shape` and sets
/// `given`. False after an error.
bool xc_import_input_shape(xc_import *import, const char *name, xc_shape *shape,
                           bool *given);

/// Adds an argument to the function.
MlirValue xc_import_argument(xc_import *import, const char *name,
                             const xc_shape *shape);

/// `import->builder` at the location of what computes the tensor `name`.
xc_builder xc_import_builder(const xc_import *import, const char *name);

/// Ends the function: its name, results and their names. Reports options that
/// name no input.
bool xc_import_return(xc_import *import, const char *function,
                      const MlirValue *results, const char *const *names,
                      size_t count);

/// Gives the module, or destroys it and gives null when `ok` is false or an
/// error was reported. Frees everything else.
MlirModule xc_import_end(xc_import *import, bool ok);

#endif // XC_FRONTEND_IMPORT_H
