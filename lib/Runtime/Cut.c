//===- Cut.c - splits models at float2fix operators -----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two backends sum floats in different orders. Where a float lies next to the
// middle between two integers, float2fix then gives integers that differ, and
// so does everything after them. A function that takes the integers as
// arguments computes the same from them on every backend.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "IR/IR.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static bool is_float2fix(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->kind == XC_TIR_FLOAT2FIX;
}

bool xc_rt_is_at_rounding(MlirValue value) {
  if (mlirValueIsAOpResult(value) && is_float2fix(mlirOpResultGetOwner(value)))
    return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (is_float2fix(mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// A function
//===----------------------------------------------------------------------===//

// `count` when it is not there.
static size_t find(const size_t *numbers, size_t count, size_t number) {
  size_t i = 0;
  while (i < count && numbers[i] != number)
    ++i;
  return i;
}

// Returns the index in the model of the operand of a float2fix, or SIZE_MAX
// where it is the same on every backend.
static size_t find_source(const XcModel *model, const xc_rt_part *part,
                          const MlirValue *values, MlirValue operand) {
  size_t found = SIZE_MAX;
  if (mlirValueIsABlockArgument(operand))
    found = part->inputs[mlirBlockArgumentGetArgNumber(operand)];
  for (size_t i = 0; found == SIZE_MAX && i < part->num_outputs; ++i)
    if (mlirValueEqual(values[i], operand))
      found = part->outputs[i];
  bool is_input =
      find(model->inputs, model->num_inputs, found) < model->num_inputs;
  return is_input ? SIZE_MAX : found;
}

static void append_input(XcModel *model, xc_rt_part *part, size_t value) {
  size_t *inputs = xc_arena_alloc(&model->arena, part->num_inputs + 2,
                                  sizeof(*part->inputs));
  if (part->num_inputs)
    memcpy(inputs, part->inputs, part->num_inputs * sizeof(*inputs));
  inputs[part->num_inputs++] = value;
  part->inputs = inputs;
}

static void cut_after(XcModel *model, xc_rt_part *part, size_t source,
                      size_t rounded, MlirValue value) {
  XcTensorInfo info = xc_rt_tensor_info(mlirValueGetType(value));
  info.hasFixPoint = model->values[rounded].hasFixPoint;
  info.fixPoint = model->values[rounded].fixPoint;
  size_t input = xc_rt_add_value(model, &info);
  xc_rt_add_input(model, input);
  append_input(model, part, input);
  MlirBlock block = mlirOperationGetBlock(mlirOpResultGetOwner(value));
  MlirValue argument = mlirBlockAddArgument(
      block, mlirValueGetType(value), mlirOperationGetLocation(part->function));
  mlirValueReplaceAllUsesOfWith(value, argument);
  xc_grow((void **)&model->cuts, &model->cut_capacity, model->num_cuts + 1,
          sizeof(*model->cuts));
  model->cuts[model->num_cuts++] =
      (xc_rt_cut){(size_t)(part - model->parts), source, rounded, input};
}

static void set_arguments(xc_rt_part *part, MlirBlock block) {
  intptr_t count = mlirBlockGetNumArguments(block);
  MlirType *types = xc_alloc_array((size_t)count + 1, sizeof(*types));
  for (intptr_t i = 0; i < count; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(block, i));
  // The caller sets the results.
  MlirType type =
      mlirFunctionTypeGet(mlirOperationGetContext(part->function), count, types,
                          /*numResults=*/0, NULL);
  mlirOperationSetAttributeByName(part->function, xc_ref("function_type"),
                                  mlirTypeAttrGet(type));
  (void)mlirOperationRemoveAttributeByName(part->function,
                                           xc_ref("input_names"));
  (void)mlirOperationRemoveAttributeByName(part->function, xc_ref("arg_attrs"));
  free(types);
}

void xc_rt_cut_function(XcModel *model, xc_rt_part *part,
                        const MlirValue *values) {
  size_t count = model->num_cuts;
  MlirBlock block =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(part->function, 0));
  for (size_t i = 0; i < part->num_outputs; ++i) {
    if (!mlirValueIsAOpResult(values[i]) ||
        !is_float2fix(mlirOpResultGetOwner(values[i])))
      continue;
    MlirValue operand =
        mlirOperationGetOperand(mlirOpResultGetOwner(values[i]), 0);
    size_t source = find_source(model, part, values, operand);
    if (source != SIZE_MAX)
      cut_after(model, part, source, part->outputs[i], values[i]);
  }
  if (model->num_cuts > count)
    set_arguments(part, block);
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

void xc_rt_cut_parts(XcModel *model) {
  for (size_t c = 0; c < model->num_cuts; ++c) {
    const xc_rt_cut *cut = &model->cuts[c];
    for (size_t p = cut->part + 1; p < model->num_parts; ++p)
      for (size_t i = 0; i < model->parts[p].num_inputs; ++i)
        if (model->parts[p].inputs[i] == cut->rounded)
          model->parts[p].inputs[i] = cut->input;
  }
}

void xc_rt_finish_cuts(XcModel *model) {
  model->cut_infos = xc_arena_alloc(&model->arena, model->num_cuts + 1,
                                    sizeof(*model->cut_infos));
  for (size_t i = 0; i < model->num_cuts; ++i) {
    const xc_rt_cut *cut = &model->cuts[i];
    model->cut_infos[i] = (XcModelCut){
        .source = find(model->outputs, model->num_outputs, cut->source),
        .rounded = find(model->outputs, model->num_outputs, cut->rounded),
        .input = find(model->inputs, model->num_inputs, cut->input)};
  }
}
