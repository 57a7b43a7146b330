//===- Epilogue.c - elementwise operators after a convolution -------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

#include "Conversion/Support/MathIR.h"

#include <assert.h>

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Where a step is written.
typedef struct writer {
  const xc_ir *ir;
  const xc_epilogue_step *step;
} writer;

typedef MlirValue (*step_function)(const writer *w, MlirValue x, MlirValue y);

static MlirValue number(const writer *w, MlirValue like, double value) {
  return xc_ir_float(w->ir, mlirValueGetType(like), value);
}

static MlirValue if_negative(const writer *w, MlirValue x, MlirValue yes,
                             MlirValue no) {
  MlirValue negative = xc_ir_compare(w->ir, XC_IR_LT, x, number(w, x, 0));
  return xc_ir_select(w->ir, negative, yes, no);
}

// The second operand wins where there is no order: NaN stays.
static MlirValue limit(const writer *w, MlirValue x, double low, double high) {
  return xc_ir_min(w->ir, number(w, x, high),
                   xc_ir_max(w->ir, number(w, x, low), x));
}

#define STEP(name)                                                             \
  static MlirValue name(const writer *w, MlirValue x, MlirValue y)
#define UNUSED_Y (void)y

STEP(relu) {
  UNUSED_Y;
  return xc_ir_max(w->ir, number(w, x, 0), x);
}
STEP(relu6) {
  UNUSED_Y;
  return limit(w, x, 0, 6);
}
STEP(clip) {
  UNUSED_Y;
  return limit(w, x, w->step->a, w->step->b);
}
STEP(leaky_relu) {
  UNUSED_Y;
  return if_negative(w, x, xc_ir_mul(w->ir, x, number(w, x, w->step->a)), x);
}
STEP(prelu) { return if_negative(w, x, xc_ir_mul(w->ir, x, y), x); }
STEP(elu) {
  UNUSED_Y;
  MlirValue below =
      xc_ir_mul(w->ir, xc_math_expm1(w->ir, x), number(w, x, w->step->a));
  return if_negative(w, x, below, x);
}
STEP(hard_sigmoid) {
  UNUSED_Y;
  MlirValue line =
      xc_ir_add(w->ir, xc_ir_mul(w->ir, x, number(w, x, w->step->a)),
                number(w, x, w->step->b));
  return limit(w, line, 0, 1);
}
STEP(hard_swish) {
  UNUSED_Y;
  MlirValue line = limit(w, xc_ir_add(w->ir, x, number(w, x, 3)), 0, 6);
  return xc_ir_mul(w->ir, xc_ir_mul(w->ir, x, line), number(w, x, 1.0 / 6));
}
STEP(sigmoid) {
  UNUSED_Y;
  return xc_math_sigmoid(w->ir, x);
}
STEP(hyperbolic_tangent) {
  UNUSED_Y;
  return xc_math_tanh(w->ir, x);
}
STEP(softplus) {
  UNUSED_Y;
  return xc_math_softplus(w->ir, x);
}
STEP(exponential) {
  UNUSED_Y;
  return xc_math_exp(w->ir, x);
}
STEP(negate) {
  UNUSED_Y;
  return xc_ir_neg(w->ir, x);
}
STEP(absolute) {
  UNUSED_Y;
  return xc_ir_math(w->ir, "math.absf", x);
}
STEP(add) { return xc_ir_add(w->ir, x, y); }
STEP(subtract) { return xc_ir_sub(w->ir, x, y); }
STEP(multiply) { return xc_ir_mul(w->ir, x, y); }
STEP(divide) { return xc_ir_div(w->ir, x, y); }

typedef struct step_row {
  xc_op_kind kind;
  int operands;
  step_function write;
  double cycles; // of a vector
  xc_attr a, b;  // attributes, or null
} step_row;

static const step_row rows[] = {
    {XC_TIR_RELU, 1, relu, 1, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_RELU6, 1, relu6, 1, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_CLIP, 1, clip, 1, XC_ATTR_MIN, XC_ATTR_MAX},
    {XC_TIR_LEAKY_RELU, 1, leaky_relu, 2, XC_ATTR_ALPHA, XC_ATTR_NONE},
    {XC_TIR_PRELU, 2, prelu, 2, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_ELU, 1, elu, 12, XC_ATTR_ALPHA, XC_ATTR_NONE},
    {XC_TIR_HARD_SIGMOID, 1, hard_sigmoid, 2, XC_ATTR_ALPHA, XC_ATTR_BETA},
    {XC_TIR_HARD_SWISH, 1, hard_swish, 3, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_SIGMOID, 1, sigmoid, 20, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_TANH, 1, hyperbolic_tangent, 20, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_SOFTPLUS, 1, softplus, 40, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_EXP, 1, exponential, 12, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_NEG, 1, negate, 1, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_ABS, 1, absolute, 1, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_ADD, 2, add, 1, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_SUB, 2, subtract, 1, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_MUL, 2, multiply, 1, XC_ATTR_NONE, XC_ATTR_NONE},
    {XC_TIR_DIV, 2, divide, 16, XC_ATTR_NONE, XC_ATTR_NONE},
};

static const step_row *row_of(xc_op_kind kind) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); ++i)
    if (rows[i].kind == kind)
      return &rows[i];
  return NULL;
}

bool xc_epilogue_read_step(const xc_adaptor *op, xc_epilogue_step *step) {
  const step_row *row = row_of(op->info->kind);
  if (!row)
    return false;
  *step = (xc_epilogue_step){.kind = row->kind};
  if (row->a)
    step->a = xc_attr_float(op, row->a);
  if (row->b)
    step->b = xc_attr_float(op, row->b);
  return true;
}

//===----------------------------------------------------------------------===//
// Lists of steps
//===----------------------------------------------------------------------===//

MlirValue xc_epilogue_write(const xc_ir *ir, const xc_epilogue *epilogue,
                            MlirValue sum, MlirValue residual) {
  MlirValue values[1 + XC_EPILOGUE_MAX_STEPS] = {sum};
  for (int i = 0; i < epilogue->count; ++i) {
    const xc_epilogue_step *step = &epilogue->steps[i];
    const step_row *row = row_of(step->kind);
    assert(row && "steps come from rows");
    MlirValue operands[2] = {{NULL}, {NULL}};
    for (int k = 0; k < row->operands; ++k)
      operands[k] = step->operands[k] == XC_EPILOGUE_RESIDUAL ? residual
                    : step->operands[k] == XC_EPILOGUE_NUMBER
                        ? xc_ir_float(ir, mlirValueGetType(sum), step->a)
                        : values[step->operands[k]];
    const writer w = {ir, step};
    values[i + 1] = row->write(&w, operands[0], operands[1]);
  }
  return values[epilogue->count];
}

double xc_epilogue_cycles(const xc_epilogue *epilogue) {
  double cycles = 0;
  for (int i = 0; i < epilogue->count; ++i)
    cycles += row_of(epilogue->steps[i].kind)->cycles;
  return cycles;
}

void xc_epilogue_key(const xc_epilogue *epilogue, xc_text *key) {
  xc_text_printf(key, "%d,%d", epilogue->residual,
                 epilogue->residual_of_channels);
  for (int i = 0; i < epilogue->count; ++i) {
    const xc_epilogue_step *step = &epilogue->steps[i];
    xc_text_printf(key, ";%d,%d,%d,%a,%a", (int)step->kind, step->operands[0],
                   step->operands[1], step->a, step->b);
  }
}
