//===- Function.c - the function that is quantised ------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "IR/IR.h"
#include "Samples/Samples.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <string.h>

MlirStringRef xc_quantize_string(MlirAttribute attribute) {
  return mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute)
             ? mlirStringRefCreate("", 0)
             : mlirStringAttrGetValue(attribute);
}

MlirStringRef xc_quantize_list_entry(MlirOperation function, const char *list,
                                     size_t index) {
  MlirAttribute names = xc_op_attribute(function, list);
  if (mlirAttributeIsNull(names) || !mlirAttributeIsAArray(names) ||
      (intptr_t)index >= mlirArrayAttrGetNumElements(names))
    return mlirStringRefCreate("", 0);
  return xc_quantize_string(mlirArrayAttrGetElement(names, (intptr_t)index));
}

MlirStringRef xc_quantize_output_name(xc_quantizer *q, size_t index) {
  MlirStringRef name =
      xc_quantize_list_entry(q->function, "output_names", index);
  if (name.length > 0)
    return name;
  char number[24];
  snprintf(number, sizeof number, "%zu", index);
  return xc_ref(xc_arena_string(&q->arena, number, strlen(number)));
}

int64_t xc_channels_count(MlirValue value) {
  xc_shape shape;
  return xc_shape_of_type(mlirValueGetType(value), &shape) &&
                 shape.element == XC_ELEMENT_F32 && shape.rank == 4
             ? shape.dims[3]
             : 0;
}

static bool is_function(MlirOperation operation) {
  return xc_op_is(operation, "func.func");
}

// Finds the one function of the module, with one block.
bool xc_quantize_find_function(xc_quantizer *q, MlirOperation root) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(root, 0));
  size_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_function(op))
      continue;
    q->function = op;
    ++count;
  }
  if (count != 1)
    return xc_op_error(root,
                       "holds %zu functions, expected one to quantise: "
                       "quantise before partitioning",
                       count);
  q->block = mlirRegionGetFirstBlock(mlirOperationGetRegion(q->function, 0));
  if (mlirBlockIsNull(q->block))
    return xc_op_error(q->function, "has no body to quantise");
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static void add_value(xc_quantizer *q, MlirValue original) {
  xc_quantize_value *value = &q->values[q->num_values++];
  *value = (xc_quantize_value){.original = original, .factor = 1};
  value->is_float =
      xc_shape_of_type(mlirValueGetType(original), &value->shape) &&
      !value->shape.memref && xc_element_is_float(value->shape.element);
  xc_pointer_map_set(&q->originals, original.ptr, value);
}

static bool has_shape(MlirValue value) {
  xc_shape shape;
  return xc_shape_of_type(mlirValueGetType(value), &shape);
}

// Only tir results are of interest.
bool xc_quantize_collect_values(xc_quantizer *q) {
  q->num_arguments = (size_t)mlirBlockGetNumArguments(q->block);
  size_t count = q->num_arguments;
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count += (size_t)mlirOperationGetNumResults(op);
  q->values = xc_arena_alloc(&q->arena, count + 1, sizeof(*q->values));
  for (size_t i = 0; i < q->num_arguments; ++i) {
    MlirValue argument = mlirBlockGetArgument(q->block, (intptr_t)i);
    if (!has_shape(argument))
      return xc_op_error(q->function, "has an argument that is not a static "
                                      "tensor");
    add_value(q, argument);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const xc_op_info *info = xc_op_info_of(op);
    if (!info || !info->has_result || info->kind == XC_TIR_CONST)
      continue;
    add_value(q, xc_op_result(op));
    q->values[q->num_values - 1].factor = xc_quantize_pool_factor(op);
  }
  return true;
}

void xc_quantize_forget_values(xc_quantizer *q) {
  xc_pointer_map_free(&q->originals);
  q->originals = (xc_pointer_map){0};
  q->num_values = 0;
}

//===----------------------------------------------------------------------===//
// The copy that stays float
//===----------------------------------------------------------------------===//

static void add_reference(xc_quantizer *q, MlirValue original, MlirValue copy) {
  xc_quantize_value *value = xc_pointer_map_get(&q->originals, original.ptr);
  if (!value)
    return;
  value->reference = copy;
  xc_pointer_map_set(&q->references, copy.ptr, value);
}

// Function and copy are walked side by side.
void xc_quantize_take_copy(xc_quantizer *q) {
  q->reference = mlirOperationClone(q->function);
  MlirBlock copy =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(q->reference, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(q->block); ++i)
    add_reference(q, mlirBlockGetArgument(q->block, i),
                  mlirBlockGetArgument(copy, i));
  MlirOperation twin = mlirBlockGetFirstOperation(copy);
  for (MlirOperation op = mlirBlockGetFirstOperation(q->block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      add_reference(q, mlirOperationGetResult(op, i),
                    mlirOperationGetResult(twin, i));
    twin = mlirOperationGetNextInBlock(twin);
  }
}

void xc_quantize_drop_copy(xc_quantizer *q) {
  if (!mlirOperationIsNull(q->reference))
    mlirOperationDestroy(q->reference);
  q->reference = (MlirOperation){NULL};
  xc_pointer_map_free(&q->references);
  q->references = (xc_pointer_map){0};
}

//===----------------------------------------------------------------------===//
// The quantiser
//===----------------------------------------------------------------------===//

bool xc_quantize_begin(xc_quantizer *q) {
  return xc_quantize_find_function(q, q->run->root) &&
         xc_quantize_collect_values(q);
}

void xc_quantize_end(xc_quantizer *q) {
  xc_quantize_drop_copy(q);
  if (!mlirOperationIsNull(q->model))
    mlirOperationDestroy(q->model);
  if (!mlirOperationIsNull(q->unscaled))
    mlirOperationDestroy(q->unscaled);
  xc_pointer_map_free(&q->originals);
  xc_samples_close(q->samples);
  xc_arena_free(&q->arena);
}
