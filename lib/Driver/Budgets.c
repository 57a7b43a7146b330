//===- Budgets.c - limits on what a compilation may cost ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Budgets.h"
#include "Loss.h"
#include "Report/Report.h"

#include "Support/Diag.h"
#include "Support/Json.h"
#include "Support/Memory.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_NAMED = 5 };

/// The cost of a layer or tensor.
typedef struct cost {
  const char *name;
  double amount;
  size_t order;
} cost;

typedef struct cost_list {
  cost *items;
  size_t count, capacity;
} cost_list;

static void add_cost(cost_list *list, const char *name, double amount) {
  xc_grow((void **)&list->items, &list->capacity, list->count + 1,
          sizeof(cost));
  list->items[list->count] = (cost){name, amount, list->count};
  ++list->count;
}

static int compare_costs(const void *a, const void *b) {
  const cost *x = a, *y = b;
  if (x->amount != y->amount)
    return x->amount > y->amount ? -1 : 1;
  return x->order < y->order ? -1 : 1;
}

/// Names the largest; frees the list.
static bool fail(const xc_compilation *c, cost_list *list, const char *what,
                 const char *option, double found, int64_t limit) {
  xc_text most = {0};
  if (list->count > 0)
    qsort(list->items, list->count, sizeof(cost), compare_costs);
  for (size_t i = 0; i < list->count && i < MAX_NAMED; ++i)
    xc_text_printf(&most, "%s %s (%.0f)", i ? "," : "", list->items[i].name,
                   list->items[i].amount);
  xc_file_error(c->diag, c->options->model,
                "the model takes %.0f %s, --%s allows %" PRId64
                "; most of them:%s",
                found, what, option, limit, xc_text_str(&most));
  xc_text_free(&most);
  free(list->items);
  return false;
}

/// Of all layers: a number of their rows.
static void list_layers(const json_t *report, const char *key,
                        cost_list *list) {
  const json_t *subgraphs = json_object_get(report, "subgraphs");
  for (size_t i = 0; i < json_array_size(subgraphs); ++i) {
    const json_t *layers =
        json_object_get(json_array_get(subgraphs, i), "layers");
    for (size_t l = 0; l < json_array_size(layers); ++l) {
      const json_t *row = json_array_get(layers, l);
      add_cost(list, json_string_value(json_object_get(row, "label")),
               xc_json_number(row, key));
    }
  }
}

/// Lists the memory in DDR, and the tensors of the largest moment of the
/// workspace.
static void list_memory(const json_t *report, cost_list *list) {
  static const char *const parts[] = {"parameters", "inputs", "outputs",
                                      "code"};
  const json_t *subgraphs = json_object_get(report, "subgraphs");
  for (size_t i = 0; i < json_array_size(subgraphs); ++i) {
    const json_t *memory =
        json_object_get(json_array_get(subgraphs, i), "memory");
    for (size_t p = 0; p < sizeof(parts) / sizeof(*parts); ++p)
      add_cost(list, parts[p],
               xc_json_number(json_object_get(memory, "ddr"), parts[p]));
    const json_t *alive =
        json_object_get(json_object_get(memory, "workspace"), "at_peak");
    for (size_t a = 0; a < json_array_size(alive); ++a) {
      const json_t *row = json_array_get(alive, a);
      const char *name = json_string_value(json_object_get(row, "name"));
      add_cost(list, xc_driver_short_name(report, name),
               xc_json_number(row, "bytes"));
    }
  }
}

bool xc_driver_check_budgets(const xc_compilation *c, const json_t *report) {
  const XcCompileOptions *o = c->options;
  const json_t *totals = json_object_get(report, "totals");
  double cycles = xc_json_number(totals, "cycles");
  double instructions = xc_json_number(totals, "instructions");
  double memory = xc_json_number(totals, "ddr_memory");
  cost_list list = {0};
  if (o->maxCycles && cycles > (double)o->maxCycles) {
    list_layers(report, "cycles", &list);
    return fail(c, &list, "cycles", "max-cycles", cycles, o->maxCycles);
  }
  if (o->maxInstructions && instructions > (double)o->maxInstructions) {
    list_layers(report, "instructions", &list);
    return fail(c, &list, "instructions", "max-instructions", instructions,
                o->maxInstructions);
  }
  if (o->maxDdrBytes && memory > (double)o->maxDdrBytes) {
    list_memory(report, &list);
    return fail(c, &list, "bytes of DDR", "max-ddr", memory, o->maxDdrBytes);
  }
  return xc_driver_check_loss(c, report);
}
