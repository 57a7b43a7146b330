//===- Npy.h - arrays in NumPy's file format ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   file   := "\x93NUMPY" major minor length header data
//   length := 2 bytes (major 1) or 4 bytes (major 2, 3), little-endian
//   header := "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
//
// The keys come in any order. Read: versions 1 to 3, little-endian or
// one-byte elements, C order. Written: version 1.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_NPY_H
#define XC_SUPPORT_NPY_H

#include "xc-c/Support.h"

enum { XC_NPY_MAX_RANK = 16 };

/// Of an element: kind as in the format ('i', 'u', 'f', 'b'), size in bytes.
typedef struct xc_npy_type {
  char kind;
  unsigned size;
} xc_npy_type;

typedef struct xc_npy {
  xc_npy_type type;
  size_t rank;
  uint64_t shape[XC_NPY_MAX_RANK];
  uint64_t count; // elements
  const unsigned char *data;
} xc_npy;

/// Whether a file begins as one of the format does.
bool xc_npy_is(const unsigned char *data, size_t size);

/// Reads a file that is in memory; `file` names it in diagnostics. `npy->data`
/// points into `data`, and all elements lie within it.
bool xc_npy_parse(XcDiag *diag, const char *file, const unsigned char *data,
                  size_t size, xc_npy *npy);
/// The same from the first `size` of the file's `total` bytes, which the header
/// must fit into: `data` of the result may lie beyond them.
bool xc_npy_parse_start(XcDiag *diag, const char *file,
                        const unsigned char *data, size_t size, uint64_t total,
                        xc_npy *npy);

/// Writes the file of the array.
bool xc_npy_write(XcDiag *diag, const char *path, const xc_npy *npy);

#endif // XC_SUPPORT_NPY_H
