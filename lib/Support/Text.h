//===- Text.h - strings that grow, near misses --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_TEXT_H
#define XC_SUPPORT_TEXT_H

#include "xc-c/Support.h"

#include <stdarg.h>

/// A growing string. Zero-initialise; `data` is null or terminated.
typedef struct xc_text {
  char *data;
  size_t length;
  size_t capacity;
} xc_text;

void xc_text_append(xc_text *text, const char *data, size_t length);
void xc_text_puts(xc_text *text, const char *string);
void xc_text_printf(xc_text *text, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);
void xc_text_vprintf(xc_text *text, const char *format, va_list arguments)
    XC_PRINTF_FORMAT(2, 0);
/// Never null.
const char *xc_text_str(const xc_text *text);
void xc_text_free(xc_text *text);

/// Levenshtein distance of two byte strings.
size_t xc_edit_distance(const char *a, size_t a_length, const char *b,
                        size_t b_length);
/// The same to the part of `b` that is nearest.
size_t xc_edit_distance_to_part(const char *part, size_t part_length,
                                const char *b, size_t b_length);

/// Collects candidates and keeps the one nearest to `name`.
typedef struct xc_near_miss {
  const char *name;
  size_t length;
  const char *best;
  size_t distance;
} xc_near_miss;

xc_near_miss xc_near_miss_begin(const char *name, size_t length);
/// `candidate` is borrowed.
void xc_near_miss_offer(xc_near_miss *miss, const char *candidate);
/// Returns the nearest candidate, or null when none is near enough to be a
/// typing error (more than a third of the name differs).
const char *xc_near_miss_get(const xc_near_miss *miss);

/// Whether a list of words with commas has one of so many bytes.
bool xc_list_has(const char *list, const char *word, size_t length);

#endif // XC_SUPPORT_TEXT_H
