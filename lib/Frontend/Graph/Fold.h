//===- Fold.h - constants computed from constants -----------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_FRONTEND_GRAPH_FOLD_H
#define XC_FRONTEND_GRAPH_FOLD_H

#include "Value.h"

//===----------------------------------------------------------------------===//
// Numbers (Number.c, Random.c)
//===----------------------------------------------------------------------===//

/// An element of a constant: integers and i1 in `integer`, floats in `real`.
typedef struct xc_graph_number {
  bool is_float;
  int64_t integer;
  double real;
} xc_graph_number;

/// Returns an element of a constant.
xc_graph_number xc_graph_load(const xc_graph_value *constant, int64_t index);
/// Stores a number as an element of another type: floats truncate towards zero
/// and saturate, integers wrap, i1 is "not zero".
void xc_graph_store(xc_element element, void *data, int64_t index,
                    xc_graph_number number);
double xc_graph_to_real(xc_graph_number number);
int64_t xc_graph_to_int(xc_graph_number number);

/// Fills a constant with numbers from `low` to `high` that are made from the
/// user's seed and its name (Random.c).
bool xc_graph_fill_random(xc_graph *graph, xc_graph_value *value, double low,
                          double high);

//===----------------------------------------------------------------------===//
// Folding (Fold.c)
//===----------------------------------------------------------------------===//
//
// All inputs are constants. Each function sets `result` to a constant with the
// name of the node, or to null where an operator has to do the work: the
// budget is exhausted, or the inputs are not what the operator can take.
// Returns false after an error.

/// Functions of one, two or three elements, with their arities. Integers wrap.
// clang-format off
#define XC_GRAPH_SCALARS(X)                                                    \
  X(ADD, 2) X(SUB, 2) X(MUL, 2) X(DIV, 2) X(FLOOR_DIV, 2) X(REM, 2)            \
  X(FLOOR_MOD, 2) X(MIN, 2) X(MAX, 2)                                          \
  X(EQUAL, 2) X(LESS, 2) X(GREATER, 2) X(LESS_EQUAL, 2) X(GREATER_EQUAL, 2)    \
  X(AND, 2) X(OR, 2) X(XOR, 2)                                                 \
  X(COPY, 1) X(NEG, 1) X(ABS, 1) X(FLOOR, 1) X(CEIL, 1) X(SQRT, 1) X(NOT, 1)   \
  X(SELECT, 3)
// clang-format on

typedef enum xc_graph_scalar {
#define XC_GRAPH_SCALAR(name, arity) XC_GRAPH_##name,
  XC_GRAPH_SCALARS(XC_GRAPH_SCALAR)
#undef XC_GRAPH_SCALAR
} xc_graph_scalar;

/// Returns the number of operands.
size_t xc_graph_scalar_arity(xc_graph_scalar scalar);

/// Computes element by element, with broadcasting, elements of that type.
/// Dividing an integer by zero is an error.
bool xc_graph_fold_elementwise(xc_graph *graph, xc_graph_scalar scalar,
                               xc_graph_value *const *inputs,
                               xc_element element, xc_graph_value **result);
/// Reduces all elements to one, in a shape of one element.
bool xc_graph_fold_reduction(xc_graph *graph, xc_graph_scalar scalar,
                             const xc_graph_value *input, const xc_shape *shape,
                             xc_graph_value **result);
/// Gathers entries along an axis. Negative indices count from the end.
bool xc_graph_fold_gather(xc_graph *graph, const xc_graph_value *input,
                          const xc_graph_value *indices, size_t axis,
                          xc_graph_value **result);
bool xc_graph_fold_concat(xc_graph *graph, xc_graph_value *const *inputs,
                          size_t count, size_t axis, xc_graph_value **result);
/// Where a slice begins, before which element it ends (-1: before the first),
/// and its step, for each dimension.
typedef struct xc_graph_slice {
  int64_t begin[XC_MAX_RANK], end[XC_MAX_RANK], step[XC_MAX_RANK];
} xc_graph_slice;
/// Returns the slice that is all of a tensor.
xc_graph_slice xc_graph_whole(const xc_shape *shape);
bool xc_graph_fold_slice(xc_graph *graph, const xc_graph_value *input,
                         const xc_graph_slice *slice, xc_graph_value **result);
/// Broadcasts a constant of one element to a shape.
bool xc_graph_fold_expand(xc_graph *graph, xc_graph_value *input,
                          const xc_shape *wanted, xc_graph_value **result);

#endif // XC_FRONTEND_GRAPH_FOLD_H
