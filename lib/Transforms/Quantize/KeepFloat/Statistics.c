//===- Statistics.c - normalisation by statistics of the tensor -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// InstanceNormalization and its like divide by the root of a variance. No DPU
// has roots and quotients, so that the tensor comes to the CPU anyhow. Squares
// and means of 8 bits on the way lose most of what the network computes: a
// channel whose numbers are a tenth of the largest ones has squares of a
// hundredth, which is one step. All that leads from the tensor to the root
// stays in floating point, and so does what is computed of the quotient element
// by element, so that one rounding is left.
//
// The tensor may have any factor and zero point in each channel, as for
// activations on the CPU (Equalize/FloatActivation.c): a channel of small
// numbers, whose rounding errors the division would make large, has all bits
// then.
//
//===----------------------------------------------------------------------===//

#include "KeepFloat.h"

#include "IR/AttributeNames.h"
#include "IR/IR.h"
#include "Interpreter/Kernel.h"
#include "Support/Text.h"
#include "Transforms/Quantize/Function/Kinds.h"

#include <inttypes.h>

// Whether each number of the result is computed of the numbers in the same
// place and of constants.
static bool is_elementwise(const xc_adaptor *op) {
  return xc_float_is_scale(op) || xc_interpret_is_elementwise(op->info->kind);
}

/// Findings about the values, by their index.
typedef struct statistics {
  const xc_quantizer *q;
  bool *of_means; // computed of a mean or sum, element by element
  bool *from_root;
  int64_t num_roots;
  MlirOperation first_root;
} statistics;

static size_t index_of(const statistics *s, const xc_quantize_value *value) {
  return (size_t)(value - s->q->values);
}

static bool has_operand_in(const statistics *s, const xc_adaptor *op,
                           const bool *set) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->operation); ++i) {
    const xc_quantize_value *operand =
        xc_quantize_value_of(s->q, mlirOperationGetOperand(op->operation, i));
    if (operand && set[index_of(s, operand)])
      return true;
  }
  return false;
}

// Whether the rest of the operands is computed of the root, too, or constant,
// or what a statistic is applied to, which is smaller than that.
static bool follows_root(const statistics *s, const xc_adaptor *op) {
  int64_t size = 0;
  xc_shape result;
  bool has_others = false, is_applied = false;
  if (!xc_shape_of_type(mlirValueGetType(xc_op_result(op->operation)), &result))
    return false;
  size = xc_shape_num_elements(&result);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op->operation); ++i) {
    MlirValue operand = mlirOperationGetOperand(op->operation, i);
    const xc_quantize_value *value = xc_quantize_value_of(s->q, operand);
    if (value && s->from_root[index_of(s, value)])
      is_applied |= xc_shape_num_elements(&value->shape) < size;
    else
      has_others |= mlirOperationIsNull(xc_constant_of(operand));
  }
  return !has_others || is_applied;
}

static void find_roots(statistics *s) {
  for (size_t i = 0; i < s->q->num_values; ++i) {
    xc_adaptor op;
    if (!xc_float_read_writer(&s->q->values[i], &op))
      continue;
    bool is_step = is_elementwise(&op);
    s->of_means[i] = xc_float_is_reduction(&op) ||
                     (is_step && has_operand_in(s, &op, s->of_means));
    bool begins = xc_float_is_root(&op) && s->of_means[i];
    s->from_root[i] =
        begins || (is_step && has_operand_in(s, &op, s->from_root) &&
                   follows_root(s, &op));
    if (begins && s->num_roots++ == 0)
      s->first_root = op.operation;
  }
}

static bool all_readers_stay(const statistics *s, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use))
    return false;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    const xc_quantize_value *result =
        mlirOperationGetNumResults(reader) == 1
            ? xc_quantize_value_of(s->q, mlirOperationGetResult(reader, 0))
            : NULL;
    if (!result || !result->stays_float)
      return false;
  }
  return true;
}

// From the last value to the first, so that readers come before.
static void mark(const statistics *s) {
  for (size_t i = s->q->num_values; i-- > 0;) {
    xc_quantize_value *value = &s->q->values[i];
    xc_adaptor op;
    if (!xc_float_read_writer(value, &op))
      continue;
    bool stays =
        s->from_root[i] || ((s->of_means[i] || xc_float_is_square(&op)) &&
                            all_readers_stay(s, value->original));
    value->stays_float = stays ? XC_FLOAT_STATISTICS : XC_FLOAT_NOT;
  }
}

// For the user, who may have expected all of it on the DPU.
static void describe(const statistics *s) {
  MlirStringRef name = xc_op_given_name(s->first_root);
  xc_text text = {0};
  xc_text_printf(&text, "%" PRId64 " normalisation%s by statistics of a tensor",
                 s->num_roots, s->num_roots == 1 ? "" : "s");
  if (name.length)
    xc_text_printf(&text, ", %s'%.*s',", s->num_roots == 1 ? "" : "as at ",
                   (int)name.length, name.data);
  xc_text_printf(&text, " in floating point, on the CPU: 8 bits lose most of a "
                        "variance");
  xc_op_set_string(s->q->function, XC_NAME_STATISTICS, xc_text_str(&text));
  xc_text_free(&text);
}

void xc_quantize_keep_statistics(xc_quantizer *q) {
  statistics s = {.q = q};
  if (!xc_pass_bool(q->run, "float-statistics"))
    return;
  s.of_means = xc_arena_alloc(&q->arena, q->num_values + 1, sizeof(bool));
  s.from_root = xc_arena_alloc(&q->arena, q->num_values + 1, sizeof(bool));
  find_roots(&s);
  if (s.num_roots == 0)
    return;
  mark(&s);
  describe(&s);
}
