//===- NameSearch.h - operators by the names in tables ------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables show short names (ShortNames.h). Users copy them into options, or
// type names that are nearly right.
//
//===----------------------------------------------------------------------===//

#ifndef XC_SUPPORT_NAMESEARCH_H
#define XC_SUPPORT_NAMESEARCH_H

#include "Text.h"

/// How well a name is what a table shows, with or without the number of a tile
/// after it.
typedef enum xc_shown {
  XC_SHOWN_NOT,
  XC_SHOWN_IN_PARTS, // beginning and end, or parts without their first words
  XC_SHOWN_AS_PARTS,
  XC_SHOWN_AS_END,
  XC_SHOWN_WHOLE
} xc_shown;

/// Several names may be shown as one text; a table means the best of them.
xc_shown xc_name_shown_as(const char *name, const char *shown);

enum { XC_NUM_NEAR_NAMES = 3 };

/// The names, or names with parts, that are nearest to what was given.
typedef struct xc_near_names {
  const char *given;
  size_t count;
  const char *names[XC_NUM_NEAR_NAMES]; // borrowed
  size_t distances[XC_NUM_NEAR_NAMES];
} xc_near_names;

void xc_near_names_offer(xc_near_names *near, const char *name);
/// Appends "; near are 'a', 'b'", or nothing.
void xc_near_names_print(const xc_near_names *near, xc_text *text);

#endif // XC_SUPPORT_NAMESEARCH_H
