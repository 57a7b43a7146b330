//===- Library.c - reading a kernel library -------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"

#include "Support/Diag.h"
#include "Support/File.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

// "stride_height": 1, or "kernel_height": [1, 7].
static bool read_limits(xc_kernel_reader *r, xc_kernel_row *row,
                        json_t *limits) {
  const char *name;
  json_t *value;
  if (limits && !json_is_object(limits))
    return xc_file_error(r->diag, r->path,
                         "kernel '%s': 'limits' is not an object",
                         row->function);
  json_object_foreach(limits, name, value) {
    int what = xc_kernel_find_value(name, strlen(name));
    if (what < 0 || what >= XC_KERNEL_INPUT)
      return xc_kernel_unknown_value(r, row->function, name, strlen(name));
    json_t *low = json_is_array(value) ? json_array_get(value, 0) : value;
    json_t *high = json_is_array(value) ? json_array_get(value, 1) : value;
    if (!json_is_integer(low) || !json_is_integer(high))
      return xc_file_error(
          r->diag, r->path,
          "kernel '%s': limit '%s' is neither a number nor a pair "
          "of numbers",
          row->function, name);
    row->limits[row->num_limits++] =
        (xc_kernel_limit){(xc_kernel_size)what, json_integer_value(low),
                          json_integer_value(high)};
  }
  return true;
}

// 16, "in_channels", or a list of factors.
static bool add_factor(xc_kernel_reader *r, const xc_kernel_row *row,
                       xc_kernel_term *term, json_t *value) {
  if (json_is_integer(value) && json_integer_value(value) >= 0 &&
      json_integer_value(value) <= INT32_MAX && term->number <= INT32_MAX) {
    term->number *= json_integer_value(value);
    return true;
  }
  const char *name = json_is_string(value) ? json_string_value(value) : "";
  int what = xc_kernel_find_value(name, strlen(name));
  if (what < 0 || what >= XC_KERNEL_SCRATCH_BYTES ||
      term->num_factors == XC_KERNEL_MAX_FACTORS)
    return xc_file_error(r->diag, r->path,
                         "kernel '%s': 'scratch' is not a list of products of "
                         "sizes and numbers",
                         row->function);
  term->factors[term->num_factors++] = (xc_kernel_size)what;
  return true;
}

static bool read_scratch(xc_kernel_reader *r, xc_kernel_row *row,
                         json_t *terms) {
  size_t t, f;
  json_t *term, *factor;
  if ((terms && !json_is_array(terms)) ||
      json_array_size(terms) > XC_KERNEL_MAX_TERMS)
    return xc_file_error(r->diag, r->path,
                         "kernel '%s': 'scratch' is not a list of at most %d "
                         "products",
                         row->function, XC_KERNEL_MAX_TERMS);
  json_array_foreach(terms, t, term) {
    xc_kernel_term *to = &row->scratch[row->num_terms++];
    *to = (xc_kernel_term){.number = 1};
    if (!json_is_array(term) && !add_factor(r, row, to, term))
      return false;
    json_array_foreach(
        term, f, factor) if (!add_factor(r, row, to, factor)) return false;
  }
  return true;
}

// "OIHW": any order of the letters of "OHWI", which is that of the model.
static bool read_weights(xc_kernel_reader *r, xc_kernel_row *row,
                         const json_t *value) {
  bool is_dense = row->operation == XC_KERNEL_DENSE;
  const char *model = is_dense ? "OI" : "OHWI";
  const char *word = value      ? json_string_value(value)
                     : is_dense ? "OI"
                                : "OIHW";
  size_t rank = strlen(model);
  bool ok = word && strlen(word) == rank;
  for (size_t i = 0; ok && i < rank; ++i) {
    const char *letter = strchr(model, word[i]);
    ok = letter && strchr(word, word[i]) == word + i;
    row->weights[i] = letter ? (int)(letter - model) : 0;
  }
  return ok || xc_file_error(r->diag, r->path,
                             "kernel '%s': 'weights' is not an order of the "
                             "letters %s",
                             row->function, model);
}

static bool read_rounding(xc_kernel_reader *r, xc_kernel_row *row,
                          const json_t *value) {
  bool shifts = xc_kernel_row_has(row, XC_KERNEL_OUTPUT_SHIFT);
  const char *word = json_string_value(value);
  row->has_rounding =
      word && xcRoundModeParse(word, strlen(word), &row->rounding);
  return row->has_rounding == shifts && !value == !shifts
             ? true
             : xc_file_error(r->diag, r->path,
                             "kernel '%s': 'output_shift' and a 'rounding' of "
                             "DPU_ROUND, STD_ROUND or PY3_ROUND go together",
                             row->function);
}

// Arguments that make sense together only.
static bool check_row(const xc_kernel_reader *r, const xc_kernel_row *row) {
  static const struct {
    int what, needs;
    const char *text;
  } rules[] = {
      {XC_KERNEL_MULTIPLIERS, XC_KERNEL_SHIFTS, "'multipliers' need 'shifts'"},
      {XC_KERNEL_SHIFTS, XC_KERNEL_MULTIPLIERS, "'shifts' need 'multipliers'"},
      {XC_KERNEL_MULTIPLIERS, XC_KERNEL_BIAS, "'multipliers' need a 'bias'"},
      {XC_KERNEL_SCALES, XC_KERNEL_BIAS, "'scales' need a 'bias'"},
      {XC_KERNEL_OUTPUT_SHIFT, XC_KERNEL_BIAS, "'output_shift' needs a 'bias'"},
      {XC_KERNEL_BIAS_SHIFT, XC_KERNEL_OUTPUT_SHIFT,
       "'bias_shift' needs an 'output_shift'"},
      {XC_KERNEL_SCRATCH_BYTES, XC_KERNEL_SCRATCH,
       "'scratch_bytes' need a pointer 'scratch'"},
  };
  for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); ++i)
    if (xc_kernel_row_has(row, rules[i].what) &&
        !xc_kernel_row_has(row, rules[i].needs))
      return xc_file_error(r->diag, r->path, "kernel '%s': %s", row->function,
                           rules[i].text);
  int ways = xc_kernel_row_has(row, XC_KERNEL_MULTIPLIERS) +
             xc_kernel_row_has(row, XC_KERNEL_SCALES) +
             xc_kernel_row_has(row, XC_KERNEL_OUTPUT_SHIFT);
  if (ways > 1 || (ways == 1 && row->is_float))
    return xc_file_error(r->diag, r->path,
                         "kernel '%s' requantises in several ways, or floats",
                         row->function);
  if (row->relu && !row->is_float && ways == 0)
    return xc_file_error(r->diag, r->path,
                         "kernel '%s' has an 'activation' of sums",
                         row->function);
  if (xc_kernel_row_has(row, XC_KERNEL_SCRATCH) != (row->num_terms > 0))
    return xc_file_error(r->diag, r->path,
                         "kernel '%s': the pointer 'scratch' and its bytes, "
                         "'scratch', go together",
                         row->function);
  return true;
}

// One of two words; the first is the default.
static bool read_word(xc_kernel_reader *r, const xc_kernel_row *row,
                      json_t *object, const char *key, const char *first,
                      const char *second, bool *is_second) {
  const json_t *value = json_object_get(object, key);
  const char *word = json_is_string(value) ? json_string_value(value) : "";
  *is_second = strcmp(word, second) == 0;
  return !value || *is_second || strcmp(word, first) == 0 ||
         xc_file_error(r->diag, r->path, "kernel '%s': '%s' is not %s or %s",
                       row->function, key, first, second);
}

static bool check_keys(const xc_kernel_reader *r, json_t *object,
                       const char *where, const char *const *keys) {
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

static bool read_operator(xc_kernel_reader *r, xc_kernel_row *row,
                          const json_t *value) {
  static const char *const words[] = {"conv2d", "depthwise_conv2d", "dense"};
  const char *word = value ? json_string_value(value) : words[0];
  for (int i = 0; i < 3; ++i)
    if (word && strcmp(word, words[i]) == 0) {
      row->operation = (xc_kernel_operation)i;
      return true;
    }
  return xc_file_error(r->diag, r->path,
                       "kernel '%s': 'operator' is not conv2d, "
                       "depthwise_conv2d or dense",
                       row->function);
}

static bool read_row(xc_kernel_reader *r, xc_kernel_row *row, json_t *object) {
  static const char *const keys[] = {
      "function", "operator",  "element", "layout",  "weights", "activation",
      "rounding", "arguments", "limits",  "scratch", NULL};
  const char *function = json_string_value(json_object_get(object, "function"));
  if (!function || !is_identifier(function))
    return xc_file_error(r->diag, r->path,
                         "a kernel has no 'function' that is a name of C");
  row->function = function;
  return check_keys(r, object, function, keys) &&
         read_operator(r, row, json_object_get(object, "operator")) &&
         read_word(r, row, object, "element", "i8", "f32", &row->is_float) &&
         read_word(r, row, object, "layout", "NHWC", "NCHW",
                   &row->channels_first) &&
         read_word(r, row, object, "activation", "NONE", "RELU", &row->relu) &&
         read_weights(r, row, json_object_get(object, "weights")) &&
         xc_kernel_read_arguments(r, row,
                                  json_object_get(object, "arguments")) &&
         read_limits(r, row, json_object_get(object, "limits")) &&
         read_scratch(r, row, json_object_get(object, "scratch")) &&
         read_rounding(r, row, json_object_get(object, "rounding")) &&
         check_row(r, row);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

// Checks that there is a header where the C code needs one.
static bool check_header(const xc_kernel_reader *r,
                         const xc_kernel_library *result) {
  for (size_t i = 0; i < result->num_rows; ++i)
    if (!result->header && xc_kernel_row_has(&result->rows[i], XC_KERNEL_OPEN))
      return xc_file_error(r->diag, r->path,
                           "kernel '%s' takes structures, which a 'header' "
                           "declares",
                           result->rows[i].function);
  return true;
}

static bool read_library(xc_kernel_reader *r, xc_kernel_library *result,
                         json_t *root) {
  static const char *const keys[] = {"name", "header", "kernels", NULL};
  json_t *kernels = json_object_get(root, "kernels");
  result->name = json_string_value(json_object_get(root, "name"));
  result->header = json_string_value(json_object_get(root, "header"));
  if (!check_keys(r, root, "the library", keys))
    return false;
  if (!result->name || !is_identifier(result->name))
    return xc_file_error(r->diag, r->path,
                         "the library has no 'name' that is a name of C");
  if (result->header && strpbrk(result->header, "\"\n\r\\"))
    return xc_file_error(r->diag, r->path,
                         "'header' is not the name of a file");
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
  return check_header(r, result);
}

bool xc_kernel_library_is(const char *path) {
  size_t length = strlen(path);
  json_t *root = length > 5 && strcmp(path + length - 5, ".json") == 0
                     ? json_load_file(path, 0, NULL)
                     : NULL;
  bool found = json_object_get(root, "kernels") != NULL;
  json_decref(root);
  return found;
}

bool xc_kernel_library_check_linked(XcDiag *diag, const char *path,
                                    const xc_kernel_library *base) {
  for (size_t i = 0; i < base->num_rows; ++i) {
    const xc_kernel_row *row = &base->rows[i];
    for (size_t k = 0; k < row->num_arguments; ++k) {
      const xc_kernel_argument *a = &row->arguments[k];
      bool is_number =
          a->what < XC_KERNEL_NUM_SIZES || a->what == XC_KERNEL_LITERAL;
      if (is_number && a->scalar == XC_KERNEL_UNKNOWN_SCALAR)
        return xc_file_error(diag, path,
                             "kernel '%s': the type '%s' is known to a C "
                             "compiler only, and no type of machine code",
                             row->function, a->type);
    }
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
  xc_kernel_reader r = {.diag = diag, .path = path};
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
