//===- Instrumentation.c - between the passes of xc-opt -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Instrumentation.h"

#include "Dump.h"
#include "Support/Diag.h"
#include "dialects/Verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct xc_instrumentation_row {
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

uint64_t xc_opt_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static void add_rows(xc_instrumentation *inst,
                     const xc_pipeline_element *element, unsigned depth) {
  for (; element; element = element->next) {
    void *rows = inst->rows;
    xc_grow(&rows, &inst->capacity, inst->num_rows + 1, sizeof(*inst->rows));
    inst->rows = rows;
    inst->rows[inst->num_rows++] =
        (xc_instrumentation_row){.element = element, .depth = depth};
    if (element->nested)
      add_rows(inst, element->children, depth + 1);
  }
}

static xc_instrumentation_row *row_of(xc_instrumentation *inst,
                                      const xc_pipeline_element *element) {
  for (size_t i = 0; i < inst->num_rows; ++i)
    if (inst->rows[i].element == element)
      return &inst->rows[i];
  return NULL;
}

void xc_instrumentation_begin(xc_instrumentation *inst,
                              const xc_opt_options *options,
                              const xc_pipeline *pipeline,
                              MlirOpPrintingFlags flags) {
  *inst = (xc_instrumentation){.options = options, .flags = flags};
  mtx_init(&inst->lock, mtx_plain);
  if (pipeline)
    add_rows(inst, pipeline->root->children, 0);
}

void xc_instrumentation_end(xc_instrumentation *inst) {
  free(inst->rows);
  xc_arena_free(&inst->arena);
  mtx_destroy(&inst->lock);
}

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

static bool selects(const xc_dump_filter *filter, const char *pass) {
  if (filter->all)
    return true;
  for (size_t i = 0; i < filter->passes.count; ++i)
    if (strcmp(filter->passes.items[i], pass) == 0)
      return true;
  return false;
}

static bool write_local_reproducer(const xc_instrumentation *inst,
                                   const xc_pipeline_element *element,
                                   MlirOperation operation) {
  const xc_opt_options *o = inst->options;
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
  xc_instrumentation *inst = user_data;
  const xc_opt_options *o = inst->options;
  mtx_lock(&inst->lock);
  inst->last_element = element;
  inst->last_operation = operation;
  bool ok = write_local_reproducer(inst, element, operation);
  if (selects(&o->dump_before, element->name))
    xc_dump(inst, "Before", element, operation);
  mtx_unlock(&inst->lock);
  if (o->dump_after_change)
    current.before = xc_fingerprint_of(operation);
  current.started = xc_opt_now();
  return ok;
}

static bool after(void *user_data, const xc_pipeline_element *element,
                  MlirOperation operation) {
  xc_instrumentation *inst = user_data;
  const xc_opt_options *o = inst->options;
  uint64_t elapsed = xc_opt_now() - current.started;
  bool ok = !o->verify_each || xc_verify_nested(operation);
  mtx_lock(&inst->lock);
  xc_instrumentation_row *row = row_of(inst, element);
  row->nanoseconds += elapsed;
  ++row->runs;
  bool dump = selects(&o->dump_after, element->name) ||
              (o->dump_after_change && o->dump_after.passes.count == 0);
  if (dump && o->dump_after_change)
    dump = !xc_fingerprint_equal(current.before, xc_fingerprint_of(operation));
  if (dump)
    xc_dump(inst, "After", element, operation);
  mtx_unlock(&inst->lock);
  return ok;
}

void xc_instrumentation_failure(xc_instrumentation *inst) {
  if (inst->options->dump_after_failure && inst->last_element)
    xc_dump(inst, "After", inst->last_element, inst->last_operation);
}

static void gather_statistics(void *user_data, const xc_pass_run *run) {
  xc_instrumentation *inst = user_data;
  mtx_lock(&inst->lock);
  for (size_t i = 0; i < inst->num_rows; ++i)
    if (inst->rows[i].element->pass == run->info) {
      for (size_t j = 0; j < run->info->num_statistics; ++j)
        inst->rows[i].statistics[j] += run->statistics[j];
      break;
    }
  mtx_unlock(&inst->lock);
}

xc_pipeline_hooks xc_instrumentation_hooks(xc_instrumentation *inst) {
  return (xc_pipeline_hooks){.before = before,
                             .after = after,
                             .statistics = gather_statistics,
                             .user_data = inst};
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// A line of the timing report.
typedef struct timing_row {
  const char *name;
  unsigned depth;
  bool nested; // a pipeline, without a time of its own
  uint64_t nanoseconds, runs;
} timing_row;

// Parser, passes, Output, and Rest, which nothing else accounts for.
static size_t collect_timing(const xc_instrumentation *inst, uint64_t total,
                             timing_row *rows) {
  size_t count = 0;
  rows[count++] = (timing_row){"Parser", 0, false, inst->parser, 1};
  for (size_t i = 0; i < inst->num_rows; ++i) {
    const xc_instrumentation_row *row = &inst->rows[i];
    rows[count++] =
        (timing_row){row->element->name, row->depth, row->element->nested,
                     row->nanoseconds, row->runs};
  }
  rows[count++] = (timing_row){"Output", 0, false, inst->output, 1};
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += rows[i].nested ? 0 : rows[i].nanoseconds;
  // Passes on functions may run at the same time.
  rows[count++] =
      (timing_row){"Rest", 0, false, total > sum ? total - sum : 0, 1};
  return count;
}

static double percent(uint64_t part, uint64_t total) {
  return total ? 100.0 * (double)part / (double)total : 0;
}

static void print_timing_json(const timing_row *rows, size_t count,
                              uint64_t total) {
  fputs("[\n", stderr);
  for (size_t i = 0; i < count; ++i)
    if (!rows[i].nested)
      fprintf(stderr,
              "{\"wall\": {\"duration\": %9.4f, \"percentage\": %5.1f}, "
              "\"runs\": %" PRIu64 ", \"name\": \"%s\"},\n",
              (double)rows[i].nanoseconds / 1e9,
              percent(rows[i].nanoseconds, total), rows[i].runs, rows[i].name);
  fprintf(stderr,
          "{\"wall\": {\"duration\": %9.4f, \"percentage\": 100.0}, \"name\": "
          "\"Total\"}\n]\n",
          (double)total / 1e9);
}

static int slower_first(const void *a, const void *b) {
  const timing_row *x = a, *y = b;
  if (x->nanoseconds != y->nanoseconds)
    return x->nanoseconds > y->nanoseconds ? -1 : 1;
  return strcmp(x->name, y->name);
}

static void print_timing(timing_row *rows, size_t count, uint64_t total,
                         bool as_list) {
  fprintf(stderr,
          "===----------------------------------------------------------------"
          "---------===\n"
          "                         ... Execution time report ...\n"
          "===----------------------------------------------------------------"
          "---------===\n"
          "  Total Execution Time: %.4f seconds\n\n"
          "  ----Wall Time----  ----Name----\n",
          (double)total / 1e9);
  if (as_list)
    qsort(rows, count, sizeof(*rows), slower_first);
  for (size_t i = 0; i < count; ++i) {
    int indent = as_list ? 0 : (int)(2 * rows[i].depth);
    if (!rows[i].nested)
      fprintf(stderr, "  %8.4f (%5.1f%%)  %*s%s\n",
              (double)rows[i].nanoseconds / 1e9,
              percent(rows[i].nanoseconds, total), indent, "", rows[i].name);
    else if (!as_list)
      fprintf(stderr, "%18s  %*s'%s' Pipeline\n", "", indent, "", rows[i].name);
  }
  fprintf(stderr, "  %8.4f (100.0%%)  Total\n", (double)total / 1e9);
}

static void report_timing(const xc_instrumentation *inst) {
  uint64_t total = xc_opt_now() - inst->started;
  timing_row *rows = xc_alloc_array(inst->num_rows + 3, sizeof(*rows));
  size_t count = collect_timing(inst, total, rows);
  if (inst->options->timing_as_json)
    print_timing_json(rows, count, total);
  else
    print_timing(rows, count, total, inst->options->timing_as_list);
  free(rows);
}

static void report_statistics(const xc_instrumentation *inst) {
  fputs("===------------------------------------------------------------------"
        "-------===\n"
        "                         ... Pass statistics report ...\n"
        "===------------------------------------------------------------------"
        "-------===\n",
        stderr);
  for (size_t i = 0; i < inst->num_rows; ++i) {
    const xc_instrumentation_row *row = &inst->rows[i];
    bool as_list = inst->options->statistics_as_list;
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

void xc_instrumentation_report(const xc_instrumentation *inst) {
  if (inst->options->timing)
    report_timing(inst);
  if (inst->options->statistics && inst->num_rows)
    report_statistics(inst);
}
