//===- Positions.c - what the taps of a convolution read ------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Positions.h"

#include "Support/Math.h"

xc_conv_positions xc_conv_positions_of(const xc_kernel_call *call) {
  const int64_t *in = call->operands[0].shape.dims;
  const int64_t *out = call->output.shape.dims;
  xc_conv_positions c = {.window = xc_taps_of(call->op, call->arena),
                         .channels = in[3],
                         .height = in[1],
                         .width = in[2],
                         .images = out[0],
                         .positions = out[0] * out[1] * out[2],
                         .outputs = out[3],
                         .row_step = 1,
                         .column_step = 1};
  c.taps = c.window.h.taps * c.window.w.taps;
  if (xc_is_transposed(call->op)) {
    xc_window window = xc_window_of(call->op);
    c.row_step = window.h.stride;
    c.column_step = window.w.stride;
  }
  return c;
}

// Whether any position of an axis, from `first` on, reads an input by a tap.
static bool is_read(const xc_axis_taps *axis, int64_t first, int64_t step,
                    int64_t tap) {
  for (int64_t o = first; o < axis->outputs; o += step)
    if (axis->source[o * axis->taps + tap] >= 0)
      return true;
  return false;
}

xc_conv_phase xc_conv_phase_of(const xc_conv_positions *c, int64_t index,
                               int64_t *taps) {
  const xc_axis_taps *h = &c->window.h, *w = &c->window.w;
  xc_conv_phase phase = {.row = index / c->column_step,
                         .column = index % c->column_step,
                         .tap = taps};
  // Of a stride beyond the image some have none.
  phase.rows =
      xc_ceil_div64(xc_maximum64(h->outputs - phase.row, 0), c->row_step);
  phase.columns =
      xc_ceil_div64(xc_maximum64(w->outputs - phase.column, 0), c->column_step);
  phase.positions = c->images * phase.rows * phase.columns;
  for (int64_t i = 0; i < h->taps; ++i) {
    if (!is_read(h, phase.row, c->row_step, i))
      continue;
    for (int64_t k = 0; k < w->taps; ++k)
      if (is_read(w, phase.column, c->column_step, k))
        taps[phase.taps++] = i * w->taps + k;
  }
  return phase;
}

int64_t xc_conv_phase_positions(const xc_conv_positions *c) {
  const xc_axis_taps *h = &c->window.h, *w = &c->window.w;
  return c->images * xc_ceil_div64(h->outputs, c->row_step) *
         xc_ceil_div64(w->outputs, c->column_step);
}
