//===- Postprocessing.c - what makes results of probabilities -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Behind a softmax, sigmoid, exponential or tanh, which the CPU computes, heads
// scale, shift and sum: strides and grids of a detector, the expected value of
// a distribution, pixels of 0 to 255. Legalisation has made convolutions of
// many of these. They are a few operations for each number; back on the DPU
// they would cost 8-bit rounding, a subgraph and two transfers. So they stay in
// floating point, if nothing but results comes of them.
//
//===----------------------------------------------------------------------===//

#include "Filter.h"
#include "Quantize.h"

#include "IR/IR.h"
#include "dialects/Macs.h"

/// Multiply-accumulates for each number read or written: sums over 16 bins and
/// filters of a few channels have fewer, the layers of a head many more.
static const int64_t most_macs = 8;

static xc_quantize_value *find(const xc_quantizer *q, MlirValue value) {
  return xc_pointer_map_get(&q->originals, value.ptr);
}

static bool has_weights(const xc_adaptor *op) {
  xc_op_kind kind = op->info->kind;
  return (xc_is_filter(kind) || kind == XC_TIR_MATMUL) &&
         !mlirOperationIsNull(xc_constant_of(xc_operand(op, 1)));
}

static bool is_cheap(const xc_adaptor *op) {
  xc_shape input = xc_operand_shape(op, 0), result = xc_result_shape(op);
  int64_t numbers =
      xc_shape_num_elements(&input) + xc_shape_num_elements(&result);
  return xc_count_macs(op) <= most_macs * numbers;
}

static bool ends_in_results(const xc_quantizer *q, MlirOperation reader) {
  xc_adaptor op;
  if (xc_op_info_of(reader) && xc_adaptor_of(reader, &op) && has_weights(&op) &&
      !is_cheap(&op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(reader); ++i) {
    const xc_quantize_value *result =
        find(q, mlirOperationGetResult(reader, i));
    if (!result || !result->is_tail)
      return false;
  }
  return true;
}

// Readers come after what they read.
static void find_tails(xc_quantizer *q) {
  for (size_t i = q->num_values; i-- > 0;) {
    xc_quantize_value *value = &q->values[i];
    value->is_tail = true;
    for (MlirOpOperand use = mlirValueGetFirstUse(value->original);
         value->is_tail && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      value->is_tail = ends_in_results(q, mlirOpOperandGetOwner(use));
  }
}

static bool is_source(xc_op_kind kind) {
  return kind == XC_TIR_SOFTMAX || kind == XC_TIR_LOG_SOFTMAX ||
         kind == XC_TIR_SIGMOID || kind == XC_TIR_EXP || kind == XC_TIR_TANH;
}

// Whether all that an operator reads, but for constants, is postprocessing.
static bool reads_it(const xc_quantizer *q, MlirOperation operation) {
  bool any = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); ++i) {
    MlirValue operand = mlirOperationGetOperand(operation, i);
    const xc_quantize_value *value = find(q, operand);
    if (!mlirOperationIsNull(xc_constant_of(operand)))
      continue;
    if (!value || !value->is_postprocessed)
      return false;
    any = true;
  }
  return any;
}

void xc_quantize_keep_postprocessing(xc_quantizer *q) {
  find_tails(q);
  for (size_t i = 0; i < q->num_values; ++i) {
    xc_quantize_value *value = &q->values[i];
    xc_adaptor op;
    if (!value->is_tail || !mlirValueIsAOpResult(value->original))
      continue;
    MlirOperation writer = mlirOpResultGetOwner(value->original);
    if (!xc_op_info_of(writer) || !xc_adaptor_of(writer, &op))
      continue;
    bool reads = reads_it(q, writer);
    value->is_postprocessed = is_source(op.info->kind) ||
                              (reads && (!has_weights(&op) || is_cheap(&op)));
    value->stays_float |= reads && value->is_postprocessed;
  }
}
