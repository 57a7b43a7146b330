//===- OpGraph.c - which operators depend on which ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpGraph.h"

#include "Target/DPU/CodeGen/Plan/Images.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static bool collect_nodes(xc_op_graph *graph) {
  const xc_units *units = &graph->layers->units;
  graph->nodes = xc_alloc_array(units->count, sizeof *graph->nodes);
  graph->node_of = xc_alloc_array(units->count, sizeof *graph->node_of);
  for (size_t u = 0; u < units->count; ++u) {
    size_t tag = units->items[u].layer.tag;
    xc_op_node *node = graph->count ? &graph->nodes[graph->count - 1] : NULL;
    if (node && node->tag > tag)
      return false;
    if (!node || node->tag != tag) {
      node = &graph->nodes[graph->count++];
      *node = (xc_op_node){.tag = tag, .first_unit = u};
    }
    ++node->num_units;
    graph->node_of[u] = graph->count - 1;
  }
  return true;
}

size_t xc_op_node_of(const xc_op_graph *graph, const xc_unit *unit) {
  size_t low = 0, high = graph->count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (graph->nodes[middle].tag <= unit->layer.tag)
      low = middle;
    else
      high = middle;
  }
  return low;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The memory of a buffer.
typedef struct extent {
  uint32_t reg;
  uint64_t begin, end;
} extent;

static int compare_extents(const void *a, const void *b) {
  const extent *x = a, *y = b;
  if (x->reg != y->reg)
    return x->reg < y->reg ? -1 : 1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static extent extent_of(const xc_tensor_buffer *buffer, const xc_units *units) {
  const XcDpuImage *first = xc_use_image(units, &buffer->uses[0]);
  extent result = {first->reg, first->address, 0};
  for (size_t k = 0; k < buffer->num_uses; ++k) {
    const XcDpuImage *image = xc_use_image(units, &buffer->uses[k]);
    if (image->address < result.begin)
      result.begin = image->address;
    if (xc_image_end(image) > result.end)
      result.end = xc_image_end(image);
  }
  return result;
}

/// Whether the buffer has what is in another one, at the same place.
static bool is_recomputed(const xc_tensor_buffer *buffer,
                          const xc_units *units) {
  return units->items[buffer->uses[0].unit].is_recomputed &&
         xc_use_is_write(&buffer->uses[0]);
}

/// Whether each buffer has memory of its own, so that its uses are all that
/// orders what it holds.
static bool buffers_are_apart(const xc_op_graph *graph) {
  const xc_units *units = &graph->layers->units;
  extent *extents = xc_alloc_array(graph->buffers.count, sizeof *extents);
  size_t count = 0;
  for (size_t b = 1; b < graph->buffers.count; ++b)
    if (graph->buffers.items[b].num_uses > 0 &&
        !is_recomputed(&graph->buffers.items[b], units))
      extents[count++] = extent_of(&graph->buffers.items[b], units);
  if (count > 0)
    qsort(extents, count, sizeof *extents, compare_extents);
  bool apart = true;
  for (size_t i = 1; i < count && apart; ++i)
    apart = extents[i].reg != extents[i - 1].reg ||
            extents[i].begin >= extents[i - 1].end;
  free(extents);
  return apart;
}

/// Whether all that is written, and all that is read of the same registers, is
/// part of a buffer.
static bool buffers_are_known(const xc_units *units) {
  uint32_t written = 0;
  bool known = true;
  for (size_t u = 0; u < units->count; ++u) {
    written |= UINT32_C(1) << units->items[u].layer.output.reg;
    known &= units->items[u].layer.output.buffer != 0;
  }
  for (size_t u = 0; u < units->count; ++u)
    for (size_t k = 0; k < units->items[u].layer.numInputs; ++k) {
      const XcDpuImage *input = &units->items[u].layer.inputs[k];
      known &= input->buffer != 0 || !(written >> input->reg & 1);
    }
  return known;
}

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

static bool depends_on(const xc_op_node *node, size_t other) {
  for (size_t i = 0; i < node->num_predecessors; ++i)
    if (node->predecessors[i] == other)
      return true;
  return false;
}

static void add_dependence(xc_op_graph *graph, size_t from, size_t to) {
  xc_op_node *node = &graph->nodes[to];
  if (from == to || depends_on(node, from))
    return;
  void *list = node->predecessors;
  xc_grow(&list, &node->capacity, node->num_predecessors + 1,
          sizeof *node->predecessors);
  node->predecessors = list;
  node->predecessors[node->num_predecessors++] = from;
  ++graph->nodes[from].num_successors;
}

static void add_dependences(xc_op_graph *graph,
                            const xc_tensor_buffer *buffer) {
  enum { MAX_USES = 64 }; // each is compared with each
  const xc_units *units = &graph->layers->units;
  bool in_order = buffer->num_uses > MAX_USES;
  for (size_t j = 1; j < buffer->num_uses; ++j)
    for (size_t i = in_order ? j - 1 : 0; i < j; ++i) {
      const xc_buffer_use *a = &buffer->uses[i], *b = &buffer->uses[j];
      bool writes = xc_use_is_write(a) || xc_use_is_write(b);
      if (in_order || (writes && xc_uses_overlap(buffer, units, a, b)))
        add_dependence(graph, graph->node_of[a->unit], graph->node_of[b->unit]);
    }
}

bool xc_op_graph_build(xc_op_graph *graph, const xc_schedule *layers) {
  *graph = (xc_op_graph){.layers = layers};
  if (layers->units.count == 0)
    return false;
  xc_tensor_buffers_collect(&graph->buffers, layers->target, &layers->units);
  if (!collect_nodes(graph) || !buffers_are_known(&layers->units) ||
      !buffers_are_apart(graph)) {
    xc_op_graph_free(graph);
    return false;
  }
  for (size_t b = 1; b < graph->buffers.count; ++b)
    add_dependences(graph, &graph->buffers.items[b]);
  return true;
}

void xc_op_graph_free(xc_op_graph *graph) {
  for (size_t i = 0; i < graph->count; ++i)
    free(graph->nodes[i].predecessors);
  free(graph->nodes);
  free(graph->node_of);
  xc_tensor_buffers_free(&graph->buffers);
}

bool xc_ops_are_chained(const xc_op_graph *graph, size_t a, size_t b) {
  const xc_op_node *node = &graph->nodes[b];
  return node->num_predecessors == 1 && node->predecessors[0] == a &&
         graph->nodes[a].num_successors == 1;
}

//===----------------------------------------------------------------------===//
// Layers in another order
//===----------------------------------------------------------------------===//

/// Appends the choices for the units of a node, which begin at `unit`, and have
/// layers from `number` on.
static void append_choices(const xc_schedule *layers, const xc_op_node *node,
                           size_t unit, uint32_t number, xc_schedule *result) {
  uint32_t first = layers->units.items[node->first_unit].number;
  for (size_t i = 0; i < layers->num_choices; ++i) {
    xc_engine_choice choice = layers->choices[i];
    if (choice.first_unit < node->first_unit ||
        choice.first_unit >= node->first_unit + node->num_units)
      continue;
    choice.first_unit += unit - node->first_unit;
    choice.number += number - first;
    result->choices[result->num_choices++] = choice;
  }
}

xc_schedule xc_layers_in_order(const xc_op_graph *graph, const size_t *order) {
  const xc_schedule *layers = graph->layers;
  const xc_units *units = &layers->units;
  size_t num_layers = (size_t)units->items[units->count - 1].number + 1;
  xc_schedule result = {
      .target = layers->target,
      .engines = layers->engines,
      .numbers = xc_alloc_array(num_layers, sizeof *result.numbers),
      .choices = xc_alloc_array(layers->num_choices, sizeof *result.choices),
      .choices_capacity = layers->num_choices};
  uint32_t number = 0;
  for (size_t i = 0; i < graph->count; ++i) {
    const xc_op_node *node = &graph->nodes[order[i]];
    const xc_unit *from = &units->items[node->first_unit];
    size_t at = result.units.count;
    uint32_t first = from->number;
    append_choices(layers, node, at, number, &result);
    xc_append_units(&result.units, from, node->num_units);
    for (size_t u = at; u < result.units.count; ++u)
      result.units.items[u].number += number - first;
    for (uint32_t k = first; k <= from[node->num_units - 1].number; ++k)
      result.numbers[number++] = k;
  }
  return result;
}
