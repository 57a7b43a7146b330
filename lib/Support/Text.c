//===- Text.c - strings that grow, near misses ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "Memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(xc_text *text, size_t extra) {
  void *data = text->data;
  xc_grow(&data, &text->capacity, text->length + extra + 1, 1);
  text->data = data;
}

void xc_text_append(xc_text *text, const char *data, size_t length) {
  reserve(text, length);
  if (length)
    memcpy(text->data + text->length, data, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void xc_text_puts(xc_text *text, const char *string) {
  xc_text_append(text, string, strlen(string));
}

void xc_text_printf(xc_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(text, format, arguments);
  va_end(arguments);
}

void xc_text_vprintf(xc_text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  assert(length >= 0 && "a format of xc is always valid");
  reserve(text, (size_t)length);
  vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
  text->length += (size_t)length;
  va_end(again);
}

const char *xc_text_str(const xc_text *text) {
  return text->data ? text->data : "";
}

void xc_text_free(xc_text *text) {
  free(text->data);
  *text = (xc_text){0};
}

static size_t min_of(size_t a, size_t b) { return a < b ? a : b; }

/// Makes a row of Levenshtein's table, for all beginnings of `b` and nothing of
/// `a`, that for all of `a`.
static void fill_row(const char *a, size_t a_length, const char *b,
                     size_t b_length, size_t *row) {
  for (size_t i = 1; i <= a_length; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b_length; ++j) {
      size_t substitute = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = min_of(substitute, min_of(row[j], row[j - 1]) + 1);
    }
  }
}

size_t xc_edit_distance(const char *a, size_t a_length, const char *b,
                        size_t b_length) {
  size_t *row = xc_alloc_array(b_length + 1, sizeof(size_t));
  for (size_t j = 0; j <= b_length; ++j)
    row[j] = j;
  fill_row(a, a_length, b, b_length, row);
  size_t distance = row[b_length];
  free(row);
  return distance;
}

size_t xc_edit_distance_to_part(const char *part, size_t part_length,
                                const char *b, size_t b_length) {
  size_t *row = xc_alloc_array(b_length + 1, sizeof(size_t));
  fill_row(part, part_length, b, b_length, row);
  size_t least = row[0];
  for (size_t j = 1; j <= b_length; ++j)
    least = min_of(least, row[j]);
  free(row);
  return least;
}

xc_near_miss xc_near_miss_begin(const char *name, size_t length) {
  return (xc_near_miss){name, length, NULL, 0};
}

void xc_near_miss_offer(xc_near_miss *miss, const char *candidate) {
  // A longer name is no typing error, and distance is quadratic in length.
  enum { LONGEST = 128 };
  size_t length = strlen(candidate);
  if (miss->length > LONGEST || length > LONGEST)
    return;
  size_t distance =
      xc_edit_distance(miss->name, miss->length, candidate, length);
  if (!miss->best || distance < miss->distance) {
    miss->best = candidate;
    miss->distance = distance;
  }
}

const char *xc_near_miss_get(const xc_near_miss *miss) {
  if (!miss->best || miss->distance > (miss->length + 2) / 3)
    return NULL;
  return miss->best;
}

bool xc_list_has(const char *list, const char *word, size_t length) {
  while (*list) {
    size_t here = strcspn(list, ",");
    if (here == length && memcmp(list, word, length) == 0)
      return true;
    list += here + (list[here] == ',');
  }
  return false;
}
