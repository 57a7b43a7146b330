//===- Cut.h - part of a model that is imported -------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_GRAPH_CUT_H
#define XC_FRONTEND_GRAPH_CUT_H

#include "Graph.h"

/// A node of the model by the names of its values. All is borrowed; empty names
/// and null stand for absent values. In options, the node's own name, which may
/// be null, stands for its first result.
typedef struct xc_graph_node {
  const char *name;
  const char *const *inputs, *const *outputs;
  size_t num_inputs, num_outputs;
  bool reads_shape; // and no elements: its results are constants
  bool is_skipped;  // set by xc_graph_cut
} xc_graph_node;

/// Marks the nodes that --inputs and --outputs leave out, before any value is
/// defined. `nodes` are in the order of computation; `ends` has the inputs and
/// outputs of the model. Sets graph->outputs, and graph->cut_inputs, values of
/// nodes that become arguments. Without such options nothing is skipped.
/// Returns false after an error.
bool xc_graph_cut(xc_graph *graph, xc_graph_node *nodes, size_t count,
                  const xc_graph_node *ends);
/// Returns the names of the operands of a node that depend on inputs of the
/// model, with commas; null if there are none.
const char *xc_graph_values_before(xc_graph *graph, const xc_graph_node *nodes,
                                   size_t reader);
/// Whether a node that is not skipped reads an input or constant of the model.
bool xc_graph_is_needed(const xc_graph *graph, const char *name);
/// Whether the value is an argument although a node computes it: its node, left
/// for another result, does not define it.
bool xc_graph_is_cut_input(const xc_graph *graph, const char *name);

#endif // XC_FRONTEND_GRAPH_CUT_H
