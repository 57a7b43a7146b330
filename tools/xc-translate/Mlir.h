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

/// Writes a module; `data` is the translation's own.
typedef bool (*xc_exporter)(const xc_translate_job *job, MlirModule module,
                            void *data);

/// Parses the input, verifies it and hands it on. What MLIR reports goes to
/// the job, also while the exporter runs.
bool xc_translate_export(const xc_translate_job *job, xc_exporter exporter,
                         void *data);

#endif // XC_TOOLS_XC_TRANSLATE_MLIR_H
