//===- File.h - whole-file input, all-or-nothing output -----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_FILE_H
#define XC_SUPPORT_FILE_H

#include "xc-c/Support.h"

#include <stdio.h>

/// The bytes of a file. `data` has one extra zero byte after `size`.
typedef struct xc_buffer {
  unsigned char *data;
  size_t size;
} xc_buffer;

/// Whether there is a folder of that name.
bool xc_is_folder(const char *path);

/// Reads a whole file, or standard input for "-". On failure reports
/// `cannot open input file 'x': No such file or directory` and returns false.
bool xc_read_file(XcDiag *diag, const char *path, xc_buffer *buffer);
void xc_buffer_free(xc_buffer *buffer);

/// An output file that appears only when it is complete: bytes go to a
/// temporary beside `path`, which xc_output_keep renames. "-" is standard
/// output, which is written at once.
typedef struct xc_output {
  FILE *stream;
  char *path;                     // null for standard output
  struct xc_temporary *temporary; // null for standard output and devices
} xc_output;

bool xc_output_open(XcDiag *diag, const char *path, xc_output *output);
/// Flushes and closes the temporary file, so that xc_output_keep has only to
/// rename it.
bool xc_output_finish(XcDiag *diag, xc_output *output);
/// Closes and keeps the file; reports a failed write. The output is closed
/// afterwards in both cases.
bool xc_output_keep(XcDiag *diag, xc_output *output);
/// Closes and removes what was written. Harmless after xc_output_keep.
void xc_output_discard(xc_output *output);

/// xc_output_open and xc_output_keep around one block of bytes.
bool xc_write_file(XcDiag *diag, const char *path, const void *data,
                   size_t size);

#endif // XC_SUPPORT_FILE_H
