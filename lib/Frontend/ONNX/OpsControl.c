//===- OpsControl.c - If: the branch that is taken, or both ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of tir has no branches: shapes are fixed, and with them most
// conditions that exporters leave in a model. The branch that is taken becomes
// part of the graph around it. Where only the data says which one it is, both
// do, and the results of one are selected.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>
#include <string.h>

// Returns the condition, of one element; null after an error.
static xc_graph_value *take_condition(xc_onnx_importer *im) {
  xc_graph_value *condition;
  if (!xc_onnx_need_input(im, 0, &condition))
    return NULL;
  int64_t count = xc_shape_num_elements(&condition->shape);
  if (count == 1)
    return condition;
  xc_onnx_error(im, "has a condition of %" PRId64 " elements, expected 1",
                count);
  return NULL;
}

// Returns a branch with as many outputs as the node; null after an error.
static const Onnx__GraphProto *find_branch(xc_onnx_importer *im, bool taken) {
  const char *name = taken ? "then_branch" : "else_branch";
  const Onnx__AttributeProto *attribute = xc_onnx_attribute(im, name);
  const Onnx__GraphProto *branch = attribute ? attribute->g : NULL;
  if (!branch)
    xc_onnx_error(im, "has no graph '%s'", name);
  else if (branch->n_output != im->node->n_output)
    xc_onnx_error(im, "has %zu outputs, but its branch has %zu",
                  im->node->n_output, branch->n_output);
  else
    return branch;
  return NULL;
}

// Imports the graph and finds its outputs.
static bool import_branch(xc_onnx_importer *im, const Onnx__GraphProto *branch,
                          xc_graph_value **results) {
  const Onnx__GraphProto *around = im->scope;
  im->scope = branch;
  if (!xc_onnx_check_operators(im, NULL) || !xc_onnx_add_initializers(im) ||
      !xc_onnx_import_nodes(im, NULL))
    return false;
  for (size_t i = 0; i < branch->n_output; ++i) {
    results[i] = xc_graph_find(&im->graph, branch->output[i]->name);
    if (!results[i])
      return xc_onnx_error(im, "output '%s' of a branch is computed by no node",
                           branch->output[i]->name);
  }
  im->scope = around;
  return true;
}

// Returns the outputs of a branch, whose names are its own; null after an
// error.
static xc_graph_value **take_branch(xc_onnx_importer *im, bool taken) {
  const Onnx__NodeProto *node = im->node;
  const Onnx__GraphProto *branch = find_branch(im, taken);
  if (!branch)
    return NULL;
  xc_graph_value **results =
      xc_arena_alloc(&im->graph.arena, branch->n_output + 1, sizeof(*results));
  xc_graph_open_scope(&im->graph);
  bool ok = import_branch(im, branch, results);
  xc_graph_close_scope(&im->graph);
  if (!ok)
    return NULL;
  xc_onnx_enter(im, node);
  return results;
}

//===----------------------------------------------------------------------===//
// Conditions that depend on the data
//===----------------------------------------------------------------------===//

// Marks what the graph reads to compute the marked values; its nodes are in
// order.
static void mark_reads(xc_onnx_importer *im, const Onnx__GraphProto *graph,
                       xc_pointer_map *marked) {
  for (size_t i = graph->n_node; i-- > 0;) {
    const Onnx__NodeProto *node = graph->node[i];
    bool is_marked = false;
    for (size_t k = 0; k < node->n_output; ++k)
      is_marked |= xc_pointer_map_has(
          marked, xc_graph_intern(&im->graph, node->output[k]));
    for (size_t k = 0; is_marked && k < node->n_input; ++k)
      if (*node->input[k])
        xc_pointer_map_set(marked, xc_graph_intern(&im->graph, node->input[k]),
                           im);
  }
}

// Returns the only input of the model that the condition comes from, where it
// could be bound; null where there are several, which is data that decides.
static const char *find_unbound(xc_onnx_importer *im) {
  const Onnx__GraphProto *graph = im->body;
  const char *found = NULL;
  size_t count = 0;
  xc_pointer_map marked = {0};
  xc_pointer_map_set(&marked, xc_graph_intern(&im->graph, im->node->input[0]),
                     im);
  if (im->scope != graph)
    mark_reads(im, im->scope, &marked);
  mark_reads(im, graph, &marked);
  for (size_t i = 0; i < graph->n_input; ++i) {
    const char *name = graph->input[i]->name;
    const xc_graph_value *value = xc_graph_find(&im->graph, name);
    if (!value || value->data ||
        !xc_pointer_map_has(&marked, xc_graph_intern(&im->graph, name)))
      continue;
    found = name;
    ++count;
  }
  xc_pointer_map_free(&marked);
  return count == 1 ? found : NULL;
}

// After an error in a branch that need not have been imported.
static void note_unbound(xc_onnx_importer *im, const Onnx__NodeProto *node) {
  xc_onnx_enter(im, node);
  const char *input = find_unbound(im);
  if (input)
    xc_graph_report(&im->graph, XcSeverityNote,
                    "both branches are computed, as the condition depends on "
                    "input '%s'; --bind=%s=FILE takes one",
                    input, input);
}

// One of two results; nothing about their shape may depend on the condition.
static bool result_selected(xc_onnx_importer *im, size_t index,
                            MlirValue condition,
                            xc_graph_value *const sides[2]) {
  const xc_shape *a = &sides[0]->shape, *b = &sides[1]->shape;
  MlirValue operands[2];
  xc_graph_order order;
  if (xc_onnx_is_sequence(sides[0]) || xc_onnx_is_sequence(sides[1]))
    return xc_onnx_error(
        im,
        "output %zu is a sequence, and the condition is computed "
        "at run time; bind the inputs that it comes from",
        index);
  if (a->element != b->element || a->rank != b->rank ||
      memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) != 0)
    return xc_onnx_error(im,
                         "output %zu has another shape or type in the other "
                         "branch, and the condition is computed at run time; "
                         "bind the inputs that it comes from",
                         index);
  return xc_graph_broadcast(&im->graph, sides, 2, operands, &order) &&
         xc_onnx_result(im, index,
                        xc_graph_emit_select(&im->graph, condition, operands[0],
                                             operands[1]),
                        &order);
}

static bool select_branch(xc_onnx_importer *im, xc_graph_value *condition) {
  const Onnx__NodeProto *node = im->node;
  const Onnx__GraphProto *scope = im->scope;
  xc_graph_value **yes = take_branch(im, true);
  xc_graph_value **no = yes ? take_branch(im, false) : NULL;
  if (!no) {
    im->scope = scope;
    note_unbound(im, node);
    return false;
  }
  if (condition->shape.rank > 0)
    condition =
        xc_graph_reshape(&im->graph, condition, condition->shape.dims, 0);
  if (!condition)
    return false;
  MlirValue flag = xc_graph_get_plain(&im->graph, condition);
  for (size_t i = 0; i < im->node->n_output; ++i) {
    xc_graph_value *const sides[] = {yes[i], no[i]};
    if (!result_selected(im, i, flag, sides)) {
      note_unbound(im, node);
      return false;
    }
  }
  return true;
}

bool xc_onnx_if(xc_onnx_importer *im) {
  xc_graph_value *condition = take_condition(im);
  if (!condition)
    return false;
  if (!condition->data)
    return select_branch(im, condition);
  bool taken = xc_graph_to_int(xc_graph_load(condition, 0)) != 0;
  xc_graph_value **results = take_branch(im, taken);
  bool ok = results != NULL;
  for (size_t i = 0; ok && i < im->node->n_output; ++i)
    ok = xc_onnx_result_alias(im, i, results[i]);
  return ok;
}
