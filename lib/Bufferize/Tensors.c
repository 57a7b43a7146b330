//===- Tensors.c - tensors that can become buffers ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensors.h"

#include "Support/Text.h"
#include "dialects/Adaptor.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

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
  if (!mlirTypeIsATensor(type))
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
  if (!mlirTypeIsATensor(type) || !xc_shape_of_type(type, &shape))
    return type;
  shape.memref = true;
  return xc_type_of_shape(mlirTypeGetContext(type), &shape);
}
