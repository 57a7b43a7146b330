//===- View.h - an operator as the tables see it ------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifier, shape rules, builders and passes look at operators through a view:
// operand slots instead of positions, attributes with their defaults. A view
// also exists before its operation does, so that a builder can compute the
// result type by the very rule that the verifier checks.
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_VIEW_H
#define XC_DIALECTS_VIEW_H

#include "OpInfo.h"
#include "xc-c/Support.h"

#include "mlir-c/IR.h"

/// A ranked, static tensor or buffer type.
typedef struct xc_shape {
  xc_element element; // XC_ELEMENT_NONE: none of ours
  size_t rank;
  int64_t dims[XC_MAX_RANK];
  bool memref;
} xc_shape;

typedef struct xc_view {
  const xc_op_info *info;
  MlirLocation location;
  MlirOperation operation;  // null while the operation is being built
  MlirAttribute dictionary; // the attributes while it is being built
  /// By slot; a null type stands for an absent operand.
  MlirType operand_types[XC_MAX_OPERANDS];
  /// By slot; -1 for an absent operand. Positions among the op's operands.
  int positions[XC_MAX_OPERANDS];
} xc_view;

/// The table row of an operation, or null when it is none of ours.
const xc_op_info *xc_op_info_of(MlirOperation operation);
/// The tir.const that makes a value, or null.
MlirOperation xc_constant_of(MlirValue value);

/// Fills the view of an operation of ours. False when the operands do not fit
/// the table; `xc_verify_operation` says how.
bool xc_view_operation(MlirOperation operation, xc_view *view);

/// Number of inputs given: the operands without the mtir output.
size_t xc_view_num_inputs(const xc_view *view);
bool xc_view_has_operand(const xc_view *view, size_t slot);
/// The value of a slot; the operation must exist and have the operand.
MlirValue xc_view_operand(const xc_view *view, size_t slot);

/// Reads a shape. False for types that are not ranked and static, have more
/// than XC_MAX_RANK dimensions or 2^62 bytes and more.
bool xc_shape_of_type(MlirType type, xc_shape *shape);
xc_element xc_element_of_type(MlirType element);
MlirType xc_type_of_element(MlirContext context, xc_element element);
/// The type of a shape: memref or tensor.
MlirType xc_type_of_shape(MlirContext context, const xc_shape *shape);
int64_t xc_shape_num_elements(const xc_shape *shape);

/// Shape of an operand that the verifier has accepted or a rule has checked.
xc_shape xc_view_shape(const xc_view *view, size_t slot);

/// The attribute as it stands, or null.
MlirAttribute xc_view_attribute(const xc_view *view, const char *name);
/// Values with the table's defaults. The attribute must be in the table and
/// have passed the attribute checks (the rules run after them).
int64_t xc_view_int(const xc_view *view, const char *name);
bool xc_view_bool(const xc_view *view, const char *name);
double xc_view_float(const xc_view *view, const char *name);
/// A borrowed, terminated word of a closed set or default; for free text use
/// xc_view_attribute.
const char *xc_view_word(const xc_view *view, const char *name);
/// Fills at most XC_MAX_INTS entries and returns how many there are, which can
/// be more (0 when the attribute is absent without default). Entries that may
/// be one per channel are read with xc_view_int_at.
size_t xc_view_ints(const xc_view *view, const char *name,
                    int64_t ints[XC_MAX_INTS]);
int64_t xc_view_int_at(const xc_view *view, const char *name, size_t index);
/// The entries of a float array (0 when absent); `values` may be null to count.
size_t xc_view_floats(const xc_view *view, const char *name, double *values,
                      size_t capacity);

/// Emits `'tir.x' op message` at the operator. Returns false.
bool xc_view_error(const xc_view *view, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

/// Appends "1x8x8x256xi8".
struct xc_text;
void xc_shape_print(const xc_shape *shape, struct xc_text *text);

#endif // XC_DIALECTS_VIEW_H
