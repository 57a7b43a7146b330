//===- OpGraph.h - which operators depend on which ----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dependence graph of the operators. The layers of an operator have its tag
// and follow each other. An operator depends on earlier operators that write
// what it reads or writes, or read what it writes. Operators that do not depend
// on each other may run in any order.
//
//===----------------------------------------------------------------------===//

#ifndef XC_TARGET_DPU_CODEGEN_SCHEDULE_OPGRAPH_H
#define XC_TARGET_DPU_CODEGEN_SCHEDULE_OPGRAPH_H

#include "Schedule.h"
#include "TensorBuffers.h"

typedef struct xc_op_node {
  size_t tag;
  size_t first_unit, num_units;
  size_t *predecessors; // each once
  size_t num_predecessors, capacity;
  size_t num_successors;
} xc_op_node;

typedef struct xc_op_graph {
  const xc_schedule *layers;
  xc_tensor_buffers buffers;
  xc_op_node *nodes; // in the order of the layers
  size_t count;
  size_t *node_of; // of each unit
} xc_op_graph;

/// False, with nothing to free, if the layers have to stay in their order:
/// those of an operator do not follow each other, or buffers share memory, or
/// something is in none.
bool xc_op_graph_build(xc_op_graph *graph, const xc_schedule *layers);
void xc_op_graph_free(xc_op_graph *graph);

/// Returns the node of the operator that a unit computes a part of.
size_t xc_op_node_of(const xc_op_graph *graph, const xc_unit *unit);

/// Whether `b` depends on `a` and on nothing else, and nothing else on `a`.
bool xc_ops_are_chained(const xc_op_graph *graph, size_t a, size_t b);

/// Returns the layers with their operators in another order, each node once:
/// units and choices.
xc_schedule xc_layers_in_order(const xc_op_graph *graph, const size_t *order);

#endif // XC_TARGET_DPU_CODEGEN_SCHEDULE_OPGRAPH_H
