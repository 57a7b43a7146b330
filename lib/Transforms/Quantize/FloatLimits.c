//===- FloatLimits.c - how far the inputs of activations count ------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SiLU of -8 and of -80 are all but zero: that fixed point cuts off what lies
// below -8 costs nothing, and what lies above has finer steps for it. A limit
// is where going on changes the result by half a step of its channel at most.
//
//===----------------------------------------------------------------------===//

#include "FloatActivation.h"

#include "IR/IR.h"
#include "dialects/Emit.h"

#include <math.h>

enum {
  PER_UNIT = 8,
  FARTHEST = 32,
  POINTS = FARTHEST * PER_UNIT,
};

/// What half a step is of the largest number of a channel.
static const double half_step = 1.0 / 256;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static double operand_of(const xc_float_activation *a, const double *results,
                         double x, MlirValue operand) {
  double number = x;
  for (int i = 0; i < a->num_operations; ++i)
    if (mlirValueEqual(operand, xc_op_result(a->operations[i])))
      return results[i];
  if (!mlirValueEqual(operand, a->input))
    xc_float_number(operand, &number);
  return number;
}

static double apply(MlirOperation op, double a, double b) {
  xc_adaptor adaptor;
  if (!xc_adaptor_of(op, &adaptor))
    return (double)NAN;
  switch (adaptor.info->kind) {
  case XC_TIR_SIGMOID:
    return 1 / (1 + exp(-a));
  case XC_TIR_TANH:
    return tanh(a);
  case XC_TIR_ELU:
    return a < 0 ? xc_attr_float(&adaptor, XC_ATTR_ALPHA) * expm1(a) : a;
  case XC_TIR_SOFTPLUS:
    return fmax(a, 0) + log1p(exp(-fabs(a)));
  case XC_TIR_ERF:
    return erf(a);
  case XC_TIR_ADD:
    return a + b;
  case XC_TIR_SUB:
    return a - b;
  case XC_TIR_MUL:
    return a * b;
  case XC_TIR_DIV:
    return a / b;
  default:
    return (double)NAN;
  }
}

static double evaluate(const xc_float_activation *a, double x) {
  double results[XC_FLOAT_OPERATIONS] = {0};
  for (int i = 0; i < a->num_operations; ++i) {
    MlirOperation op = a->operations[i];
    bool two = mlirOperationGetNumOperands(op) > 1;
    double left = operand_of(a, results, x, mlirOperationGetOperand(op, 0));
    double right =
        two ? operand_of(a, results, x, mlirOperationGetOperand(op, 1)) : 0;
    results[i] = apply(op, left, right);
    if (mlirValueEqual(xc_op_result(op), a->result))
      return results[i];
  }
  return (double)NAN;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// By how much the function still changes from a place on.
typedef struct tail {
  double changes[POINTS + 1];
} tail;

static void measure_tail(const xc_float_activation *a, double sign, tail *t) {
  double low = (double)INFINITY, high = (double)-INFINITY;
  for (int i = POINTS; i >= 0; --i) {
    double y = evaluate(a, sign * i / PER_UNIT);
    low = fmin(low, y);
    high = fmax(high, y);
    t->changes[i] = fmax(high - y, y - low);
  }
}

// Where no more than a tolerance changes; infinity when that is nowhere near.
static double limit_of(const tail *t, double tolerance) {
  for (int i = PER_UNIT; i < POINTS / 2; ++i)
    if (t->changes[i] <= tolerance)
      return (double)i / PER_UNIT;
  return (double)INFINITY;
}

void xc_float_limit(xc_equalizer *e, const xc_float_activation *a) {
  xc_quantize_value *input = xc_pointer_map_get(&e->q->originals, a->input.ptr);
  const xc_quantize_value *result =
      xc_pointer_map_get(&e->q->originals, a->result.ptr);
  size_t count = (size_t)input->channels;
  input->floors = xc_arena_alloc(&e->q->arena, count + 1, sizeof(double));
  input->ceilings = xc_arena_alloc(&e->q->arena, count + 1, sizeof(double));
  tail below, above;
  measure_tail(a, -1, &below);
  measure_tail(a, 1, &above);
  for (size_t c = 0; c < count; ++c) {
    double tolerance = half_step * fmax(-result->lows[c], result->highs[c]);
    input->floors[c] = -limit_of(&below, tolerance);
    input->ceilings[c] = limit_of(&above, tolerance);
    input->lows[c] = fmax(input->lows[c], input->floors[c]);
    input->highs[c] = fmin(input->highs[c], input->ceilings[c]);
  }
}

void xc_float_scale_limits(xc_equalizer *e, const xc_float_activation *a) {
  xc_quantize_value *input = xc_pointer_map_get(&e->q->originals, a->input.ptr);
  for (int64_t c = 0; input->floors && c < input->channels; ++c) {
    double factor = e->channels[a->before[c]].factor;
    input->floors[c] *= factor;
    input->ceilings[c] *= factor;
  }
}
