//===- Table.c - rows of operators become modules -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperatorTest.h"

#include "Support/Memory.h"
#include "dialects/OpInfo.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 64, MAX_WORDS = 64 };

typedef struct value {
  const char *name;
  const char *dims;
} value;

typedef struct writer {
  const char *row; // for messages
  xc_text arguments, constants, body;
  value values[MAX_VALUES];
  size_t num_values, num_arguments, num_constants;
  uint64_t seed;
} writer;

_Noreturn static void fail(const char *row, const char *what,
                           const char *where) {
  fprintf(stderr, "row '%s': %s '%s'\n", row, what, where);
  exit(1);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static char *trim(char *text) {
  while (isspace((unsigned char)*text))
    ++text;
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1]))
    text[--length] = 0;
  return text;
}

bool operator_row_parse(char *line, operator_row *row) {
  line = trim(line);
  if (!*line || *line == '#')
    return false;
  char *fields[4];
  for (size_t i = 0; i < 4; ++i) {
    fields[i] = line;
    char *bar = i < 3 ? strchr(line, '|') : NULL;
    if (i < 3 && !bar)
      fail(line, "expected four fields between bars", "");
    if (bar) {
      *bar = 0;
      line = bar + 1;
    }
    fields[i] = trim(fields[i]);
  }
  *row = (operator_row){fields[0], fields[1], fields[2], fields[3]};
  return true;
}

void operator_row_each_target(const operator_row *row,
                              void (*visit)(void *user_data,
                                            const char *target),
                              void *user_data) {
  const char *list = row->targets;
  if (strcmp(list, "few") == 0)
    list = "B4096,B512,B1152,B2304";
  else if (strcmp(list, "all") == 0)
    list = "B512,B800,B1024,B1152,B1600,B2304,B3136,B4096";
  else if (strcmp(list, "all-ahx8h") == 0)
    list = "DPUCAHX8H_ISA2,DPUCAHX8H_ISA2_DWC,DPUCAHX8H_ISA2_ELP2";
  while (*list) {
    size_t length = strcspn(list, ",");
    char name[128];
    // Other families are spelt out.
    bool is_full = strncmp(list, "DPU", 3) == 0;
    snprintf(name, sizeof name, "%s%.*s", is_full ? "" : "DPUCZDX8G_ISA1_",
             (int)length, list);
    visit(user_data, name);
    list += length + (list[length] == ',');
  }
}

static void count_target(void *user_data, const char *target) {
  size_t *count = user_data;
  (void)target;
  ++*count;
}

size_t operator_row_num_targets(const operator_row *row) {
  size_t count = 0;
  operator_row_each_target(row, count_target, &count);
  return count;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void operator_random_bytes(uint64_t *seed, int8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    bytes[i] = (int8_t)(*seed >> 56);
  }
}

static size_t elements_of(const char *dims) {
  size_t count = 1;
  for (const char *at = dims; *at; ++at) {
    char *end;
    count *= strtoul(at, &end, 10);
    at = end;
    if (!*at)
      break;
  }
  return count;
}

static const value *add_value(writer *w, const char *name, const char *dims) {
  if (w->num_values == MAX_VALUES)
    fail(w->row, "too many values", name);
  w->values[w->num_values] = (value){name, dims};
  return &w->values[w->num_values++];
}

static const value *find_value(const writer *w, const char *name) {
  for (size_t i = 0; i < w->num_values; ++i)
    if (strcmp(w->values[i].name, name) == 0)
      return &w->values[i];
  fail(w->row, "no value is called", name);
}

static const value *add_argument(writer *w, char *text, char *colon) {
  *colon = 0;
  xc_text_printf(&w->arguments, "%s%%%s: tensor<%sxi8>",
                 w->num_arguments++ ? ", " : "", text, colon + 1);
  return add_value(w, text, colon + 1);
}

static const value *add_constant(writer *w, char *dims, char *name) {
  size_t length = strlen(dims);
  bool is_positive = dims[length - 1] == '+';
  if (is_positive)
    dims[length - 1] = 0;
  size_t size = elements_of(dims);
  int8_t *bytes = xc_alloc(size);
  operator_random_bytes(&w->seed, bytes, size);
  xc_text_printf(&w->constants, "  %%%s = \"tir.const\"() {value = dense<\"0x",
                 name);
  for (size_t i = 0; i < size; ++i)
    xc_text_printf(&w->constants, "%02X",
                   (unsigned)(bytes[i] & (is_positive ? 0x7f : 0xff)));
  free(bytes);
  xc_text_printf(&w->constants, "\"> : tensor<%sxi8>} : () -> tensor<%sxi8>\n",
                 dims, dims);
  return add_value(w, name, dims);
}

static const value *read_operand(writer *w, char *text, char *scratch) {
  char *colon = strchr(text, ':');
  if (*text == '@') {
    sprintf(scratch, "w%zu", w->num_constants++);
    return add_constant(w, text + 1, scratch);
  }
  return colon ? add_argument(w, text, colon) : find_value(w, text);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static const char *long_name(const char *name) {
  static const char *const names[][2] = {{"in", "input_fix_point"},
                                         {"w", "weight_fix_point"},
                                         {"b", "bias_fix_point"},
                                         {"out", "output_fix_point"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(names[i][0], name) == 0)
      return names[i][1];
  return name;
}

static void print_list(xc_text *text, char *list) {
  xc_text_puts(text, "[");
  char *end = list + strlen(list) - 1;
  *end = 0;
  const char *separator = "";
  for (char *item = strtok(list + 1, ","); item; item = strtok(NULL, ",")) {
    xc_text_printf(text, "%s%s : i32", separator, item);
    separator = ", ";
  }
  xc_text_puts(text, "]");
}

static void print_attribute(writer *w, char *word, bool is_first) {
  char *equals = strchr(word, '=');
  if (!equals)
    fail(w->row, "expected attribute=value, found", word);
  *equals = 0;
  char *text = equals + 1;
  xc_text_printf(&w->body, "%s%s = ", is_first ? "" : ", ", long_name(word));
  if (*text == '[')
    print_list(&w->body, text);
  else if (isdigit((unsigned char)*text) || *text == '-')
    xc_text_printf(&w->body, "%s : i32", text);
  else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
    xc_text_puts(&w->body, text);
  else
    xc_text_printf(&w->body, "\"%s\"", text);
}

/// Operators with several optional operands say which of them are there.
static void print_segments(writer *w, const char *kind, size_t given,
                           bool is_first) {
  char name[128];
  int length = snprintf(name, sizeof name, "tir.%s", kind);
  const xc_op_info *info = xc_op_info_find(name, (size_t)length);
  if (!info)
    fail(w->row, "no operator is called", kind);
  if (!info->segmented)
    return;
  xc_text_printf(&w->body,
                 "%soperandSegmentSizes = array<i32: ", is_first ? "" : ", ");
  for (size_t i = 0; i < info->num_operands; ++i)
    xc_text_printf(&w->body, "%s%d", i ? ", " : "", i < given);
  xc_text_puts(&w->body, ">");
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

static size_t split(char *text, char *words[MAX_WORDS]) {
  size_t count = 0;
  for (char *word = strtok(text, " \t"); word && count < MAX_WORDS;
       word = strtok(NULL, " \t"))
    words[count++] = word;
  return count;
}

static void print_statement(writer *w, char *text, char (*scratch)[16]) {
  char *words[MAX_WORDS] = {0};
  size_t count = split(text, words), at = 0;
  if (count == 0)
    fail(w->row, "a statement is empty", "");
  const char *name = "result";
  if (count > 2 && strcmp(words[1], "=") == 0) {
    name = words[0];
    at = 2;
  }
  const char *kind = words[at++];
  const value *operands[XC_MAX_OPERANDS];
  size_t num_operands = 0;
  while (at < count && strcmp(words[at], "->") != 0) {
    if (num_operands == XC_MAX_OPERANDS)
      fail(w->row, "too many operands of", kind);
    size_t next = w->num_constants;
    operands[num_operands++] = read_operand(w, words[at++], scratch[next]);
  }
  if (at + 1 >= count)
    fail(w->row, "expected '-> dims' after", kind);
  const char *dims = words[at + 1];
  xc_text_printf(&w->body, "  %%%s = \"tir.%s\"(", name, kind);
  for (size_t i = 0; i < num_operands; ++i)
    xc_text_printf(&w->body, "%s%%%s", i ? ", " : "", operands[i]->name);
  xc_text_puts(&w->body, ") {");
  size_t first = at + 2;
  for (size_t i = first; i < count; ++i)
    print_attribute(w, words[i], i == first);
  print_segments(w, kind, num_operands, first == count);
  xc_text_puts(&w->body, "} : (");
  for (size_t i = 0; i < num_operands; ++i)
    xc_text_printf(&w->body, "%stensor<%sxi8>", i ? ", " : "",
                   operands[i]->dims);
  xc_text_printf(&w->body, ") -> tensor<%sxi8>\n", dims);
  add_value(w, name, dims);
}

void operator_row_print(operator_row *row, xc_text *text) {
  writer w = {.row = row->name, .seed = 88172645463325252};
  char scratch[MAX_VALUES][16];
  char *rest = row->program;
  while (rest) {
    char *end = strchr(rest, ';');
    if (end)
      *end = 0;
    print_statement(&w, rest, scratch);
    rest = end ? end + 1 : NULL;
  }
  const value *last = &w.values[w.num_values - 1];
  xc_text_printf(text, "func.func @main(%s) -> tensor<%sxi8> {\n%s%s",
                 xc_text_str(&w.arguments), last->dims,
                 xc_text_str(&w.constants), xc_text_str(&w.body));
  xc_text_printf(text, "  return %%%s : tensor<%sxi8>\n}\n", last->name,
                 last->dims);
  xc_text_free(&w.arguments);
  xc_text_free(&w.constants);
  xc_text_free(&w.body);
}
