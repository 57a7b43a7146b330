//===- Emit.h - creation of operators -----------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_GRAPH_EMIT_H
#define XC_FRONTEND_GRAPH_EMIT_H

#include "Graph.h"

/// Attributes for an operator to be created.
typedef struct xc_attributes {
  const xc_attribute *items;
  size_t count;
} xc_attributes;

/// The attributes of an array.
#define XC_ATTRIBUTES(array)                                                   \
  (&(const xc_attributes){array, sizeof(array) / sizeof(*(array))})

/// Returns `graph->builder` at the location of the node that computes the
/// tensor `name`.
xc_builder xc_graph_builder(const xc_graph *graph, const char *name);

/// Creates the operator of that name. `attributes` may be null, and their
/// integers must fit the 32 bits that tir has for them; `element` is that of
/// xc_build.
MlirValue xc_graph_build(xc_graph *graph, const char *name, xc_op_kind kind,
                         const MlirValue *operands, size_t num_operands,
                         const xc_attributes *attributes, xc_element element);

/// Creates the main operator of the node, or, with a part, one beside it with
/// the op_name "<node>/<part>".
MlirValue xc_graph_emit(xc_graph *graph, const char *part, xc_op_kind kind,
                        const MlirValue *operands, size_t num_operands,
                        const xc_attributes *attributes, xc_element element);
/// Creates an operator of one or two operands without attributes; `b` may be
/// null.
MlirValue xc_graph_emit_binary(xc_graph *graph, const char *part,
                               xc_op_kind kind, MlirValue a, MlirValue b);
/// Creates an operator whose second operand is a constant of a's element type.
MlirValue xc_graph_emit_with(xc_graph *graph, const char *part, xc_op_kind kind,
                             MlirValue a, double number);
/// Creates a tir.custom of that type and shape. The payload, which the host's
/// kernel gets, is a dictionary.
MlirValue xc_graph_emit_custom(xc_graph *graph, const char *type,
                               const MlirValue *operands, size_t num_operands,
                               MlirAttribute payload, const xc_shape *shape);
/// Converts the elements to another type.
MlirValue xc_graph_emit_cast(xc_graph *graph, const char *part, MlirValue value,
                             xc_element element);
/// Creates a constant of rank 0.
MlirValue xc_graph_emit_number(xc_graph *graph, double number,
                               xc_element element);
/// Maps elements so that their order reverses: floats to -x; integers, whose
/// smallest has no negative, to -1 - x, and unsigned ones to the largest less
/// x.
MlirValue xc_graph_emit_reverse(xc_graph *graph, const char *part, MlirValue x);

#endif // XC_FRONTEND_GRAPH_EMIT_H
