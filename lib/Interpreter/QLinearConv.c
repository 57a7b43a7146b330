//===- QLinearConv.c - quantised convolutions and matrix products ---------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TFLITE: multipliers come from double quotients of scales, except where
// TFLite multiplies the scales of input and filter as floats (unsigned
// convolutions and fully connected layers). A 64-bit bias means 64-bit
// accumulators. ONNX: one float factor, half to even.
//
//===----------------------------------------------------------------------===//

#include "Conv.h"
#include "Quant.h"

typedef struct qconv_state {
  const xc_tensor *output;
  const xc_tensor *bias; // data is null when absent
  xc_quant quant;
  xc_range range;
  bool tflite, wide;
  int64_t scales;             // 1 or one per channel
  xc_multiplier *multipliers; // TFLITE
  float *factors;             // ONNX
} qconv_state;

static int64_t rescale(const qconv_state *state, int64_t sum, int64_t channel) {
  int64_t i = state->scales == 1 ? 0 : channel;
  if (!state->tflite) {
    float scaled = (float)(int32_t)sum * state->factors[i];
    return xc_quantize_even((double)scaled, state->quant.zero_point,
                            state->range);
  }
  int32_t scaled = state->wide
                       ? xc_multiply64(sum, state->multipliers[i])
                       : xc_multiply((int32_t)sum, state->multipliers[i]);
  return xc_clamp((int64_t)scaled + state->quant.zero_point, state->range);
}

static void finish(void *user, int64_t at, int64_t channel, int64_t sum) {
  qconv_state *state = user;
  if (state->bias->data)
    sum = (int64_t)((uint64_t)sum + (uint64_t)xc_get_int(state->bias, channel));
  xc_set_int(state->output, at, rescale(state, sum, channel));
}

static qconv_state begin(xc_kernel_call *call, bool float_product) {
  xc_quant input = xc_call_quant(call, "input");
  xc_quant output = xc_call_quant(call, "output");
  xc_element element = call->output.shape.element;
  size_t scales = xc_view_floats(call->view, "weight_scale", NULL, 0);
  qconv_state state = {
      .output = &call->output,
      .bias = &call->operands[2],
      .quant = output,
      .range = xc_activation_range(xc_view_word(call->view, "nonlinear"),
                                   element, output),
      .tflite = xc_call_is_tflite(call),
      .scales = (int64_t)scales};
  // Sixteen-bit activations accumulate in 64 bits unless the bias has 32.
  state.wide = call->operands[2].data
                   ? call->operands[2].shape.element == XC_ELEMENT_I64
                   : xc_element_size(element) == 2;
  double *weights = xc_call_alloc(call, state.scales, sizeof(*weights));
  xc_view_floats(call->view, "weight_scale", weights, scales);
  state.multipliers =
      xc_call_alloc(call, state.scales, sizeof(*state.multipliers));
  state.factors = xc_call_alloc(call, state.scales, sizeof(*state.factors));
  for (int64_t i = 0; i < state.scales; ++i) {
    float product = input.scale * (float)weights[i];
    double exact = (double)input.scale * weights[i];
    state.factors[i] = product / output.scale;
    state.multipliers[i] = xc_multiplier_of(
        (float_product ? (double)product : exact) / (double)output.scale);
  }
  return state;
}

// The zero point of weight `i`: one, one per channel, or none.
static int32_t weight_zero(const xc_kernel_call *call, size_t points,
                           int64_t channel) {
  if (points == 0)
    return 0;
  return (int32_t)xc_view_int_at(call->view, "weight_zero_point",
                                 points == 1 ? 0 : (size_t)channel);
}

static size_t count_zero_points(const xc_kernel_call *call) {
  int64_t ints[XC_MAX_INTS];
  return xc_view_ints(call->view, "weight_zero_point", ints);
}

static bool is_unsigned(xc_element element) {
  return xc_element_min(element) == 0;
}

bool xc_interpret_qlinear_conv(xc_kernel_call *call) {
  qconv_state state = begin(call, is_unsigned(call->operands[0].shape.element));
  const xc_shape *shape = &call->operands[1].shape;
  bool depthwise = call->view->info->rule == XC_RULE_DEPTHWISE_CONV2D;
  int64_t count = xc_shape_num_elements(shape);
  int64_t channels = shape->dims[3], inner = xc_shape_inner(shape, 0);
  int32_t *weight = xc_call_ints(call, 1, 0);
  size_t points = count_zero_points(call);
  for (int64_t i = 0; points && i < count; ++i) {
    int64_t channel =
        depthwise ? i % channels * shape->dims[0] + i / inner : i / inner;
    weight[i] -= weight_zero(call, points, channel);
  }
  int32_t zero = xc_call_quant(call, "input").zero_point;
  xc_convolve_ints(call, xc_call_ints(call, 0, zero), weight, finish, &state);
  return true;
}

bool xc_interpret_qlinear_matmul(xc_kernel_call *call) {
  qconv_state state = begin(call, true);
  const xc_shape *shape = &call->operands[1].shape;
  bool swap = xc_view_bool(call->view, "transpose_b");
  int64_t last = shape->dims[shape->rank - 1];
  int64_t rows = shape->dims[shape->rank - 2];
  int64_t count = xc_shape_num_elements(shape);
  int32_t *b = xc_call_ints(call, 1, 0);
  size_t points = count_zero_points(call);
  for (int64_t i = 0; points && i < count; ++i)
    b[i] -= weight_zero(call, points, swap ? i / last % rows : i % last);
  int32_t zero = xc_call_quant(call, "input").zero_point;
  xc_matmul_ints(call, xc_call_ints(call, 0, zero), b, finish, &state);
  return true;
}
