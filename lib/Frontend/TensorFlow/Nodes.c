//===- Nodes.c - the nodes of a graph and of what it calls ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   input of a node of the graph:      ["^"] node [":" k]
//   input of a node of a function:     arg | node ":" output [":" k] | "^" node
//
// A call is replaced by the nodes of the function, named CALL/NODE, between
// identities for its arguments and results. A node that stands for several is
// replaced by them, named NODE/OPERATOR; the last one keeps the name.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CALLS = 16, MAX_OUTPUTS = 1 << 12, NODES_PER_NODE = 16 };

typedef struct collector {
  xc_tf_importer *im;
  const Tensorflow__FunctionDef **functions; // by name
  size_t num_functions;
  size_t capacity, most;
} collector;

/// Where nodes come from: the graph, or a function for a call.
typedef struct scope {
  const Tensorflow__FunctionDef *function; // null: the graph
  const char *call;
  unsigned depth;
} scope;

static const char *join(collector *c, const char *a, const char *between,
                        const char *b) {
  size_t length = strlen(a) + strlen(between) + strlen(b) + 1;
  char *name = xc_arena_alloc(&c->im->graph.arena, length, 1);
  snprintf(name, length, "%s%s%s", a, between, b);
  return name;
}

static const char *value_name(collector *c, const char *node, unsigned long k) {
  char number[24];
  snprintf(number, sizeof(number), "%lu", k);
  return k ? join(c, node, ":", number) : node;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static const char *function_name(const Tensorflow__FunctionDef *function) {
  return function->signature && function->signature->name
             ? function->signature->name
             : "";
}

static int compare_functions(const void *a, const void *b) {
  return strcmp(function_name(*(const Tensorflow__FunctionDef *const *)a),
                function_name(*(const Tensorflow__FunctionDef *const *)b));
}

static void sort_functions(collector *c) {
  const Tensorflow__FunctionDefLibrary *library = c->im->def->library;
  c->num_functions = library ? library->n_function : 0;
  c->functions = xc_arena_alloc(&c->im->graph.arena, c->num_functions + 1,
                                sizeof(*c->functions));
  for (size_t i = 0; i < c->num_functions; ++i)
    c->functions[i] = library->function[i];
  qsort(c->functions, c->num_functions, sizeof(*c->functions),
        compare_functions);
}

static int compare_name(const void *key, const void *function) {
  return strcmp(
      key, function_name(*(const Tensorflow__FunctionDef *const *)function));
}

// Returns the function that a node calls, or null.
static const Tensorflow__FunctionDef *
called_by(const collector *c, const Tensorflow__NodeDef *node) {
  const char *op = node->op ? node->op : "", *name = op;
  if (strcmp(op, "PartitionedCall") == 0 ||
      strcmp(op, "StatefulPartitionedCall") == 0)
    for (size_t i = 0; i < node->n_attr; ++i) {
      const Tensorflow__AttrEntry *entry = node->attr[i];
      if (entry->key && strcmp(entry->key, "f") == 0 && entry->value &&
          entry->value->func && entry->value->func->name)
        name = entry->value->func->name;
    }
  // A function without a name has no signature either: nothing calls it.
  const Tensorflow__FunctionDef *const *found =
      c->num_functions && *name ? bsearch(name, c->functions, c->num_functions,
                                          sizeof(*c->functions), compare_name)
                                : NULL;
  return found ? *found : NULL;
}

// Returns the first result that a named output of an operator is.
static unsigned long output_base(const char *output, size_t length) {
  static const struct {
    const char *name;
    unsigned long base;
  } rows[] = {{"batch_mean", 1},      {"batch_variance", 2},
              {"reserve_space_1", 3}, {"reserve_space_2", 4},
              {"reserve_space_3", 5}, {"output_true", 1},
              {"value_index", 1},     {"argmax", 1}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (strlen(rows[i].name) == length &&
        memcmp(rows[i].name, output, length) == 0)
      return rows[i].base;
  return 0;
}

// Returns the value that an input string names; null for control.
static const char *resolve(collector *c, const scope *s, const char *input) {
  if (*input == '^')
    return NULL;
  const char *colon = strchr(input, ':');
  size_t length = colon ? (size_t)(colon - input) : strlen(input);
  const char *node = xc_arena_string(&c->im->graph.arena, input, length);
  unsigned long k = 0;
  if (s->function) {
    node = join(c, s->call, "/", node);
    const char *second = colon ? strchr(colon + 1, ':') : NULL;
    size_t size = second  ? (size_t)(second - colon - 1)
                  : colon ? strlen(colon + 1)
                          : 0;
    k = colon ? output_base(colon + 1, size) : 0;
    colon = second;
  }
  if (colon) {
    unsigned long number = strtoul(colon + 1, NULL, 10);
    k += number < MAX_OUTPUTS ? number : MAX_OUTPUTS;
  }
  return value_name(c, node, k);
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

static xc_tf_node *append(collector *c) {
  xc_tf_importer *im = c->im;
  if (im->num_nodes == c->most) {
    xc_tf_error(im, "the functions of the graph call each other too often");
    return NULL;
  }
  if (im->num_nodes == c->capacity) {
    size_t capacity = c->capacity ? 2 * c->capacity : 64;
    xc_tf_node *nodes =
        xc_arena_alloc(&im->graph.arena, capacity, sizeof(*nodes));
    if (im->num_nodes)
      memcpy(nodes, im->nodes, im->num_nodes * sizeof(*nodes));
    im->nodes = nodes;
    c->capacity = capacity;
  }
  return &im->nodes[im->num_nodes++];
}

static bool add_identity(collector *c, const char *name, const char *input) {
  xc_tf_node *node = append(c);
  if (!node)
    return false;
  *node = (xc_tf_node){.name = name, .row = xc_tf_operator_find("Identity")};
  node->inputs = xc_arena_alloc(&c->im->graph.arena, 1, sizeof(*node->inputs));
  node->inputs[0] = input;
  node->num_inputs = 1;
  return true;
}

// Returns a node that is not added yet, by its definition.
static xc_tf_node read_node(collector *c, const scope *s,
                            const Tensorflow__NodeDef *def) {
  const char *name = def->name ? def->name : "";
  xc_tf_node node = {.name = s->function ? join(c, s->call, "/", name) : name,
                     .def = def,
                     .row = xc_tf_operator_find(def->op ? def->op : "")};
  node.inputs = xc_arena_alloc(&c->im->graph.arena, def->n_input + 1,
                               sizeof(*node.inputs));
  for (size_t i = 0; i < def->n_input; ++i) {
    const char *input = resolve(c, s, def->input[i]);
    if (input)
      node.inputs[node.num_inputs++] = input;
  }
  return node;
}

// Each part reads the one before and its share of the node's inputs.
static bool add_parts(collector *c, const xc_tf_node *whole,
                      const xc_tf_part *parts, size_t count) {
  const char **inputs = whole->inputs, *before = NULL;
  for (size_t i = 0; i < count; ++i) {
    xc_tf_node *node = append(c);
    if (!node)
      return false;
    *node = *whole;
    node->row = parts[i].row;
    if (i + 1 < count)
      node->name = join(c, whole->name, "/", node->row->name);
    node->inputs = xc_arena_alloc(&c->im->graph.arena, parts[i].num_inputs + 1,
                                  sizeof(*node->inputs));
    node->num_inputs = 0;
    if (before)
      node->inputs[node->num_inputs++] = before;
    for (size_t k = 0; k < parts[i].num_inputs; ++k)
      node->inputs[node->num_inputs++] = *inputs++;
    before = node->name;
  }
  return true;
}

static bool add_node(collector *c, const scope *s,
                     const Tensorflow__NodeDef *def) {
  const xc_tf_node read = read_node(c, s, def);
  xc_tf_part parts[TF_MAX_PARTS];
  size_t count = xc_tf_fused_parts(def, parts);
  if (count)
    return add_parts(c, &read, parts, count);
  xc_tf_node *node = append(c);
  if (!node)
    return false;
  *node = read;
  return true;
}

static bool add_nodes(collector *c, const scope *s,
                      Tensorflow__NodeDef *const *nodes, size_t count);

static bool add_results(collector *c, const scope *s,
                        const Tensorflow__FunctionDef *function) {
  enum { MOST = 1 << 20 };
  const Tensorflow__OpDef *op = function->signature;
  if (op->n_output_arg && function->n_ret > MOST / op->n_output_arg)
    return xc_tf_error(c->im, "function '%s' has too many results", op->name);
  for (size_t i = 0; i < op->n_output_arg; ++i) {
    const char *name = op->output_arg[i]->name, *input = NULL;
    for (size_t k = 0; k < function->n_ret; ++k)
      if (name && function->ret[k]->key && function->ret[k]->value &&
          strcmp(function->ret[k]->key, name) == 0)
        input = resolve(c, s, function->ret[k]->value);
    if (!input)
      return xc_tf_error(c->im, "function '%s' does not return its result %zu",
                         op->name, i);
    if (!add_identity(c, value_name(c, s->call, (unsigned long)i), input))
      return false;
  }
  return true;
}

static bool add_call(collector *c, const scope *s,
                     const Tensorflow__NodeDef *def,
                     const Tensorflow__FunctionDef *function) {
  const char *name = def->name ? def->name : "";
  const scope inner = {.function = function,
                       .call = s->function ? join(c, s->call, "/", name) : name,
                       .depth = s->depth + 1};
  if (inner.depth > MAX_CALLS)
    return xc_tf_error(c->im, "functions call each other more than %d deep",
                       MAX_CALLS);
  const Tensorflow__OpDef *op = function->signature;
  size_t count = 0;
  for (size_t i = 0; i < def->n_input; ++i) {
    const char *input = resolve(c, s, def->input[i]);
    if (!input)
      continue;
    const char *arg =
        count < op->n_input_arg ? op->input_arg[count]->name : NULL;
    if (!arg)
      return xc_tf_error(c->im, "'%s' gives function '%s' too many arguments",
                         inner.call, op->name);
    if (!add_identity(c, join(c, inner.call, "/", arg), input))
      return false;
    ++count;
  }
  return add_nodes(c, &inner, function->node_def, function->n_node_def) &&
         add_results(c, &inner, function);
}

static bool add_nodes(collector *c, const scope *s,
                      Tensorflow__NodeDef *const *nodes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const Tensorflow__FunctionDef *function = called_by(c, nodes[i]);
    if (!(function ? add_call(c, s, nodes[i], function)
                   : add_node(c, s, nodes[i])))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Finding and ordering
//===----------------------------------------------------------------------===//

static int compare_nodes(const void *a, const void *b) {
  return strcmp(((const xc_tf_node *)a)->name, ((const xc_tf_node *)b)->name);
}

// `node:k` without the number; identities of calls have it in their name.
static xc_tf_node *find_node(const xc_tf_importer *im, const char *value,
                             unsigned long *k) {
  *k = 0;
  if (im->num_nodes == 0)
    return NULL;
  xc_tf_node key = {.name = value};
  xc_tf_node *node =
      bsearch(&key, im->nodes, im->num_nodes, sizeof(key), compare_nodes);
  const char *colon = node ? NULL : strrchr(value, ':');
  if (!colon)
    return node;
  char *name = xc_alloc((size_t)(colon - value) + 1);
  memcpy(name, value, (size_t)(colon - value));
  key.name = name;
  node = bsearch(&key, im->nodes, im->num_nodes, sizeof(key), compare_nodes);
  free(name);
  *k = strtoul(colon + 1, NULL, 10);
  return node;
}

xc_tf_node *xc_tf_node_of(const xc_tf_importer *im, const char *value) {
  unsigned long k;
  return find_node(im, value, &k);
}

static bool name_outputs(collector *c) {
  xc_tf_importer *im = c->im;
  unsigned long k;
  for (size_t i = 0; i < im->num_nodes; ++i)
    im->nodes[i].num_outputs = 1;
  for (size_t i = 0; i < im->num_nodes; ++i)
    for (size_t n = 0; n < im->nodes[i].num_inputs; ++n) {
      xc_tf_node *node = find_node(im, im->nodes[i].inputs[n], &k);
      if (node && k >= node->num_outputs)
        node->num_outputs = k < MAX_OUTPUTS ? k + 1 : MAX_OUTPUTS;
    }
  for (size_t i = 0; i < im->num_nodes; ++i) {
    xc_tf_node *node = &im->nodes[i];
    node->outputs = xc_arena_alloc(&im->graph.arena, node->num_outputs,
                                   sizeof(*node->outputs));
    for (size_t o = 0; o < node->num_outputs; ++o)
      node->outputs[o] = value_name(c, node->name, (unsigned long)o);
  }
  return true;
}

bool xc_tf_collect_nodes(xc_tf_importer *im) {
  collector c = {.im = im};
  const scope graph = {.function = NULL};
  size_t count = im->def->n_node;
  sort_functions(&c);
  for (size_t i = 0; i < c.num_functions; ++i)
    count += c.functions[i]->n_node_def;
  c.most = NODES_PER_NODE * (count + 64);
  if (!add_nodes(&c, &graph, im->def->node, im->def->n_node))
    return false;
  if (im->num_nodes == 0)
    return xc_tf_error(im, "the graph has no nodes");
  qsort(im->nodes, im->num_nodes, sizeof(*im->nodes), compare_nodes);
  for (size_t i = 1; i < im->num_nodes; ++i)
    if (strcmp(im->nodes[i].name, im->nodes[i - 1].name) == 0)
      return xc_tf_error(im, "two nodes are called '%s'", im->nodes[i].name);
  return name_outputs(&c);
}

/// A node whose inputs are being visited.
typedef struct visit {
  xc_tf_node *node;
  size_t next;
} visit;

// Depth first from every node; what a loop leads back to stays where it is.
bool xc_tf_order_nodes(xc_tf_importer *im) {
  size_t depth = 0, count = 0;
  xc_arena *arena = &im->graph.arena;
  bool *seen = xc_arena_alloc(arena, im->num_nodes + 1, sizeof(*seen));
  visit *stack = xc_arena_alloc(arena, im->num_nodes + 1, sizeof(*stack));
  im->order = xc_arena_alloc(arena, im->num_nodes + 1, sizeof(*im->order));
  for (size_t i = 0; i < im->num_nodes; ++i) {
    if (!seen[i])
      stack[depth++] = (visit){&im->nodes[i], 0};
    seen[i] = true;
    while (depth > 0) {
      visit *top = &stack[depth - 1];
      if (top->next == top->node->num_inputs) {
        im->order[count++] = top->node;
        --depth;
        continue;
      }
      xc_tf_node *input = xc_tf_node_of(im, top->node->inputs[top->next++]);
      if (!input || seen[input - im->nodes])
        continue;
      seen[input - im->nodes] = true;
      stack[depth++] = (visit){input, 0};
    }
  }
  return true;
}
