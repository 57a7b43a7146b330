//===- OpOrder.c - the order in which operators are lowered ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution and the depthwise one that alone reads its result run
// interleaved if nothing comes between them; what passes from one to the other,
// often the largest image of its neighbourhood, then stays in the banks. An
// operator of another branch between them would send it through DDR.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "IR/IR.h"

static MlirValue output_of(MlirOperation op) {
  return mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
}

static bool is_conv(MlirOperation op) {
  return xc_op_is(op, "mtir.conv2d-fix");
}

static bool is_depthwise(MlirOperation op) {
  return xc_op_is(op, "mtir.depthwise-conv2d-fix");
}

/// The depthwise convolution that is the only one to use the result, as its
/// input, or null.
static MlirOperation only_reader(MlirOperation conv) {
  MlirOperation reader = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(output_of(conv));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, conv) || xc_op_is(user, "memref.dealloc"))
      continue;
    if (!mlirOperationIsNull(reader) || !is_depthwise(user) ||
        mlirOpOperandGetOperandNumber(use) != 0)
      return (MlirOperation){0};
    reader = user;
  }
  return reader;
}

static bool writes_operand_of(MlirOperation writer, MlirOperation op) {
  if (mlirOperationGetNumOperands(writer) == 0)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirValueEqual(output_of(writer), mlirOperationGetOperand(op, i)))
      return true;
  return false;
}

MlirOperation xc_lowered_before(MlirOperation op) {
  enum { FARTHEST = 64 };
  MlirOperation reader = is_conv(op) ? only_reader(op) : (MlirOperation){0};
  MlirOperation between = op;
  for (int i = 0; i < FARTHEST && !mlirOperationIsNull(reader); ++i) {
    between = mlirOperationGetNextInBlock(between);
    if (mlirOperationIsNull(between) || writes_operand_of(between, op))
      break;
    if (mlirOperationEqual(between, reader))
      return reader;
  }
  return (MlirOperation){0};
}

MlirOperation xc_lowered_first(MlirOperation op) {
  if (!is_depthwise(op))
    return (MlirOperation){0};
  MlirValue input = mlirOperationGetOperand(op, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(input);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(xc_lowered_before(user), op))
      return user;
  }
  return (MlirOperation){0};
}
