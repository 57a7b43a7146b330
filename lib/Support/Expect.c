//===- Expect.c - --verify-diagnostics ------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Expect.h"

#include "Diag.h"
#include "Memory.h"
#include "Text.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct xc_expectation {
  XcSeverity severity;
  XcPlace comment;
  unsigned line; // where the diagnostic is expected; 0: unknown
  bool waits_for_below;
  bool is_regex;
  bool taken;
  char *text;
  regex_t regex;
};

/// Reads the comments line by line.
typedef struct reader {
  XcDiag *diag;
  xc_expectations *result;
  unsigned line;
  unsigned last_plain_line; // the nearest line above without a comment
} reader;

//===----------------------------------------------------------------------===//
// One comment
//===----------------------------------------------------------------------===//

typedef struct cursor {
  const char *at, *end;
} cursor;

static bool take_word(cursor *c, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
    return false;
  c->at += length;
  return true;
}

static bool take_severity(cursor *c, XcSeverity *severity) {
  static const struct {
    const char *name;
    XcSeverity severity;
  } rows[] = {{"error", XcSeverityError},
              {"warning", XcSeverityWarning},
              {"remark", XcSeverityRemark},
              {"note", XcSeverityNote}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (take_word(c, rows[i].name)) {
      *severity = rows[i].severity;
      return true;
    }
  return false;
}

static bool take_number(cursor *c, unsigned *number) {
  const char *start = c->at;
  *number = 0;
  for (; c->at < c->end && isdigit((unsigned char)*c->at); ++c->at)
    if (*number < 1000000)
      *number = *number * 10 + (unsigned)(*c->at - '0');
  return c->at > start;
}

// "@+1", "@-1", "@above", "@below", "@unknown" or nothing.
static bool take_line(const reader *r, cursor *c, xc_expectation *row) {
  unsigned distance;
  row->line = r->line;
  if (!take_word(c, "@"))
    return true;
  if (take_word(c, "above")) {
    row->line = r->last_plain_line;
    return true;
  }
  if (take_word(c, "below"))
    return row->waits_for_below = true;
  if (take_word(c, "unknown")) {
    row->line = 0;
    return true;
  }
  if (take_word(c, "+") && take_number(c, &distance)) {
    row->line = r->line + distance;
    return true;
  }
  if (take_word(c, "-") && take_number(c, &distance) && distance < r->line) {
    row->line = r->line - distance;
    return true;
  }
  return false;
}

static bool take_text(cursor *c, const char **text, size_t *length) {
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
    ++c->at;
  if (!take_word(c, "{{"))
    return false;
  // The last braces of the line end the text: it may hold braces itself.
  for (const char *end = c->end; end - c->at >= 2; --end)
    if (end[-1] == '}' && end[-2] == '}') {
      *text = c->at;
      *length = (size_t)(end - 2 - c->at);
      return true;
    }
  return false;
}

static void append_literal(xc_text *pattern, const char *text, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    if (text[i] && strchr("\\^$.[]|()?*+{}", text[i]))
      xc_text_append(pattern, "\\", 1);
    xc_text_append(pattern, text + i, 1);
  }
}

static bool compile_regex(xc_expectation *row) {
  xc_text pattern = {0};
  const char *at = row->text;
  for (;;) {
    const char *open = strstr(at, "{{");
    const char *close = open ? strstr(open + 2, "}}") : NULL;
    if (!close)
      break;
    append_literal(&pattern, at, (size_t)(open - at));
    xc_text_puts(&pattern, "(");
    xc_text_append(&pattern, open + 2, (size_t)(close - open - 2));
    xc_text_puts(&pattern, ")");
    at = close + 2;
  }
  append_literal(&pattern, at, strlen(at));
  int error =
      regcomp(&row->regex, xc_text_str(&pattern), REG_EXTENDED | REG_NOSUB);
  xc_text_free(&pattern);
  return error == 0;
}

static bool add_comment(reader *r, const char *line, cursor c) {
  XcPlace place = {r->result->file, r->line, (unsigned)(c.at - line) + 1};
  xc_expectation row = {.comment = place};
  const char *text;
  size_t length;
  take_word(&c, "expected-");
  // Anything else is no comment of xc, such as "expected-value".
  if (!take_severity(&c, &row.severity))
    return true;
  row.is_regex = take_word(&c, "-re");
  if (!take_line(r, &c, &row) || !take_text(&c, &text, &length))
    return xc_place_error(r->diag, place,
                          "expected a comment of the form "
                          "'expected-error@+1 {{text}}'");
  row.text = xc_alloc(length + 1);
  memcpy(row.text, text, length);
  if (row.is_regex && !compile_regex(&row)) {
    free(row.text);
    return xc_place_error(r->diag, place, "the regular expression is invalid");
  }
  void *rows = r->result->rows;
  xc_grow(&rows, &r->result->capacity, r->result->count + 1, sizeof(row));
  r->result->rows = rows;
  r->result->rows[r->result->count++] = row;
  return true;
}

//===----------------------------------------------------------------------===//
// All comments
//===----------------------------------------------------------------------===//

static const char *find_comment(const char *line, const char *end) {
  static const char word[] = "expected-";
  for (const char *at = line; (size_t)(end - at) >= sizeof(word) - 1; ++at) {
    at = memchr(at, word[0], (size_t)(end - at));
    if (!at || (size_t)(end - at) < sizeof(word) - 1)
      return NULL;
    if (memcmp(at, word, sizeof(word) - 1) == 0)
      return at;
  }
  return NULL;
}

// Gives the comments that wait for it their line.
static void settle_below(reader *r, size_t *first_waiting) {
  for (; *first_waiting < r->result->count; ++*first_waiting) {
    xc_expectation *row = &r->result->rows[*first_waiting];
    if (row->waits_for_below)
      row->line = r->line;
  }
}

bool xc_expectations_create(XcDiag *diag, const char *file, unsigned first_line,
                            const char *text, size_t size,
                            xc_expectations *expectations) {
  *expectations = (xc_expectations){.file = file};
  reader r = {diag, expectations, first_line, first_line};
  size_t first_waiting = 0;
  const char *end = text + size;
  for (const char *line = text; line < end; ++r.line) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline ? newline : end;
    const char *comment = find_comment(line, stop);
    if (!comment) {
      settle_below(&r, &first_waiting);
      r.last_plain_line = r.line;
    } else if (!add_comment(&r, line, (cursor){comment, stop})) {
      xc_expectations_destroy(expectations);
      return false;
    }
    line = newline ? newline + 1 : end;
  }
  return true;
}

void xc_expectations_destroy(xc_expectations *expectations) {
  for (size_t i = 0; i < expectations->count; ++i) {
    xc_expectation *row = &expectations->rows[i];
    if (row->is_regex)
      regfree(&row->regex);
    free(row->text);
  }
  free(expectations->rows);
  *expectations = (xc_expectations){0};
}

static bool covers(const xc_expectation *row, XcSeverity severity,
                   unsigned line, const char *message) {
  if (row->taken || row->severity != severity || row->line != line)
    return false;
  return row->is_regex ? regexec(&row->regex, message, 0, NULL, 0) == 0
                       : strstr(message, row->text) != NULL;
}

bool xc_expectations_take(xc_expectations *expectations, XcSeverity severity,
                          XcPlace place, const char *message) {
  bool is_ours = place.file && strcmp(place.file, expectations->file) == 0;
  unsigned line = is_ours ? place.line : 0;
  for (size_t i = 0; i < expectations->count; ++i) {
    xc_expectation *row = &expectations->rows[i];
    if (!covers(row, severity, line, message))
      continue;
    row->taken = true;
    return true;
  }
  return false;
}

bool xc_expectations_finish(const xc_expectations *expectations, XcDiag *diag) {
  bool all_came = true;
  for (size_t i = 0; i < expectations->count; ++i) {
    const xc_expectation *row = &expectations->rows[i];
    if (row->taken)
      continue;
    all_came = xc_place_error(diag, row->comment,
                              "expected %s \"%s\" was not produced",
                              xc_severity_name(row->severity), row->text);
  }
  return all_came;
}
