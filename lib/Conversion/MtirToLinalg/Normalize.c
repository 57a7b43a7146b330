//===- Normalize.c - normalisation along an axis --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/MathIR.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

// One element per entry of the axis, shaped so that it broadcasts.
static bool align_channels(xc_lowering *l, size_t slot, size_t axis) {
  if (!xc_has_operand(l->op, slot))
    return true;
  if (!xc_check_dense(l, l->buffers[slot]))
    return false;
  size_t rank = l->result.rank - axis;
  xc_shape *shape = &l->shapes[slot];
  shape->rank = rank;
  for (size_t i = 1; i < rank; ++i)
    shape->dims[i] = 1;
  l->buffers[slot] = xc_ir_reshape(&l->ir, l->buffers[slot], rank, shape->dims);
  return true;
}

// The operands of a cell by slot; null where there is none.
static void read_reals(xc_lowering *l, const MlirValue *raw, size_t slots,
                       MlirValue *reals) {
  for (size_t slot = 0, i = 0; slot < slots; ++slot) {
    reals[slot] = (MlirValue){NULL};
    if (xc_has_operand(l->op, slot))
      reals[slot] =
          xc_element_to_real(&l->ir, l->shapes[slot].element, raw[i++]);
  }
}

static MlirValue add_optional(xc_lowering *l, MlirValue value, MlirValue bias) {
  return xc_ir_add(&l->ir, value, mlirValueIsNull(bias) ? xc_real(l, 0) : bias);
}

static MlirValue batchnorm_cell(xc_lowering *l, const MlirValue *raw,
                                const void *state) {
  (void)state;
  const xc_ir *ir = &l->ir;
  MlirValue x[XC_BATCHNORM_BETA + 1];
  read_reals(l, raw, XC_BATCHNORM_BETA + 1, x);
  MlirValue epsilon = xc_real(l, xc_attr_float(l->op, XC_ATTR_EPSILON));
  MlirValue root =
      xc_ir_math(ir, "math.sqrt", xc_ir_add(ir, x[XC_BATCHNORM_VAR], epsilon));
  MlirValue gamma = mlirValueIsNull(x[XC_BATCHNORM_GAMMA])
                        ? xc_real(l, 1)
                        : x[XC_BATCHNORM_GAMMA];
  MlirValue y = xc_ir_mul(ir, xc_ir_sub(ir, x[0], x[XC_BATCHNORM_MEAN]),
                          xc_ir_div(ir, gamma, root));
  return xc_element_of_real(ir, l->result.element,
                            add_optional(l, y, x[XC_BATCHNORM_BETA]));
}

static MlirValue scale_cell(xc_lowering *l, const MlirValue *raw,
                            const void *state) {
  (void)state;
  MlirValue x[XC_SCALE_BIAS + 1];
  read_reals(l, raw, XC_SCALE_BIAS + 1, x);
  MlirValue y = xc_ir_mul(&l->ir, x[0], x[XC_SCALE_SCALE]);
  return xc_element_of_real(&l->ir, l->result.element,
                            add_optional(l, y, x[XC_SCALE_BIAS]));
}

static bool lower_channels(xc_lowering *l, size_t slots, xc_cell cell) {
  size_t axis = xc_axis_of(l->op), given[XC_MAX_OPERANDS];
  size_t count = 0;
  for (size_t slot = 0; slot < slots; ++slot) {
    if (slot > 0 && !align_channels(l, slot, axis))
      return false;
    if (xc_has_operand(l->op, slot))
      given[count++] = slot;
  }
  xc_linalg_elementwise(l, given, count, cell, NULL);
  return true;
}

bool xc_linalg_batchnorm(xc_lowering *l) {
  return lower_channels(l, XC_BATCHNORM_BETA + 1, batchnorm_cell);
}

bool xc_linalg_scale(xc_lowering *l) {
  return lower_channels(l, XC_SCALE_BIAS + 1, scale_cell);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

typedef struct softmax_line {
  size_t axis;
  int64_t length;
  MlirValue at[XC_MAX_RANK];
} softmax_line;

static MlirValue exp_below(xc_lowering *l, const softmax_line *line,
                           MlirValue largest) {
  MlirValue x =
      xc_ir_sub(&l->ir, xc_load_real(l, XC_SOFTMAX_INPUT, line->at), largest);
  return xc_math_exp(&l->ir, x);
}

// fmax: a number wins over a NaN.
static MlirValue largest_of(xc_lowering *l, softmax_line *line) {
  xc_ir *ir = &l->ir;
  MlirValue start = xc_real(l, (double)-INFINITY);
  xc_ir_loop loop = xc_ir_for_size(ir, line->length, &start, 1);
  line->at[line->axis] = loop.index;
  MlirValue x = xc_load_real(l, XC_SOFTMAX_INPUT, line->at);
  MlirValue larger = xc_ir_compare(ir, XC_IR_GT, x, loop.carried[0]);
  MlirValue next = xc_ir_select(ir, larger, x, loop.carried[0]);
  xc_ir_end_for(ir, &loop, &next);
  return loop.results[0];
}

static MlirValue sum_of(xc_lowering *l, softmax_line *line, MlirValue largest) {
  xc_ir *ir = &l->ir;
  MlirValue start = xc_real(l, 0);
  xc_ir_loop loop = xc_ir_for_size(ir, line->length, &start, 1);
  line->at[line->axis] = loop.index;
  MlirValue next = xc_ir_add(ir, loop.carried[0], exp_below(l, line, largest));
  xc_ir_end_for(ir, &loop, &next);
  return loop.results[0];
}

static void write_line(xc_lowering *l, softmax_line *line, MlirValue largest,
                       MlirValue sum, bool logarithm) {
  xc_ir *ir = &l->ir;
  if (logarithm)
    sum = xc_math_log(ir, sum);
  xc_ir_loop loop = xc_ir_for_size(ir, line->length, NULL, 0);
  line->at[line->axis] = loop.index;
  MlirValue y;
  if (logarithm)
    y = xc_ir_sub(
        ir, xc_ir_sub(ir, xc_load_real(l, XC_SOFTMAX_INPUT, line->at), largest),
        sum);
  else
    y = xc_ir_div(ir, exp_below(l, line, largest), sum);
  xc_store_real(l, y, line->at);
  xc_ir_end_for(ir, &loop, NULL);
}

bool xc_linalg_softmax(xc_lowering *l) {
  const xc_shape *out = &l->result;
  softmax_line line = {.axis = xc_axis_of(l->op)};
  line.length = out->dims[line.axis];
  xc_ir_nest nest;
  int64_t dims[XC_MAX_RANK];
  for (size_t i = 0; i < out->rank; ++i)
    dims[i] = i == line.axis ? line.length > 0 : out->dims[i];
  xc_ir_nest_begin(&l->ir, &nest, out->rank, dims);
  for (size_t i = 0; i < out->rank; ++i)
    line.at[i] = nest.at[i];
  MlirValue largest = largest_of(l, &line);
  MlirValue sum = sum_of(l, &line, largest);
  write_line(l, &line, largest, sum, l->op->info->kind == XC_TIR_LOG_SOFTMAX);
  xc_ir_nest_end(&l->ir, &nest);
  return true;
}

//===----------------------------------------------------------------------===//
// Local response normalisation
//===----------------------------------------------------------------------===//

bool xc_linalg_lrn(xc_lowering *l) {
  xc_ir *ir = &l->ir;
  const xc_adaptor *op = l->op;
  const xc_shape *out = &l->result;
  int64_t channels = out->dims[out->rank - 1];
  int64_t size = xc_attr_int(op, XC_ATTR_SIZE);
  xc_ir_nest nest;
  xc_ir_nest_begin(ir, &nest, out->rank, out->dims);
  MlirValue c = nest.at[out->rank - 1];
  MlirValue first =
      xc_ir_max(ir, xc_ir_addi(ir, c, -((size - 1) / 2)), xc_ir_index(ir, 0));
  MlirValue end =
      xc_ir_min(ir, xc_ir_addi(ir, c, size / 2 + 1), xc_ir_index(ir, channels));
  MlirValue at[XC_MAX_RANK], zero = xc_real(l, 0);
  for (size_t i = 0; i < out->rank; ++i)
    at[i] = nest.at[i];
  xc_ir_loop loop = xc_ir_for(ir, first, end, xc_ir_index(ir, 1), &zero, 1);
  at[out->rank - 1] = loop.index;
  MlirValue x = xc_load_real(l, XC_LRN_INPUT, at);
  MlirValue next = xc_ir_add(ir, loop.carried[0], xc_ir_mul(ir, x, x));
  xc_ir_end_for(ir, &loop, &next);
  double alpha = xc_attr_float(op, XC_ATTR_ALPHA) / (double)size;
  MlirValue sum = xc_ir_add(ir, xc_real(l, xc_attr_float(op, XC_ATTR_BIAS)),
                            xc_ir_mul(ir, xc_real(l, alpha), loop.results[0]));
  MlirValue power =
      xc_math_pow(ir, sum, xc_real(l, xc_attr_float(op, XC_ATTR_BETA)));
  xc_store_real(l, xc_ir_div(ir, xc_load_real(l, XC_LRN_INPUT, nest.at), power),
                nest.at);
  xc_ir_nest_end(ir, &nest);
  return true;
}
