//===- QLinearConv.c - quantised convolutions and matrix products ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "OpParams/Quant.h"

typedef struct qconv_state {
  const xc_tensor *output;
  const xc_tensor *bias; // data is null when absent
  xc_qconv q;
} qconv_state;

static int64_t rescale(const xc_qconv *q, int64_t sum, int64_t channel) {
  int64_t i = q->scales == 1 ? 0 : channel;
  if (!q->tflite) {
    float scaled = (float)(int32_t)sum * q->factors[i];
    return xc_quantize_even((double)scaled, q->output.zero_point, q->range);
  }
  int32_t scaled = q->wide ? xc_multiply64(sum, q->multipliers[i])
                           : xc_multiply((int32_t)sum, q->multipliers[i]);
  return xc_clamp((int64_t)scaled + q->output.zero_point, q->range);
}

static void finish(void *user, int64_t at, int64_t channel, int64_t sum) {
  qconv_state *state = user;
  if (state->bias->data)
    sum = (int64_t)((uint64_t)sum + (uint64_t)xc_get_int(state->bias, channel));
  xc_set_int(state->output, at, rescale(&state->q, sum, channel));
}

static qconv_state begin(xc_kernel_call *call) {
  return (qconv_state){.output = &call->output,
                       .bias = &call->operands[XC_QLINEAR_CONV2D_BIAS],
                       .q = xc_qconv_of(call->op, call->arena)};
}

// Returns the zero point of a weight: none, one, or one per channel.
static int32_t weight_zero(const xc_qconv *q, int64_t channel) {
  return q->num_zeros == 0 ? 0 : q->zeros[q->num_zeros == 1 ? 0 : channel];
}

bool xc_interpret_qlinear_conv(xc_kernel_call *call) {
  qconv_state state = begin(call);
  const xc_shape *shape = &call->operands[XC_QLINEAR_CONV2D_WEIGHT].shape;
  bool depthwise = xc_is_depthwise(call->op);
  int64_t count = xc_shape_num_elements(shape);
  int64_t channels = shape->dims[3], inner = xc_shape_inner(shape, 0);
  int32_t *weight = xc_call_ints(call, XC_QLINEAR_CONV2D_WEIGHT, 0);
  for (int64_t i = 0; state.q.num_zeros && i < count; ++i)
    weight[i] -= weight_zero(
        &state.q,
        depthwise ? i % channels * shape->dims[0] + i / inner : i / inner);
  xc_convolve_ints(
      call,
      xc_call_ints(call, XC_QLINEAR_CONV2D_INPUT, state.q.input.zero_point),
      weight, finish, &state);
  return true;
}

bool xc_interpret_qlinear_matmul(xc_kernel_call *call) {
  qconv_state state = begin(call);
  const xc_shape *shape = &call->operands[XC_QLINEAR_MATMUL_B].shape;
  bool swap = xc_attr_bool(call->op, XC_ATTR_TRANSPOSE_B);
  int64_t last = shape->dims[shape->rank - 1];
  int64_t rows = shape->dims[shape->rank - 2];
  int64_t count = xc_shape_num_elements(shape);
  int32_t *b = xc_call_ints(call, XC_QLINEAR_MATMUL_B, 0);
  for (int64_t i = 0; state.q.num_zeros && i < count; ++i)
    b[i] -= weight_zero(&state.q, swap ? i / last % rows : i % last);
  xc_matmul_ints(
      call, xc_call_ints(call, XC_QLINEAR_MATMUL_A, state.q.input.zero_point),
      b, finish, &state);
  return true;
}
