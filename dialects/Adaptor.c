//===- Adaptor.c - typed access to operators ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Adaptor.h"

#include "Emit.h"
#include "Support/Limits.h"
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
  bool is_constant =
      info && (info->kind == XC_TIR_CONST || info->kind == XC_MEMTX_CONST);
  return is_constant ? owner : none;
}

static MlirAttribute get_attribute(const xc_adaptor *op, MlirStringRef name) {
  if (!mlirOperationIsNull(op->operation))
    return mlirOperationGetAttributeByName(op->operation, name);
  return mlirDictionaryAttrGetElementByName(op->dictionary, name);
}

// Distributes the operands over the slots; the table allows one optional
// operand unless the operator is segmented.
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

static bool place_segmented(const xc_adaptor *adaptor, intptr_t count,
                            int positions[XC_MAX_OPERANDS]) {
  MlirAttribute sizes = get_attribute(
      adaptor, mlirStringRefCreateFromCString("operandSegmentSizes"));
  if (mlirAttributeIsNull(sizes) || !mlirAttributeIsADenseI32Array(sizes) ||
      mlirDenseArrayGetNumElements(sizes) !=
          (intptr_t)adaptor->info->num_operands)
    return false;
  int position = 0;
  for (size_t slot = 0; slot < adaptor->info->num_operands; ++slot) {
    int32_t size = mlirDenseI32ArrayGetElement(sizes, (intptr_t)slot);
    if (size != 1 && !(size == 0 && adaptor->info->operands[slot].optional))
      return false;
    positions[slot] = size ? position++ : -1;
  }
  return position == count;
}

bool xc_adaptor_of(MlirOperation operation, xc_adaptor *adaptor) {
  *adaptor = (xc_adaptor){.info = xc_op_info_of(operation),
                          .location = mlirOperationGetLocation(operation),
                          .operation = operation};
  assert(adaptor->info && "only operators of the tables have views");
  intptr_t count = mlirOperationGetNumOperands(operation);
  bool placed =
      adaptor->info->segmented
          ? place_segmented(adaptor, count, adaptor->positions)
          : place_unsegmented(adaptor->info, count, adaptor->positions);
  if (!placed)
    return false;
  for (size_t slot = 0; slot < adaptor->info->num_operands; ++slot)
    if (adaptor->positions[slot] >= 0)
      adaptor->operand_types[slot] = mlirValueGetType(
          mlirOperationGetOperand(operation, adaptor->positions[slot]));
  return true;
}

bool xc_adaptor_of_tir(MlirOperation operation, xc_adaptor *op) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->dialect == XC_DIALECT_TIR &&
         xc_adaptor_of(operation, op);
}

size_t xc_num_inputs(const xc_adaptor *adaptor) {
  size_t slots = adaptor->info->num_operands;
  if (adaptor->info->dialect == XC_DIALECT_MTIR)
    --slots;
  size_t count = 0;
  for (size_t slot = 0; slot < slots; ++slot)
    count += xc_has_operand(adaptor, slot);
  return count;
}

bool xc_has_operand(const xc_adaptor *adaptor, size_t slot) {
  return !mlirTypeIsNull(adaptor->operand_types[slot]);
}

MlirValue xc_operand(const xc_adaptor *adaptor, size_t slot) {
  assert(!mlirOperationIsNull(adaptor->operation) &&
         adaptor->positions[slot] >= 0 &&
         "only operands that are there can be had");
  return mlirOperationGetOperand(adaptor->operation, adaptor->positions[slot]);
}

static xc_element element_of_type(MlirType element) {
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
  *shape =
      (xc_shape){.element = element_of_type(mlirShapedTypeGetElementType(type)),
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
  uint64_t bytes = (uint64_t)count * xc_element_size(shape->element);
  return xc_fits_memory(bytes);
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

void xc_shape_strides(const xc_shape *shape, int64_t strides[XC_MAX_RANK]) {
  int64_t stride = 1;
  for (size_t i = shape->rank; i-- > 0;) {
    strides[i] = stride;
    stride *= shape->dims[i];
  }
}

xc_shape xc_value_shape(MlirValue value) {
  xc_shape shape = {.element = XC_ELEMENT_NONE};
  if (!mlirValueIsNull(value))
    xc_shape_of_type(mlirValueGetType(value), &shape);
  return shape;
}

bool xc_same_dims(const xc_shape *a, const xc_shape *b) {
  return a->rank == b->rank &&
         memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0;
}

int64_t xc_shape_outer(const xc_shape *shape, size_t axis) {
  int64_t count = 1;
  for (size_t i = 0; i < axis; ++i)
    count *= shape->dims[i];
  return count;
}

int64_t xc_shape_inner(const xc_shape *shape, size_t axis) {
  int64_t count = 1;
  for (size_t i = axis + 1; i < shape->rank; ++i)
    count *= shape->dims[i];
  return count;
}

static xc_shape shape_of(MlirType type) {
  xc_shape shape = {0};
  bool known = xc_shape_of_type(type, &shape);
  assert(known && "rules run on operands that were checked");
  (void)known;
  return shape;
}

xc_shape xc_operand_shape(const xc_adaptor *op, size_t slot) {
  return shape_of(op->operand_types[slot]);
}

xc_shape xc_result_shape(const xc_adaptor *op) {
  if (op->info->dialect == XC_DIALECT_MTIR)
    return xc_operand_shape(op, op->info->num_operands - 1);
  return shape_of(mlirValueGetType(mlirOperationGetResult(op->operation, 0)));
}

static MlirStringRef name_of(xc_attr id) {
  return mlirStringRefCreateFromCString(xc_attr_name(id));
}

bool xc_has_attr(const xc_adaptor *op, xc_attr id) {
  return xc_attribute_info_get(op->info, id) != NULL;
}

bool xc_attr_takes(const xc_adaptor *op, xc_attr id, int64_t value) {
  const xc_attribute_info *row = xc_attribute_info_get(op->info, id);
  assert(row && "the table has this attribute");
  return value >= row->minimum && value <= row->maximum;
}

MlirAttribute xc_attr_get(const xc_adaptor *op, xc_attr id) {
  return get_attribute(op, name_of(id));
}

MlirAttribute xc_operation_attr(MlirOperation operation, xc_attr id) {
  return mlirOperationGetAttributeByName(operation, name_of(id));
}

// Returns the row of an attribute, and the attribute itself or null.
static const xc_attribute_info *read(const xc_adaptor *op, xc_attr id,
                                     xc_attribute_type type,
                                     MlirAttribute *attribute) {
  const xc_attribute_info *row = xc_attribute_info_get(op->info, id);
  assert(row && row->type == type && "the table has this attribute");
  (void)type;
  *attribute = xc_attr_get(op, id);
  return row;
}

int64_t xc_attr_int(const xc_adaptor *op, xc_attr id) {
  MlirAttribute attribute;
  const xc_attribute_info *row = read(op, id, XC_ATTRIBUTE_INT, &attribute);
  return mlirAttributeIsNull(attribute) ? row->default_int
                                        : mlirIntegerAttrGetValueInt(attribute);
}

bool xc_attr_bool(const xc_adaptor *op, xc_attr id) {
  MlirAttribute attribute;
  const xc_attribute_info *row = read(op, id, XC_ATTRIBUTE_BOOL, &attribute);
  return mlirAttributeIsNull(attribute) ? row->default_int != 0
                                        : mlirBoolAttrGetValue(attribute);
}

double xc_attr_float(const xc_adaptor *op, xc_attr id) {
  MlirAttribute attribute;
  const xc_attribute_info *row = read(op, id, XC_ATTRIBUTE_FLOAT, &attribute);
  return mlirAttributeIsNull(attribute)
             ? (double)row->default_float
             : mlirFloatAttrGetValueDouble(attribute);
}

xc_enum xc_attr_enum(const xc_adaptor *op, xc_attr id) {
  MlirAttribute attribute;
  const xc_attribute_info *row = read(op, id, XC_ATTRIBUTE_STRING, &attribute);
  if (mlirAttributeIsNull(attribute))
    return row->default_case;
  MlirStringRef text = mlirStringAttrGetValue(attribute);
  xc_enum value = xc_enum_find(row, text.data, text.length);
  assert(value && "the attribute checks allow the cases of the table only");
  return value;
}

bool xc_attr_is(const xc_adaptor *op, xc_attr id, xc_enum value) {
  return xc_attr_enum(op, id) == value;
}

size_t xc_attr_ints(const xc_adaptor *op, xc_attr id,
                    int64_t ints[XC_MAX_INTS]) {
  MlirAttribute attribute;
  const xc_attribute_info *row = read(op, id, XC_ATTRIBUTE_INTS, &attribute);
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

bool xc_attr_all(const xc_adaptor *op, xc_attr id, int64_t value) {
  int64_t ints[XC_MAX_INTS];
  size_t count = xc_attr_ints(op, id, ints);
  for (size_t i = 0; i < count; ++i)
    if ((i < XC_MAX_INTS ? ints[i] : xc_attr_int_at(op, id, i)) != value)
      return false;
  return true;
}

int64_t xc_attr_int_at(const xc_adaptor *op, xc_attr id, size_t index) {
  return mlirIntegerAttrGetValueInt(
      mlirArrayAttrGetElement(xc_attr_get(op, id), (intptr_t)index));
}

size_t xc_attr_floats(const xc_adaptor *op, xc_attr id, double *values,
                      size_t capacity) {
  MlirAttribute attribute;
  (void)read(op, id, XC_ATTRIBUTE_FLOATS, &attribute);
  if (mlirAttributeIsNull(attribute))
    return 0;
  size_t count = (size_t)mlirArrayAttrGetNumElements(attribute);
  for (size_t i = 0; i < count && i < capacity; ++i)
    values[i] = mlirFloatAttrGetValueDouble(
        mlirArrayAttrGetElement(attribute, (intptr_t)i));
  return count;
}

size_t xc_axis_of(const xc_adaptor *op) {
  int64_t axis = xc_attr_int(op, XC_ATTR_AXIS);
  return (size_t)(axis < 0 ? axis + (int64_t)xc_operand_shape(op, 0).rank
                           : axis);
}

bool xc_scatter_combines(const xc_adaptor *op, xc_op_kind *kind) {
  static const struct {
    xc_enum word;
    xc_op_kind kind;
  } rows[] = {{XC_ENUM_ADD, XC_TIR_ADD},
              {XC_ENUM_MUL, XC_TIR_MUL},
              {XC_ENUM_MIN, XC_TIR_MIN},
              {XC_ENUM_MAX, XC_TIR_MAX}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (xc_attr_is(op, XC_ATTR_REDUCTION, rows[i].word)) {
      *kind = rows[i].kind;
      return true;
    }
  return false;
}

int64_t xc_reduced_axes(const xc_adaptor *op, bool reduced[XC_MAX_RANK]) {
  int64_t axes[XC_MAX_INTS], elements = 1;
  size_t count = xc_attr_ints(op, XC_ATTR_AXIS, axes);
  xc_shape input = xc_operand_shape(op, XC_REDUCTION_SUM_INPUT);
  memset(reduced, 0, XC_MAX_RANK * sizeof(*reduced));
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = axes[i] < 0 ? axes[i] + (int64_t)input.rank : axes[i];
    reduced[axis] = true;
    elements *= input.dims[axis];
  }
  return elements;
}

bool xc_adaptor_error(const xc_adaptor *op, const char *format, ...) {
  if (op->quiet)
    return false;
  xc_text text = {0};
  xc_text_printf(&text, "'%s' op ", op->info->name);
  va_list arguments;
  va_start(arguments, format);
  xc_text_vprintf(&text, format, arguments);
  va_end(arguments);
  xc_emit_error(op->operation, op->location, xc_text_str(&text));
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
