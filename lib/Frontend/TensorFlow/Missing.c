//===- Missing.c - what keeps a graph from being imported -----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After the walk: the operators that xc does not have, in one error, branches
// that are open, in one as well, and where the graph could end. That is at
// every value that was imported and that a node which was not, or which depends
// on such a one, reads: what a user needs to compute the rest himself. Of
// graphs that are refused as a whole the same is found without a walk.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <string.h>

/// More ends than these are too many to read; each level of loops is a pass.
enum { MOST_ENDS = 16, MOST_PASSES = 16 };

// An input of the model is no end, nor is what follows from constants.
static bool is_computed(const xc_tf_importer *im, const xc_graph_value *value) {
  return value && value != im->failed && value != im->dead && !value->data &&
         value->forms && mlirValueIsAOpResult(value->forms->value);
}

/// Names of values without repetition.
typedef struct end_list {
  const char *names[MOST_ENDS];
  size_t count; // up to one more than fit
} end_list;

static void add_end(const char *name, end_list *ends) {
  for (size_t i = 0; i < ends->count && i < MOST_ENDS; ++i)
    if (strcmp(ends->names[i], name) == 0)
      return;
  if (ends->count < MOST_ENDS)
    ends->names[ends->count] = name;
  ends->count += ends->count <= MOST_ENDS;
}

static bool has_failed(const xc_tf_importer *im, const xc_tf_node *node) {
  for (size_t k = 0; k < node->num_outputs; ++k)
    if (xc_graph_find(&im->graph, node->outputs[k]) == im->failed)
      return true;
  return false;
}

// Returns a list for --outputs, or null where it would be empty or long.
static const char *join_ends(xc_tf_importer *im, const end_list *ends) {
  if (ends->count == 0 || ends->count > MOST_ENDS)
    return NULL;
  xc_text list = {0};
  for (size_t i = 0; i < ends->count; ++i)
    xc_text_printf(&list, "%s%s", i ? "," : "", ends->names[i]);
  const char *copy =
      xc_arena_string(&im->graph.arena, xc_text_str(&list), list.length);
  xc_text_free(&list);
  return copy;
}

static void add_computed(const xc_tf_importer *im, const char *name,
                         end_list *ends) {
  if (is_computed(im, xc_graph_find(&im->graph, name)))
    add_end(name, ends);
}

static const char *find_ends(xc_tf_importer *im) {
  end_list ends = {.count = 0};
  for (size_t i = 0; i < im->num_nodes; ++i)
    for (size_t k = 0;
         has_failed(im, im->order[i]) && k < im->order[i]->num_inputs; ++k)
      add_computed(im, im->order[i]->inputs[k], &ends);
  for (size_t i = 0; i < im->graph.num_outputs; ++i)
    add_computed(im, im->graph.outputs[i], &ends);
  return join_ends(im, &ends);
}

static void report_open(xc_tf_importer *im) {
  const xc_tf_node *first = im->first_open;
  xc_graph_enter(&im->graph, NULL, "%s", "");
  xc_tf_error(
      im,
      "the graph has %zu Switch node%s whose way is computed at run time, "
      "expected constants: '%s' goes by '%s'; cut branches off with "
      "--inputs and --outputs, or export a graph without",
      im->num_open, im->num_open == 1 ? "" : "s", first->name,
      first->inputs[1]);
}

void xc_tf_report_missing(xc_tf_importer *im) {
  const char *ends = find_ends(im);
  if (im->num_open)
    report_open(im);
  xc_graph_enter(&im->graph, NULL, "%s", "");
  if (im->num_missing)
    xc_graph_report_missing(&im->graph, im->missing, im->num_missing, ends);
  else if (ends)
    xc_graph_report(&im->graph, XcSeverityNote,
                    "--outputs=%s ends the model before what cannot be "
                    "imported",
                    ends);
}

//===----------------------------------------------------------------------===//
// The graph around a refused operator
//===----------------------------------------------------------------------===//

/// By the place of a node in `nodes`.
typedef struct graph_sides {
  bool *after; // it is of the handler, or depends on such a node
  bool *runs;  // it depends on an input of the model, and not by a shape only
} graph_sides;

// A Placeholder, or what --inputs puts in a node's place.
static bool is_input(const xc_tf_importer *im, const xc_tf_node *node) {
  return (node->row && node->row->handler == xc_tf_placeholder) ||
         xc_graph_is_cut_input(&im->graph, node->name);
}

// Whether an input of the node has the mark.
static bool reads_marked(const xc_tf_importer *im, const xc_tf_node *node,
                         const bool *marks) {
  for (size_t k = 0; k < node->num_inputs; ++k) {
    const xc_tf_node *input = xc_tf_node_of(im, node->inputs[k]);
    if (input && marks[input - im->nodes])
      return true;
  }
  return false;
}

// In a loop what comes first depends on what comes last. Returns false when
// there is no end to it.
static bool mark_after(const xc_tf_importer *im, xc_tf_handler handler,
                       bool *after) {
  bool changed = true;
  for (size_t pass = 0; changed && pass < MOST_PASSES; ++pass) {
    changed = false;
    for (size_t i = 0; i < im->num_nodes; ++i) {
      const xc_tf_node *node = im->order[i];
      bool *mark = &after[node - im->nodes];
      if (*mark || is_input(im, node))
        continue;
      *mark = (node->row && node->row->handler == handler) ||
              reads_marked(im, node, after);
      changed |= *mark;
    }
  }
  return !changed;
}

static void mark_running(const xc_tf_importer *im, bool *runs) {
  for (size_t i = 0; i < im->num_nodes; ++i) {
    const xc_tf_node *node = im->order[i];
    bool is_shape = node->row && node->row->handler == xc_tf_shape;
    runs[node - im->nodes] =
        is_input(im, node) || (!is_shape && reads_marked(im, node, runs));
  }
}

static void add_running(const xc_tf_importer *im, const graph_sides *sides,
                        const char *name, end_list *ends) {
  const xc_tf_node *node = xc_tf_node_of(im, name);
  size_t at = node ? (size_t)(node - im->nodes) : 0;
  if (node && sides->runs[at] && !sides->after[at] && !is_input(im, node))
    add_end(name, ends);
}

const char *xc_tf_ends_before(xc_tf_importer *im, xc_tf_handler handler) {
  xc_arena *arena = &im->graph.arena;
  const graph_sides sides = {xc_arena_alloc(arena, im->num_nodes + 1, 1),
                             xc_arena_alloc(arena, im->num_nodes + 1, 1)};
  end_list ends = {.count = 0};
  if (!mark_after(im, handler, sides.after))
    return NULL;
  mark_running(im, sides.runs);
  for (size_t i = 0; i < im->num_nodes; ++i) {
    const xc_tf_node *node = im->order[i];
    bool reads = sides.after[node - im->nodes] && !im->cut[i].is_skipped;
    for (size_t k = 0; reads && k < node->num_inputs; ++k)
      add_running(im, &sides, node->inputs[k], &ends);
  }
  for (size_t i = 0; i < im->graph.num_outputs; ++i)
    add_running(im, &sides, im->graph.outputs[i], &ends);
  return join_ends(im, &ends);
}
