//===- Source.c - inputs of several chunks --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Source.h"

#include <string.h>

static bool is_marker(const char *line, size_t length, const char *marker) {
  size_t marker_length = strlen(marker);
  if (length > 0 && line[length - 1] == '\r')
    --length;
  return length == marker_length && memcmp(line, marker, length) == 0;
}

bool xc_source_next_chunk(xc_source *rest, const char *marker,
                          xc_source *chunk) {
  if (!rest->data)
    return false;
  *chunk = *rest;
  const char *start = (const char *)rest->data;
  const char *end = start + rest->size;
  unsigned line = rest->first_line;
  for (const char *at = start; at < end; ++line) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *stop = newline ? newline : end;
    const char *next = newline ? newline + 1 : end;
    if (is_marker(at, (size_t)(stop - at), marker)) {
      chunk->size = (size_t)(at - start);
      rest->data = (const unsigned char *)next;
      rest->size = (size_t)(end - next);
      rest->first_line = line + 1;
      return true;
    }
    at = next;
  }
  rest->data = NULL;
  return true;
}
