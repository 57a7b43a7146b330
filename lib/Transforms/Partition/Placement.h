//===- Placement.h - a placement in the making --------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_PARTITION_PLACEMENT_H
#define XC_TRANSFORMS_PARTITION_PLACEMENT_H

#include "Constraints.h"
#include "Kernels/Match.h"
#include "Support/Memory.h"
#include "xc-c/Partition.h"

/// Why an operator is on the CPU. A null predicate: it is not.
typedef struct xc_reason {
  const char *predicate;
  bool is_border; // of the model or of floating point: nothing a DPU computes
  const char *text;
  const char *key;   // of the target file, or null
  xc_bounds bounds;  // of `row`
  const char *limit; // null when nothing was measured
  const xc_change *changes;
  size_t num_changes;
  const char
      *change; // all of them in words, or null: none that a user can make
} xc_reason;

#define XC_NO_NODE UINT32_MAX

/// An operation of a function body.
typedef struct xc_node {
  MlirOperation operation;
  const xc_op_info *info; // null: not one of xc
  /// Operators only: "conv0", from an attribute or the location, and
  /// "conv2d-fix", or the full name of an operation of another dialect.
  const char *name, *type;
  xc_facts *facts;    // null: not one of xc, or constant data
  const char *kernel; // of a library, that computes it; or null
  xc_reason reason;
  int64_t macs;
  int64_t result_bytes; // all results
  int64_t elements;     // of the first result: work of operators without MACs
  uint32_t first_edge, num_edges; // into xc_placement.edges
  uint32_t stage;
  uint32_t group;
  XcDevice device;
  bool is_storage;
  bool is_ordered; // effects, or unknown: keeps its place among its like
  bool is_forced;  // by the placement file
  bool is_dropped; // of an island that does not pay, or out of reach
  bool has_relu;   // its kernel computes the relu after it
  bool is_returned;
} xc_node;

/// A function that is partitioned; its nodes and groups are consecutive.
typedef struct xc_function {
  MlirOperation operation;
  MlirBlock block;
  uint32_t first_node, num_nodes;
  uint32_t first_edge; // of the values that it returns
  uint32_t first_group, num_groups;
} xc_function;

typedef struct xc_group {
  XcSubgraph info;
  uint32_t function;
  uint32_t first, num_nodes; // into xc_placement.order
  int64_t elements;
  int64_t crossing_bytes; // of the inputs, what other groups make
} xc_group;

typedef struct xc_placement {
  xc_arena arena;
  MlirOperation module;
  const XcDpuTarget *target;
  XcPlacementOptions options;
  xc_kernel_library *library; // in place of a target, or null
  xc_node *nodes;
  size_t num_nodes, node_capacity;
  /// For each operand of each node the node that makes it, or XC_NO_NODE for
  /// an argument of the function.
  uint32_t *edges;
  size_t num_edges, edge_capacity;
  xc_function *functions;
  size_t num_functions, function_capacity;
  xc_group *groups;
  size_t num_groups, group_capacity;
  /// Operators by group, then in program order; as long as nodes.
  uint32_t *order;
  /// Nodes that compute, in program order: the operators that are reported.
  uint32_t *operators;
  size_t num_operators;
  XcUnusedRule *unused; // rules of the placement file
  size_t num_unused;
} xc_placement;

/// Collects functions, nodes and edges (Graph.c). Returns false after a
/// diagnostic.
bool xc_placement_collect(xc_placement *placement);

/// The rules of a placement file, and what they say about an operator.
typedef struct xc_rules xc_rules;
typedef enum xc_ruling {
  XC_RULING_NONE,
  XC_RULING_CPU,
  XC_RULING_DPU,
} xc_ruling;

/// Judges every operator in program order (Graph.c). `rules` may be null.
bool xc_placement_judge(xc_placement *placement, const xc_rules *rules);

/// Judges one operator by a kernel library (Kernels.c): whether a function
/// computes it, alone or with the one before; else the reason is set.
bool xc_placement_judge_kernel(xc_placement *placement, xc_node *node);

/// Whether an operator of the CPU only brings the model's own input or output
/// into the layout of layers, or back; then that takes the place of the reason
/// that is set (Layout.c).
bool xc_placement_explain_layout(const xc_node *node, xc_reason *reason);

/// Groups the operators of each function (Stages.c).
void xc_placement_group(xc_placement *placement);
/// Returns the number of subgraphs of the DPU if more operators were there.
size_t xc_placement_count_with(xc_placement *placement,
                               bool (*is_there)(MlirOperation operation,
                                                const void *user_data),
                               const void *user_data);
/// Divides stages of the CPU that hold operators of the host and others that
/// the board's runtime does not compute (HostOperators.c). Stages of the
/// function's nodes are numbered anew; returns how many there are.
uint32_t xc_placement_set_apart(xc_placement *placement,
                                const xc_function *function, uint32_t stages);
/// Marks the operators of DPU subgraphs that do not pay. Returns false when all
/// pay.
bool xc_placement_drop_islands(xc_placement *placement);
/// Marks operators of DPU subgraphs whose memory addresses do not reach
/// (Reach.c). Returns false when all do.
bool xc_placement_drop_unreachable(xc_placement *placement);

/// Returns the rules of a placement file, kept in the placement's arena; null
/// after a diagnostic (Rules.c).
const xc_rules *xc_rules_load(xc_placement *placement, const char *file);
/// Parses rules from text in memory; `file` names it.
const xc_rules *xc_rules_parse(xc_placement *placement, XcDiag *diag,
                               const char *file, const char *text, size_t size);
/// Returns the entry for the operator of this index. `why` names the rule.
xc_ruling xc_rules_find(const xc_rules *rules, const xc_placement *placement,
                        size_t index, const char **why);

/// Returns the name of a device.
const char *xc_placement_device(const xc_placement *placement, XcDevice device);
/// Returns the name of the target or of the library that the placement is for.
const char *xc_placement_target(const xc_placement *placement);

/// "1x8x8x16xi8" of the first result.
void xc_node_shape(const xc_node *node, xc_text *shape);

#endif // XC_TRANSFORMS_PARTITION_PLACEMENT_H
