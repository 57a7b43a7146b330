//===- Body.c - the nodes and constants of a graph ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the model's graph, and of the branches of If, which are graphs that see
// the names around them.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

bool xc_onnx_add_initializers(xc_onnx_importer *im) {
  const Onnx__GraphProto *graph = im->scope;
  for (size_t i = 0; i < graph->n_initializer; ++i) {
    const Onnx__TensorProto *tensor = graph->initializer[i];
    xc_graph_value *value;
    if (!xc_graph_is_needed(&im->graph, tensor->name))
      continue;
    if (!xc_onnx_read_tensor(im, tensor, tensor->name, &value) ||
        !xc_graph_define(&im->graph, tensor->name, value))
      return false;
  }
  return true;
}

static const char *full_name(xc_arena *arena, const Onnx__NodeProto *node) {
  size_t length = strlen(node->domain) + strlen(node->op_type) + 4;
  char *name = xc_arena_alloc(arena, length, 1);
  snprintf(name, length, "'%s%s%s'", node->domain, *node->domain ? "." : "",
           node->op_type);
  return name;
}

static bool is_skipped(const xc_graph_node *marks, size_t index) {
  return marks && marks[index].is_skipped;
}

bool xc_onnx_check_operators(xc_onnx_importer *im, const xc_graph_node *marks) {
  const Onnx__GraphProto *graph = im->scope;
  const char **names =
      xc_arena_alloc(&im->graph.arena, graph->n_node + 1, sizeof(*names));
  const char *before = NULL;
  size_t count = 0;
  for (size_t i = 0; i < graph->n_node; ++i) {
    if (is_skipped(marks, i) || im->graph.options.allowCustom ||
        xc_onnx_operator_find(graph->node[i]->domain, graph->node[i]->op_type))
      continue;
    // --outputs cannot name values of a branch, which has no marks.
    if (count == 0 && marks)
      before = xc_graph_values_before(&im->graph, marks, i);
    names[count++] = full_name(&im->graph.arena, graph->node[i]);
  }
  return xc_graph_report_missing(&im->graph, names, count, before);
}

const char *xc_onnx_node_name(const Onnx__NodeProto *node) {
  if (*node->name)
    return node->name;
  for (size_t i = 0; i < node->n_output; ++i)
    if (*node->output[i])
      return node->output[i];
  return node->op_type;
}

static bool check_inputs(xc_onnx_importer *im) {
  const Onnx__NodeProto *node = im->node;
  for (size_t i = 0; i < node->n_input; ++i) {
    const xc_graph_value *value = xc_onnx_input(im, i);
    if (*node->input[i] && !value)
      return xc_onnx_error(im, "input %zu, '%s', is defined nowhere", i,
                           node->input[i]);
    if (value && xc_onnx_is_sequence(value) &&
        !xc_onnx_takes_sequence(im->row, i))
      return xc_onnx_error(im,
                           "input %zu, '%s', is a sequence, expected a tensor",
                           i, node->input[i]);
  }
  return true;
}

void xc_onnx_enter(xc_onnx_importer *im, const Onnx__NodeProto *node) {
  im->node = node;
  im->row = xc_onnx_operator_find(node->domain, node->op_type);
  const int64_t *opset = xc_pointer_map_get(&im->opsets, node);
  im->opset = opset ? *opset : im->model_opset;
  xc_graph_enter(&im->graph, xc_onnx_node_name(node), "node '%s' (%s)",
                 xc_onnx_node_name(node), node->op_type);
}

static bool import_node(xc_onnx_importer *im, const Onnx__NodeProto *node) {
  bool done = false;
  xc_onnx_enter(im, node);
  if (!check_inputs(im) || !xc_onnx_random_weights(im) ||
      !xc_onnx_fold(im, &done))
    return false;
  if (done || (im->row ? im->row->handler(im) : xc_onnx_custom(im)))
    return true;
  assert(xc_graph_failed(&im->graph) && "a failure has been reported");
  return false;
}

bool xc_onnx_import_nodes(xc_onnx_importer *im, const xc_graph_node *marks) {
  const Onnx__GraphProto *graph = im->scope;
  for (size_t i = 0; i < graph->n_node; ++i)
    if (!is_skipped(marks, i) && !import_node(im, graph->node[i]))
      return false;
  im->node = NULL;
  xc_graph_leave(&im->graph);
  return true;
}
