//===- Sort.c - nodes after those whose results they read -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX demands that order, but converters to float16 append the casts of a
// graph's inputs at its end, and ONNX Runtime sorts. A node that is needed
// earlier moves in front of its first reader; all others stay where they are,
// so that a graph in order does not change.
//
// A graph of If reads names around it. The node around such a graph depends on
// what they stand for, so one walk over all names serves graphs of any depth.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "Support/Memory.h"

#include <stdint.h>
#include <stdlib.h>

enum { NO_NODE = -1 }; // of inputs and initializers

/// A node that the current one depends on, by the value `name`.
typedef struct dependency {
  size_t node;
  const char *name;
} dependency;

typedef struct frame frame;

/// The definition of a name, and the one that it hides outside of the frame.
typedef struct definition {
  frame *owner;
  ptrdiff_t node;
  const char *key;
  struct definition *hidden, *next;
} definition;

/// A graph or function that is being sorted.
struct frame {
  Onnx__NodeProto **nodes;
  size_t count;
  /// Those of node i are from first[i] to first[i + 1].
  dependency *dependencies;
  size_t *first;
  size_t num_dependencies, capacity;
  size_t current;
  definition *definitions;
};

typedef struct sorter {
  xc_onnx_importer *im;
  xc_pointer_map names; // from interned names to definitions
} sorter;

static bool sort_graph(sorter *s, Onnx__GraphProto *graph);

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

// The first of two definitions counts; the second one is an error elsewhere.
static void define(sorter *s, frame *f, const char *name, ptrdiff_t node) {
  const char *key = xc_graph_intern(&s->im->graph, name);
  definition *hidden = xc_pointer_map_get(&s->names, key);
  if (!*name || (hidden && hidden->owner == f))
    return;
  definition *new = xc_arena_alloc(&s->im->graph.arena, 1, sizeof(*new));
  *new = (definition){f, node, key, hidden, f->definitions};
  f->definitions = new;
  xc_pointer_map_set(&s->names, key, new);
}

static void define_results(sorter *s, frame *f) {
  for (size_t i = 0; i < f->count; ++i)
    for (size_t k = 0; k < f->nodes[i]->n_output; ++k)
      define(s, f, f->nodes[i]->output[k], (ptrdiff_t)i);
}

// The node at hand of the graph that defines the name depends on it. A name
// that a graph hides only after this node is still that of the graph around it.
static void read_name(sorter *s, const char *name) {
  const definition *d =
      xc_pointer_map_get(&s->names, xc_graph_intern(&s->im->graph, name));
  while (d && d->hidden && d->node >= (ptrdiff_t)d->owner->current)
    d = d->hidden;
  if (!d || d->node == NO_NODE)
    return;
  frame *f = d->owner;
  xc_grow((void **)&f->dependencies, &f->capacity, f->num_dependencies + 1,
          sizeof(*f->dependencies));
  f->dependencies[f->num_dependencies++] =
      (dependency){(size_t)d->node, d->key};
}

static bool read_node(sorter *s, const Onnx__NodeProto *node) {
  for (size_t i = 0; i < node->n_input; ++i)
    read_name(s, node->input[i]);
  for (size_t i = 0; i < node->n_attribute; ++i)
    if (node->attribute[i]->g && !sort_graph(s, node->attribute[i]->g))
      return false;
  return true;
}

static bool read_nodes(sorter *s, frame *f) {
  f->first =
      xc_arena_alloc(&s->im->graph.arena, f->count + 1, sizeof(*f->first));
  for (f->current = 0; f->current < f->count; ++f->current) {
    f->first[f->current] = f->num_dependencies;
    if (!read_node(s, f->nodes[f->current]))
      return false;
  }
  f->first[f->count] = f->num_dependencies;
  return true;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static bool report_cycle(sorter *s, const Onnx__NodeProto *node,
                         const char *name) {
  xc_onnx_enter(s->im, node);
  return xc_onnx_error(s->im,
                       "'%s', which this node reads, depends on its result, "
                       "expected a graph without cycles",
                       name);
}

/// Nodes that wait for another one, each for the one above it.
typedef struct waiting {
  size_t node, next; // a dependency
} waiting;

typedef enum state { STATE_NEW, STATE_WAITING, STATE_PLACED } state;

// Places the node `root` after all that it depends on.
static bool place(sorter *s, const frame *f, size_t root, waiting *stack,
                  state *states, Onnx__NodeProto **sorted, size_t *count) {
  size_t depth = 0;
  if (states[root] == STATE_NEW) {
    states[root] = STATE_WAITING;
    stack[depth++] = (waiting){root, f->first[root]};
  }
  while (depth > 0) {
    waiting *top = &stack[depth - 1];
    if (top->next == f->first[top->node + 1]) {
      states[top->node] = STATE_PLACED;
      sorted[(*count)++] = f->nodes[top->node];
      --depth;
      continue;
    }
    dependency needed = f->dependencies[top->next++];
    if (states[needed.node] == STATE_WAITING)
      return report_cycle(s, f->nodes[top->node], needed.name);
    if (states[needed.node] == STATE_NEW) {
      states[needed.node] = STATE_WAITING;
      stack[depth++] = (waiting){needed.node, f->first[needed.node]};
    }
  }
  return true;
}

static bool order_nodes(sorter *s, frame *f) {
  xc_arena *arena = &s->im->graph.arena;
  waiting *stack = xc_arena_alloc(arena, f->count + 1, sizeof(*stack));
  state *states = xc_arena_alloc(arena, f->count + 1, sizeof(*states));
  Onnx__NodeProto **sorted =
      xc_arena_alloc(arena, f->count + 1, sizeof(*sorted));
  size_t count = 0;
  for (size_t i = 0; i < f->count; ++i)
    states[i] = STATE_NEW;
  for (size_t i = 0; i < f->count; ++i)
    if (!place(s, f, i, stack, states, sorted, &count))
      return false;
  for (size_t i = 0; i < f->count; ++i)
    f->nodes[i] = sorted[i];
  return true;
}

static bool finish(sorter *s, frame *f, bool ok) {
  ok = ok && order_nodes(s, f);
  for (definition *d = f->definitions; d; d = d->next)
    xc_pointer_map_set(&s->names, d->key, d->hidden);
  free(f->dependencies);
  return ok;
}

static bool sort_graph(sorter *s, Onnx__GraphProto *graph) {
  frame f = {.nodes = graph->node, .count = graph->n_node};
  for (size_t i = 0; i < graph->n_input; ++i)
    define(s, &f, graph->input[i]->name, NO_NODE);
  for (size_t i = 0; i < graph->n_initializer; ++i)
    define(s, &f, graph->initializer[i]->name, NO_NODE);
  define_results(s, &f);
  bool ok = read_nodes(s, &f);
  // A branch may return what is computed around it.
  for (size_t i = 0; i < graph->n_output; ++i)
    read_name(s, graph->output[i]->name);
  return finish(s, &f, ok);
}

static bool sort_function(sorter *s, Onnx__FunctionProto *function) {
  frame f = {.nodes = function->node, .count = function->n_node};
  for (size_t i = 0; i < function->n_input; ++i)
    define(s, &f, function->input[i], NO_NODE);
  define_results(s, &f);
  return finish(s, &f, read_nodes(s, &f));
}

bool xc_onnx_sort_nodes(xc_onnx_importer *im) {
  sorter s = {.im = im};
  bool ok = sort_graph(&s, im->model->graph);
  for (size_t i = 0; ok && i < im->model->n_functions; ++i)
    ok = sort_function(&s, im->model->functions[i]);
  xc_pointer_map_free(&s.names);
  return ok;
}
