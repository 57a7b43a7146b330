//===- Fuse.c - operators that a convolution does itself ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "Vec.h"

#include "Bufferize/Buffers.h"
#include "Bufferize/Functions.h"

#include <string.h>

//
// A convolution may run later, where an operator stands that reads its result:
// as long as every buffer is an allocation of its own, nothing but a write to
// its input in between would be noticed. The other operand of an addition has
// been written by then.
//

// The only reader of an allocation that `writer` fills, or null.
static MlirOperation only_reader(MlirOperation writer, MlirValue buffer) {
  MlirOperation reader = {NULL};
  if (!mlirValueIsAOpResult(buffer) ||
      !xc_op_is(mlirOpResultGetOwner(buffer), "memref.alloc"))
    return reader;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, writer))
      continue;
    if (!mlirOperationIsNull(reader))
      return (MlirOperation){NULL};
    reader = user;
  }
  return reader;
}

static MlirValue output_of(MlirOperation operation) {
  return mlirOperationGetOperand(operation,
                                 mlirOperationGetNumOperands(operation) - 1);
}

static bool comes_before(MlirOperation a, MlirOperation b) {
  return mlirBlockEqual(mlirOperationGetBlock(a), mlirOperationGetBlock(b)) &&
         mlirOperationIsBeforeInBlock(a, b);
}

static bool may_write(MlirOpOperand use) {
  return (xc_buffer_access(use) & ~(unsigned)XC_ACCESS_READ) != 0;
}

// Whether `conv` computes the same where `later` stands.
static bool can_move_down(MlirOperation conv, MlirOperation later) {
  MlirValue input = mlirOperationGetOperand(conv, 0);
  bool own = mlirValueIsABlockArgument(input) ||
             xc_op_is(mlirOpResultGetOwner(input), "memref.alloc");
  if (!own || !comes_before(conv, later))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(input);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (may_write(use) && !comes_before(user, conv) &&
        !comes_before(later, user))
      return false;
  }
  return true;
}

static bool read_activation(MlirOperation operation, xc_vec_fusion *fusion) {
  const xc_op_info *info = xc_op_info_of(operation);
  xc_view view;
  if (!info || info->dialect != XC_DIALECT_MTIR ||
      !xc_view_operation(operation, &view))
    return false;
  switch (info->kind) {
  case XC_TIR_RELU:
    fusion->activation = XcActivationRelu;
    return true;
  case XC_TIR_RELU6:
    fusion->activation = XcActivationRelu6;
    return true;
  case XC_TIR_LEAKY_RELU:
    fusion->activation = XcActivationLeakyRelu;
    fusion->alpha = xc_view_float(&view, "alpha");
    return true;
  default:
    return false;
  }
}

// mtir.add of buffers of one shape and dense rows.
static bool read_add(MlirOperation operation, MlirValue sum,
                     xc_vec_fusion *fusion) {
  const xc_op_info *info = xc_op_info_of(operation);
  if (!info || info->dialect != XC_DIALECT_MTIR || info->kind != XC_TIR_ADD)
    return false;
  MlirValue a = mlirOperationGetOperand(operation, 0);
  MlirValue b = mlirOperationGetOperand(operation, 1);
  MlirValue other = mlirValueEqual(a, sum) ? b : a;
  xc_shape left, right;
  if (mlirValueEqual(a, b) || !xc_vec_is_flat(mlirValueGetType(other)) ||
      !xc_shape_of_type(mlirValueGetType(a), &left) ||
      !xc_shape_of_type(mlirValueGetType(b), &right) ||
      left.rank != right.rank ||
      memcmp(left.dims, right.dims, left.rank * sizeof(*left.dims)) != 0)
    return false;
  fusion->residual = other;
  return true;
}

// Takes one operator more; false when there is none that fits.
static bool extend(MlirOperation conv, MlirOperation last,
                   xc_vec_fusion *fusion, size_t count) {
  MlirOperation reader = only_reader(last, fusion->output);
  if (mlirOperationIsNull(reader) || !can_move_down(conv, reader))
    return false;
  bool added = count == 0 && read_add(reader, fusion->output, fusion);
  if (!added && !read_activation(reader, fusion))
    return false;
  fusion->fused[count] = fusion->place = reader;
  fusion->output = output_of(reader);
  return true;
}

static bool takes_more(xc_op_kind kind) {
  return kind == XC_TIR_CONV2D || kind == XC_TIR_DEPTHWISE_CONV2D ||
         kind == XC_TIR_TRANSPOSED_CONV2D ||
         kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D || kind == XC_TIR_MATMUL ||
         kind == XC_TIR_INNER_PRODUCT;
}

xc_vec_fusion xc_vec_find_fusion(MlirOperation operation) {
  xc_vec_fusion fusion = {.output = output_of(operation), .place = operation};
  const xc_op_info *info = xc_op_info_of(operation);
  if (!takes_more(info->kind))
    return fusion;
  if (extend(operation, operation, &fusion, 0) &&
      fusion.activation == XcActivationNone)
    extend(operation, fusion.fused[0], &fusion, 1);
  return fusion;
}
