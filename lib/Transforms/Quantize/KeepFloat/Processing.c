//===- Processing.c - before and after the network on the CPU -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After a softmax, sigmoid, exponential or tanh, which the CPU computes, heads
// scale, shift and sum: strides and grids of a detector, the expected value of
// a distribution, pixels of 0 to 255. Legalisation has made convolutions of
// many of these. They are a few operations for each number; back on the DPU
// they would cost 8-bit rounding, a subgraph and two transfers. So they stay in
// floating point, if nothing but results comes of them. The same holds from the
// first constant on that has a number for each position, as the priors and
// grids of detectors have: coordinates in a picture of 640 pixels would have
// steps of 8.
//
// Bytes that become floating point on the CPU, which then subtracts the mean of
// the pixels and divides, are rounded after that once. So are numbers with an
// offset, such as degrees Kelvin, of which little is left in 8 bits.
//
//===----------------------------------------------------------------------===//

#include "KeepFloat.h"

#include "IR/IR.h"
#include "Transforms/Quantize/Function/Filter.h"
#include "dialects/Macs.h"

#include <math.h>
#include <stdlib.h>

/// Multiply-accumulates for each number read or written: sums over 16 bins and
/// filters of a few channels have fewer, the layers of a head many more.
static const int64_t most_macs = 8;

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

// Returns the tail that a value has by one of its readers.
static xc_quantize_tail tail_of(const xc_quantizer *q, MlirOperation reader) {
  xc_quantize_tail tail = XC_TAIL_PLAIN;
  xc_adaptor op;
  if (xc_op_info_of(reader) && xc_adaptor_of(reader, &op) && has_weights(&op))
    tail = is_cheap(&op) ? XC_TAIL_WEIGHTS : XC_TAIL_NONE;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(reader); ++i) {
    const xc_quantize_value *result =
        xc_quantize_value_of(q, mlirOperationGetResult(reader, i));
    xc_quantize_tail next = result ? result->tail : XC_TAIL_NONE;
    tail = next < tail ? next : tail;
  }
  return tail;
}

// Readers come after what they read.
static void find_tails(xc_quantizer *q) {
  for (size_t i = q->num_values; i-- > 0;) {
    xc_quantize_value *value = &q->values[i];
    value->tail = XC_TAIL_PLAIN;
    for (MlirOpOperand use = mlirValueGetFirstUse(value->original);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      xc_quantize_tail tail = tail_of(q, mlirOpOperandGetOwner(use));
      value->tail = tail < value->tail ? tail : value->tail;
    }
  }
}

static bool is_arithmetic(xc_op_kind kind) {
  return kind == XC_TIR_ADD || kind == XC_TIR_SUB || kind == XC_TIR_MUL ||
         kind == XC_TIR_DIV;
}

// Finds the constant that a sum, difference, product or quotient reads, if it
// has one.
static bool find_constant(const xc_adaptor *op, xc_shape *shape) {
  for (size_t slot = 0; is_arithmetic(op->info->kind) && slot < 2; ++slot)
    if (!mlirOperationIsNull(xc_constant_of(xc_operand(op, slot)))) {
      *shape = xc_operand_shape(op, slot);
      return true;
    }
  return false;
}

// Whether an operator has a number for each position of a list or image, not
// just for each channel.
static bool is_by_position(const xc_adaptor *op) {
  enum { IMAGE = 4 };
  xc_shape constant, result = xc_result_shape(op);
  if (result.rank + 1 < IMAGE || !find_constant(op, &constant))
    return false;
  int64_t count = xc_shape_num_elements(&constant);
  int64_t channels = constant.rank ? constant.dims[constant.rank - 1] : 1;
  return count > 1 && (result.rank < IMAGE || count > channels);
}

static bool is_function(xc_op_kind kind) {
  return kind == XC_TIR_SOFTMAX || kind == XC_TIR_LOG_SOFTMAX ||
         kind == XC_TIR_SIGMOID || kind == XC_TIR_EXP || kind == XC_TIR_TANH;
}

static bool is_before(const xc_quantize_value *value) {
  return value->is_preprocessed;
}

static bool is_after(const xc_quantize_value *value) {
  return value->is_postprocessed;
}

/// How much of what an operator reads, but for constants, is processed.
typedef enum share { NONE, SOME, ALL } share;

static share reads(const xc_quantizer *q, MlirOperation operation,
                   bool (*is_processed)(const xc_quantize_value *value)) {
  bool any = false, all = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); ++i) {
    MlirValue operand = mlirOperationGetOperand(operation, i);
    const xc_quantize_value *value = xc_quantize_value_of(q, operand);
    if (!mlirOperationIsNull(xc_constant_of(operand)))
      continue;
    bool processed = value && is_processed(value);
    any |= processed;
    all &= processed;
  }
  return !any ? NONE : all ? ALL : SOME;
}

// A factor and a constant for each channel, or elements in another order.
static bool keeps_pixels(const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_ADD:
  case XC_TIR_SUB:
  case XC_TIR_MUL:
  case XC_TIR_DIV:
  case XC_TIR_BATCHNORM:
  case XC_TIR_SCALE:
  case XC_TIR_TRANSPOSE:
  case XC_TIR_RESHAPE:
    return true;
  case XC_TIR_DEPTHWISE_CONV2D:
    return xc_attr_all(op, XC_ATTR_KERNEL, 1) &&
           xc_attr_all(op, XC_ATTR_PAD, 0);
  default:
    return false;
  }
}

// Of an argument, or of its elements in another order.
static bool casts_argument(const xc_adaptor *op) {
  MlirValue value = xc_operand(op, 0);
  while (mlirValueIsAOpResult(value)) {
    MlirOperation writer = mlirOpResultGetOwner(value);
    const xc_op_info *info = xc_op_info_of(writer);
    if (!info ||
        (info->kind != XC_TIR_TRANSPOSE && info->kind != XC_TIR_RESHAPE))
      return false;
    value = mlirOperationGetOperand(writer, 0);
  }
  return true;
}

// Decoding goes on with what is computed of it.
static xc_float_reason why_after(const xc_quantizer *q, const xc_adaptor *op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->operation); ++i) {
    const xc_quantize_value *value =
        xc_quantize_value_of(q, mlirOperationGetOperand(op->operation, i));
    if (value && value->stays_float == XC_FLOAT_DECODING)
      return XC_FLOAT_DECODING;
  }
  return op->info->kind == XC_TIR_CONCAT ? XC_FLOAT_SCORES : XC_FLOAT_EXPECTED;
}

static void keep(const xc_quantizer *q, xc_quantize_value *value,
                 const xc_adaptor *op) {
  bool reads_before = reads(q, op->operation, is_before) == ALL;
  share after = reads(q, op->operation, is_after);
  // A gate has a form on the DPU (tir-approximate).
  bool is_end = value->tail == XC_TAIL_PLAIN;
  bool joins = is_end && op->info->kind != XC_TIR_MUL;
  bool reads_after = after == ALL || (after == SOME && joins);
  bool is_layer = has_weights(op) && !is_cheap(op);
  value->is_preprocessed =
      (op->info->kind == XC_TIR_CAST && casts_argument(op)) ||
      (reads_before && keeps_pixels(op));
  bool begins = is_end && is_by_position(op);
  value->is_postprocessed =
      value->tail != XC_TAIL_NONE &&
      (is_function(op->info->kind) || begins || (reads_after && !is_layer));
  if (value->stays_float)
    return;
  if (reads_before && value->is_preprocessed)
    value->stays_float = XC_FLOAT_BYTES;
  else if ((reads_after || begins) && value->is_postprocessed)
    value->stays_float = begins ? XC_FLOAT_DECODING : why_after(q, op);
}

// Keeps a product of constants in front of processing in floating point, unless
// it is the layer before it that would compute it.
static void keep_before(const xc_quantizer *q, xc_quantize_value *value,
                        const xc_adaptor *op) {
  xc_shape constant;
  xc_adaptor source;
  MlirValue input = xc_operand(op, 0);
  if (!find_constant(op, &constant) || !mlirValueIsAOpResult(input) ||
      !xc_op_info_of(mlirOpResultGetOwner(input)) ||
      !xc_adaptor_of(mlirOpResultGetOwner(input), &source) ||
      has_weights(&source))
    return;
  xc_float_reason why = XC_FLOAT_EXPECTED;
  MlirOpOperand use = mlirValueGetFirstUse(value->original);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    const xc_quantize_value *result =
        xc_op_info_of(reader) ? xc_quantize_value_of(q, xc_op_result(reader))
                              : NULL;
    if (!result || !result->is_postprocessed)
      return;
    // In whatever order they read it.
    if (result->stays_float > why)
      why = result->stays_float;
  }
  value->is_postprocessed = true;
  if (!value->stays_float)
    value->stays_float = why;
}

static bool read_writer(const xc_quantize_value *value, xc_adaptor *op) {
  if (!mlirValueIsAOpResult(value->original))
    return false;
  MlirOperation writer = mlirOpResultGetOwner(value->original);
  return xc_op_info_of(writer) && xc_adaptor_of(writer, op);
}

void xc_quantize_keep_processing(xc_quantizer *q) {
  xc_adaptor op;
  find_tails(q);
  for (size_t i = 0; i < q->num_values; ++i)
    if (read_writer(&q->values[i], &op))
      keep(q, &q->values[i], &op);
  for (size_t i = q->num_values; i-- > 0;)
    if (q->values[i].tail == XC_TAIL_PLAIN && read_writer(&q->values[i], &op))
      keep_before(q, &q->values[i], &op);
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

// By how much a difference of its input grows at most in an operator that keeps
// pixels; 0: not known.
static double gain_of(const xc_adaptor *op) {
  switch (op->info->kind) {
  case XC_TIR_BATCHNORM:
    return 0;
  case XC_TIR_MUL:
  case XC_TIR_DIV:
  case XC_TIR_SCALE:
  case XC_TIR_DEPTHWISE_CONV2D:
    break;
  default: // sums and moves
    return 1;
  }
  size_t slot = mlirOperationIsNull(xc_constant_of(xc_operand(op, 1))) ? 0 : 1;
  bool divides = op->info->kind == XC_TIR_DIV;
  float *factors = xc_filter_read(op, slot);
  xc_shape shape = xc_operand_shape(op, slot);
  double gain = 0;
  for (int64_t i = 0; factors && i < xc_shape_num_elements(&shape); ++i)
    gain = fmax(gain, fabs(divides ? 1 / (double)factors[i] : factors[i]));
  free(factors);
  return isfinite(gain) && !(divides && slot == 0) ? gain : 0;
}

static bool reads_constants_beside(MlirOperation operation, MlirValue value) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); ++i) {
    MlirValue operand = mlirOperationGetOperand(operation, i);
    if (operand.ptr != value.ptr &&
        mlirOperationIsNull(xc_constant_of(operand)))
      return false;
  }
  return true;
}

// Returns the result of the only reader of a value if it keeps the pixels, or
// null.
static xc_quantize_value *next_pixels(const xc_quantizer *q, MlirValue value,
                                      xc_adaptor *op) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return NULL;
  MlirOperation reader = mlirOpOperandGetOwner(use);
  if (!xc_op_info_of(reader) || !xc_adaptor_of(reader, op) ||
      !keeps_pixels(op) || !reads_constants_beside(reader, value))
    return NULL;
  xc_quantize_value *result = xc_quantize_value_of(q, xc_op_result(reader));
  return result && result->is_float ? result : NULL;
}

// Rounding an argument costs steps of what is made of it: `most` of them are no
// worse than rounding that.
static void keep_normalisation(const xc_quantizer *q,
                               const xc_quantize_value *argument) {
  double most = 4, gain = 1;
  const xc_quantize_value *last = argument, *best = NULL;
  xc_adaptor op;
  while ((last = next_pixels(q, last->original, &op)) != NULL &&
         (gain *= gain_of(&op)) > 0) {
    double steps = ldexp(gain, last->calibrated - argument->calibrated);
    if (steps > most) {
      most = steps;
      best = last;
    }
  }
  last = argument;
  while (best && last != best) {
    xc_quantize_value *next = next_pixels(q, last->original, &op);
    if (!next->stays_float)
      next->stays_float = XC_FLOAT_ARGUMENT;
    last = next;
  }
}

void xc_quantize_keep_offsets(xc_quantizer *q) {
  for (size_t i = 0; i < q->num_arguments; ++i)
    if (q->values[i].is_float)
      keep_normalisation(q, &q->values[i]);
}
