//===- NameSearch.c - operators by the names in tables --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NameSearch.h"

#include "Names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Short names
//===----------------------------------------------------------------------===//

// Without the number of a tile, as in deconv3 [2/16].
static size_t length_without_tile(const char *shown) {
  const char *bracket = strrchr(shown, '[');
  unsigned number, total;
  int end = 0;
  bool has_tile = bracket && bracket > shown && bracket[-1] == ' ' &&
                  sscanf(bracket, "[%u/%u]%n", &number, &total, &end) == 2 &&
                  end > 0 && bracket[end] == '\0';
  return has_tile ? (size_t)(bracket - 1 - shown) : strlen(shown);
}

static xc_shown better_of(xc_shown a, xc_shown b) { return a > b ? a : b; }

// Rates a part of a name that begins and ends where the name has separators.
// Words of the first part may be left out.
static xc_shown rate_parts(const char *name, const char *at, size_t length) {
  if (at[length] && !xc_name_separator(at + length))
    return XC_SHOWN_NOT;
  if (at == name)
    return at[length] ? XC_SHOWN_AS_PARTS : XC_SHOWN_WHOLE;
  if (strchr(";/.:", at[-1]) ||
      (at - name > 1 && xc_name_separator(at - 2) == 2))
    return at[length] ? XC_SHOWN_AS_PARTS : XC_SHOWN_AS_END;
  return at[-1] == '_' ? XC_SHOWN_IN_PARTS : XC_SHOWN_NOT;
}

static xc_shown find_parts(const char *name, const char *parts, size_t length) {
  xc_shown best = XC_SHOWN_NOT;
  for (const char *at = name; *at; ++at)
    if (strncmp(at, parts, length) == 0)
      best = better_of(best, rate_parts(name, at, length));
  return best;
}

// A checksum may follow the end.
static bool has_ends(const char *name, const char *sum, const char *shown,
                     size_t length) {
  static const char dots[] = "...";
  const char *middle = strstr(shown, dots);
  if (!middle || middle + strlen(dots) > shown + length)
    return false;
  size_t head = (size_t)(middle - shown), size = strlen(name);
  const char *end = middle + strlen(dots);
  size_t tail = length - (size_t)(end - shown);
  size_t digits = strlen(sum);
  if (tail > digits && memcmp(end + tail - digits, sum, digits) == 0)
    tail -= digits;
  return size >= head + tail && memcmp(name, shown, head) == 0 &&
         memcmp(name + size - tail, end, tail) == 0;
}

static xc_shown rate(const char *name, const char *sum, const char *shown,
                     size_t length) {
  if (length == 0)
    return XC_SHOWN_NOT;
  return better_of(find_parts(name, shown, length),
                   has_ends(name, sum, shown, length) ? XC_SHOWN_IN_PARTS
                                                      : XC_SHOWN_NOT);
}

xc_shown xc_name_shown_as(const char *name, const char *shown) {
  xc_text printable = {0};
  xc_text_printable(&printable, name, strlen(name), false);
  const char *text = xc_text_str(&printable);
  char sum[XC_NAME_SUM_SIZE];
  xc_name_sum(name, strlen(name), sum);
  xc_shown best = better_of(rate(text, sum, shown, strlen(shown)),
                            rate(text, sum, shown, length_without_tile(shown)));
  xc_text_free(&printable);
  return best;
}

//===----------------------------------------------------------------------===//
// Near names
//===----------------------------------------------------------------------===//

static size_t min_of(size_t a, size_t b) { return a < b ? a : b; }

static bool has_name(const xc_near_names *near, const char *name) {
  for (size_t i = 0; i < near->count; ++i)
    if (strcmp(near->names[i], name) == 0)
      return true;
  return false;
}

// Sorted by distance; the first of equals stays the first.
static void insert(xc_near_names *near, const char *name, size_t distance) {
  size_t at = near->count;
  while (at > 0 && near->distances[at - 1] > distance)
    --at;
  if (at == XC_NUM_NEAR_NAMES)
    return;
  near->count = min_of(near->count + 1, XC_NUM_NEAR_NAMES);
  for (size_t i = near->count - 1; i > at; --i) {
    near->names[i] = near->names[i - 1];
    near->distances[i] = near->distances[i - 1];
  }
  near->names[at] = name;
  near->distances[at] = distance;
}

void xc_near_names_offer(xc_near_names *near, const char *name) {
  // The distance takes the product of the lengths.
  enum { LONGEST = 128 };
  size_t length = strlen(near->given), others = strlen(name);
  if (length > LONGEST || others == 0 || has_name(near, name))
    return;
  // Of equal parts, that of the name with least besides counts more.
  size_t part = xc_edit_distance_to_part(near->given, length, name, others);
  size_t rest = others > length ? others - length : length - others;
  // Any few letters are like a part of some long name.
  size_t most = length < 6 ? 1 : length / 3;
  if (part <= most)
    insert(near, name, part * 4096 + min_of(rest, 4095));
}

void xc_near_names_print(const xc_near_names *near, xc_text *text) {
  for (size_t i = 0; i < near->count; ++i)
    xc_text_printf(text, "%s'%s'", i == 0 ? "; near are " : ", ",
                   near->names[i]);
}
