//===- FloatStatistics.c - normalisation with factors beside it -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A normalisation by statistics of a tensor (KeepFloat/Statistics.c) as an
// activation on the CPU: all that stays in floating point and is connected, if
// it has one tensor on each side.
//
//===----------------------------------------------------------------------===//

#include "Equalizer.h"

#include "IR/IR.h"

static bool has_operation(const xc_float_activation *a, MlirOperation op) {
  for (int i = 0; i < a->num_operations; ++i)
    if (mlirOperationEqual(a->operations[i], op))
      return true;
  return false;
}

static bool stays(const xc_quantizer *q, MlirOperation op) {
  const xc_quantize_value *value =
      mlirOperationGetNumResults(op) == 1
          ? xc_quantize_value_of(q, mlirOperationGetResult(op, 0))
          : NULL;
  return value && value->stays_float;
}

// In the order of the block. Returns false when it is full.
static bool insert(xc_float_activation *a, MlirOperation op) {
  int at = a->num_operations;
  if (at == XC_FLOAT_OPERATIONS)
    return false;
  for (; at > 0 && mlirOperationIsBeforeInBlock(op, a->operations[at - 1]);
       --at)
    a->operations[at] = a->operations[at - 1];
  a->operations[at] = op;
  ++a->num_operations;
  return true;
}

/// Operators whose neighbours are to be looked at.
typedef struct pending {
  MlirOperation operations[XC_FLOAT_OPERATIONS];
  int count;
} pending;

static bool add(const xc_quantizer *q, xc_float_activation *a, pending *p,
                MlirOperation op) {
  if (!stays(q, op) || has_operation(a, op))
    return true;
  if (!insert(a, op))
    return false;
  p->operations[p->count++] = op;
  return true;
}

// Collects all that stays in floating point and is connected with the first
// one.
static bool collect(const xc_quantizer *q, xc_float_activation *a,
                    MlirOperation first) {
  pending p = {.count = 0};
  bool ok = add(q, a, &p, first);
  for (int i = 0; ok && i < p.count; ++i) {
    MlirOperation op = p.operations[i];
    for (intptr_t k = 0; ok && k < mlirOperationGetNumOperands(op); ++k) {
      MlirValue operand = mlirOperationGetOperand(op, k);
      if (mlirValueIsAOpResult(operand))
        ok = add(q, a, &p, mlirOpResultGetOwner(operand));
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(xc_op_result(op));
         ok && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      ok = add(q, a, &p, mlirOpOperandGetOwner(use));
  }
  return ok;
}

// Finds the one tensor that is read from outside.
static bool find_input(xc_float_activation *a) {
  for (int i = 0; i < a->num_operations; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(a->operations[i]);
         ++k) {
      MlirValue operand = mlirOperationGetOperand(a->operations[i], k);
      bool own = mlirValueIsAOpResult(operand) &&
                 has_operation(a, mlirOpResultGetOwner(operand));
      if (own || !mlirOperationIsNull(xc_constant_of(operand)) ||
          (!mlirValueIsNull(a->input) && mlirValueEqual(a->input, operand)))
        continue;
      if (!mlirValueIsNull(a->input))
        return false;
      a->input = operand;
    }
  return !mlirValueIsNull(a->input);
}

static bool is_read_outside(const xc_float_activation *a, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!has_operation(a, mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

// Finds the one tensor that is read outside.
static bool find_result(xc_float_activation *a) {
  for (int i = 0; i < a->num_operations; ++i) {
    MlirValue value = xc_op_result(a->operations[i]);
    if (!is_read_outside(a, value))
      continue;
    if (!mlirValueIsNull(a->result))
      return false;
    a->result = value;
  }
  return !mlirValueIsNull(a->result);
}

// Products have channels of their own between them.
static bool has_product(const xc_float_activation *a) {
  for (int i = 0; i < a->num_operations; ++i)
    switch (xc_op_info_of(a->operations[i])->kind) {
    case XC_TIR_CONV2D:
    case XC_TIR_MATMUL:
    case XC_TIR_INNER_PRODUCT:
      return true;
    default:
      break;
    }
  return false;
}

bool xc_float_statistics_of(const xc_quantizer *q, MlirOperation op,
                            xc_float_activation *a) {
  *a = (xc_float_activation){.is_statistic = true};
  if (!stays(q, op) || !collect(q, a, op) || has_product(a) || !find_input(a) ||
      !find_result(a))
    return false;
  a->channels = xc_channels_count(a->input);
  a->is_alone = !is_read_outside(a, a->input);
  return a->channels > 1 && a->channels == xc_channels_count(a->result) &&
         xc_quantize_value_of(q, a->input) &&
         xc_quantize_value_of(q, a->result);
}
