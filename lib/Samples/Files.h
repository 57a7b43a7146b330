//===- Files.h - the files of a folder ----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SAMPLES_FILES_H
#define XC_SAMPLES_FILES_H

#include "Support/Memory.h"
#include "xc-c/Support.h"

/// Paths, in the arena.
typedef struct xc_file_list {
  xc_arena arena;
  const char **paths;
  size_t count, capacity;
} xc_file_list;

/// Lists the files of a folder and of all folders in it, ordered by their
/// bytes. Names that begin with a dot are left out. What is no file, and links
/// in a circle, are reported.
bool xc_file_list_read(XcDiag *diag, const char *folder, xc_file_list *list);
void xc_file_list_free(xc_file_list *list);

#endif // XC_SAMPLES_FILES_H
