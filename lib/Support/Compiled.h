//===- Compiled.h - compiled model in an output directory ---------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_COMPILED_H
#define XC_SUPPORT_COMPILED_H

#include "Text.h"

/// Finds the file of a model: for a directory of xcc, or the meta.json in it,
/// the model that it names, else `path` itself. Appended to `found`. Returns
/// false after a diagnostic of `tool`.
bool xc_find_compiled(const char *tool, const char *path, xc_text *found);

#endif // XC_SUPPORT_COMPILED_H
