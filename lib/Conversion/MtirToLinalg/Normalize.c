//===- Normalize.c - normalisation along an axis --------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Conversion/Support/MathIR.h"
#include "Support/Math.h"

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

// Reads the operands of a cell by slot; null where there is none.
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

typedef struct lrn {
  xc_lowering *lowering;
  MlirType type; // of the sums
  size_t axis;
  int64_t channels, before, after; // neighbours of a channel
  double alpha, beta, bias;
  bool positive; // all terms of the base
  MlirValue at[XC_MAX_RANK];
} lrn;

static MlirValue lrn_number(const lrn *n, double value) {
  return xc_ir_float(&n->lowering->ir, n->type, value);
}

static MlirValue lrn_load(lrn *n, MlirValue channel) {
  MlirValue own = n->at[n->axis];
  n->at[n->axis] = channel;
  MlirValue x = xc_load_real(n->lowering, XC_LRN_INPUT, n->at);
  n->at[n->axis] = own;
  return xc_ir_float_cast(&n->lowering->ir, x, n->type);
}

// Networks have powers of 3/4 or 1/2: square roots, where the base is known not
// to be negative.
static MlirValue lrn_power(const lrn *n, MlirValue base) {
  const xc_ir *ir = &n->lowering->ir;
  enum { MOST = 8 };
  double quarters = n->beta * 4;
  if (!n->positive || quarters < 0 || quarters > MOST ||
      quarters != floor(quarters))
    return xc_math_pow(ir, base, lrn_number(n, n->beta));
  int left = (int)quarters;
  MlirValue power = lrn_number(n, 1), root = base;
  for (; left >= 4; left -= 4)
    power = xc_ir_mul(ir, power, base);
  for (; left & 3; left = left << 1 & 3) {
    root = xc_ir_math(ir, "math.sqrt", root);
    if (left & 2)
      power = xc_ir_mul(ir, power, root);
  }
  return power;
}

static void lrn_finish(lrn *n, MlirValue sum) {
  const xc_ir *ir = &n->lowering->ir;
  MlirValue base = xc_ir_add(ir, lrn_number(n, n->bias),
                             xc_ir_mul(ir, lrn_number(n, n->alpha), sum));
  MlirValue y = xc_ir_div(ir, lrn_load(n, n->at[n->axis]), lrn_power(n, base));
  xc_store_real(n->lowering, xc_ir_float_cast(ir, y, ir->f64), n->at);
}

// The channel n->at, whose neighbours are `before` and `after` it.
static void lrn_unrolled(lrn *n, int64_t before, int64_t after) {
  const xc_ir *ir = &n->lowering->ir;
  MlirValue sum = lrn_number(n, 0);
  for (int64_t i = -before; i <= after; ++i) {
    MlirValue x = lrn_load(n, xc_ir_addi(ir, n->at[n->axis], i));
    sum = xc_ir_add(ir, sum, xc_ir_mul(ir, x, x));
  }
  lrn_finish(n, sum);
}

static void lrn_edge(lrn *n, int64_t first, int64_t end) {
  for (int64_t c = first; c < end; ++c) {
    n->at[n->axis] = xc_ir_index(&n->lowering->ir, c);
    lrn_unrolled(n, xc_minimum64(c, n->before),
                 xc_minimum64(n->channels - 1 - c, n->after));
  }
}

// Channels that have all their neighbours are one loop without conditions,
// which vectorises.
static void lrn_line(lrn *n) {
  xc_ir *ir = &n->lowering->ir;
  int64_t first = xc_minimum64(n->before, n->channels);
  int64_t end = n->channels - n->after > first ? n->channels - n->after : first;
  lrn_edge(n, 0, first);
  if (end > first) {
    xc_ir_loop loop =
        xc_ir_for(ir, xc_ir_index(ir, first), xc_ir_index(ir, end),
                  xc_ir_index(ir, 1), NULL, 0);
    n->at[n->axis] = loop.index;
    lrn_unrolled(n, n->before, n->after);
    xc_ir_end_for(ir, &loop, NULL);
  }
  lrn_edge(n, end, n->channels);
}

// Too many neighbours to write each of them down.
static void lrn_wide_line(lrn *n) {
  xc_ir *ir = &n->lowering->ir;
  xc_ir_loop line = xc_ir_for_size(ir, n->channels, NULL, 0);
  MlirValue c = n->at[n->axis] = line.index, zero = lrn_number(n, 0);
  MlirValue first =
      xc_ir_max(ir, xc_ir_addi(ir, c, -n->before), xc_ir_index(ir, 0));
  MlirValue end = xc_ir_min(ir, xc_ir_addi(ir, c, n->after + 1),
                            xc_ir_index(ir, n->channels));
  xc_ir_loop loop = xc_ir_for(ir, first, end, xc_ir_index(ir, 1), &zero, 1);
  MlirValue x = lrn_load(n, loop.index);
  MlirValue next = xc_ir_add(ir, loop.carried[0], xc_ir_mul(ir, x, x));
  xc_ir_end_for(ir, &loop, &next);
  lrn_finish(n, loop.results[0]);
  xc_ir_end_for(ir, &line, NULL);
}

bool xc_linalg_lrn(xc_lowering *l) {
  enum { MAX_UNROLLED = 16 };
  const xc_adaptor *op = l->op;
  const xc_shape *out = &l->result;
  int64_t size = xc_attr_int(op, XC_ATTR_SIZE);
  lrn n = {.lowering = l,
           .type = l->ir.f64,
           .axis = out->rank - 1,
           .channels = out->dims[out->rank - 1],
           .before = (size - 1) / 2,
           .after = size / 2,
           .alpha = xc_attr_float(op, XC_ATTR_ALPHA) / (double)size,
           .beta = xc_attr_float(op, XC_ATTR_BETA),
           .bias = xc_attr_float(op, XC_ATTR_BIAS)};
  bool wide = size > MAX_UNROLLED;
  n.positive = n.bias > 0 && n.alpha >= 0;
  // Long sums, and terms of both signs, lose too much in f32.
  if (out->element == XC_ELEMENT_F32 && !wide && n.positive)
    n.type = l->ir.f32;
  xc_ir_nest nest;
  xc_ir_nest_begin(&l->ir, &nest, n.axis, out->dims);
  for (size_t i = 0; i < n.axis; ++i)
    n.at[i] = nest.at[i];
  if (wide)
    lrn_wide_line(&n);
  else
    lrn_line(&n);
  xc_ir_nest_end(&l->ir, &nest);
  return true;
}
