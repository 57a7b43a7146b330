//===- QLinearConv.c - quantised convolutions and products ----------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"

#include "Conversion/Support/QuantIR.h"

// What becomes of a sum, by channel where there are several scales.
typedef struct qconv {
  xc_quant output;
  xc_range range;
  bool tflite, wide;
  int64_t scales;
  int32_t input_zero;
  xc_multiplier *multipliers; // TFLITE
  float *factors;             // ONNX
  MlirValue tables[3];        // null with one scale
  int64_t *zeros;             // of the weights, per channel
  size_t num_zeros;
  MlirValue zero_table;
} qconv;

static bool is_unsigned(xc_element element) {
  return xc_element_min(element) == 0;
}

static void read_scales(xc_lowering *l, qconv *q, bool float_product) {
  xc_quant input = xc_call_quant(&l->call, "input");
  q->input_zero = input.zero_point;
  q->scales = (int64_t)xc_view_floats(l->call.view, "weight_scale", NULL, 0);
  double *weights = xc_call_alloc(&l->call, q->scales, sizeof(*weights));
  xc_view_floats(l->call.view, "weight_scale", weights, (size_t)q->scales);
  q->multipliers = xc_call_alloc(&l->call, q->scales, sizeof(*q->multipliers));
  q->factors = xc_call_alloc(&l->call, q->scales, sizeof(*q->factors));
  for (int64_t i = 0; i < q->scales; ++i) {
    float product = input.scale * (float)weights[i];
    double exact = (double)input.scale * weights[i];
    q->factors[i] = product / q->output.scale;
    q->multipliers[i] = xc_multiplier_of(
        (float_product ? (double)product : exact) / (double)q->output.scale);
  }
}

static void read_zeros(xc_lowering *l, qconv *q, int64_t channels) {
  int64_t ints[XC_MAX_INTS];
  q->num_zeros = xc_view_ints(l->call.view, "weight_zero_point", ints);
  if (q->num_zeros == 0)
    return;
  q->zeros = xc_call_alloc(&l->call, channels, sizeof(*q->zeros));
  bool same = true;
  for (int64_t i = 0; i < channels; ++i) {
    q->zeros[i] = xc_view_int_at(l->call.view, "weight_zero_point",
                                 q->num_zeros == 1 ? 0 : (size_t)i);
    same = same && q->zeros[i] == q->zeros[0];
  }
  if (!same)
    q->zero_table =
        xc_lowering_table(l, q->zeros, XC_ELEMENT_I64, 1, &channels);
}

static MlirValue int_table(xc_lowering *l, const qconv *q,
                           int32_t (*number)(xc_multiplier m)) {
  int32_t *numbers = xc_call_alloc(&l->call, q->scales, sizeof(*numbers));
  for (int64_t i = 0; i < q->scales; ++i)
    numbers[i] = number(q->multipliers[i]);
  return xc_lowering_table(l, numbers, XC_ELEMENT_I32, 1, &q->scales);
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

static void make_tables(xc_lowering *l, qconv *q) {
  if (q->scales == 1)
    return;
  if (!q->tflite) {
    q->tables[0] =
        xc_lowering_table(l, q->factors, XC_ELEMENT_F32, 1, &q->scales);
  } else if (q->wide) {
    q->tables[0] = int_table(l, q, reduced_number);
    q->tables[1] = int_table(l, q, shift_number);
  } else {
    q->tables[0] = int_table(l, q, value_number);
    q->tables[1] = int_table(l, q, left_number);
    q->tables[2] = int_table(l, q, right_number);
  }
}

static qconv qconv_begin(xc_lowering *l, bool float_product, int64_t channels) {
  xc_element element = l->call.output.shape.element;
  qconv q = {.output = xc_call_quant(&l->call, "output"),
             .tflite = xc_call_is_tflite(&l->call)};
  q.range = xc_activation_range(xc_view_word(l->call.view, "nonlinear"),
                                element, q.output);
  // Sixteen-bit activations accumulate in 64 bits unless the bias has 32.
  q.wide = l->call.operands[2].data
               ? l->call.operands[2].shape.element == XC_ELEMENT_I64
               : xc_element_size(element) == 2;
  read_scales(l, &q, float_product);
  read_zeros(l, &q, channels);
  make_tables(l, &q);
  return q;
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

static MlirValue q_left(xc_lowering *l, const MlirValue *at, void *state) {
  const qconv *q = state;
  return xc_ir_addi(&l->ir, xc_load_int(l, 0, at), -q->input_zero);
}

static MlirValue q_right(xc_lowering *l, const MlirValue *at, MlirValue channel,
                         void *state) {
  const qconv *q = state;
  MlirValue weight = xc_load_int(l, 1, at);
  if (!mlirValueIsNull(q->zero_table))
    return xc_ir_sub(&l->ir, weight,
                     xc_ir_load(&l->ir, q->zero_table, &channel, 1));
  return q->zeros ? xc_ir_addi(&l->ir, weight, -q->zeros[0]) : weight;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static MlirValue scale_onnx(const xc_ir *ir, const qconv *q, MlirValue sum,
                            MlirValue channel) {
  MlirValue factor = mlirValueIsNull(q->tables[0])
                         ? xc_ir_float(ir, ir->f32, (double)q->factors[0])
                         : xc_ir_load(ir, q->tables[0], &channel, 1);
  MlirValue real =
      xc_ir_int_to_float(ir, xc_ir_int_cast(ir, sum, ir->i32), ir->f32);
  return xc_ir_quantize_even(ir, xc_ir_mul(ir, real, factor),
                             q->output.zero_point, q->range);
}

static MlirValue scale_tflite(const xc_ir *ir, const qconv *q, MlirValue sum,
                              MlirValue channel) {
  MlirValue numbers[3];
  for (int i = 0; i < 3; ++i)
    if (!mlirValueIsNull(q->tables[i]))
      numbers[i] = xc_ir_load(ir, q->tables[i], &channel, 1);
  bool one = mlirValueIsNull(q->tables[0]);
  if (q->wide)
    return one ? xc_ir_multiply64(ir, sum, q->multipliers[0])
               : xc_ir_multiply64_by(ir, sum,
                                     xc_ir_int_cast(ir, numbers[0], ir->i64),
                                     xc_ir_int_cast(ir, numbers[1], ir->i64));
  sum = xc_ir_int_cast(ir, sum, ir->i32);
  return one ? xc_ir_multiply(ir, sum, q->multipliers[0])
             : xc_ir_multiply_by(ir, sum, numbers[0], numbers[1], numbers[2]);
}

static void q_finish(xc_lowering *l, MlirValue sum, MlirValue channel,
                     const MlirValue *at, void *state) {
  const qconv *q = state;
  const xc_ir *ir = &l->ir;
  if (l->call.operands[2].data)
    sum = xc_ir_add(ir, sum, xc_load_int(l, 2, &channel));
  MlirValue result;
  if (q->tflite) {
    MlirValue scaled =
        xc_ir_int_cast(ir, scale_tflite(ir, q, sum, channel), ir->i64);
    result = xc_ir_in_range(ir, xc_ir_addi(ir, scaled, q->output.zero_point),
                            q->range);
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
                       .state = q};
}

bool xc_linalg_qlinear_conv(xc_lowering *l) {
  bool float_product = is_unsigned(l->call.operands[0].shape.element);
  qconv q = qconv_begin(l, float_product, l->call.output.shape.dims[3]);
  xc_products products = q_products(l, &q);
  xc_linalg_convolution(l, &products);
  return true;
}

bool xc_linalg_qlinear_matmul(xc_lowering *l) {
  const xc_shape *out = &l->call.output.shape;
  qconv q = qconv_begin(l, true, out->dims[out->rank - 1]);
  xc_products products = q_products(l, &q);
  // The first operand stands as it is.
  xc_linalg_product(l, xc_view_bool(l->call.view, "transpose_a"),
                    xc_view_bool(l->call.view, "transpose_b"), &products);
  return true;
}
