//===- Converter.c - reading TOSA and building tir ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"

#include "Support/Text.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const MlirValue null_value = {NULL};

static void append_text(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

bool xc_tosa_error(xc_tosa_converter *c, const char *format, ...) {
  if (c->op_failed)
    return false;
  c->op_failed = c->failed = true;
  xc_text text = {0};
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_op_error(c->op, "%s", xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

static bool type_error(xc_tosa_converter *c, const char *what, MlirType type) {
  xc_text text = {0};
  mlirTypePrint(type, append_text, &text);
  xc_tosa_error(c,
                "has %s of type '%s', expected a tensor of static shape and "
                "elements that tir has; 'tosa-infer-shapes' makes "
                "shapes static that follow from those of arguments",
                what, xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

bool xc_tosa_postpone(xc_tosa_converter *c, const char *reason) {
  xc_pointer_map_set(&c->postponed, mlirOperationGetResult(c->op, 0).ptr,
                     (void *)reason);
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

MlirStringRef xc_tosa_name(MlirOperation op) {
  static const char prefix[] = "tosa.";
  enum { LENGTH = sizeof(prefix) - 1 };
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (name.length <= LENGTH || memcmp(name.data, prefix, LENGTH) != 0)
    return mlirStringRefCreate(NULL, 0);
  return mlirStringRefCreate(name.data + LENGTH, name.length - LENGTH);
}

bool xc_tosa_is_any(MlirOperation op) { return xc_tosa_name(op).length > 0; }

bool xc_tosa_is(MlirOperation op, const char *name) {
  return mlirStringRefEqual(xc_tosa_name(op), xc_ref(name));
}

MlirOperation xc_tosa_defined_by(MlirValue value, const char *name) {
  const MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  return xc_tosa_is(op, name) ? op : none;
}

MlirOperation xc_tosa_single_user(MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  if (mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){NULL};
  return mlirOpOperandGetOwner(use);
}

// Makes a value that stands for the result of an operator that failed.
static MlirValue stand_in(xc_tosa_converter *c, MlirValue value) {
  xc_shape shape;
  c->failed = true;
  if (!xc_shape_of_type(mlirValueGetType(value), &shape) ||
      shape.element == XC_ELEMENT_NONE) {
    c->op_failed = true;
    return null_value;
  }
  MlirValue data =
      xc_build_shaped(&c->builder, XC_TIR_DATA, NULL, 0, NULL, 0, &shape);
  xc_op_list_add(&c->built, mlirOpResultGetOwner(data));
  xc_pointer_map_set(&c->values, value.ptr, (void *)data.ptr);
  return data;
}

// A product that was postponed, by itself.
static MlirValue emit_sums(xc_tosa_converter *c, MlirValue value) {
  const xc_tosa_product *product = xc_tosa_product_of(c, value);
  if (!product || c->op_failed)
    return null_value;
  MlirValue sums = xc_tosa_emit_sums(c, product, xc_tosa_shape(value).element);
  if (mlirValueIsNull(sums) ||
      !mlirTypeEqual(mlirValueGetType(sums), mlirValueGetType(value)))
    return null_value;
  xc_pointer_map_set(&c->values, value.ptr, (void *)sums.ptr);
  return sums;
}

MlirValue xc_tosa_value(xc_tosa_converter *c, MlirValue value) {
  void *known = xc_pointer_map_get(&c->values, value.ptr);
  if (known)
    return (MlirValue){known};
  const char *reason = xc_pointer_map_get(&c->postponed, value.ptr);
  if (reason) {
    MlirValue sums = emit_sums(c, value);
    if (!mlirValueIsNull(sums))
      return sums;
    xc_op_error(mlirOpResultGetOwner(value), "%s", reason);
    xc_pointer_map_remove(&c->postponed, value.ptr);
    return stand_in(c, value);
  }
  if (mlirValueIsAOpResult(value) &&
      xc_tosa_is_any(mlirOpResultGetOwner(value)))
    return stand_in(c, value);
  xc_shape shape;
  if (xc_shape_of_type(mlirValueGetType(value), &shape) &&
      shape.element != XC_ELEMENT_NONE && !shape.memref)
    return value;
  type_error(c, "an operand", mlirValueGetType(value));
  return null_value;
}

MlirValue xc_tosa_operand(xc_tosa_converter *c, intptr_t index) {
  return xc_tosa_value(c, mlirOperationGetOperand(c->op, index));
}

xc_shape xc_tosa_shape(MlirValue value) {
  xc_shape shape = {.element = XC_ELEMENT_NONE};
  xc_shape_of_type(mlirValueGetType(value), &shape);
  return shape;
}

xc_shape xc_tosa_result_shape(const xc_tosa_converter *c) {
  return xc_tosa_shape(mlirOperationGetResult(c->op, 0));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

bool xc_tosa_int_array(xc_tosa_converter *c, const char *name, int64_t *ints,
                       size_t count) {
  MlirAttribute array = xc_op_attribute(c->op, name);
  bool is_wide =
      !mlirAttributeIsNull(array) && mlirAttributeIsADenseI64Array(array);
  if ((!is_wide &&
       (mlirAttributeIsNull(array) || !mlirAttributeIsADenseI32Array(array))) ||
      mlirDenseArrayGetNumElements(array) != (intptr_t)count)
    return xc_tosa_error(c, "has no attribute '%s' of %zu integers", name,
                         count);
  for (size_t i = 0; i < count; ++i)
    ints[i] = is_wide ? mlirDenseI64ArrayGetElement(array, (intptr_t)i)
                      : mlirDenseI32ArrayGetElement(array, (intptr_t)i);
  return true;
}

bool xc_tosa_bool(MlirOperation op, const char *name) {
  MlirAttribute attribute = xc_op_attribute(op, name);
  return !mlirAttributeIsNull(attribute) && mlirAttributeIsABool(attribute) &&
         mlirBoolAttrGetValue(attribute);
}

bool xc_tosa_word_is(MlirOperation op, const char *name, const char *word) {
  MlirAttribute attribute = xc_op_attribute(op, name);
  if (mlirAttributeIsNull(attribute))
    return false;
  xc_text text = {0};
  mlirAttributePrint(attribute, append_text, &text);
  bool found = strstr(xc_text_str(&text), word) != NULL;
  xc_text_free(&text);
  return found;
}

bool xc_tosa_axis(xc_tosa_converter *c, size_t rank, int64_t *axis) {
  MlirAttribute attribute = xc_op_attribute(c->op, "axis");
  *axis = -1;
  if (!mlirAttributeIsNull(attribute) && mlirAttributeIsAInteger(attribute))
    *axis = mlirIntegerAttrGetValueInt(attribute);
  return (*axis >= 0 && *axis < (int64_t)rank) ||
         xc_tosa_error(c, "has axis %" PRId64 " of %zu dimensions", *axis,
                       rank);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

const int64_t *xc_tosa_dims(xc_tosa_converter *c, intptr_t index,
                            size_t *count) {
  MlirOperation op =
      xc_tosa_defined_by(mlirOperationGetOperand(c->op, index), "const_shape");
  MlirAttribute values = mlirAttributeGetNull();
  if (!mlirOperationIsNull(op))
    values = xc_op_attribute(op, "values");
  if (mlirAttributeIsNull(values) || !mlirAttributeIsADenseElements(values)) {
    xc_tosa_error(c,
                  "has operand %" PRIdPTR
                  " that is not a 'tosa.const_shape': run "
                  "'tosa-infer-shapes' and 'canonicalize' first",
                  index);
    return NULL;
  }
  *count = (size_t)mlirElementsAttrGetNumElements(values);
  int64_t *dims = xc_arena_alloc(&c->arena, *count + 1, sizeof(*dims));
  for (size_t i = 0; i < *count; ++i)
    dims[i] = (int64_t)mlirDenseElementsAttrGetIndexValue(values, (intptr_t)i);
  return dims;
}

const void *xc_tosa_bytes(xc_tosa_converter *c, MlirValue value) {
  MlirOperation constant = xc_constant_of(value);
  size_t size;
  if (mlirOperationIsNull(constant))
    return NULL;
  void *bytes = xc_const_bytes(constant, &size);
  if (!bytes)
    return NULL;
  void *copy = xc_arena_alloc(&c->arena, size + 1, 1);
  memcpy(copy, bytes, size);
  free(bytes);
  return copy;
}

const int64_t *xc_tosa_ints(xc_tosa_converter *c, MlirValue value,
                            size_t *count) {
  if (mlirValueIsNull(value))
    return NULL;
  xc_shape shape = xc_tosa_shape(value);
  if (xc_element_is_float(shape.element))
    return NULL;
  const unsigned char *bytes = xc_tosa_bytes(c, value);
  if (!bytes)
    return NULL;
  size_t each = xc_element_size(shape.element);
  bool has_sign = xc_element_min(shape.element) < 0;
  *count = (size_t)xc_shape_num_elements(&shape);
  int64_t *ints = xc_arena_alloc(&c->arena, *count + 1, sizeof(*ints));
  for (size_t i = 0; i < *count; ++i) {
    uint64_t number = 0;
    for (size_t k = 0; k < each; ++k)
      number |= (uint64_t)bytes[i * each + k] << (8 * k);
    unsigned spare = 64 - 8 * (unsigned)each;
    ints[i] = has_sign ? (int64_t)(number << spare) >> spare : (int64_t)number;
  }
  return ints;
}

bool xc_tosa_scalar(xc_tosa_converter *c, intptr_t index, const char *what,
                    int64_t *number) {
  MlirValue value = xc_tosa_operand(c, index);
  size_t count;
  *number = 0;
  if (mlirValueIsNull(value))
    return false;
  xc_shape shape = xc_tosa_shape(value);
  if (xc_element_is_float(shape.element)) {
    // Zero points of floats must be 0, constant or not; a sign does not matter.
    const unsigned char *bytes = xc_tosa_bytes(c, value);
    size_t size = xc_element_size(shape.element);
    for (size_t i = 0; bytes && i < size; ++i)
      if (bytes[i] != 0 && !(i == size - 1 && bytes[i] == 0x80))
        return xc_tosa_error(c, "has a %s of floats that is not 0", what);
    return true;
  }
  const int64_t *ints = xc_tosa_ints(c, value, &count);
  if (!ints || count != 1)
    return xc_tosa_error(c, "has a %s that is not a constant", what);
  *number = ints[0];
  return true;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static MlirValue built(xc_tosa_converter *c, MlirValue value) {
  if (mlirValueIsNull(value))
    c->op_failed = c->failed = true; // reported at the location
  else
    xc_op_list_add(&c->built, mlirOpResultGetOwner(value));
  return value;
}

MlirValue xc_tosa_emit(xc_tosa_converter *c, xc_op_kind kind,
                       const MlirValue *operands, size_t num_operands,
                       const xc_attribute *attributes, size_t num_attributes,
                       xc_element element) {
  for (size_t i = 0; i < num_operands; ++i)
    if (mlirValueIsNull(operands[i]))
      return null_value;
  if (c->op_failed)
    return null_value;
  return built(c, xc_build(&c->builder, kind, operands, num_operands,
                           attributes, num_attributes, element));
}

MlirValue xc_tosa_emit_unary(xc_tosa_converter *c, xc_op_kind kind,
                             MlirValue x) {
  return xc_tosa_emit(c, kind, &x, 1, NULL, 0, XC_ELEMENT_NONE);
}

MlirValue xc_tosa_emit_binary(xc_tosa_converter *c, xc_op_kind kind,
                              MlirValue a, MlirValue b) {
  const MlirValue operands[] = {a, b};
  return xc_tosa_emit(c, kind, operands, 2, NULL, 0, XC_ELEMENT_NONE);
}

MlirValue xc_tosa_emit_const(xc_tosa_converter *c, const void *bytes,
                             const xc_shape *shape) {
  return built(c, xc_build_const_bytes(&c->builder, bytes, shape));
}

static MlirValue emit_splat(xc_tosa_converter *c, MlirAttribute number,
                            xc_element element) {
  xc_shape shape = {.element = element};
  MlirAttribute value = mlirDenseElementsAttrSplatGet(
      xc_type_of_shape(c->context, &shape), number);
  return built(c, xc_build_const(&c->builder, value, &shape));
}

MlirValue xc_tosa_emit_number(xc_tosa_converter *c, double number,
                              xc_element element) {
  MlirType type = xc_type_of_element(c->context, element);
  return emit_splat(c, mlirFloatAttrDoubleGet(c->context, type, number),
                    element);
}

MlirValue xc_tosa_emit_int(xc_tosa_converter *c, int64_t number,
                           xc_element element) {
  return emit_splat(
      c, mlirIntegerAttrGet(xc_type_of_element(c->context, element), number),
      element);
}

// The same elements of a constant are shared, not copied.
static MlirValue reshape_constant(xc_tosa_converter *c, MlirOperation constant,
                                  const int64_t *dims, size_t rank) {
  MlirAttribute value = xc_op_attribute(constant, "value");
  xc_shape shape = xc_tosa_shape(xc_op_result(constant)), to = shape;
  if (mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value))
    return null_value;
  to.rank = rank;
  memcpy(to.dims, dims, rank * sizeof(*dims));
  if (xc_shape_num_elements(&to) != xc_shape_num_elements(&shape))
    return null_value;
  MlirAttribute moved =
      mlirDenseElementsAttrReshapeGet(value, xc_type_of_shape(c->context, &to));
  return built(c, xc_build_const(&c->builder, moved, &to));
}

MlirValue xc_tosa_emit_reshape(xc_tosa_converter *c, MlirValue value,
                               const int64_t *dims, size_t rank) {
  MlirOperation constant =
      mlirValueIsNull(value) ? (MlirOperation){NULL} : xc_constant_of(value);
  if (!mlirOperationIsNull(constant)) {
    MlirValue moved = reshape_constant(c, constant, dims, rank);
    if (!mlirValueIsNull(moved))
      return moved;
  }
  const xc_attribute shape = xc_ints("shape", dims, rank);
  return xc_tosa_emit(c, XC_TIR_RESHAPE, &value, 1, &shape, 1, XC_ELEMENT_NONE);
}

MlirValue xc_tosa_emit_cast(xc_tosa_converter *c, MlirValue value,
                            xc_element element) {
  if (mlirValueIsNull(value) || xc_tosa_shape(value).element == element)
    return value;
  return xc_tosa_emit(c, XC_TIR_CAST, &value, 1, NULL, 0, element);
}

MlirValue xc_tosa_emit_concat(xc_tosa_converter *c, const MlirValue *values,
                              size_t count, int64_t axis) {
  enum { MOST = XC_MAX_OPERANDS - 1 };
  const xc_attribute attribute = xc_int("axis", axis);
  if (count == 1)
    return values[0];
  if (count <= MOST)
    return xc_tosa_emit(c, XC_TIR_CONCAT, values, count, &attribute, 1,
                        XC_ELEMENT_NONE);
  size_t groups = (count + MOST - 1) / MOST;
  MlirValue *joined = xc_arena_alloc(&c->arena, groups, sizeof(*joined));
  for (size_t i = 0; i < groups; ++i) {
    size_t left = count - i * MOST;
    joined[i] = xc_tosa_emit_concat(c, values + i * MOST,
                                    left < MOST ? left : MOST, axis);
  }
  return xc_tosa_emit_concat(c, joined, groups, axis);
}

MlirValue xc_tosa_emit_pick(xc_tosa_converter *c, MlirValue value,
                            const int32_t *indices, int64_t count,
                            int64_t axis) {
  const xc_shape shape = {
      .element = XC_ELEMENT_I32, .rank = 1, .dims = {count}};
  const MlirValue operands[] = {value, xc_tosa_emit_const(c, indices, &shape)};
  const xc_attribute attribute = xc_int("axis", axis);
  return xc_tosa_emit(c, XC_TIR_GATHER, operands, 2, &attribute, 1,
                      XC_ELEMENT_NONE);
}

static MlirValue permute_constant(xc_tosa_converter *c,
                                  const unsigned char *bytes,
                                  const xc_shape *from,
                                  const int64_t order[4]) {
  xc_shape to = *from;
  int64_t strides[XC_MAX_RANK], at[4];
  xc_shape_strides(from, strides);
  for (int i = 0; i < 4; ++i)
    to.dims[i] = from->dims[order[i]];
  size_t each = xc_element_size(from->element);
  unsigned char *moved =
      xc_alloc_array((size_t)xc_shape_num_elements(from) + 1, each);
  unsigned char *next = moved;
  for (at[0] = 0; at[0] < to.dims[0]; ++at[0])
    for (at[1] = 0; at[1] < to.dims[1]; ++at[1])
      for (at[2] = 0; at[2] < to.dims[2]; ++at[2])
        for (at[3] = 0; at[3] < to.dims[3]; ++at[3], next += each) {
          int64_t source = 0;
          for (int i = 0; i < 4; ++i)
            source += at[i] * strides[order[i]];
          memcpy(next, bytes + (size_t)source * each, each);
        }
  MlirValue value = xc_tosa_emit_const(c, moved, &to);
  free(moved);
  return value;
}

MlirValue xc_tosa_emit_permuted(xc_tosa_converter *c, MlirValue value,
                                const int64_t order[4]) {
  if (mlirValueIsNull(value))
    return value;
  xc_shape shape = xc_tosa_shape(value);
  const void *bytes = xc_tosa_bytes(c, value);
  if (bytes)
    return permute_constant(c, bytes, &shape, order);
  const xc_attribute attribute = xc_ints("order", order, 4);
  return xc_tosa_emit(c, XC_TIR_TRANSPOSE, &value, 1, &attribute, 1,
                      XC_ELEMENT_NONE);
}

bool xc_tosa_done(xc_tosa_converter *c, MlirValue value) {
  if (mlirValueIsNull(value) || c->op_failed)
    return false;
  MlirValue result = mlirOperationGetResult(c->op, 0);
  if (!mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(result))) {
    xc_text text = {0};
    mlirTypePrint(mlirValueGetType(value), append_text, &text);
    xc_tosa_error(c,
                  "has another result type than '%s', which follows from its "
                  "operands",
                  xc_text_str(&text));
    xc_text_free(&text);
    return false;
  }
  xc_pointer_map_set(&c->values, result.ptr, (void *)value.ptr);
  return true;
}
