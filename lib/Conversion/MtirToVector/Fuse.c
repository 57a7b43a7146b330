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
#include "IR/IR.h"
#include "dialects/Adaptor.h"

#include "dialects/Build.h"

#include <stdlib.h>
#include <string.h>

//
// A convolution may run later, where an operator stands that reads its result:
// as long as every buffer is an allocation of its own, nothing but a write to
// its input in between would be noticed. The residual has been written by then.
//
// Steps are taken in the order of the block. Those count after which nothing
// else reads what lies between: SiLU is taken whole or not at all.
//

/// A fusion that is being found.
typedef struct search {
  MlirOperation conv;
  MlirValue values[1 + XC_EPILOGUE_MAX_STEPS]; // buffers by number
  xc_vec_fusion fusion;
} search;

static MlirValue output_of(MlirOperation operation) {
  return mlirOperationGetOperand(operation,
                                 mlirOperationGetNumOperands(operation) - 1);
}

static bool is_alloc(MlirValue buffer) {
  return mlirValueIsAOpResult(buffer) &&
         xc_op_is(mlirOpResultGetOwner(buffer), "memref.alloc");
}

static bool comes_before(MlirOperation a, MlirOperation b) {
  return mlirBlockEqual(mlirOperationGetBlock(a), mlirOperationGetBlock(b)) &&
         mlirOperationIsBeforeInBlock(a, b);
}

static bool may_write(MlirOpOperand use) {
  return (xc_buffer_access(use) & ~(unsigned)XC_ACCESS_READ) != 0;
}

// Whether `buffer` has the same contents where `later` stands.
static bool is_unchanged(MlirValue buffer, MlirOperation from,
                         MlirOperation later) {
  bool own = mlirValueIsABlockArgument(buffer) || is_alloc(buffer) ||
             !mlirOperationIsNull(xc_constant_of(buffer));
  if (!own)
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (may_write(use) && !comes_before(user, from) &&
        !comes_before(later, user))
      return false;
  }
  return true;
}

// Whether an operation is one of the search.
static bool is_taken(const search *s, MlirOperation operation) {
  if (mlirOperationEqual(operation, s->conv))
    return true;
  for (int i = 0; i < s->fusion.epilogue.count; ++i)
    if (mlirOperationEqual(operation, s->fusion.fused[i]))
      return true;
  return false;
}

// Returns the first operation that uses one of the values and is not taken, or
// null; `values` of them.
static MlirOperation first_user(const search *s, int values) {
  MlirOperation first = {NULL};
  for (int i = 0; i < values; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(s->values[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (!is_taken(s, user) &&
          (mlirOperationIsNull(first) || comes_before(user, first)))
        first = user;
    }
  return first;
}

static bool have_same_shape(MlirValue a, MlirValue b) {
  xc_shape left, right;
  return xc_shape_of_type(mlirValueGetType(a), &left) &&
         xc_shape_of_type(mlirValueGetType(b), &right) &&
         left.rank == right.rank &&
         memcmp(left.dims, right.dims, left.rank * sizeof(*left.dims)) == 0;
}

// Whether a buffer has one number for each channel of the output.
static bool is_of_channels(MlirValue operand, MlirValue output) {
  xc_shape shape, whole;
  return xc_shape_of_type(mlirValueGetType(operand), &shape) &&
         xc_shape_of_type(mlirValueGetType(output), &whole) && shape.rank > 0 &&
         shape.dims[shape.rank - 1] == whole.dims[whole.rank - 1] &&
         xc_shape_num_elements(&shape) == shape.dims[shape.rank - 1];
}

// Reads a value, the residual or a number. Returns false for other operands.
static bool read_operand(search *s, MlirOperation operation, intptr_t index,
                         xc_epilogue_step *step) {
  MlirValue operand = mlirOperationGetOperand(operation, index);
  xc_vec_fusion *fusion = &s->fusion;
  int *number = &step->operands[index];
  for (int i = 0; i <= fusion->epilogue.count; ++i)
    if (mlirValueEqual(operand, s->values[i])) {
      *number = i;
      return true;
    }
  if (xc_const_number(operand, &step->a)) {
    *number = XC_EPILOGUE_NUMBER;
    return true;
  }
  *number = XC_EPILOGUE_RESIDUAL;
  if (!mlirValueIsNull(fusion->residual))
    return mlirValueEqual(operand, fusion->residual);
  bool same = have_same_shape(operand, s->values[0]);
  if (!xc_vec_is_flat(mlirValueGetType(operand)) ||
      (!same && !is_of_channels(operand, s->values[0])))
    return false;
  fusion->residual = operand;
  fusion->epilogue.residual_of_channels = !same;
  fusion->epilogue.residual = true;
  return true;
}

// Takes one operator more; false when there is none that fits.
static bool extend(search *s) {
  xc_vec_fusion *fusion = &s->fusion;
  xc_epilogue *epilogue = &fusion->epilogue;
  MlirOperation next = first_user(s, epilogue->count + 1);
  const xc_op_info *info =
      mlirOperationIsNull(next) ? NULL : xc_op_info_of(next);
  xc_epilogue_step step;
  xc_adaptor op;
  if (epilogue->count == XC_EPILOGUE_MAX_STEPS || !info ||
      info->dialect != XC_DIALECT_MTIR || !comes_before(s->conv, next) ||
      !xc_adaptor_of(next, &op) || !xc_epilogue_read_step(&op, &step))
    return false;
  intptr_t count = mlirOperationGetNumOperands(next) - 1;
  for (intptr_t i = 0; i < count; ++i)
    if (!read_operand(s, next, i, &step))
      return false;
  MlirValue output = output_of(next);
  // Everything else reads what lies between from allocations.
  if (!have_same_shape(output, s->values[0]) ||
      !is_alloc(s->values[epilogue->count]))
    return false;
  for (intptr_t i = 0; i < count; ++i)
    if (mlirValueEqual(output, mlirOperationGetOperand(next, i)))
      return false;
  fusion->fused[epilogue->count] = next;
  epilogue->steps[epilogue->count++] = step;
  s->values[epilogue->count] = fusion->output = output;
  fusion->place = next;
  return true;
}

// Whether the convolution may take the steps found so far.
static bool is_whole(const search *s) {
  const xc_vec_fusion *fusion = &s->fusion;
  return mlirOperationIsNull(first_user(s, fusion->epilogue.count)) &&
         is_unchanged(mlirOperationGetOperand(s->conv, XC_CONV2D_INPUT),
                      s->conv, fusion->place) &&
         (mlirValueIsNull(fusion->residual) ||
          is_unchanged(fusion->residual, fusion->fused[0], fusion->place));
}

static bool takes_more(xc_op_kind kind) {
  return kind == XC_TIR_CONV2D || kind == XC_TIR_DEPTHWISE_CONV2D ||
         kind == XC_TIR_TRANSPOSED_CONV2D ||
         kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D || kind == XC_TIR_MATMUL ||
         kind == XC_TIR_INNER_PRODUCT;
}

xc_vec_fusion xc_vec_find_fusion(MlirOperation operation) {
  search s = {
      .conv = operation,
      .values = {output_of(operation)},
      .fusion = {.output = output_of(operation), .place = operation},
  };
  xc_vec_fusion best = s.fusion;
  if (takes_more(xc_op_info_of(operation)->kind))
    while (extend(&s))
      if (is_whole(&s))
        best = s.fusion;
  return best;
}
