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

#include "Conversion.h"

#include "OpParams/Window.h"

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
      xc_convert_value(c, xc_operand(&c->adaptor, 0));
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
static double share(const xc_axis_taps *axis, int64_t tap) {
  int64_t hits = 0;
  for (int64_t o = 0; o < axis->outputs; ++o)
    hits += axis->source[o * axis->taps + tap] >= 0;
  return (double)hits / (double)axis->outputs;
}

void xc_quantize_correct_bias(const xc_conversion *c, const xc_tensor *weights,
                              int weight_point, int input_point, double *bias) {
  const double up = ldexp(1, weight_point), down = ldexp(1, -weight_point);
  bool is_depthwise = xc_is_depthwise(&c->adaptor);
  channel_means means;
  // Depthwise weights are [M, H, W, C] with output c * M + m, others
  // [O, H, W, I / group].
  xc_shape shape = xc_operand_shape(&c->adaptor, 1);
  const int64_t *dims = shape.dims;
  int64_t group = xc_group_of(&c->adaptor);
  if (!find_means(c, input_point, &means))
    return;
  xc_arena arena = {0};
  xc_taps window = xc_taps_of(&c->adaptor, &arena);
  double *row = xc_arena_alloc(&arena, (size_t)dims[3] + 1, sizeof(*row));
  for (int64_t o = 0; o < dims[0]; ++o)
    for (int64_t tap = 0; tap < dims[1] * dims[2]; ++tap) {
      double part = share(&window.h, tap / dims[2]) *
                    share(&window.w, tap % dims[2]) / means.count;
      xc_get_reals(weights, (o * dims[1] * dims[2] + tap) * dims[3], dims[3],
                   row);
      for (int64_t i = 0; i < dims[3]; ++i) {
        double weight = row[i];
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
