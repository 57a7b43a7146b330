//===- Mlir.h - translations from MLIR ----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TOOLS_XC_TRANSLATE_MLIR_H
#define XC_TOOLS_XC_TRANSLATE_MLIR_H

#include "Translate/Translate.h"

#include "mlir-c/IR.h"

/// What a translation does with a module. `job` is its own.
typedef bool (*xc_exporter)(XcDiag *diag, MlirModule module, void *job);

/// Parses the input, verifies it and hands it on. What MLIR reports goes to
/// `diag`, also while the exporter runs.
bool xc_translate_export(XcDiag *diag, const xc_source *input,
                         const xc_translate_options *options,
                         xc_exporter exporter, void *job);

#endif // XC_TOOLS_XC_TRANSLATE_MLIR_H
