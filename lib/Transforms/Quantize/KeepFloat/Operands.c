//===- Operands.c - what only functions on the CPU read -------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Logarithms, roots, powers, quotients and products of two computed matrices
// are computed on the CPU. What comes before them are squares, sums, means and
// small numbers that keep a divisor from zero: a few operations for each
// number. In 8 bits a power spectrum has two digits of six, and 1e-8 is
// nothing. What only such functions read, over such operators, stays in
// floating point, as they would have to wait for its numbers anyhow. Sigmoids
// and their like, which level off, and a softmax read 8 bits.
//
// A sum with a mask stays in floating point as well: numbers so far below that
// a softmax makes zeros of them would leave no bits for the others. So does
// what a softmax weights and a reduction_sum adds up, as attention is written
// without a product of matrices: no DPU computes such a sum.
//
//===----------------------------------------------------------------------===//

#include "KeepFloat.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Kinds.h"
#include "dialects/Emit.h"

#include <stdlib.h>

/// Additions of a pool that the CPU computes in about a millisecond.
static const int64_t most_additions = 1 << 20;

/// Of two computed tensors, as in attention.
static bool is_computed_matmul(const xc_quantizer *q, MlirOperation reader) {
  xc_adaptor op;
  return xc_adaptor_of(reader, &op) &&
         xc_quantize_value_of(q, xc_operand(&op, 0)) &&
         xc_quantize_value_of(q, xc_operand(&op, 1));
}

static bool is_function(const xc_quantizer *q, MlirOperation reader) {
  switch (xc_op_info_of(reader)->kind) {
  case XC_TIR_MATMUL:
    return is_computed_matmul(q, reader);
  case XC_TIR_EXP:
  case XC_TIR_LOG:
  case XC_TIR_SQRT:
  case XC_TIR_RSQRT:
  case XC_TIR_POW:
  case XC_TIR_SIN:
  case XC_TIR_COS:
  case XC_TIR_ATAN:
  case XC_TIR_NEG:
  case XC_TIR_DIV:
    return true;
  default:
    return false;
  }
}

static bool moves(xc_op_kind kind) {
  return kind == XC_TIR_EXPAND || xc_quantize_is_move(kind);
}

static bool is_small_pool(const xc_adaptor *op) {
  int64_t kernel[XC_MAX_INTS] = {1, 1};
  xc_shape result = xc_result_shape(op), input = xc_operand_shape(op, 0);
  if (xc_attr_bool(op, XC_ATTR_GLOBAL))
    return xc_shape_num_elements(&input) <= most_additions;
  xc_attr_ints(op, XC_ATTR_KERNEL, kernel);
  return xc_shape_num_elements(&result) <=
         most_additions / kernel[0] / kernel[1];
}

static bool is_arithmetic(const xc_adaptor *op) {
  if (xc_quantize_is_arithmetic(op->info->kind))
    return true;
  switch (op->info->kind) {
  case XC_TIR_REDUCTION_MAX:
    return true;
  case XC_TIR_AVGPOOL2D:
    return is_small_pool(op);
  case XC_TIR_CONV2D: // one sum for each pixel
    return xc_result_shape(op).dims[3] == 1 && xc_float_is_reduction(op);
  default:
    return xc_float_is_scale(op) || xc_float_is_reduction(op);
  }
}

static bool all_read_floats(const xc_quantizer *q, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use))
    return false;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    const xc_op_info *info = xc_op_info_of(reader);
    const xc_quantize_value *result =
        info && info->has_result ? xc_quantize_value_of(q, xc_op_result(reader))
                                 : NULL;
    if (!result || !(is_function(q, reader) || result->stays_float ||
                     result->feeds_floats))
      return false;
  }
  return true;
}

// Whether a constant of such numbers is added.
static bool adds_mask(const xc_adaptor *op) {
  const float far_below = -1000;
  bool found = false;
  for (size_t slot = 0; op->info->kind == XC_TIR_ADD && slot < 2; ++slot) {
    size_t size;
    MlirOperation constant = xc_constant_of(xc_operand(op, slot));
    if (mlirOperationIsNull(constant) ||
        xc_operand_shape(op, slot).element != XC_ELEMENT_F32)
      continue;
    float *numbers = xc_const_bytes(constant, &size);
    for (size_t i = 0; numbers && i < size / sizeof(*numbers); ++i)
      found |= numbers[i] <= far_below;
    free(numbers);
  }
  return found;
}

/// Returns the operator that computes a value before it is moved; null of an
/// argument.
static MlirOperation find_writer(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation writer = mlirOpResultGetOwner(value);
    const xc_op_info *info = xc_op_info_of(writer);
    if (!info || !moves(info->kind))
      return writer;
    value = mlirOperationGetOperand(writer, 0);
  }
  return (MlirOperation){NULL};
}

static bool is_written_by(MlirOperation writer, xc_op_kind kind) {
  const xc_op_info *info =
      mlirOperationIsNull(writer) ? NULL : xc_op_info_of(writer);
  return info && info->kind == kind;
}

// Whether it adds up what a softmax weights.
static bool sums_weighted(const xc_adaptor *op) {
  if (op->info->kind != XC_TIR_REDUCTION_SUM)
    return false;
  MlirOperation product = find_writer(xc_operand(op, 0));
  if (!is_written_by(product, XC_TIR_MUL))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(product); ++i)
    if (is_written_by(find_writer(mlirOperationGetOperand(product, i)),
                      XC_TIR_SOFTMAX))
      return true;
  return false;
}

// A masked or weighted operand has the reason of its readers, in whatever order
// they are.
static xc_float_reason reason_of_readers(const xc_quantizer *q,
                                         MlirValue value) {
  xc_float_reason found = XC_FLOAT_OPERAND;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirValue result = xc_op_result(mlirOpOperandGetOwner(use));
    xc_float_reason next = xc_quantize_value_of(q, result)->feeds_floats;
    if ((next == XC_FLOAT_MASK || next == XC_FLOAT_WEIGHTED) && next > found)
      found = next;
  }
  return found;
}

static xc_float_reason why_it_feeds(const xc_quantizer *q, const xc_adaptor *op,
                                    MlirValue value) {
  if (adds_mask(op))
    return XC_FLOAT_MASK;
  if (sums_weighted(op))
    return XC_FLOAT_WEIGHTED;
  return (moves(op->info->kind) || is_arithmetic(op)) &&
                 all_read_floats(q, value)
             ? reason_of_readers(q, value)
             : XC_FLOAT_NOT;
}

void xc_quantize_keep_operands(xc_quantizer *q) {
  xc_adaptor op;
  if (!xc_pass_bool(q->run, "float-statistics"))
    return;
  // Readers come after what they read.
  for (size_t i = q->num_values; i-- > 0;) {
    xc_quantize_value *value = &q->values[i];
    value->feeds_floats = xc_float_read_writer(value, &op)
                              ? why_it_feeds(q, &op, value->original)
                              : XC_FLOAT_NOT;
  }
  // Results of moves stay on the side of their operand.
  for (size_t i = 0; i < q->num_values; ++i) {
    xc_quantize_value *value = &q->values[i];
    if (!value->feeds_floats || !xc_float_read_writer(value, &op))
      continue;
    const xc_quantize_value *input =
        xc_quantize_value_of(q, xc_operand(&op, 0));
    if (!value->stays_float &&
        (!moves(op.info->kind) || (input && input->stays_float)))
      value->stays_float = value->feeds_floats;
  }
}
