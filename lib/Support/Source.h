//===- Source.h - the bytes of one input and their place ----------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_SOURCE_H
#define XC_SUPPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/// One input of a reader, or one chunk of it: what a reader needs to know of a
/// file, or of memory that stands for one. All is borrowed. `data` is followed
/// by a zero byte.
typedef struct xc_source {
  /// For diagnostics; "<stdin>" where there is no file.
  const char *name;
  const unsigned char *data;
  size_t size;
  /// Line number of the first byte: above 1 in later chunks.
  unsigned first_line;
} xc_source;

/// Takes the next chunk, up to a line that holds only `marker`, from the front
/// of `rest`. Returns false when nothing is left. Line numbers go on counting.
/// The chunk is not zero-terminated where a marker ends it.
bool xc_source_next_chunk(xc_source *rest, const char *marker,
                          xc_source *chunk);

#endif // XC_SUPPORT_SOURCE_H
