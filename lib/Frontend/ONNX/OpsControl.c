//===- OpsControl.c - If with a condition that is known -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of tir has no branches: shapes are fixed, and with them most
// conditions that exporters leave in a model. The branch that is taken becomes
// part of the graph around it.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <inttypes.h>

// The branch that is taken; null after an error.
static const Onnx__GraphProto *find_branch(onnx_importer *im) {
  xc_graph_value *condition;
  if (!onnx_need_input(im, 0, &condition))
    return NULL;
  int64_t count = xc_shape_num_elements(&condition->shape);
  if (!condition->data || count != 1) {
    if (condition->data)
      onnx_error(im, "has a condition of %" PRId64 " elements, expected 1",
                 count);
    else
      onnx_error(im,
                 "the condition '%s' is computed at run time, expected a "
                 "constant; bind the inputs that it comes from",
                 condition->name);
    return NULL;
  }
  bool taken = xc_graph_to_int(xc_graph_load(condition, 0)) != 0;
  const char *name = taken ? "then_branch" : "else_branch";
  const Onnx__AttributeProto *attribute = onnx_attribute(im, name);
  if (!attribute || !attribute->g)
    onnx_error(im, "has no graph '%s'", name);
  return attribute ? attribute->g : NULL;
}

// Imports the graph and finds its outputs.
static bool import_branch(onnx_importer *im, const Onnx__GraphProto *branch,
                          xc_graph_value **results) {
  const Onnx__GraphProto *around = im->scope;
  im->scope = branch;
  if (!onnx_check_operators(im, NULL) || !onnx_add_initializers(im) ||
      !onnx_import_nodes(im, NULL))
    return false;
  for (size_t i = 0; i < branch->n_output; ++i) {
    results[i] = xc_graph_find(&im->graph, branch->output[i]->name);
    if (!results[i])
      return onnx_error(im, "output '%s' of a branch is computed by no node",
                        branch->output[i]->name);
  }
  im->scope = around;
  return true;
}

bool onnx_if(onnx_importer *im) {
  const Onnx__NodeProto *node = im->node;
  const Onnx__GraphProto *branch = find_branch(im);
  if (!branch)
    return false;
  if (branch->n_output != node->n_output)
    return onnx_error(im, "has %zu outputs, but its branch has %zu",
                      node->n_output, branch->n_output);
  xc_graph_value **results =
      xc_arena_alloc(&im->graph.arena, branch->n_output + 1, sizeof(*results));
  xc_graph_open_scope(&im->graph);
  bool ok = import_branch(im, branch, results);
  xc_graph_close_scope(&im->graph);
  onnx_enter(im, node);
  for (size_t i = 0; ok && i < branch->n_output; ++i)
    ok = onnx_result_alias(im, i, results[i]);
  return ok;
}
