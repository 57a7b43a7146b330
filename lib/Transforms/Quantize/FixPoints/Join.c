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
// Where nothing but results comes of it, the concatenation may as well join
// floating point numbers: coordinates beside probabilities would leave these
// without a bit. One bit is what is given up for a DPU to join them.
//
//===----------------------------------------------------------------------===//

#include "FixPoints.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Activation.h"
#include "Transforms/Quantize/KeepFloat/KeepFloat.h"

enum { MOST_BITS_LOST = 1 };

//===----------------------------------------------------------------------===//
// In floating point
//===----------------------------------------------------------------------===//

static xc_quantize_value *result_of(const xc_quantizer *q, MlirOperation op) {
  return xc_quantize_value_of(q, xc_op_result(op));
}

/// Whether an input would lose bits, or is a concatenation in floating point.
static bool loses_bits(const xc_quantizer *q, MlirOperation concat) {
  int least = result_of(q, concat)->calibrated;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(concat); ++i) {
    MlirValue operand = mlirOperationGetOperand(concat, i);
    const xc_quantize_value *branch = xc_quantize_value_of(q, operand);
    if (branch && mlirValueIsAOpResult(operand) &&
        (branch->calibrated > least + MOST_BITS_LOST || branch->stays_float))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// In fixed point
//===----------------------------------------------------------------------===//

static void join(const xc_quantizer *q, MlirOperation concat) {
  MlirOperation clamp = xc_quantize_clamp_of(xc_op_result(concat));
  bool saturates = !mlirOperationIsNull(clamp);
  const xc_quantize_value *result = xc_pointer_map_get(
      &q->originals, xc_op_result(saturates ? clamp : concat).ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(concat); ++i) {
    MlirValue operand = mlirOperationGetOperand(concat, i);
    xc_quantize_value *branch = xc_quantize_value_of(q, operand);
    if (branch && mlirValueIsAOpResult(operand) &&
        !mlirOperationIsNull(xc_only_user(operand)) &&
        (saturates || branch->calibrated > result->calibrated))
      branch->calibrated = result->calibrated;
  }
}

static bool is_concat(const xc_quantizer *q, size_t value) {
  return q->values[value].is_float &&
         xc_op_is(mlirOpResultGetOwner(q->values[value].original),
                  "tir.concat");
}

void xc_quantize_join(xc_quantizer *q) {
  xc_quantize_find_moved_out(q);
  for (size_t i = q->num_arguments; i < q->num_values; ++i)
    if (is_concat(q, i) && q->values[i].is_moved_out &&
        loses_bits(q, mlirOpResultGetOwner(q->values[i].original)))
      q->values[i].stays_float = XC_FLOAT_RESULTS;
  // From the end, so that one concatenation may be a branch of another.
  for (size_t i = q->num_values; i-- > q->num_arguments;)
    if (is_concat(q, i) && !q->values[i].stays_float &&
        !xc_quantize_is_kept(q, mlirOpResultGetOwner(q->values[i].original)))
      join(q, mlirOpResultGetOwner(q->values[i].original));
}
