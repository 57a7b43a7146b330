//===- Standard.c - CPU parts as operators of the board's runtime ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Standard.h"

#include "IR/IR.h"
#include "Target/XModel/Tir/Payload.h"
#include "dialects/Build.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdlib.h>
#include <string.h>

xc_shape xc_standard_shape(const xc_shape *shape) {
  if (shape->rank && shape->dims[0] == 1)
    return *shape;
  xc_shape result = {.element = shape->element, .rank = shape->rank + 1};
  result.dims[0] = 1;
  for (size_t i = 0; i < shape->rank; ++i)
    result.dims[i + 1] = shape->dims[i];
  return result;
}

const xc_shape *xc_standard_shape_of(const xc_standard *s, size_t value) {
  return value < s->num_inputs ? &s->inputs[value]
                               : &s->ops[value - s->num_inputs].shape;
}

size_t xc_standard_add(xc_standard *s, const xc_standard_op *op) {
  xc_grow((void **)&s->ops, &s->capacity, s->num_ops + 1, sizeof(*s->ops));
  s->ops[s->num_ops] = *op;
  return s->num_inputs + s->num_ops++;
}

//===----------------------------------------------------------------------===//
// From a function
//===----------------------------------------------------------------------===//

static bool set_value(xc_standard *s, MlirValue value, size_t number) {
  xc_pointer_map_set(&s->values, value.ptr, (void *)(uintptr_t)(number + 1));
  return true;
}

static bool add_constant(xc_standard *s, MlirOperation operation) {
  MlirValue value = mlirOperationGetResult(operation, 0);
  xc_shape shape;
  size_t size;
  if (!xc_shape_of_type(mlirValueGetType(value), &shape) ||
      shape.element != XC_ELEMENT_F32 || shape.rank >= XC_MAX_RANK)
    return false;
  void *bytes = xc_const_bytes(operation, &size);
  if (!bytes)
    return false;
  size_t count = size / sizeof(float);
  float *data = xc_arena_alloc(s->arena, count + 1, sizeof(*data));
  memcpy(data, bytes, size);
  free(bytes);
  const xc_standard_op op = {.type = "const",
                             .shape = xc_standard_shape(&shape),
                             .attrs = {.data = data, .data_size = count}};
  return set_value(s, value, xc_standard_add(s, &op));
}

static bool lower(xc_standard *s, MlirOperation operation) {
  xc_adaptor op;
  size_t operands[XC_MAX_OPERANDS] = {0}, value;
  if (!xc_op_info_of(operation) || !xc_adaptor_of(operation, &op) ||
      mlirOperationGetNumResults(operation) != 1 ||
      xc_result_shape(&op).rank >= XC_MAX_RANK)
    return false;
  if (op.info->kind == XC_TIR_CONST)
    return add_constant(s, operation);
  for (size_t slot = 0; slot < op.info->num_operands; ++slot) {
    if (!xc_has_operand(&op, slot))
      continue;
    void *number = xc_pointer_map_get(&s->values, xc_operand(&op, slot).ptr);
    if (!number)
      return false;
    operands[slot] = (size_t)(uintptr_t)number - 1;
  }
  if (!xc_standard_lower(s, &op, operands, &value))
    return false;
  s->ops[value - s->num_inputs].source = operation;
  return set_value(s, mlirOperationGetResult(operation, 0), value);
}

static void allocate_inputs(xc_standard *s, intptr_t count) {
  s->num_inputs = (size_t)count;
  s->inputs = xc_arena_alloc(s->arena, s->num_inputs + 1, sizeof(*s->inputs));
}

static bool add_input(xc_standard *s, size_t index, MlirValue value) {
  xc_shape shape;
  if (!xc_shape_of_type(mlirValueGetType(value), &shape) ||
      shape.rank >= XC_MAX_RANK)
    return false;
  s->inputs[index] = xc_standard_shape(&shape);
  return set_value(s, value, index);
}

static bool add_inputs(xc_standard *s, MlirBlock body) {
  bool ok = true;
  allocate_inputs(s, mlirBlockGetNumArguments(body));
  for (size_t i = 0; ok && i < s->num_inputs; ++i)
    ok = add_input(s, i, mlirBlockGetArgument(body, (intptr_t)i));
  return ok;
}

bool xc_standard_has_form(MlirOperation operation) {
  xc_arena arena = {0};
  xc_standard s = {.arena = &arena};
  bool ok = true;
  allocate_inputs(&s, mlirOperationGetNumOperands(operation));
  for (size_t i = 0; ok && i < s.num_inputs; ++i)
    ok = add_input(&s, i, mlirOperationGetOperand(operation, (intptr_t)i));
  ok = ok && lower(&s, operation);
  xc_pointer_map_free(&s.values);
  xc_standard_free(&s);
  xc_arena_free(&arena);
  return ok;
}

// A result is an operator of its own.
static bool name_results(xc_standard *s, MlirOperation last,
                         const XcXModelPort *outputs) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i) {
    size_t value = (size_t)(uintptr_t)xc_pointer_map_get(
                       &s->values, mlirOperationGetOperand(last, i).ptr) -
                   1;
    if (value < s->num_inputs || s->ops[value - s->num_inputs].name)
      return false;
    s->ops[value - s->num_inputs].name = outputs[i].name;
  }
  return true;
}

// Whatever computes its result, what reads it may have an exact form.
static void add_other(xc_standard *s, MlirOperation operation) {
  xc_shape shape;
  MlirValue value = mlirOperationGetResult(operation, 0);
  if (xc_shape_of_type(mlirValueGetType(value), &shape) &&
      shape.rank < XC_MAX_RANK) {
    const xc_standard_op op = {.shape = xc_standard_shape(&shape)};
    set_value(s, value, xc_standard_add(s, &op));
  }
  xc_grow((void **)&s->others, &s->other_capacity, s->num_others + 1,
          sizeof(*s->others));
  s->others[s->num_others++] = operation;
}

xc_standard xc_standard_create(MlirOperation function,
                               const XcXModelPort *outputs, xc_arena *arena) {
  xc_standard s = {.arena = arena};
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  MlirOperation last = mlirBlockGetTerminator(body);
  bool ok = add_inputs(&s, body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationEqual(op, last); op = mlirOperationGetNextInBlock(op))
    if (!lower(&s, op))
      add_other(&s, op);
  s.is_exact = ok && s.num_others == 0 && name_results(&s, last, outputs);
  xc_pointer_map_free(&s.values);
  return s;
}

void xc_standard_free(xc_standard *standard) {
  free(standard->ops);
  free(standard->others);
  *standard = (xc_standard){0};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void write_tensor(const xc_standard_op *o, XcXModelOp *op,
                         const XcXModelPort *outputs, size_t num_outputs) {
  for (size_t i = 0; i < num_outputs; ++i)
    if (outputs[i].name == o->name) {
      xcXModelOpSetPort(op, &outputs[i]);
      return;
    }
  XcXModelPort port = {.name = o->name,
                       .element = xc_element_name(o->shape.element),
                       .rank = o->shape.rank};
  for (size_t i = 0; i < o->shape.rank; ++i)
    port.dims[i] = (uint32_t)o->shape.dims[i];
  xcXModelOpSetPort(op, &port);
}

static void write_attrs(const xc_standard *s, const xc_standard_op *o,
                        XcXModelOp *op) {
  XcXModelAttrs attrs = xcXModelOpGetAttrs(op);
  if (o->attrs.list_name)
    xcXModelAttrsSetInt32Vec(attrs, o->attrs.list_name, o->attrs.list,
                             o->attrs.list_size);
  if (o->attrs.data)
    xcXModelAttrsSetBytes(attrs, "data", o->attrs.data,
                          o->attrs.data_size * sizeof(float));
  xcXModelAttrsSetString(attrs, "device", "CPU");
  intptr_t count = mlirAttributeIsNull(o->attrs.payload)
                       ? 0
                       : mlirDictionaryAttrGetNumElements(o->attrs.payload);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute entry =
        mlirDictionaryAttrGetElement(o->attrs.payload, i);
    MlirStringRef key = mlirIdentifierStr(entry.name);
    xc_xmodel_payload_set(attrs,
                          xc_arena_string(s->arena, key.data, key.length),
                          entry.attribute);
  }
  if (!o->attrs.has_fix_point)
    return;
  bool to_float = o->shape.element == XC_ELEMENT_F32;
  const xc_shape *fixed =
      to_float ? xc_standard_shape_of(s, o->inputs[0]) : &o->shape;
  xcXModelAttrsSetInt32(attrs, "bit_width", 8);
  xcXModelAttrsSetInt32(attrs, "fix_point", o->attrs.fix_point);
  xcXModelAttrsSetBool(attrs, "if_signed", fixed->element == XC_ELEMENT_I8);
  xcXModelAttrsSetString(attrs, "round_mode", "DPU_ROUND");
}

void xc_standard_write(const xc_standard *standard, XcXModel *model,
                       XcXModelSubgraph *subgraph, const char *const *inputs,
                       const XcXModelPort *outputs, size_t num_outputs) {
  for (size_t i = 0; i < standard->num_ops; ++i) {
    const xc_standard_op *o = &standard->ops[i];
    XcXModelOp *op = xcXModelAddOp(model, o->name, o->type);
    const char *args[XC_STANDARD_MAX_INPUTS];
    for (size_t k = 0; k < o->num_inputs; ++k) {
      size_t value = o->inputs[k], count = standard->num_inputs;
      args[k] =
          value < count ? inputs[value] : standard->ops[value - count].name;
    }
    if (o->num_inputs)
      xcXModelOpAddArg(op, "input", args, o->num_inputs);
    write_tensor(o, op, outputs, num_outputs);
    write_attrs(standard, o, op);
    xcXModelSubgraphAddOp(subgraph, o->name);
  }
}
