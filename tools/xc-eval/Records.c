//===- Records.c - what samples gave, in files ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A results file has one JSON object in each line:
//
//   file   ::= header record*
//   header ::= {"xc-eval": 2, "model", "float"?, "fingerprint", "dataset",
//               "samples", "columns": [name], "outputs": [name],
//               "indices": [number of an output], "scores"?, "labels",
//               "preprocess"}
//   record ::= {"i": sample, "name", "label"?, "cells": [cell]}
//            | {"i": sample, "name", "failed": true}
//   cell   ::= {"top": [class], "hash": 16 digits,
//               "errors": [[signal, noise] or [count, unequal]]}
//
// Records are in the order in which samples were done; each sample has at most
// one. A line is written at once, so that only the last can be cut off. A
// change of these rules raises the number in the header.
//
//===----------------------------------------------------------------------===//

#include "Eval.h"

#include "Support/Diag.h"
#include "Support/Json.h"
#include "Support/Limits.h"
#include "Support/Memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLES = 1 << 24, MAX_OUTPUTS = 1 << 12 };

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

eval_record eval_record_create(const eval_header *header) {
  eval_record record = {.label = -1};
  record.cells = xc_alloc_array(header->num_columns, sizeof(*record.cells));
  for (size_t c = 0; c < header->num_columns; ++c) {
    for (int t = 0; t < EVAL_TOP; ++t)
      record.cells[c].top[t] = -1;
    record.cells[c].errors =
        xc_alloc_array(2 * header->num_outputs + 1, sizeof(double));
  }
  return record;
}

void eval_record_free(const eval_header *header, eval_record *record) {
  for (size_t c = 0; record->cells && c < header->num_columns; ++c)
    free(record->cells[c].errors);
  free(record->cells);
  free(record->name);
  *record = (eval_record){.label = -1};
}

static size_t count_of(const json_t *header, const char *key) {
  return json_array_size(json_object_get(header, key));
}

static bool are_strings(const json_t *list) {
  for (size_t i = 0; i < json_array_size(list); ++i)
    if (!json_is_string(json_array_get(list, i)))
      return false;
  return true;
}

static bool are_numbers(const json_t *list) {
  for (size_t i = 0; i < json_array_size(list); ++i)
    if (!json_is_integer(json_array_get(list, i)))
      return false;
  return true;
}

bool eval_has_indices(const eval_header *header, size_t output) {
  const json_t *list = json_object_get(header->json, "indices");
  for (size_t i = 0; i < json_array_size(list); ++i)
    if (json_integer_value(json_array_get(list, i)) == (json_int_t)output)
      return true;
  return false;
}

/// The names that are printed, and the numbers of outputs.
static bool has_names(const json_t *header) {
  const json_t *outputs = json_object_get(header, "outputs");
  const json_t *scores = json_object_get(header, "scores");
  json_int_t number = json_integer_value(scores);
  return json_is_string(json_object_get(header, "dataset")) &&
         are_strings(json_object_get(header, "columns")) &&
         are_strings(outputs) &&
         are_numbers(json_object_get(header, "indices")) &&
         (!scores || (json_is_integer(scores) && number >= 0 &&
                      (size_t)number < json_array_size(outputs)));
}

bool eval_records_begin(XcDiag *diag, const char *path, json_t *json,
                        eval_records *records) {
  json_int_t samples = json_integer_value(json_object_get(json, "samples"));
  size_t columns = count_of(json, "columns"),
         outputs = count_of(json, "outputs");
  records->header = (eval_header){json, (size_t)samples, columns, outputs};
  if (json_integer_value(json_object_get(json, "xc-eval")) != EVAL_FORMAT ||
      samples < 0 || samples > MAX_SAMPLES || columns < 1 ||
      columns > EVAL_MAX_COLUMNS || outputs > MAX_OUTPUTS || !has_names(json))
    return xc_file_error(diag, path,
                         "the first line is not a header of results that this "
                         "version of xc-eval writes");
  // Its rows, and what is added up of them.
  uint64_t bytes = (uint64_t)samples * (sizeof(*records->rows) +
                                        columns * outputs * sizeof(double));
  if (!xc_check_memory(diag, path, "holding the results", bytes))
    return false;
  records->rows = xc_alloc_array((size_t)samples + 1, sizeof(*records->rows));
  return true;
}

void eval_records_free(eval_records *records) {
  for (size_t i = 0; records->rows && i < records->header.num_samples; ++i)
    eval_record_free(&records->header, &records->rows[i]);
  free(records->rows);
  json_decref(records->header.json);
  *records = (eval_records){.rows = NULL};
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static json_t *cell_json(const eval_header *header, const eval_cell *cell) {
  json_t *top = json_array(), *errors = json_array();
  for (int t = 0; t < EVAL_TOP && cell->top[t] >= 0; ++t)
    json_array_append_new(top, json_integer((json_int_t)cell->top[t]));
  for (size_t o = 0; o < header->num_outputs; ++o)
    json_array_append_new(errors, json_pack("[ff]", cell->errors[2 * o],
                                            cell->errors[2 * o + 1]));
  char hash[17];
  snprintf(hash, sizeof(hash), "%016" PRIx64, cell->hash);
  return json_pack("{so ss so}", "top", top, "hash", hash, "errors", errors);
}

char *eval_record_print(const eval_header *header, size_t sample,
                        const eval_record *record) {
  json_t *json = json_pack("{sI so}", "i", (json_int_t)sample, "name",
                           xc_json_text(record->name ? record->name : ""));
  if (record->label >= 0)
    json_object_set_new(json, "label", json_integer((json_int_t)record->label));
  if (record->failed) {
    json_object_set_new(json, "failed", json_true());
  } else {
    json_t *cells = json_array();
    for (size_t c = 0; c < header->num_columns; ++c)
      json_array_append_new(cells, cell_json(header, &record->cells[c]));
    json_object_set_new(json, "cells", cells);
  }
  char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));
  json_decref(json);
  return text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

typedef struct reader {
  XcDiag *diag;
  const char *path;
  unsigned line;
  eval_records *records;
} reader;

static bool line_error(const reader *r, const char *why) {
  return xc_place_error(r->diag, (XcPlace){r->path, r->line, 1}, "%s", why);
}

static bool read_cell(const reader *r, const json_t *json, eval_cell *cell) {
  const json_t *top = json_object_get(json, "top");
  const json_t *errors = json_object_get(json, "errors");
  const char *hash = json_string_value(json_object_get(json, "hash"));
  if (!hash || strlen(hash) != 16 || json_array_size(top) > EVAL_TOP ||
      json_array_size(errors) != r->records->header.num_outputs)
    return false;
  cell->hash = strtoull(hash, NULL, 16);
  for (size_t t = 0; t < json_array_size(top); ++t) {
    const json_t *value = json_array_get(top, t);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
      return false;
    cell->top[t] = json_integer_value(value);
  }
  for (size_t o = 0; o < json_array_size(errors); ++o)
    for (size_t k = 0; k < 2; ++k) {
      const json_t *value = json_array_get(json_array_get(errors, o), k);
      if (!json_is_number(value))
        return false;
      cell->errors[2 * o + k] = json_number_value(value);
    }
  return true;
}

static bool read_record(const reader *r, const json_t *json,
                        eval_record *record) {
  const json_t *label = json_object_get(json, "label");
  const json_t *cells = json_object_get(json, "cells");
  record->is_there = true;
  record->failed = json_is_true(json_object_get(json, "failed"));
  record->label = label ? json_integer_value(label) : -1;
  record->name = xc_copy_string(xc_json_string(json, "name"));
  if (record->failed)
    return true;
  if (json_array_size(cells) != r->records->header.num_columns)
    return false;
  for (size_t c = 0; c < json_array_size(cells); ++c)
    if (!read_cell(r, json_array_get(cells, c), &record->cells[c]))
      return false;
  return true;
}

static bool same_record(const eval_header *header, size_t sample,
                        const eval_record *a, const eval_record *b) {
  char *x = eval_record_print(header, sample, a);
  char *y = eval_record_print(header, sample, b);
  bool same = strcmp(x, y) == 0;
  free(x);
  free(y);
  return same;
}

/// Keeps a record; one that is there already must be the same.
static bool add_record(const reader *r, const json_t *json) {
  const eval_header *header = &r->records->header;
  const json_t *number = json_object_get(json, "i");
  json_int_t sample = json_integer_value(number);
  if (!json_is_integer(number) || sample < 0 ||
      (size_t)sample >= header->num_samples)
    return line_error(r, "the record is of no sample of the evaluation");
  eval_record record = eval_record_create(header);
  eval_record *row = &r->records->rows[sample];
  bool ok = read_record(r, json, &record) ||
            line_error(r, "the record does not fit the header");
  if (ok && row->is_there && !same_record(header, (size_t)sample, row, &record))
    ok = line_error(r, "the sample has another result already");
  if (ok && !row->is_there)
    *row = record;
  else
    eval_record_free(header, &record);
  return ok;
}

static bool read_header(reader *r, json_t *json) {
  if (!r->records->header.json)
    return eval_records_begin(r->diag, r->path, json_incref(json), r->records);
  const char *key;
  json_t *value;
  json_object_foreach(r->records->header.json, key, value) {
    if (!json_equal(value, json_object_get(json, key)))
      return xc_file_error(r->diag, r->path,
                           "the results are of another evaluation: '%s' "
                           "differs",
                           key);
  }
  return true;
}

static bool read_line(reader *r, const char *line, size_t length) {
  json_t *json = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
  bool ok =
      json_is_object(json) || line_error(r, "the line is not a JSON object");
  if (ok)
    ok = r->line == 1 ? read_header(r, json) : add_record(r, json);
  json_decref(json);
  return ok;
}

bool eval_records_read(XcDiag *diag, const char *path, eval_records *records,
                       size_t *end) {
  xc_buffer file;
  if (!xc_read_file(diag, path, &file))
    return false;
  reader r = {.diag = diag, .path = path, .records = records};
  const char *text = (const char *)file.data;
  size_t at = 0;
  bool ok = true;
  while (ok && at < file.size) {
    const char *stop = memchr(text + at, '\n', file.size - at);
    if (!stop)
      break;
    ++r.line;
    ok = read_line(&r, text + at, (size_t)(stop - text) - at);
    at = (size_t)(stop - text) + 1;
  }
  if (ok && r.line == 0 && !end)
    ok = xc_file_error(diag, path, "there are no results in it");
  if (end)
    *end = at;
  xc_buffer_free(&file);
  return ok;
}
