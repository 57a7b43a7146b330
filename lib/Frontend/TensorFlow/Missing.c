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
// on such a one, reads: what a user needs to compute the rest himself.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <string.h>

/// More ends than these help nobody.
enum { MOST_ENDS = 16 };

// An input of the model is no end, nor is what follows from constants.
static bool is_computed(const tf_importer *im, const xc_graph_value *value) {
  return value && value != im->failed && value != im->dead && !value->data &&
         value->forms && mlirValueIsAOpResult(value->forms->value);
}

/// Names of values without repetition.
typedef struct end_list {
  const char *names[MOST_ENDS];
  size_t count; // up to one more than fit
} end_list;

static void add_end(const tf_importer *im, const char *name, end_list *ends) {
  if (!is_computed(im, xc_graph_find(&im->graph, name)))
    return;
  for (size_t i = 0; i < ends->count && i < MOST_ENDS; ++i)
    if (strcmp(ends->names[i], name) == 0)
      return;
  if (ends->count < MOST_ENDS)
    ends->names[ends->count] = name;
  ends->count += ends->count <= MOST_ENDS;
}

static bool has_failed(const tf_importer *im, const tf_node *node) {
  for (size_t k = 0; k < node->num_outputs; ++k)
    if (xc_graph_find(&im->graph, node->outputs[k]) == im->failed)
      return true;
  return false;
}

// A list for --outputs, or null where it would be empty or long.
static const char *find_ends(tf_importer *im) {
  end_list ends = {.count = 0};
  for (size_t i = 0; i < im->num_nodes; ++i)
    for (size_t k = 0;
         has_failed(im, im->order[i]) && k < im->order[i]->num_inputs; ++k)
      add_end(im, im->order[i]->inputs[k], &ends);
  for (size_t i = 0; i < im->graph.num_outputs; ++i)
    add_end(im, im->graph.outputs[i], &ends);
  if (ends.count == 0 || ends.count > MOST_ENDS)
    return NULL;
  xc_text list = {0};
  for (size_t i = 0; i < ends.count; ++i)
    xc_text_printf(&list, "%s%s", i ? "," : "", ends.names[i]);
  const char *copy =
      xc_arena_string(&im->graph.arena, xc_text_str(&list), list.length);
  xc_text_free(&list);
  return copy;
}

static void report_open(tf_importer *im) {
  const tf_node *first = im->first_open;
  xc_graph_enter(&im->graph, NULL, "%s", "");
  tf_error(im,
           "the graph has %zu Switch node%s whose way is computed at run time, "
           "expected constants: '%s' goes by '%s'; cut branches off with "
           "--inputs and --outputs, or export a graph without",
           im->num_open, im->num_open == 1 ? "" : "s", first->name,
           first->inputs[1]);
}

void tf_report_missing(tf_importer *im) {
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
