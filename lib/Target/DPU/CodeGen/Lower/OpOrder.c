//===- OpOrder.c - the order in which operators are lowered ---------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution and a depthwise convolution that alone reads its result can run
// interleaved if nothing comes between them. The image between them, often the
// largest one nearby, then stays in the banks. An operator of another branch in
// between would send it through DDR.
//
// Of two convolutions whose results are added, the one that comes last computes
// the addition as well, and what it reads has to live until then. A projection
// whose input is much larger than what the last convolution of the other branch
// reads is moved directly before that convolution.
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

static bool is_addition(MlirOperation op) {
  xc_adaptor adaptor;
  return xc_op_is(op, "mtir.eltwise-fix") && xc_adaptor_of(op, &adaptor) &&
         xc_attr_is(&adaptor, XC_ATTR_TYPE, XC_ENUM_ADD) &&
         xc_num_inputs(&adaptor) == 2;
}

/// Returns the operator that is the only one to use the result, and as which
/// operand; or null.
static MlirOperation only_reader(MlirOperation conv, intptr_t *operand) {
  MlirOperation reader = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(output_of(conv));
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, conv) || xc_op_is(user, "memref.dealloc"))
      continue;
    if (!mlirOperationIsNull(reader))
      return (MlirOperation){0};
    reader = user;
    *operand = mlirOpOperandGetOperandNumber(use);
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

/// Whether nothing from `first` up to `last`, which comes after it, writes an
/// operand of `reader`.
static bool can_pass(MlirOperation first, MlirOperation last,
                     MlirOperation reader) {
  enum { FARTHEST = 64 };
  MlirOperation between = first;
  for (int i = 0; i < FARTHEST && !mlirOperationIsNull(between); ++i) {
    if (mlirOperationEqual(between, last))
      return true;
    if (writes_operand_of(between, reader))
      return false;
    between = mlirOperationGetNextInBlock(between);
  }
  return false;
}

/// Returns the depthwise convolution directly before which a convolution is
/// lowered, or null.
static MlirOperation depthwise_after(MlirOperation conv) {
  intptr_t operand = 0;
  MlirOperation reader =
      is_conv(conv) ? only_reader(conv, &operand) : (MlirOperation){0};
  bool is_moved = !mlirOperationIsNull(reader) && is_depthwise(reader) &&
                  operand == 0 &&
                  can_pass(mlirOperationGetNextInBlock(conv), reader, conv);
  return is_moved ? reader : (MlirOperation){0};
}

static MlirOperation writer_of(MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOpOperandGetOperandNumber(use) + 1 ==
        mlirOperationGetNumOperands(user))
      return user;
  }
  return (MlirOperation){0};
}

/// Returns the other convolution of the addition that alone reads both, or
/// null.
static MlirOperation joined_conv(MlirOperation conv) {
  intptr_t operand = 0;
  MlirOperation addition =
      is_conv(conv) ? only_reader(conv, &operand) : (MlirOperation){0};
  if (mlirOperationIsNull(addition) || !is_addition(addition))
    return (MlirOperation){0};
  MlirOperation other =
      writer_of(mlirOperationGetOperand(addition, 1 - operand));
  bool is_joined = !mlirOperationIsNull(other) && is_conv(other) &&
                   !mlirOperationEqual(other, conv) &&
                   mlirOperationEqual(only_reader(other, &operand), addition);
  return is_joined ? other : (MlirOperation){0};
}

static int64_t elements_of(MlirValue buffer) {
  xc_shape shape;
  return xc_shape_of_type(mlirValueGetType(buffer), &shape)
             ? xc_shape_num_elements(&shape)
             : 0;
}

/// Whether `projection`, which comes after `conv`, is lowered directly before
/// it. With less to gain, the banks may as well lack the room for its result.
static bool is_early(MlirOperation projection, MlirOperation conv) {
  enum { TIMES = 4 };
  if (mlirOperationIsNull(projection) || mlirOperationIsNull(conv))
    return false;
  int64_t waiting = elements_of(mlirOperationGetOperand(projection, 0));
  return waiting > elements_of(output_of(projection)) &&
         waiting >= TIMES * elements_of(mlirOperationGetOperand(conv, 0)) &&
         can_pass(conv, projection, projection);
}

MlirOperation xc_lowered_before(MlirOperation op) {
  MlirOperation depthwise = depthwise_after(op), conv = joined_conv(op);
  return !mlirOperationIsNull(depthwise) ? depthwise
         : is_early(op, conv)            ? conv
                                         : (MlirOperation){0};
}

MlirOperation xc_lowered_first(MlirOperation op) {
  MlirOperation projection = joined_conv(op);
  if (is_early(projection, op))
    return projection;
  if (!is_depthwise(op))
    return (MlirOperation){0};
  MlirOperation conv = writer_of(mlirOperationGetOperand(op, 0));
  return !mlirOperationIsNull(conv) &&
                 mlirOperationEqual(depthwise_after(conv), op)
             ? conv
             : (MlirOperation){0};
}
