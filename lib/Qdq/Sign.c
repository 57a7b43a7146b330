//===- Sign.c - signed bytes in place of unsigned ones --------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With a zero point of 128, unsigned bytes are signed ones without a zero point
// plus 128. With a zero point of 0, as after a ReLU, they have one bit more:
// signed ones reach as far with steps twice as large. What saturates at zero
// gets a ReLU.
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include "IR/IR.h"
#include "Qdq.h"
#include "Support/Memory.h"

#include <math.h>
#include <stdlib.h>

enum { MIDDLE = 128 };

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool is_power_of_two(double scale) {
  int exponent;
  return frexp(scale, &exponent) == 0.5;
}

// Of quantisations, all numbers.
static bool has_powers_of_two(MlirOperation operation) {
  xc_adaptor adaptor;
  if (!xc_adaptor_of(operation, &adaptor))
    return false;
  size_t count = xc_attr_floats(&adaptor, XC_ATTR_SCALE, NULL, 0);
  double *scales = xc_alloc_array(count + 1, sizeof(*scales));
  bool all = true;
  xc_attr_floats(&adaptor, XC_ATTR_SCALE, scales, count);
  for (size_t i = 0; i < count && all; ++i)
    all = is_power_of_two(scales[i]);
  free(scales);
  return all;
}

// Whether the model was trained for powers of two: one of them may be by
// chance, as that of a sigmoid.
static bool was_trained_for_powers(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if ((xc_qdq_is_tir(op, XC_TIR_QUANTIZE_LINEAR) ||
         xc_qdq_is_tir(op, XC_TIR_DEQUANTIZE_LINEAR)) &&
        !has_powers_of_two(op))
      return false;
  return true;
}

// Whether all that reads the integers makes the same numbers of them again.
static bool is_undone_by_all(const qdq_linear *quantize) {
  MlirOpOperand use = mlirValueGetFirstUse(xc_op_result(quantize->operation));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    qdq_linear back;
    if (!xc_qdq_is_tir(reader, XC_TIR_DEQUANTIZE_LINEAR) ||
        !xc_qdq_read_input(xc_op_result(reader), &back) || back.count != 1 ||
        back.scale != quantize->scale ||
        back.zero_point != quantize->zero_point)
      return false;
  }
  return true;
}

static bool moves_or_joins(xc_op_kind kind) {
  switch ((int)kind) {
  case XC_TIR_CONCAT:
  case XC_TIR_RESHAPE:
  case XC_TIR_TRANSPOSE:
  case XC_TIR_STRIDED_SLICE:
  case XC_TIR_SQUEEZE:
  case XC_TIR_FLATTEN:
  case XC_TIR_MAXPOOL2D:
  case XC_TIR_AVGPOOL2D:
  case XC_TIR_REDUCTION_MEAN:
  case XC_TIR_QUANTIZE_LINEAR:
  case XC_TIR_DEQUANTIZE_LINEAR:
    return true;
  default:
    return false;
  }
}

// Whether no element can be below zero, as far as the operators before tell.
static bool is_never_negative(MlirValue value, int depth) {
  enum { DEEPEST = 16 };
  if (!mlirValueIsAOpResult(value) || depth == DEEPEST)
    return false;
  MlirOperation operation = mlirOpResultGetOwner(value);
  const xc_op_info *info = xc_op_info_of(operation);
  qdq_linear linear;
  if (!info || info->dialect != XC_DIALECT_TIR)
    return false;
  if (info->kind == XC_TIR_RELU || info->kind == XC_TIR_RELU6 ||
      info->kind == XC_TIR_SIGMOID || info->kind == XC_TIR_HARD_SIGMOID)
    return true;
  if (xc_qdq_read_input(value, &linear) && linear.element == XC_ELEMENT_UI8 &&
      linear.zero_point == 0)
    return true;
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i)
    if (!moves_or_joins(info->kind) ||
        !is_never_negative(mlirOperationGetOperand(operation, i), depth + 1))
      return false;
  return count > 0;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void set_numbers(MlirOperation operation, float scale) {
  const int64_t zero = 0;
  MlirContext context = mlirOperationGetContext(operation);
  const xc_attribute list[] = {xc_floats("scale", &scale, 1),
                               xc_ints("zero_point", &zero, 1)};
  for (size_t i = 0; i < 2; ++i)
    mlirOperationSetAttributeByName(operation, xc_ref(list[i].name),
                                    xc_attribute_get(context, &list[i]));
}

// Whether a value is an input of the model, or one that moved.
static bool is_input(MlirValue value, int depth) {
  enum { DEEPEST = 16 };
  if (mlirValueIsABlockArgument(value))
    return true;
  MlirOperation operation = mlirOpResultGetOwner(value);
  const xc_op_info *info = xc_op_info_of(operation);
  return info && info->dialect == XC_DIALECT_TIR && depth < DEEPEST &&
         moves_or_joins(info->kind) &&
         mlirOperationGetNumOperands(operation) == 1 &&
         is_input(mlirOperationGetOperand(operation, 0), depth + 1);
}

static bool clamp_before(MlirOperation quantize) {
  MlirValue source = mlirOperationGetOperand(quantize, 0);
  xc_builder builder = xc_builder_before(quantize);
  MlirValue clamped =
      xc_build(&builder, XC_TIR_RELU, &source, 1, NULL, 0, XC_ELEMENT_NONE);
  if (mlirValueIsNull(clamped))
    return false;
  mlirOperationSetOperand(quantize, 0, clamped);
  return true;
}

// An input is quantised by the host, and nothing else is to be computed there:
// the signed bytes are clamped in fixed point.
static bool clamp_after(MlirOperation quantize, float scale) {
  const int64_t zero = 0;
  const xc_attribute list[] = {xc_floats("scale", &scale, 1),
                               xc_ints("zero_point", &zero, 1)};
  xc_builder builder = xc_builder_before(mlirOperationGetNextInBlock(quantize));
  builder.location = mlirOperationGetLocation(quantize);
  MlirValue integers = xc_op_result(quantize);
  MlirValue real = xc_build(&builder, XC_TIR_DEQUANTIZE_LINEAR, &integers, 1,
                            list, 2, XC_ELEMENT_F32);
  if (mlirValueIsNull(real))
    return false;
  MlirOperation first = mlirOpResultGetOwner(real);
  MlirValue value =
      xc_build(&builder, XC_TIR_RELU, &real, 1, NULL, 0, XC_ELEMENT_NONE);
  if (!mlirValueIsNull(value))
    value = xc_build(&builder, XC_TIR_QUANTIZE_LINEAR, &value, 1, list, 2,
                     XC_ELEMENT_I8);
  if (mlirValueIsNull(value))
    return false;
  mlirValueReplaceAllUsesExcept(integers, value, 1, &first);
  return true;
}

static bool clamp(MlirOperation quantize, float scale) {
  MlirValue source = mlirOperationGetOperand(quantize, 0);
  return is_never_negative(source, 0) ||
         (is_input(source, 0) ? clamp_after(quantize, scale)
                              : clamp_before(quantize));
}

static bool sign(const qdq_linear *quantize, size_t *num_halved) {
  MlirValue integers = xc_op_result(quantize->operation);
  bool halves = quantize->zero_point == 0;
  float scale = (float)quantize->scale * (halves ? 2.0F : 1.0F);
  xc_shape shape;
  xc_shape_of_type(mlirValueGetType(integers), &shape);
  shape.element = XC_ELEMENT_I8;
  set_numbers(quantize->operation, scale);
  mlirValueSetType(
      integers,
      xc_type_of_shape(mlirOperationGetContext(quantize->operation), &shape));
  MlirOpOperand use = mlirValueGetFirstUse(integers);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    set_numbers(mlirOpOperandGetOwner(use), scale);
  *num_halved += halves;
  return !halves || clamp(quantize->operation, scale);
}

bool xc_sign_qdq(MlirBlock block, size_t *num_halved) {
  *num_halved = 0;
  if (!was_trained_for_powers(block))
    return true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    qdq_linear linear;
    if (xc_qdq_is_tir(op, XC_TIR_QUANTIZE_LINEAR) &&
        xc_qdq_read_result(op, &linear) && linear.count == 1 &&
        linear.element == XC_ELEMENT_UI8 &&
        (linear.zero_point == 0 || linear.zero_point == MIDDLE) &&
        is_undone_by_all(&linear) && !sign(&linear, num_halved))
      return false;
  }
  return true;
}
