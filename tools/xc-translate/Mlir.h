//===- Mlir.h - translations from and to MLIR ---------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TOOLS_XC_TRANSLATE_MLIR_H
#define XC_TOOLS_XC_TRANSLATE_MLIR_H

#include "Translate/Translate.h"
#include "xc-c/Import.h"

/// The importers all have this shape.
typedef MlirModule (*xc_importer)(XcDiag *diag, MlirContext context,
                                  const char *path, const void *data,
                                  size_t size, const XcImportOptions *options);

/// Imports the input and prints the module.
bool xc_translate_import(XcDiag *diag, const xc_source *input,
                         const xc_translate_options *options, FILE *output,
                         xc_importer importer);

typedef bool (*xc_exporter)(XcDiag *diag, MlirModule module, FILE *output);

/// Parses the input, verifies it and hands it on. What MLIR reports goes to
/// `diag`, also while the exporter runs.
bool xc_translate_export(XcDiag *diag, const xc_source *input,
                         const xc_translate_options *options, FILE *output,
                         xc_exporter exporter);

#endif // XC_TOOLS_XC_TRANSLATE_MLIR_H
