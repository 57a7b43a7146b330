//===- Diff.c - two reports side by side ----------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "Support/Diag.h"
#include "Support/Json.h"
#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LAYERS = 20 };

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static json_t *read_report(XcDiag *diag, const char *path) {
  xc_buffer file;
  if (!xc_read_file(diag, path, &file))
    return NULL;
  json_error_t error;
  json_t *report = json_loadb((const char *)file.data, file.size, 0, &error);
  xc_buffer_free(&file);
  if (!report) {
    XcPlace place = {path, (unsigned)error.line, (unsigned)error.column + 1};
    xc_place_error(diag, place, "%s", error.text);
  } else if (!json_is_object(json_object_get(report, "totals")) ||
             !json_is_array(json_object_get(report, "subgraphs"))) {
    xc_file_error(diag, path, "expected a report of xcc");
    json_decref(report);
    report = NULL;
  }
  return report;
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

typedef struct comparison {
  const json_t *before, *after;
  double tolerance; // percent
  bool is_worse;
  xc_text text;
} comparison;

/// Negative infinity and the like do not come up: nothing grows by nothing.
static double growth(double before, double after) {
  if (before == after)
    return 0;
  return before == 0 ? INFINITY : 100 * (after - before) / before;
}

static void print_row(comparison *c, const char *name, double before,
                      double after, bool more_is_worse) {
  double grown = growth(before, after);
  bool worse = more_is_worse && grown > c->tolerance;
  c->is_worse |= worse;
  xc_text_printf(&c->text, "%-24s %14.0f %14.0f ", name, before, after);
  if (isinf(grown))
    xc_text_printf(&c->text, "%9s", "new");
  else
    xc_text_printf(&c->text, "%+8.2f%%", grown);
  xc_text_printf(&c->text, "%s\n", worse ? "  worse" : "");
}

static double cpu_macs(const json_t *report) {
  const json_t *placement = json_object_get(report, "placement");
  const json_t *summary = json_object_get(placement, "summary");
  return xc_json_number(json_object_get(summary, "CPU"), "macs");
}

static void compare_totals(comparison *c) {
  static const struct {
    const char *key, *name;
    bool more_is_worse;
  } rows[] = {{"cycles", "cycles", true},
              {"instructions", "instructions", false},
              {"load_bytes", "bytes loaded", false},
              {"save_bytes", "bytes saved", false},
              {"ddr_memory", "DDR memory", true},
              {"macs", "MACs on the DPU", false}};
  const json_t *before = json_object_get(c->before, "totals");
  const json_t *after = json_object_get(c->after, "totals");
  xc_text_printf(&c->text, "%-24s %14s %14s %9s\n", "total", "before", "after",
                 "change");
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    print_row(c, rows[i].name, xc_json_number(before, rows[i].key),
              xc_json_number(after, rows[i].key), rows[i].more_is_worse);
  print_row(c, "MACs on the CPU", cpu_macs(c->before), cpu_macs(c->after),
            true);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// A layer of one report. Layers of one name are told apart by their order.
typedef struct layer_row {
  const char *subgraph, *name, *label;
  size_t occurrence, order;
  double cycles;
} layer_row;

typedef struct layer_list {
  layer_row *items;
  size_t count, capacity;
} layer_list;

static int compare_names(const layer_row *x, const layer_row *y) {
  int order = strcmp(x->subgraph, y->subgraph);
  return order ? order : strcmp(x->name, y->name);
}

static int compare_rows(const void *a, const void *b) {
  const layer_row *x = a, *y = b;
  int order = compare_names(x, y);
  return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

/// Reports of an earlier version have none.
static const char *label_of(const json_t *row) {
  const char *label = xc_json_string(row, "label");
  return *label ? label : xc_json_string(row, "name");
}

static layer_list list_layers(const json_t *report) {
  layer_list list = {0};
  const json_t *subgraphs = json_object_get(report, "subgraphs");
  for (size_t i = 0; i < json_array_size(subgraphs); ++i) {
    const json_t *subgraph = json_array_get(subgraphs, i);
    const json_t *layers = json_object_get(subgraph, "layers");
    for (size_t l = 0; l < json_array_size(layers); ++l) {
      const json_t *row = json_array_get(layers, l);
      xc_grow((void **)&list.items, &list.capacity, list.count + 1,
              sizeof(layer_row));
      list.items[list.count] =
          (layer_row){.subgraph = xc_json_string(subgraph, "name"),
                      .name = xc_json_string(row, "name"),
                      .label = label_of(row),
                      .order = list.count,
                      .cycles = xc_json_number(row, "cycles")};
      ++list.count;
    }
  }
  if (list.count > 0)
    qsort(list.items, list.count, sizeof(layer_row), compare_rows);
  for (size_t i = 1; i < list.count; ++i)
    if (compare_names(&list.items[i - 1], &list.items[i]) == 0)
      list.items[i].occurrence = list.items[i - 1].occurrence + 1;
  return list;
}

typedef struct change {
  const char *name;
  double before, after;
  size_t order;
} change;

static int compare_changes(const void *a, const void *b) {
  const change *x = a, *y = b;
  double dx = fabs(x->after - x->before), dy = fabs(y->after - y->before);
  if (dx != dy)
    return dx > dy ? -1 : 1;
  return x->order < y->order ? -1 : 1;
}

/// Both lists are sorted: a merge.
static size_t merge_layers(const layer_list *before, const layer_list *after,
                           change *changes) {
  size_t b = 0, a = 0, count = 0;
  while (b < before->count || a < after->count) {
    const layer_row *x = b < before->count ? &before->items[b] : NULL;
    const layer_row *y = a < after->count ? &after->items[a] : NULL;
    int order = !x ? 1 : !y ? -1 : compare_names(x, y);
    if (order == 0 && x->occurrence != y->occurrence)
      order = x->occurrence < y->occurrence ? -1 : 1;
    changes[count] = (change){.name = order <= 0 ? x->label : y->label,
                              .before = order <= 0 ? x->cycles : 0,
                              .after = order >= 0 ? y->cycles : 0,
                              .order = count};
    b += order <= 0;
    a += order >= 0;
    count += changes[count].before != changes[count].after;
  }
  return count;
}

static void compare_layers(comparison *c) {
  layer_list before = list_layers(c->before), after = list_layers(c->after);
  change *changes =
      xc_alloc_array(before.count + after.count + 1, sizeof *changes);
  size_t count = merge_layers(&before, &after, changes);
  if (count > 0)
    qsort(changes, count, sizeof *changes, compare_changes);
  xc_text_printf(&c->text, "\n%zu layer%s another time\n", count,
                 count == 1 ? " takes" : "s take");
  for (size_t i = 0; i < count && i < MAX_LAYERS; ++i)
    print_row(c, changes[i].name, changes[i].before, changes[i].after, false);
  free(before.items);
  free(after.items);
  free(changes);
}

/// Checks that two reports are of the same model and target, unless the user
/// knows better.
static bool check_same(XcDiag *diag, const char *path, const json_t *before,
                       const json_t *after) {
  static const char *const keys[] = {"model", "target"};
  for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); ++i)
    if (strcmp(xc_json_string(before, keys[i]),
               xc_json_string(after, keys[i])) != 0)
      return xc_file_error(diag, path,
                           "the %s is '%s', that of the first report '%s'; "
                           "--force compares them all the same",
                           keys[i], xc_json_string(after, keys[i]),
                           xc_json_string(before, keys[i]));
  return true;
}

bool xcReportCompare(XcDiag *diag, const char *before, const char *after,
                     const XcReportCompareOptions *options,
                     XcReportDifference *difference) {
  json_t *first = read_report(diag, before);
  json_t *second = first ? read_report(diag, after) : NULL;
  bool ok =
      second && (options->force || check_same(diag, after, first, second));
  if (ok) {
    comparison c = {
        .before = first, .after = second, .tolerance = options->tolerance};
    compare_totals(&c);
    compare_layers(&c);
    *difference = (XcReportDifference){c.is_worse, c.text.data};
  }
  json_decref(first);
  json_decref(second);
  return ok;
}
