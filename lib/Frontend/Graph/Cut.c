//===- Cut.c - the part of a model that is imported -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cut.h"

#include "Value.h"

#include <string.h>

// The names in an option: a list with commas, unless all of it is one name.
typedef struct name_list {
  const char **names;
  size_t count;
} name_list;

typedef struct node_list {
  const xc_graph_node *items;
  size_t count;
} node_list;

static bool is_name(const char *name) { return name && *name; }

static bool varies(const xc_graph *graph, const char *name) {
  xc_graph_marks marks = xc_graph_marks_of(graph, name);
  return marks.is_input || marks.is_cut || marks.varies;
}

// Marks the results of a node that reads anything that varies: they are not the
// same in every run.
static void mark_varying(xc_graph *graph, const xc_graph_node *node) {
  bool found = false;
  for (size_t k = 0; k < node->num_inputs && !node->reads_shape; ++k)
    found |= is_name(node->inputs[k]) && varies(graph, node->inputs[k]);
  for (size_t o = 0; o < node->num_outputs && found; ++o)
    if (is_name(node->outputs[o]))
      xc_graph_mark(graph, node->outputs[o])->varies = true;
}

static bool is_repeated(const xc_graph_node *node, size_t input) {
  for (size_t k = 0; k < input; ++k)
    if (is_name(node->inputs[k]) &&
        strcmp(node->inputs[k], node->inputs[input]) == 0)
      return true;
  return false;
}

const char *xc_graph_values_before(xc_graph *graph, const xc_graph_node *nodes,
                                   size_t reader) {
  const xc_graph_node *node = &nodes[reader];
  xc_text list = {0};
  for (size_t i = 0; i < reader; ++i)
    mark_varying(graph, &nodes[i]);
  for (size_t k = 0; k < node->num_inputs; ++k)
    if (is_name(node->inputs[k]) && !is_repeated(node, k) &&
        xc_graph_marks_of(graph, node->inputs[k]).varies)
      xc_text_printf(&list, "%s%s", list.length ? "," : "", node->inputs[k]);
  const char *names =
      list.length
          ? xc_arena_string(&graph->arena, xc_text_str(&list), list.length)
          : NULL;
  xc_text_free(&list);
  return names;
}

static bool is_known(const xc_graph *graph, const char *name) {
  xc_graph_marks marks = xc_graph_marks_of(graph, name);
  return marks.is_computed || marks.is_input;
}

static size_t count_names(const char *const *options, size_t count) {
  size_t names = count;
  for (size_t i = 0; i < count; ++i)
    for (const char *c = options[i]; *c; ++c)
      names += *c == ',';
  return names;
}

// Reports show operators by the names of nodes, and a name can be either's.
static const char *value_of(const xc_graph *graph, const char *name,
                            const node_list *nodes) {
  for (size_t i = 0; !is_known(graph, name) && i < nodes->count; ++i) {
    const xc_graph_node *node = &nodes->items[i];
    if (node->name && strcmp(node->name, name) == 0 && node->num_outputs &&
        is_name(node->outputs[0]))
      return node->outputs[0];
  }
  return name;
}

// `name=1x490`, a name with the shape that it has (xc_graph_input_shape).
static const char *without_shape(xc_graph *graph, const char *name) {
  const char *equals = is_known(graph, name) ? NULL : strrchr(name, '=');
  return equals ? xc_arena_string(&graph->arena, name, (size_t)(equals - name))
                : name;
}

static name_list split_names(xc_graph *graph, const char *const *options,
                             size_t count, const node_list *nodes) {
  name_list list = {.names = xc_arena_alloc(&graph->arena,
                                            count_names(options, count) + 1,
                                            sizeof(*list.names))};
  for (size_t i = 0; i < count; ++i) {
    bool is_whole = is_known(graph, options[i]);
    for (const char *rest = options[i]; rest;) {
      const char *comma = is_whole ? NULL : strchr(rest, ',');
      size_t length = comma ? (size_t)(comma - rest) : strlen(rest);
      list.names[list.count++] = value_of(
          graph,
          without_shape(graph, xc_arena_string(&graph->arena, rest, length)),
          nodes);
      rest = comma ? comma + 1 : NULL;
    }
  }
  return list;
}

static void mark_computed(xc_graph *graph, const xc_graph_node *nodes,
                          size_t count) {
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < nodes[i].num_outputs; ++k)
      if (is_name(nodes[i].outputs[k]))
        xc_graph_mark(graph, nodes[i].outputs[k])->is_computed = true;
}

// An input of the model among --inputs stays what it is.
static bool add_inputs(xc_graph *graph, const name_list *inputs) {
  graph->cut_inputs = inputs->names;
  for (size_t i = 0; i < inputs->count; ++i) {
    const char *name = inputs->names[i];
    if (!is_known(graph, name))
      return xc_graph_error(graph,
                            "--inputs names '%s', which is not a value of the "
                            "model that depends on its inputs",
                            name);
    xc_graph_marks *marks = xc_graph_mark(graph, name);
    if (marks->is_cut)
      return xc_graph_error(graph, "--inputs names '%s' twice", name);
    marks->is_cut = marks->is_computed;
    if (marks->is_cut)
      graph->cut_inputs[graph->num_cut_inputs++] = name;
  }
  return true;
}

static bool add_outputs(xc_graph *graph, const name_list *outputs,
                        const xc_graph_node *ends) {
  graph->outputs = ends->outputs;
  graph->num_outputs = ends->num_outputs;
  for (size_t i = 0; i < outputs->count; ++i)
    if (!is_known(graph, outputs->names[i]))
      return xc_graph_error(graph,
                            "--outputs names '%s', which is not a value of the "
                            "model that depends on its inputs",
                            outputs->names[i]);
  if (outputs->count) {
    graph->outputs = outputs->names;
    graph->num_outputs = outputs->count;
  }
  for (size_t i = 0; i < graph->num_outputs; ++i)
    xc_graph_mark(graph, graph->outputs[i])->is_needed = true;
  return true;
}

static bool computes_needed(const xc_graph *graph, const xc_graph_node *node) {
  for (size_t i = 0; i < node->num_outputs; ++i) {
    if (!is_name(node->outputs[i]))
      continue;
    xc_graph_marks marks = xc_graph_marks_of(graph, node->outputs[i]);
    if (marks.is_needed && !marks.is_cut)
      return true;
  }
  return false;
}

// Backwards: what reads a value stands after what computes it.
static void skip_nodes(xc_graph *graph, xc_graph_node *nodes, size_t count) {
  for (size_t i = count; i-- > 0;) {
    nodes[i].is_skipped = !computes_needed(graph, &nodes[i]);
    for (size_t k = 0; !nodes[i].is_skipped && k < nodes[i].num_inputs; ++k)
      if (is_name(nodes[i].inputs[k]))
        xc_graph_mark(graph, nodes[i].inputs[k])->is_needed = true;
  }
}

bool xc_graph_cut(xc_graph *graph, xc_graph_node *nodes, size_t count,
                  const xc_graph_node *ends) {
  const XcImportOptions *options = &graph->options;
  graph->is_cut = options->numInputs || options->numOutputs;
  graph->outputs = ends->outputs;
  graph->num_outputs = ends->num_outputs;
  for (size_t i = 0; i < ends->num_inputs; ++i)
    xc_graph_mark(graph, ends->inputs[i])->is_input = true;
  if (!graph->is_cut)
    return true;
  mark_computed(graph, nodes, count);
  const node_list list = {nodes, count};
  name_list inputs =
      split_names(graph, options->inputs, options->numInputs, &list);
  name_list outputs =
      split_names(graph, options->outputs, options->numOutputs, &list);
  if (!add_inputs(graph, &inputs) || !add_outputs(graph, &outputs, ends))
    return false;
  skip_nodes(graph, nodes, count);
  for (size_t i = 0; i < graph->num_cut_inputs; ++i)
    if (!xc_graph_marks_of(graph, graph->cut_inputs[i]).is_needed)
      return xc_graph_error(graph,
                            "--inputs names '%s', which nothing on the way to "
                            "the outputs reads",
                            graph->cut_inputs[i]);
  return true;
}

bool xc_graph_is_needed(const xc_graph *graph, const char *name) {
  return !graph->is_cut || xc_graph_marks_of(graph, name).is_needed;
}

bool xc_graph_is_cut_input(const xc_graph *graph, const char *name) {
  return xc_graph_marks_of(graph, name).is_cut;
}
