//===- RealForm.c - float forms of integer values -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RealForm.h"

#include "IR/IR.h"
#include "Interpreter/Kernel.h"
#include "OpParams/Quant.h"
#include "dialects/Emit.h"

#include "mlir-c/BuiltinAttributes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

xc_real_form *xc_requantize_form(const xc_requantizer *r, MlirValue value) {
  return xc_pointer_map_get(&r->forms, value.ptr);
}

MlirValue xc_requantize_result(const xc_requantizer *r) {
  return xc_op_result(r->adaptor.operation);
}

bool xc_requantize_set(xc_requantizer *r, MlirValue real, xc_quant point) {
  if (mlirValueIsNull(real))
    return false;
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(xc_requantize_result(r)), &shape);
  xc_real_form *form = xc_arena_alloc(&r->arena, 1, sizeof(*form));
  *form = (xc_real_form){.real = real,
                         .element = shape.element,
                         .scale = point.scale,
                         .zero_point = point.zero_point};
  xc_pointer_map_set(&r->forms, xc_requantize_result(r).ptr, form);
  return true;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static int64_t channel_at(const xc_shape *shape, xc_channel_rule rule,
                          int64_t i) {
  int64_t last = shape->rank ? shape->dims[shape->rank - 1] : 1;
  switch (rule) {
  case XC_SCALE_ONE:
    return 0;
  case XC_SCALE_FIRST_DIM:
    return i / xc_shape_inner(shape, 0);
  case XC_SCALE_DEPTHWISE:
    return i % last * shape->dims[0] + i / xc_shape_inner(shape, 0);
  case XC_SCALE_LAST_DIM:
    return i % last;
  case XC_SCALE_SECOND_TO_LAST:
    return i / last % shape->dims[shape->rank - 2];
  }
  return 0;
}

MlirValue xc_requantize_constant(xc_requantizer *r, MlirValue value,
                                 const xc_constant_scales *scales) {
  MlirOperation operation = xc_constant_of(value);
  size_t size;
  void *bytes = xc_const_bytes(operation, &size);
  if (!bytes) {
    xc_op_error(operation, "has no content to requantise");
    return (MlirValue){NULL};
  }
  xc_tensor from = {.data = bytes};
  xc_shape_of_type(mlirValueGetType(value), &from.shape);
  int64_t count = xc_tensor_count(&from);
  xc_tensor to = {from.shape, xc_alloc_array((size_t)count, sizeof(float))};
  to.shape.element = XC_ELEMENT_F32;
  for (int64_t i = 0; i < count; ++i) {
    size_t c = (size_t)channel_at(&from.shape, scales->rule, i);
    double scale = scales->scales[scales->num_scales == 1 ? 0 : c];
    int64_t zero = scales->num_zero_points == 0   ? 0
                   : scales->num_zero_points == 1 ? scales->zero_points[0]
                                                  : scales->zero_points[c];
    xc_set_real(&to, i, (double)(xc_get_int(&from, i) - zero) * scale);
  }
  const xc_builder builder =
      xc_builder_at(&r->builder, mlirOperationGetLocation(operation));
  MlirValue result = xc_build_const_bytes(&builder, to.data, &to.shape);
  free(to.data);
  free(bytes);
  return result;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

MlirValue xc_requantize_operand(xc_requantizer *r, size_t slot,
                                xc_quant point) {
  MlirValue operand = xc_operand(&r->adaptor, slot);
  xc_real_form *form = xc_requantize_form(r, operand);
  if (form)
    return form->real;
  double scale = (double)point.scale;
  const int64_t zero = point.zero_point;
  if (!mlirOperationIsNull(xc_constant_of(operand))) {
    const xc_constant_scales scales = {&scale, &zero, 1, 1, XC_SCALE_ONE};
    return xc_requantize_constant(r, operand, &scales);
  }
  const xc_attribute attributes[] = {xc_floats("scale", &point.scale, 1),
                                     xc_ints("zero_point", &zero, 1)};
  return xc_build(&r->builder, XC_TIR_DEQUANTIZE_LINEAR, &operand, 1,
                  attributes, 2, XC_ELEMENT_F32);
}

MlirValue xc_requantize_weight(xc_requantizer *r, size_t slot,
                               xc_channel_rule rule, const double *scales,
                               size_t count) {
  MlirValue operand = xc_operand(&r->adaptor, slot);
  int64_t few[XC_MAX_INTS];
  size_t points = xc_attr_ints(&r->adaptor, XC_ATTR_WEIGHT_ZERO_POINT, few);
  int64_t *zeros = xc_arena_alloc(&r->arena, points + 1, sizeof(*zeros));
  for (size_t i = 0; i < points; ++i)
    zeros[i] = xc_attr_int_at(&r->adaptor, XC_ATTR_WEIGHT_ZERO_POINT, i);
  if (mlirOperationIsNull(xc_constant_of(operand)))
    return xc_requantize_operand(
        r, slot, (xc_quant){(float)scales[0], points ? (int32_t)zeros[0] : 0});
  const xc_constant_scales all = {scales, zeros, count, points, rule};
  return xc_requantize_constant(r, operand, &all);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

void xc_requantize_add(xc_requantizer *r, xc_attribute attribute) {
  xc_attributes_add(&r->attributes, attribute);
}

void xc_requantize_attributes(xc_requantizer *r, xc_op_kind to) {
  xc_attributes_take(&r->attributes, r->adaptor.operation, to);
}

MlirValue xc_requantize_build(xc_requantizer *r, xc_op_kind to,
                              const MlirValue *operands, size_t num_operands) {
  for (size_t i = 0; i < num_operands; ++i)
    if (mlirValueIsNull(operands[i]))
      return (MlirValue){NULL};
  return xc_build(&r->builder, to, operands, num_operands, r->attributes.items,
                  r->attributes.count, XC_ELEMENT_NONE);
}

MlirValue xc_requantize_activate(xc_requantizer *r, xc_enum type,
                                 MlirValue value) {
  static const struct {
    xc_enum type;
    xc_op_kind kind;
  } rows[] = {{XC_ENUM_RELU, XC_TIR_RELU},
              {XC_ENUM_RELU6, XC_TIR_RELU6},
              {XC_ENUM_RELU_N1_TO_1, XC_TIR_CLIP}};
  for (size_t i = 0; !mlirValueIsNull(value) && i < 3; ++i) {
    if (rows[i].type != type)
      continue;
    r->attributes.count = 0;
    xc_requantize_attributes(r, rows[i].kind);
    if (rows[i].kind == XC_TIR_CLIP) {
      xc_requantize_add(r, xc_float("min", -1));
      xc_requantize_add(r, xc_float("max", 1));
    }
    return xc_requantize_build(r, rows[i].kind, &value, 1);
  }
  return value;
}

void xc_requantize_drop(xc_requantizer *r, MlirOperation operation) {
  void *dead = r->dead;
  xc_grow(&dead, &r->dead_capacity, r->num_dead + 1, sizeof(*r->dead));
  r->dead = dead;
  r->dead[r->num_dead++] = operation;
}
