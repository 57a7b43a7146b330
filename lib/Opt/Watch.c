//===- Watch.c - what happens between the passes of xc-opt ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Watch.h"

#include "Dump.h"
#include "Support/Diag.h"
#include "dialects/Verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct xc_watch_row {
  const xc_pipeline_element *element;
  unsigned depth;
  uint64_t nanoseconds;
  uint64_t runs;
  int64_t statistics[XC_PASS_MAX_STATISTICS];
};

// A pass that is running on this thread: passes do not nest.
typedef struct running {
  uint64_t started;
  xc_fingerprint before;
} running;
static _Thread_local running current;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static void add_rows(xc_watch *watch, const xc_pipeline_element *element,
                     unsigned depth) {
  for (; element; element = element->next) {
    void *rows = watch->rows;
    xc_grow(&rows, &watch->capacity, watch->num_rows + 1, sizeof(*watch->rows));
    watch->rows = rows;
    watch->rows[watch->num_rows++] =
        (xc_watch_row){.element = element, .depth = depth};
    if (element->nested)
      add_rows(watch, element->children, depth + 1);
  }
}

static xc_watch_row *row_of(xc_watch *watch,
                            const xc_pipeline_element *element) {
  for (size_t i = 0; i < watch->num_rows; ++i)
    if (watch->rows[i].element == element)
      return &watch->rows[i];
  return NULL;
}

void xc_watch_begin(xc_watch *watch, const xc_opt_options *options,
                    const xc_pipeline *pipeline, MlirOpPrintingFlags flags) {
  *watch = (xc_watch){.options = options, .flags = flags};
  mtx_init(&watch->lock, mtx_plain);
  add_rows(watch, pipeline->root->children, 0);
  watch->started = now();
}

void xc_watch_end(xc_watch *watch) {
  free(watch->rows);
  xc_arena_free(&watch->arena);
  mtx_destroy(&watch->lock);
}

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

static bool selects(const xc_dump_filter *filter, const char *pass) {
  if (filter->all)
    return true;
  size_t length = strlen(pass);
  for (size_t i = 0; i < filter->passes.count; ++i) {
    const char *list = filter->passes.items[i];
    for (const char *at = list; at; at = strchr(at, ',')) {
      at += *at == ',';
      if (strncmp(at, pass, length) == 0 &&
          (at[length] == '\0' || at[length] == ','))
        return true;
    }
  }
  return false;
}

static bool write_local_reproducer(const xc_watch *watch,
                                   const xc_pipeline_element *element,
                                   MlirOperation operation) {
  const xc_opt_options *o = watch->options;
  if (!o->local_reproducer || !o->crash_reproducer)
    return true;
  MlirOperation top = operation;
  xc_text text = {0};
  xc_text_puts(&text, element->name);
  if (element->options)
    xc_text_printf(&text, "{%s}", element->options);
  // Wraps the pass in the operations it is nested under.
  for (;;) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(top));
    xc_text wrapped = {0};
    xc_text_printf(&wrapped, "%.*s(%s)", (int)name.length, name.data,
                   xc_text_str(&text));
    xc_text_free(&text);
    text = wrapped;
    MlirOperation parent = mlirOperationGetParentOperation(top);
    if (mlirOperationIsNull(parent))
      break;
    top = parent;
  }
  XcDiag diag = {0};
  bool ok = xc_write_reproducer(&diag, o->crash_reproducer, top,
                                xc_text_str(&text), o);
  xc_text_free(&text);
  return ok;
}

static bool before(void *user_data, const xc_pipeline_element *element,
                   MlirOperation operation) {
  xc_watch *watch = user_data;
  const xc_opt_options *o = watch->options;
  mtx_lock(&watch->lock);
  watch->last_element = element;
  watch->last_operation = operation;
  bool ok = write_local_reproducer(watch, element, operation);
  if (selects(&o->dump_before, element->name))
    xc_dump(watch, "Before", element, operation);
  mtx_unlock(&watch->lock);
  if (o->dump_after_change)
    current.before = xc_fingerprint_of(operation);
  current.started = now();
  return ok;
}

static bool after(void *user_data, const xc_pipeline_element *element,
                  MlirOperation operation) {
  xc_watch *watch = user_data;
  const xc_opt_options *o = watch->options;
  uint64_t elapsed = now() - current.started;
  bool ok = !o->verify_each || xc_verify_nested(operation);
  mtx_lock(&watch->lock);
  xc_watch_row *row = row_of(watch, element);
  row->nanoseconds += elapsed;
  ++row->runs;
  bool dump = selects(&o->dump_after, element->name) ||
              (o->dump_after_change && o->dump_after.passes.count == 0);
  if (dump && o->dump_after_change)
    dump = !xc_fingerprint_equal(current.before, xc_fingerprint_of(operation));
  if (dump)
    xc_dump(watch, "After", element, operation);
  mtx_unlock(&watch->lock);
  return ok;
}

void xc_watch_failure(xc_watch *watch) {
  if (watch->options->dump_after_failure && watch->last_element)
    xc_dump(watch, "After", watch->last_element, watch->last_operation);
}

static void gather_statistics(void *user_data, const xc_pass_run *run) {
  xc_watch *watch = user_data;
  mtx_lock(&watch->lock);
  for (size_t i = 0; i < watch->num_rows; ++i)
    if (watch->rows[i].element->pass == run->info) {
      for (size_t j = 0; j < run->info->num_statistics; ++j)
        watch->rows[i].statistics[j] += run->statistics[j];
      break;
    }
  mtx_unlock(&watch->lock);
}

xc_pipeline_hooks xc_watch_hooks(xc_watch *watch) {
  return (xc_pipeline_hooks){.before = before,
                             .after = after,
                             .statistics = gather_statistics,
                             .user_data = watch};
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static void report_timing_json(const xc_watch *watch, uint64_t total) {
  fputs("[\n", stderr);
  for (size_t i = 0; i < watch->num_rows; ++i) {
    const xc_watch_row *row = &watch->rows[i];
    if (row->element->nested)
      continue;
    fprintf(stderr,
            "{\"wall\": {\"duration\": %9.4f, \"percentage\": %5.1f}, "
            "\"runs\": %" PRIu64 ", \"name\": \"%s\"},\n",
            (double)row->nanoseconds / 1e9,
            100.0 * (double)row->nanoseconds / (double)total, row->runs,
            row->element->name);
  }
  fprintf(stderr,
          "{\"wall\": {\"duration\": %9.4f, \"percentage\": 100.0}, \"name\": "
          "\"Total\"}\n]\n",
          (double)total / 1e9);
}

static int slower_first(const void *a, const void *b) {
  const xc_watch_row *const *x = a, *const *y = b;
  if ((*x)->nanoseconds != (*y)->nanoseconds)
    return (*x)->nanoseconds > (*y)->nanoseconds ? -1 : 1;
  return *x < *y ? -1 : 1;
}

static void report_timing(const xc_watch *watch) {
  uint64_t total = now() - watch->started;
  if (watch->options->timing_as_json) {
    report_timing_json(watch, total);
    return;
  }
  fprintf(stderr,
          "===----------------------------------------------------------------"
          "---------===\n"
          "                         ... Execution time report ...\n"
          "===----------------------------------------------------------------"
          "---------===\n"
          "  Total Execution Time: %.4f seconds\n\n"
          "  ----Wall Time----  ----Name----\n",
          (double)total / 1e9);
  const xc_watch_row **order = xc_alloc_array(watch->num_rows, sizeof(*order));
  for (size_t i = 0; i < watch->num_rows; ++i)
    order[i] = &watch->rows[i];
  bool as_list = watch->options->timing_as_list;
  if (as_list)
    qsort(order, watch->num_rows, sizeof(*order), slower_first);
  for (size_t i = 0; i < watch->num_rows; ++i) {
    if (order[i]->element->nested) {
      if (!as_list)
        fprintf(stderr, "%18s  %*s'%s' Pipeline\n", "",
                (int)(2 * order[i]->depth), "", order[i]->element->name);
      continue;
    }
    fprintf(stderr, "  %8.4f (%5.1f%%)  %*s%s\n",
            (double)order[i]->nanoseconds / 1e9,
            100.0 * (double)order[i]->nanoseconds / (double)total,
            as_list ? 0 : (int)(2 * order[i]->depth), "",
            order[i]->element->name);
  }
  fprintf(stderr, "  %8.4f (100.0%%)  Total\n", (double)total / 1e9);
  free(order);
}

static void report_statistics(const xc_watch *watch) {
  fputs("===------------------------------------------------------------------"
        "-------===\n"
        "                         ... Pass statistics report ...\n"
        "===------------------------------------------------------------------"
        "-------===\n",
        stderr);
  for (size_t i = 0; i < watch->num_rows; ++i) {
    const xc_watch_row *row = &watch->rows[i];
    bool as_list = watch->options->statistics_as_list;
    int indent = as_list ? 0 : (int)(2 * row->depth);
    if (row->element->nested && !as_list)
      fprintf(stderr, "%*s'%s' Pipeline\n", indent, "", row->element->name);
    if (!row->element->pass)
      continue;
    fprintf(stderr, "%*s%s\n", indent, "", row->element->pass->name);
    for (size_t j = 0; j < row->element->pass->num_statistics; ++j)
      fprintf(stderr, "%*s(S) %6" PRId64 " %s - %s\n", indent + 2, "",
              row->statistics[j], row->element->pass->statistics[j].name,
              row->element->pass->statistics[j].help);
  }
}

void xc_watch_report(const xc_watch *watch) {
  if (watch->options->timing)
    report_timing(watch);
  if (watch->options->statistics)
    report_statistics(watch);
}
