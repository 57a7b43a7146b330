//===- Driver.h - what the files of the driver share --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_DRIVER_H
#define XC_DRIVER_DRIVER_H

#include "Support/File.h"
#include "xc-c/Driver.h"

#include "mlir-c/IR.h"

//===----------------------------------------------------------------------===//
// Outputs.c
//===----------------------------------------------------------------------===//

enum { XC_DRIVER_MAX_OUTPUTS = 4 };

/// Files that appear together or not at all.
typedef struct xc_driver_outputs {
  struct {
    char *path;
    void *data;
    size_t size;
  } files[XC_DRIVER_MAX_OUTPUTS];
  size_t count;
} xc_driver_outputs;

/// `data` is freed with free() by xc_driver_outputs_free; `path` is copied.
void xc_driver_outputs_add(xc_driver_outputs *outputs, const char *path,
                           void *data, size_t size);
/// Makes `directory` when it is missing and writes the files.
bool xc_driver_outputs_write(XcDiag *diag, const xc_driver_outputs *outputs,
                             const char *directory);
void xc_driver_outputs_free(xc_driver_outputs *outputs);

/// Makes a directory unless it is there. `*made` (may be null) says whether.
bool xc_driver_make_directory(XcDiag *diag, const char *path, bool *made);

#endif // XC_DRIVER_DRIVER_H
