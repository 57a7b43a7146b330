//===- PadConv.c - kernels of pixels with padding -------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerConv.h"

#include "dialects/Groups.h"

#include <stdlib.h>
#include <string.h>

bool xc_conv_has_padding(const xc_conv *c) {
  return c->in_layout || c->out_layout;
}

int32_t xc_conv_place(const xc_conv *c, int32_t channel) {
  return c->out_layout ? c->out_layout->places[channel] : channel;
}

int32_t xc_conv_channel_at(const xc_conv *c, int32_t place) {
  int32_t first = 0, end = c->model_channels - 1;
  while (first < end) {
    int32_t middle = first + (end - first) / 2;
    if (xc_conv_place(c, middle) < place)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

static void pad_inputs(const xc_conv *c, size_t count, const int8_t *from,
                       int8_t *to) {
  if (c->in_layout)
    xc_pad_channels(c->in_layout, count, from, to);
  else
    memcpy(to, from, count * (size_t)c->pixel_channels);
}

void xc_pad_conv_weights(xc_conv *c) {
  size_t window = (size_t)(c->axes[WIDTH].kernel * c->axes[HEIGHT].kernel);
  size_t inputs = (size_t)c->pixel_channels;
  int32_t filters = c->is_depthwise ? 1 : c->model_channels;
  size_t from =
      window * (c->in_layout ? (size_t)c->in_layout->channels : inputs);
  size_t to = window * inputs;
  if (!c->is_depthwise) {
    const xc_dense_kernel kernel = {.weights = c->weights,
                                    .element = 1,
                                    .outputs = filters,
                                    .window = (int64_t)window,
                                    .inputs = (int64_t)(from / window)};
    c->group_channels = (int32_t)(kernel.inputs / xc_zero_groups(&kernel));
  }
  int8_t *padded =
      xc_alloc(to * (size_t)(c->is_depthwise ? 1 : c->out_channels));
  for (int32_t i = 0; i < filters; ++i)
    pad_inputs(c, window, c->weights + (size_t)i * from,
               padded +
                   (size_t)(c->is_depthwise ? 0 : xc_conv_place(c, i)) * to);
  free(c->weights);
  c->weights = padded;
}
