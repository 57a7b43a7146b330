//===- ConvPhase.c - transposed convolutions as convolutions --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along one axis, output o reads through tap k the element
//
//   (o - shift + k * dilation) / stride    shift = size of the kernel - 1
//                                                  - border before
//
// where that is whole. Outputs o = q * stride + phase all use the same taps k:
// every (stride / g)th, where g is the greatest common divisor of stride and
// dilation, and the elements they read are dilation / g apart. So each phase
// is a convolution of stride 1 with a part of the kernel, whose outputs lie
// `stride` apart. Where the first window begins inside the image, the rows (or
// columns) before it are left out; a phase without taps leaves out everything.
// No element meets a weight of 0 that the operator does not have: it may be
// infinite.
//
//===----------------------------------------------------------------------===//

#include "Conv.h"

#include "Support/Math.h"

#include <string.h>

/// One axis of a phase.
typedef struct phase_axis {
  int64_t outputs;
  int64_t first, step, taps; // of the whole kernel: those that take part
  int64_t skipped, input;    // elements of the image: left out, used
  int64_t kernel, dilation;  // of the convolution
  int64_t before;            // border
} phase_axis;

static phase_axis make_axis(int64_t input, int64_t outputs, int64_t kernel,
                            int64_t stride, int64_t dilation, int64_t border,
                            int64_t phase) {
  int64_t divisor = xc_gcd64(stride, dilation);
  int64_t shift = (kernel - 1) * dilation - border;
  phase_axis axis = {.outputs = (outputs - phase + stride - 1) / stride,
                     .step = stride / divisor,
                     .kernel = 1,
                     .dilation = dilation / divisor};
  while (axis.first < axis.step && axis.first < kernel &&
         (phase - shift + axis.first * dilation) % stride != 0)
    ++axis.first;
  if (axis.first == axis.step || axis.first >= kernel)
    return axis; // no tap: one zero over nothing but border
  axis.taps = (kernel - axis.first + axis.step - 1) / axis.step;
  axis.before = (shift - phase - axis.first * dilation) / stride;
  if (axis.before < 0) {
    axis.skipped = -axis.before < input ? -axis.before : input;
    axis.before = 0;
  }
  axis.input = input - axis.skipped;
  axis.kernel = axis.taps;
  return axis;
}

// [outer, kernel_h, kernel_w, inner] of the phase from those of the whole.
static void *choose_weights(xc_conv *whole, const phase_axis *h,
                            const phase_axis *w, const void *weights,
                            size_t each) {
  int64_t inner = whole->depthwise ? whole->in_c : whole->in_c / whole->group;
  int64_t outer = whole->depthwise ? 1 : whole->out_c;
  size_t run = (size_t)inner * each;
  char *chosen = xc_arena_alloc(&whole->arena,
                                (size_t)(outer * h->kernel * w->kernel), run);
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t y = 0; y < h->taps; ++y)
      for (int64_t x = 0; x < w->taps; ++x) {
        int64_t to = (o * h->kernel + y) * w->kernel + x;
        int64_t from =
            (o * whole->kernel_h + h->first + y * h->step) * whole->kernel_w +
            w->first + x * w->step;
        memcpy(chosen + (size_t)to * run,
               (const char *)weights + (size_t)from * run, run);
      }
  return chosen;
}

int64_t xc_conv_num_phases(const xc_conv *conv) {
  return conv->transposed ? conv->stride_h * conv->stride_w : 1;
}

bool xc_conv_make_phase(xc_conv *conv, int64_t number, xc_conv *phase) {
  *phase = *conv;
  phase->arena = (xc_arena){0}; // its owner goes on filling it
  if (!conv->transposed)
    return true;
  int64_t y = number / conv->stride_w, x = number % conv->stride_w;
  if (y >= conv->out_h || x >= conv->out_w)
    return false;
  phase_axis h = make_axis(conv->in_h, conv->out_h, conv->kernel_h,
                           conv->stride_h, conv->dilation_h, conv->top, y);
  phase_axis w = make_axis(conv->in_w, conv->out_w, conv->kernel_w,
                           conv->stride_w, conv->dilation_w, conv->left, x);
  phase->in_h = h.input;
  phase->in_w = w.input;
  phase->in_offset =
      h.skipped * conv->in_strides[1] + w.skipped * conv->in_strides[2];
  phase->out_h = h.outputs;
  phase->out_w = w.outputs;
  phase->kernel_h = h.kernel;
  phase->kernel_w = w.kernel;
  phase->stride_h = phase->stride_w = 1;
  phase->dilation_h = h.dilation;
  phase->dilation_w = w.dilation;
  phase->top = h.before;
  phase->left = w.before;
  phase->out_step_h = conv->stride_h;
  phase->out_step_w = conv->stride_w;
  phase->out_y = y;
  phase->out_x = x;
  if (conv->real_weights)
    phase->real_weights = choose_weights(conv, &h, &w, conv->real_weights,
                                         sizeof(*conv->real_weights));
  else
    phase->int_weights = choose_weights(conv, &h, &w, conv->int_weights,
                                        sizeof(*conv->int_weights));
  return true;
}

int64_t xc_conv_step_strides(const xc_conv *conv,
                             int64_t strides[XC_MAX_RANK]) {
  int64_t offset = conv->out_y * strides[1] + conv->out_x * strides[2];
  strides[1] *= conv->out_step_h;
  strides[2] *= conv->out_step_w;
  return offset;
}
