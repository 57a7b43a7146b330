//===- IR.c - names, attributes and operations ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR.h"

#include "Support/Memory.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

MlirStringRef xc_ref(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

bool xc_ref_is(MlirStringRef string, const char *expected) {
  return mlirStringRefEqual(string, xc_ref(expected));
}

MlirNamedAttribute xc_named(MlirContext context, const char *name,
                            MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, xc_ref(name)), value);
}

MlirAttribute xc_op_attribute(MlirOperation operation, const char *name) {
  return mlirOperationGetAttributeByName(operation, xc_ref(name));
}

MlirStringRef xc_op_given_name(MlirOperation operation) {
  MlirAttribute name = xc_op_attribute(operation, "op_name");
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name))
    return mlirStringAttrGetValue(name);
  MlirLocation location = mlirOperationGetLocation(operation);
  return mlirLocationIsAName(location)
             ? mlirIdentifierStr(mlirLocationNameGetName(location))
             : mlirStringRefCreate(NULL, 0);
}

MlirNamedAttribute *xc_op_attributes(MlirOperation operation, size_t *count) {
  *count = (size_t)mlirOperationGetNumAttributes(operation);
  MlirNamedAttribute *attributes = xc_alloc_array(*count, sizeof(*attributes));
  for (size_t i = 0; i < *count; ++i)
    attributes[i] = mlirOperationGetAttribute(operation, (intptr_t)i);
  return attributes;
}

void xc_op_set_string(MlirOperation operation, const char *name,
                      const char *value) {
  mlirOperationSetAttributeByName(
      operation, xc_ref(name),
      mlirStringAttrGet(mlirOperationGetContext(operation), xc_ref(value)));
}

bool xc_op_is(MlirOperation operation, const char *name) {
  return xc_ref_is(mlirIdentifierStr(mlirOperationGetName(operation)), name);
}

MlirValue xc_op_result(MlirOperation operation) {
  return mlirOperationGetResult(operation, 0);
}

bool xc_value_is_used(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

bool xc_value_has_one_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

bool xc_op_has_tensors(MlirOperation operation) {
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands; ++i)
    if (mlirTypeIsATensor(
            mlirValueGetType(mlirOperationGetOperand(operation, i))))
      return true;
  intptr_t results = mlirOperationGetNumResults(operation);
  for (intptr_t i = 0; i < results; ++i)
    if (mlirTypeIsATensor(
            mlirValueGetType(mlirOperationGetResult(operation, i))))
      return true;
  return false;
}

void xc_op_list_add(xc_op_list *list, MlirOperation operation) {
  void *items = list->items;
  xc_grow(&items, &list->capacity, list->count + 1, sizeof(operation));
  list->items = items;
  list->items[list->count++] = operation;
}
