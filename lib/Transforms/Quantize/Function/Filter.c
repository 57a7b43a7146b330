//===- Filter.c - convolutions with constant weights ----------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Filter.h"

#include "IR/Builder.h"
#include "IR/IR.h"
#include "dialects/Build.h"
#include "dialects/Emit.h"

bool xc_is_filter(xc_op_kind kind) {
  switch (kind) {
  case XC_TIR_CONV2D:
  case XC_TIR_TRANSPOSED_CONV2D:
  case XC_TIR_DEPTHWISE_CONV2D:
  case XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D:
    return true;
  default:
    return false;
  }
}

float *xc_filter_read(const xc_adaptor *op, size_t slot) {
  size_t size;
  MlirOperation constant = xc_constant_of(xc_operand(op, slot));
  if (mlirOperationIsNull(constant) ||
      xc_operand_shape(op, slot).element != XC_ELEMENT_F32)
    return NULL;
  return xc_const_bytes(constant, &size);
}

bool xc_filter_write(MlirOperation operation, size_t slot,
                     const float *floats) {
  xc_adaptor op;
  if (!xc_adaptor_of(operation, &op))
    return false;
  MlirValue old = xc_operand(&op, slot);
  xc_shape shape = xc_operand_shape(&op, slot);
  MlirOperation constant = mlirOpResultGetOwner(old);
  xc_builder builder = xc_builder_before(operation);
  builder.location = mlirOperationGetLocation(constant);
  MlirValue made = xc_build_const_bytes(&builder, floats, &shape);
  if (mlirValueIsNull(made))
    return false;
  mlirOperationSetOperand(operation, op.positions[slot], made);
  if (!xc_value_is_used(old))
    mlirOperationDestroy(constant);
  return true;
}
