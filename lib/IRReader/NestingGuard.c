//===- NestingGuard.c - text that nests too deeply ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows brackets outside strings and comments. `<` and `>` are brackets of
// types and attributes, but also parts of `->` and `>=`: a `>` closes only
// what a `<` opened last, and other brackets close over forgotten `<`. A row
// of minus signs nests in the parser of affine maps as brackets do.
//
//===----------------------------------------------------------------------===//

#include "IRReader.h"

#include "Support/Diag.h"

#include <string.h>

typedef struct scanner {
  const char *at, *end, *line_start;
  unsigned line;
  char open[XC_MAX_NESTING];
  size_t depth;
  size_t minus_run;
} scanner;

/// The string that begins here, when it is as simple as those of large
/// constants, which are nearly all of a file: without escapes, on one line.
static bool skip_simple_string(scanner *s) {
  const char *begin = s->at + 1;
  const char *end = memchr(begin, '"', (size_t)(s->end - begin));
  if (!end || memchr(begin, '\\', (size_t)(end - begin)) ||
      memchr(begin, '\n', (size_t)(end - begin)))
    return false;
  s->at = end;
  return true;
}

static void skip_string(scanner *s) {
  if (skip_simple_string(s))
    return;
  for (++s->at; s->at < s->end && *s->at != '"' && *s->at != '\n'; ++s->at)
    if (*s->at == '\\' && s->at + 1 < s->end && s->at[1] != '\n')
      ++s->at;
}

static void skip_comment(scanner *s) {
  while (s->at + 1 < s->end && s->at[1] != '\n')
    ++s->at;
}

static void close_bracket(scanner *s, char opening) {
  size_t depth = s->depth;
  while (depth > 0 && s->open[depth - 1] == '<' && opening != '<')
    --depth;
  if (depth > 0 && s->open[depth - 1] == opening)
    s->depth = depth - 1;
}

static bool open_bracket(scanner *s, char c) {
  if (s->depth == XC_MAX_NESTING)
    return false;
  s->open[s->depth++] = c;
  return true;
}

// Returns false when the character at s->at nests too deeply.
static bool step(scanner *s) {
  char c = *s->at;
  if (c == '-' && !(s->at + 1 < s->end && s->at[1] == '>'))
    return ++s->minus_run <= XC_MAX_NESTING;
  if (c != ' ' && c != '\n' && c != '\t')
    s->minus_run = 0;
  switch (c) {
  case '\n':
    ++s->line;
    s->line_start = s->at + 1;
    return true;
  case '"':
    skip_string(s);
    return true;
  case '/':
    if (s->at + 1 < s->end && s->at[1] == '/')
      skip_comment(s);
    return true;
  case '(':
  case '[':
  case '{':
  case '<':
    return open_bracket(s, c);
  case ')':
    close_bracket(s, '(');
    return true;
  case ']':
    close_bracket(s, '[');
    return true;
  case '}':
    close_bracket(s, '{');
    return true;
  case '-': // of ->
    ++s->at;
    return true;
  case '>':
    close_bracket(s, '<');
    return true;
  default:
    return true;
  }
}

bool xc_check_nesting(XcDiag *diag, const xc_source *input) {
  const char *start = (const char *)input->data;
  scanner s = {.at = start,
               .end = start + input->size,
               .line_start = start,
               .line = input->first_line};
  for (; s.at < s.end; ++s.at)
    if (!step(&s))
      return xc_place_error(
          diag,
          (XcPlace){input->name, s.line, (unsigned)(s.at - s.line_start) + 1},
          "nesting is deeper than %d levels", XC_MAX_NESTING);
  return true;
}
