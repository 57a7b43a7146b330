//===- Positions.h - what the taps of a convolution read --------*- C -*-===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XC_TRANSFORMS_QUANTIZE_FASTKERNELS_POSITIONS_H
#define XC_TRANSFORMS_QUANTIZE_FASTKERNELS_POSITIONS_H

#include "Interpreter/Kernel.h"
#include "OpParams/Window.h"

/// The sizes of a convolution and its window.
typedef struct xc_conv_positions {
  xc_taps window;
  int64_t channels, height, width; // of the input
  int64_t positions, outputs;
  int64_t taps;
} xc_conv_positions;

static inline xc_conv_positions
xc_conv_positions_of(const xc_kernel_call *call) {
  const int64_t *in = call->operands[0].shape.dims;
  const int64_t *out = call->output.shape.dims;
  xc_conv_positions c = {.window = xc_taps_of(call->op, call->arena),
                         .channels = in[3],
                         .height = in[1],
                         .width = in[2],
                         .positions = out[0] * out[1] * out[2],
                         .outputs = out[3]};
  c.taps = c.window.h.taps * c.window.w.taps;
  return c;
}

/// Where the pixel begins that a tap reads for a position of the output, -1:
/// it reads none.
static inline int64_t xc_conv_pixel(const xc_conv_positions *c,
                                    int64_t position, int64_t tap) {
  const xc_axis_taps *h = &c->window.h, *w = &c->window.w;
  int64_t x = position % w->outputs, y = position / w->outputs % h->outputs;
  int64_t n = position / w->outputs / h->outputs;
  int64_t row = h->source[y * h->taps + tap / w->taps];
  int64_t column = w->source[x * w->taps + tap % w->taps];
  if (row < 0 || column < 0)
    return -1;
  return ((n * c->height + row) * c->width + column) * c->channels;
}

/// A tap that reads a pixel, and where that begins.
typedef struct xc_conv_tap {
  int64_t tap, pixel;
} xc_conv_tap;

/// The taps that read pixels for a position of the output, in order; `taps` has
/// room for all. A transposed convolution of stride s has one in s along each
/// axis.
static inline int64_t xc_conv_present(const xc_conv_positions *c,
                                      int64_t position, xc_conv_tap *taps) {
  const xc_axis_taps *h = &c->window.h, *w = &c->window.w;
  int64_t x = position % w->outputs, y = position / w->outputs % h->outputs;
  int64_t n = position / w->outputs / h->outputs, count = 0;
  for (int64_t i = 0; i < h->taps; ++i) {
    int64_t row = h->source[y * h->taps + i];
    for (int64_t k = 0; row >= 0 && k < w->taps; ++k) {
      int64_t column = w->source[x * w->taps + k];
      if (column >= 0)
        taps[count++] = (xc_conv_tap){
            i * w->taps + k,
            ((n * c->height + row) * c->width + column) * c->channels};
    }
  }
  return count;
}

static inline int64_t xc_conv_round_up(int64_t count, int64_t unit) {
  return (count + unit - 1) / unit * unit;
}

#endif // XC_TRANSFORMS_QUANTIZE_FASTKERNELS_POSITIONS_H
