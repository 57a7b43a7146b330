//===- Summary.c - what all samples say -----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Eval.h"

#include "Support/Diag.h"
#include "Support/Json.h"
#include "Support/Memory.h"
#include "Support/Names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The one with the least ratio.
typedef struct worst_sample {
  double ratio;
  const char *name;
} worst_sample;

/// Of one column over all samples.
typedef struct sums {
  size_t right, near;  // the label is the first class, is among the first
  size_t agreed;       // the first class is that of the first column
  size_t same;         // outputs are those of the fixed-point reference
  double *errors;      // of each output: signal and noise
  double *ratios;      // of each output, sample by sample
  worst_sample *worst; // of each output
} sums;

typedef struct summary {
  const eval_records *records;
  size_t count, failed, labelled;
  size_t fixed; // the column of the fixed-point reference, or SIZE_MAX
  sums columns[EVAL_MAX_COLUMNS];
} summary;

static double decibel(double signal, double noise) {
  if (noise == 0)
    return (double)INFINITY;
  return signal == 0 ? 0 : 10 * log10(signal / noise);
}

/// Of indices, from how many there are and how many are unequal.
static double equal_percent(const double *errors) {
  return errors[0] > 0 ? 100 * (1 - errors[1] / errors[0]) : 100;
}

static const char *column_name(const eval_header *header, size_t c) {
  const char *name = json_string_value(
      json_array_get(json_object_get(header->json, "columns"), c));
  return name ? name : "";
}

/// Whether a column should have the bits of the reference in fixed point.
static bool has_bits(const summary *s, size_t c) {
  return s->fixed != SIZE_MAX && c > s->fixed;
}

//===----------------------------------------------------------------------===//
// Adding up
//===----------------------------------------------------------------------===//

static bool is_among(const eval_cell *cell, int64_t label) {
  for (int t = 0; t < EVAL_TOP; ++t)
    if (cell->top[t] == label)
      return true;
  return false;
}

static void add_cell(summary *s, const eval_record *row, size_t c) {
  const eval_cell *cell = &row->cells[c];
  sums *column = &s->columns[c];
  size_t outputs = s->records->header.num_outputs;
  if (row->label >= 0) {
    column->right += cell->top[0] == row->label;
    column->near += is_among(cell, row->label);
  }
  column->agreed += cell->top[0] == row->cells[0].top[0];
  column->same +=
      s->fixed != SIZE_MAX && cell->hash == row->cells[s->fixed].hash;
  for (size_t o = 0; o < outputs; ++o) {
    double signal = cell->errors[2 * o], noise = cell->errors[2 * o + 1];
    column->errors[2 * o] += signal;
    column->errors[2 * o + 1] += noise;
    double ratio = decibel(signal, noise);
    column->ratios[o * s->records->header.num_samples + s->count] = ratio;
    if (!column->worst[o].name || ratio < column->worst[o].ratio)
      column->worst[o] = (worst_sample){ratio, row->name};
  }
}

static void add_up(summary *s) {
  const eval_header *header = &s->records->header;
  s->fixed = SIZE_MAX;
  for (size_t c = 0; c < header->num_columns; ++c) {
    s->columns[c].errors =
        xc_alloc_array(2 * header->num_outputs + 1, sizeof(double));
    s->columns[c].ratios = xc_alloc_array(
        header->num_outputs * header->num_samples + 1, sizeof(double));
    s->columns[c].worst =
        xc_alloc_array(header->num_outputs + 1, sizeof(worst_sample));
    if (strcmp(column_name(header, c), "reference") == 0)
      s->fixed = c;
  }
  for (size_t i = 0; i < header->num_samples; ++i) {
    const eval_record *row = &s->records->rows[i];
    s->failed += row->failed;
    if (!row->is_there || row->failed)
      continue;
    for (size_t c = 0; c < header->num_columns; ++c)
      add_cell(s, row, c);
    s->labelled += row->label >= 0;
    ++s->count;
  }
}

static int compare_reals(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/// Of the ratios of single samples, which one sample cannot spoil. They are
/// sorted.
static double median(const summary *s, size_t c, size_t output) {
  double *ratios =
      s->columns[c].ratios + output * s->records->header.num_samples;
  if (s->count == 0)
    return 0;
  qsort(ratios, s->count, sizeof(*ratios), compare_reals);
  return ratios[(s->count - 1) / 2];
}

//===----------------------------------------------------------------------===//
// As JSON
//===----------------------------------------------------------------------===//

static json_t *share_json(size_t part, size_t all) {
  return all ? json_real(100 * (double)part / (double)all) : json_null();
}

static json_t *ratio_json(double value) {
  return isfinite(value) ? json_real(round(value * 100) / 100) : json_null();
}

static json_t *outputs_json(const summary *s, size_t c) {
  const eval_header *header = &s->records->header;
  json_t *list = json_array();
  for (size_t o = 0; o < header->num_outputs; ++o) {
    const double *errors = s->columns[c].errors + 2 * o;
    json_t *name = json_array_get(json_object_get(header->json, "outputs"), o);
    json_t *json = json_pack("{sO}", "name", name);
    json_array_append_new(list, json);
    if (eval_has_indices(header, o)) {
      json_object_set_new(json, "agreement", json_real(equal_percent(errors)));
      continue;
    }
    json_object_set_new(json, "sqnr_db",
                        ratio_json(decibel(errors[0], errors[1])));
    json_object_set_new(json, "median_sqnr_db", ratio_json(median(s, c, o)));
    const worst_sample *worst = &s->columns[c].worst[o];
    if (!worst->name)
      continue;
    json_object_set_new(json, "worst_sqnr_db", ratio_json(worst->ratio));
    json_object_set_new(json, "worst_sample", xc_json_text(worst->name));
  }
  return list;
}

static bool has_scores(const eval_header *header) {
  return json_object_get(header->json, "scores");
}

static json_t *column_json(const summary *s, size_t c) {
  const eval_header *header = &s->records->header;
  const sums *column = &s->columns[c];
  json_t *json = json_pack("{ss}", "name", column_name(header, c));
  if (s->labelled) {
    json_object_set_new(json, "top1", share_json(column->right, s->labelled));
    json_object_set_new(json, "top5", share_json(column->near, s->labelled));
  }
  if (c > 0 && has_scores(header))
    json_object_set_new(json, "agreement",
                        share_json(column->agreed, s->count));
  if (has_bits(s, c))
    json_object_set_new(json, "same_bits", share_json(column->same, s->count));
  if (c > 0)
    json_object_set_new(json, "outputs", outputs_json(s, c));
  return json;
}

static bool write_report(XcDiag *diag, const char *path, const summary *s) {
  const eval_header *header = &s->records->header;
  json_t *report = json_object(), *columns = json_array();
  json_object_set_new(report, "version", json_integer(1));
  json_object_set(report, "evaluation", header->json);
  json_object_set_new(report, "samples", json_integer((json_int_t)s->count));
  json_object_set_new(report, "failed", json_integer((json_int_t)s->failed));
  for (size_t c = 0; c < header->num_columns; ++c)
    json_array_append_new(columns, column_json(s, c));
  json_object_set_new(report, "columns", columns);
  char *text = json_dumps(report, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
  xc_text file = {0};
  xc_text_printf(&file, "%s\n", text);
  bool ok = xc_write_file(diag, path, file.data, file.length);
  xc_text_free(&file);
  free(text);
  json_decref(report);
  return ok;
}

//===----------------------------------------------------------------------===//
// As a table
//===----------------------------------------------------------------------===//

static void print_share(xc_text *line, size_t part, size_t all) {
  if (all)
    xc_text_printf(line, " %8.2f %%", 100 * (double)part / (double)all);
  else
    xc_text_printf(line, " %10s", "");
}

static void print_decibel(xc_text *line, double value) {
  if (isfinite(value))
    xc_text_printf(line, " %9.1f", value);
  else
    xc_text_printf(line, " %9s", "exact");
}

/// Without the blanks at its end.
static void print_line(xc_text *line) {
  while (line->length && line->data[line->length - 1] == ' ')
    --line->length;
  printf("%.*s\n", (int)line->length, line->data);
  xc_text_free(line);
}

/// Returns the output whose ratio stands in the table: that with the scores, or
/// the worst.
static double shown_ratio(const summary *s, size_t c) {
  const eval_header *header = &s->records->header;
  const json_t *scores = json_object_get(header->json, "scores");
  double worst = (double)INFINITY;
  for (size_t o = 0; o < header->num_outputs; ++o) {
    const double *errors = s->columns[c].errors + 2 * o;
    double own = decibel(errors[0], errors[1]);
    if (eval_has_indices(header, o))
      continue;
    if (scores && json_integer_value(scores) == (json_int_t)o)
      return own;
    worst = own < worst ? own : worst;
  }
  return worst;
}

/// Whether any output has a ratio of signal and noise.
static bool has_ratios(const eval_header *header) {
  for (size_t o = 0; o < header->num_outputs; ++o)
    if (!eval_has_indices(header, o))
      return true;
  return false;
}

static void print_column(const summary *s, size_t c) {
  const eval_header *header = &s->records->header;
  const sums *column = &s->columns[c];
  xc_text line = {0};
  xc_text_printf(&line, "%-10s", column_name(header, c));
  if (s->labelled) {
    print_share(&line, column->right, s->labelled);
    print_share(&line, column->near, s->labelled);
  }
  if (has_scores(header))
    print_share(&line, column->agreed, c > 0 ? s->count : 0);
  if (c > 0 && has_ratios(header))
    print_decibel(&line, shown_ratio(s, c));
  else if (has_ratios(header))
    xc_text_printf(&line, " %9s", "");
  if (has_bits(s, c))
    print_share(&line, column->same, s->count);
  print_line(&line);
}

static void print_output(const summary *s, size_t output, int width) {
  const eval_header *header = &s->records->header;
  const char *name = json_string_value(
      json_array_get(json_object_get(header->json, "outputs"), output));
  xc_text line = {0}, text = {0};
  xc_text_printable(&text, name, strlen(name), false);
  xc_text_printf(&line, "%-*s", width, xc_text_str(&text));
  for (size_t c = 1; c < header->num_columns; ++c) {
    const double *errors = s->columns[c].errors + 2 * output;
    if (eval_has_indices(header, output))
      xc_text_printf(&line, " %8.2f %%", equal_percent(errors));
    else if (errors[1] == 0)
      xc_text_printf(&line, " %10s", "exact");
    else
      xc_text_printf(&line, " %7.1f dB", decibel(errors[0], errors[1]));
  }
  print_line(&line);
  xc_text_free(&text);
}

/// Each beside that of the first column: ratios, or the share of indices that
/// are equal.
static void print_outputs(const summary *s) {
  enum { WIDEST = 60 };
  const eval_header *header = &s->records->header;
  const json_t *names = json_object_get(header->json, "outputs");
  size_t width = strlen("output");
  for (size_t o = 0; o < header->num_outputs; ++o) {
    size_t length = strlen(json_string_value(json_array_get(names, o)));
    width = length > width ? length : width;
  }
  width = width < WIDEST ? width : WIDEST;
  xc_text line = {0};
  xc_text_printf(&line, "\n%-*s", (int)width, "output");
  for (size_t c = 1; c < header->num_columns; ++c)
    xc_text_printf(&line, " %10s", column_name(header, c));
  print_line(&line);
  for (size_t o = 0; o < header->num_outputs; ++o)
    print_output(s, o, (int)width);
}

/// Whether the ratio over all samples tells little of most of them, or of some.
static bool is_uneven(double all, double middle, double worst) {
  const double much_db = 3, most_db = 10;
  return isfinite(worst) &&
         (fabs(middle - all) >= much_db || middle - worst >= most_db);
}

/// The ratio over all samples is that of the large numbers in few of them.
static void print_uneven(const summary *s) {
  enum { LEAST = 4 }; // samples that have a middle
  const eval_header *header = &s->records->header;
  size_t c = header->num_columns - 1; // as it will run
  for (size_t o = 0; s->count >= LEAST && o < header->num_outputs; ++o) {
    const double *errors = s->columns[c].errors + 2 * o;
    const worst_sample *worst = &s->columns[c].worst[o];
    double all = decibel(errors[0], errors[1]), middle = median(s, c, o);
    if (eval_has_indices(header, o) || !is_uneven(all, middle, worst->ratio))
      continue;
    const char *name = json_string_value(
        json_array_get(json_object_get(header->json, "outputs"), o));
    xc_text line = {0};
    xc_text_printf(&line, "samples differ in '");
    xc_text_printable(&line, name, strlen(name), false);
    xc_text_printf(&line, "' of %s: %.1f dB over all, ", column_name(header, c),
                   all);
    if (isfinite(middle))
      xc_text_printf(&line, "%.1f in the middle, ", middle);
    else
      xc_text_puts(&line, "exact in the middle, ");
    xc_text_printf(&line, "%.1f at worst, '", worst->ratio);
    xc_text_printable(&line, worst->name, strlen(worst->name), false);
    xc_text_puts(&line, "'");
    print_line(&line);
  }
}

static void print_table(const summary *s) {
  const eval_header *header = &s->records->header;
  xc_print(stdout, "%zu of %zu samples of '%s'\n", s->count,
           header->num_samples,
           json_string_value(json_object_get(header->json, "dataset")));
  if (s->count == 0 || (header->num_columns == 1 && !s->labelled))
    return; // nothing to compare
  xc_text line = {0};
  xc_text_printf(&line, "%-10s", "");
  if (s->labelled)
    xc_text_printf(&line, " %10s %10s", "top-1", "top-5");
  if (has_scores(header))
    xc_text_printf(&line, " %10s", "same class");
  if (has_ratios(header))
    xc_text_printf(&line, " %9s", "SQNR dB");
  if (s->fixed != SIZE_MAX)
    xc_text_printf(&line, " %10s", "same bits");
  print_line(&line);
  for (size_t c = 0; c < header->num_columns; ++c)
    print_column(s, c);
  bool is_one = header->num_outputs == 1 && has_ratios(header);
  if (header->num_columns > 1 && !is_one)
    print_outputs(s);
  if (header->num_columns > 1)
    print_uneven(s);
}

bool eval_summarize(XcDiag *diag, const eval_arguments *a,
                    const eval_records *records) {
  summary s = {.records = records};
  add_up(&s);
  // Without a sample, numbers would look as if all were well.
  bool nothing = s.failed > 0 && s.count == 0;
  if (!a->quiet && !nothing)
    print_table(&s);
  bool ok = !a->report || nothing || write_report(diag, a->report, &s);
  for (size_t c = 0; c < records->header.num_columns; ++c) {
    free(s.columns[c].errors);
    free(s.columns[c].ratios);
    free(s.columns[c].worst);
  }
  if (nothing)
    ok = xc_file_error(diag, NULL, "none of the samples could be read");
  else if (s.failed)
    ok = xc_file_error(diag, NULL, "%zu sample%s could not be read", s.failed,
                       s.failed == 1 ? "" : "s");
  return ok;
}
