//===- Locations.c - where operators come from, as text -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "Support/Text.h"

#include <stdlib.h>
#include <string.h>

/// Prints a file without its directories: the text must not depend on where the
/// model lies.
static void print_file(MlirStringRef file, xc_text *text) {
  size_t begin = file.length;
  while (begin > 0 && file.data[begin - 1] != '/')
    --begin;
  xc_text_append(text, file.data + begin, file.length - begin);
}

static void print_location(MlirLocation location, xc_text *text) {
  if (mlirLocationIsAName(location)) {
    MlirLocation child = mlirLocationNameGetChildLoc(location);
    MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
    xc_text_append(text, name.data, name.length);
    if (mlirLocationIsAFileLineColRange(child)) {
      xc_text_puts(text, " at ");
      print_location(child, text);
    }
  } else if (mlirLocationIsAFileLineColRange(location)) {
    print_file(
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location)),
        text);
    xc_text_printf(text, ":%d:%d",
                   mlirLocationFileLineColRangeGetStartLine(location),
                   mlirLocationFileLineColRangeGetStartColumn(location));
  } else if (mlirLocationIsAFused(location)) {
    unsigned count = mlirLocationFusedGetNumLocations(location);
    MlirLocation *all = xc_alloc_array(count, sizeof *all);
    mlirLocationFusedGetLocations(location, all);
    for (unsigned i = 0; i < count; ++i) {
      xc_text piece = {0};
      print_location(all[i], &piece);
      if (piece.length)
        xc_text_printf(text, text->length ? ", %s" : "%s", xc_text_str(&piece));
      xc_text_free(&piece);
    }
    free(all);
  }
}

const char *xc_location_text(xc_arena *arena, MlirLocation location,
                             const char *name) {
  xc_text text = {0};
  print_location(location, &text);
  const char *result = NULL;
  if (text.length && strcmp(xc_text_str(&text), name) != 0)
    result = xc_arena_string(arena, xc_text_str(&text), text.length);
  xc_text_free(&text);
  return result;
}
