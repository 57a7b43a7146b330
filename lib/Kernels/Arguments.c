//===- Arguments.c - the arguments of a kernel ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"

#include "Support/Diag.h"
#include "Support/Text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

#define ROW(name, text) text,
static const char *const names[] = {XC_KERNEL_SIZES(ROW)
                                        XC_KERNEL_BUFFERS(ROW)};
#undef ROW

enum { NUM_NAMES = sizeof(names) / sizeof(*names) };

const char *xc_kernel_size_name(xc_kernel_size size) { return names[size]; }

int xc_kernel_find_value(const char *name, size_t length) {
  for (int i = 0; i < (int)NUM_NAMES; ++i)
    if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
      return i;
  return -1;
}

bool xc_kernel_unknown_value(const xc_kernel_reader *r, const char *function,
                             const char *name, size_t length) {
  xc_near_miss miss = xc_near_miss_begin(name, length);
  for (int i = 0; i < (int)NUM_NAMES; ++i)
    xc_near_miss_offer(&miss, names[i]);
  const char *near = xc_near_miss_get(&miss);
  return xc_file_error(
      r->diag, r->path, "kernel '%s': '%.*s' is not a size or buffer%s%s%s",
      function, (int)length, name, near ? ", did you mean '" : "",
      near ? near : "", near ? "'?" : "");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

enum { POINTER_BYTES = 8 }; // where linked: every machine has 64 bits

static const struct {
  const char *type;
  xc_kernel_scalar scalar;
  size_t bytes;
} scalars[] = {
    {"int", XC_KERNEL_INTEGER, 4},      {"unsigned", XC_KERNEL_INTEGER, 4},
    {"int8_t", XC_KERNEL_INTEGER, 1},   {"uint8_t", XC_KERNEL_INTEGER, 1},
    {"int16_t", XC_KERNEL_INTEGER, 2},  {"uint16_t", XC_KERNEL_INTEGER, 2},
    {"int32_t", XC_KERNEL_INTEGER, 4},  {"uint32_t", XC_KERNEL_INTEGER, 4},
    {"int64_t", XC_KERNEL_INTEGER, 8},  {"uint64_t", XC_KERNEL_INTEGER, 8},
    {"size_t", XC_KERNEL_INTEGER, 8},   {"ptrdiff_t", XC_KERNEL_INTEGER, 8},
    {"intptr_t", XC_KERNEL_INTEGER, 8}, {"long", XC_KERNEL_INTEGER, 8},
    {"short", XC_KERNEL_INTEGER, 2},    {"unsigned int", XC_KERNEL_INTEGER, 4},
    {"float", XC_KERNEL_FLOAT, 4},      {"double", XC_KERNEL_FLOAT, 8},
};

static void set_scalar(xc_kernel_argument *a) {
  const char *type = a->type;
  if (strncmp(type, "const ", 6) == 0)
    type += 6;
  for (size_t i = 0; i < sizeof(scalars) / sizeof(*scalars); ++i)
    if (strcmp(scalars[i].type, type) == 0) {
      a->scalar = scalars[i].scalar;
      a->bytes = scalars[i].bytes;
    }
}

static bool is_pointer(const char *type) {
  size_t length = strlen(type);
  return length > 0 && type[length - 1] == '*';
}

static bool check_type(const xc_kernel_reader *r, const xc_kernel_row *row,
                       const char *type, const char *text) {
  for (const char *c = type; *c; ++c)
    if (!isalnum((unsigned char)*c) && !strchr(" _*", *c))
      return xc_file_error(r->diag, r->path,
                           "kernel '%s': '%s' is not a declaration of C",
                           row->function, text);
  return true;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static bool add(xc_kernel_reader *r, xc_kernel_row *row,
                xc_kernel_argument argument) {
  if (row->num_arguments == XC_KERNEL_MAX_ARGUMENTS)
    return xc_file_error(r->diag, r->path,
                         "kernel '%s' has more than %d arguments and members",
                         row->function, XC_KERNEL_MAX_ARGUMENTS);
  row->arguments[row->num_arguments++] = argument;
  return true;
}

// A number in place of a name.
static bool is_literal(const char *text, int64_t *number) {
  char *end;
  errno = 0;
  *number = strtoll(text, &end, 10);
  return end != text && *end == '\0' && errno == 0;
}

// "int8_t *input", "int32_t 1": a type of C and what is passed.
static bool read_declaration(xc_kernel_reader *r, xc_kernel_row *row,
                             const char *text) {
  size_t end = strlen(text), begin = end;
  while (begin > 0 &&
         (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_'))
    --begin;
  if (begin > 0 && begin < end && text[begin - 1] == '-')
    --begin;
  xc_kernel_argument a = {.what =
                              xc_kernel_find_value(text + begin, end - begin)};
  if (a.what < 0 && is_literal(text + begin, &a.literal))
    a.what = XC_KERNEL_LITERAL;
  if (a.what < 0)
    return xc_kernel_unknown_value(r, row->function, text + begin, end - begin);
  bool is_buffer = a.what >= XC_KERNEL_INPUT && a.what < XC_KERNEL_LITERAL;
  size_t type = begin;
  while (type > 0 && text[type - 1] == ' ')
    --type;
  a.type = xc_arena_string(&r->arena, text, type);
  if (type == 0 || is_pointer(a.type) != is_buffer)
    return xc_file_error(r->diag, r->path,
                         "kernel '%s': argument '%s' is not a %s",
                         row->function, text, is_buffer ? "pointer" : "number");
  if (is_buffer)
    a.bytes = POINTER_BYTES;
  else
    set_scalar(&a);
  return check_type(r, row, a.type, text) && add(r, row, a);
}

static bool read_list(xc_kernel_reader *r, xc_kernel_row *row, json_t *list,
                      unsigned depth);

// {"type": "const dims *", "members": [...]}; inner structures need no type.
static bool read_structure(xc_kernel_reader *r, xc_kernel_row *row,
                           json_t *object, unsigned depth) {
  const char *type = json_string_value(json_object_get(object, "type"));
  json_t *members = json_object_get(object, "members");
  if (!json_is_array(members) || json_array_size(members) == 0 ||
      json_object_size(object) != (type ? 2u : 1u) ||
      depth == XC_KERNEL_MAX_DEPTH)
    return xc_file_error(r->diag, r->path,
                         "kernel '%s': a structure has a 'type' and a list of "
                         "'members', no deeper than %d",
                         row->function, XC_KERNEL_MAX_DEPTH);
  if (type ? !is_pointer(type) || depth > 0 : depth == 0)
    return xc_file_error(r->diag, r->path,
                         "kernel '%s': the 'type' of a structure is a pointer; "
                         "one inside another has none",
                         row->function);
  xc_kernel_argument open = {
      .what = XC_KERNEL_OPEN, .type = type, .bytes = POINTER_BYTES};
  return (!type || check_type(r, row, type, type)) && add(r, row, open) &&
         read_list(r, row, members, depth + 1) &&
         add(r, row, (xc_kernel_argument){.what = XC_KERNEL_CLOSE});
}

static bool read_list(xc_kernel_reader *r, xc_kernel_row *row, json_t *list,
                      unsigned depth) {
  size_t index;
  json_t *value;
  json_array_foreach(list, index, value) {
    if (!json_is_string(value) && !json_is_object(value))
      return xc_file_error(
          r->diag, r->path,
          "kernel '%s': argument %zu is neither a string nor a "
          "structure",
          row->function, index);
    if (!(json_is_string(value)
              ? read_declaration(r, row, json_string_value(value))
              : read_structure(r, row, value, depth)))
      return false;
  }
  return true;
}

bool xc_kernel_read_arguments(xc_kernel_reader *r, xc_kernel_row *row,
                              json_t *list) {
  if (!json_is_array(list))
    return xc_file_error(r->diag, r->path,
                         "kernel '%s' has no list of 'arguments'",
                         row->function);
  if (!read_list(r, row, list, 0))
    return false;
  for (int i = XC_KERNEL_INPUT; i <= XC_KERNEL_OUTPUT; ++i)
    if (!xc_kernel_row_has(row, i))
      return xc_file_error(r->diag, r->path, "kernel '%s': no argument is '%s'",
                           row->function, names[i]);
  return true;
}

bool xc_kernel_row_has(const xc_kernel_row *row, int what) {
  for (size_t i = 0; i < row->num_arguments; ++i)
    if (row->arguments[i].what == what)
      return true;
  return false;
}

bool xc_kernel_row_requantises(const xc_kernel_row *row) {
  return xc_kernel_row_has(row, XC_KERNEL_MULTIPLIERS) ||
         xc_kernel_row_has(row, XC_KERNEL_SCALES) ||
         xc_kernel_row_has(row, XC_KERNEL_OUTPUT_SHIFT);
}
