//===- Build.c - building operators ---------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build.h"

#include "IR/IR.h"
#include "Shape.h"
#include "Support/Memory.h"
#include "Support/Text.h"
#include "Verify.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

xc_attribute xc_int(const char *name, int64_t value) {
  return (xc_attribute){
      .name = name, .type = XC_ATTRIBUTE_INT, .number = value};
}
xc_attribute xc_bool(const char *name, bool value) {
  return (xc_attribute){
      .name = name, .type = XC_ATTRIBUTE_BOOL, .number = value};
}
xc_attribute xc_float(const char *name, double value) {
  return (xc_attribute){
      .name = name, .type = XC_ATTRIBUTE_FLOAT, .real = value};
}
xc_attribute xc_string(const char *name, const char *value) {
  return (xc_attribute){
      .name = name, .type = XC_ATTRIBUTE_STRING, .string = value};
}
xc_attribute xc_ints(const char *name, const int64_t *values, size_t count) {
  return (xc_attribute){
      .name = name, .type = XC_ATTRIBUTE_INTS, .ints = values, .count = count};
}
xc_attribute xc_floats(const char *name, const float *values, size_t count) {
  return (xc_attribute){.name = name,
                        .type = XC_ATTRIBUTE_FLOATS,
                        .floats = values,
                        .count = count};
}
xc_attribute xc_given(const char *name, MlirAttribute value) {
  return (xc_attribute){
      .name = name, .type = XC_ATTRIBUTE_ELEMENTS, .given = value};
}

static MlirAttribute array_of_ints(MlirContext context,
                                   const xc_attribute *attribute) {
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirAttribute *entries =
      xc_alloc_array(attribute->count, sizeof(MlirAttribute));
  for (size_t i = 0; i < attribute->count; ++i)
    entries[i] = mlirIntegerAttrGet(i32, attribute->ints[i]);
  MlirAttribute array =
      mlirArrayAttrGet(context, (intptr_t)attribute->count, entries);
  free(entries);
  return array;
}

static MlirAttribute array_of_floats(MlirContext context,
                                     const xc_attribute *attribute) {
  MlirType f32 = mlirF32TypeGet(context);
  MlirAttribute *entries =
      xc_alloc_array(attribute->count, sizeof(MlirAttribute));
  for (size_t i = 0; i < attribute->count; ++i)
    entries[i] =
        mlirFloatAttrDoubleGet(context, f32, (double)attribute->floats[i]);
  MlirAttribute array =
      mlirArrayAttrGet(context, (intptr_t)attribute->count, entries);
  free(entries);
  return array;
}

MlirAttribute xc_attribute_get(MlirContext context,
                               const xc_attribute *attribute) {
  switch (attribute->type) {
  case XC_ATTRIBUTE_INT:
    return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32),
                              attribute->number);
  case XC_ATTRIBUTE_INTS:
    return array_of_ints(context, attribute);
  case XC_ATTRIBUTE_BOOL:
    return mlirBoolAttrGet(context, attribute->number != 0);
  case XC_ATTRIBUTE_FLOAT:
    return mlirFloatAttrDoubleGet(context, mlirF32TypeGet(context),
                                  attribute->real);
  case XC_ATTRIBUTE_FLOATS:
    return array_of_floats(context, attribute);
  case XC_ATTRIBUTE_STRING:
    return mlirStringAttrGet(context, xc_ref(attribute->string));
  case XC_ATTRIBUTE_ELEMENTS:
  case XC_ATTRIBUTE_DICTIONARY:
    return attribute->given;
  }
  return mlirAttributeGetNull();
}

// Everything an operator is made of, in the form MLIR wants it.
typedef struct parts {
  const xc_op_info *info;
  MlirValue operands[XC_MAX_OPERANDS];
  size_t num_operands;
  MlirNamedAttribute *attributes;
  size_t num_attributes;
} parts;

static void add_segments(MlirContext context, const MlirValue *operands,
                         size_t num_operands, parts *p) {
  int32_t sizes[XC_MAX_OPERANDS] = {0};
  for (size_t i = 0; i < num_operands; ++i)
    sizes[i] = !mlirValueIsNull(operands[i]);
  p->attributes[p->num_attributes++] = xc_named(
      context, "operandSegmentSizes",
      mlirDenseI32ArrayGet(context, (intptr_t)p->info->num_operands, sizes));
}

static parts collect(MlirContext context, xc_op_kind kind,
                     const MlirValue *operands, size_t num_operands,
                     const xc_attribute *attributes, size_t num_attributes) {
  parts p = {.info = xc_op_info_get(XC_DIALECT_TIR, kind)};
  assert(num_operands <= p.info->num_operands && "more operands than slots");
  p.attributes = xc_alloc_array(num_attributes + 1, sizeof(MlirNamedAttribute));
  for (size_t i = 0; i < num_operands; ++i)
    if (!mlirValueIsNull(operands[i]))
      p.operands[p.num_operands++] = operands[i];
  for (size_t i = 0; i < num_attributes; ++i)
    p.attributes[p.num_attributes++] = xc_named(
        context, attributes[i].name, xc_attribute_get(context, &attributes[i]));
  if (p.info->segmented)
    add_segments(context, operands, num_operands, &p);
  return p;
}

// The result shape by the operator's rule, from an adaptor without an
// operation.
static bool infer(const xc_builder *builder, const parts *p,
                  const MlirValue *operands, size_t num_operands, bool quiet,
                  xc_shape *result) {
  xc_adaptor op = {
      .info = p->info,
      .quiet = quiet,
      .location = builder->location,
      .dictionary = mlirDictionaryAttrGet(
          builder->context, (intptr_t)p->num_attributes, p->attributes)};
  for (size_t i = 0; i < num_operands; ++i) {
    xc_shape shape;
    if (mlirValueIsNull(operands[i]))
      continue;
    op.operand_types[i] = mlirValueGetType(operands[i]);
    if (!xc_verify_shape(&op, "operand", &p->info->operands[i],
                         op.operand_types[i], &shape))
      return false;
  }
  return xc_verify_attributes(&op) &&
         xc_shape_rule_get(p->info->rule)(&op, result);
}

static MlirValue finish(const xc_builder *builder, parts *p,
                        const xc_shape *result, bool quiet) {
  MlirType type = xc_type_of_shape(builder->context, result);
  MlirOperation operation =
      xc_build_operation(builder, p->info->name,
                         &(xc_parts){p->operands, p->num_operands, &type, 1,
                                     p->attributes, p->num_attributes});
  free(p->attributes);
  if (quiet ? xc_is_valid_operation(operation) : xc_verify_operation(operation))
    return mlirOperationGetResult(operation, 0);
  mlirOperationDestroy(operation);
  return (MlirValue){NULL};
}

static MlirValue build(const xc_builder *builder, parts *p,
                       const MlirValue *operands, size_t num_operands,
                       xc_element element, bool quiet) {
  xc_shape result = {0};
  if (!infer(builder, p, operands, num_operands, quiet, &result)) {
    free(p->attributes);
    return (MlirValue){NULL};
  }
  assert(result.rank != XC_RANK_ANY && "use xc_build_shaped");
  result.element = element;
  if (element == XC_ELEMENT_NONE) {
    xc_shape first;
    xc_shape_of_type(mlirValueGetType(operands[0]), &first);
    result.element = first.element;
  }
  return finish(builder, p, &result, quiet);
}

MlirValue xc_build(const xc_builder *builder, xc_op_kind kind,
                   const MlirValue *operands, size_t num_operands,
                   const xc_attribute *attributes, size_t num_attributes,
                   xc_element element) {
  parts p = collect(builder->context, kind, operands, num_operands, attributes,
                    num_attributes);
  return build(builder, &p, operands, num_operands, element, false);
}

MlirValue xc_try_build(const xc_builder *builder, xc_op_kind kind,
                       const MlirValue *operands, size_t num_operands,
                       const xc_attribute *attributes, size_t num_attributes,
                       xc_element element) {
  parts p = collect(builder->context, kind, operands, num_operands, attributes,
                    num_attributes);
  return build(builder, &p, operands, num_operands, element, true);
}

MlirValue xc_build_shaped(const xc_builder *builder, xc_op_kind kind,
                          const MlirValue *operands, size_t num_operands,
                          const xc_attribute *attributes, size_t num_attributes,
                          const xc_shape *result) {
  parts p = collect(builder->context, kind, operands, num_operands, attributes,
                    num_attributes);
  return finish(builder, &p, result, false);
}
