//===- PipelineParse.c - from text to a tree of elements ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

#include "Support/Diag.h"

#include <ctype.h>
#include <string.h>

enum {
  // Anchors nest as IR does: three levels are common, a hundred absurd.
  MAX_DEPTH = 100
};

typedef struct parser {
  XcDiag *diag;
  xc_arena *arena;
  const char *text;
  size_t at;
} parser;

// MLIR prints the pipeline below the message, with a caret.
static bool parse_error(const parser *p, size_t at, const char *format, ...)
    XC_PRINTF_FORMAT(3, 4);
static bool parse_error(const parser *p, size_t at, const char *format, ...) {
  xc_text text = {0};
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_text_printf(&text, "\n%s\n%*s^", p->text, (int)at, "");
  XcPlace place = {"MLIR Textual PassPipeline Parser", 1, (unsigned)at + 1};
  xcDiagReport(p->diag, XcSeverityError, place, "%s", xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

static void skip_spaces(parser *p) {
  while (isspace((unsigned char)p->text[p->at]))
    ++p->at;
}

static bool is_name_end(char c) {
  return c == '\0' || strchr(",(){}", c) != NULL;
}

// Finds the brace that closes the one at p->at, through strings and braces.
static bool find_closing_brace(const parser *p, size_t *end) {
  size_t depth = 0;
  char quote = '\0';
  for (size_t i = p->at; p->text[i]; ++i) {
    char c = p->text[i];
    if (quote) {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      *end = i;
      return true;
    }
  }
  return false;
}

static bool unknown_option(xc_arena *arena, const xc_pass_info *info,
                           const char *name, size_t length, const char **why) {
  xc_near_miss miss = xc_near_miss_begin(name, length);
  for (size_t i = 0; i < info->num_options; ++i)
    xc_near_miss_offer(&miss, info->options[i].name);
  xc_text text = {0};
  xc_text_printf(&text, "no such option '%.*s'", (int)length, name);
  if (xc_near_miss_get(&miss))
    xc_text_printf(&text, "; did you mean '%s'?", xc_near_miss_get(&miss));
  *why = xc_arena_string(arena, text.data, text.length);
  xc_text_free(&text);
  return false;
}

// The value may be braced or quoted to hold spaces.
static const char *take_value(xc_arena *arena, const char **cursor) {
  const char *at = *cursor;
  if (*at == '{' || *at == '"' || *at == '\'') {
    char close = *at == '{' ? '}' : *at;
    const char *end = strchr(at + 1, close);
    if (!end)
      return NULL;
    *cursor = end + 1;
    return xc_arena_string(arena, at + 1, (size_t)(end - at - 1));
  }
  size_t length = strcspn(at, " \t\n");
  *cursor = at + length;
  return xc_arena_string(arena, at, length);
}

bool xc_pass_parse_options(xc_arena *arena, const xc_pass_info *info,
                           const char *options,
                           const char *values[XC_PASS_MAX_OPTIONS],
                           const char **why) {
  const char *cursor = options;
  for (;;) {
    cursor += strspn(cursor, " \t\n");
    if (*cursor == '\0')
      return true;
    size_t length = strcspn(cursor, "= \t\n");
    const char *name = cursor;
    size_t index = 0;
    while (index < info->num_options &&
           (strlen(info->options[index].name) != length ||
            memcmp(info->options[index].name, name, length) != 0))
      ++index;
    if (index == info->num_options)
      return unknown_option(arena, info, name, length, why);
    const xc_pass_option *option = &info->options[index];
    cursor += length;
    const char *value = "true"; // a flag alone
    if (*cursor == '=') {
      ++cursor;
      value = take_value(arena, &cursor);
    } else if (option->kind != XC_PASS_OPTION_BOOL) {
      value = NULL;
    }
    xc_text text = {0};
    if (!xc_pass_check_option(option, value, &text)) {
      *why = xc_arena_string(arena, text.data, text.length);
      xc_text_free(&text);
      return false;
    }
    values[index] = value;
  }
}

static bool parse_options(parser *p, xc_pipeline_element *element) {
  size_t end;
  if (!find_closing_brace(p, &end))
    return parse_error(p, p->at,
                       "missing closing '}' while processing pass "
                       "options");
  element->options =
      xc_arena_string(p->arena, p->text + p->at + 1, end - p->at - 1);
  p->at = end + 1;
  if (!element->pass)
    return true; // MLIR checks its own
  const char *why;
  if (xc_pass_parse_options(p->arena, element->pass, element->options,
                            element->values, &why))
    return true;
  return parse_error(p, element->offset, "invalid options of pass '%s': %s",
                     element->name, why);
}

static bool parse_elements(parser *p, unsigned depth,
                           xc_pipeline_element **first);

static bool parse_nested(parser *p, unsigned depth,
                         xc_pipeline_element *element) {
  if (depth == MAX_DEPTH)
    return parse_error(p, p->at, "more than %d nested anchors", MAX_DEPTH);
  ++p->at;
  element->nested = true;
  skip_spaces(p);
  if (p->text[p->at] != ')' &&
      !parse_elements(p, depth + 1, &element->children))
    return false;
  if (p->text[p->at] != ')')
    return parse_error(p, p->at, "expected ')' after the passes of '%s'",
                       element->name);
  ++p->at;
  return true;
}

// Puts in what a pipeline of xc stands for.
static bool expand(parser *p, unsigned depth, xc_pipeline_element *element) {
  xc_pass_run run = {.info = element->pass};
  memcpy(run.values, element->values, sizeof(run.values));
  xc_text text = {0};
  element->pass->expand(&run, &text);
  element->nested = element->expanded = true;
  parser inner = {p->diag, p->arena,
                  xc_arena_string(p->arena, text.data, text.length), 0};
  xc_text_free(&text);
  return parse_elements(&inner, depth + 1, &element->children);
}

static bool parse_element(parser *p, unsigned depth,
                          xc_pipeline_element *element) {
  skip_spaces(p);
  element->offset = p->at;
  size_t length = 0;
  while (!is_name_end(p->text[p->at + length]))
    ++length;
  p->at += length;
  while (length > 0 &&
         isspace((unsigned char)p->text[element->offset + length - 1]))
    --length;
  if (length == 0)
    return parse_error(p, p->at, "expected the name of a pass or an operation");
  element->name = xc_arena_string(p->arena, p->text + element->offset, length);
  if (p->text[p->at] == '(')
    return parse_nested(p, depth, element);
  element->pass = xc_pass_find(element->name, length);
  if (p->text[p->at] == '{' && !parse_options(p, element))
    return false;
  return !element->pass || !element->pass->expand || expand(p, depth, element);
}

static bool parse_elements(parser *p, unsigned depth,
                           xc_pipeline_element **first) {
  xc_pipeline_element **link = first;
  for (;;) {
    *link = xc_arena_alloc(p->arena, 1, sizeof(**link));
    if (!parse_element(p, depth, *link))
      return false;
    link = &(*link)->next;
    skip_spaces(p);
    if (p->text[p->at] != ',')
      return true;
    ++p->at;
  }
}

bool xc_pipeline_parse(XcDiag *diag, const char *text, xc_pipeline *pipeline) {
  *pipeline = (xc_pipeline){0};
  pipeline->text = xc_arena_string(&pipeline->arena, text, strlen(text));
  parser p = {diag, &pipeline->arena, pipeline->text, 0};
  if (!parse_elements(&p, 0, &pipeline->root))
    return false;
  if (p.text[p.at] != '\0')
    return parse_error(&p, p.at, "expected ',' or the end after an element");
  if (!pipeline->root->nested || pipeline->root->next)
    return parse_error(&p, 0,
                       "expected pass pipeline to be wrapped with the anchor "
                       "operation type, e.g. 'builtin.module(...)'");
  return true;
}

void xc_pipeline_begin(xc_pipeline *pipeline, const char *anchor) {
  *pipeline = (xc_pipeline){0};
  pipeline->text = "";
  pipeline->root = xc_arena_alloc(&pipeline->arena, 1, sizeof(*pipeline->root));
  pipeline->root->name =
      xc_arena_string(&pipeline->arena, anchor, strlen(anchor));
  pipeline->root->nested = true;
}

bool xc_pipeline_append(XcDiag *diag, xc_pipeline *pipeline,
                        const char *elements) {
  xc_pipeline_element **link = &pipeline->root->children;
  while (*link)
    link = &(*link)->next;
  const char *text =
      xc_arena_string(&pipeline->arena, elements, strlen(elements));
  parser p = {diag, &pipeline->arena, text, 0};
  if (!parse_elements(&p, 1, link))
    return false;
  return p.text[p.at] == '\0' ||
         parse_error(&p, p.at, "expected ',' or the end after an element");
}

void xc_pipeline_free(xc_pipeline *pipeline) {
  xc_arena_free(&pipeline->arena);
  *pipeline = (xc_pipeline){0};
}

static void print_elements(const xc_pipeline_element *element, xc_text *text) {
  for (; element; element = element->next) {
    xc_text_puts(text, element->name);
    if (element->options)
      xc_text_printf(text, "{%s}", element->options);
    if (element->nested && !element->expanded) {
      xc_text_puts(text, "(");
      print_elements(element->children, text);
      xc_text_puts(text, ")");
    }
    if (element->next)
      xc_text_puts(text, ",");
  }
}

void xc_pipeline_print(const xc_pipeline *pipeline, xc_text *text) {
  print_elements(pipeline->root, text);
}

static size_t count_passes(const xc_pipeline_element *element) {
  size_t count = 0;
  for (; element; element = element->next)
    count += element->nested ? count_passes(element->children) : 1;
  return count;
}

size_t xc_pipeline_num_passes(const xc_pipeline *pipeline) {
  return count_passes(pipeline->root);
}
