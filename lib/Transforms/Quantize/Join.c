//===- Join.c - branches take the fix point of where they join ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A concatenation of inputs with its own fix point costs a DPU nothing: each is
// written where it belongs. An input that is finer is rounded once more, by an
// engine. Where nothing else reads it, it is rounded to the fix point of the
// concatenation in the first place, which is also the more exact way. An input
// that goes beyond what a clamp after the concatenation leaves saturates
// there.
//
//===----------------------------------------------------------------------===//

#include "Quantize.h"

#include "IR/IR.h"

static bool has_one_reader(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

static void join(const xc_quantizer *q, MlirOperation concat) {
  MlirOperation clamp = xc_quantize_clamp_of(xc_op_result(concat));
  bool saturates = !mlirOperationIsNull(clamp);
  const xc_quantize_value *result = xc_pointer_map_get(
      &q->originals, xc_op_result(saturates ? clamp : concat).ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(concat); ++i) {
    MlirValue operand = mlirOperationGetOperand(concat, i);
    xc_quantize_value *branch = xc_pointer_map_get(&q->originals, operand.ptr);
    if (branch && mlirValueIsAOpResult(operand) && has_one_reader(operand) &&
        (saturates || branch->calibrated > result->calibrated))
      branch->calibrated = result->calibrated;
  }
}

void xc_quantize_join(xc_quantizer *q) {
  // From the end, so that one concatenation may be a branch of another.
  for (size_t i = q->num_values; i-- > q->num_arguments;) {
    MlirOperation writer = mlirOpResultGetOwner(q->values[i].original);
    if (q->values[i].is_float && xc_op_info_of(writer)->kind == XC_TIR_CONCAT)
      join(q, writer);
  }
}
