//===- Function.c - functions as parts of a model -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "Bufferize/NumInputs.h"
#include "IR/IR.h"
#include "Support/Diag.h"
#include "Support/PointerMap.h"
#include "Support/Text.h"
#include "dialects/Path.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static MlirBlock body_of(MlirOperation operation) {
  if (mlirOperationGetNumRegions(operation) == 0)
    return (MlirBlock){NULL};
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, 0));
}

//===----------------------------------------------------------------------===//
// Finding it
//===----------------------------------------------------------------------===//

static bool is_function(MlirOperation operation) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(operation)),
                            xc_ref("func.func"));
}

static bool has_several_blocks(MlirOperation function) {
  return !mlirBlockIsNull(mlirBlockGetNextInRegion(body_of(function)));
}

MlirOperation xc_rt_find_function(XcDiag *diag, const char *file,
                                  MlirModule module, const char *name) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_function(op) || mlirBlockIsNull(body_of(op)))
      continue;
    MlirStringRef found =
        mlirStringAttrGetValue(xc_op_attribute(op, "sym_name"));
    bool is_private =
        !mlirAttributeIsNull(xc_op_attribute(op, "sym_visibility"));
    if (name ? !mlirStringRefEqual(found, xc_ref(name)) : is_private)
      continue;
    if (!has_several_blocks(op))
      return op;
    xc_file_error(diag, file,
                  "function '%.*s' has several blocks, expected one",
                  (int)found.length, found.data);
    return (MlirOperation){NULL};
  }
  if (name)
    xc_file_error(diag, file, "there is no function '%s'", name);
  else
    xc_file_error(diag, file, "there is no function to run");
  return (MlirOperation){NULL};
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

static MlirType function_type(MlirOperation function) {
  return mlirTypeAttrGetValue(xc_op_attribute(function, "function_type"));
}

xc_rt_signature xc_rt_signature_of(MlirOperation function) {
  MlirType type = function_type(function);
  size_t arguments = (size_t)mlirFunctionTypeGetNumInputs(type);
  size_t results = (size_t)mlirFunctionTypeGetNumResults(type);
  xc_rt_signature signature = {.num_inputs =
                                   (size_t)xc_function_num_inputs(function)};
  signature.num_outputs = arguments - signature.num_inputs + results;
  signature.types =
      xc_alloc_array(arguments + results + 1, sizeof(*signature.types));
  for (size_t i = 0; i < arguments; ++i)
    signature.types[i] = mlirFunctionTypeGetInput(type, (intptr_t)i);
  for (size_t i = 0; i < results; ++i)
    signature.types[arguments + i] =
        mlirFunctionTypeGetResult(type, (intptr_t)i);
  return signature;
}

static const char *name_at(XcModel *model, MlirOperation function,
                           const char *list, size_t i) {
  MlirAttribute names = xc_op_attribute(function, list);
  if (mlirAttributeIsNull(names) || !mlirAttributeIsAArray(names) ||
      (intptr_t)i >= mlirArrayAttrGetNumElements(names))
    return "";
  MlirAttribute name = mlirArrayAttrGetElement(names, (intptr_t)i);
  return mlirAttributeIsAString(name)
             ? xc_rt_string(model, mlirStringAttrGetValue(name))
             : "";
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

XcTensorInfo xc_rt_tensor_info(MlirType type) {
  XcTensorInfo info = {.name = "", .opType = "", .opName = "", .location = ""};
  xc_shape shape;
  // The executors refuse other types with a message of their own.
  if (!xc_shape_of_type(type, &shape) || shape.element == XC_ELEMENT_NONE)
    return info;
  info.element = (XcElementType)shape.element;
  info.rank = shape.rank;
  memcpy(info.dims, shape.dims, sizeof(info.dims));
  info.size =
      (size_t)xc_shape_num_elements(&shape) * xc_element_size(shape.element);
  return info;
}

XcLayout xc_rt_layout_of(xc_model_layout layout, const XcTensorInfo *info) {
  if (info->rank != 4)
    return XcLayoutNone;
  if (layout == XC_MODEL_LAYOUT_OPEN)
    layout = xc_model_image_layout(layout, info->dims);
  return layout == XC_MODEL_LAYOUT_NCHW ? XcLayoutNCHW : XcLayoutNHWC;
}

static bool find_int(const xc_adaptor *adaptor, xc_attr id, size_t index,
                     int32_t *result) {
  const xc_attribute_info *row = xc_attribute_info_get(adaptor->info, id);
  int64_t ints[XC_MAX_INTS];
  if (!row)
    return false;
  if (row->type == XC_ATTRIBUTE_INT)
    *result = (int32_t)xc_attr_int(adaptor, id);
  else if (row->type == XC_ATTRIBUTE_INTS && index < XC_MAX_INTS &&
           xc_attr_ints(adaptor, id, ints) > index)
    *result = (int32_t)ints[index];
  else
    return false;
  return true;
}

static bool adaptor_of(MlirOperation operation, xc_adaptor *adaptor) {
  return xc_op_info_of(operation) && xc_adaptor_of(operation, adaptor);
}

static bool is_fixed_point(const XcTensorInfo *info) {
  return info->element == XcElementTypeI8 || info->element == XcElementTypeUI8;
}

// Of what computes the tensor.
static void find_output_point(MlirOperation operation, XcTensorInfo *info) {
  xc_adaptor adaptor;
  if (!is_fixed_point(info) || !adaptor_of(operation, &adaptor))
    return;
  info->hasFixPoint =
      find_int(&adaptor, XC_ATTR_OUTPUT_FIX_POINT, 0, &info->fixPoint) ||
      find_int(&adaptor, XC_ATTR_FIX_POINT, 0, &info->fixPoint);
}

static bool find_operand_point(MlirOperation operation, unsigned position,
                               int32_t *result) {
  xc_adaptor adaptor;
  if (!adaptor_of(operation, &adaptor))
    return false;
  size_t slot = 0;
  while (slot + 1 < adaptor.info->num_operands &&
         adaptor.positions[slot] != (int)position)
    ++slot;
  return find_int(&adaptor, XC_ATTR_INPUT_FIX_POINT, slot, result) ||
         find_int(&adaptor, XC_ATTR_FIX_POINT, 0, result);
}

// Of an operator that takes the tensor; all of them agree.
static void find_input_point(MlirValue value, XcTensorInfo *info) {
  if (!is_fixed_point(info))
    return;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use) && !info->hasFixPoint;
       use = mlirOpOperandGetNextUse(use))
    info->hasFixPoint =
        find_operand_point(mlirOpOperandGetOwner(use),
                           mlirOpOperandGetOperandNumber(use), &info->fixPoint);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

void xc_rt_describe(XcModel *model, MlirOperation operation,
                    XcTensorInfo *info) {
  info->opType =
      xc_rt_string(model, mlirIdentifierStr(mlirOperationGetName(operation)));
  MlirAttribute name = xc_op_attribute(operation, "op_name");
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name))
    info->opName = xc_rt_string(model, mlirStringAttrGetValue(name));
  MlirLocation location = mlirOperationGetLocation(operation);
  MlirStringRef file;
  unsigned line, column;
  xc_text text = {0};
  if (xc_location_place(location, &file, &line, &column))
    xc_text_printf(&text, "%.*s:%u:%u", (int)file.length, file.data, line,
                   column);
  else if (mlirLocationIsAName(location)) {
    MlirStringRef place = mlirIdentifierStr(mlirLocationNameGetName(location));
    xc_text_append(&text, place.data, place.length);
  }
  info->location =
      xc_rt_string(model, (MlirStringRef){xc_text_str(&text), text.length});
  xc_text_free(&text);
}

//===----------------------------------------------------------------------===//
// The whole function as a part
//===----------------------------------------------------------------------===//

static void add_inputs(XcModel *model, xc_rt_part *part,
                       const xc_rt_signature *signature) {
  MlirBlock block = body_of(part->function);
  for (size_t i = 0; i < signature->num_inputs; ++i) {
    XcTensorInfo info = xc_rt_tensor_info(signature->types[i]);
    info.name = name_at(model, part->function, "input_names", i);
    info.layout =
        xc_rt_layout_of(xc_model_image_layout(model->layout, info.dims), &info);
    find_input_point(mlirBlockGetArgument(block, (intptr_t)i), &info);
    part->inputs[i] = xc_rt_add_value(model, &info);
    xc_rt_add_input(model, part->inputs[i]);
  }
}

static size_t index_of(MlirOperation operation) {
  size_t index = 0;
  MlirBlock block = mlirOperationGetBlock(operation);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, operation); op = mlirOperationGetNextInBlock(op))
    ++index;
  return index;
}

// Describes the terms of a sum, where an operator computes or moves one.
static void find_terms(const XcModel *model, const xc_rt_part *part,
                       MlirOperation operation, XcTensorInfo *info) {
  MlirOperation sum = xc_rt_source(operation);
  info->factors = xc_rt_factors(sum);
  if (info->factors == 0)
    return;
  MlirValue first = mlirOperationGetOperand(sum, 0);
  info->part = (size_t)(part - model->parts);
  info->operation = index_of(operation);
  if (mlirValueIsAOpResult(first))
    info->factorsOf = index_of(mlirOpResultGetOwner(first));
  else
    info->factors = 0;
}

static void add_outputs(XcModel *model, xc_rt_part *part,
                        const xc_rt_signature *signature) {
  MlirOperation last = mlirBlockGetTerminator(body_of(part->function));
  bool has_results =
      mlirFunctionTypeGetNumResults(function_type(part->function)) ==
      (intptr_t)signature->num_outputs;
  for (size_t i = 0; i < signature->num_outputs; ++i) {
    XcTensorInfo info =
        xc_rt_tensor_info(signature->types[signature->num_inputs + i]);
    info.name = name_at(model, part->function, "output_names", i);
    info.layout = xc_rt_layout_of(model->layout, &info);
    MlirValue value = has_results ? mlirOperationGetOperand(last, (intptr_t)i)
                                  : (MlirValue){NULL};
    if (has_results && mlirValueIsAOpResult(value)) {
      MlirOperation owner = mlirOpResultGetOwner(value);
      find_output_point(owner, &info);
      xc_rt_describe(model, owner, &info);
      find_terms(model, part, owner, &info);
    }
    part->outputs[i] = xc_rt_add_value(model, &info);
    xc_rt_add_output(model, part->outputs[i]);
  }
}

void xc_rt_add_function(XcModel *model, MlirModule module,
                        MlirOperation function) {
  xc_rt_signature signature = xc_rt_signature_of(function);
  xc_rt_part *part = xc_rt_add_part(model);
  part->module = module;
  part->function = function;
  part->name = xc_rt_string(
      model, mlirStringAttrGetValue(xc_op_attribute(function, "sym_name")));
  part->num_inputs = signature.num_inputs;
  part->num_outputs = signature.num_outputs;
  part->inputs = xc_arena_alloc(&model->arena, part->num_inputs + 1,
                                sizeof(*part->inputs));
  part->outputs = xc_arena_alloc(&model->arena, part->num_outputs + 1,
                                 sizeof(*part->outputs));
  add_inputs(model, part, &signature);
  add_outputs(model, part, &signature);
  if (xc_rt_exposes(model))
    xc_rt_expose(model, part);
  free(signature.types);
}

//===----------------------------------------------------------------------===//
// Tensors as outputs
//===----------------------------------------------------------------------===//

bool xc_rt_exposes(const XcModel *model) {
  return model->options.everyTensor || model->options.cutAtRounding;
}

typedef struct exposure {
  MlirValue *values; // what the function returns
  size_t *outputs;   // the same as values of the model
  size_t count, value_capacity, output_capacity;
} exposure;

static void push(exposure *e, MlirValue value, size_t output) {
  xc_grow((void **)&e->values, &e->value_capacity, e->count + 1,
          sizeof(*e->values));
  xc_grow((void **)&e->outputs, &e->output_capacity, e->count + 1,
          sizeof(*e->outputs));
  e->values[e->count] = value;
  e->outputs[e->count++] = output;
}

static bool computes(MlirOperation operation) {
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->kind != XC_TIR_CONST;
}

// All results of an operator or none of them.
static bool is_asked_for(const XcModel *model, MlirOperation operation) {
  if (!computes(operation))
    return false;
  bool found = model->options.everyTensor;
  for (intptr_t r = 0; !found && r < mlirOperationGetNumResults(operation); ++r)
    found = xc_rt_is_at_rounding(mlirOperationGetResult(operation, r));
  return found;
}

// Results that are returned already only get their place.
static void expose_operation(XcModel *model, const xc_rt_part *part,
                             MlirOperation operation, size_t index,
                             const xc_pointer_map *returned, exposure *e) {
  bool asked = is_asked_for(model, operation);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(operation); ++r) {
    MlirValue value = mlirOperationGetResult(operation, r);
    const size_t *known = xc_pointer_map_get(returned, value.ptr);
    if (!known && !asked)
      continue;
    XcTensorInfo added = xc_rt_tensor_info(mlirValueGetType(value));
    XcTensorInfo *info = known ? &model->values[*known] : &added;
    xc_rt_describe(model, operation, info);
    info->part = (size_t)(part - model->parts);
    info->operation = index;
    find_terms(model, part, operation, info);
    find_output_point(operation, info);
    if (known)
      continue;
    added.name = added.opName;
    push(e, value, xc_rt_add_value(model, &added));
  }
}

static void set_results(xc_rt_part *part, const exposure *e) {
  MlirContext context = mlirOperationGetContext(part->function);
  xc_rt_signature signature = xc_rt_signature_of(part->function);
  MlirType *results = xc_alloc_array(e->count + 1, sizeof(*results));
  for (size_t i = 0; i < e->count; ++i)
    results[i] = mlirValueGetType(e->values[i]);
  MlirType type =
      mlirFunctionTypeGet(context, (intptr_t)signature.num_inputs,
                          signature.types, (intptr_t)e->count, results);
  mlirOperationSetAttributeByName(part->function, xc_ref("function_type"),
                                  mlirTypeAttrGet(type));
  (void)mlirOperationRemoveAttributeByName(part->function,
                                           xc_ref("output_names"));
  (void)mlirOperationRemoveAttributeByName(part->function, xc_ref("res_attrs"));
  mlirOperationSetOperands(mlirBlockGetTerminator(body_of(part->function)),
                           (intptr_t)e->count, e->values);
  free(results);
  free(signature.types);
}

void xc_rt_expose(XcModel *model, xc_rt_part *part) {
  MlirBlock block = body_of(part->function);
  MlirOperation last = mlirBlockGetTerminator(block);
  if (mlirOperationGetNumOperands(last) != (intptr_t)part->num_outputs)
    return;
  exposure e = {0};
  xc_pointer_map returned = {0};
  for (size_t i = 0; i < part->num_outputs; ++i) {
    MlirValue value = mlirOperationGetOperand(last, (intptr_t)i);
    push(&e, value, part->outputs[i]);
    // Arguments that are returned come after everything computed.
    if (mlirValueIsABlockArgument(value))
      model->values[part->outputs[i]].operation = SIZE_MAX;
    xc_pointer_map_set(&returned, value.ptr, &part->outputs[i]);
  }
  size_t index = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op), ++index)
    if (computes(op))
      expose_operation(model, part, op, index, &returned, &e);
  part->num_outputs = e.count;
  part->outputs =
      xc_arena_alloc(&model->arena, e.count + 1, sizeof(*part->outputs));
  if (e.count)
    memcpy(part->outputs, e.outputs, e.count * sizeof(*e.outputs));
  if (model->options.cutAtRounding && !part->is_dpu)
    xc_rt_cut_function(model, part, e.values);
  set_results(part, &e);
  xc_pointer_map_free(&returned);
  free(e.values);
  free(e.outputs);
}

typedef struct place {
  size_t part, operation, value;
} place;

static int compare_places(const void *left, const void *right) {
  const place *a = left, *b = right;
  if (a->part != b->part)
    return a->part < b->part ? -1 : 1;
  if (a->operation != b->operation)
    return a->operation < b->operation ? -1 : 1;
  return a->value < b->value ? -1 : a->value > b->value;
}

void xc_rt_output_everything(XcModel *model) {
  place *places = xc_alloc_array(model->num_values + 1, sizeof(*places));
  bool *seen = xc_alloc_array(model->num_values + 1, sizeof(*seen));
  size_t count = 0;
  for (size_t i = 0; i < model->num_parts; ++i)
    for (size_t o = 0; o < model->parts[i].num_outputs; ++o) {
      size_t value = model->parts[i].outputs[o];
      if (seen[value])
        continue;
      seen[value] = true;
      places[count++] = (place){model->values[value].part,
                                model->values[value].operation, value};
    }
  qsort(places, count, sizeof(*places), compare_places);
  model->num_outputs = 0;
  for (size_t i = 0; i < count; ++i)
    xc_rt_add_output(model, places[i].value);
  free(places);
  free(seen);
}
