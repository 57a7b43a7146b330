//===- FloatFunction.c - what an activation on the CPU computes -----------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatActivation.h"

#include "IR/IR.h"

#include <math.h>

enum { NUMBER = -1 };

// Where an operand comes from: a number, the input or an earlier step.
static int read_operand(const xc_float_activation *a, MlirValue operand,
                        double *number) {
  for (int i = 0; i < a->num_operations; ++i)
    if (mlirValueEqual(operand, xc_op_result(a->operations[i])))
      return i + 1;
  if (mlirValueEqual(operand, a->input))
    return 0;
  return xc_const_number(operand, number) ? NUMBER : 0;
}

static void read_attributes(MlirOperation op, xc_float_step *step) {
  xc_adaptor adaptor;
  if (!xc_adaptor_of(op, &adaptor))
    return;
  if (step->kind == XC_TIR_ELU)
    step->alpha = xc_attr_float(&adaptor, XC_ATTR_ALPHA);
  if (step->kind == XC_TIR_CLIP) {
    step->low = xc_attr_float(&adaptor, XC_ATTR_MIN);
    step->high = xc_attr_float(&adaptor, XC_ATTR_MAX);
  }
}

xc_float_function xc_float_function_of(const xc_float_activation *a) {
  xc_float_function function = {0};
  for (int i = 0; i < a->num_operations; ++i) {
    MlirOperation op = a->operations[i];
    xc_float_step *step = &function.steps[i];
    step->kind = xc_op_info_of(op)->kind;
    for (int k = 0; k < 2 && k < mlirOperationGetNumOperands(op); ++k)
      step->operands[k] =
          read_operand(a, mlirOperationGetOperand(op, k), &step->numbers[k]);
    read_attributes(op, step);
    if (mlirValueEqual(xc_op_result(op), a->result))
      function.num_steps = i + 1;
  }
  return function;
}

static double apply(const xc_float_step *step, double a, double b) {
  switch (step->kind) {
  case XC_TIR_SIGMOID:
    return 1 / (1 + exp(-a));
  case XC_TIR_TANH:
    return tanh(a);
  case XC_TIR_ELU:
    return a < 0 ? step->alpha * expm1(a) : a;
  case XC_TIR_SOFTPLUS:
    return fmax(a, 0) + log1p(exp(-fabs(a)));
  case XC_TIR_ERF:
    return erf(a);
  case XC_TIR_CLIP:
    return fmin(fmax(a, step->low), step->high);
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

double xc_float_apply(const xc_float_function *function, double x) {
  double values[XC_FLOAT_OPERATIONS + 1] = {x};
  for (int i = 0; i < function->num_steps; ++i) {
    const xc_float_step *step = &function->steps[i];
    double operands[2];
    for (int k = 0; k < 2; ++k)
      operands[k] = step->operands[k] == NUMBER ? step->numbers[k]
                                                : values[step->operands[k]];
    values[i + 1] = apply(step, operands[0], operands[1]);
  }
  return values[function->num_steps];
}
