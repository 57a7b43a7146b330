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

#include "IR/IR.h"
#include "Transforms/Quantize/Convert/Conversion.h"

enum { MOST_BITS_LOST = 1 };

static bool has_one_reader(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

//===----------------------------------------------------------------------===//
// In floating point
//===----------------------------------------------------------------------===//

static xc_quantize_value *result_of(const xc_quantizer *q, MlirOperation op) {
  return xc_quantize_value_of(q, xc_op_result(op));
}

bool xc_quantize_is_move(xc_op_kind kind) {
  return kind == XC_TIR_RESHAPE || kind == XC_TIR_FLATTEN ||
         kind == XC_TIR_SQUEEZE || kind == XC_TIR_TRANSPOSE ||
         kind == XC_TIR_STRIDED_SLICE || kind == XC_TIR_CONCAT;
}

bool xc_quantize_is_arithmetic(xc_op_kind kind) {
  return kind == XC_TIR_ADD || kind == XC_TIR_SUB || kind == XC_TIR_MUL ||
         kind == XC_TIR_MIN || kind == XC_TIR_MAX || kind == XC_TIR_NEG;
}

/// Whether a reader has nothing in fixed point; `is_result`: nor anything that
/// is computed.
static bool moves_out(const xc_quantizer *q, MlirOperation reader,
                      bool *is_result) {
  const xc_op_info *info = xc_op_info_of(reader);
  if (!info)
    return true;
  if (!xc_convert_has_form(info->kind)) {
    *is_result = false;
    return true;
  }
  const xc_quantize_value *result =
      xc_quantize_is_move(info->kind) ? result_of(q, reader) : NULL;
  *is_result &= result && result->is_result;
  return result && result->is_moved_out;
}

void xc_quantize_find_moved_out(xc_quantizer *q) {
  // Readers come after what they read.
  for (size_t i = q->num_values; i-- > 0;) {
    xc_quantize_value *value = &q->values[i];
    value->is_moved_out = value->is_result = true;
    for (MlirOpOperand use = mlirValueGetFirstUse(value->original);
         value->is_moved_out && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      value->is_moved_out =
          moves_out(q, mlirOpOperandGetOwner(use), &value->is_result);
    value->is_result &= value->is_moved_out;
  }
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
    if (branch && mlirValueIsAOpResult(operand) && has_one_reader(operand) &&
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
      q->values[i].stays_float = true;
  // From the end, so that one concatenation may be a branch of another.
  for (size_t i = q->num_values; i-- > q->num_arguments;)
    if (is_concat(q, i) && !q->values[i].stays_float &&
        !xc_quantize_is_kept(q, mlirOpResultGetOwner(q->values[i].original)))
      join(q, mlirOpResultGetOwner(q->values[i].original));
}
