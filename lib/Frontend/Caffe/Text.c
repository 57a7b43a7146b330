//===- Text.c - protocol buffers as text ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "Support/Diag.h"
#include "Support/Text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 32 };

typedef struct reader {
  XcDiag *diag;
  const char *file;
  xc_arena *arena;
  const char *at, *end;
  unsigned line, column;
} reader;

static bool fail(const reader *r, const char *what) {
  if (r->at == r->end)
    return xc_place_error(r->diag, (XcPlace){r->file, r->line, r->column},
                          "expected %s, found the end of the file", what);
  unsigned char c = (unsigned char)*r->at;
  if (c > ' ' && c < 127)
    return xc_place_error(r->diag, (XcPlace){r->file, r->line, r->column},
                          "expected %s, found '%c'", what, c);
  return xc_place_error(r->diag, (XcPlace){r->file, r->line, r->column},
                        "expected %s, found the byte 0x%02x", what, c);
}

static void step(reader *r) {
  if (*r->at++ == '\n') {
    ++r->line;
    r->column = 1;
  } else {
    ++r->column;
  }
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
         c == '\v';
}

static void skip_space(reader *r) {
  while (r->at < r->end && (is_space(*r->at) || *r->at == '#')) {
    bool is_comment = *r->at == '#';
    step(r);
    while (is_comment && r->at < r->end && *r->at != '\n')
      step(r);
  }
}

static bool peek(const reader *r, char c) {
  return r->at < r->end && *r->at == c;
}

static bool take(reader *r, char c) {
  if (!peek(r, c))
    return false;
  step(r);
  skip_space(r);
  return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c == '_' || c == '.';
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static int digit_of(char c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 16;
}

// After the backslash: `\n`, `\101`, `\x41` and the like.
static bool read_escape(reader *r, xc_text *text) {
  static const char letters[] = "abfnrtv", bytes[] = "\a\b\f\n\r\t\v";
  if (r->at == r->end)
    return fail(r, "what is escaped");
  bool is_hex = *r->at == 'x' || *r->at == 'X';
  if (is_hex || (*r->at >= '0' && *r->at <= '7')) {
    int base = is_hex ? 16 : 8, most = is_hex ? 2 : 3, value = 0, count = 0;
    if (is_hex)
      step(r);
    for (; count < most && r->at < r->end && digit_of(*r->at) < base; ++count) {
      value = base * value + digit_of(*r->at);
      step(r);
    }
    if (count == 0 || value == 0 || value > 255)
      return fail(r, "an escaped byte from 1 to 255");
    char byte = (char)(unsigned char)value;
    xc_text_append(text, &byte, 1);
    return true;
  }
  const char *letter = strchr(letters, *r->at);
  char byte = *r->at && letter ? bytes[letter - letters] : *r->at;
  step(r);
  xc_text_append(text, &byte, 1);
  return true;
}

static bool read_string(reader *r, xc_text *text) {
  while (peek(r, '"') || peek(r, '\'')) {
    char quote = *r->at;
    step(r);
    while (r->at < r->end && *r->at != quote) {
      char c = *r->at;
      if (c == '\n' || c == '\0')
        return fail(r, "the end of the string");
      step(r);
      if (c != '\\')
        xc_text_append(text, &c, 1);
      else if (!read_escape(r, text))
        return false;
    }
    if (r->at == r->end)
      return fail(r, "the end of the string");
    step(r);
    skip_space(r);
  }
  return true;
}

static void read_word(reader *r, xc_text *text) {
  while (r->at < r->end) {
    char c = *r->at, before = text->length ? text->data[text->length - 1] : 0;
    bool is_exponent =
        (c == '-' || c == '+') && (before == 'e' || before == 'E') &&
        (is_digit(*text->data) || *text->data == '.' || *text->data == '-');
    if (!is_word(c) && !is_exponent)
      return;
    xc_text_append(text, &c, 1);
    step(r);
  }
}

static bool read_scalar(reader *r, xc_text_field *field) {
  xc_text text = {0};
  bool ok = true;
  if (peek(r, '"') || peek(r, '\'')) {
    field->kind = XC_TEXT_STRING;
    ok = read_string(r, &text);
  } else {
    if (peek(r, '-')) {
      xc_text_append(&text, "-", 1);
      step(r);
      skip_space(r);
    }
    bool is_number = r->at < r->end &&
                     (is_digit(*r->at) || *r->at == '.' || text.length > 0);
    field->kind = is_number ? XC_TEXT_NUMBER : XC_TEXT_WORD;
    size_t sign = text.length;
    read_word(r, &text);
    ok = text.length > sign || fail(r, "a value");
    skip_space(r);
  }
  field->value = xc_arena_string(r->arena, xc_text_str(&text), text.length);
  xc_text_free(&text);
  return ok;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static xc_text_field *append(reader *r, xc_text_field *parent,
                             const char *name) {
  xc_text_field *field = xc_arena_alloc(r->arena, 1, sizeof(*field));
  *field = (xc_text_field){.name = name, .line = r->line, .column = r->column};
  if (parent->last)
    parent->last->next = field;
  else
    parent->first = field;
  parent->last = field;
  return field;
}

// A message that is being read.
typedef struct open_message {
  xc_text_field *message;
  char close;
  const char *list; // the name of the list that it is an item of, or null
} open_message;

typedef struct open_messages {
  open_message items[MAX_NESTING]; // innermost last
  size_t depth;
} open_messages;

static bool is_body(const reader *r) { return peek(r, '{') || peek(r, '<'); }

static bool open_body(reader *r, open_messages *open, xc_text_field *field,
                      const char *list) {
  if (open->depth == MAX_NESTING)
    return xc_place_error(r->diag, (XcPlace){r->file, r->line, r->column},
                          "messages are nested more than %d deep",
                          MAX_NESTING - 1);
  field->kind = XC_TEXT_MESSAGE;
  open->items[open->depth++] =
      (open_message){field, peek(r, '{') ? '}' : '>', list};
  step(r);
  skip_space(r);
  return true;
}

static bool read_name(reader *r, const char **name) {
  xc_text text = {0};
  bool is_extension = peek(r, '[');
  if (is_extension)
    step(r);
  while (r->at < r->end &&
         (is_word(*r->at) || (is_extension && *r->at == '/'))) {
    xc_text_append(&text, r->at, 1);
    step(r);
  }
  bool ok = text.length > 0 || fail(r, "the name of a field");
  if (ok && is_extension) {
    ok = peek(r, ']') || fail(r, "']'");
    if (ok)
      step(r);
  }
  skip_space(r);
  *name = xc_arena_string(r->arena, xc_text_str(&text), text.length);
  xc_text_free(&text);
  return ok;
}

static bool end_field(reader *r) {
  if (!take(r, ','))
    take(r, ';');
  return true;
}

// Reads the items of a list up to its end or to a message, after which it goes
// on.
static bool read_items(reader *r, open_messages *open, xc_text_field *parent,
                       const char *name) {
  for (;;) {
    xc_text_field *field = append(r, parent, name);
    if (is_body(r))
      return open_body(r, open, field, name);
    if (!read_scalar(r, field))
      return false;
    if (take(r, ']'))
      return end_field(r);
    if (!take(r, ','))
      return fail(r, "',' or ']'");
  }
}

static bool read_field(reader *r, open_messages *open) {
  xc_text_field *parent = open->items[open->depth - 1].message;
  unsigned line = r->line, column = r->column;
  const char *name;
  if (!read_name(r, &name))
    return false;
  bool has_colon = take(r, ':');
  if (take(r, '['))
    return take(r, ']') ? end_field(r) : read_items(r, open, parent, name);
  if (!has_colon && !is_body(r))
    return fail(r, "':' or '{'");
  xc_text_field *field = append(r, parent, name);
  field->line = line;
  field->column = column;
  return is_body(r) ? open_body(r, open, field, NULL)
                    : read_scalar(r, field) && end_field(r);
}

static bool close_body(reader *r, open_messages *open) {
  const char *list = open->items[--open->depth].list;
  xc_text_field *parent = open->items[open->depth - 1].message;
  if (!list || take(r, ']'))
    return end_field(r);
  if (!take(r, ','))
    return fail(r, "',' or ']'");
  return read_items(r, open, parent, list);
}

bool xc_text_parse(XcDiag *diag, const char *file, const void *data,
                   size_t size, xc_arena *arena, xc_text_field *root) {
  static const char mark[] = "\xef\xbb\xbf"; // of UTF-8
  const char *begin = data;
  if (size >= 3 && memcmp(begin, mark, 3) == 0) {
    begin += 3;
    size -= 3;
  }
  reader r = {diag, file, arena, begin, begin + size, 1, 1};
  open_messages open = {.items = {{root, '\0', NULL}}, .depth = 1};
  *root = (xc_text_field){.kind = XC_TEXT_MESSAGE};
  skip_space(&r);
  for (;;) {
    const open_message *inner = &open.items[open.depth - 1];
    bool ok;
    if (open.depth > 1 && take(&r, inner->close))
      ok = close_body(&r, &open);
    else if (r.at == r.end && open.depth == 1)
      return true;
    else
      ok = read_field(&r, &open);
    if (!ok)
      return false;
  }
}

//===----------------------------------------------------------------------===//
// Looking up fields
//===----------------------------------------------------------------------===//

xc_text_field *xc_text_find(const xc_text_field *parent, const char *name,
                            const xc_text_field *after) {
  xc_text_field *field = after ? after->next : parent ? parent->first : NULL;
  while (field && strcmp(field->name, name) != 0)
    field = field->next;
  if (field)
    field->asked = true;
  return field;
}

bool xc_text_to_int(const xc_text_field *field, int64_t *value) {
  if (field->kind != XC_TEXT_NUMBER)
    return false;
  char *end;
  errno = 0;
  long long number = strtoll(field->value, &end, 0);
  *value = number;
  return *end == '\0' && errno == 0;
}

bool xc_text_to_real(const xc_text_field *field, double *value) {
  if (field->kind == XC_TEXT_WORD || field->kind == XC_TEXT_NUMBER) {
    const char *word = field->value + (*field->value == '-');
    bool is_nan = strcmp(word, "nan") == 0;
    if (is_nan || strcmp(word, "inf") == 0 || strcmp(word, "infinity") == 0) {
      *value = is_nan ? NAN : *field->value == '-' ? -INFINITY : INFINITY;
      return true;
    }
  }
  if (field->kind != XC_TEXT_NUMBER)
    return false;
  char *end;
  *value = strtod(field->value, &end);
  bool is_hex = strpbrk(field->value, "xX") != NULL;
  if (!is_hex && (*end == 'f' || *end == 'F'))
    ++end; // as in C
  return *end == '\0' && end != field->value;
}

bool xc_text_to_bool(const xc_text_field *field, bool *value) {
  static const char *const words[2][4] = {{"false", "f", "False", "0"},
                                          {"true", "t", "True", "1"}};
  if (field->kind != XC_TEXT_WORD && field->kind != XC_TEXT_NUMBER)
    return false;
  for (size_t i = 0; i < 8; ++i)
    if (strcmp(words[i / 4][i % 4], field->value) == 0) {
      *value = i >= 4;
      return true;
    }
  return false;
}
