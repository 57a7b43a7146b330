//===- Adaptor.h - typed access to operators ----------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifier, shape rules, builders and passes read operators through an adaptor:
// operand slots instead of positions, attributes with the defaults of ODS. An
// adaptor also exists before its operation does, so that a builder can compute
// the result type by the very rule that the verifier checks.
//
//   xc_adaptor op;
//   if (!xc_adaptor_of(operation, &op))
//     return false;
//   xc_shape weight = xc_operand_shape(&op, XC_CONV2D_WEIGHT);
//   int64_t group = xc_attr_int(&op, XC_ATTR_GROUP);
//   bool same = xc_attr_is(&op, XC_ATTR_PAD_MODE, XC_ENUM_SAME);
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_ADAPTOR_H
#define XC_DIALECTS_ADAPTOR_H

#include "OpInfo.h"
#include "xc-c/Support.h"

#include "mlir-c/IR.h"

/// A ranked, static tensor or buffer type.
typedef struct xc_shape {
  xc_element element; // XC_ELEMENT_NONE: not one of xc
  size_t rank;
  int64_t dims[XC_MAX_RANK];
  bool memref;
} xc_shape;

/// Of a row of a tir.table: one for each byte.
enum { XC_TABLE_ENTRIES = 256 };

typedef struct xc_adaptor {
  const xc_op_info *info;
  MlirLocation location;
  MlirOperation operation;  // null while the operation is being built
  MlirAttribute dictionary; // the attributes while it is being built
  bool quiet;               // whether it is valid is asked: no diagnostics
  /// By slot; a null type stands for an absent operand.
  MlirType operand_types[XC_MAX_OPERANDS];
  /// By slot; -1 for an absent operand. Positions among the op's operands.
  int positions[XC_MAX_OPERANDS];
} xc_adaptor;

/// Returns the table row of an operation, or null when it is not one of xc.
const xc_op_info *xc_op_info_of(MlirOperation operation);
/// Returns the tir.const or memtx.const that makes a value, or null.
MlirOperation xc_constant_of(MlirValue value);

/// The adaptor of an operation of our dialects. Returns false when the operands
/// do not fit the table; `xc_verify_operation` says how.
bool xc_adaptor_of(MlirOperation operation, xc_adaptor *op);
/// The same of a tir operator; false for others.
bool xc_adaptor_of_tir(MlirOperation operation, xc_adaptor *op);

//===----------------------------------------------------------------------===//
// Operands: slots are the generated XC_<OPERATOR>_<OPERAND>
//===----------------------------------------------------------------------===//

/// Number of inputs given: the operands without the mtir output.
size_t xc_num_inputs(const xc_adaptor *op);
bool xc_has_operand(const xc_adaptor *op, size_t slot);
/// Returns the value of a slot; the operation must exist and have the operand.
MlirValue xc_operand(const xc_adaptor *op, size_t slot);
/// Shape of an operand that the verifier has accepted or a rule has checked.
xc_shape xc_operand_shape(const xc_adaptor *op, size_t slot);
/// Shape of the result, or of the mtir output; the operation must exist.
xc_shape xc_result_shape(const xc_adaptor *op);

/// Reads a shape. Returns false for types that are not ranked and static, have
/// more than XC_MAX_RANK dimensions or 2^62 bytes and more.
bool xc_shape_of_type(MlirType type, xc_shape *shape);
/// Returns the shape of a value; of element XC_ELEMENT_NONE and without
/// dimensions for those types, and for a null value.
xc_shape xc_value_shape(MlirValue value);
bool xc_same_dims(const xc_shape *a, const xc_shape *b);
MlirType xc_type_of_element(MlirContext context, xc_element element);
/// Returns the type of a shape: memref or tensor.
MlirType xc_type_of_shape(MlirContext context, const xc_shape *shape);
int64_t xc_shape_num_elements(const xc_shape *shape);
/// Row-major strides.
void xc_shape_strides(const xc_shape *shape, int64_t strides[XC_MAX_RANK]);
/// Product of the dimensions before (after) `axis`.
int64_t xc_shape_outer(const xc_shape *shape, size_t axis);
int64_t xc_shape_inner(const xc_shape *shape, size_t axis);

//===----------------------------------------------------------------------===//
// Attributes: values with the table's defaults
//===----------------------------------------------------------------------===//

/// Whether the table gives the operator this attribute.
bool xc_has_attr(const xc_adaptor *op, xc_attr id);
/// Whether the table lets an integer, or an entry of integers, have the value.
bool xc_attr_takes(const xc_adaptor *op, xc_attr id, int64_t value);
/// Returns the attribute as it stands, or null.
MlirAttribute xc_attr_get(const xc_adaptor *op, xc_attr id);
/// Returns an attribute of any operation, xc or not.
MlirAttribute xc_operation_attr(MlirOperation operation, xc_attr id);

/// For the rest the attribute must be in the table and have passed the
/// attribute checks (the rules run after them).
int64_t xc_attr_int(const xc_adaptor *op, xc_attr id);
bool xc_attr_bool(const xc_adaptor *op, xc_attr id);
double xc_attr_float(const xc_adaptor *op, xc_attr id);
/// Returns a string enum; XC_ENUM_ABSENT without attribute and default. For
/// free text use xc_attr_get.
xc_enum xc_attr_enum(const xc_adaptor *op, xc_attr id);
bool xc_attr_is(const xc_adaptor *op, xc_attr id, xc_enum value);
/// Fills at most XC_MAX_INTS entries and returns how many there are, which can
/// be more (0 when the attribute is absent without default). Entries that may
/// be one per channel are read with xc_attr_int_at.
size_t xc_attr_ints(const xc_adaptor *op, xc_attr id,
                    int64_t ints[XC_MAX_INTS]);
/// Whether all entries of an integer array are `value`.
bool xc_attr_all(const xc_adaptor *op, xc_attr id, int64_t value);
int64_t xc_attr_int_at(const xc_adaptor *op, xc_attr id, size_t index);
/// Reads the entries of a float array (0 when absent); `values` may be null to
/// count.
size_t xc_attr_floats(const xc_adaptor *op, xc_attr id, double *values,
                      size_t capacity);

/// Returns the attribute `axis` as 0..rank-1 of the first operand.
size_t xc_axis_of(const xc_adaptor *op);
/// Marks the axes of a list `axis`; returns how many elements they have.
int64_t xc_reduced_axes(const xc_adaptor *op, bool reduced[XC_MAX_RANK]);

/// Sets `kind` to the operator by which a scatter combines a row with an update
/// (ADD, MUL, MIN or MAX). Returns false where the update replaces the row.
bool xc_scatter_combines(const xc_adaptor *op, xc_op_kind *kind);

/// Emits `'tir.x' op message` at the operator. Returns false.
bool xc_adaptor_error(const xc_adaptor *op, const char *format, ...)
    XC_PRINTF_FORMAT(2, 3);

/// Appends "1x8x8x256xi8".
struct xc_text;
void xc_shape_print(const xc_shape *shape, struct xc_text *text);

#endif // XC_DIALECTS_ADAPTOR_H
