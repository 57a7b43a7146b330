//===- Import.h - modules of TOSA and tir -------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_TOSA_IMPORT_H
#define XC_FRONTEND_TOSA_IMPORT_H

#include "xc-c/ImportOptions.h"
#include "xc-c/Support.h"

#include "mlir-c/IR.h"

/// Reads MLIR text or bytecode, which a zero byte follows, and converts what it
/// holds of TOSA. What MLIR reports goes to the handlers of the context.
/// Returns null after errors.
MlirModule xc_mlir_import(XcDiag *diag, MlirContext context, const char *path,
                          const void *data, size_t size,
                          const XcImportOptions *options);

#endif // XC_FRONTEND_TOSA_IMPORT_H
