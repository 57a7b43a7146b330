//===- Labels.c - the true classes of samples -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Eval.h"

#include "Support/Diag.h"
#include "Support/Memory.h"
#include "Support/Npy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// A line of the file. Without a name it belongs to the sample of its number.
typedef struct label_row {
  const char *name; // not terminated
  size_t length, line;
  int64_t label;
} label_row;

typedef struct label_file {
  XcDiag *diag;
  const char *path;
  xc_buffer file;
  label_row *rows;
  size_t count, capacity;
  bool has_names;
} label_file;

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

/// "NAME 17" or "17"; lines without anything are left out.
static bool parse_line(label_file *f, const char *at, const char *end,
                       size_t line) {
  while (end > at && is_space(end[-1]))
    --end;
  while (at < end && is_space(*at))
    ++at;
  if (at == end)
    return true;
  const char *digits = end;
  while (digits > at && !is_space(digits[-1]))
    --digits;
  char number[24] = "", *stop;
  size_t length = (size_t)(end - digits);
  if (length < sizeof(number))
    memcpy(number, digits, length);
  errno = 0;
  long long label = strtoll(number, &stop, 10);
  if (!*number || *stop || errno || label < 0)
    return xc_place_error(f->diag, (XcPlace){f->path, (unsigned)line, 1},
                          "expected a class, a number of 0 or more, at the "
                          "end of the line");
  while (digits > at && is_space(digits[-1]))
    --digits;
  xc_grow((void **)&f->rows, &f->capacity, f->count + 1, sizeof(*f->rows));
  f->rows[f->count++] =
      (label_row){at, (size_t)(digits - at), line, (int64_t)label};
  bool named = digits > at;
  if (f->count > 1 && named != f->has_names)
    return xc_place_error(f->diag, (XcPlace){f->path, (unsigned)line, 1},
                          "the line %s a name, unlike those before",
                          named ? "has" : "is without");
  f->has_names = named;
  return true;
}

static bool parse_text(label_file *f) {
  const char *at = (const char *)f->file.data, *end = at + f->file.size;
  for (size_t line = 1; at < end; ++line) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    if (!parse_line(f, at, stop, line))
      return false;
    at = stop + 1;
  }
  return true;
}

static bool parse_npy(label_file *f) {
  xc_npy npy;
  if (!xc_npy_parse_buffer(f->diag, f->path, &f->file, &npy))
    return false;
  if (npy.type.kind != 'i' && npy.type.kind != 'u')
    return xc_file_error(f->diag, f->path,
                         "the elements are %c%u, expected integers",
                         npy.type.kind, 8 * npy.type.size);
  f->rows = xc_alloc_array((size_t)npy.count + 1, sizeof(*f->rows));
  f->count = (size_t)npy.count;
  for (size_t i = 0; i < f->count; ++i) {
    uint64_t bits = 0;
    memcpy(&bits, npy.data + i * npy.type.size, npy.type.size);
    unsigned unused = 64 - 8 * npy.type.size;
    f->rows[i].label = npy.type.kind == 'u'
                           ? (int64_t)bits
                           : (int64_t)(bits << unused) >> unused;
    if (f->rows[i].label < 0)
      return xc_file_error(f->diag, f->path, "class %zu is negative", i);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

static int compare_bytes(const char *a, size_t a_length, const char *b,
                         size_t b_length) {
  size_t shorter = a_length < b_length ? a_length : b_length;
  int order = memcmp(a, b, shorter);
  if (order != 0)
    return order;
  return a_length < b_length ? -1 : a_length > b_length;
}

static int compare_rows(const void *a, const void *b) {
  const label_row *x = a, *y = b;
  return compare_bytes(x->name, x->length, y->name, y->length);
}

static const label_row *find_row(const label_file *f, const char *name,
                                 size_t length) {
  const label_row key = {.name = name, .length = length};
  return f->count
             ? bsearch(&key, f->rows, f->count, sizeof(*f->rows), compare_rows)
             : NULL;
}

static bool check_twice(const label_file *f) {
  for (size_t i = 1; i < f->count; ++i)
    if (compare_rows(&f->rows[i - 1], &f->rows[i]) == 0 &&
        f->rows[i - 1].label != f->rows[i].label)
      return xc_place_error(
          f->diag, (XcPlace){f->path, (unsigned)f->rows[i].line, 1},
          "'%.*s' has two classes", (int)f->rows[i].length, f->rows[i].name);
  return true;
}

/// As it stands in the folder, without folders, or without its ending either.
static const label_row *find_label(const label_file *f, const char *name) {
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  const char *dot = strrchr(base, '.');
  const label_row *row = find_row(f, name, strlen(name));
  row = row ? row : find_row(f, base, strlen(base));
  return row || !dot ? row : find_row(f, base, (size_t)(dot - base));
}

static bool match_names(label_file *f, const xc_samples *samples,
                        int64_t *labels) {
  if (f->count)
    qsort(f->rows, f->count, sizeof(*f->rows), compare_rows);
  bool ok = check_twice(f);
  xc_text name = {0};
  for (size_t i = 0; ok && i < xc_samples_count(samples); ++i) {
    name.length = 0;
    xc_samples_name(samples, i, &name);
    const label_row *row = find_label(f, xc_text_str(&name));
    ok = row || xc_file_error(f->diag, f->path, "there is no class of '%s'",
                              xc_text_str(&name));
    labels[i] = row ? row->label : -1;
  }
  xc_text_free(&name);
  return ok;
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

static bool match(label_file *f, const xc_samples *samples, int64_t *labels) {
  size_t count = xc_samples_count(samples);
  if (f->has_names)
    return match_names(f, samples, labels);
  if (f->count != count)
    return xc_file_error(f->diag, f->path, "%zu classes for %zu samples",
                         f->count, count);
  for (size_t i = 0; i < count; ++i)
    labels[i] = f->rows[i].label;
  return true;
}

/// The outermost folders that samples are in, numbered by their order: the
/// files of one stand side by side.
static bool match_folders(XcDiag *diag, const xc_samples *samples,
                          int64_t *labels) {
  xc_text name = {0}, folder = {0};
  int64_t label = -1;
  bool ok = true;
  for (size_t i = 0; ok && i < xc_samples_count(samples); ++i) {
    name.length = 0;
    xc_samples_name(samples, i, &name);
    const char *slash = strchr(xc_text_str(&name), '/');
    size_t length = slash ? (size_t)(slash - name.data) : 0;
    ok = slash || xc_file_error(diag, NULL,
                                "--labels=folders: '%s' is in no folder of "
                                "the dataset",
                                xc_text_str(&name));
    if (label < 0 || folder.length != length ||
        memcmp(folder.data, name.data, length) != 0)
      ++label;
    folder.length = 0;
    xc_text_append(&folder, name.data, length);
    labels[i] = label;
  }
  xc_text_free(&name);
  xc_text_free(&folder);
  return ok;
}

bool eval_labels_read(XcDiag *diag, const eval_arguments *a,
                      const xc_samples *samples, int64_t **labels) {
  *labels = NULL;
  if (!a->labels)
    return true;
  size_t count = xc_samples_count(samples);
  *labels = xc_alloc_array(count + 1, sizeof(**labels));
  bool ok;
  if (strcmp(a->labels, "folders") == 0) {
    ok = match_folders(diag, samples, *labels);
  } else {
    label_file f = {.diag = diag, .path = a->labels};
    ok = xc_read_file(diag, a->labels, &f.file);
    bool is_npy = ok && xc_npy_is(f.file.data, f.file.size);
    ok = ok && (is_npy ? parse_npy(&f) : parse_text(&f)) &&
         match(&f, samples, *labels);
    free(f.rows);
    xc_buffer_free(&f.file);
  }
  for (size_t i = 0; ok && i < count; ++i)
    (*labels)[i] += a->label_offset;
  return ok;
}
