//===- Softmax.c - a softmax that was written out -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TOSA has no softmax: front ends write exp(x - max) * reciprocal(sum), along
// one axis. It is one operator in tir, so that it is found again where a device
// has one, and rounds as that of other formats.
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"

#include "mlir-c/BuiltinAttributes.h"

static MlirValue operand(MlirOperation op, intptr_t index) {
  return mlirOperationGetOperand(op, index);
}

static bool has_axis(MlirOperation op, int64_t axis) {
  MlirAttribute attribute = xc_op_attribute(op, "axis");
  return !mlirAttributeIsNull(attribute) &&
         mlirAttributeIsAInteger(attribute) &&
         mlirIntegerAttrGetValueInt(attribute) == axis;
}

// Of exp(x - max(x)): x.
static MlirValue centred_input(MlirValue value, int64_t axis) {
  const MlirValue none = {NULL};
  MlirOperation exp = xc_tosa_defined_by(value, "exp");
  if (mlirOperationIsNull(exp))
    return none;
  MlirOperation sub = xc_tosa_defined_by(operand(exp, 0), "sub");
  if (mlirOperationIsNull(sub))
    return none;
  MlirOperation max = xc_tosa_defined_by(operand(sub, 1), "reduce_max");
  if (mlirOperationIsNull(max) || !has_axis(max, axis) ||
      !mlirValueEqual(operand(max, 0), operand(sub, 0)))
    return none;
  return operand(sub, 0);
}

MlirValue xc_tosa_emit_softmax(xc_tosa_converter *c) {
  const MlirValue none = {NULL};
  for (intptr_t i = 0; i < 2; ++i) {
    MlirOperation inverse =
        xc_tosa_defined_by(operand(c->op, 1 - i), "reciprocal");
    if (mlirOperationIsNull(inverse))
      continue;
    MlirOperation sum = xc_tosa_defined_by(operand(inverse, 0), "reduce_sum");
    if (mlirOperationIsNull(sum) ||
        !mlirValueEqual(operand(sum, 0), operand(c->op, i)))
      continue;
    for (int64_t axis = 0; axis < XC_MAX_RANK; ++axis) {
      MlirValue x = centred_input(operand(c->op, i), axis);
      if (mlirValueIsNull(x) || !has_axis(sum, axis))
        continue;
      const xc_attribute attribute = xc_int("axis", axis);
      MlirValue input = xc_tosa_value(c, x);
      return xc_tosa_emit(c, XC_TIR_SOFTMAX, &input, 1, &attribute, 1,
                          XC_ELEMENT_NONE);
    }
  }
  return none;
}
