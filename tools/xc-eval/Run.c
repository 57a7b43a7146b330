//===- Run.c - all samples through all columns ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Eval.h"

#include "Interpreter/Kernel.h"
#include "Samples/PixelRange.h"
#include "Support/Diag.h"
#include "Support/Json.h"
#include "Support/Memory.h"
#include "Support/Names.h"
#include "Support/Time.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Samples that fail from the beginning on, until no more are tried.
enum { HOPELESS = 100 };

typedef struct evaluation {
  XcDiag *diag;
  const eval_arguments *arguments;
  eval_columns columns;
  xc_samples *samples;
  int64_t *labels; // of all that the dataset has, or null
  eval_records records;
  FILE *results; // or null
  size_t shard, num_shards;
  /// Of what threads share.
  pthread_mutex_t lock;
  size_t next, done, to_do;
  size_t failed; // samples that could not be read
  bool stopped;  // an error that no other sample will be without
  bool hopeless; // because all of the first ones failed
  bool shows_progress;
  double begun, shown;
} evaluation;

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

/// Once a second, and cleared at the end. Under the lock.
static void show_progress(evaluation *e) {
  double time = xc_seconds();
  if (!e->shows_progress || (e->done < e->to_do && time - e->shown < 1))
    return;
  e->shown = time;
  if (e->done == e->to_do || e->done == 0) {
    fputs("\r\033[K", stderr);
  } else {
    double each = (time - e->begun) / (double)e->done;
    fprintf(stderr, "\r\033[K%zu of %zu samples, %.1f/s, %.0f s to go", e->done,
            e->to_do, 1 / each, each * (double)(e->to_do - e->done));
  }
  fflush(stderr);
}

/// Errors of threads come one at a time, and not behind a line of progress. A
/// few of those of samples are enough.
static void report_locked(void *user, XcSeverity severity, XcPlace place,
                          const char *message) {
  enum { MOST = 10 };
  evaluation *e = user;
  pthread_mutex_lock(&e->lock);
  if (e->shows_progress)
    fputs("\r\033[K", stderr);
  if (e->failed < MOST)
    xcDiagReport(e->diag, severity, place, "%s", message);
  pthread_mutex_unlock(&e->lock);
}

//===----------------------------------------------------------------------===//
// One sample
//===----------------------------------------------------------------------===//

typedef struct worker {
  evaluation *e;
  XcDiag diag;
  XcSession *sessions[EVAL_MAX_COLUMNS];
  void **inputs;
} worker;

static const XcModel *first_model(const evaluation *e) {
  return e->columns.items[0].model;
}

/// Finds the classes of the largest scores, the earlier of equal ones first.
static void find_top(const xc_tensor *scores, int64_t *top) {
  int64_t count = xc_tensor_count(scores);
  double best[EVAL_TOP] = {0};
  int found = 0;
  for (int64_t i = 0; i < count; ++i) {
    double score = xc_get_real(scores, i);
    int at = found;
    while (at > 0 && score > best[at - 1])
      --at;
    if (at == EVAL_TOP)
      continue;
    found += found < EVAL_TOP;
    for (int k = found - 1; k > at; --k) {
      best[k] = best[k - 1];
      top[k] = top[k - 1];
    }
    best[at] = score;
    top[at] = i;
  }
}

static void add_errors(const xc_tensor *exact, const xc_tensor *found,
                       double *errors) {
  int64_t count = xc_tensor_count(exact);
  for (int64_t i = 0; i < count; ++i) {
    double value = xc_get_real(exact, i);
    double other = xc_get_real(found, i);
    if (isfinite(value) && isfinite(other)) {
      errors[0] += value * value;
      errors[1] += (value - other) * (value - other);
    } else if (value != other && !(isnan(value) && isnan(other))) {
      // JSON has no infinity; sums of these stay numbers.
      errors[1] += 1e200;
    }
  }
}

static void add_unequal(const xc_tensor *exact, const xc_tensor *found,
                        double *errors) {
  int64_t count = xc_tensor_count(exact);
  errors[0] += (double)count;
  for (int64_t i = 0; i < count; ++i)
    errors[1] += xc_get_real(exact, i) != xc_get_real(found, i);
}

static xc_tensor output_of(const worker *w, size_t column, size_t output) {
  const XcModel *model = w->e->columns.items[column].model;
  return (xc_tensor){xc_tensor_shape(xcModelGetOutput(model, output)),
                     (void *)xcSessionGetOutput(w->sessions[column], output)};
}

static void fill_cell(const worker *w, size_t column, eval_cell *cell) {
  const evaluation *e = w->e;
  cell->hash = EVAL_HASH_BEGIN;
  for (size_t o = 0; o < e->records.header.num_outputs; ++o) {
    xc_tensor exact = output_of(w, 0, o), found = output_of(w, column, o);
    cell->hash =
        eval_hash(cell->hash, found.data,
                  xcModelGetOutput(e->columns.items[column].model, o)->size);
    if (eval_has_indices(&e->records.header, o))
      add_unequal(&exact, &found, cell->errors + 2 * o);
    else
      add_errors(&exact, &found, cell->errors + 2 * o);
    if (o == e->columns.scores)
      find_top(&found, cell->top);
  }
}

/// Returns false when a model does not run, which is reported.
static bool evaluate(worker *w, size_t sample, eval_record *record) {
  const evaluation *e = w->e;
  xc_text name = {0};
  xc_samples_name(e->samples, sample, &name);
  record->is_there = true;
  record->name = name.data;
  if (e->labels)
    record->label = e->labels[xc_samples_place(e->samples, sample)];
  if (!xc_samples_read(&w->diag, e->samples, sample, w->inputs)) {
    record->failed = true;
    return true;
  }
  for (size_t c = 0; c < e->columns.count; ++c) {
    if (!xcSessionRun(w->sessions[c], &w->diag))
      return false;
    fill_cell(w, c, &record->cells[c]);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static bool is_ours(const evaluation *e, size_t sample) {
  return sample % e->num_shards == e->shard &&
         !e->records.rows[sample].is_there;
}

/// Returns the next sample that is to be done, or as many as there are.
static size_t take_sample(evaluation *e) {
  pthread_mutex_lock(&e->lock);
  size_t count = e->records.header.num_samples;
  while (e->next < count && !is_ours(e, e->next))
    ++e->next;
  size_t sample = e->stopped ? count : e->next;
  if (sample < count)
    ++e->next;
  pthread_mutex_unlock(&e->lock);
  return sample;
}

static bool write_line(FILE *file, const char *line) {
  return fprintf(file, "%s\n", line) > 0 && fflush(file) == 0;
}

static void keep_record(worker *w, size_t sample, const eval_record *record) {
  evaluation *e = w->e;
  char *line = eval_record_print(&e->records.header, sample, record);
  pthread_mutex_lock(&e->lock);
  e->records.rows[sample] = *record;
  int error = 0;
  if (e->results && !e->stopped && !write_line(e->results, line)) {
    error = errno;
    e->stopped = true;
  }
  ++e->done;
  e->failed += record->failed;
  // Where each of so many fails, the options are wrong.
  e->hopeless |= e->failed == e->done && e->failed == HOPELESS;
  e->stopped |= e->hopeless;
  show_progress(e);
  pthread_mutex_unlock(&e->lock);
  free(line);
  if (error)
    xc_file_error(&w->diag, NULL, "cannot write output file '%s': %s",
                  e->arguments->results, strerror(error));
}

static bool open_sessions(worker *w) {
  const evaluation *e = w->e;
  size_t count = xcModelGetNumInputs(first_model(e));
  w->inputs = xc_alloc_array(count + 1, sizeof(*w->inputs));
  for (size_t i = 0; i < count; ++i)
    w->inputs[i] =
        xc_alloc_aligned(xcModelGetInput(first_model(e), i)->size + 1, 64);
  for (size_t c = 0; c < e->columns.count; ++c) {
    w->sessions[c] = xcSessionCreate(&w->diag, e->columns.items[c].model);
    if (!w->sessions[c])
      return false;
    for (size_t i = 0; i < count; ++i)
      xcSessionBindInput(w->sessions[c], i, w->inputs[i]);
  }
  return true;
}

static void close_sessions(worker *w) {
  for (size_t c = 0; c < w->e->columns.count; ++c)
    xcSessionDestroy(w->sessions[c]);
  for (size_t i = 0; i < xcModelGetNumInputs(first_model(w->e)); ++i)
    free(w->inputs[i]);
  free(w->inputs);
}

static void stop(evaluation *e) {
  pthread_mutex_lock(&e->lock);
  e->stopped = true;
  pthread_mutex_unlock(&e->lock);
}

static void *work(void *user) {
  worker w = {.e = user, .diag = {report_locked, user, 0}};
  size_t count = w.e->records.header.num_samples;
  bool ok = open_sessions(&w);
  while (ok) {
    size_t sample = take_sample(w.e);
    if (sample == count)
      break;
    eval_record record = eval_record_create(&w.e->records.header);
    ok = evaluate(&w, sample, &record);
    if (ok)
      keep_record(&w, sample, &record);
    else
      eval_record_free(&w.e->records.header, &record);
  }
  if (!ok)
    stop(w.e);
  close_sessions(&w);
  return NULL;
}

static bool run_threads(evaluation *e) {
  enum { MOST = 256 };
  pthread_t threads[MOST];
  size_t wanted = (size_t)e->arguments->threads, started = 0;
  if (!wanted) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    wanted = processors > 0 ? (size_t)processors : 1;
  }
  wanted = wanted < MOST ? wanted : MOST;
  wanted = wanted < e->to_do ? wanted : e->to_do;
  e->begun = xc_seconds();
  while (started + 1 < wanted &&
         pthread_create(&threads[started], NULL, work, e) == 0)
    ++started;
  if (e->to_do)
    work(e);
  for (size_t i = 0; i < started; ++i)
    pthread_join(threads[i], NULL);
  if (e->hopeless) // others may have failed meanwhile
    return xc_file_error(e->diag, NULL,
                         "none of the first %d samples could be read",
                         (int)HOPELESS);
  return !e->stopped;
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

static json_t *base_json(const char *path) {
  xc_text text = {0};
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    --length;
  size_t first = length;
  while (first > 0 && path[first - 1] != '/')
    --first;
  xc_text_append(&text, path + first, length - first);
  json_t *json = xc_json_text(xc_text_str(&text));
  xc_text_free(&text);
  return json;
}

/// Of all that decides what records say.
static json_t *fingerprint_json(const evaluation *e) {
  uint64_t hash = e->columns.fingerprint;
  xc_text name = {0};
  for (size_t i = 0; i < xc_samples_count(e->samples); ++i) {
    name.length = 0;
    xc_samples_name(e->samples, i, &name);
    hash = eval_hash(hash, name.data, name.length + 1);
    if (e->labels)
      hash = eval_hash(hash, &e->labels[xc_samples_place(e->samples, i)],
                       sizeof(*e->labels));
  }
  xc_text_free(&name);
  char text[17];
  snprintf(text, sizeof(text), "%016" PRIx64, hash);
  return json_string(text);
}

/// Returns the numbers of outputs with indices, which xcc judges in the same
/// way.
static json_t *indices_json(const XcModel *model) {
  json_t *list = json_array();
  for (size_t o = 0; o < xcModelGetNumOutputs(model); ++o) {
    XcElementType element = xcModelGetOutput(model, o)->element;
    if (element == XcElementTypeI32 || element == XcElementTypeI64)
      json_array_append_new(list, json_integer((json_int_t)o));
  }
  return list;
}

static json_t *make_header(const evaluation *e, const char *model) {
  json_t *header =
      json_pack("{si so}", "xc-eval", EVAL_FORMAT, "model", base_json(model));
  json_t *columns = json_array(), *outputs = json_array();
  const XcModel *first = first_model(e);
  if (e->arguments->exact)
    json_object_set_new(header, "float", base_json(e->arguments->exact));
  json_object_set_new(header, "fingerprint", fingerprint_json(e));
  json_object_set_new(header, "dataset", base_json(e->arguments->dataset));
  json_object_set_new(header, "samples",
                      json_integer((json_int_t)xc_samples_count(e->samples)));
  for (size_t c = 0; c < e->columns.count; ++c)
    json_array_append_new(columns, json_string(e->columns.items[c].name));
  for (size_t o = 0; o < xcModelGetNumOutputs(first); ++o)
    json_array_append_new(outputs,
                          xc_json_text(xcModelGetOutput(first, o)->name));
  json_object_set_new(header, "columns", columns);
  json_object_set_new(header, "outputs", outputs);
  json_object_set_new(header, "indices", indices_json(first));
  if (e->columns.scores != SIZE_MAX)
    json_object_set_new(header, "scores",
                        json_integer((json_int_t)e->columns.scores));
  json_object_set_new(header, "labels", json_boolean(e->labels));
  json_object_set_new(header, "preprocess",
                      xc_json_text(e->columns.preprocess));
  return header;
}

//===----------------------------------------------------------------------===//
// Results files
//===----------------------------------------------------------------------===//

/// Goes on where the file ends, without a line that was cut off.
static bool resume(evaluation *e, const char *path) {
  size_t end;
  if (!eval_records_read(e->diag, path, &e->records, &end))
    return false;
  if (truncate(path, (off_t)end) != 0 || !(e->results = fopen(path, "ab")))
    return xc_file_error(e->diag, NULL, "cannot open output file '%s': %s",
                         path, strerror(errno));
  return true;
}

static bool open_results(evaluation *e) {
  const char *path = e->arguments->results;
  if (!path)
    return true;
  struct stat status;
  bool is_there = stat(path, &status) == 0 && S_ISREG(status.st_mode);
  if (is_there && !resume(e, path))
    return false;
  if (!is_there && !(e->results = fopen(path, "wb")))
    return xc_file_error(e->diag, NULL, "cannot open output file '%s': %s",
                         path, strerror(errno));
  if (is_there && ftell(e->results) > 0)
    return true;
  char *header = json_dumps(e->records.header.json, JSON_COMPACT);
  bool ok = write_line(e->results, header) ||
            xc_file_error(e->diag, NULL, "cannot write output file '%s': %s",
                          path, strerror(errno));
  free(header);
  return ok;
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

static void warn_of_ranges(const evaluation *e) {
  for (size_t i = 0; i < xcModelGetNumInputs(first_model(e)); ++i) {
    const xc_preprocess *how;
    const xc_sample_input *input =
        xc_samples_picture_input(e->samples, i, &how);
    xc_text text = {0};
    if (input && xc_pixel_range_judge(input, how, &text))
      xcDiagReport(e->diag, XcSeverityWarning, (XcPlace){0}, "%s",
                   xc_text_str(&text));
    xc_text_free(&text);
  }
}

/// Prints the ranges of the inputs that were pictures, if one could be read.
static void print_ranges(const evaluation *e) {
  bool has_read = e->done > e->failed || e->to_do == 0;
  for (size_t i = 0; i < xcModelGetNumInputs(first_model(e)); ++i) {
    const xc_preprocess *how;
    const xc_sample_input *input =
        xc_samples_picture_input(e->samples, i, &how);
    if (!input || !has_read || e->arguments->quiet)
      continue;
    xc_text text = {0};
    xc_pixel_range_print(input, how, &text);
    xc_print(stdout, "%s\n", xc_text_str(&text));
    xc_text_free(&text);
  }
}

static bool open_samples(evaluation *e) {
  const XcModel *model = first_model(e);
  size_t count = xcModelGetNumInputs(model);
  const char *text = e->columns.preprocess;
  xc_preprocess how;
  if (!xc_preprocess_parse(e->diag, NULL, text, strlen(text), &how))
    return false;
  xc_sample_input *inputs = xc_alloc_array(count + 1, sizeof(*inputs));
  for (size_t i = 0; i < count; ++i) {
    const XcTensorInfo *info = xcModelGetInput(model, i);
    inputs[i] = (xc_sample_input){.name = info->name,
                                  .shape = xc_tensor_shape(info),
                                  .has_fix_point = info->hasFixPoint,
                                  .fix_point = info->fixPoint};
    if (how.layout == XC_LAYOUT_OPEN && info->layout != XcLayoutNone)
      how.layout =
          info->layout == XcLayoutNCHW ? XC_LAYOUT_NCHW : XC_LAYOUT_NHWC;
  }
  e->samples =
      xc_samples_open(e->diag, e->arguments->dataset, inputs, count, &how);
  free(inputs);
  if (e->samples)
    warn_of_ranges(e);
  return e->samples;
}

/// "2/8": the second of eight.
static bool parse_shard(evaluation *e) {
  const char *text = e->arguments->shard;
  e->num_shards = 1;
  if (!text)
    return true;
  char *slash, *end = NULL;
  long number = strtol(text, &slash, 10);
  long count = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
  if (number < 1 || number > count || !end || *end)
    return xc_file_error(e->diag, NULL,
                         "--shard=%s: expected I/N with I from 1 to N", text);
  e->shard = (size_t)number - 1;
  e->num_shards = (size_t)count;
  return true;
}

static bool wants_progress(evaluation *e) {
  const char *word = e->arguments->progress;
  e->shows_progress = isatty(STDERR_FILENO) != 0;
  if (!word || strcmp(word, "auto") == 0)
    return true;
  e->shows_progress = strcmp(word, "always") == 0;
  return e->shows_progress || strcmp(word, "never") == 0 ||
         xc_file_error(e->diag, NULL,
                       "--progress is '%s', expected auto, always or never",
                       word);
}

/// Classes are worth keeping in a results file; a table needs something to
/// compare with.
static bool says_something(const evaluation *e) {
  return e->columns.count > 1 || e->labels || e->arguments->results ||
         xc_file_error(e->diag, NULL,
                       "there is nothing to compare '%s' with: %s",
                       e->columns.items[0].name,
                       e->arguments->exact
                           ? "--backends leaves the model of --float out, "
                             "which 'float' in its list takes"
                           : "give --labels=FILE, --float=MODEL or several "
                             "--backends");
}

/// Classes that no score stands for count as wrong: mostly by an offset.
static void check_labels(const evaluation *e) {
  size_t count = xc_samples_count(e->samples), beyond = 0;
  if (!e->labels)
    return;
  const XcTensorInfo *scores =
      xcModelGetOutput(e->columns.items[0].model, e->columns.scores);
  int64_t classes = 1;
  for (size_t i = 0; i < scores->rank; ++i)
    classes *= scores->dims[i];
  for (size_t i = 0; i < count; ++i)
    beyond += e->labels[i] < 0 || e->labels[i] >= classes;
  if (beyond > 0)
    xcDiagReport(e->diag, XcSeverityWarning, (XcPlace){NULL, 0, 0},
                 "%zu of %zu labels are not classes from 0 to %" PRId64
                 ": --label-offset shifts them",
                 beyond, count, classes - 1);
}

static bool run(evaluation *e, const char *model) {
  if (!parse_shard(e) || !wants_progress(e) ||
      !eval_columns_load(e->diag, e->arguments, model, &e->columns) ||
      !open_samples(e) ||
      !eval_labels_read(e->diag, e->arguments, e->samples, &e->labels) ||
      !says_something(e))
    return false;
  check_labels(e);
  xc_samples_limit(e->samples, (size_t)e->arguments->samples);
  if (!eval_records_begin(e->diag, NULL, make_header(e, model), &e->records) ||
      !open_results(e))
    return false;
  for (size_t i = 0; i < e->records.header.num_samples; ++i)
    e->to_do += is_ours(e, i);
  if (!run_threads(e))
    return false;
  print_ranges(e);
  return eval_summarize(e->diag, e->arguments, &e->records);
}

bool eval_run(XcDiag *diag, const eval_arguments *arguments,
              const char *model) {
  evaluation e = {.diag = diag, .arguments = arguments};
  pthread_mutex_init(&e.lock, NULL);
  bool ok = run(&e, model);
  if (e.results)
    fclose(e.results);
  eval_records_free(&e.records);
  free(e.labels);
  xc_samples_close(e.samples);
  eval_columns_free(&e.columns);
  pthread_mutex_destroy(&e.lock);
  return ok;
}
