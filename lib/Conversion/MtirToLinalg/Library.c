//===- Library.c - reading a kernel library -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include "Support/Diag.h"
#include "Support/File.h"
#include "Support/Json.h"
#include "Support/Memory.h"
#include "Support/Text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const size_names[] = {
#define ROW(name, text) text,
    XC_KERNEL_SIZES(ROW)
#undef ROW
};

const char *xc_kernel_size_name(xc_kernel_size size) {
  return size_names[size];
}

bool xc_kernel_row_has(const xc_kernel_row *row, int what) {
  for (size_t i = 0; i < row->num_arguments; ++i)
    if (row->arguments[i].what == what)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Parts of the file
//===----------------------------------------------------------------------===//

typedef struct reader {
  XcDiag *diag;
  const char *path;
  xc_arena arena;
} reader;

typedef struct library {
  xc_kernel_library base;
  json_t *root;
  xc_arena arena;
} library;

static bool is_identifier(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_')
    return false;
  for (; *name; ++name)
    if (!isalnum((unsigned char)*name) && *name != '_')
      return false;
  return true;
}

// The number of a name among those of sizes and buffers; -1: none.
static int find_value(const char *name, size_t length) {
  static const char *const buffers[] = {"input", "weights", "output"};
  for (int i = 0; i < XC_KERNEL_NUM_SIZES; ++i)
    if (strlen(size_names[i]) == length &&
        memcmp(size_names[i], name, length) == 0)
      return i;
  for (int i = 0; i < 3; ++i)
    if (strlen(buffers[i]) == length && memcmp(buffers[i], name, length) == 0)
      return XC_KERNEL_INPUT + i;
  return -1;
}

static bool unknown_value(const reader *r, const char *function,
                          const char *name, size_t length) {
  xc_near_miss miss = xc_near_miss_begin(name, length);
  for (int i = 0; i < XC_KERNEL_NUM_SIZES; ++i)
    xc_near_miss_offer(&miss, size_names[i]);
  const char *near = xc_near_miss_get(&miss);
  return xc_file_error(
      r->diag, r->path, "kernel '%s': '%.*s' is no size or buffer%s%s%s",
      function, (int)length, name, near ? ", did you mean '" : "",
      near ? near : "", near ? "'?" : "");
}

// "int8_t *input": a type of C and what is passed.
static bool read_argument(reader *r, xc_kernel_row *row, const char *text) {
  size_t end = strlen(text), begin = end;
  while (begin > 0 &&
         (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_'))
    --begin;
  int what = find_value(text + begin, end - begin);
  if (what < 0)
    return unknown_value(r, row->function, text + begin, end - begin);
  bool is_buffer = what >= XC_KERNEL_INPUT;
  size_t type = begin;
  while (type > 0 && text[type - 1] == ' ')
    --type;
  if (type == 0 || (text[type - 1] == '*') != is_buffer)
    return xc_file_error(r->diag, r->path,
                         "kernel '%s': argument '%s' is no %s", row->function,
                         text, is_buffer ? "pointer" : "number");
  for (size_t i = 0; i < type; ++i)
    if (!isalnum((unsigned char)text[i]) && !strchr(" _*", text[i]))
      return xc_file_error(r->diag, r->path,
                           "kernel '%s': '%s' is no declaration of C",
                           row->function, text);
  row->arguments[row->num_arguments++] =
      (xc_kernel_argument){what, xc_arena_string(&r->arena, text, type)};
  return true;
}

static bool read_arguments(reader *r, xc_kernel_row *row, json_t *list) {
  if (!json_is_array(list) || json_array_size(list) > XC_KERNEL_MAX_ARGUMENTS)
    return xc_file_error(r->diag, r->path,
                         "kernel '%s': 'arguments' is no list of at most %d",
                         row->function, XC_KERNEL_MAX_ARGUMENTS);
  size_t index;
  json_t *value;
  json_array_foreach(list, index, value) {
    if (!json_is_string(value))
      return xc_file_error(r->diag, r->path,
                           "kernel '%s': argument %zu is no string",
                           row->function, index);
    if (!read_argument(r, row, json_string_value(value)))
      return false;
  }
  static const char *const buffers[] = {"input", "weights", "output"};
  for (int i = 0; i < 3; ++i)
    if (!xc_kernel_row_has(row, XC_KERNEL_INPUT + i))
      return xc_file_error(r->diag, r->path, "kernel '%s': no argument is '%s'",
                           row->function, buffers[i]);
  return true;
}

// "stride_height": 1, or "kernel_height": [1, 7].
static bool read_limits(reader *r, xc_kernel_row *row, json_t *limits) {
  const char *name;
  json_t *value;
  json_object_foreach(limits, name, value) {
    int what = find_value(name, strlen(name));
    if (what < 0 || what >= XC_KERNEL_INPUT)
      return unknown_value(r, row->function, name, strlen(name));
    json_t *low = json_is_array(value) ? json_array_get(value, 0) : value;
    json_t *high = json_is_array(value) ? json_array_get(value, 1) : value;
    if (!json_is_integer(low) || !json_is_integer(high))
      return xc_file_error(r->diag, r->path,
                           "kernel '%s': limit '%s' is no number and no pair "
                           "of numbers",
                           row->function, name);
    row->limits[row->num_limits++] =
        (xc_kernel_limit){(xc_kernel_size)what, json_integer_value(low),
                          json_integer_value(high)};
  }
  return true;
}

// One of two words; the first is the default.
static bool read_word(reader *r, const xc_kernel_row *row, json_t *object,
                      const char *key, const char *first, const char *second,
                      bool *is_second) {
  const json_t *value = json_object_get(object, key);
  const char *word = json_is_string(value) ? json_string_value(value) : "";
  *is_second = strcmp(word, second) == 0;
  return !value || *is_second || strcmp(word, first) == 0 ||
         xc_file_error(r->diag, r->path, "kernel '%s': '%s' is not %s or %s",
                       row->function, key, first, second);
}

static bool check_keys(const reader *r, json_t *object, const char *where,
                       const char *const *keys) {
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    const char *const *known = keys;
    while (*known && strcmp(*known, key) != 0)
      ++known;
    if (!*known)
      return xc_file_error(r->diag, r->path, "unknown key '%s' of %s", key,
                           where);
  }
  return true;
}

static bool read_row(reader *r, xc_kernel_row *row, json_t *object) {
  static const char *const keys[] = {"function", "operator", "element",
                                     "layout",   "weights",  "arguments",
                                     "limits",   NULL};
  const char *function = json_string_value(json_object_get(object, "function"));
  if (!function || !is_identifier(function))
    return xc_file_error(r->diag, r->path,
                         "a kernel has no 'function' that is a name of C");
  row->function = function;
  if (!check_keys(r, object, function, keys))
    return false;
  bool is_dense, ohwi;
  if (!read_word(r, row, object, "operator", "conv2d", "dense", &is_dense) ||
      !read_word(r, row, object, "element", "i8", "f32", &row->is_float) ||
      !read_word(r, row, object, "layout", "NHWC", "NCHW",
                 &row->channels_first) ||
      !read_word(r, row, object, "weights", is_dense ? "OI" : "OIHW",
                 is_dense ? "IO" : "OHWI", &ohwi))
    return false;
  row->operation = is_dense ? XC_KERNEL_DENSE : XC_KERNEL_CONV2D;
  row->weights_first = !ohwi;
  return read_arguments(r, row, json_object_get(object, "arguments")) &&
         read_limits(r, row, json_object_get(object, "limits"));
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

static bool read_library(reader *r, xc_kernel_library *result, json_t *root) {
  static const char *const keys[] = {"name", "header", "kernels", NULL};
  json_t *kernels = json_object_get(root, "kernels");
  result->name = json_string_value(json_object_get(root, "name"));
  result->header = json_string_value(json_object_get(root, "header"));
  if (!check_keys(r, root, "the library", keys))
    return false;
  if (!result->name || !is_identifier(result->name))
    return xc_file_error(r->diag, r->path,
                         "the library has no 'name' that is a name of C");
  if (!json_is_array(kernels) || json_array_size(kernels) == 0)
    return xc_file_error(r->diag, r->path, "the library has no 'kernels'");
  result->num_rows = json_array_size(kernels);
  result->rows =
      xc_arena_alloc(&r->arena, result->num_rows, sizeof(*result->rows));
  for (size_t i = 0; i < result->num_rows; ++i) {
    result->rows[i] = (xc_kernel_row){0};
    if (!read_row(r, &result->rows[i], json_array_get(kernels, i)))
      return false;
  }
  return true;
}

xc_kernel_library *xc_kernel_library_create(XcDiag *diag, const char *path) {
  xc_buffer file;
  if (!xc_read_file(diag, path, &file))
    return NULL;
  json_error_t error;
  json_t *root = json_loadb((const char *)file.data, file.size,
                            JSON_REJECT_DUPLICATES, &error);
  xc_buffer_free(&file);
  if (!root) {
    XcPlace place = {path, (unsigned)error.line, (unsigned)error.column};
    xcDiagReport(diag, XcSeverityError, place, "%s", error.text);
    return NULL;
  }
  library *result = xc_alloc(sizeof(*result));
  *result = (library){.root = root};
  reader r = {.diag = diag, .path = path};
  bool ok = read_library(&r, &result->base, root);
  result->arena = r.arena;
  if (ok)
    return &result->base;
  xc_kernel_library_destroy(&result->base);
  return NULL;
}

void xc_kernel_library_destroy(xc_kernel_library *base) {
  if (!base)
    return;
  library *whole = (library *)base;
  json_decref(whole->root);
  xc_arena_free(&whole->arena);
  free(whole);
}
