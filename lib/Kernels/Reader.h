//===- Reader.h - what the parts of the reader share --------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_KERNELS_READER_H
#define XC_KERNELS_READER_H

#include "Library.h"

#include "Support/Memory.h"

#include <jansson.h>

typedef struct xc_kernel_reader {
  XcDiag *diag;
  const char *path;
  xc_arena arena;
} xc_kernel_reader;

/// Reads `arguments`: declarations and structures.
bool xc_kernel_read_arguments(xc_kernel_reader *r, xc_kernel_row *row,
                              json_t *list);

/// Returns the number of a name among those of sizes and buffers; -1: none.
int xc_kernel_find_value(const char *name, size_t length);
/// Reports a name that is none. Returns false.
bool xc_kernel_unknown_value(const xc_kernel_reader *r, const char *function,
                             const char *name, size_t length);

#endif // XC_KERNELS_READER_H
