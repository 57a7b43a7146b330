//===- OpMoves.c - operators before or behind others ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A move is priced within a window: the operators that change places and a few
// around them. One quick schedule is made of the window. Results of the window
// that later operators read go to DDR.
//
//===----------------------------------------------------------------------===//

#include "OpMoves.h"

#include "Target/DPU/CodeGen/Plan/Unit.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_WINDOW = 24, // operators
  /// The search ends after so many moves in a row without a gain. Of hundreds
  /// of branches that are all alike, none is worth moving.
  MAX_IN_VAIN = 128,
};

typedef struct move_search {
  const xc_op_graph *graph;
  xc_search *search;
  const xc_move_price *price;
  size_t *order;
  size_t *position; // of each node in it
  int64_t gain;     // of all moves, by their windows
  int num_in_vain;  // moves since the last one that was faster
} move_search;

static void note_positions(move_search *s, size_t first, size_t last) {
  for (size_t i = first; i <= last; ++i)
    s->position[s->order[i]] = i;
}

/// Returns the last operator of the chain that `at` is in, and the first one.
static size_t chain_end(const move_search *s, size_t at) {
  while (at + 1 < s->graph->count &&
         xc_ops_are_chained(s->graph, s->order[at], s->order[at + 1]))
    ++at;
  return at;
}

static size_t chain_begin(const move_search *s, size_t at) {
  while (at > 0 && xc_ops_are_chained(s->graph, s->order[at - 1], s->order[at]))
    --at;
  return at;
}

/// Whether any of the operators from `first` to `last` depends on one from
/// `before` up to, but not including, `first`.
static bool depends_on(const move_search *s, size_t first, size_t last,
                       size_t before) {
  for (size_t i = first; i <= last; ++i) {
    const xc_op_node *node = &s->graph->nodes[s->order[i]];
    for (size_t k = 0; k < node->num_predecessors; ++k) {
      size_t at = s->position[node->predecessors[k]];
      if (at >= before && at < first)
        return true;
    }
  }
  return false;
}

/// Whether an operator after the window reads the buffer.
static bool is_read_after(const move_search *s, uint32_t buffer, size_t last) {
  const xc_tensor_buffer *of = &s->graph->buffers.items[buffer];
  for (size_t k = 0; k < of->num_uses; ++k)
    if (!xc_use_is_write(&of->uses[k]) &&
        s->position[s->graph->node_of[of->uses[k].unit]] > last)
      return true;
  return false;
}

/// Returns the price of `count` operators, after which the network continues
/// behind position `last`.
static int64_t price_window(const move_search *s, const size_t *operators,
                            size_t count, size_t last) {
  const xc_schedule *layers = s->graph->layers;
  xc_schedule window = {.target = layers->target, .way = s->price->way};
  for (size_t i = 0; i < count; ++i) {
    const xc_op_node *node = &s->graph->nodes[operators[i]];
    xc_append_units(&window.units, &layers->units.items[node->first_unit],
                    node->num_units);
  }
  for (size_t u = 0; u < window.units.count; ++u) {
    xc_unit *unit = &window.units.items[u];
    unit->is_read_elsewhere = is_read_after(s, unit->layer.output.buffer, last);
  }
  xc_find_whole_inputs(&window.units);
  int64_t cycles = s->price->cycles_of(&window, s->search);
  xc_schedule_free(&window);
  return cycles;
}

/// Exchanges the operators first..middle-1 with middle..last if that is faster.
static bool exchange_if_faster(move_search *s, size_t first, size_t middle,
                               size_t last) {
  size_t begin = first > s->price->context ? first - s->price->context : 0;
  size_t end = last + s->price->context + 1;
  if (end > s->graph->count)
    end = s->graph->count;
  if (end - begin > MAX_WINDOW)
    return false;
  size_t other[MAX_WINDOW], size = sizeof *other;
  memcpy(other, s->order + begin, (end - begin) * size);
  memcpy(other + (first - begin), s->order + middle,
         (last + 1 - middle) * size);
  memcpy(other + (first - begin) + (last + 1 - middle), s->order + first,
         (middle - first) * size);
  int64_t before = price_window(s, s->order + begin, end - begin, end - 1);
  int64_t after = price_window(s, other, end - begin, end - 1);
  ++s->num_in_vain;
  if (after >= before)
    return false;
  s->num_in_vain = 0;
  s->gain += before - after;
  memcpy(s->order + begin, other, (end - begin) * size);
  note_positions(s, begin, end - 1);
  return true;
}

/// Moves the chain that begins at `first` behind others.
static void move_later(move_search *s, size_t first) {
  size_t end = chain_end(s, first), last = end;
  while (last + 1 < s->graph->count && s->num_in_vain < MAX_IN_VAIN) {
    size_t next = chain_end(s, last + 1);
    if (next - first >= MAX_WINDOW || depends_on(s, last + 1, next, first))
      return;
    last = next;
    if (exchange_if_faster(s, first, end + 1, last)) {
      first = last - (end - first);
      end = last;
    }
  }
}

/// Moves the chain that begins at `first` before others.
static void move_earlier(move_search *s, size_t first) {
  size_t end = chain_end(s, first), to = first;
  while (to > 0 && s->num_in_vain < MAX_IN_VAIN) {
    size_t next = chain_begin(s, to - 1);
    if (end - next >= MAX_WINDOW || depends_on(s, first, end, next))
      return;
    to = next;
    if (exchange_if_faster(s, to, first, end)) {
      end = to + (end - first);
      first = to;
    }
  }
}

int64_t xc_move_operators(const xc_op_graph *graph, xc_search *search,
                          const xc_move_price *price, size_t *order) {
  move_search s = {.graph = graph,
                   .search = search,
                   .price = price,
                   .order = order,
                   .position = xc_alloc_array(graph->count, sizeof *order)};
  note_positions(&s, 0, graph->count - 1);
  for (size_t at = 0; at < graph->count; at = chain_end(&s, at) + 1) {
    move_later(&s, at);
    move_earlier(&s, at);
  }
  free(s.position);
  return s.gain;
}
