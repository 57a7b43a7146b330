//===- Functions.c - what the bufferization passes share ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "Support/Memory.h"
#include "Support/Text.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

MlirStringRef xc_ref(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

bool xc_op_is(MlirOperation operation, const char *name) {
  MlirStringRef found = mlirIdentifierStr(mlirOperationGetName(operation));
  return mlirStringRefEqual(found, xc_ref(name));
}

void xc_op_list_add(xc_op_list *list, MlirOperation operation) {
  void *items = list->items;
  xc_grow(&items, &list->capacity, list->count + 1, sizeof(operation));
  list->items = items;
  list->items[list->count++] = operation;
}

typedef struct visitor {
  bool (*visit)(void *user_data, MlirOperation func);
  void *user_data;
  bool ok;
} visitor;

static MlirWalkResult visit_one(MlirOperation operation, void *user_data) {
  visitor *v = user_data;
  if (xc_op_is(operation, "func.func")) {
    v->ok = v->visit(v->user_data, operation);
    return v->ok ? MlirWalkResultSkip : MlirWalkResultInterrupt;
  }
  return MlirWalkResultAdvance;
}

bool xc_for_each_function(MlirOperation root,
                          bool (*visit)(void *user_data, MlirOperation func),
                          void *user_data) {
  visitor v = {visit, user_data, true};
  mlirOperationWalk(root, visit_one, &v, MlirWalkPreOrder);
  return v.ok;
}

MlirRegion xc_function_body(MlirOperation func) {
  MlirRegion region = mlirOperationGetRegion(func, 0);
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(region)))
    return (MlirRegion){NULL};
  return region;
}

MlirType xc_function_type(MlirOperation func) {
  return mlirTypeAttrGetValue(
      mlirOperationGetInherentAttributeByName(func, xc_ref("function_type")));
}

MlirStringRef xc_function_name(MlirOperation func) {
  return mlirStringAttrGetValue(
      mlirOperationGetInherentAttributeByName(func, xc_ref("sym_name")));
}

bool xc_type_is_tensor(MlirType type) { return mlirTypeIsATensor(type); }

bool xc_op_has_tensors(MlirOperation operation) {
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands; ++i)
    if (xc_type_is_tensor(
            mlirValueGetType(mlirOperationGetOperand(operation, i))))
      return true;
  intptr_t results = mlirOperationGetNumResults(operation);
  for (intptr_t i = 0; i < results; ++i)
    if (xc_type_is_tensor(
            mlirValueGetType(mlirOperationGetResult(operation, i))))
      return true;
  return false;
}

static void append_text(MlirStringRef piece, void *text) {
  xc_text_append(text, piece.data, piece.length);
}

static const char *why_no_buffer(MlirType type) {
  xc_shape shape;
  if (!mlirTypeIsARankedTensor(type))
    return "is unranked";
  if (!mlirShapedTypeHasStaticShape(type))
    return "has a dynamic shape";
  if (!mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    return "has an encoding";
  if (!xc_shape_of_type(type, &shape))
    return "is too large";
  if (shape.element == XC_ELEMENT_NONE)
    return "has an element type that xc does not know";
  return NULL;
}

bool xc_check_tensor_type(MlirOperation operation, const char *what,
                          MlirType type) {
  if (!xc_type_is_tensor(type))
    return true;
  const char *why = why_no_buffer(type);
  if (!why)
    return true;
  xc_text text = {0};
  mlirTypePrint(type, append_text, &text);
  xc_op_error(operation, "cannot be bufferized: %s %s %s", what,
              xc_text_str(&text), why);
  xc_text_free(&text);
  return false;
}

bool xc_check_tensors(MlirOperation operation) {
  intptr_t operands = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < operands; ++i)
    if (!xc_check_tensor_type(
            operation, "operand",
            mlirValueGetType(mlirOperationGetOperand(operation, i))))
      return false;
  intptr_t results = mlirOperationGetNumResults(operation);
  for (intptr_t i = 0; i < results; ++i)
    if (!xc_check_tensor_type(
            operation, "result",
            mlirValueGetType(mlirOperationGetResult(operation, i))))
      return false;
  return true;
}

MlirType xc_memref_of_tensor(MlirType type) {
  xc_shape shape;
  if (!xc_type_is_tensor(type) || !xc_shape_of_type(type, &shape))
    return type;
  shape.memref = true;
  return xc_type_of_shape(mlirTypeGetContext(type), &shape);
}
