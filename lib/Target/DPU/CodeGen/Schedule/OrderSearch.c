//===- OrderSearch.c - in which order operators run -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of two branches comes first decides what the banks have room for, and
// which layers run while the other engine is busy. Moves of operators
// (OpMoves.h) are priced roughly, so the order that they lead to and the one
// before are both scheduled as a whole. Between two places up to which both
// orders have run the same operators, a third order takes the operators of the
// faster one.
//
//===----------------------------------------------------------------------===//

#include "OrderSearch.h"

#include <stdlib.h>
#include <string.h>

enum {
  /// Windows must promise a gain of this part of all cycles. The whole schedule
  /// gains less, and takes as long to find as the first one.
  LEAST_GAIN = 128,
};

/// An order and its schedule.
typedef struct ordered {
  size_t *order;
  xc_schedule schedule;
  int64_t cycles;
} ordered;

static size_t *copy_order(const xc_op_graph *graph, const size_t *order) {
  size_t *copy = xc_alloc_array(graph->count, sizeof *copy);
  memcpy(copy, order, graph->count * sizeof *copy);
  return copy;
}

/// The means of a search for an order.
typedef struct order_tools {
  const xc_op_graph *graph;
  xc_search *search;
  xc_order_strategy strategy;
  xc_layers_price price;
} order_tools;

/// Takes the order over.
static ordered schedule_order(const order_tools *tools, size_t *order) {
  ordered result = {.order = order};
  xc_schedule layers = xc_layers_in_order(tools->graph, order);
  result.schedule = tools->strategy(&layers, tools->search, &result.cycles);
  result.schedule.numbers = layers.numbers;
  layers.numbers = NULL;
  xc_schedule_free(&layers);
  return result;
}

static void ordered_free(ordered *o) {
  free(o->order);
  xc_schedule_free(&o->schedule);
}

/// When each operator has ended. The caller frees it.
static int64_t *ends_of(const order_tools *tools, const ordered *o) {
  const xc_op_graph *graph = tools->graph;
  const xc_units *units = &o->schedule.units;
  int64_t *of_units = xc_alloc_array(units->count, sizeof *of_units);
  int64_t *ends = xc_alloc_array(graph->count, sizeof *ends);
  xc_estimate(tools->search->estimator, &o->schedule, 0, units->count - 1,
              of_units);
  for (size_t u = 0; u < units->count; ++u) {
    size_t node = xc_op_node_of(graph, &units->items[u]);
    if (of_units[u] > ends[node])
      ends[node] = of_units[u];
  }
  free(of_units);
  return ends;
}

/// A walk along an order: when the operators so far have ended, and when those
/// had up to the place before.
typedef struct order_walk {
  const size_t *order;
  int64_t *ends, *later_ends; // of each operator; of the first from each place
  int64_t begin, end;
} order_walk;

static order_walk walk_begin(const order_tools *tools, const ordered *o) {
  size_t count = tools->graph->count;
  order_walk w = {.order = o->order,
                  .ends = ends_of(tools, o),
                  .later_ends = xc_alloc_array(count + 1, sizeof(int64_t))};
  w.later_ends[count] = INT64_MAX;
  for (size_t i = count; i-- > 0;) {
    int64_t end = w.ends[w.order[i]];
    w.later_ends[i] = end < w.later_ends[i + 1] ? end : w.later_ends[i + 1];
  }
  return w;
}

static void walk_end(order_walk *w) {
  free(w->ends);
  free(w->later_ends);
}

static void walk_on(order_walk *w, size_t i) {
  int64_t end = w->ends[w->order[i]];
  w->end = end > w->end ? end : w->end;
}

/// Whether no cascade has operators on both sides of the place after `i`.
static bool is_between(const order_walk *w, size_t i) {
  return w->end < w->later_ends[i + 1];
}

/// Between places up to which both have run the same operators, those of the
/// faster one, in its order. The caller frees it.
static size_t *combine(const order_tools *tools, const ordered *a,
                       const ordered *b) {
  size_t count = tools->graph->count;
  size_t *result = copy_order(tools->graph, a->order);
  order_walk of_a = walk_begin(tools, a), of_b = walk_begin(tools, b);
  // 1: only `a` has run the operator so far, -1: only `b`.
  signed char *only = xc_alloc_array(count, sizeof *only);
  size_t begin = 0, num_only = 0;
  for (size_t i = 0; i < count; ++i) {
    num_only += only[a->order[i]]++ == 0 ? 1 : SIZE_MAX;
    num_only += only[b->order[i]]-- == 0 ? 1 : SIZE_MAX;
    walk_on(&of_a, i);
    walk_on(&of_b, i);
    if (num_only > 0 || !is_between(&of_a, i) || !is_between(&of_b, i))
      continue;
    if (of_b.end - of_b.begin < of_a.end - of_a.begin)
      memcpy(result + begin, b->order + begin,
             (i + 1 - begin) * sizeof *result);
    begin = i + 1;
    of_a.begin = of_a.end;
    of_b.begin = of_b.end;
  }
  free(only);
  walk_end(&of_a);
  walk_end(&of_b);
  return result;
}

static bool is_same_order(const xc_op_graph *graph, const size_t *a,
                          const size_t *b) {
  return memcmp(a, b, graph->count * sizeof *a) == 0;
}

/// Keeps the order before unless another one gains enough to justify reports in
/// another order than the model's. Returns whether it does.
static bool keep_faster(xc_search *search, ordered *best, ordered *other) {
  bool is_faster = xc_is_clearly_faster(other->cycles, best->cycles);
  search->num_kept += is_faster;
  ordered_free(is_faster ? best : other);
  if (is_faster)
    *best = *other;
  return is_faster;
}

/// Schedules an order with the residency and cascade limits of the best
/// schedule. With others, even operators that neither order moves would take
/// different times.
static ordered schedule_alike(const order_tools *tools, const ordered *best,
                              size_t *order) {
  xc_schedule_way way = best->schedule.way;
  tools->search->only_way = &way;
  ordered result = schedule_order(tools, order);
  tools->search->only_way = NULL;
  return result;
}

/// Moves operators, and keeps what is faster of that. Returns whether anything
/// is.
static bool try_moves(const order_tools *tools, const xc_move_price *price,
                      ordered *best) {
  const xc_op_graph *graph = tools->graph;
  size_t *order = copy_order(graph, best->order);
  int64_t gain = xc_move_operators(graph, tools->search, price, order);
  if (gain < best->cycles / LEAST_GAIN) {
    free(order);
    return false;
  }
  ordered other = schedule_alike(tools, best, order);
  size_t *both = combine(tools, best, &other);
  bool is_new = !is_same_order(graph, both, best->order) &&
                !is_same_order(graph, both, other.order);
  bool is_faster = keep_faster(tools->search, best, &other);
  if (!is_new) {
    free(both);
    return is_faster;
  }
  other = schedule_alike(tools, best, both);
  return keep_faster(tools->search, best, &other) || is_faster;
}

/// Moves operators, and if nothing is gained, moves them by the prices of
/// cascades that grow unit by unit. Windows then have fewer cascades, but also
/// fewer that end at the border of a window and not in the network.
static void try_context(const order_tools *tools, size_t context,
                        ordered *best) {
  xc_move_price price = {tools->price, best->schedule.way, context};
  if (try_moves(tools, &price, best))
    return;
  price.way.only_grows = true;
  try_moves(tools, &price, best);
}

/// Operators around those that change places, and from which effort on.
typedef struct order_context {
  XcDpuEffort effort;
  size_t operators;
} order_context;

static const order_context contexts[] = {
    {XcDpuEffortDefault, 3},
    {XcDpuEffortMore, 1},
    {XcDpuEffortMore, 2},
    {XcDpuEffortMost, 4},
};

static void try_contexts(const order_tools *tools, ordered *best) {
  for (size_t i = 0; i < sizeof contexts / sizeof *contexts; ++i)
    if (xc_search_goes_on(tools->search, contexts[i].effort))
      try_context(tools, contexts[i].operators, best);
}

/// For tests: of the operators that can run, always the last one. The caller
/// frees it.
static size_t *farthest_order(const xc_op_graph *graph) {
  size_t *order = xc_alloc_array(graph->count, sizeof *order);
  bool *is_done = xc_alloc_array(graph->count, sizeof *is_done);
  for (size_t i = 0; i < graph->count; ++i) {
    size_t next = graph->count;
    bool can_run = false;
    while (!can_run) {
      const xc_op_node *node = &graph->nodes[--next];
      can_run = !is_done[next];
      for (size_t k = 0; k < node->num_predecessors; ++k)
        can_run &= is_done[node->predecessors[k]];
    }
    is_done[next] = true;
    order[i] = next;
  }
  free(is_done);
  return order;
}

static size_t *same_order(const xc_op_graph *graph) {
  size_t *order = xc_alloc_array(graph->count, sizeof *order);
  for (size_t i = 0; i < graph->count; ++i)
    order[i] = i;
  return order;
}

xc_schedule xc_schedule_in_orders(const xc_schedule *layers, xc_search *search,
                                  xc_order_strategy strategy,
                                  xc_layers_price price) {
  xc_op_graph graph;
  bool is_forced = layers->engines == XcDpuEngineChoiceReordered;
  bool has_choice =
      is_forced || (layers->engines == XcDpuEngineChoiceFastest &&
                    layers->units.count <= XC_MAX_SEARCHED_UNITS &&
                    xc_search_goes_on(search, XcDpuEffortDefault));
  if (!has_choice || !xc_op_graph_build(&graph, layers)) {
    xc_schedule copy = xc_copy_layers(layers);
    int64_t cycles;
    xc_schedule result = strategy(&copy, search, &cycles);
    xc_schedule_free(&copy);
    return result;
  }
  order_tools tools = {&graph, search, strategy, price};
  ordered best = schedule_order(&tools, is_forced ? farthest_order(&graph)
                                                  : same_order(&graph));
  if (!is_forced)
    try_contexts(&tools, &best);
  xc_op_graph_free(&graph);
  free(best.order);
  return best.schedule;
}
