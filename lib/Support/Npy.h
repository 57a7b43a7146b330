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
// one-byte elements. Written: version 1, C order.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_NPY_H
#define XC_SUPPORT_NPY_H

#include "File.h"

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
  /// The first dimension is the one whose neighbours are next to each other,
  /// not the last. Not set where that makes no difference.
  bool fortran_order;
  const unsigned char *data;
} xc_npy;

/// Whether a file begins as one of the format does.
bool xc_npy_is(const unsigned char *data, size_t size);

/// Reads a file that is in memory; `file` names it in diagnostics. `npy->data`
/// points into `data`, and all elements lie within it.
bool xc_npy_parse(XcDiag *diag, const char *file, const unsigned char *data,
                  size_t size, xc_npy *npy);
/// xc_npy_parse for readers that take elements in C order: those of an array in
/// Fortran's order change their places within the buffer.
bool xc_npy_parse_buffer(XcDiag *diag, const char *file, xc_buffer *buffer,
                         xc_npy *npy);
/// xc_npy_parse from the first `size` of the file's `total` bytes, which the
/// header must fit into: `data` of the result may lie beyond them.
bool xc_npy_parse_start(XcDiag *diag, const char *file,
                        const unsigned char *data, size_t size, uint64_t total,
                        xc_npy *npy);

/// Whether an array has tensors of the dimensions one after the other: in these
/// dimensions, of which those of one element do not count, or in one dimension
/// each.
bool xc_npy_holds(const xc_npy *npy, const uint64_t *dims, size_t rank);

/// Returns the number that stands at `at`, of a type of kind 'f'.
double xc_npy_real(xc_npy_type type, const unsigned char *at);

/// Writes the file of the array.
bool xc_npy_write(XcDiag *diag, const char *path, const xc_npy *npy);

#endif // XC_SUPPORT_NPY_H
