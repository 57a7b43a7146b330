//===- Value.h - values and their forms ---------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of the model has a shape in the model's order of dimensions, and any
// number of forms: MLIR values that hold it with the dimensions permuted.
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_GRAPH_VALUE_H
#define XC_FRONTEND_GRAPH_VALUE_H

#include "Graph.h"

/// Dimension j of the form is dimension order[j] of the model's value.
typedef struct xc_graph_order {
  uint8_t dim[XC_MAX_RANK];
} xc_graph_order;

typedef struct xc_graph_form {
  MlirValue value;
  xc_graph_order order;
  struct xc_graph_form *next;
} xc_graph_form;

/// Scales and zero points that quantise or dequantise another value.
typedef struct xc_graph_linear {
  bool quantizes;
  size_t axis; // in the model's order; only with count > 1
  size_t count;
  const float *scales;
  const int64_t *zero_points; // as many
} xc_graph_linear;

typedef struct xc_graph_value {
  const char *name; // in the model, for messages and locations
  xc_shape shape;   // in the model's order
  /// A constant: bytes in row-major order, one element when `splat`.
  const uint8_t *data;
  bool splat;
  /// A value computed from another when it is used.
  const xc_graph_linear *linear;
  struct xc_graph_value *source;
  unsigned depth; // of the chain of sources
  /// The value that it was reshaped from, or null. A user that takes the
  /// elements in another order anyhow need not have them moved first.
  struct xc_graph_value *origin;
  /// Data of the front end, which an alias, a transpose and a reshape keep.
  const void *note;
  const char *op_name;
  xc_graph_form *forms; // the oldest first
  /// An argument that is better taken channels last, though it comes plain.
  bool wants_channels_last;
} xc_graph_value;

/// Returns the value of that name, or null.
xc_graph_value *xc_graph_find(const xc_graph *graph, const char *name);
/// Enters a value under its name. Reports an error when it is defined already.
bool xc_graph_define(xc_graph *graph, const char *name, xc_graph_value *value);

/// Opens a scope for a graph within the graph: names defined until it is closed
/// are its own and may hide others. Scopes nest; values stay.
void xc_graph_open_scope(xc_graph *graph);
void xc_graph_close_scope(xc_graph *graph);

/// Facts about a name besides its value.
typedef struct xc_graph_marks {
  bool is_computed, is_input; // in the file
  bool is_needed, is_cut;     // by Cut.c
  bool is_shaped;             // by --input-shape
  bool varies;                // computed from inputs (xc_graph_values_before)
  bool is_taken;              // a name that no new value may get
  unsigned displays;          // names that end with it (xc_graph_display_names)
} xc_graph_marks;
/// Returns the marks of a name, which is entered if it is new. They are valid
/// until the next name is entered.
xc_graph_marks *xc_graph_mark(xc_graph *graph, const char *name);
/// Returns the one copy of all equal names, which is entered if it is new: a
/// key for maps of pointers.
const char *xc_graph_intern(xc_graph *graph, const char *name);
/// Returns the marks of a name; an unknown one has none.
xc_graph_marks xc_graph_marks_of(const xc_graph *graph, const char *name);

xc_graph_value *xc_graph_new_value(xc_graph *graph, const char *name,
                                   const xc_shape *shape);
xc_graph_value *xc_graph_constant(xc_graph *graph, const char *name,
                                  const xc_shape *shape, const void *data,
                                  bool splat);
/// Makes a value of the result of an operator, whose dimensions are in that
/// order.
xc_graph_value *xc_graph_computed(xc_graph *graph, const char *name,
                                  MlirValue mlir, const xc_graph_order *order);
/// Makes a value of a quantising or dequantising operator, which is emitted
/// when the value is used.
xc_graph_value *xc_graph_quantised(xc_graph *graph, xc_graph_value *source,
                                   const xc_graph_linear *linear,
                                   xc_element element);
/// Makes a value of the same content with another name.
xc_graph_value *xc_graph_alias(xc_graph *graph, const char *name,
                               const xc_graph_value *value);
void xc_graph_add_form(xc_graph *graph, xc_graph_value *value, MlirValue mlir,
                       const xc_graph_order *order);

xc_graph_order xc_graph_identity(size_t rank);
/// Returns the order that puts channels last: 0, 2, ..., rank - 1, 1.
xc_graph_order xc_graph_channels_last(size_t rank);
bool xc_graph_order_equal(const xc_graph_order *a, const xc_graph_order *b,
                          size_t rank);
/// Returns which dimension of a form is the model's dimension `dim`.
size_t xc_graph_position(const xc_graph_order *order, size_t dim);
/// Returns the order in which the value is cheapest to take: that of a form
/// that is there, or, of an argument, of one that it gets at the first use.
xc_graph_order xc_graph_cheapest(const xc_graph_value *value);
xc_shape xc_graph_permuted(const xc_shape *shape, const xc_graph_order *order);
/// Whether going from one order to the other leaves the elements where they
/// are: the dimensions other than 1 come in the same sequence.
bool xc_graph_keeps_data(const xc_shape *shape, const xc_graph_order *from,
                         const xc_graph_order *to);

/// Whether a value consists of constants: its elements move at compile time.
bool xc_graph_is_constant(MlirValue value);

/// Returns the form of a value in this order, which is emitted if it is
/// missing.
MlirValue xc_graph_get(xc_graph *graph, xc_graph_value *value,
                       const xc_graph_order *order);
MlirValue xc_graph_get_plain(xc_graph *graph, xc_graph_value *value);
MlirValue xc_graph_get_channels_last(xc_graph *graph, xc_graph_value *value);

/// Permutes a value: dimension i is taken from dimension order[i].
xc_graph_value *xc_graph_transpose(xc_graph *graph, xc_graph_value *value,
                                   const xc_graph_order *order);
/// Reshapes a value to a shape of as many elements (Reshape.c).
xc_graph_value *xc_graph_reshape(xc_graph *graph, xc_graph_value *value,
                                 const int64_t *dims, size_t rank);
/// Brings operands to one common order and rank, chosen so that little moves.
/// Operands of lower rank get leading ones (Reshape.c).
bool xc_graph_broadcast(xc_graph *graph, xc_graph_value *const *values,
                        size_t count, MlirValue *operands,
                        xc_graph_order *order);

#endif // XC_FRONTEND_GRAPH_VALUE_H
