//===- Types.c - types that tir does not have -----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"

#include "IR/Function.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Quant.h"

#include <stdlib.h>

// Returns the integers that a quantised element is stored as, or the element
// itself.
static MlirType storage_of(MlirContext context, MlirType element,
                           double *scale) {
  if (!mlirTypeIsAQuantizedType(element))
    return element;
  if (mlirTypeIsAUniformQuantizedType(element))
    *scale = mlirUniformQuantizedTypeGetScale(element);
  return mlirQuantizedTypeIsSigned(element)
             ? mlirQuantizedTypeGetStorageType(element)
             : mlirIntegerTypeUnsignedGet(
                   context,
                   mlirQuantizedTypeGetStorageTypeIntegralWidth(element));
}

static void strip(xc_tosa_converter *c, MlirValue value, int64_t batch,
                  xc_tosa_stripped **list) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsARankedTensor(type) ||
      mlirShapedTypeGetRank(type) > XC_MAX_RANK)
    return;
  int64_t dims[XC_MAX_RANK], rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; ++i)
    dims[i] = mlirShapedTypeGetDimSize(type, i);
  if (rank > 0 && batch > 0 && mlirShapedTypeIsDynamicDim(type, 0))
    dims[0] = batch;
  double scale = 0;
  MlirType storage = mlirRankedTensorTypeGet(
      rank, dims,
      storage_of(c->context, mlirShapedTypeGetElementType(type), &scale),
      mlirRankedTensorTypeGetEncoding(type));
  if (mlirTypeEqual(storage, type))
    return;
  xc_tosa_stripped *one = xc_arena_alloc(&c->arena, 1, sizeof(*one));
  *one = (xc_tosa_stripped){*list, value, type, scale};
  *list = one;
  mlirValueSetType(value, storage);
}

static MlirType *types_of(MlirOperation op, MlirBlock block, size_t *count) {
  bool is_block = mlirOperationIsNull(op);
  *count = (size_t)(is_block ? mlirBlockGetNumArguments(block)
                             : mlirOperationGetNumOperands(op));
  MlirType *types = xc_alloc_array(*count, sizeof(*types));
  for (size_t i = 0; i < *count; ++i)
    types[i] =
        mlirValueGetType(is_block ? mlirBlockGetArgument(block, (intptr_t)i)
                                  : mlirOperationGetOperand(op, (intptr_t)i));
  return types;
}

// The function takes what its block takes, and returns what that returns.
static void adjust_function(MlirOperation function, MlirBlock block) {
  MlirContext context = mlirOperationGetContext(function);
  size_t num_inputs, num_results;
  MlirType *inputs = types_of((MlirOperation){NULL}, block, &num_inputs);
  MlirType *results =
      types_of(mlirBlockGetTerminator(block), block, &num_results);
  MlirType type = mlirFunctionTypeGet(context, (intptr_t)num_inputs, inputs,
                                      (intptr_t)num_results, results);
  mlirOperationSetInherentAttributeByName(function, xc_ref("function_type"),
                                          mlirTypeAttrGet(type));
  free(inputs);
  free(results);
}

xc_tosa_stripped *xc_tosa_strip_types(xc_tosa_converter *c,
                                      MlirOperation function, MlirBlock block,
                                      int64_t batch) {
  xc_tosa_stripped *list = NULL;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    strip(c, mlirBlockGetArgument(block, i), batch, &list);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      strip(c, mlirOperationGetResult(op, i), batch, &list);
  if (list)
    adjust_function(function, block);
  return list;
}

void xc_tosa_restore_types(const xc_tosa_stripped *stripped,
                           MlirOperation function, MlirBlock block) {
  if (!stripped)
    return;
  for (; stripped; stripped = stripped->next)
    mlirValueSetType(stripped->value, stripped->type);
  adjust_function(function, block);
}
