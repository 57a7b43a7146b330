//===- Positions.h - positions that kernel taps read --------------*- C -*-===//
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
  int64_t images, positions, outputs;
  int64_t taps;
  int64_t row_step, column_step; // between positions of one phase
} xc_conv_positions;

/// Positions of the output that read the same taps: all of a convolution, every
/// s-th row and column of a transposed one of stride s, which reads one tap in
/// s along each axis.
typedef struct xc_conv_phase {
  int64_t row, column;   // the first one
  int64_t rows, columns; // of each image
  int64_t positions;
  int64_t taps;
  int64_t *tap; // their numbers in the window
} xc_conv_phase;

xc_conv_positions xc_conv_positions_of(const xc_kernel_call *call);

static inline int64_t xc_conv_num_phases(const xc_conv_positions *c) {
  return c->row_step * c->column_step;
}

/// Returns a phase, whose taps are written to `taps`, which has room for all of
/// the window.
xc_conv_phase xc_conv_phase_of(const xc_conv_positions *c, int64_t index,
                               int64_t *taps);
/// Returns the number of positions of the largest phase.
int64_t xc_conv_phase_positions(const xc_conv_positions *c);

/// Returns the position of the output that is number i of a phase.
static inline int64_t xc_conv_position(const xc_conv_positions *c,
                                       const xc_conv_phase *phase, int64_t i) {
  int64_t column = phase->column + i % phase->columns * c->column_step;
  int64_t row = phase->row + i / phase->columns % phase->rows * c->row_step;
  int64_t n = i / phase->columns / phase->rows;
  return (n * c->window.h.outputs + row) * c->window.w.outputs + column;
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

/// Finds the taps that read pixels for a position of the output, in order;
/// `taps` has room for all. A transposed convolution of stride s has one in s
/// along each axis.
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
