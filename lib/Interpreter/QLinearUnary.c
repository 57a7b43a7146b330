//===- QLinearUnary.c - quantised operators of one input ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "OpParams/Quant.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// Between real numbers and integers
//===----------------------------------------------------------------------===//

static int64_t quantize(float real, float scale, int64_t zero_point,
                        bool half_even, xc_range range) {
  float steps = real / scale;
  if (half_even)
    return xc_quantize_even((double)steps, (int32_t)zero_point, range);
  return xc_quantize_even((double)roundf(steps), (int32_t)zero_point, range);
}

// Scale and zero point per element: one, or one per entry of the axis.
typedef struct linear_state {
  xc_qlinear q;
  int64_t inner;
} linear_state;

static linear_state read_linear(xc_kernel_call *call) {
  linear_state state = {.q = xc_qlinear_of(call->op, call->arena)};
  if (state.q.count > 1)
    state.inner = xc_shape_inner(&call->output.shape, xc_axis_of(call->op));
  return state;
}

static size_t linear_index(const linear_state *state, int64_t i) {
  int64_t count = (int64_t)state->q.count;
  return count == 1 ? 0 : (size_t)(i / state->inner % count);
}

bool xc_interpret_quantize_linear(xc_kernel_call *call) {
  linear_state state = read_linear(call);
  bool half_even = !xc_is_tflite(call->op);
  xc_range range = xc_element_range(call->output.shape.element);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    size_t at = linear_index(&state, i);
    xc_set_int(
        &call->output, i,
        quantize(
            (float)xc_get_real(&call->operands[XC_QUANTIZE_LINEAR_INPUT], i),
            (float)state.q.scales[at], state.q.zeros[at], half_even, range));
  }
  return true;
}

bool xc_interpret_dequantize_linear(xc_kernel_call *call) {
  linear_state state = read_linear(call);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i) {
    size_t at = linear_index(&state, i);
    double zero = (double)state.q.zeros[at];
    xc_set_real(
        &call->output, i,
        (xc_get_real(&call->operands[XC_DEQUANTIZE_LINEAR_INPUT], i) - zero) *
            state.q.scales[at]);
  }
  return true;
}

bool xc_interpret_qlinear_requantize(xc_kernel_call *call) {
  xc_requant quant = xc_requant_of(call->op);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i)
    xc_set_int(
        &call->output, i,
        xc_requantize(
            &quant,
            xc_get_int(&call->operands[XC_QLINEAR_REQUANTIZE_INPUT], i)));
  return true;
}

bool xc_interpret_qlinear_activation(xc_kernel_call *call) {
  xc_qactivation activation = xc_qactivation_of(call->op);
  int64_t count = xc_tensor_count(&call->output);
  for (int64_t i = 0; i < count; ++i)
    xc_set_int(
        &call->output, i,
        xc_qactivation_apply(
            &activation,
            xc_get_int(&call->operands[XC_QLINEAR_ACTIVATION_INPUT], i)));
  return true;
}
