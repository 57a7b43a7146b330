//===- Sizes.c - bounds of shapes and of memory ---------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include <assert.h>
#include <inttypes.h>

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

bool xc_graph_axis(xc_graph *graph, int64_t axis, size_t rank, size_t *result) {
  int64_t limit = (int64_t)rank;
  if (axis < -limit || axis >= limit)
    return xc_graph_error(graph,
                          "axis %" PRId64 " is outside %" PRId64 " to %" PRId64,
                          axis, -limit, limit - 1);
  *result = (size_t)(axis < 0 ? axis + limit : axis);
  return true;
}

bool xc_graph_check_dims(xc_graph *graph, const char *name, const int64_t *dims,
                         size_t rank, xc_element element, xc_shape *shape) {
  const int64_t most = INT64_C(1) << 48;
  if (rank > XC_MAX_RANK)
    return xc_graph_error(graph,
                          "value '%s' has %zu dimensions, expected at most %d",
                          name, rank, XC_MAX_RANK);
  xc_shape checked = {.element = element, .rank = rank};
  int64_t bytes = (int64_t)xc_element_size(element);
  for (size_t i = 0; i < rank; ++i) {
    checked.dims[i] = dims[i];
    if (dims[i] < 0 || dims[i] > INT32_MAX)
      return xc_graph_error(graph,
                            "value '%s' has size %" PRId64
                            " in dimension %zu, expected 0 to %d",
                            name, dims[i], i, INT32_MAX);
    if (dims[i] > 0 && bytes > most / dims[i])
      return xc_graph_error(graph, "value '%s' has more than %" PRId64 " bytes",
                            name, most);
    bytes *= dims[i] ? dims[i] : 1;
  }
  *shape = checked;
  return true;
}

int64_t xc_graph_product(const xc_shape *shape, size_t begin, size_t end) {
  int64_t result = 1;
  for (size_t i = begin; i < end; ++i)
    result *= shape->dims[i];
  return result;
}

//===----------------------------------------------------------------------===//
// Memory for constants
//===----------------------------------------------------------------------===//

// Masks, indices and weights in another order are each as large as a weight, of
// up to eight bytes for each of one.
enum { BUDGET_BASE = 1 << 24, BUDGET_FACTOR = 16 };

void xc_graph_set_budget(xc_graph *graph, size_t file_size) {
  graph->budget = BUDGET_BASE;
  xc_graph_add_budget(graph, file_size);
}

void xc_graph_add_budget(xc_graph *graph, size_t file_size) {
  graph->budget += BUDGET_FACTOR * file_size;
}

void *xc_graph_alloc(xc_graph *graph, int64_t count, size_t size) {
  assert(count >= 0 && size <= 8 && "shapes have been checked");
  size_t bytes = (size_t)count * size;
  if (bytes > graph->budget)
    return NULL;
  graph->budget -= bytes;
  return xc_arena_alloc(&graph->arena, bytes + 1, 1);
}

void *xc_graph_table(xc_graph *graph, int64_t count, size_t size) {
  void *table = xc_graph_alloc(graph, count, size);
  if (!table)
    xc_graph_error(graph, "needs a table that is too large for this file");
  return table;
}
