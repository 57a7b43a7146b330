//===- ConvGroups.c - grouped convolutions --------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grouped convolution arrives as a dense one whose weights are zero between
// groups, as tir-legalize and other tools write it. An instruction can read any
// number of words of a pixel, from any word on. For a word of the output, the
// words of its own groups are enough.
//
//===----------------------------------------------------------------------===//

#include "LowerConv.h"

#include "Support/Math.h"
#include "dialects/Groups.h"

#include <stdlib.h>
#include <string.h>

static int32_t words_of(const xc_lowering *lowering, int32_t channels) {
  return xc_ceil_div(channels, lowering->target->channelParallel);
}

static int64_t kernel_pixels(const xc_conv *c) {
  return c->axes[WIDTH].kernel * c->axes[HEIGHT].kernel;
}

/// Returns the groups of a convolution with `count` of them, and how many words
/// of an input pixel a word of the output needs.
static XcDpuChannelGroups groups_of(const xc_lowering *lowering,
                                    const xc_conv *c, int32_t count) {
  int32_t width = lowering->target->channelParallel;
  XcDpuChannelGroups groups = {c->pixel_channels / count,
                               c->out_channels / count, 0};
  for (int32_t first = 0; first < c->out_channels; first += width) {
    int32_t last = xc_minimum(first + width, c->out_channels) - 1;
    int32_t begin = first / groups.outputs * groups.inputs;
    int32_t end = (last / groups.outputs + 1) * groups.inputs;
    int32_t words = words_of(lowering, end) - begin / width;
    groups.words = words > groups.words ? words : groups.words;
  }
  return groups;
}

/// Keeps the weights of the words that are read, with zeros beyond the channels
/// of a pixel.
static void keep_groups(const xc_lowering *lowering, xc_conv *c) {
  int32_t width = lowering->target->channelParallel;
  int32_t inputs = c->groups.words * width;
  int64_t pixels = kernel_pixels(c);
  int8_t *kept =
      xc_alloc((size_t)c->out_channels * (size_t)pixels * (size_t)inputs);
  const int8_t *from = c->weights;
  int8_t *to = kept;
  for (int32_t o = 0; o < c->out_channels; ++o) {
    int32_t first =
        width * xcDpuGroupFirstWord(lowering->target, &c->groups,
                                    c->pixel_channels, o / width * width);
    int32_t count = xc_minimum(inputs, c->pixel_channels - first);
    for (int64_t i = 0; i < pixels;
         ++i, from += c->pixel_channels, to += inputs)
      memcpy(to, from + first, (size_t)count);
  }
  free(c->weights);
  c->weights = kept;
  c->in_channels = inputs;
}

void xc_find_conv_groups(const xc_lowering *lowering, xc_conv *c) {
  const xc_dense_kernel kernel = {.weights = c->weights,
                                  .element = 1,
                                  .outputs = c->out_channels,
                                  .window = kernel_pixels(c),
                                  .inputs = c->pixel_channels};
  XcDpuChannelGroups groups =
      groups_of(lowering, c, (int32_t)xc_zero_groups(&kernel));
  if (!xc_conv_has_padding(c))
    c->group_channels = groups.inputs;
  if (groups.words == words_of(lowering, c->pixel_channels) || c->is_folded)
    return;
  c->groups = groups;
  keep_groups(lowering, c);
}
