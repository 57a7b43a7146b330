//===- Path.h - files that IR refers to ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_PATH_H
#define XC_DIALECTS_PATH_H

#include "Support/Text.h"

#include "mlir-c/IR.h"

/// Appends the file that `path` means at `location`: an absolute path as it
/// stands, a relative one in the directory of the file that the location names
/// (the working directory when it names none).
void xc_resolve_path(MlirLocation location, MlirStringRef path, xc_text *file);

/// The first file:line:column within a location (through names, fusions and
/// call sites). Returns false when there is none. `file` is borrowed.
bool xc_location_place(MlirLocation location, MlirStringRef *file,
                       unsigned *line, unsigned *column);

#endif // XC_DIALECTS_PATH_H
