//===- Names.c - names of models in paths and on terminals ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"

#include <string.h>

static bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || (c && strchr("-_.+", c));
}

// FNV-1a.
static uint32_t checksum(const char *name, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; ++i)
    hash = (hash ^ (unsigned char)name[i]) * 16777619u;
  return hash;
}

void xc_text_file_name(xc_text *text, const char *name, size_t length) {
  enum { LONGEST = 90 };
  size_t shown = length < LONGEST ? length : LONGEST;
  bool changed = shown < length || length == 0;
  for (size_t i = 0; i < shown; ++i) {
    bool stays = is_plain(name[i]) && (i > 0 || name[i] != '.');
    changed |= !stays;
    xc_text_append(text, stays ? &name[i] : "_", 1);
  }
  if (changed)
    xc_text_printf(text, "-%08x", (unsigned)checksum(name, length));
}

size_t xc_name_separator(const char *at) {
  if (at[0] == '_' && at[1] == '_')
    return 2;
  return *at && strchr(";/.:", *at) ? 1 : 0;
}

size_t xc_name_sum(const char *name, size_t length,
                   char sum[XC_NAME_SUM_SIZE]) {
  return (size_t)snprintf(sum, XC_NAME_SUM_SIZE, "#%08x",
                          (unsigned)checksum(name, length));
}

// Also the second half of Latin-1's control characters, in UTF-8.
static size_t control_length(const unsigned char *at, size_t left) {
  if (left > 1 && at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0)
    return 2;
  return at[0] < ' ' || at[0] == 0x7f;
}

void xc_text_printable(xc_text *text, const char *data, size_t length,
                       bool keeps_lines) {
  const unsigned char *at = (const unsigned char *)data, *end = at + length;
  while (at < end) {
    size_t control = control_length(at, (size_t)(end - at));
    if (control == 0 || (keeps_lines && (*at == '\n' || *at == '\t'))) {
      xc_text_append(text, (const char *)at++, 1);
      continue;
    }
    for (; control > 0; --control)
      xc_text_printf(text, "\\x%02x", *at++);
  }
}

void xc_print(FILE *stream, const char *format, ...) {
  xc_text text = {0}, shown = {0};
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_text_printable(&shown, xc_text_str(&text), text.length, true);
  fputs(xc_text_str(&shown), stream);
  xc_text_free(&text);
  xc_text_free(&shown);
}
