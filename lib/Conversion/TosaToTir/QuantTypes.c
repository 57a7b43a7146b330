//===- QuantTypes.c - integers that say what they stand for ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantTypes.h"

#include "IR/Function.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Quant.h"

#include <stdlib.h>

// The integers that a quantised type is stored as; null for any other type.
static MlirType storage_of(MlirContext context, MlirType type, double *scale) {
  const MlirType none = {NULL};
  if (!mlirTypeIsARankedTensor(type))
    return none;
  MlirType element = mlirShapedTypeGetElementType(type);
  if (!mlirTypeIsAQuantizedType(element))
    return none;
  *scale = mlirTypeIsAUniformQuantizedType(element)
               ? mlirUniformQuantizedTypeGetScale(element)
               : 0;
  MlirType storage = mlirQuantizedTypeGetStorageType(element);
  if (!mlirQuantizedTypeIsSigned(element))
    storage = mlirIntegerTypeUnsignedGet(
        context, mlirQuantizedTypeGetStorageTypeIntegralWidth(element));
  int64_t dims[XC_MAX_RANK];
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank > XC_MAX_RANK)
    return none;
  for (int64_t i = 0; i < rank; ++i)
    dims[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirRankedTensorTypeGet(rank, dims, storage,
                                 mlirRankedTensorTypeGetEncoding(type));
}

static void strip(tosa_converter *c, MlirValue value, tosa_stripped **list) {
  double scale = 0;
  MlirType type = mlirValueGetType(value);
  MlirType storage = storage_of(c->context, type, &scale);
  if (mlirTypeIsNull(storage))
    return;
  tosa_stripped *one = xc_arena_alloc(&c->arena, 1, sizeof(*one));
  *one = (tosa_stripped){*list, value, type, scale};
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

tosa_stripped *tosa_strip_types(tosa_converter *c, MlirOperation function,
                                MlirBlock block) {
  tosa_stripped *list = NULL;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    strip(c, mlirBlockGetArgument(block, i), &list);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      strip(c, mlirOperationGetResult(op, i), &list);
  if (list)
    adjust_function(function, block);
  return list;
}

void tosa_restore_types(const tosa_stripped *stripped, MlirOperation function,
                        MlirBlock block) {
  if (!stripped)
    return;
  for (; stripped; stripped = stripped->next)
    mlirValueSetType(stripped->value, stripped->type);
  adjust_function(function, block);
}
