//===- Layers.c - names of the layers of a program ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layers.h"

#include "Support/Diag.h"
#include "Support/Memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t')
    ++at;
  return at;
}

// A decimal number that a blank or the end follows. Stays at its start when
// there is none.
static bool take_number(const char **at, uint64_t *number) {
  const char *digits = *at = skip_blanks(*at);
  *number = 0;
  for (; isdigit((unsigned char)*digits); ++digits) {
    unsigned digit = (unsigned)(*digits - '0');
    if (*number > (UINT64_MAX - digit) / 10)
      return false;
    *number = *number * 10 + digit;
  }
  if (digits == *at || (*digits && *digits != ' ' && *digits != '\t'))
    return false;
  *at = digits;
  return true;
}

static bool add_line(XcDiag *diag, XcPlace place, const char *line,
                     xc_dpu_layers *layers) {
  const char *at = skip_blanks(line);
  if (*at == '\0' || *at == '#')
    return true;
  xc_dpu_layer row = {.line = place.line};
  bool ok = take_number(&at, &row.first) && take_number(&at, &row.operations);
  row.name = skip_blanks(at);
  if (!ok || *row.name == '\0') {
    place.column = (unsigned)(at - line) + 1;
    return xc_place_error(diag, place,
                          "expected an instruction index, a number of "
                          "operations and a name");
  }
  if (layers->count && row.first <= layers->rows[layers->count - 1].first)
    return xc_place_error(diag, place,
                          "instruction %llu is not after that of the line "
                          "before",
                          (unsigned long long)row.first);
  void *rows = layers->rows;
  xc_grow(&rows, &layers->capacity, layers->count + 1, sizeof(row));
  layers->rows = rows;
  layers->rows[layers->count++] = row;
  return true;
}

bool xc_dpu_layers_read(XcDiag *diag, const char *path, xc_dpu_layers *layers) {
  *layers = (xc_dpu_layers){0};
  if (!xc_read_file(diag, path, &layers->text))
    return false;
  XcPlace place = {.file = path, .line = 1, .column = 1};
  char *line = (char *)layers->text.data;
  for (; *line; ++place.line) {
    size_t length = strcspn(line, "\n");
    char *next = line + length + (line[length] == '\n');
    line[length > 0 && line[length - 1] == '\r' ? length - 1 : length] = '\0';
    if (!add_line(diag, place, line, layers)) {
      xc_dpu_layers_free(layers);
      return false;
    }
    line = next;
  }
  return true;
}

void xc_dpu_layers_free(xc_dpu_layers *layers) {
  free(layers->rows);
  xc_buffer_free(&layers->text);
  *layers = (xc_dpu_layers){0};
}
