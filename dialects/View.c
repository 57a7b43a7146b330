//===- View.c - an operator as the tables see it --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "View.h"

#include "Emit.h"
#include "Support/Text.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

const xc_op_info *xc_op_info_of(MlirOperation operation) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  return xc_op_info_find(name.data, name.length);
}

MlirOperation xc_constant_of(MlirValue value) {
  MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation owner = mlirOpResultGetOwner(value);
  const xc_op_info *info = xc_op_info_of(owner);
  return info && info->kind == XC_TIR_CONST ? owner : none;
}

static MlirAttribute get_attribute(MlirOperation operation,
                                   MlirAttribute dictionary,
                                   MlirStringRef name) {
  if (!mlirOperationIsNull(operation))
    return mlirOperationGetAttributeByName(operation, name);
  return mlirDictionaryAttrGetElementByName(dictionary, name);
}

// Spreads the operands over the slots; the table allows one optional operand
// unless the operator is segmented.
static bool place_unsegmented(const xc_op_info *info, intptr_t count,
                              int positions[XC_MAX_OPERANDS]) {
  intptr_t absent = (intptr_t)info->num_operands - count;
  if (absent < 0)
    return false;
  int position = 0;
  for (size_t slot = 0; slot < info->num_operands; ++slot) {
    bool skip = info->operands[slot].optional && absent > 0;
    positions[slot] = skip ? -1 : position++;
    absent -= skip;
  }
  return absent == 0;
}

static bool place_segmented(const xc_view *view, intptr_t count,
                            int positions[XC_MAX_OPERANDS]) {
  MlirAttribute sizes =
      get_attribute(view->operation, view->dictionary,
                    mlirStringRefCreateFromCString("operandSegmentSizes"));
  if (mlirAttributeIsNull(sizes) || !mlirAttributeIsADenseI32Array(sizes) ||
      mlirDenseArrayGetNumElements(sizes) != (intptr_t)view->info->num_operands)
    return false;
  int position = 0;
  for (size_t slot = 0; slot < view->info->num_operands; ++slot) {
    int32_t size = mlirDenseI32ArrayGetElement(sizes, (intptr_t)slot);
    if (size != 1 && !(size == 0 && view->info->operands[slot].optional))
      return false;
    positions[slot] = size ? position++ : -1;
  }
  return position == count;
}

bool xc_view_operation(MlirOperation operation, xc_view *view) {
  *view = (xc_view){.info = xc_op_info_of(operation),
                    .location = mlirOperationGetLocation(operation),
                    .operation = operation};
  assert(view->info && "only operators of the tables have views");
  intptr_t count = mlirOperationGetNumOperands(operation);
  bool placed = view->info->segmented
                    ? place_segmented(view, count, view->positions)
                    : place_unsegmented(view->info, count, view->positions);
  if (!placed)
    return false;
  for (size_t slot = 0; slot < view->info->num_operands; ++slot)
    if (view->positions[slot] >= 0)
      view->operand_types[slot] = mlirValueGetType(
          mlirOperationGetOperand(operation, view->positions[slot]));
  return true;
}

size_t xc_view_num_inputs(const xc_view *view) {
  size_t slots = view->info->num_operands;
  if (view->info->dialect == XC_DIALECT_MTIR)
    --slots;
  size_t count = 0;
  for (size_t slot = 0; slot < slots; ++slot)
    count += xc_view_has_operand(view, slot);
  return count;
}

bool xc_view_has_operand(const xc_view *view, size_t slot) {
  return !mlirTypeIsNull(view->operand_types[slot]);
}

MlirValue xc_view_operand(const xc_view *view, size_t slot) {
  assert(!mlirOperationIsNull(view->operation) && view->positions[slot] >= 0 &&
         "only operands that are there can be had");
  return mlirOperationGetOperand(view->operation, view->positions[slot]);
}

xc_element xc_element_of_type(MlirType element) {
  if (mlirTypeIsAF32(element))
    return XC_ELEMENT_F32;
  if (mlirTypeIsAF16(element))
    return XC_ELEMENT_F16;
  if (mlirTypeIsABF16(element))
    return XC_ELEMENT_BF16;
  if (mlirTypeIsAF64(element))
    return XC_ELEMENT_F64;
  if (!mlirTypeIsAInteger(element) || mlirIntegerTypeIsSigned(element))
    return XC_ELEMENT_NONE;
  bool is_unsigned = mlirIntegerTypeIsUnsigned(element);
  switch (mlirIntegerTypeGetWidth(element)) {
  case 1:
    return is_unsigned ? XC_ELEMENT_NONE : XC_ELEMENT_I1;
  case 8:
    return is_unsigned ? XC_ELEMENT_UI8 : XC_ELEMENT_I8;
  case 16:
    return is_unsigned ? XC_ELEMENT_UI16 : XC_ELEMENT_I16;
  case 32:
    return is_unsigned ? XC_ELEMENT_UI32 : XC_ELEMENT_I32;
  case 64:
    return is_unsigned ? XC_ELEMENT_UI64 : XC_ELEMENT_I64;
  }
  return XC_ELEMENT_NONE;
}

MlirType xc_type_of_element(MlirContext context, xc_element element) {
  switch (element) {
  case XC_ELEMENT_F16:
    return mlirF16TypeGet(context);
  case XC_ELEMENT_BF16:
    return mlirBF16TypeGet(context);
  case XC_ELEMENT_F32:
    return mlirF32TypeGet(context);
  case XC_ELEMENT_F64:
    return mlirF64TypeGet(context);
  case XC_ELEMENT_I1:
    return mlirIntegerTypeGet(context, 1);
  case XC_ELEMENT_I8:
    return mlirIntegerTypeGet(context, 8);
  case XC_ELEMENT_I16:
    return mlirIntegerTypeGet(context, 16);
  case XC_ELEMENT_I32:
    return mlirIntegerTypeGet(context, 32);
  case XC_ELEMENT_I64:
    return mlirIntegerTypeGet(context, 64);
  case XC_ELEMENT_UI8:
    return mlirIntegerTypeUnsignedGet(context, 8);
  case XC_ELEMENT_UI16:
    return mlirIntegerTypeUnsignedGet(context, 16);
  case XC_ELEMENT_UI32:
    return mlirIntegerTypeUnsignedGet(context, 32);
  case XC_ELEMENT_UI64:
    return mlirIntegerTypeUnsignedGet(context, 64);
  case XC_ELEMENT_NONE:
    break;
  }
  assert(false && "no element type has no MLIR type");
  return (MlirType){NULL};
}

bool xc_shape_of_type(MlirType type, xc_shape *shape) {
  bool tensor = mlirTypeIsARankedTensor(type);
  if (!tensor && !mlirTypeIsAMemRef(type))
    return false;
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank > XC_MAX_RANK || !mlirShapedTypeHasStaticShape(type))
    return false;
  *shape = (xc_shape){
      .element = xc_element_of_type(mlirShapedTypeGetElementType(type)),
      .rank = (size_t)rank,
      .memref = !tensor};
  const int64_t limit = INT64_C(1) << 59; // elements of up to 8 bytes
  int64_t count = 1;
  for (size_t i = 0; i < shape->rank; ++i) {
    shape->dims[i] = mlirShapedTypeGetDimSize(type, (intptr_t)i);
    if (shape->dims[i] != 0 && count > limit / shape->dims[i])
      return false;
    count *= shape->dims[i];
  }
  return true;
}

MlirType xc_type_of_shape(MlirContext context, const xc_shape *shape) {
  MlirType element = xc_type_of_element(context, shape->element);
  intptr_t rank = (intptr_t)shape->rank;
  if (shape->memref)
    return mlirMemRefTypeContiguousGet(element, rank, shape->dims,
                                       mlirAttributeGetNull());
  return mlirRankedTensorTypeGet(rank, shape->dims, element,
                                 mlirAttributeGetNull());
}

int64_t xc_shape_num_elements(const xc_shape *shape) {
  int64_t count = 1;
  for (size_t i = 0; i < shape->rank; ++i)
    count *= shape->dims[i];
  return count;
}

xc_shape xc_view_shape(const xc_view *view, size_t slot) {
  xc_shape shape = {0};
  bool known = xc_view_has_operand(view, slot) &&
               xc_shape_of_type(view->operand_types[slot], &shape);
  assert(known && "rules run on operands that were checked");
  (void)known;
  return shape;
}

MlirAttribute xc_view_attribute(const xc_view *view, const char *name) {
  return get_attribute(view->operation, view->dictionary,
                       mlirStringRefCreateFromCString(name));
}

static const xc_attribute_info *row_of(const xc_view *view, const char *name,
                                       xc_attribute_type type) {
  const xc_attribute_info *row =
      xc_attribute_info_find(view->info, name, strlen(name));
  assert(row && row->type == type && "the table has this attribute");
  (void)type;
  return row;
}

int64_t xc_view_int(const xc_view *view, const char *name) {
  const xc_attribute_info *row = row_of(view, name, XC_ATTRIBUTE_INT);
  MlirAttribute attribute = xc_view_attribute(view, name);
  return mlirAttributeIsNull(attribute) ? row->default_int
                                        : mlirIntegerAttrGetValueInt(attribute);
}

bool xc_view_bool(const xc_view *view, const char *name) {
  const xc_attribute_info *row = row_of(view, name, XC_ATTRIBUTE_BOOL);
  MlirAttribute attribute = xc_view_attribute(view, name);
  return mlirAttributeIsNull(attribute) ? row->default_int != 0
                                        : mlirBoolAttrGetValue(attribute);
}

double xc_view_float(const xc_view *view, const char *name) {
  const xc_attribute_info *row = row_of(view, name, XC_ATTRIBUTE_FLOAT);
  MlirAttribute attribute = xc_view_attribute(view, name);
  return mlirAttributeIsNull(attribute)
             ? (double)row->default_float
             : mlirFloatAttrGetValueDouble(attribute);
}

const char *xc_view_word(const xc_view *view, const char *name) {
  const xc_attribute_info *row = row_of(view, name, XC_ATTRIBUTE_STRING);
  MlirAttribute attribute = xc_view_attribute(view, name);
  if (mlirAttributeIsNull(attribute))
    return row->default_string;
  MlirStringRef word = mlirStringAttrGetValue(attribute);
  for (const char *const *each = row->cases; each && *each; ++each)
    if (strlen(*each) == word.length &&
        memcmp(*each, word.data, word.length) == 0)
      return *each;
  assert(false && "the attribute checks allow the words of the table only");
  return row->default_string;
}

size_t xc_view_ints(const xc_view *view, const char *name,
                    int64_t ints[XC_MAX_INTS]) {
  const xc_attribute_info *row = row_of(view, name, XC_ATTRIBUTE_INTS);
  MlirAttribute attribute = xc_view_attribute(view, name);
  if (mlirAttributeIsNull(attribute)) {
    for (size_t i = 0; i < row->default_count; ++i)
      ints[i] = row->default_ints[i];
    return row->default_count;
  }
  size_t count = (size_t)mlirArrayAttrGetNumElements(attribute);
  for (size_t i = 0; i < count && i < XC_MAX_INTS; ++i)
    ints[i] = mlirIntegerAttrGetValueInt(
        mlirArrayAttrGetElement(attribute, (intptr_t)i));
  return count;
}

int64_t xc_view_int_at(const xc_view *view, const char *name, size_t index) {
  MlirAttribute attribute = xc_view_attribute(view, name);
  return mlirIntegerAttrGetValueInt(
      mlirArrayAttrGetElement(attribute, (intptr_t)index));
}

size_t xc_view_floats(const xc_view *view, const char *name, double *values,
                      size_t capacity) {
  (void)row_of(view, name, XC_ATTRIBUTE_FLOATS);
  MlirAttribute attribute = xc_view_attribute(view, name);
  if (mlirAttributeIsNull(attribute))
    return 0;
  size_t count = (size_t)mlirArrayAttrGetNumElements(attribute);
  for (size_t i = 0; i < count && i < capacity; ++i)
    values[i] = mlirFloatAttrGetValueDouble(
        mlirArrayAttrGetElement(attribute, (intptr_t)i));
  return count;
}

bool xc_view_error(const xc_view *view, const char *format, ...) {
  xc_text text = {0};
  xc_text_printf(&text, "'%s' op ", view->info->name);
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_emit_error(view->operation, view->location, xc_text_str(&text));
  xc_text_free(&text);
  return false;
}

void xc_shape_print(const xc_shape *shape, struct xc_text *text) {
  for (size_t i = 0; i < shape->rank; ++i)
    xc_text_printf(text, "%" PRId64 "x", shape->dims[i]);
  xc_text_puts(text, shape->element == XC_ELEMENT_NONE
                         ? "?"
                         : xc_element_name(shape->element));
}
