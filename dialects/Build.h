//===- Build.h - building operators -------------------------------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Importers and passes create operators here: operands by slot, attributes by
// name, the result type by the operator's shape rule.
//
//   xc_builder b = xc_builder_at_end(block);
//   const int64_t two[] = {2, 2};
//   xc_attribute attributes[] = {xc_ints("kernel", two, 2),
//                                xc_ints("stride", two, 2)};
//   MlirValue x = xc_build(&b, XC_TIR_MAXPOOL2D, &input, 1, attributes, 2,
//                          XC_ELEMENT_NONE);
//
//===----------------------------------------------------------------------===//

#ifndef XC_DIALECTS_BUILD_H
#define XC_DIALECTS_BUILD_H

#include "Adaptor.h"
#include "IR/Builder.h"

/// One attribute of an operator to be built; values are borrowed until then.
typedef struct xc_attribute {
  const char *name;
  xc_attribute_type type;
  int64_t number;      // INT, BOOL
  double real;         // FLOAT
  const char *string;  // STRING, terminated
  const int64_t *ints; // INTS
  const float *floats; // FLOATS
  size_t count;        // INTS, FLOATS
  MlirAttribute given; // ELEMENTS, DICTIONARY
} xc_attribute;

xc_attribute xc_int(const char *name, int64_t value);
xc_attribute xc_bool(const char *name, bool value);
xc_attribute xc_float(const char *name, double value);
xc_attribute xc_string(const char *name, const char *value);
xc_attribute xc_ints(const char *name, const int64_t *values, size_t count);
xc_attribute xc_floats(const char *name, const float *values, size_t count);
xc_attribute xc_given(const char *name, MlirAttribute value);

/// Returns the MLIR form of an attribute.
MlirAttribute xc_attribute_get(MlirContext context,
                               const xc_attribute *attribute);

/// Builds a tir operator whose shape rule gives the result shape. `operands`
/// has one entry per slot (trailing ones may be left out; a null value is an
/// absent operand). `element` is the result's element type, or XC_ELEMENT_NONE
/// for that of the first operand. Returns the result, or a null value after a
/// diagnostic at the builder's location.
MlirValue xc_build(const xc_builder *builder, xc_op_kind kind,
                   const MlirValue *operands, size_t num_operands,
                   const xc_attribute *attributes, size_t num_attributes,
                   xc_element element);

/// The same without a diagnostic, for operators that there may not be: with any
/// fix points of a model, say.
MlirValue xc_try_build(const xc_builder *builder, xc_op_kind kind,
                       const MlirValue *operands, size_t num_operands,
                       const xc_attribute *attributes, size_t num_attributes,
                       xc_element element);

/// The same as xc_build for operators whose result shape is free (data,
/// custom).
MlirValue xc_build_shaped(const xc_builder *builder, xc_op_kind kind,
                          const MlirValue *operands, size_t num_operands,
                          const xc_attribute *attributes, size_t num_attributes,
                          const xc_shape *result);

/// Returns the elements attribute of raw little-endian bytes in row-major
/// order, which are copied; i1 has a byte per element.
MlirAttribute xc_dense_attribute(MlirContext context, const void *bytes,
                                 const xc_shape *shape);

/// Returns a tir.const with a `value` of any elements attribute, or with such
/// bytes.
MlirValue xc_build_const(const xc_builder *builder, MlirAttribute value,
                         const xc_shape *shape);
MlirValue xc_build_const_bytes(const xc_builder *builder, const void *bytes,
                               const xc_shape *shape);

/// Returns the bytes of a tir.const or memtx.const: dense, resource or file.
/// Splats are expanded. The caller frees with free(). Returns null for elided
/// contents (no diagnostic), or after a diagnostic when the file of `path`
/// cannot be read.
void *xc_const_bytes(MlirOperation operation, size_t *size);

/// The same without a copy where the attribute has the bytes as they are: it
/// keeps them as long as the context is there. `*copy` is then null, else what
/// the caller frees.
const void *xc_const_contents(MlirOperation operation, size_t *size,
                              void **copy);

/// The number that an f32 constant consists of; false for all other values.
bool xc_const_number(MlirValue value, double *number);

#endif // XC_DIALECTS_BUILD_H
