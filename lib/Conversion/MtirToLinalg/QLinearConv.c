//===- QLinearConv.c - quantised convolutions and products ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserKernel.h"

#include "Conversion/Support/QuantIR.h"

// The requantisation of a sum, by channel where there are several scales.
typedef struct qconv {
  xc_qconv q;
  MlirValue tables[3];  // null with one scale
  MlirValue zero_table; // of the weights; null where all are the same
  bool some_once;       // multipliers that round once
} qconv;

static void read_zeros(xc_lowering *l, qconv *state, int64_t channels) {
  const xc_qconv *q = &state->q;
  if (q->num_zeros <= 1)
    return;
  int64_t *zeros = xc_lowering_alloc(l, channels, sizeof(*zeros));
  bool same = true;
  for (int64_t i = 0; i < channels; ++i) {
    zeros[i] = q->zeros[i];
    same = same && zeros[i] == zeros[0];
  }
  if (!same)
    state->zero_table =
        xc_lowering_table(l, zeros, XC_ELEMENT_I64, 1, &channels);
}

static MlirValue int_table(xc_lowering *l, const xc_qconv *q,
                           int32_t (*number)(xc_multiplier m)) {
  int64_t scales = (int64_t)q->scales;
  int32_t *numbers = xc_lowering_alloc(l, scales, sizeof(*numbers));
  for (int64_t i = 0; i < scales; ++i)
    numbers[i] = number(q->multipliers[i]);
  return xc_lowering_table(l, numbers, XC_ELEMENT_I32, 1, &scales);
}

static int32_t value_number(xc_multiplier m) { return m.value; }
static int32_t left_number(xc_multiplier m) {
  return m.shift > 0 ? m.shift : 0;
}
static int32_t right_number(xc_multiplier m) {
  return m.shift > 0 ? 0 : -m.shift;
}
// For 64-bit accumulators; a shift that is not to the right goes into the
// multiplier, with one bit more that the shift of 1 takes off again.
static int wide_shift(xc_multiplier m) { return 15 - m.shift; }
static int32_t reduced_number(xc_multiplier m) {
  int32_t reduced = m.value < 0x7fff0000 ? (m.value + (1 << 15)) >> 16 : 0x7fff;
  return wide_shift(m) > 0
             ? reduced
             : (int32_t)((uint32_t)reduced << (1 - wide_shift(m)));
}
static int32_t shift_number(xc_multiplier m) {
  return wide_shift(m) > 0 ? wide_shift(m) : 1;
}

// Numbers of a multiplication in 64 bits that rounds once more where TFLite
// does.
static int32_t total_number(xc_multiplier m) { return 31 - m.shift; }
static int32_t nudge_number(xc_multiplier m) {
  return !m.once && m.shift < 0 ? 1 << 30 : 0;
}

static bool some_once(const xc_qconv *q) {
  for (size_t i = 0; i < q->scales; ++i)
    if (q->multipliers[i].once)
      return true;
  return false;
}

static void make_tables(xc_lowering *l, qconv *state) {
  const xc_qconv *q = &state->q;
  int64_t scales = (int64_t)q->scales;
  if (scales == 1)
    return;
  if (!q->tflite) {
    state->tables[0] =
        xc_lowering_table(l, q->factors, XC_ELEMENT_F32, 1, &scales);
  } else if (q->wide) {
    state->tables[0] = int_table(l, q, reduced_number);
    state->tables[1] = int_table(l, q, shift_number);
  } else if (state->some_once) {
    state->tables[0] = int_table(l, q, value_number);
    state->tables[1] = int_table(l, q, total_number);
    state->tables[2] = int_table(l, q, nudge_number);
  } else {
    state->tables[0] = int_table(l, q, value_number);
    state->tables[1] = int_table(l, q, left_number);
    state->tables[2] = int_table(l, q, right_number);
  }
}

static qconv qconv_begin(xc_lowering *l) {
  qconv state = {.q = xc_qconv_of(l->op, l->arena)};
  state.some_once = state.q.tflite && some_once(&state.q);
  read_zeros(l, &state, l->result.dims[l->result.rank - 1]);
  make_tables(l, &state);
  return state;
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

static MlirValue q_left(xc_lowering *l, const MlirValue *at, void *user) {
  const qconv *q = user;
  return xc_ir_addi(&l->ir, xc_load_int(l, XC_QLINEAR_CONV2D_INPUT, at),
                    -q->q.input.zero_point);
}

static MlirValue q_right(xc_lowering *l, const MlirValue *at, MlirValue channel,
                         void *user) {
  const qconv *q = user;
  MlirValue weight = xc_load_int(l, XC_QLINEAR_CONV2D_WEIGHT, at);
  if (!mlirValueIsNull(q->zero_table))
    return xc_ir_sub(&l->ir, weight,
                     xc_ir_load(&l->ir, q->zero_table, &channel, 1));
  return q->q.num_zeros ? xc_ir_addi(&l->ir, weight, -q->q.zeros[0]) : weight;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static MlirValue scale_onnx(const xc_ir *ir, const qconv *q, MlirValue sum,
                            MlirValue channel) {
  MlirValue factor = mlirValueIsNull(q->tables[0])
                         ? xc_ir_float(ir, ir->f32, (double)q->q.factors[0])
                         : xc_ir_load(ir, q->tables[0], &channel, 1);
  MlirValue real =
      xc_ir_int_to_float(ir, xc_ir_int_cast(ir, sum, ir->i32), ir->f32);
  return xc_ir_quantize_even(ir, xc_ir_mul(ir, real, factor),
                             q->q.output.zero_point, q->q.range);
}

// (sum * value + half, with a nudge away from zero) >> shift.
static MlirValue scale_once(const xc_ir *ir, MlirValue sum,
                            const MlirValue numbers[3]) {
  MlirValue shift = xc_ir_int_cast(ir, numbers[1], ir->i64);
  MlirValue nudge = xc_ir_int_cast(ir, numbers[2], ir->i64);
  MlirValue product = xc_ir_mul(ir, xc_ir_int_cast(ir, sum, ir->i64),
                                xc_ir_int_cast(ir, numbers[0], ir->i64));
  MlirValue half =
      xc_ir_shl(ir, xc_ir_int(ir, ir->i64, 1), xc_ir_addi(ir, shift, -1));
  MlirValue below = xc_ir_comparei(ir, XC_IR_LT, sum, 0);
  nudge = xc_ir_select(ir, below, xc_ir_neg(ir, nudge), nudge);
  MlirValue total = xc_ir_add(ir, xc_ir_add(ir, product, half), nudge);
  return xc_ir_int_cast(ir, xc_ir_shr(ir, total, shift), ir->i32);
}

static MlirValue scale_tflite(const xc_ir *ir, const qconv *q, MlirValue sum,
                              MlirValue channel) {
  MlirValue numbers[3];
  for (int i = 0; i < 3; ++i)
    if (!mlirValueIsNull(q->tables[i]))
      numbers[i] = xc_ir_load(ir, q->tables[i], &channel, 1);
  bool one = mlirValueIsNull(q->tables[0]);
  if (q->q.wide)
    return one ? xc_ir_multiply64(ir, sum, q->q.multipliers[0])
               : xc_ir_multiply64_by(ir, sum,
                                     xc_ir_int_cast(ir, numbers[0], ir->i64),
                                     xc_ir_int_cast(ir, numbers[1], ir->i64));
  sum = xc_ir_int_cast(ir, sum, ir->i32);
  if (q->some_once && !one)
    return scale_once(ir, sum, numbers);
  return one ? xc_ir_multiply(ir, sum, q->q.multipliers[0])
             : xc_ir_multiply_by(ir, sum, numbers[0], numbers[1], numbers[2]);
}

static void q_finish(xc_lowering *l, MlirValue sum, MlirValue channel,
                     const MlirValue *at, void *user) {
  const qconv *q = user;
  const xc_ir *ir = &l->ir;
  if (xc_user_kernel_leaves_bias(l, XC_QLINEAR_CONV2D_BIAS))
    sum = xc_ir_add(ir, sum, xc_load_int(l, XC_QLINEAR_CONV2D_BIAS, &channel));
  MlirValue result;
  if (q->q.tflite) {
    MlirValue scaled =
        xc_ir_int_cast(ir, scale_tflite(ir, q, sum, channel), ir->i64);
    result = xc_ir_in_range(ir, xc_ir_addi(ir, scaled, q->q.output.zero_point),
                            q->q.range);
  } else {
    result = scale_onnx(ir, q, sum, channel);
  }
  xc_store_int(l, result, at);
}

static xc_products q_products(const xc_lowering *l, qconv *q) {
  return (xc_products){.zero = xc_whole(l, 0),
                       .left = q_left,
                       .right = q_right,
                       .finish = q_finish,
                       .state = q,
                       .padding = q->q.input.zero_point};
}

bool xc_linalg_qlinear_conv(xc_lowering *l) {
  qconv q = qconv_begin(l);
  xc_products products = q_products(l, &q);
  xc_linalg_convolution(l, &products);
  return true;
}

bool xc_linalg_qlinear_matmul(xc_lowering *l) {
  qconv q = qconv_begin(l);
  xc_products products = q_products(l, &q);
  // The first operand stands as it is.
  xc_linalg_product(l, xc_attr_bool(l->op, XC_ATTR_TRANSPOSE_A),
                    xc_attr_bool(l->op, XC_ATTR_TRANSPOSE_B), &products);
  return true;
}
