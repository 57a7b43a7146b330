//===- Bias.c - what rounding takes from the mean -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounded weights w' and inputs x' shift the mean of an output channel by
// sum(w' E[x']) - sum(w E[x]); the bias takes it back (Nagel et al.,
// Data-Free Quantization Through Weight Equalization and Bias Correction). A
// tap at the border meets padding in some windows and counts for the others.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"

#include "Interpreter/Window.h"

#include <math.h>

/// Means of the input's channels over the samples, as they are and rounded.
typedef struct channel_means {
  const double *exact, *rounded; // sums
  int64_t step;                  // of `rounded` from channel to channel
  double count;
} channel_means;

static bool find_means(const xc_conversion *c, int point,
                       channel_means *means) {
  const xc_quantize_value *input =
      xc_convert_value(c, xc_view_operand(&c->view, 0));
  if (!input || !input->channels || !(input->count > 0))
    return false;
  int candidate = point - input->first;
  *means = (channel_means){input->sums, input->sums, 1, input->count};
  if (candidate >= 0 && candidate < XC_CALIBRATE_CANDIDATES) {
    means->rounded = input->fixed_sums + candidate;
    means->step = XC_CALIBRATE_CANDIDATES;
  }
  return true;
}

// The share of windows in which a tap meets the input.
static double share(const xc_window_axis *axis, int64_t tap) {
  int64_t hits = 0;
  for (int64_t o = 0; o < axis->outputs; ++o)
    hits += axis->source[o * axis->taps + tap] >= 0;
  return (double)hits / (double)axis->outputs;
}

// The window of the convolution as the interpreter walks over it.
static xc_window find_window(const xc_conversion *c, xc_arena *arena,
                             bool is_transposed) {
  xc_kernel_call call = {.view = &c->view, .arena = arena};
  call.operands[0].shape = xc_view_shape(&c->view, 0);
  xc_shape_of_type(
      mlirValueGetType(mlirOperationGetResult(c->view.operation, 0)),
      &call.output.shape);
  return is_transposed ? xc_window_transposed(&call) : xc_window_forward(&call);
}

void xc_quantize_correct_bias(const xc_conversion *c, const double *weights,
                              int weight_point, int input_point, double *bias) {
  const double up = ldexp(1, weight_point), down = ldexp(1, -weight_point);
  xc_op_kind kind = c->view.info->kind;
  bool is_depthwise = kind == XC_TIR_DEPTHWISE_CONV2D ||
                      kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D;
  bool is_transposed = kind == XC_TIR_TRANSPOSED_CONV2D ||
                       kind == XC_TIR_TRANSPOSED_DEPTHWISE_CONV2D;
  channel_means means;
  // Depthwise weights are [M, H, W, C] with output c * M + m, others
  // [O, H, W, I / group].
  xc_shape shape = xc_view_shape(&c->view, 1);
  const int64_t *dims = shape.dims;
  int64_t group = is_depthwise ? 1 : xc_view_int(&c->view, "group");
  if (!find_means(c, input_point, &means))
    return;
  xc_arena arena = {0};
  xc_window window = find_window(c, &arena, is_transposed);
  for (int64_t o = 0; o < dims[0]; ++o)
    for (int64_t tap = 0; tap < dims[1] * dims[2]; ++tap) {
      double part = share(&window.h, tap / dims[2]) *
                    share(&window.w, tap % dims[2]) / means.count;
      for (int64_t i = 0; i < dims[3]; ++i) {
        double weight = *weights++;
        double rounded = down * xc_calibrate_round(up * weight, 0);
        int64_t input = i + o / (dims[0] / group) * dims[3];
        if (is_depthwise)
          input = i;
        bias[is_depthwise ? i * dims[0] + o : o] +=
            part * (weight * means.exact[input] -
                    rounded * means.rounded[means.step * input]);
      }
    }
  xc_arena_free(&arena);
}
