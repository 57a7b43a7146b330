//===- Standard.h - CPU parts as operators of the board's runtime -*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vendor's runtime has operators of its own for CPU subgraphs. Those of
// single precision that are rounded once - sums, products, quotients, moves -
// give the bits that xc gives; exponentials and sums of many elements need not.
// A part that can be written by the former alone needs no plug-in on a board.
// Operators that only the host knows stay what they are: whoever made them has
// a library for the board.
//
//===----------------------------------------------------------------------===//

#ifndef XC_DRIVER_STANDARD_H
#define XC_DRIVER_STANDARD_H

#include "Support/Memory.h"
#include "Support/PointerMap.h"
#include "dialects/Adaptor.h"
#include "xc-c/XModelMixed.h"

#include "mlir-c/IR.h"

/// Attributes of an operator besides its inputs and its tensor.
typedef struct xc_standard_attrs {
  bool has_fix_point; // between float and 8 bits
  int32_t fix_point;
  const char *list_name; // of int32_vec, or null: "order"
  int32_t list[XC_MAX_RANK];
  size_t list_size;
  const float *data; // of a constant, or null
  size_t data_size;
  MlirAttribute payload; // of an operator of the source, or null
} xc_standard_attrs;

enum { XC_STANDARD_MAX_INPUTS = 8 };

/// Values are numbers: the part's inputs, then its operators.
typedef struct xc_standard_op {
  const char *type;
  const char *name;     // of a result of the part; else null, until it is given
  MlirOperation source; // whose result it computes, or null
  size_t inputs[XC_STANDARD_MAX_INPUTS], num_inputs;
  xc_shape shape; // with the first dimension that a board wants
  xc_standard_attrs attrs;
} xc_standard_op;

typedef struct xc_standard {
  xc_arena *arena;
  xc_shape *inputs;
  size_t num_inputs;
  xc_standard_op *ops; // owned
  size_t num_ops, capacity;
  xc_pointer_map values; // while it is made: from values to numbers + 1
  /// Operations that have no exact form. With one of them, or if the results
  /// are no operators of their own, the rest stands for nothing.
  MlirOperation *others; // owned
  size_t num_others, other_capacity;
  bool is_exact;
} xc_standard;

/// Rewrites a function of tir whose results have the names of `outputs`. Free
/// the result.
xc_standard xc_standard_create(MlirOperation function,
                               const XcXModelPort *outputs, xc_arena *arena);
void xc_standard_free(xc_standard *standard);

/// Whether an operator has an exact form.
bool xc_standard_has_form(MlirOperation operation);

/// Adds the operators, which all have names by now, to a CPU subgraph whose
/// inputs are computed by the operators `inputs` and whose results are
/// `outputs`.
void xc_standard_write(const xc_standard *standard, XcXModel *model,
                       XcXModelSubgraph *subgraph, const char *const *inputs,
                       const XcXModelPort *outputs, size_t num_outputs);

//===----------------------------------------------------------------------===//
// Inside
//===----------------------------------------------------------------------===//

/// Returns the shape that a tensor has in the file: it begins with a dimension
/// of 1.
xc_shape xc_standard_shape(const xc_shape *shape);
const xc_shape *xc_standard_shape_of(const xc_standard *s, size_t value);
/// Appends an operator, and gives its value.
size_t xc_standard_add(xc_standard *s, const xc_standard_op *op);

/// Rewrites an operator and gives its result in `value`. `operands` are by
/// slot. Returns false if it has no exact form.
bool xc_standard_lower(xc_standard *s, const xc_adaptor *op,
                       const size_t *operands, size_t *value);

#endif // XC_DRIVER_STANDARD_H
