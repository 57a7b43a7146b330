//===- Outputs.h - files that appear together or not at all -------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_OUTPUTS_H
#define XC_DRIVER_OUTPUTS_H

#include "xc-c/Support.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct xc_driver_output {
  char *path;
  void *data;
  size_t size;
} xc_driver_output;

/// Files that appear together or not at all.
typedef struct xc_driver_outputs {
  xc_driver_output *files;
  size_t count, capacity;
} xc_driver_outputs;

/// Adds a file. `data` is freed with free() by xc_driver_outputs_free; `path`
/// is copied.
void xc_driver_outputs_add(xc_driver_outputs *outputs, const char *path,
                           void *data, size_t size);

/// Whether the directory can be made or written to, as far as that can be known
/// before minutes of compiling.
bool xc_driver_check_directory(XcDiag *diag, const char *path);
/// Whether the file can be made, as far as that can be known before.
bool xc_driver_check_file(XcDiag *diag, const char *path);

/// Makes a directory unless it is there. `*made` (may be null) says whether.
bool xc_driver_make_directory(XcDiag *diag, const char *path, bool *made);

/// Makes `directory` when it is missing and writes the files.
bool xc_driver_outputs_write(XcDiag *diag, const xc_driver_outputs *outputs,
                             const char *directory);
void xc_driver_outputs_free(xc_driver_outputs *outputs);

#endif // XC_DRIVER_OUTPUTS_H
